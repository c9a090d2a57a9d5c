"""A METS file that binds a folder of page files to a book.

Source: METS 1.12.1, Library of Congress. Each page is a part of the physical structure, with its
scan number as `ORDER`, its printed number as `ORDERLABEL`, and pointers to its file and its scan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from app.export.layout import LaidPage, PagedBook
from app.export.steps import timestamp
from app.export.wording import made_with, provenance
from app.export.xml import Element, bytes_of, child, root

NAME = "mets.xml"
NAMESPACE = "http://www.loc.gov/METS/"
XLINK = "http://www.w3.org/1999/xlink"
_SCHEMA = "http://www.loc.gov/standards/mets/mets.xsd"
_DC = "http://purl.org/dc/elements/1.1/"


@dataclass(frozen=True)
class PageFile:
    """What METS says of one page."""

    number: int  # from 0
    label: str  # printed number
    state: str
    name: str  # of the file, within the folder
    image_name: str
    size: int  # bytes
    sha256: str  # hex digits


def page_file(page: LaidPage, name: str, data: bytes) -> PageFile:
    """Describe a page's file."""
    number, label = page.page.number, page.page.label
    digest = hashlib.sha256(data).hexdigest()
    state = page.page.state.value
    return PageFile(number, label, state, name, page.image_name, len(data), digest)


def mets_bytes(book: PagedBook, files: Sequence[PageFile], *, media_type: str) -> bytes:
    """The whole file."""
    top = root("mets", NAMESPACE, schema=_SCHEMA, others={"xlink": XLINK, "dc": _DC})
    title = book.details.title or ", ".join(book.sources)
    if title:
        top.set("LABEL", title)
    _header(top, book)
    _details(top, book)
    _files(child(top, "fileSec"), files, media_type)
    _structure(top, files, title)
    return bytes_of(top)


def _header(top: Element, book: PagedBook) -> None:
    header = child(top, "metsHdr", {"CREATEDATE": timestamp(datetime.now(UTC))})
    kind = {"ROLE": "CREATOR", "TYPE": "OTHER", "OTHERTYPE": "SOFTWARE"}
    agent = child(header, "agent", kind)
    child(agent, "name", text=made_with())
    for line in provenance(book.provenance):
        child(agent, "note", text=line)


def _details(top: Element, book: PagedBook) -> None:
    details = book.details
    named = {
        "title": details.title,
        "creator": details.author,
        "date": details.year,
        "identifier": details.shelfmark,
        "language": details.language,
        "description": details.notes,
        "source": ", ".join(book.sources),
    }
    if not any(named.values()):
        return
    wrap = child(child(top, "dmdSec", {"ID": "DMD_BOOK"}), "mdWrap", {"MDTYPE": "DC"})
    data = child(wrap, "xmlData")
    for name, text in named.items():
        if text:
            element = child(data, name, text=text)
            element.tag = f"{{{_DC}}}{name}"


def _files(section: Element, files: Sequence[PageFile], media_type: str) -> None:
    texts = child(section, "fileGrp", {"USE": "FULLTEXT"})
    for each in files:
        attributes = {
            "ID": f"TEXT_{each.number + 1:04d}",
            "MIMETYPE": media_type,
            "SIZE": str(each.size),
            "CHECKSUM": each.sha256,
            "CHECKSUMTYPE": "SHA-256",
        }
        _place(child(texts, "file", attributes), each.name)
    scans = child(section, "fileGrp", {"USE": "ORIGINAL"})
    for each in files:
        _place(child(scans, "file", {"ID": f"SCAN_{each.number + 1:04d}"}), each.image_name)


def _place(file: Element, name: str) -> None:
    place = child(file, "FLocat", {"LOCTYPE": "OTHER", "OTHERLOCTYPE": "FILE"})
    place.set(f"{{{XLINK}}}href", quote(name, safe="/#=~"))


def _structure(top: Element, files: Sequence[PageFile], title: str) -> None:
    structure = child(top, "structMap", {"TYPE": "PHYSICAL"})
    book = child(structure, "div", {"TYPE": "physSequence", "ID": "PHYS_0000", "LABEL": title})
    if any(True for _details in top.iterfind(f"{{{NAMESPACE}}}dmdSec")):
        book.set("DMDID", "DMD_BOOK")
    for each in files:
        attributes = {
            "TYPE": "page",
            "ID": f"PHYS_{each.number + 1:04d}",
            "ORDER": str(each.number + 1),
            "ORDERLABEL": each.label,
            "LABEL": each.state,
        }
        page = child(book, "div", attributes)
        for kind in ("TEXT", "SCAN"):
            child(page, "fptr", {"FILEID": f"{kind}_{each.number + 1:04d}"})
