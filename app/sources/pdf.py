"""Books that are PDFs; runs in the decoding child.

Opening looks at nothing page by page but the labels, which are spelt from a few rules. Pages are
planned and drawn by `app.sources.pdf_page`.
"""

from __future__ import annotations

import functools
import math
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from app.book import Details, PageSize
from app.errors import SourceError
from app.sources import fingerprints
from app.sources.causes import Undecodable
from app.sources.decode import to_raster
from app.sources.labels import LabelRule, labels
from app.sources.limits import MOST_PAGES, Limits, check_pixels
from app.sources.mupdf import Document, Page, answering, forget, mupdf, raw_stream
from app.sources.pdf_jpeg import Jpeg, decode_jpeg, only_jpeg
from app.sources.pdf_page import draw, images_on, is_all_grey, kinds_drawn, master_of
from app.sources.pdf_parts import pdf_parts
from app.sources.scaling import target_of
from app.sources.values import PageInfo, PageParts, PlainPage, Raster, SourceInfo, SourceKind, Word

PAGES_ASKED_FOR_TEXT = 4
MOST_PLANS = 256
_NO_TITLE = re.compile(r"untitled|microsoft word\b.*|.*\.(pdf|docx?|tiff?|jpe?g|indd|qxd)", re.I)


class Plan(NamedTuple):
    """How a page is drawn; made once a page, without decoding anything large."""

    size: PageSize  # of the master
    is_grey: bool
    largest_image: tuple[int, int]  # pixels; (1, 1) where there is none
    jpeg: Jpeg | None  # the page is this and nothing else


class PdfPages:
    """One open PDF."""

    def __init__(self, document: Document, path: Path, limits: Limits) -> None:
        self._document = document
        self._limits = limits
        self._plan = functools.lru_cache(maxsize=MOST_PLANS)(self._planned)
        count = document.page_count
        self.info = SourceInfo(
            kind=SourceKind.PDF,
            paths=(path,),
            page_count=count,
            names=("",) * count,
            labels=_labels(document, count),
            fingerprint=fingerprints.of_file(path),
            details=_details(document),
            has_text_layer=_has_text(document),
        )

    def page_info(self, page: int) -> PageInfo:
        """See `Pages`."""
        plan = self._checked_plan(page)
        return PageInfo(plan.size, _fingerprint(self._document, self._loaded(page)))

    def render(self, page: int, *, fit: tuple[int, int] | None, scale: float) -> Raster:
        """See `Pages`."""
        plan = self._checked_plan(page)
        target = target_of(plan.size, fit=fit, scale=scale)
        if plan.jpeg:
            image = decode_jpeg(self._document, plan.jpeg, target)
        else:
            image = draw(self._loaded(page), target, is_grey=plan.is_grey)
            forget()

        return to_raster(image, target.scale)

    def words(self, page: int) -> list[Word]:
        """See `Pages`."""
        plan = self._checked_plan(page)
        loaded = self._loaded(page)
        onto_master = loaded.rotation_matrix * mupdf.Matrix(
            plan.size.width_px / loaded.rect.width, plan.size.height_px / loaded.rect.height
        )
        found: list[Any] = answering(lambda: loaded.get_text("words"))
        return [_word(entry, onto_master) for entry in found]

    def plain_page(self, page: int) -> PlainPage:
        """See `Pages`."""
        loaded = self._loaded(page)
        found: list[Any] = answering(lambda: loaded.get_text("words"))
        forget()
        return PlainPage(self._anchors.get(page, ()), tuple(str(entry[4]) for entry in found))

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """See `Pages`."""
        self._checked_plan(page)
        loaded = self._loaded(page)
        try:
            return answering(lambda: pdf_parts(loaded, archival=archival))
        except Undecodable:  # whether it can be drawn is for `render` to find out
            return None
        finally:
            forget()

    @functools.cached_property
    def _anchors(self) -> dict[int, tuple[str, ...]]:
        """The names of destinations by the page that they lead to."""
        named: dict[str, Any] = answering(self._document.resolve_names)
        anchors: dict[int, tuple[str, ...]] = {}
        for name, place in named.items():
            anchors[place["page"]] = (*anchors.get(place["page"], ()), name)
        return anchors

    def _loaded(self, page: int) -> Page:
        return answering(lambda: self._document[page])

    def _planned(self, page: int) -> Plan:
        loaded = self._loaded(page)
        images, kinds = images_on(loaded), kinds_drawn(loaded)
        sizes = ((image.width_px, image.height_px) for image in images)
        plan = Plan(
            size=master_of(loaded, images),
            is_grey=is_all_grey(images, kinds),
            largest_image=max(sizes, key=math.prod, default=(1, 1)),
            jpeg=answering(lambda: only_jpeg(loaded, images, kinds)),
        )
        forget()
        return plan

    def _checked_plan(self, page: int) -> Plan:
        plan = self._plan(page)
        check_pixels(plan.size.width_px, plan.size.height_px, self._limits)
        check_pixels(*plan.largest_image, self._limits)
        return plan


def open_pdf(path: Path, password: str | None, limits: Limits) -> PdfPages:
    """Open a PDF, mending what MuPDF can mend.

    Raises:
        Undecodable: no PDF, or one that cannot be mended.
        SourceError: `source_empty`, `password_needed`, `password_wrong`.
    """
    document = _opened(path)
    if document.needs_pass and not document.authenticate(password or ""):
        raise SourceError("password_wrong" if password else "password_needed")
    count: int = answering(lambda: document.page_count)
    if count < 1:
        raise SourceError("source_empty")
    if count > MOST_PAGES:
        raise Undecodable("too_many_pages")
    return PdfPages(document, path, limits)


def _opened(path: Path) -> Document:
    try:
        document = mupdf.open(_name_for_mupdf(path), filetype="pdf")
    except mupdf.FileDataError as error:
        raise Undecodable("not_a_pdf") from error
    if not document.is_pdf:
        raise Undecodable("not_a_pdf")
    return document


def _name_for_mupdf(path: Path) -> str:
    """MuPDF takes UTF-8 only; a file with another name is opened here, and named by its number."""
    name = os.fspath(path)
    try:
        name.encode()
    except UnicodeEncodeError:
        return f"/dev/fd/{os.open(path, os.O_RDONLY)}"
    return name


def _word(entry: list[Any], onto_master: Any) -> Word:  # noqa: ANN401 - a matrix of MuPDF
    *box, text, block, line, _number = entry
    left, top, right, bottom = mupdf.Rect(box) * onto_master
    return Word(text, left, top, right, bottom, block, line)


def _labels(document: Document, count: int) -> tuple[str, ...]:
    rules: list[dict[str, Any]] = document.get_page_labels()
    return labels(
        (
            LabelRule(
                rule["startpage"],
                _printable(rule.get("prefix", "")),
                rule.get("style", ""),
                rule.get("firstpagenum", 1),
            )
            for rule in rules
        ),
        count,
    )


def _details(document: Document) -> Details:
    """What the file says of the book; titles that only name a file are left out.

    The dates of a PDF are those of the scan, so the year stays empty.
    """
    metadata: dict[str, Any] = document.metadata or {}
    title = _clean(metadata.get("title") or "")
    return Details(
        title="" if _NO_TITLE.fullmatch(title) else title,
        author=_clean(metadata.get("author") or ""),
        language=_clean(document.language or ""),
    )


def _clean(text: str) -> str:
    """One line, single blanks."""
    return " ".join(_printable(text).split())


def _printable(text: str) -> str:
    """What can be stored and shown: no control characters, no lone surrogates."""
    stored = text.encode(errors="replace").decode()
    return "".join(c if c.isprintable() else " " for c in stored)


def _has_text(document: Document) -> bool:
    count = document.page_count
    asked = {count * part // PAGES_ASKED_FOR_TEXT for part in range(PAGES_ASKED_FOR_TEXT)}
    return any(_page_has_text(document, page) for page in sorted(asked))


def _page_has_text(document: Document, page: int) -> bool:
    """Looks for a font first: a drawing may take long to go through, and has none."""
    try:
        if not answering(lambda: document.get_page_fonts(page)):
            return False
        return bool(answering(lambda: document[page].get_text("words")))
    except Undecodable:  # a damaged page is told when it is opened
        return False


def _fingerprint(document: Document, page: Page) -> str:
    """Of the page's drawing orders and the raw data of its images: what makes its looks."""
    images = sorted({image[0] for image in answering(lambda: page.get_images(full=True))})
    parts = [f"{page.rect} {page.rotation}".encode(), answering(page.read_contents)]
    return fingerprints.of_parts(parts + [raw_stream(document, xref) for xref in images])
