"""One page as PAGE XML.

Source: PAGE content schema 2019-07-15, PRImA. Regions stand in reading order, which is told a
second time by `ReadingOrder` and by `custom`, where several programs look. The reading that is
exported has index 0; what others said of the same region or line follows, people's texts first.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.book import PageState, Reading
from app.export.document import ExportOptions
from app.export.layout import LaidCell, LaidLine, LaidPage, LaidRegion, LaidWord, PagedBook
from app.export.steps import Step, state_of, step_of, steps_of, timestamp
from app.export.xml import Element, bytes_of, child, number, root
from model.api import Box, Kind

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
_TYPES = {
    Kind.TITLE: "heading",
    Kind.HEADING: "heading",
    Kind.TEXT: "paragraph",
    Kind.LIST: "paragraph",
    Kind.CAPTION: "caption",
    Kind.NOTE: "footnote",
    Kind.RUNNING_HEAD: "header",
    Kind.PAGE_NUMBER: "page-number",
    Kind.FOOTER: "footer",
    Kind.OTHER: "other",
    Kind.EQUATION: "other",
    Kind.FIGURE: "other",
    Kind.TABLE: "other",
}
_STYLES = {
    "bold": "bold",
    "italic": "italic",
    "subscript": "subscript",
    "superscript": "superscript",
    "small_caps": "smallCaps",
    "letter_spaced": "letterSpaced",
}
_SAME = 0.5  # share of their common area from which two readings' regions are one

Said = tuple[tuple[str, str], ...]
"""What other readings say: text, and who."""


def page_bytes(book: PagedBook, page: LaidPage) -> bytes:
    """The file of one page."""
    others = book.others(page)
    top = root("PcGts", NAMESPACE, schema=f"{NAMESPACE}/pagecontent.xsd")
    top.set("pcGtsId", f"pc_{page.page.number + 1}")
    metadata = child(top, "Metadata")
    _metadata(metadata, page, tuple(reading for reading, _page in others), book.options)
    _page(top, page, others)
    return bytes_of(top)


def _metadata(
    metadata: Element, page: LaidPage, others: tuple[Reading, ...], options: ExportOptions
) -> None:
    steps = steps_of(page, others)
    written = steps[-1]
    child(metadata, "Creator", text=f"{written.name} {written.version}")
    child(metadata, "Created", text=timestamp(steps[0].date))
    child(metadata, "LastChange", text=timestamp(steps[-1].date))
    if options.page_notes and page.page.note:
        child(metadata, "Comments", text=page.page.note)
    for step in steps:
        _step(metadata, step)
    attributes = {"type": "other", "name": "page-state", "value": state_of(page)}
    child(metadata, "MetadataItem", attributes)


def _step(metadata: Element, step: Step) -> None:
    attributes = {
        "type": "processingStep",
        "name": step.kind,
        "value": step.who,
        "date": timestamp(step.date),
    }
    item = child(metadata, "MetadataItem", attributes)
    labels = child(item, "Labels")
    named = {"description": step.description, "settings": step.settings, "person": step.agency}
    for kind, value in named.items():
        if value:
            child(labels, "Label", {"value": value, "type": kind})


def _page(top: Element, page: LaidPage, others: Sequence[tuple[Reading, LaidPage]]) -> None:
    dpi = number(page.size.dpi) if page.size.dpi else ""
    attributes = {
        "imageFilename": page.image_name,
        "imageWidth": str(page.size.width_px),
        "imageHeight": str(page.size.height_px),
        "imageXResolution": dpi,
        "imageYResolution": dpi,
        "imageResolutionUnit": "PPI" if dpi else "",
        "type": "blank" if page.page.state is PageState.BLANK else "",
    }
    made = child(top, "Page", attributes)
    _reading_order(made, page.regions)
    for order, region in enumerate(page.regions, 1):
        same = tuple(
            (found, _by(reading))
            for reading, laid in others
            if (found := _same_region(region, laid.regions)) is not None
        )
        _region(made, region, order, same)


def _reading_order(made: Element, regions: Sequence[LaidRegion]) -> None:
    if not regions:
        return
    group = child(child(made, "ReadingOrder"), "OrderedGroup", {"id": "ro"})
    for index, region in enumerate(regions):
        name = f"r{index + 1}"
        place = {"index": str(index), "regionRef": name}
        if not region.cells:
            child(group, "RegionRefIndexed", place)
            continue
        cells = child(group, "OrderedGroupIndexed", {"id": f"ro_{name}", **place})
        for order in range(len(region.cells)):
            attributes = {"index": str(order), "regionRef": f"{name}_c{order + 1}"}
            child(cells, "RegionRefIndexed", attributes)


def _region(
    made: Element, region: LaidRegion, order: int, same: tuple[tuple[LaidRegion, str], ...]
) -> None:
    name = f"r{order}"
    custom = f"readingOrder {{index:{order - 1};}} structure {{type:{region.kind};}}"
    attributes = {"id": name, "custom": custom + _custom(region.origin)}
    if region.cells:
        table = child(made, "TableRegion", attributes)
        _coords(table, region.box)
        for number_, cell in enumerate(region.cells, 1):
            _cell(table, cell, f"{name}_c{number_}")
    elif region.kind is Kind.FIGURE and not region.lines:
        _coords(child(made, "ImageRegion", attributes), region.box)
    else:
        text = child(made, "TextRegion", {**attributes, "type": _TYPES[region.kind]})
        _coords(text, region.box)
        _text(text, region.lines, name, same)
        said = tuple((other.text, by) for other, by in same)
        _equivs(text, region.text, region.score, said)


def _cell(table: Element, cell: LaidCell, name: str) -> None:
    made = child(table, "TextRegion", {"id": name, "type": "other"})
    _coords(made, cell.box)
    place = {
        "rowIndex": str(cell.row),
        "columnIndex": str(cell.column),
        "rowSpan": str(cell.row_span),
        "colSpan": str(cell.column_span),
        "header": "true" if cell.is_heading else "false",
    }
    child(child(made, "Roles"), "TableCellRole", place)
    _text(made, cell.lines, name, ())
    _equivs(made, "\n".join(line.text for line in cell.lines), None, ())


def _text(
    region: Element,
    lines: Sequence[LaidLine],
    name: str,
    same: tuple[tuple[LaidRegion, str], ...],
) -> None:
    """The lines; where another reading has as many, its line stands beside each."""
    alike = [(other.lines, by) for other, by in same if len(other.lines) == len(lines)]
    for order, line in enumerate(lines):
        attributes = {
            "id": f"{name}_l{order + 1}",
            "readingDirection": "right-to-left" if line.direction == "rtl" else "",
            "custom": f"readingOrder {{index:{order};}}" + _custom(line.origin),
            "index": str(order),
        }
        made = child(region, "TextLine", attributes)
        _coords(made, line.box)
        for number_, word in enumerate(line.words, 1):
            _word(made, word, f"{name}_l{order + 1}_w{number_}")
        _equivs(made, line.text, _least(line), tuple((each[order].text, by) for each, by in alike))


def _word(line: Element, word: LaidWord, name: str) -> None:
    made = child(line, "Word", {"id": name, "custom": _custom(word.origin).strip()})
    _coords(made, word.box)
    _equivs(made, word.text, word.score, ())
    if word.styles:
        child(made, "TextStyle", {_STYLES[style]: "true" for style in sorted(word.styles)})


def _equivs(parent: Element, text: str, score: float | None, others: Said) -> None:
    conf = "" if score is None else number(min(1.0, max(0.0, score)))
    equiv = child(parent, "TextEquiv", {"index": "0", "conf": conf})
    child(equiv, "Unicode", text=text)
    for index, (other, by) in enumerate(others, 1):
        equiv = child(parent, "TextEquiv", {"index": str(index), "comments": by})
        child(equiv, "Unicode", text=other)


def _coords(parent: Element, box: Box) -> None:
    left, top, right, bottom = (round(edge) for edge in box)
    points = f"{left},{top} {right},{top} {right},{bottom} {left},{bottom}"
    child(parent, "Coords", {"points": points})


def _custom(origin: str) -> str:
    return "" if origin == "exact" else " position {estimated:true;}"


def _least(line: LaidLine) -> float | None:
    return min((word.score for word in line.words if word.score is not None), default=None)


def _by(reading: Reading) -> str:
    step = step_of(reading)
    return "; ".join(part for part in (step.who, step.settings, timestamp(step.date)) if part)


def _same_region(region: LaidRegion, others: Sequence[LaidRegion]) -> LaidRegion | None:
    """The region of another reading that covers the same part of the page, if one does."""
    shares = [(_common(region.box, other.box), other) for other in others if other.lines]
    best = max(shares, key=lambda each: each[0], default=None)
    return best[1] if best is not None and best[0] > _SAME else None


def _common(one: Box, other: Box) -> float:
    """Intersection over union."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    return common / (one.width * one.height + other.width * other.height - common)
