"""The whole book: the guide set in type, ten pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import resources
from resources.sample.galley import (
    colophon_slugs,
    entry_slugs,
    heading_slug,
    table_slugs,
    text_slugs,
)
from resources.sample.makeup import centred_line, column_page, text_pages
from resources.sample.markup import Element, read_guide
from resources.sample.paper import MEASURE_PT, Block, Kind, PrintedPage, Rule, Slug, left_pt
from resources.sample.setting import Type

TITLE_TYPES = {
    "display": Type(27.0, 38.0, tracking=0.03),
    "small": Type(10.5, 34.0, tracking=0.08),
    "name": Type(20.0, 36.0, tracking=0.10),
    "italic": Type(12.6, 17.0),
    "capitals": Type(10.5, 16.0, tracking=0.06),
}
"""Sizes of type on the title page, by the names of its lines in the guide."""


def typeset() -> list[PrintedPage]:
    """Set the guide: title, a blank leaf, then the text with its two-column page."""
    elements = read_guide(resources.path("sample/guide.txt").read_text("utf-8"))
    before, columns, after = _around_columns(elements)
    pages = [title_page(elements[0]), PrintedPage("", is_recto=False)]
    unnumbered = len(pages)
    pages += text_pages(before, first=1)
    pages.append(column_page(columns[0], columns[1:], number=len(pages) - unnumbered + 1))
    pages += text_pages(after, first=len(pages) - unnumbered + 1)
    return pages


def title_page(element: Element) -> PrintedPage:
    """The title, group below group, with a rule and the printer's device between."""
    left = left_pt(is_recto=True)
    middle = left + MEASURE_PT / 2
    blocks: list[Block] = []
    rules: list[Rule] = []
    device, y_pt = None, 62.0
    for name, rows in groupby(element.rows, key=lambda row: row[0]):
        y_pt += 22.0
        if name == "rule":
            rules.append(Rule(middle - 28, y_pt, 56.0, 0.6))
        elif name == "device":
            device = (middle, y_pt + 40.0)
            y_pt += 110.0
        else:
            blocks.append(_title_lines(name, [text for _, text in rows], y_pt, left))
            y_pt += TITLE_TYPES[name].leading_pt * len(blocks[-1].rows)
    return PrintedPage(
        "", is_recto=True, blocks=tuple(blocks), rules=tuple(rules), device_pt=device
    )


def _title_lines(name: str, texts: Sequence[str], above_pt: float, left: float) -> Block:
    """Lines of one size, the first baseline a leading below `above_pt`."""
    of, capitals = TITLE_TYPES[name], name != "italic"
    lines = [
        centred_line(text, of, above_pt + n * of.leading_pt, left=left, capitals=capitals)
        for n, text in enumerate(texts, 1)
    ]
    kind: Kind = "title" if name in ("display", "name") else "text"
    return Block(kind, tuple((line,) for line in lines))


def _around_columns(
    elements: Sequence[Element],
) -> tuple[list[Slug], list[Slug], list[Slug]]:
    """Galleys of the text before the two-column page, of that page, and of the text after it."""
    names = [element.name for element in elements]
    start = names.index("columns")
    end = start + 1 + next(n for n, name in enumerate(names[start + 1 :]) if name != "text")
    entries = [slug for element in elements[start + 1 : end] for slug in entry_slugs(element)]
    return (
        list(_galley(elements[:start])),
        [heading_slug(elements[start]), *entries],
        list(_galley(elements[end:])),
    )


def _galley(elements: Iterable[Element]) -> Iterator[Slug]:
    above = ""
    for element in elements:
        match element.name:
            case "chapter" | "section":
                yield heading_slug(element)
            case "text":
                yield from text_slugs(element, follows=above)
            case "table":
                yield from table_slugs(element)
            case "colophon":
                yield from colophon_slugs(element)
            case "title" | "blank" | "columns":
                pass  # pages of their own
        above = element.name
