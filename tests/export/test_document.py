"""Readings joined into one document: what is joined, what is linked, what is shown of each page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.book import Mark, PageState, Reason
from app.desk.hyphens import Why
from app.export.blocks import (
    Block,
    Editorial,
    Figure,
    Heading,
    Inlines,
    ListBlock,
    Note,
    NoteRef,
    PageMark,
    Paragraph,
    Run,
    Table,
    text_of,
)
from app.export.document import Document, ExportOptions, build
from model.api import Box, Cell, Kind
from tests.export.samples import Leaves, book, leaf, small_book, style, text, words

pytestmark = pytest.mark.unit


def document(leaves: Leaves, options: ExportOptions | None = None, **details) -> Document:
    return build(book(leaves, **details), lambda: leaves, options or ExportOptions())


def blocks(*leaves, options: ExportOptions | None = None, **details) -> list[Block]:
    return list(document(list(leaves), options, **details).blocks())


def paragraphs(found: list[Block]) -> list[str]:
    return [text_of(block.inlines) for block in found if isinstance(block, Paragraph)]


def runs(found: list[Block]) -> list[Run]:
    return [run for block in found for run in plain(block, joins=True) if isinstance(run, Run)]


def plain(block: Block, *, joins: bool = False) -> Inlines:
    """The inlines of a paragraph, without the record of joined words."""
    inlines = block.inlines if isinstance(block, Paragraph) else ()
    return tuple(
        replace(each, joins=()) if isinstance(each, Run) and not joins else each for each in inlines
    )


def page_marks(found: list[Block]) -> list[PageMark]:
    flat = []
    for block in found:
        inlines = block.inlines if isinstance(block, Paragraph) else (block,)
        flat += [each for each in inlines if isinstance(each, PageMark)]
    return flat


def test_every_page_in_is_a_page_out_whatever_its_state():
    marks = page_marks(list(document(small_book()).blocks()))
    assert [mark.number for mark in marks] == list(range(12))
    assert [mark.state for mark in marks] == [page.state for page, _r in small_book()]


def test_blocks_can_be_asked_for_again():
    found = document(small_book())
    assert list(found.blocks()) == list(found.blocks())


def test_pages_are_read_as_they_are_needed():
    seen = []

    def pages():
        for page, reading in small_book():
            seen.append(page.number)
            yield page, reading

    found = build(book(small_book()), pages)
    seen.clear()
    stream = found.blocks()
    next(stream)
    assert seen == [0]


def test_printed_lines_become_one_line_with_the_printed_form_kept():
    found = blocks(leaf(0, text("a bar-", "rel of", "  ale ")))
    assert paragraphs(found) == ["a barrel of ale"]
    (run,) = runs(found)
    assert run.joins[0].at == len("a bar")
    assert run.joins[0].join.printed == "bar-\nrel"
    assert run.joins[0].join.reason is Why.LOWER_CASE


def test_words_stay_broken_if_asked():
    found = blocks(leaf(0, text("a bar-", "rel")), options=ExportOptions(join_hyphens=False))
    assert paragraphs(found) == ["a bar- rel"]


def test_chinese_lines_join_without_a_space():
    assert paragraphs(blocks(leaf(0, text("天地玄黃", "宇宙洪荒", "abc", "def")))) == [
        "天地玄黃宇宙洪荒 abc def"
    ]


def test_a_blank_line_within_a_block_begins_a_paragraph():
    assert paragraphs(blocks(leaf(0, text("one", "", "two", "more")))) == ["one", "two more"]


def test_a_word_broken_by_the_pages_end_is_joined_and_the_page_begins_after_it():
    found = blocks(leaf(0, text("the bar-")), leaf(1, text("rel, which he", "filled.")))
    assert len(found) == 2
    assert plain(found[1]) == (Run("the barrel,"), PageMark(1), Run(" which he filled."))


def test_a_sentence_that_runs_on_is_one_paragraph_with_the_page_between():
    found = blocks(leaf(0, text("which he")), leaf(1, text("filled and")), leaf(2, text("drank.")))
    assert paragraphs(found) == ["which he filled and drank."]
    assert [mark.number for mark in page_marks(found)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He slept.", "and woke"),
        ("He slept.”", "and woke"),
        ("Why?)", "and woke"),
        ("He slept", "And woke"),
        ("He slept", "12 men woke"),
        ("and so:", "he woke"),
    ],
)
def test_what_does_not_plainly_run_on_stays_apart(first, second):
    assert paragraphs(blocks(leaf(0, text(first)), leaf(1, text(second)))) == [first, second]


@pytest.mark.parametrize(
    "between",
    [
        leaf(1, state=PageState.BLANK),
        leaf(1, text("x", kind=Kind.HEADING)),
        leaf(1, state=PageState.FAILED),
    ],
)
def test_no_paragraph_runs_over_a_page_without_text(between):
    found = blocks(leaf(0, text("which he")), between, leaf(2, text("filled")))
    assert paragraphs(found) == ["which he", "filled"]


@pytest.mark.parametrize("reason", [Reason.CAP_REACHED, Reason.STOPPED, Reason.LOOP_CUT])
def test_a_page_that_was_cut_runs_on_nowhere(reason):
    cut = leaf(0, text("which he"), state=PageState.LOOK, reasons=(reason,))
    assert paragraphs(blocks(cut, leaf(1, text("filled")))) == ["which he", "filled"]


def test_pages_that_are_not_neighbours_are_not_joined():
    found = blocks(
        leaf(0, text("which he")),
        leaf(1, text("left")),
        leaf(2, text("filled")),
        options=ExportOptions(pages=(0, 2)),
    )
    assert paragraphs(found) == ["which he", "filled"]
    assert [mark.number for mark in page_marks(found)] == [0, 2]


def test_a_paragraph_runs_on_at_the_head_of_the_next_column():
    low, high = Box(0, 500, 100, 600), Box(120, 40, 200, 90)
    joined = blocks(leaf(0, text("which he", box=low), text("filled.", box=high)))
    apart = blocks(leaf(0, text("which he", box=high), text("filled.", box=low)))
    assert paragraphs(joined) == ["which he filled."]
    assert paragraphs(apart) == ["which he", "filled."]


def test_running_heads_are_left_out_or_shown_by_choice():
    page = leaf(0, text("HEAD", kind=Kind.RUNNING_HEAD), text("body"), text("7", kind=Kind.FOOTER))
    assert paragraphs(blocks(page)) == ["body"]
    assert paragraphs(blocks(page, options=ExportOptions(running_heads=True))) == [
        "HEAD",
        "body",
        "7",
    ]


def notes(*leaves) -> list[tuple[str, str, str, bool]]:
    return [
        (note.id, note.mark, text_of(note.inlines), note.is_linked)
        for note in blocks(*leaves)
        if isinstance(note, Note)
    ]


def refs(*leaves) -> list[tuple[str, str]]:
    """The text before each note mark, and the note it points to."""
    found = []
    for block in blocks(*leaves):
        inlines = block.inlines if isinstance(block, Paragraph) else ()
        for index, each in enumerate(inlines):
            if isinstance(each, NoteRef):
                found.append((text_of(inlines[:index]), each.note))
    return found


@pytest.mark.parametrize(
    ("body", "note", "before", "mark"),
    [
        ("The cask* stood", "* No barrel.", "The cask", "*"),
        ("Das Faß *) stand", "*) Kein Krug.", "Das Faß", "*)"),
        ("The cask† stood", "†No barrel.", "The cask", "†"),
        ("The cask¹ stood", "1 No barrel.", "The cask", "1"),
        ("The cask¹ stood", "¹ No barrel.", "The cask", "¹"),
        ("The cask,1 stood", "1. No barrel.", "The cask,", "1."),
        ("Das Faß 1) stand", "1) Kein Krug.", "Das Faß", "1)"),
        ("Das Faß a) stand", "a) Kein Krug.", "Das Faß", "a)"),
        ("The cask (1) stood", "(1) No barrel.", "The cask", "(1)"),
    ],
)
def test_notes_are_linked_to_their_marks(body, note, before, mark):
    page = leaf(4, text(body), text(note, kind=Kind.NOTE))
    said = "Kein Krug." if "K" in note else "No barrel."
    assert notes(page) == [("p5-1", mark, said, True)]
    assert refs(page) == [(before, "p5-1")]
    assert paragraphs(blocks(page)) == [f"{before} {'stand' if 'Faß' in body else 'stood'}"]


def test_a_mark_known_only_by_being_raised_is_found():
    body = text("The cask 1 and 1 more", styles=(style("The cask 1", "1", "superscript"),))
    assert refs(leaf(0, body, text("1 No barrel.", kind=Kind.NOTE))) == [("The cask ", "p1-1")]


def test_several_notes_of_one_block_are_told_apart_in_order():
    body = text("One* and two** and three* more, (Amerika) b) there")
    note = text("* first,", "going on", "** second", "* third", "b) fourth", kind=Kind.NOTE)
    page = leaf(0, body, note)
    assert [said for _id, _mark, said, _linked in notes(page)] == [
        "first, going on",
        "second",
        "third",
        "fourth",
    ]
    assert [before.split()[-1] for before, _note in refs(page)] == [
        "One",
        "two",
        "three",
        "(Amerika)",
    ]


def test_a_number_that_begins_a_line_of_a_note_is_no_new_note():
    page = leaf(0, text("So1 it"), text("1 Written in", "12 days.", kind=Kind.NOTE))
    assert notes(page) == [("p1-1", "1", "Written in 12 days.", True)]


def test_a_note_is_never_linked_to_another_page():
    found = [leaf(0, text("A cask* stood.")), leaf(1, text("* lost", kind=Kind.NOTE), text("So."))]
    assert notes(*found) == [("p2-1", "*", "* lost", False)]
    assert refs(*found) == []
    assert paragraphs(blocks(*found)) == ["A cask* stood.", "So."]


def test_notes_of_a_paragraph_that_runs_on_follow_it():
    found = blocks(
        leaf(0, text("A cask*", "and"), text("* one", kind=Kind.NOTE)),
        leaf(1, text("a jug* stood."), text("* two", kind=Kind.NOTE), text("Next.")),
    )
    kinds = [type(block).__name__ for block in found]
    assert kinds == ["PageMark", "Paragraph", "Note", "Paragraph", "Note"]
    assert len({block.id for block in found if isinstance(block, Note)}) == 2


def test_notes_in_table_cells_are_linked():
    page = leaf(
        0,
        text(kind=Kind.TABLE, rows=((Cell("12*"), Cell("x")),)),
        text("* about", kind=Kind.NOTE),
    )
    table = next(block for block in blocks(page) if isinstance(block, Table))
    assert table.rows[0][0].inlines == (Run("12"), NoteRef("p1-1", "*"))


def table(*rows: tuple[Cell, ...]) -> Table:
    found = blocks(leaf(0, text(kind=Kind.TABLE, rows=rows)))
    return next(block for block in found if isinstance(block, Table))


def test_spans_are_kept_within_the_table():
    found = table((Cell("a", 9, 1), Cell("b", 1, 2)), (Cell("c"), Cell("d")))
    assert [
        [(cell.column, cell.row_span, cell.column_span) for cell in row] for row in found.rows
    ] == [[(0, 2, 1), (1, 1, 2)], [(1, 1, 1), (2, 1, 1)]]


def test_a_span_that_an_engine_invented_makes_no_empty_columns():
    found = table((Cell("a", 1, 100_000_000),), (Cell("b"), Cell("c")))
    assert found.columns == 2
    assert found.rows[0][0].column_span == 2


CELLS = st.builds(Cell, st.text("ab", max_size=2), st.integers(-1, 4), st.integers(-1, 4))


@settings(deadline=None)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_a_table_covers_its_grid_without_hole_or_overlap(rows):
    found = table(*map(tuple, rows))
    covered = [
        (row + i, cell.column + j)
        for row, cells in enumerate(found.rows)
        for cell in cells
        for i in range(cell.row_span)
        for j in range(cell.column_span)
    ]
    assert sorted(covered) == [(i, j) for i in range(len(found.rows)) for j in range(found.columns)]
    texts = sorted(text_of(cell.inlines) for row in found.rows for cell in row if cell.inlines)
    assert texts == sorted(cell.text for row in rows for cell in row if cell.text)


def test_a_figure_takes_the_caption_beside_it():
    found = blocks(leaf(0, text(kind=Kind.FIGURE), text("At work", kind=Kind.CAPTION), text("So.")))
    assert found[1] == Figure((), (Run("At work"),))
    assert paragraphs(found) == ["So."]


def test_headings_have_levels_and_lists_their_printed_marks():
    found = blocks(
        leaf(
            0,
            text("The", "Book", kind=Kind.TITLE),
            text("Part", kind=Kind.HEADING),
            text("a) one", "more", "b) two", kind=Kind.LIST),
            text("beer, 7", "wine, 9", kind=Kind.LIST),
        )
    )
    assert found[1:3] == [Heading(1, (Run("The Book"),)), Heading(2, (Run("Part"),))]
    lists = [
        [(item.mark, text_of(item.inlines)) for item in block.items]
        for block in found
        if isinstance(block, ListBlock)
    ]
    assert lists == [[("a)", "one more"), ("b)", "two")], [("", "beer, 7"), ("", "wine, 9")]]


def test_styles_marks_and_doubts_stand_at_their_letters():
    printed = "a wcrd and", "torn-", "off"
    found = blocks(
        leaf(
            0,
            text(
                *printed,
                styles=(style("\n".join(printed), "torn-\nof", "italic"),),
                marks=(Mark(2, 6, "unclear"), Mark(10, 10, "gap", "hole")),
                words=words((2, 6, 0.3), (0, 1, 0.95)),
            ),
        ),
        options=ExportOptions(doubts_as_comments=True),
    )
    assert plain(found[1]) == (
        Run("a "),
        Run("wcrd", doubt=0.3),
        Editorial("unclear"),
        Run(" and"),
        Editorial("gap", "hole"),
        Run(" "),
        Run("tornof", frozenset({"italic"})),
        Run("f"),
    )


def test_italics_go_on_over_a_line_end():
    printed = "all in\nitalics"
    spans = (style(printed, "all in", "italic"), style(printed, "italics", "italic"))
    found = blocks(leaf(0, text(printed, styles=spans)))
    assert {run.styles for run in runs(found)} == {frozenset({"italic"})}


def test_a_persons_text_is_not_doubted():
    by_hand = leaf(0, text("wcrd", words=words((0, 4, 0.3))), by="hand")
    corrected = leaf(1, text("wcrd", words=words((0, 4, 0.3)), by_hand=True))
    found = blocks(by_hand, corrected, options=ExportOptions(doubts_as_comments=True))
    assert [run.text for run in runs(found) if run.doubt] == []


def test_texts_of_other_states_are_left_out_and_their_pages_are_not():
    found = blocks(
        leaf(0, text("sure"), state=PageState.PROOFREAD),
        leaf(1, text("unsure"), state=PageState.READ),
        leaf(2, state=PageState.UNREAD),
        options=ExportOptions(states=frozenset({PageState.PROOFREAD})),
    )
    assert paragraphs(found) == ["sure"]
    assert [mark.is_left_out for mark in page_marks(found)] == [False, True, False]


def test_provenance_counts_pages_engines_and_hands():
    told = document(small_book(), ExportOptions(pages=tuple(range(9)))).provenance
    assert len(told.pages) == 9
    assert told.book_pages == 12
    assert told.states[PageState.READ] == 4
    assert sum(told.states.values()) == 9
    assert (told.by_hand, told.people) == (1, {"Ada": 1})
    assert [(engine.engine, pages) for engine, pages in told.engines.items()] == [
        ("line-reader", 5)
    ]


LINES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cn", "Zs", "Zl", "Zp"))
    | st.sampled_from(" \n-*¹"),
    max_size=60,
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=4))
def test_no_letter_is_lost_on_the_way(pages):
    leaves = [leaf(number, text(page, kind=Kind.TEXT)) for number, page in enumerate(pages)]
    shown = "".join(paragraphs(blocks(*leaves)))
    lost = "".join(shown.split()), "".join("".join(pages).split())
    assert lost[0].translate(NO_HYPHENS) == lost[1].translate(NO_HYPHENS)


NO_HYPHENS = dict.fromkeys(map(ord, "-¬⸗‐\u00ad"))
