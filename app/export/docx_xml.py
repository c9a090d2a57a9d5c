"""The few elements of WordprocessingML that a transcript is made of.

Source:
    ECMA-376 part 1, 17.3; the order of properties is the schema's, which Word insists on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol, cast

from docx.oxml.ns import nsdecls
from docx.oxml.parser import (
    OxmlElement,  # pyright: ignore[reportUnknownVariableType] - lxml has no types
    parse_xml,
)

from app.export.blocks import PLAIN, Styles

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
# Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms; old scripts of the same kind.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
# Manners that are properties of a run, in the schema's order.
_PROPERTIES: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("bold", (("b", ""), ("bCs", ""))),
    ("italic", (("i", ""), ("iCs", ""))),
    ("small_caps", (("smallCaps", ""),)),
    ("letter_spaced", (("spacing", "40"),)),
    ("superscript", (("vertAlign", "superscript"),)),
    ("subscript", (("vertAlign", "subscript"),)),
)


class _Element(Protocol):
    text: str | None

    def append(self, element: Element, /) -> None: ...
    def extend(self, elements: Iterable[Element], /) -> None: ...
    def addprevious(self, element: Element, /) -> None: ...
    def remove(self, element: Element, /) -> None: ...
    def replace(self, old: Element, new: Element, /) -> None: ...
    def set(self, key: str, value: str, /) -> None: ...
    def get(self, key: str, /) -> str | None: ...
    def find(self, path: str, /) -> Element: ...
    def findall(self, path: str, /) -> list[Element]: ...
    def __iter__(self) -> Iterator[Element]: ...
    def __getitem__(self, index: int, /) -> Element: ...


Element = _Element
"""What of an lxml element is used here; lxml says nothing of its types."""


def new(tag: str, /, **attributes: str) -> Element:
    """An element of the main namespace."""
    found = cast("Element", OxmlElement(f"w:{tag}"))
    for key, value in attributes.items():
        found.set(f"{W}{key}", value)
    return found


def add(parent: Element, tag: str, /, **attributes: str) -> Element:
    """Add an element of the main namespace as the last child."""
    found = new(tag, **attributes)
    parent.append(found)
    return found


def parsed(tag: str, inner: str, /, **attributes: str) -> Element:
    """An element with its content given as XML of ours."""
    said = "".join(f' w:{key}="{value}"' for key, value in attributes.items())
    xml = f"<w:{tag} {nsdecls('w')}{said}>{inner}</w:{tag}>"
    return cast("Element", parse_xml(xml))


def paragraph(style: str, *, is_rtl: bool = False, breaks_page: bool = False) -> Element:
    """An empty paragraph in a style."""
    found = new("p")
    properties = add(found, "pPr")
    add(properties, "pStyle", val=style)
    if breaks_page:
        add(properties, "pageBreakBefore")
    if is_rtl:
        add(properties, "bidi")
    return found


def run(parent: Element, text: str, *, styles: Styles = PLAIN, manner: str = "") -> Element:
    """Add text to a paragraph.

    Args:
        parent: the paragraph.
        text: may hold line ends; free of characters that XML forbids.
        styles: names of `model.api.Style`.
        manner: id of a character style.
    """
    found = add(parent, "r")
    is_rtl = not text.isascii() and bool(_RIGHT_TO_LEFT.search(text))
    if styles or manner or is_rtl:
        _set_properties(add(found, "rPr"), styles, manner, is_rtl=is_rtl)
    for index, line in enumerate(text.split("\n")):
        if index:
            add(found, "br")
        if line:
            text_element = add(found, "t")
            text_element.text = line
            text_element.set(_SPACE, "preserve")
    return found


def _set_properties(properties: Element, styles: Styles, manner: str, *, is_rtl: bool) -> None:
    if manner:
        add(properties, "rStyle", val=manner)
    for name, elements in _PROPERTIES:
        if name in styles:
            for element, value in elements:
                add(properties, element, **({"val": value} if value else {}))
    if is_rtl:
        add(properties, "rtl")
