"""hOCR as regions: areas or paragraphs, lines, words, scores, bold and italic.

Source: hOCR 1.2. `x_kind` is our own word for what a region is.
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
from model.api import Box, Kind

_PROPERTY = re.compile(r"""([a-z_]\w*)((?:\s+(?:"[^"]*"|'[^']*'|[^\s;"']+))*)""")
_LINES = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat", "ocrx_line"})
_AREAS = {
    "ocr_carea": Kind.TEXT,
    "ocr_photo": Kind.FIGURE,
    "ocr_image": Kind.FIGURE,
    "ocr_table": Kind.TABLE,
    "ocr_display": Kind.EQUATION,
    "ocr_chapter": Kind.HEADING,
    "ocr_title": Kind.TITLE,
    "ocr_par": Kind.TEXT,
}
_INNER = {"ocr_header": Kind.HEADING, "ocr_caption": Kind.CAPTION}

Properties = dict[str, str]


def pages_of(root: Element) -> Iterator[FoundPage]:
    """The pages of an hOCR file, which may hold a whole book."""
    for page in _classed(root, {"ocr_page"}):
        given = _properties(page)
        box = _box(given)
        number = number_of(given.get("ppageno"))
        areas = list(_outermost(page, frozenset(_AREAS) | _LINES))
        yield FoundPage(
            (given.get("image", "").strip("\"'"),),
            None if number is None else int(number),
            (box.right, box.bottom) if box else None,
            (tuple(_region(each) for each in areas),),
        )


def is_hocr(root: Element) -> bool:
    """Whether the file has any page."""
    return any(True for _page in _classed(root, {"ocr_page"}))


def _region(area: Element) -> Region:
    given = _properties(area)
    named = _class(area, frozenset(_AREAS) | _LINES)
    lines = [area] if named in _LINES else list(_outermost(area, _LINES))
    inner = {_class(line, _LINES) for line in lines}
    said = _INNER.get(inner.pop()) if len(inner) == 1 else None
    kind = kind_of(given.get("x_kind")) or said or _AREAS.get(named, Kind.TEXT)
    return region_of(kind, [_line(each) for each in lines], _box(given))


def _line(line: Element) -> FoundLine:
    given = _properties(line)
    words = tuple(_word(each) for each in _classed(line, {"ocrx_word", "ocr_word"}))
    text = " ".join(word.text for word in words) or "".join(line.itertext())
    return FoundLine(text, _box(given), words, "x_estimated" in given)


def _word(word: Element) -> FoundWord:
    given = _properties(word)
    score = given.get("x_wconf") or (given.get("x_confs") or "").split(" ")[0]
    styles = tuple(style_of(each.tag) for each in word.iter() if each is not word)
    text = "".join(word.itertext())
    return FoundWord(
        text, _box(given), score_of(score, whole=100.0), styles, "x_estimated" in given
    )


def _outermost(element: Element, names: frozenset[str]) -> Iterator[Element]:
    """Elements of these classes that lie in no other of them."""
    for each in element:
        if _class(each, names):
            yield each
        else:
            yield from _outermost(each, names)


def _classed(element: Element, names: set[str]) -> Iterator[Element]:
    return (each for each in element.iter() if _class(each, frozenset(names)))


def _class(element: Element, names: frozenset[str]) -> str:
    given = element.get("class", "").split()
    return next((name for name in given if name in names), "")


def _properties(element: Element) -> Properties:
    found = _PROPERTY.finditer(element.get("title", ""))
    return {match[1]: match[2].strip() for match in found}


def _box(given: Properties) -> Box | None:
    sides = [number_of(side) for side in given.get("bbox", "").split()]
    if len(sides) != 4:
        return None
    left, top, right, bottom = (side if side is not None else float("nan") for side in sides)
    return box_of(left, top, right, bottom)
