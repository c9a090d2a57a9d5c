"""What a PDF says of itself: details and provenance, printed numbers, headings.

Source: ISO 32000-1, 12.3.3 (outline), 12.4.2 (page labels), 14.3 (metadata); ISO 16684-1 (XMP);
ISO 19005-2 (PDF/A-2: identification, output intent).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from PIL import ImageCms

from app.export.layout import LaidPage, PagedBook
from app.export.pdf_file import PdfFile, real, text_string
from app.export.steps import timestamp
from app.export.wording import made_with, provenance
from model.api import Kind

_LEVELS = {Kind.TITLE: 1, Kind.HEADING: 2}
_YEAR = re.compile(r"\d{4}")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


class Entry(NamedTuple):
    """A heading in the outline."""

    title: str
    level: int  # 1 or 2
    page: int  # number of the page's object
    top_pt: float  # from the lower edge of the page


def headings(page: LaidPage, number: int, height_pt: float) -> Iterator[Entry]:
    """The headings of one page; `number` is that of its object."""
    for region in page.regions:
        level = _LEVELS.get(region.kind)
        if level is not None and region.lines:
            title = " ".join(line.text for line in region.lines)
            top = height_pt * (1 - region.box.top / page.size.height_px)
            yield Entry(title, level, number, top)


# --- outline ------------------------------------------------------------------------------------


def write_outline(file: PdfFile, entries: Sequence[Entry]) -> int | None:
    """Write the headings, second levels beneath the first; None where there are none."""
    if not entries:
        return None
    chapters: list[list[Entry]] = []
    for entry in entries:
        if entry.level == 1 or not chapters or chapters[-1][0].level > 1:
            chapters.append([entry])
        else:
            chapters[-1].append(entry)
    root = file.reserve()
    numbers = [file.reserve() for _chapter in chapters]
    for place, chapter in enumerate(chapters):
        below = _write_level(file, chapter[1:], numbers[place])
        _write_entry(file, chapter[0], root, numbers, place, below)
    file.add(
        f"<</Type/Outlines/First {numbers[0]} 0 R/Last {numbers[-1]} 0 R/Count {len(numbers)}>>",
        number=root,
    )
    return root


def _write_level(file: PdfFile, entries: Sequence[Entry], parent: int) -> str:
    """Entries beneath one; gives what their parent says of them."""
    if not entries:
        return ""
    numbers = [file.reserve() for _entry in entries]
    for place, entry in enumerate(entries):
        _write_entry(file, entry, parent, numbers, place, "")
    return f"/First {numbers[0]} 0 R/Last {numbers[-1]} 0 R/Count -{len(numbers)}"


def _write_entry(
    file: PdfFile, entry: Entry, parent: int, numbers: Sequence[int], place: int, below: str
) -> None:
    beside = f"/Prev {numbers[place - 1]} 0 R" if place else ""
    if place + 1 < len(numbers):
        beside += f"/Next {numbers[place + 1]} 0 R"
    file.add(
        f"<</Title{text_string(entry.title)}/Parent {parent} 0 R{beside}{below}"
        f"/Dest[{entry.page} 0 R/XYZ null {real(entry.top_pt)} null]>>",
        number=numbers[place],
    )


# --- page labels --------------------------------------------------------------------------------


def page_labels(labels: Sequence[str]) -> str:
    """The printed numbers as PDF wants them: where a run of numbers begins; "" without any.

    A page without a printed number has an empty label.
    """
    if not any(labels):
        return ""
    rules: list[str] = []
    following: str | None = None
    for index, label in enumerate(labels):
        if label != following:
            rules.append(f"{index}<<{_rule(label)}>>")
        following = str(int(label) + 1) if _is_number(label) else None
    return f"<</Nums[{''.join(rules)}]>>"


def _rule(label: str) -> str:
    if _is_number(label):
        return f"/S/D/St {label}"
    return f"/P{text_string(label)}" if label else ""


def _is_number(label: str) -> bool:
    return label.isascii() and label.isdigit() and str(int(label)) == label and label != "0"


# --- metadata -----------------------------------------------------------------------------------


def information(book: PagedBook, now: datetime) -> str:
    """The information dictionary, in accord with the XMP packet."""
    details = book.details
    date = now.astimezone(UTC).strftime("D:%Y%m%d%H%M%SZ")
    named = {"Title": details.title, "Author": details.author}
    said = "".join(f"/{name}{text_string(text)}" for name, text in named.items() if text)
    made = text_string(made_with())
    return f"<<{said}/Creator{made}/Producer{made}/CreationDate({date})/ModDate({date})>>"


def xmp(book: PagedBook, now: datetime, *, archival: bool) -> bytes:
    """The XMP packet: details, and who read the book and who corrected it."""
    said = "\n".join(f"   {line}" for line in _properties(book, now, archival=archival))
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
    xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
{said}
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>""".encode()


def _properties(book: PagedBook, now: datetime, *, archival: bool) -> Iterator[str]:
    details = book.details
    if archival:
        yield "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>"
    yield "<dc:format>application/pdf</dc:format>"
    if details.title:
        yield _alternatives("dc:title", details.title)
    if details.author:
        yield _list("dc:creator", "Seq", [details.author])
    if _YEAR.fullmatch(details.year):
        yield _list("dc:date", "Seq", [details.year])
    if _LANGUAGE.fullmatch(details.language):
        yield _list("dc:language", "Bag", [details.language])
    if details.shelfmark:
        yield f"<dc:identifier>{escape(details.shelfmark)}</dc:identifier>"
    if book.sources:
        yield f"<dc:source>{escape(', '.join(book.sources))}</dc:source>"
    yield _alternatives("dc:description", " ".join(provenance(book.provenance)))
    yield f"<xmp:CreatorTool>{escape(made_with())}</xmp:CreatorTool>"
    yield f"<pdf:Producer>{escape(made_with())}</pdf:Producer>"
    yield f"<xmp:CreateDate>{timestamp(now)}</xmp:CreateDate>"
    yield f"<xmp:ModifyDate>{timestamp(now)}</xmp:ModifyDate>"
    yield f"<xmp:MetadataDate>{timestamp(now)}</xmp:MetadataDate>"


def _alternatives(name: str, text: str) -> str:
    said = f'<rdf:li xml:lang="x-default">{escape(text)}</rdf:li>'
    return f"<{name}><rdf:Alt>{said}</rdf:Alt></{name}>"


def _list(name: str, kind: str, texts: Sequence[str]) -> str:
    said = "".join(f"<rdf:li>{escape(text)}</rdf:li>" for text in texts)
    return f"<{name}><rdf:{kind}>{said}</rdf:{kind}></{name}>"


def language(book: PagedBook) -> str:
    """The entry of the catalogue that names the language; "" where it is not known."""
    known = book.details.language
    return f"/Lang({known})" if _LANGUAGE.fullmatch(known) else ""


# --- PDF/A --------------------------------------------------------------------------------------


def write_output_intent(file: PdfFile) -> str:
    """Write the colours for which the file is meant; gives the entry of the catalogue."""
    profile = file.add_packed("<</N 3/Alternate/DeviceRGB>>", _srgb())
    name = "(sRGB IEC61966-2.1)"
    return (
        f"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier{name}"
        f"/Info{name}/RegistryName(http://www.color.org)/DestOutputProfile {profile} 0 R>>]"
    )


@cache
def _srgb() -> bytes:
    cms: Any = ImageCms  # its `createProfile` has no return type
    return ImageCms.ImageCmsProfile(cms.createProfile("sRGB")).tobytes()
