from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Mark, Reading, Region, Source
from app.edits import Edit, edits
from app.proofing import Correction, apply, corrected, split_rows, undo
from model.api import Box, Cell, Kind, Span, Style

pytestmark = pytest.mark.unit

BOX = Box(1, 2, 3, 4)


def words_of(text: str, *, score: float | None = 0.5) -> tuple[Span, ...]:
    """Word spans as an engine gives them; each has its own box so that it can be told again."""
    spans, start = [], 0
    for word in text.replace("\n", " ").split(" "):
        if word:
            spans.append(Span(start, start + len(word), Box(start, 0, start + 1, 9), score))
        start += len(word) + 1
    return tuple(spans)


def lines_of(text: str) -> tuple[Span, ...]:
    spans, start = [], 0
    for line in text.split("\n"):
        if line:
            spans.append(Span(start, start + len(line), Box(0, start, 9, start + 1), 0.9))
        start += len(line) + 1
    return tuple(spans)


def region(text: str, **more) -> Region:
    return Region(Kind.TEXT, text, BOX, lines_of(text), words_of(text), score=0.8, **more)


def boxed(region: Region) -> dict[str, float]:
    """The words that have a box, and where the box stood in the engine's text."""
    return {region.text[word.start : word.end]: word.box.left for word in region.words}


def lined(region: Region) -> list[str]:
    return [region.text[line.start : line.end] for line in region.lines]


def test_apply_and_undo_are_the_way_there_and_back():
    reading = Reading((region("one"), region("two")), Source("hand", datetime.now(UTC)), id=7)
    correction = Correction(1, reading.regions[1], corrected(reading.regions[1], "three"))
    changed = apply(reading, correction)
    assert changed.text == "one\n\nthree"
    assert changed.id == 7
    assert undo(changed, correction) == reading


def test_same_text_is_no_change():
    before = region("caf\u00e9\nbar")
    assert corrected(before, "cafe\u0301\r\nbar") is before


def test_text_typed_by_a_person_says_so_and_is_nfc():
    after = corrected(region("cafe"), "cafe\u0301\u2029bar")
    assert after.text == "caf\u00e9\nbar"
    assert after.by_hand
    assert after.score is None
    assert after.box == BOX


def test_letters_changed_in_a_word_leave_its_box_and_take_its_score():
    after = corrected(region("the 0uick fox"), "the quick fox")
    assert boxed(after) == {"the": 0, "quick": 4, "fox": 10}
    assert [word.score for word in after.words] == [0.5, None, 0.5]


def test_two_words_changed_leave_the_words_between_them_alone():
    after = corrected(region("tbe quick brown fux jumps"), "the quick brown fox jumps")
    assert [word.score for word in after.words] == [None, 0.5, 0.5, None, 0.5]


def test_words_behind_a_typed_word_shift():
    after = corrected(region("one three"), "one two three")
    assert boxed(after) == {"one": 0, "three": 4}


def test_letters_typed_at_either_end_of_a_word_belong_to_it():
    assert boxed(corrected(region("he cat sat"), "the cat sat")) == {"the": 0, "cat": 3, "sat": 7}
    assert boxed(corrected(region("the cat sa"), "the cat sat")) == {"the": 0, "cat": 4, "sat": 8}
    assert boxed(corrected(region("a cat sat"), "a cats sat")) == {"a": 0, "cats": 2, "sat": 6}


def test_a_word_that_is_split_has_no_box_any_more():
    assert boxed(corrected(region("onetwo three"), "one two three")) == {"three": 7}


def test_a_hyphen_taken_out_leaves_both_halves_their_boxes():
    after = corrected(region("an exam-\nple here"), "an example here")
    assert boxed(after) == {"an": 0, "exam": 3, "ple": 9, "here": 13}
    assert lined(after) == ["an exam", "ple here"]


def test_a_deleted_word_takes_its_box_with_it():
    assert boxed(corrected(region("one two three"), "one three")) == {"one": 0, "three": 8}


def test_a_line_end_typed_into_a_line_ends_it_there():
    assert lined(corrected(region("one two\nthree"), "one\ntwo\nthree")) == ["one", "three"]


def test_a_line_takes_in_what_is_typed_at_its_end():
    assert lined(corrected(region("one\nthree"), "one two\nthree")) == ["one two", "three"]


def test_styles_are_clipped_and_go_when_nothing_is_left():
    before = region("one two three", styles=(Style(0, 3, "italic"), Style(4, 13, "bold")))
    assert corrected(before, "two three").styles == (Style(0, 9, "bold"),)
    assert corrected(before, "one").styles == (Style(0, 3, "italic"),)


def test_a_mark_of_a_person_never_goes():
    note = Mark(4, 7, "note", "the compositor's slip")
    after = corrected(region("one two three", marks=(note, Mark(3, 3, "gap"))), "one")
    assert after.marks == (Mark(3, 3, "note", "the compositor's slip"), Mark(3, 3, "gap"))


def test_a_region_emptied_keeps_only_its_box():
    after = corrected(region("one two"), "")
    assert (after.text, after.words, after.lines, after.box) == ("", (), (), BOX)


def test_table_text_becomes_rows_and_spans_stay_where_the_row_has_as_many_cells():
    rows = (
        (Cell("Year", is_heading=True), Cell("Yield", column_span=2, is_heading=True)),
        (Cell("1841", row_span=2), Cell("7"), Cell("8")),
        (Cell("9"), Cell("1O")),
    )
    text = "Year\tYield\n1841\t7\t8\n9\t1O\n"
    table = Region(Kind.TABLE, text, BOX, rows=rows)
    after = corrected(table, "Year\tYield\n1841\t7\t8\n9\t10\n")
    assert after.rows == (*rows[:2], (Cell("9"), Cell("10")))


def test_a_row_put_in_shifts_the_spans_with_their_rows():
    rows = ((Cell("head", column_span=2),), (Cell("a"), Cell("b")))
    after = split_rows("new\trow\nhead\na\tb", rows)
    assert after == ((Cell("new"), Cell("row")), *rows)


def test_a_row_with_another_number_of_cells_has_plain_cells():
    assert split_rows("a\tb", ((Cell("ab", column_span=2),),)) == ((Cell("a"), Cell("b")),)


def test_a_cell_reaches_no_further_down_than_the_table():
    rows = ((Cell("a", row_span=2), Cell("b")), (Cell("c"),))
    assert split_rows("a\tb", rows) == ((Cell("a"), Cell("b")),)


letters = st.text(alphabet="ab c\nd\te\u0301\u00e9ſß", max_size=40)


def applied(old: str, changes: tuple[Edit, ...]) -> str:
    for edit in reversed(changes):
        old = old[: edit.start] + edit.text + old[edit.end :]
    return old


@given(letters, letters)
def test_edits_make_the_new_text_from_the_old(old, new):
    changes = edits(old, new)
    assert applied(old, changes) == new
    assert all(before.end < after.start for before, after in pairwise(changes))


@st.composite
def regions(draw) -> Region:
    text = unicodedata.normalize("NFC", draw(letters))
    ends = st.integers(0, len(text))
    pairs = st.tuples(ends, ends).map(lambda two: (min(two), max(two)))
    return Region(
        Kind.TEXT,
        text,
        lines=lines_of(text),
        words=words_of(text.replace("\t", " ")),
        styles=tuple(
            Style(start, end, "italic") for start, end in draw(st.lists(pairs, max_size=3))
        ),
        marks=tuple(Mark(start, end, "note") for start, end in draw(st.lists(pairs, max_size=3))),
    )


@given(regions(), letters)
def test_spans_stay_within_the_text_apart_and_in_order(before, text):
    after = corrected(before, text)
    size = len(after.text)
    for spans in (after.words, after.lines):
        assert all(0 <= span.start < span.end <= size for span in spans)
        assert all(one.end <= two.start for one, two in pairwise(spans))
    assert not any(letter.isspace() for word in after.words for letter in _text(after, word))
    assert not any("\n" in _text(after, line) for line in after.lines)
    assert all(0 <= style.start <= style.end <= size for style in after.styles)
    assert all(0 <= mark.start <= mark.end <= size for mark in after.marks)
    assert len(after.marks) == len(before.marks)


def _text(region: Region, span: Span) -> str:
    return region.text[span.start : span.end]


@given(regions(), letters, st.data())
def test_what_is_not_touched_keeps_its_letters_and_its_score(before, typed, data):
    at = data.draw(st.integers(0, len(before.text)))
    gone = data.draw(st.integers(at, len(before.text)))
    after = corrected(before, before.text[:at] + typed + before.text[gone:])
    scored = [(word.box, _text(after, word)) for word in after.words if word.score is not None]
    was = {word.box: _text(before, word) for word in before.words}
    assert all(was[box] == text for box, text in scored)


@given(letters)
def test_rows_of_a_table_hold_the_text_as_it_is(text):
    rows = split_rows(text)
    joined = "\n".join("\t".join(cell.text for cell in row) for row in rows)
    assert joined == text.removesuffix("\n")
