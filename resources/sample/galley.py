"""Elements to slugs: the text as one long galley, not yet cut into pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from resources.sample.markup import Atom, Element, Note, Words, words_of
from resources.sample.paper import (
    BODY,
    CHAPTER,
    COLUMN,
    COLUMN_PT,
    INDENT_PT,
    INITIAL_LINES,
    INITIAL_PT,
    MEASURE_PT,
    NOTE,
    SECTION,
    TABLE,
    Kind,
    Part,
    Slug,
)
from resources.sample.setting import Type, lines_of, run_of

CELLS_PT = ((0.0, 80.0), (84.0, 128.0), (216.0, MEASURE_PT - 216.0))
"""Left ends and widths of the columns of a table."""

_numbers = count()


def heading_slug(element: Element) -> Slug:
    """The title of a chapter, or the heading of a section in small capitals."""
    if element.name == "chapter":
        title = _centred(words_of(element.heading), CHAPTER, kind="title", keeps_next=True)
        return replace(title, after_pt=16.0)
    words = words_of(element.heading, "small_caps")
    heading = _centred(words, SECTION, kind="heading", keeps_next=True)
    return replace(heading, before_pt=15.0, after_pt=4.0)


def text_slugs(element: Element, *, follows: str) -> list[Slug]:
    """A paragraph: indented after another, with a large initial after a chapter's title."""
    if follows == "chapter":
        return _with_initial(element.words)
    indent_pt = INDENT_PT if follows == "text" else 0.0
    slugs = _paragraph(element.words, BODY, (indent_pt, 0.0))
    return [replace(slugs[0], before_pt=10.0 if follows == "table" else 0.0), *slugs[1:]]


def entry_slugs(element: Element) -> list[Slug]:
    """One entry of the two-column page, its first line hanging out."""
    slugs = _paragraph(element.words, COLUMN, (0.0, 9.0), measure_pt=COLUMN_PT)
    return [replace(slugs[0], before_pt=2.5), *slugs[1:]]


def note_slugs(note: Note) -> list[Slug]:
    """A note at the foot of the page, beginning with its mark."""
    words = ((Atom("", note=note),), *note.words)
    return _paragraph(words, NOTE, (9.0, 0.0), kind="note")


def table_slugs(element: Element) -> list[Slug]:
    """A table with a rule above, below, and under its headings."""
    number, last = next(_numbers), len(element.rows) - 1
    return [
        Slug(
            "table",
            number,
            TABLE,
            tuple(
                Part(words_of(cell, "small_caps" if row == 0 else "roman"), x_pt, width_pt, "left")
                for cell, (x_pt, width_pt) in zip(cells, CELLS_PT, strict=True)
            ),
            before_pt=0.0 if row else 18.0,
            after_pt=0.0 if row else 3.5,
            keeps_next=row < last,
            rule_above_pt=0.0 if row else 0.9,
            rule_below_pt={0: 0.45, last: 0.9}.get(row, 0.0),
        )
        for row, cells in enumerate(element.rows)
    ]


def colophon_slugs(element: Element) -> list[Slug]:
    """The printer's last word, in italics."""
    number = next(_numbers)
    lines = [_centred(words_of(line, "italic"), BODY, keeps_next=True) for line in element.lines]
    lines = [replace(line, block=number) for line in lines]
    return [replace(lines[0], before_pt=30.0), *lines[1:-1], replace(lines[-1], keeps_next=False)]


def _centred(words: Words, of: Type, *, kind: Kind = "text", keeps_next: bool = False) -> Slug:
    part = Part(words, 0.0, MEASURE_PT, "centre")
    return Slug(kind, next(_numbers), of, (part,), keeps_next=keeps_next)


def _with_initial(words: Words) -> list[Slug]:
    (first, *atoms), *others = words
    initial = first.text[0]
    inset_pt = run_of(initial, "roman", Type(INITIAL_PT, BODY.leading_pt)).width_pt + 3.0
    rest = (first._replace(text=first.text[1:]), *atoms)
    slugs = _paragraph((rest, *others), BODY, (*(inset_pt,) * INITIAL_LINES, 0.0))
    return [replace(slugs[0], initial=initial), *slugs[1:]]


def _paragraph(
    words: Words,
    of: Type,
    indents_pt: Sequence[float],
    *,
    measure_pt: float = MEASURE_PT,
    kind: Kind = "text",
) -> list[Slug]:
    """A paragraph; `indents_pt` are those of its first lines, the last holds for all others."""
    number = next(_numbers)
    lines = lines_of(words, of, [measure_pt - indent for indent in indents_pt])
    indents = [indents_pt[min(n, len(indents_pt) - 1)] for n in range(len(lines))]
    parts = [
        Part(line, indent, measure_pt - indent, "justified")
        for line, indent in zip(lines, indents, strict=True)
    ]
    parts[-1] = replace(parts[-1], align="left")
    return [Slug(kind, number, of, (part,)) for part in parts]
