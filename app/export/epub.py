"""A document as EPUB 3: chapters from headings, notes linked, a list of the printed pages.

Written chapter by chapter. The first part says what is known of the book and of its text.

Source:
    EPUB 3.3 (also valid as 3.2); EPUB Accessibility 1.1 and its page source for printed pages.
"""

from __future__ import annotations

import re
import uuid
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from app.export import wording
from app.export.blocks import Block, Heading, PageMark, Picture, text_of
from app.export.chapters import Chapter, chapters, parts
from app.export.document import Document
from app.export.html import about, title_of
from app.export.markup import element, escaped
from app.export.web_text import STYLE, WebText, runs_left
from app.language import _

_FOLDER = "OEBPS"
_CONTAINER = f"""<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="{_FOLDER}/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""
_XHTML = "application/xhtml+xml"
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


class _Place(NamedTuple):
    """An entry of a list that leads into the book."""

    name: str
    target: str  # file and place in it
    level: int = 1


@dataclass
class _Contents:
    """What has been written so far, as the lists at the end need it."""

    files: list[str] = field(default_factory=list[str])
    pictures: list[str] = field(default_factory=list[str])
    headings: list[_Place] = field(default_factory=list[_Place])
    pages: list[_Place] = field(default_factory=list[_Place])


def write(document: Document, path: Path) -> None:
    """Write the document.

    Raises:
        OSError: the file cannot be written.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        _Writer(document, book).write()


class _Writer:
    def __init__(self, document: Document, book: zipfile.ZipFile) -> None:
        self._document = document
        self._book = book
        self._details = document.details
        marks = document.options.page_marks
        self._contents = _Contents()
        self._text = WebText(
            marks,
            direction=self._details.direction,
            is_epub=True,
            keep_picture=self._keep_picture,
        )

    def write(self) -> None:
        kind = zipfile.ZipInfo("mimetype")
        self._book.writestr(kind, "application/epub+zip", zipfile.ZIP_STORED)
        self._put("META-INF/container.xml", _CONTAINER)
        self._put(f"{_FOLDER}/style.css", STYLE)
        self._put(f"{_FOLDER}/about.xhtml", self._page(title_of(self._document), self._about()))
        for number, chapter in enumerate(chapters(self._document.blocks()), 1):
            self._chapter(chapter, f"chapter-{number:04d}.xhtml")
        self._put(f"{_FOLDER}/nav.xhtml", self._page(_("Contents"), self._navigation()))
        self._put(f"{_FOLDER}/package.opf", self._package())

    def _put(self, name: str, text: str) -> None:
        self._book.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)

    def _keep_picture(self, picture: Picture) -> str:
        name = f"picture-{len(self._contents.pictures) + 1:04d}.jpg"
        self._contents.pictures.append(name)
        self._book.writestr(zipfile.ZipInfo(f"{_FOLDER}/{name}"), picture.jpeg)
        return name

    def _about(self) -> str:
        return element("section", about(self._document), {"epub:type": "frontmatter"})

    def _chapter(self, chapter: Chapter, name: str) -> None:
        contents = self._contents
        contents.files.append(name)
        body: list[str] = []
        for block in chapter.blocks:
            contents.pages += (
                _Place(mark.label or str(mark.number + 1), f"{name}#{mark.anchor}")
                for mark in _page_marks(block)
            )
            written = self._text.block(block)
            if isinstance(block, Heading):
                anchor = f"h{len(contents.headings) + 1}"
                title = " ".join(text_of(block.inlines).split())
                contents.headings.append(_Place(title, f"{name}#{anchor}", block.level))
                written = written.replace(">", f' id="{anchor}">', 1)
            body.append(written)
        headings = [each for each in chapter.blocks if isinstance(each, Heading)]
        title = text_of(headings[0].inlines) if headings else title_of(self._document)
        section = element("section", "\n" + "".join(body), {"epub:type": "chapter"})
        self._put(f"{_FOLDER}/{name}", self._page(" ".join(title.split()), section))

    def _page(self, title: str, body: str) -> str:
        language = escaped(self._language())
        way = f' dir="{self._details.direction}"' if self._details.direction else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
            '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
            f' lang="{language}" xml:lang="{language}"{way}>\n'
            f"<head>\n{element('title', escaped(title or title_of(self._document)))}\n"
            '<link rel="stylesheet" type="text/css" href="style.css"/>\n</head>\n'
            f"<body>\n{body}\n</body>\n</html>\n"
        )

    def _language(self) -> str:
        given = self._details.language
        return given if _LANGUAGE.fullmatch(given) else "und"

    # --- lists ----------------------------------------------------------------------------------

    def _navigation(self) -> str:
        files = self._contents.files
        start = [_Place(title_of(self._document), "about.xhtml")]
        headings = self._contents.headings or [_Place(_("Text"), name) for name in files[:1]]
        toc = "".join(_nested([*start, *headings]))
        pages = "".join(f"<li>{_link(page)}</li>\n" for page in self._contents.pages)
        return (
            f'<nav epub:type="toc" id="toc" role="doc-toc">\n'
            f"{element('h1', escaped(_('Contents')))}\n{toc}</nav>\n"
            '<nav epub:type="page-list" id="pages" role="doc-pagelist" hidden="hidden">\n'
            f"{element('h1', escaped(_('Pages')))}\n<ol>\n{pages}</ol>\n</nav>"
        )

    def _package(self) -> str:
        items = [
            f'<item id="nav" href="nav.xhtml" media-type="{_XHTML}" properties="nav"/>',
            '<item id="style" href="style.css" media-type="text/css"/>',
            f'<item id="about" href="about.xhtml" media-type="{_XHTML}"/>',
        ]
        names = [(f"c{n}", name) for n, name in enumerate(self._contents.files, 1)]
        items += [f'<item id="{i}" href="{name}" media-type="{_XHTML}"/>' for i, name in names]
        items += [
            f'<item id="i{n}" href="{name}" media-type="image/jpeg"/>'
            for n, name in enumerate(self._contents.pictures, 1)
        ]
        spine = "".join(f'<itemref idref="{i}"/>\n' for i in ("about", *(i for i, _n in names)))
        way = self._details.direction
        progression = f' page-progression-direction="{way}"' if way else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"'
            f' xml:lang="{escaped(self._language())}">\n'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
            + "".join(f"{line}\n" for line in self._metadata())
            + "</metadata>\n<manifest>\n"
            + "".join(f"{line}\n" for line in items)
            + f"</manifest>\n<spine{progression}>\n{spine}</spine>\n</package>\n"
        )

    def _metadata(self) -> Iterator[str]:
        details, sources = self._details, ", ".join(self._document.sources)
        known = "\n".join((details.title, details.author, details.shelfmark, sources))
        name = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, known)}"
        yield element("dc:identifier", name, {"id": "id"})
        yield element("dc:title", escaped(title_of(self._document)))
        yield element("dc:language", escaped(self._language()))
        said = {
            "dc:creator": details.author,
            "dc:source": ", ".join(filter(None, (details.shelfmark, details.year, sources))),
            "dc:description": " ".join(wording.provenance(self._document.provenance)),
        }
        yield from (element(name, escaped(text)) for name, text in said.items() if text)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        features = ("tableOfContents", "pageBreakMarkers", "pageNavigation", "structuralNavigation")
        metas = [
            ("dcterms:modified", now),
            ("schema:accessMode", "textual"),
            ("schema:accessModeSufficient", "textual"),
            *(("schema:accessibilityFeature", feature) for feature in features),
            ("schema:accessibilityHazard", "none"),
        ]
        yield from (element("meta", text, {"property": name}) for name, text in metas)


def _page_marks(block: Block) -> Iterable[PageMark]:
    if isinstance(block, PageMark):
        return [block]
    return [each for part in parts(block) for each in part if isinstance(each, PageMark)]


def _nested(places: list[_Place]) -> Iterator[str]:
    """A list of lists: chapters of level 2 within those of level 1 before them."""
    yield "<ol>\n"
    is_deep = False
    for index, place in enumerate(places):
        goes_deep = place.level > 1 and index > 1 and (is_deep or places[index - 1].level == 1)
        if goes_deep and not is_deep:
            yield "\n<ol>\n"
        elif is_deep and not goes_deep:
            yield "</li>\n</ol>\n</li>\n"
        elif index:
            yield "</li>\n"
        yield f"<li>{_link(place)}"
        is_deep = goes_deep
    yield "</li>\n</ol>\n</li>\n</ol>\n" if is_deep else "</li>\n</ol>\n"


def _link(place: _Place) -> str:
    name = place.name if place.name.strip() else "–"
    way = {"dir": "rtl"} if runs_left(name) else {}
    return element("a", escaped(name), {"href": place.target, **way})
