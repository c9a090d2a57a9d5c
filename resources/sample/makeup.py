"""Slugs to pages: as many lines as a page holds together with the notes that are called in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from resources.sample.galley import note_slugs
from resources.sample.markup import Note, words_of
from resources.sample.paper import (
    BODY,
    COLUMN_PT,
    FOLIO_PT,
    FOOT_PT,
    GUTTER_PT,
    HEAD,
    HEAD_PT,
    INITIAL_LINES,
    INITIAL_PT,
    MEASURE_PT,
    NOTE,
    NOTES_AIR_PT,
    SINK_PT,
    TOP_PT,
    Block,
    Kind,
    Placed,
    PrintedPage,
    Rule,
    Slug,
    left_pt,
)
from resources.sample.setting import MARKS, Align, SetLine, Type, run_of, set_line

BOOK_TITLE = "How to Read a Book"
Marks = dict[Note, str]
Stack = list[tuple[Slug, tuple[Placed, ...]]]


def text_pages(slugs: Sequence[Slug], *, first: int) -> Iterator[PrintedPage]:
    """Cut a galley into pages numbered from `first`; the last of them may be short."""
    place, number, section = 0, first, ""
    while place < len(slugs):
        count = _count_for_page(slugs[place:])
        on_page, place = slugs[place : place + count], place + count
        section = next(
            (heading.text for heading in reversed(on_page) if heading.is_heading), section
        )
        yield _page(on_page, number, section, fills=place < len(slugs))
        number += 1


def column_page(heading: Slug, entries: Sequence[Slug], *, number: int) -> PrintedPage:
    """A page in two columns under one heading, the columns as equal as they can be."""
    is_recto = number % 2 == 1
    left = left_pt(is_recto=is_recto)
    cut = min(_cuts(entries), key=lambda n: abs(_height_pt(entries[:n]) - _height_pt(entries[n:])))
    top = TOP_PT + 2.2 * BODY.leading_pt
    blocks = (
        *_head(number, heading.text),
        *_blocks(_stack([heading], left, TOP_PT, {})),
        *_blocks(_stack(entries[:cut], left, top, {})),
        *_blocks(_stack(entries[cut:], left + COLUMN_PT + GUTTER_PT, top, {})),
    )
    return PrintedPage(str(number), is_recto, blocks)


def centred_line(text: str, of: Type, y_pt: float, *, left: float, capitals: bool) -> Placed:
    """One line in the middle of the measure, in capitals or in italics."""
    words = words_of(text, "capitals" if capitals else "italic")
    line = set_line(words, of, measure_pt=MEASURE_PT, align="centre", marks={})
    return Placed(line, left, y_pt)


def _page(slugs: Sequence[Slug], number: int, section: str, *, fills: bool) -> PrintedPage:
    """Set one page: head, text from the top, notes down to the foot."""
    is_recto = number % 2 == 1
    left = left_pt(is_recto=is_recto)
    opens = slugs[0].kind == "title"
    top = SINK_PT if opens else TOP_PT
    notes = _notes(slugs)
    marks = dict(zip((note for slug in slugs for note in slug.notes), MARKS, strict=False))
    text = _stack(
        _spread(slugs, FOOT_PT - top - _notes_pt(notes)) if fills else slugs, left, top, marks
    )
    foot = _stack(notes, left, FOOT_PT - _height_pt(notes), marks)
    blocks = (*_blocks(text), *_blocks(foot))
    blocks = (*blocks, *_folio(number)) if opens else (*_head(number, section), *blocks)
    return PrintedPage(str(number), is_recto, blocks, (*_table_rules(text), *_note_rule(foot)))


def _count_for_page(slugs: Sequence[Slug]) -> int:
    """How many slugs go on one page, breaking nowhere that a reader would mind."""
    room = FOOT_PT - (SINK_PT if slugs[0].kind == "title" else TOP_PT)
    count = 1
    while count < len(slugs) and _fits(slugs[: count + 1], room):
        count += 1
    while count < len(slugs) and _is_bad_break(slugs, count):
        count -= 1
    return count


def _fits(slugs: Sequence[Slug], room_pt: float) -> bool:
    return _height_pt(slugs) + _notes_pt(_notes(slugs)) <= room_pt + 0.01


def _is_bad_break(slugs: Sequence[Slug], count: int) -> bool:
    """A heading at the foot, or a paragraph's first or last line alone."""
    before, after = slugs[count - 1], slugs[count]
    if before.keeps_next:
        return True
    if before.block != after.block:
        return False
    first_alone = count == 1 or slugs[count - 2].block != before.block
    last_alone = count + 1 == len(slugs) or slugs[count + 1].block != after.block
    return first_alone or last_alone


def _spread(slugs: Sequence[Slug], room_pt: float) -> list[Slug]:
    """Share what is left of a full page among the gaps that it has anyway."""
    gaps = sum(slug.before_pt > 0 for slug in slugs[1:])
    spare = room_pt - _height_pt(slugs)
    if not gaps or spare > 3 * BODY.leading_pt:
        return list(slugs)
    more = spare / gaps
    wider = [
        replace(slug, before_pt=slug.before_pt + more) if slug.before_pt > 0 else slug
        for slug in slugs[1:]
    ]
    return [slugs[0], *wider]


def _notes(slugs: Sequence[Slug]) -> list[Slug]:
    return [line for slug in slugs for note in slug.notes for line in note_slugs(note)]


def _notes_pt(notes: Sequence[Slug]) -> float:
    """Room that notes take from the text above them."""
    return _height_pt(notes) + NOTE.leading_pt + NOTES_AIR_PT if notes else 0.0


def _height_pt(slugs: Sequence[Slug]) -> float:
    """From the first baseline to the last."""
    return sum(_step_pt(above, slug) for above, slug in pairwise(slugs))


def _step_pt(above: Slug, slug: Slug) -> float:
    return above.after_pt + slug.before_pt + slug.of.leading_pt


def _stack(slugs: Sequence[Slug], left_pt: float, y_pt: float, marks: Marks) -> Stack:
    """Set slugs one below the other, the first baseline at `y_pt`."""
    stack: Stack = []
    for slug in slugs:
        y_pt += _step_pt(stack[-1][0], slug) if stack else 0.0
        stack.append((slug, tuple(_set(slug, left_pt, y_pt, marks))))
    return stack


def _set(slug: Slug, left_pt: float, y_pt: float, marks: Marks) -> Iterator[Placed]:
    for part in slug.parts:
        line = set_line(
            part.words, slug.of, measure_pt=part.measure_pt, align=part.align, marks=marks
        )
        if slug.initial:
            yield Placed(_with_initial(line, slug.initial, part.x_pt), left_pt, y_pt)
        else:
            yield Placed(line, left_pt + part.x_pt, y_pt)


def _with_initial(line: SetLine, initial: str, inset_pt: float) -> SetLine:
    """Put a large first letter before a line, standing on a lower baseline."""
    letter = run_of(initial, "roman", Type(INITIAL_PT, BODY.leading_pt))
    letter = letter._replace(y_pt=(INITIAL_LINES - 1) * BODY.leading_pt)
    runs = (letter, *(run._replace(x_pt=run.x_pt + inset_pt) for run in line.runs))
    styles = tuple(
        style._replace(start=style.start + 1, end=style.end + 1) for style in line.styles
    )
    return SetLine(initial + line.text, runs, styles)


def _blocks(stack: Stack) -> Iterator[Block]:
    for _, lines in groupby(stack, key=lambda entry: entry[0].block):
        entries = list(lines)
        yield Block(entries[0][0].kind, tuple(placed for _, placed in entries))


def _cuts(entries: Sequence[Slug]) -> list[int]:
    """Where a column may end: between two entries."""
    return [n for n in range(1, len(entries)) if entries[n - 1].block != entries[n].block]


def _head(number: int, section: str) -> list[Block]:
    """Running head in the middle, page number on the outer side; in the order of reading."""
    is_recto = number % 2 == 1
    words = section if is_recto else BOOK_TITLE
    title = _line(words, "running_head", HEAD_PT, "centre", is_recto=is_recto)
    side: Align = "right" if is_recto else "left"
    folio = _line(str(number), "page_number", HEAD_PT, side, is_recto=is_recto)
    return [title, folio] if is_recto else [folio, title]


def _folio(number: int) -> list[Block]:
    """The page number at the foot of a page that opens a chapter."""
    return [_line(str(number), "page_number", FOLIO_PT, "centre", is_recto=number % 2 == 1)]


def _line(text: str, kind: Kind, y_pt: float, align: Align, *, is_recto: bool) -> Block:
    words = words_of(text, "small_caps" if kind == "running_head" else "roman")
    line = set_line(words, HEAD, measure_pt=MEASURE_PT, align=align, marks={})
    return Block(kind, ((Placed(line, left_pt(is_recto=is_recto), y_pt),),))


def _table_rules(stack: Stack) -> Iterator[Rule]:
    for slug, placed in stack:
        x_pt, y_pt = placed[0].x_pt, placed[0].y_pt
        if slug.rule_above_pt:
            yield Rule(x_pt, y_pt - 0.85 * slug.of.leading_pt, MEASURE_PT, slug.rule_above_pt)
        if slug.rule_below_pt:
            yield Rule(x_pt, y_pt + 0.4 * slug.of.leading_pt, MEASURE_PT, slug.rule_below_pt)


def _note_rule(notes: Stack) -> Iterator[Rule]:
    for _, placed in notes[:1]:
        yield Rule(placed[0].x_pt - 9.0, placed[0].y_pt - NOTE.leading_pt - 1.0, 60.0, 0.45)
