"""Books that a METS file describes: page images beside it, their order, printed numbers, title.

Runs in the decoding child. Of a page's files the largest kind is taken, as the groups' names tell.
An image that lies on a server, or outside of the METS file's folder, is a page that cannot be read;
nothing is fetched.

Source: METS 1.12.1, METS profile of the DFG viewer 2.4, MODS 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from urllib.parse import unquote, urlsplit

from app.book import Details
from app.errors import SourceError
from app.sources import fingerprints
from app.sources.causes import Undecodable
from app.sources.images import ImagePages, Member, is_image_name
from app.sources.limits import MEBIBYTE, MOST_PAGES, Limits
from app.sources.values import SourceKind

etree: Any = import_module("lxml.etree")  # lxml has no types
Element = Any

NAMES = {
    "mets": "http://www.loc.gov/METS/",
    "mods": "http://www.loc.gov/mods/v3",
    "xlink": "http://www.w3.org/1999/xlink",
}
MOST_BYTES = 256 * MEBIBYTE
BEST_FIRST = ("master", "original", "ocr-d-img", "max", "image", "default", "presentation")
WORST = ("min", "thumb", "download", "fulltext")
_HREF = f"{{{NAMES['xlink']}}}href"


@dataclass(frozen=True)
class _File:
    """One file of the book."""

    group: str  # what its group is used for, in small letters
    kind: str  # MIME type, "" where none is said
    href: str

    @property
    def is_image(self) -> bool:
        """Whether it may be a page; some METS files say no types."""
        return self.kind.startswith("image/") if self.kind else is_image_name(self.href)

    @property
    def rank(self) -> int:
        """The smaller, the larger the image."""
        for rank, name in enumerate(BEST_FIRST):
            if name in self.group:
                return rank
        return len(BEST_FIRST) + any(name in self.group for name in WORST)


def open_mets(path: Path, limits: Limits) -> ImagePages:
    """Open the page images that a METS file lists.

    Raises:
        Undecodable: it is no XML, or claims too many pages.
        SourceError: `source_kind_unknown`: XML of another kind; `source_empty`; `source_remote`:
            all images lie on a server.
    """
    root = _parsed(path)
    pages = list(_pages(root))
    if not pages:
        raise SourceError("source_empty")
    if len(pages) > MOST_PAGES:
        raise Undecodable("too_many_pages")
    hosts = {urlsplit(file.href).netloc for file, _label in pages}
    if all(hosts):
        raise SourceError("source_remote", host=", ".join(sorted(hosts)))
    return ImagePages(
        SourceKind.METS,
        [path],
        [_member(path.parent, file.href) for file, _label in pages],
        fingerprint=fingerprints.of_file(path),
        limits=limits,
        labels=[label for _file, label in pages],
        details=_details(root),
    )


def _parsed(path: Path) -> Element:
    if path.stat().st_size > MOST_BYTES:
        raise Undecodable("member_too_large")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.parse(path, parser).getroot()
    except etree.XMLSyntaxError as error:
        raise Undecodable("not_xml", str(error)) from error
    if root.tag != f"{{{NAMES['mets']}}}mets":
        raise SourceError("source_kind_unknown")
    return root


def _pages(root: Element) -> Iterator[tuple[_File, str]]:
    """Each page's largest image and its printed number, in the order of the book."""
    files = {each.get("ID", ""): _file(each) for each in _all(root, "//mets:fileSec//mets:file")}
    images = {name: file for name, file in files.items() if file.is_image and file.href}
    found = False
    for div in _page_divs(root):
        names = [pointer.get("FILEID", "") for pointer in _all(div, "./mets:fptr")]
        known = [images[name] for name in names if name in images]
        if known:
            found = True
            yield min(known, key=lambda file: file.rank), _label(div)
    if not found and images:
        best = min(file.rank for file in images.values())
        yield from ((file, "") for file in images.values() if file.rank == best)


def _page_divs(root: Element) -> list[Element]:
    maps = _all(root, "//mets:structMap")
    physical = [each for each in maps if each.get("TYPE", "").upper() == "PHYSICAL"] or maps[:1]
    divs = [div for each in physical[:1] for div in _all(each, ".//mets:div[mets:fptr]")]
    pages = [div for div in divs if div.get("TYPE", "").lower() == "page"] or divs
    if all(div.get("ORDER", "").isdecimal() for div in pages):
        return sorted(pages, key=lambda div: int(div.get("ORDER", "0")))
    return pages


def _label(div: Element) -> str:
    label = (div.get("ORDERLABEL") or div.get("LABEL") or "").strip()
    return "" if label in {"-", "uncounted"} else label[:40]


def _file(element: Element) -> _File:
    groups: list[str] = [each.get("USE", "") for each in element.iterancestors()]
    places = _all(element, "./mets:FLocat")
    return _File(
        group=next((use for use in groups if use), "").lower(),
        kind=element.get("MIMETYPE", ""),
        href=places[0].get(_HREF, "").strip() if places else "",
    )


def _member(folder: Path, href: str) -> Member:
    where = urlsplit(href)
    name = unquote(where.path) if where.scheme in {"", "file"} else href
    if where.scheme not in {"", "file"}:
        return Member(name, _refused("remote_file"))
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        return Member(name, _refused("climbs_out"))
    return Member(name, _opener(path))


def _opener(path: Path) -> Callable[[], BinaryIO]:
    def opened() -> BinaryIO:
        try:
            return path.open("rb")
        except FileNotFoundError as error:
            raise Undecodable("missing_file") from error

    return opened


def _refused(cause: str) -> Callable[[], BinaryIO]:
    def opened() -> NoReturn:
        raise Undecodable(cause)

    return opened


def _details(root: Element) -> Details:
    """What the first bibliographic record says."""
    records = _all(root, "//mets:dmdSec//mods:mods")
    if not records:
        return Details()
    record = records[0]
    return Details(
        title=_text(record, "./mods:titleInfo[not(@type)]/mods:title"),
        author=_text(record, "./mods:name/mods:displayForm | ./mods:name/mods:namePart"),
        year=_text(record, "./mods:originInfo/mods:dateIssued"),
        shelfmark=_text(record, "./mods:location//mods:shelfLocator"),
        language=_text(record, "./mods:language/mods:languageTerm[@type='code']"),
    )


def _text(element: Element, path: str) -> str:
    found = _all(element, path)
    return " ".join("".join(found[0].itertext()).split()) if found else ""


def _all(element: Element, path: str) -> list[Element]:
    return list(element.xpath(path, namespaces=NAMES))
