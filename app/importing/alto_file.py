"""ALTO of versions 2 to 4 as regions: reading order, lines, words, scores, styles.

Source: ALTO 4.4, Library of Congress. Measures are those of the file; what its page's width and
height say makes them pixels later, so inches and millimetres need no other care.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

_MARGINS = {"TopMargin": Kind.RUNNING_HEAD, "BottomMargin": Kind.FOOTER}
_BLOCKS = frozenset({"TextBlock", "ComposedBlock", "Illustration", "GraphicalElement"})


def pages_of(root: Element) -> Iterator[FoundPage]:
    """The pages of an ALTO file."""
    images = tuple(each.text or "" for each in root.iter("fileName"))
    tags = {
        each.get("ID", ""): each.get("LABEL", "") for group in root.iter("Tags") for each in group
    }
    styles = {each.get("ID", ""): each.get("FONTSTYLE", "") for each in root.iter("TextStyle")}
    for page in root.iter("Page"):
        width, height = number_of(page.get("WIDTH")), number_of(page.get("HEIGHT"))
        number = number_of(page.get("PHYSICAL_IMG_NR"))
        blocks = [_block(each, kind, tags, styles) for each, kind in _in_order(root, page)]
        yield FoundPage(
            images,
            None if number is None else int(number) - 1,
            (width, height) if width and height else None,
            (tuple(blocks),),
        )


def _in_order(root: Element, page: Element) -> list[tuple[Element, Kind]]:
    """The outermost blocks of a page, as the reading order says, else as they stand."""
    blocks = [
        (each, _MARGINS.get(space.tag, Kind.TEXT))
        for space in page
        for each in space
        if each.tag in _BLOCKS
    ]
    order = [
        each.get("REF", "")
        for group in root.iter("ReadingOrder")
        for each in group.iter("ElementRef")
    ]
    places = {name: place for place, name in enumerate(order)}
    return sorted(blocks, key=lambda each: places.get(each[0].get("ID", ""), len(places)))


def _block(
    block: Element, kind: Kind, tags: Mapping[str, str], styles: Mapping[str, str]
) -> Region:
    labels = [tags.get(name, "") for name in block.get("TAGREFS", "").split()]
    said = next((found for label in labels if (found := kind_of(label.lower()))), None)
    if said is None and block.tag in {"Illustration", "GraphicalElement"}:
        said = Kind.FIGURE
    elif said is None and block.tag == "ComposedBlock":
        said = kind_of(block.get("TYPE", "").lower())
    estimated = {name for name, label in tags.items() if label == "estimated"}
    lines = [_line(each, styles, estimated) for each in block.iter("TextLine")]
    return region_of(said or kind, lines, _box(block))


def _line(line: Element, styles: Mapping[str, str], estimated: set[str]) -> FoundLine:
    words: list[FoundWord] = []
    for each in line:
        if each.tag == "String":
            words.append(_word(each, styles, estimated))
        elif each.tag == "HYP" and words:
            mark = each.get("CONTENT", "-")
            last = words[-1]
            is_there = last.text.endswith((mark, "-"))
            words[-1] = last if is_there else last._replace(text=f"{last.text}{mark}")
    text = " ".join(word.text for word in words)
    return FoundLine(text, _box(line), tuple(words), _is_estimated(line, estimated))


def _word(word: Element, styles: Mapping[str, str], estimated: set[str]) -> FoundWord:
    named = [word.get("STYLE", ""), *(styles.get(each, "") for each in _refs(word, "STYLEREFS"))]
    return FoundWord(
        word.get("CONTENT", ""),
        _box(word),
        score_of(word.get("WC")),
        tuple(style_of(name) for each in named for name in each.split()),
        _is_estimated(word, estimated),
    )


def _is_estimated(element: Element, estimated: set[str]) -> bool:
    return not estimated.isdisjoint(_refs(element, "TAGREFS"))


def _refs(element: Element, name: str) -> list[str]:
    return element.get(name, "").split()


def _box(element: Element) -> Box | None:
    names = ("HPOS", "VPOS", "WIDTH", "HEIGHT")
    left, top, width, height = (number_of(element.get(name)) for name in names)
    if left is None or top is None or width is None or height is None:
        return None
    return box_of(left, top, left + width, top + height)
