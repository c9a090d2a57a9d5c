"""PAGE XML of any year as regions: reading order, lines, words, scores, every TextEquiv.

Source: PAGE content schema 2019-07-15, PRImA; older ones differ in what is not read here. `custom`
is read as our own export and several programs write it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from app.book import Region
from app.importing.found import (
    FoundLine,
    FoundPage,
    FoundWord,
    box_of,
    kind_of,
    number_of,
    region_of,
    score_of,
    style_of,
)
from model.api import Box, Cell, Kind

_TYPES = {
    "heading": Kind.HEADING,
    "caption": Kind.CAPTION,
    "footnote": Kind.NOTE,
    "footnote-continued": Kind.NOTE,
    "endnote": Kind.NOTE,
    "marginalia": Kind.NOTE,
    "header": Kind.RUNNING_HEAD,
    "page-number": Kind.PAGE_NUMBER,
    "footer": Kind.FOOTER,
    "signature-mark": Kind.FOOTER,
    "catch-word": Kind.FOOTER,
}
_REGIONS = {
    "TableRegion": Kind.TABLE,
    "ImageRegion": Kind.FIGURE,
    "LineDrawingRegion": Kind.FIGURE,
    "GraphicRegion": Kind.FIGURE,
    "ChartRegion": Kind.FIGURE,
    "MapRegion": Kind.FIGURE,
    "MathsRegion": Kind.EQUATION,
    "AdvertRegion": Kind.OTHER,
    "MusicRegion": Kind.FIGURE,
    "ChemRegion": Kind.FIGURE,
    "TextRegion": Kind.TEXT,
}
_STRUCTURE = re.compile(r"structure\s*\{[^}]*type:\s*([\w-]+)")
_MOST_READINGS = 16


def pages_of(root: Element) -> Iterator[FoundPage]:
    """The page of a PAGE file."""
    note = root.findtext("Metadata/Comments", "").strip()
    for page in root.iter("Page"):
        width, height = number_of(page.get("imageWidth")), number_of(page.get("imageHeight"))
        regions = _in_order(page)
        texts = [tuple(_region(each, index) for each in regions) for index in _indexes(page)]
        yield FoundPage(
            (page.get("imageFilename", ""),),
            None,
            (width, height) if width and height else None,
            tuple(texts),
            note,
        )


def _in_order(page: Element) -> list[Element]:
    """The regions of the page itself, as its reading order says, else as they stand."""
    regions = {each.get("id", ""): each for each in page if each.tag in _REGIONS}
    order = [
        each.get("regionRef", "")
        for group in page.iter("ReadingOrder")
        for each in group.iter()
        if each.get("regionRef") in regions
    ]
    return [regions[name] for name in dict.fromkeys((*order, *regions))]


def _indexes(page: Element) -> list[int]:
    """Which texts the file has of its lines; a program without indexes has one."""
    found = {_index(each, place) for parent in page.iter("TextLine")
             for place, each in enumerate(parent.findall("TextEquiv"))}  # fmt: skip
    return sorted(found)[:_MOST_READINGS] or [0]


def _region(region: Element, index: int) -> Region:
    kind = _kind(region)
    box = _box(region)
    if region.tag == "TableRegion":
        return _table(region, box, index)
    lines = [_line(each, index) for each in region.findall("TextLine")]
    if not lines:  # a program may give no lines at all
        said = _text(region, index) or _text(region, None)
        lines = [FoundLine(line, None) for line in said.splitlines()]
    made = region_of(kind, lines, box)
    inner = [_region(each, index) for each in region if each.tag in _REGIONS]
    if not inner or made.text:
        return made
    lines = [FoundLine(line, None) for each in inner for line in each.text.splitlines()]
    return region_of(kind, lines, box)


def _kind(region: Element) -> Kind:
    own = _STRUCTURE.search(region.get("custom", ""))
    said = kind_of(own[1]) if own else None
    return said or _TYPES.get(region.get("type", ""), _REGIONS[region.tag])


def _table(region: Element, box: Box | None, index: int) -> Region:
    rows: dict[int, list[tuple[int, Cell]]] = {}
    for each in region.findall("TextRegion"):
        role = next(each.iter("TableCellRole"), None)
        place = {} if role is None else role.attrib
        text = region_of(
            Kind.TABLE, [_line(line, index) for line in each.findall("TextLine")], None
        )
        cell = Cell(
            text.text or _text(each, index),
            _whole(place.get("rowSpan"), 1),
            _whole(place.get("colSpan"), 1),
            place.get("header") == "true",
        )
        row = rows.setdefault(_whole(place.get("rowIndex"), 0), [])
        row.append((_whole(place.get("columnIndex"), len(row)), cell))
    cells = tuple(
        tuple(cell for _column, cell in sorted(rows[row], key=lambda each: each[0]))
        for row in sorted(rows)
    )
    lines = ("\t".join(" ".join(cell.text.split()) for cell in row) for row in cells)
    return Region(Kind.TABLE, "\n".join(lines), box, rows=cells)


def _whole(text: str | None, otherwise: int) -> int:
    value = number_of(text)
    return otherwise if value is None or not 0 <= value < 10_000 else int(value)


def _line(line: Element, index: int) -> FoundLine:
    said = _text(line, index)
    words = tuple(_word(each) for each in line.findall("Word"))
    if not said:
        said = _text(line, None) or " ".join(word.text for word in words)
    return FoundLine(said, _box(line), words, _is_estimated(line))


def _word(word: Element) -> FoundWord:
    equiv = next(iter(sorted(word.findall("TextEquiv"), key=_index)), None)
    style = word.find("TextStyle")
    named = () if style is None else (name for name, on in style.attrib.items() if on == "true")
    return FoundWord(
        _text(word, None),
        _box(word),
        None if equiv is None else score_of(equiv.get("conf")),
        tuple(map(style_of, named)),
        _is_estimated(word),
    )


def _text(element: Element, index: int | None) -> str:
    """The text with that index; None takes the first."""
    equivs = element.findall("TextEquiv")
    ordered = sorted(
        ((_index(each, place), each) for place, each in enumerate(equivs)), key=lambda one: one[0]
    )
    for own, equiv in ordered:
        if index is None or own == index:
            unicode = equiv.find("Unicode")
            return "" if unicode is None else unicode.text or ""
    return ""


def _index(equiv: Element, place: int = 0) -> int:
    value = number_of(equiv.get("index"))
    return place if value is None else int(value)


def _is_estimated(element: Element) -> bool:
    return "estimated:true" in element.get("custom", "")


def _box(element: Element) -> Box | None:
    """What is around the points, in this year's form or that of 2010."""
    coords = element.find("Coords")
    if coords is None:
        return None
    points = [point.split(",") for point in coords.get("points", "").split()]
    points += [[each.get("x", ""), each.get("y", "")] for each in coords.findall("Point")]
    pairs = [tuple(map(number_of, point)) for point in points if len(point) == 2]
    across = [x for x, _y in pairs if x is not None]
    down = [y for _x, y in pairs if y is not None]
    return box_of(min(across), min(down), max(across), max(down)) if across and down else None
