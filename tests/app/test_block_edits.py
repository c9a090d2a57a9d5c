"""Blocks put in order, cut, joined; letters styled and marked; tables by cell; notes tied."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import blocks, footnotes, marks, table_edits
from app.book import Mark, Region
from app.footnotes import Stretch
from app.styles import is_styled, styled
from app.table_edits import Spot, grid, rows_of
from model.api import Box, Cell, Kind, Span, Style

pytestmark = pytest.mark.unit


def text(letters: str, **more) -> Region:
    return Region(Kind.TEXT, letters, **more)


def note(letters: str, **more) -> Region:
    return Region(Kind.NOTE, letters, **more)


# order


def test_a_block_goes_one_place_earlier_or_later_and_stays_at_the_ends():
    one, two, three = text("one"), text("two"), text("three")
    assert blocks.moved((one, two, three), 2, -1, {}) == ((one, three, two), 1)
    assert blocks.moved((one, two, three), 0, 1, {}) == ((two, one, three), 1)
    assert blocks.moved((one, two, three), 0, -1, {}) == ((one, two, three), 0)


def test_a_drop_capital_and_the_notes_behind_a_text_go_with_it():
    capital = Region(Kind.HEADING, "D", Box(0, 0, 90, 90))
    body = text("er Ausgang 1)", box=Box(100, 0, 900, 300))
    foot = note("1) Siehe S. 516.")
    other = text("Ein anderer Absatz")
    page = (other, capital, body, foot)
    notes = footnotes.notes_of(page)
    assert blocks.moved(page, 2, -1, notes) == ((capital, body, foot, other), 1)
    assert blocks.placed(page, 0, 2, notes).regions == (capital, body, foot, other)
    assert blocks.moved(page, 3, -1, notes).regions == (other, capital, foot, body)


def test_a_drop_capital_needs_to_stand_beside_its_text():
    capital = text("D", box=Box(0, 500, 90, 590))
    assert not blocks.is_drop_capital(capital, text("er", box=Box(100, 0, 900, 300)))
    assert blocks.is_drop_capital(text("D"), text("er Ausgang"))
    assert not blocks.is_drop_capital(text("d"), text("er Ausgang"))
    assert not blocks.is_drop_capital(Region(Kind.PAGE_NUMBER, "V"), text("er"))


@given(st.permutations(range(5)), st.integers(0, 4), st.integers(0, 4))
def test_putting_a_block_elsewhere_loses_none(order, index, target):
    page = tuple(text(str(number)) for number in order)
    placed = blocks.placed(page, index, target, {})
    assert sorted(placed.regions, key=lambda each: each.text) == sorted(
        page, key=lambda each: each.text
    )
    assert placed.regions[placed.at] == page[index]
    assert placed.at == target


# cut and joined


def test_a_block_is_cut_with_its_boxes_styles_and_marks():
    region = text(
        "one two\nthree four",
        box=Box(0, 0, 100, 40),
        lines=(Span(0, 7, Box(0, 0, 100, 20)), Span(8, 18, Box(0, 20, 100, 40))),
        words=(Span(0, 3, Box(0, 0, 9, 20), 0.9), Span(8, 13, Box(0, 20, 9, 40), 0.8)),
        styles=(Style(4, 13, "italic"),),
        marks=(Mark(3, 3, "gap"), Mark(8, 13, "unclear", "tree")),
    )
    parts = blocks.split(region, 8)
    assert parts is not None
    head, tail = parts
    assert (head.text, tail.text) == ("one two", "three four")
    assert (head.box, tail.box) == (Box(0, 0, 100, 20), Box(0, 20, 100, 40))
    assert head.styles == (Style(4, 7, "italic"),)
    assert tail.styles == (Style(0, 5, "italic"),)
    assert head.marks == (Mark(3, 3, "gap"),)
    assert tail.marks == (Mark(0, 5, "unclear", "tree"),)
    assert tail.words == (Span(0, 5, Box(0, 20, 9, 40), 0.8),)


def test_a_cut_that_leaves_nothing_on_one_side_is_refused():
    assert blocks.split(text("one"), 0) is None
    assert blocks.split(text("one  "), 3) is None


def test_joining_what_was_cut_gives_the_text_back():
    region = text("one two\nthree", styles=(Style(0, 3, "bold"), Style(8, 13, "italic")))
    halves = blocks.split(region, 8)
    assert halves is not None
    head, tail = halves
    again = blocks.merged(head, tail)
    assert (again.text, again.styles) == (region.text, region.styles)


@given(st.text(alphabet="ab \nſ\u0301", max_size=20), st.integers(0, 20))
def test_a_cut_loses_only_white_space_and_no_mark(letters, at):
    offset = min(at, len(letters))
    region = text(letters, marks=(Mark(offset, offset, "gap"), Mark(0, len(letters), "note")))
    parts = blocks.split(region, offset)
    if parts is None:
        assert not letters[:offset].strip() or not letters[offset:].strip()
        return
    head, tail = parts
    assert "".join((head.text + tail.text).split()) == "".join(letters.split())
    assert len(head.marks) + len(tail.marks) >= 2
    for part in parts:
        assert all(0 <= mark.start <= mark.end <= len(part.text) for mark in part.marks)


def test_a_drop_capital_is_joined_to_its_word():
    capital = Region(Kind.OTHER, "D", Box(0, 0, 90, 90))
    joined = blocks.merged(capital, text("er Ausgang", box=Box(100, 0, 900, 300)))
    assert (joined.text, joined.kind) == ("Der Ausgang", Kind.TEXT)
    assert joined.box == Box(0, 0, 900, 300)


def test_tables_are_cut_between_rows_and_joined_again():
    rows = ((Cell("a"), Cell("b")), (Cell("c"), Cell("")), (Cell("e"), Cell("f")))
    table = Region(Kind.TABLE, table_edits.text_of(rows), rows=rows)
    halves = blocks.split(table, table.text.index("e") + 1)
    assert halves is not None
    head, tail = halves
    assert (head.rows, tail.rows) == (rows[:2], rows[2:])
    assert blocks.merged(head, tail).rows == rows


def test_another_kind_has_cells_only_as_a_table():
    region = blocks.of_kind(text("a\tb\nc\td"), Kind.TABLE)
    assert region.rows == ((Cell("a"), Cell("b")), (Cell("c"), Cell("d")))
    assert blocks.of_kind(region, Kind.TEXT).rows == ()


# styles


def test_a_style_is_given_and_taken_and_joins_its_neighbours():
    region = styled(text("one two three"), 0, 4, "italic", is_on=True)
    assert region.styles == (Style(0, 3, "italic"),)  # no blank at the end
    region = styled(region, 3, 13, "italic", is_on=True)
    region = styled(region, 4, 7, "italic", is_on=False)
    assert region.styles == (Style(0, 3, "italic"), Style(7, 13, "italic"))


def test_raised_letters_are_not_lowered_too():
    region = styled(text("H2O"), 1, 2, "superscript", is_on=True)
    region = styled(region, 1, 2, "subscript", is_on=True)
    assert region.styles == (Style(1, 2, "subscript"),)


STYLE_NAMES = ("italic", "bold", "small_caps", "superscript", "letter_spaced")
EDITS = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8), st.sampled_from(STYLE_NAMES), st.booleans()),
    max_size=8,
)


@given(EDITS)
def test_each_letter_has_the_style_that_was_last_said_of_it(edits):
    region, said = text("abcdefgh"), {}
    for one, other, name, is_on in edits:
        start, end = min(one, other), max(one, other)
        region = styled(region, start, end, name, is_on=is_on)
        said.update({(at, name): is_on for at in range(start, end)})
    for at in range(8):
        for name in STYLE_NAMES:
            assert is_styled(region, at, at + 1, name) == said.get((at, name), False)


# marks


def test_marks_are_found_listed_and_replaced():
    region = marks.marked(text("one two"), Mark(4, 7, "unclear", "too"))
    again = marks.marked(region, Mark(4, 7, "unclear", "to"), old=region.marks[0])
    assert again.marks == (Mark(4, 7, "unclear", "to"),)
    assert marks.mark_at(again, 5) == again.marks[0]
    assert marks.mark_at(again, 2) is None
    linked = replace(again, marks=(*again.marks, Mark(0, 3, "link", "1")))
    assert [place.mark.kind for place in marks.marks_of((linked,))] == ["unclear"]
    assert marks.unmarked(again, again.marks[0]).marks == ()


def test_the_next_mark_is_found_round_the_page():
    page = (
        text("a", marks=(Mark(0, 1, "gap"),)),
        text("b"),
        text("c", marks=(Mark(0, 0, "note"),)),
    )
    found = [marks.next_mark(page, *way) for way in (((0, 0), 1), ((2, 0), 1), ((0, 0), -1))]
    assert [place and place.region for place in found] == [2, 0, 2]


# tables


def cells(*rows: str) -> tuple[tuple[Cell, ...], ...]:
    return tuple(tuple(Cell(letter) for letter in row) for row in rows)


def shown(table: table_edits.Grid) -> list[str]:
    return [
        "".join(table.at(Spot(row, column)).text or "." for column in range(table.width))
        for row in range(table.height)
    ]


def test_rows_and_columns_are_put_in_and_taken_out():
    table = grid(cells("ab", "cd"))
    assert shown(table_edits.with_row(table, 1)) == ["ab", "..", "cd"]
    assert shown(table_edits.with_column(table, 2)) == ["ab.", "cd."]
    assert shown(table_edits.without_row(table, 0)) == ["cd"]
    assert shown(table_edits.without_column(table, 1)) == ["a", "c"]


def test_cells_are_merged_whole_and_split_again():
    table = table_edits.merged(grid(cells("abc", "def")), Spot(0, 0), Spot(1, 1))
    assert rows_of(table) == ((Cell("a b d e", 2, 2), Cell("c")), (Cell("f"),))
    wider = table_edits.merged(table, Spot(1, 1), Spot(1, 2))
    assert rows_of(wider)[0] == (Cell("a b d e c f", 2, 3),)
    apart = table_edits.split(table, Spot(1, 0))
    assert shown(apart)[1] == "..f"


def test_a_row_put_into_a_merged_cell_makes_it_higher():
    table = grid(((Cell("a", 2, 1), Cell("b")), (Cell("d"),)))
    assert rows_of(table_edits.with_row(table, 1))[0][0] == Cell("a", 3, 1)
    assert rows_of(table_edits.without_row(table, 0)) == ((Cell("a"), Cell("d")),)


def test_text_with_line_ends_and_tabs_stays_one_cell():
    table = table_edits.with_text(grid(cells("a")), Spot(0, 0), "one\ttwo\nthree")
    assert rows_of(table) == ((Cell("one two three"),),)


SHAPES = st.lists(
    st.lists(st.builds(Cell, st.just("x"), st.integers(1, 4), st.integers(1, 4)), max_size=4),
    min_size=1,
    max_size=4,
).map(lambda rows: tuple(map(tuple, rows)))
SPOTS = st.tuples(st.integers(0, 5), st.integers(0, 5))


@given(SHAPES, st.lists(st.tuples(st.integers(0, 5), SPOTS, SPOTS), max_size=6))
def test_whatever_is_done_to_a_table_it_has_neither_hole_nor_overlap(rows, orders):
    table = grid(rows)
    for order, one, other in orders:
        if not table.width:
            break
        here, there = (Spot(r % table.height, c % table.width) for r, c in (one, other))
        match order:
            case 0:
                table = table_edits.with_row(table, here.row)
            case 1:
                table = table_edits.without_row(table, here.row)
            case 2:
                table = table_edits.with_column(table, here.column)
            case 3:
                table = table_edits.without_column(table, here.column)
            case 4:
                table = table_edits.merged(table, here, there)
            case _:
                table = table_edits.split(table, here)
        area = sum((s.bottom - s.top) * (s.right - s.left) for s in table.slots)
        assert area == table.height * table.width
        assert grid(rows_of(table)) == table


def test_styles_of_a_table_follow_its_cells():
    rows = cells("ab", "cd")
    table = Region(
        Kind.TABLE, table_edits.text_of(rows), rows=rows, styles=(Style(4, 5, "italic"),)
    )
    after = table_edits.with_rows(table, rows_of(table_edits.with_row(grid(rows), 1)))
    assert after.text == "a\tb\n\t\nc\td"
    assert after.text[after.styles[0].start : after.styles[0].end] == "c"


# notes


PAGE = (text("Der Ausgang 1) und\nder Eingang 2) dazu"), note("1) Siehe S. 1.\n2) Ebenda."))


def test_references_and_notes_are_found_both_ways():
    first, second = footnotes.links_of(PAGE)
    assert PAGE[0].text[first.reference.start : first.reference.end].strip() == "1)"
    assert first.note == Stretch(1, 0, 15)
    assert footnotes.other_end(PAGE, 0, 13) == first.note
    assert footnotes.other_end(PAGE, 1, 18) == second.reference
    assert footnotes.other_end(PAGE, 0, 0) == first.note  # the next one of the block


def test_a_link_by_hand_holds_against_what_was_found_and_moves_with_edits():
    second = footnotes.found_notes(PAGE).notes[1]
    tied = footnotes.tied(PAGE, Stretch(0, 12, 14), second)
    pairs = footnotes.links_of(tied)
    assert Stretch(0, 12, 14) in [pair.reference for pair in pairs]
    assert next(pair.note for pair in pairs if pair.reference.start == 12).start == 15
    from app.proofing import corrected

    edited = (corrected(tied[0], "Ach, " + tied[0].text), tied[1])
    end = footnotes.other_end(edited, 0, 18)
    assert end is not None
    assert end.start == 15


def test_a_place_can_be_said_to_refer_to_no_note():
    freed = footnotes.untied(PAGE, Stretch(0, 12, 14))
    assert [pair.note.start for pair in footnotes.links_of(freed)] == [15]


def test_a_reference_is_the_selection_or_the_mark_at_the_cursor():
    region = text("Ausgang¹ und *) so")
    assert footnotes.reference_at(region, 8, 8) == (7, 8)
    assert footnotes.reference_at(region, 3, 3) is None
    assert footnotes.reference_at(region, 0, 3) == (0, 3)
    assert footnotes.reference_at(region, 13, 13) == (13, 15)


def test_a_new_link_takes_the_place_of_the_old_one():
    notes = footnotes.found_notes(PAGE).notes
    tied = footnotes.tied(PAGE, Stretch(0, 12, 14), notes[1])
    again = footnotes.tied(tied, Stretch(0, 12, 14), footnotes.found_notes(tied).notes[0])
    links = [mark for region in again for mark in region.marks]
    assert len(links) == 2
    end = footnotes.other_end(again, 0, 13)
    assert end is not None
    assert end.start == 0
