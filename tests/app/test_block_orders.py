"""Orders on the blocks of a real book: kept, undone, refused; printed numbers and hyphens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from app.answers import PagesStored, ReadingLoaded
from app.book import Book, Details, Mark, Page, PageState, Reading, Region, Source
from app.desk.broken_words import broken_words
from app.desk.hyphens import Break, Choice, Choices, Why
from app.desk.page_numbers import jumps, number_of
from app.events import PageStarted
from app.export.blocks import Note, Paragraph, text_of
from app.export.document import ExportOptions, build
from app.export.paging import Material, paged
from app.exporting import ExportOrder
from app.footnotes import Stretch
from app.hyphen_orders import HyphensListed
from app.store import page_facts
from model.api import Box, Cell, Kind
from model.fake import FakeRecogniser, scripted
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit


def script(page: int):
    """A page number that is misread on the third page, a broken word, a note."""
    number = {0: "xii", 1: "1", 2: "7"}.get(page, str(page))
    return (
        scripted(Kind.PAGE_NUMBER, f"— {number} —", Box(700, 60, 740, 90)),
        scripted(Kind.TEXT, "The book was printed 1) in the old house.", Box(100, 140, 740, 440)),
        scripted(Kind.TEXT, "A second paragraph.", Box(100, 440, 740, 640)),
        scripted(Kind.NOTE, "1) So it is said.", Box(100, 700, 740, 740)),
    )


@pytest.fixture
def desk(tmp_path) -> Iterator[Desk]:
    with Desk(lambda: FakeRecogniser(script)) as desk:
        desk.open(make_scan(tmp_path / "scan", 5))
        desk.read()
        desk.session.turn_to(0)
        desk.settle()
        yield desk


def texts(desk: Desk, page: int = 0) -> list[str]:
    return [region.text for region in desk.reading(page).regions]


def stored(desk: Desk, page: int = 0) -> tuple[tuple[Region, ...], Page]:
    with desk.store.reader() as reader:
        current = reader.current(page)
        assert current is not None
        return current.regions, reader.page(page)


def undo(desk: Desk) -> None:
    desk.session.proofs.undo(0)
    desk.wait_for(PagesStored)


def test_every_order_is_on_the_disk_and_can_be_taken_back(desk):
    orders = desk.session.blocks
    before = desk.reading(0).regions
    steps = [
        lambda: orders.style(0, [Stretch(1, 0, 3), Stretch(2, 0, 1)], "italic"),
        lambda: orders.mark(0, 1, Mark(4, 8, "unclear", "hook")),
        lambda: orders.move(0, 1, 1),
        lambda: orders.set_box(0, 1, Box(1, 2, 3, 4)),
        lambda: orders.add(0, 1, Box(5, 6, 7, 8)),
        lambda: orders.split(0, 3, 8),
        lambda: orders.merge(0, 3),
        lambda: orders.delete(0, 2),
        lambda: orders.set_rows(0, 1, ((Cell("a"), Cell("b")),)),
    ]
    stood = [before]
    for step in steps:
        assert step()
        desk.settle()
        stood.append(desk.reading(0).regions)
        assert stored(desk)[0] == stood[-1]
    assert len({str(each) for each in stood}) == len(stood)
    for was in reversed(stood[:-1]):
        undo(desk)
        assert desk.reading(0).regions == was
    desk.session.proofs.redo(0)
    desk.wait_for(PagesStored)
    assert desk.reading(0).regions == stood[1]


def test_a_style_is_taken_away_where_all_letters_have_it(desk):
    orders = desk.session.blocks
    orders.style(0, [Stretch(1, 0, 3)], "bold")
    orders.style(0, [Stretch(1, 0, 8)], "bold")
    assert desk.reading(0).regions[1].styles[0][:2] == (0, 8)
    orders.style(0, [Stretch(1, 0, 8)], "bold")
    assert desk.reading(0).regions[1].styles == ()


def test_a_deleted_block_comes_back_and_a_page_without_blocks_can_be_typed_on(desk):
    for _ in range(4):
        desk.session.blocks.delete(0, 0)
    assert texts(desk) == []
    desk.session.blocks.add(0, None, Box(1, 1, 2, 2))
    assert texts(desk) == [""]
    desk.settle()
    for _ in range(5):
        undo(desk)
    assert len(texts(desk)) == 4


def test_a_note_is_tied_by_hand_and_exported_so(desk, tmp_path):
    orders = desk.session.blocks
    orders.offer_notes(0, Stretch(2, 0, 1))
    assert orders.offered == Stretch(2, 0, 1)
    orders.tie(0, orders.offered, orders.notes(0)[0])
    desk.settle()
    text = export(desk, tmp_path)
    assert "[^p1-1] second" in text
    assert "printed 1) in" in text


def test_without_a_mark_or_a_note_that_is_said(desk):
    desk.session.blocks.offer_notes(0, Stretch(2, 3, 3))
    assert desk.session.notices[-1].error.code == "reference_not_found"
    desk.session.proofs.set_kind(0, 3, Kind.TEXT)
    desk.session.blocks.offer_notes(0, Stretch(1, 0, 3))
    assert desk.session.notices[-1].error.code == "notes_not_found"


def test_a_book_that_is_open_elsewhere_refuses_with_a_sentence(desk, tmp_path):
    with Desk() as other:
        other.open(tmp_path / "scan")
        other.session.turn_to(1)
        other.settle()
        assert other.session.read_only
        before = texts(other, other.session.page)
        other.session.blocks.delete(other.session.page, 0)
        other.session.blocks.correct_page(0, "note", "x")
        assert texts(other, other.session.page) == before
        assert other.session.notices[-1].error.code == "store_locked"


def test_a_page_that_is_being_read_refuses_until_it_is_done(tmp_path):
    with Desk(lambda: FakeRecogniser(script, pieces_per_s=40)) as desk:
        desk.open(make_scan(tmp_path / "scan", 1))
        desk.session.runs.start()
        desk.wait_for(PageStarted)
        desk.session.blocks.style(0, [Stretch(0, 0, 1)], "bold")
        assert desk.session.notices[-1].error.code == "page_being_read"
        desk.wait_for_end()
        desk.session.blocks.style(0, [Stretch(1, 0, 1)], "bold")
        assert desk.reading(0).regions[1].styles


def test_what_cannot_be_cut_or_joined_is_said(desk):
    desk.session.blocks.split(0, 1, 0)
    assert desk.session.notices[-1].error.code == "block_not_split"
    desk.session.blocks.merge(0, 3)
    assert desk.session.notices[-1].error.code == "block_is_last"


# printed numbers and notes of pages


def labels(desk: Desk) -> list[str]:
    return [page.label for page in desk.book.pages]


def test_printed_numbers_are_taken_from_the_pages_and_jumps_told(desk):
    assert labels(desk) == ["xii", "1", "7", "3", "4"]
    found = jumps(labels(desk))
    assert {page: jump.expected for page, jump in found.items()} == {2: "2"}


def test_a_corrected_block_of_the_number_gives_the_page_its_label(desk):
    desk.session.turn_to(2)
    desk.settle()
    desk.session.proofs.correct(2, 0, "— 2 —")
    desk.settle()
    assert labels(desk)[2] == "2"
    assert jumps(labels(desk)) == {}


def test_only_the_current_reading_gives_a_page_its_number(desk):
    other = replace(desk.reading(0), regions=(Region(Kind.PAGE_NUMBER, "xi"),))
    on_store = desk.session._workers.store.submit
    save = partial(desk.store.save_read, 0, reading=other, state=PageState.READ)
    assert on_store(save, make_current=False).result().label == "xii"
    assert on_store(save).result().label == "xi"


def test_what_the_neighbours_rule_out_is_no_number(desk):
    desk.session.turn_to(3)
    desk.settle()
    desk.session.blocks.correct_page(2, "label", "2")
    desk.settle()
    desk.session.proofs.correct(3, 0, "8")
    desk.settle()
    assert labels(desk) == ["xii", "1", "2", "", "4"]


def test_a_label_by_hand_holds_and_can_be_taken_back(desk):
    desk.session.blocks.correct_page(0, "label", "xi")
    desk.settle()
    desk.session.proofs.correct(0, 0, "xxx")
    desk.settle()
    assert labels(desk)[0] == "xi"
    undo(desk)
    undo(desk)
    assert labels(desk)[0] == "xii"


def test_a_page_note_is_kept_and_taken_back(desk):
    desk.session.blocks.correct_page(0, "note", "Wasserfleck")
    desk.settle()
    assert stored(desk)[1].note == desk.book.pages[0].note == "Wasserfleck"
    assert not desk.book.pages[0].by_hand
    undo(desk)
    assert desk.book.pages[0].note == ""
    desk.session.proofs.redo(0)
    desk.wait_for(PagesStored)
    assert desk.book.pages[0].note == "Wasserfleck"


def test_what_is_said_of_a_page_without_text_is_taken_back_even_after_closing(tmp_path):
    def say(field: page_facts.Field, text: str) -> None:
        desk.session.blocks.correct_page(0, field, text)
        desk.wait_for(PagesStored)

    def step(order: str) -> tuple[str, str]:
        getattr(desk.session.proofs, order)(0)
        desk.wait_for(PagesStored)
        return desk.book.pages[0].label, desk.book.pages[0].note

    scan = make_scan(tmp_path / "scan", 2)
    with Desk() as desk:
        desk.open(scan)
        say("label", "iv")
        say("note", "torn")
        assert step("undo") == ("iv", "")
        assert step("redo") == ("iv", "torn")
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.wait_for(ReadingLoaded)
        assert desk.session.may_undo(0)
        assert not desk.session.is_editable(0)
        assert [step("undo"), step("undo"), step("undo")] == [("iv", ""), ("", ""), ("", "")]
        assert step("redo") == ("iv", "")
        desk.session.proofs.begin_by_hand(0)
        desk.settle()
        assert step("redo") == ("iv", "")  # something else was done since
        say("label", "v")
        desk.session.proofs.correct(0, 0, "typed")
        desk.settle()
        assert [step("undo") for _ in range(3)] == [("v", ""), ("iv", ""), ("", "")]
        assert texts(desk) == [""]
        assert [step("redo") for _ in range(3)] == [("iv", ""), ("v", ""), ("v", "")]
        assert texts(desk) == ["typed"]


@pytest.mark.parametrize(
    ("printed", "value"),
    [("12", 12), ("— 12 —", 12), ("[XIV.]", 14), ("S. 7", 7), ("pag. 9", 9), ("iij", 3)],
)
def test_numbers_are_read_whatever_stands_around_them(printed, value):
    number = number_of(printed)
    assert number is not None
    assert number.value == value


@pytest.mark.parametrize("printed", ["", "Kapitel", "12345", "iiii x", "0", "M", "Xi", "12 13"])
def test_what_is_no_number_is_none(printed):
    assert number_of(printed) is None


@pytest.mark.parametrize(
    ("sequence", "jumping"),
    [
        (["v", "vi", "", "1", "2"], []),
        (["12", "", "", "13"], []),  # plates
        (["12", "", "14"], []),  # a page without its number
        (["12", "13", "16", "17"], [2]),  # a leaf is missing
        (["12", "13", "13", "14"], [2]),  # or doubled
        (["12", "18", "14", "15"], [1]),  # misread
        (["98", "99", "1", "2"], []),  # another part
        (["12", "Tafel", "13"], []),
    ],
)
def test_jumps_of_the_printed_numbers(sequence, jumping):
    assert sorted(jumps(sequence)) == jumping


# hyphens

BROKEN = (
    Region(Kind.RUNNING_HEAD, "Vor-\nrede"),
    Region(Kind.TEXT, "der Ver-\nlag und Haupt-\nund Neben-"),
)
AFTER = (Region(Kind.TEXT, "sache im Verlag"),)


def pages(*texts: tuple[Region, ...]):
    source = Source("model", datetime(2026, 11, 3, tzinfo=UTC))
    return [(Page(n), Reading(regions, source)) for n, regions in enumerate(texts)]


def test_the_ledger_lists_every_break_with_its_proposal_and_reason():
    found = broken_words(enumerate([BROKEN, AFTER]), "de")
    assert [(w.first, w.second, w.at, w.proposal.reason) for w in found] == [
        ("Ver-", "lag", "line", Why.JOINED_ELSEWHERE),
        ("Haupt-", "und", "line", Why.SUSPENDED),
        ("Neben-", "sache", "page", Why.LOWER_CASE),
    ]
    assert BROKEN[1].text[found[0].start : found[0].end] == "Ver-"
    chosen = Choices({Break(0, "Ver-\nlag", 0): Choice.KEEP}, {"neben-\nsache": Choice.APART})
    assert [w.becomes(chosen) for w in found] == ["Ver-lag", "Haupt- und", "Neben- sache"]


def test_an_export_follows_a_decision_at_the_end_of_a_page_and_at_a_line_end():
    choices = Choices(
        breaks={
            Break(0, "Neben-\nsache", 0): Choice.KEEP,
            Break(1, "Ver-\nlag", 0): Choice.KEEP,
        },
        words={"haupt-\nund": Choice.JOIN},
    )
    leaves = [(replace(page, state=PageState.READ), text) for page, text in pages(BROKEN, AFTER)]
    book = Book("b", (), "", Details(language="de"), tuple(page for page, _text in leaves))
    options = ExportOptions(page_marks="none")
    found = [
        text_of(block.inlines)
        for block in build(book, lambda: leaves, options, choices=choices).blocks()
        if isinstance(block, Paragraph)
    ]
    # the decision on page 2 is for a break that stands there, not for this one
    assert found == ["der Verlag und Hauptund Neben-sache im Verlag"]


ALIKE = (
    Region(Kind.TEXT, "der Ver-\nlag, im Ver-\nlag. Ein\n\nder Ver-\nlag ist der Ver-"),
    Region(Kind.NOTE, "1) Ver-\nlag."),
)
BEHIND = (Region(Kind.TEXT, "lag der Ver-\nlage"),)


def in_book(*texts: tuple[Region, ...]):
    leaves = [(replace(page, state=PageState.READ), text) for page, text in pages(*texts)]
    return Book("b", (), "", Details(language="de"), tuple(page for page, _ in leaves)), leaves


@pytest.mark.parametrize(("at", "place"), [(0, 0), (1, 1), (2, 2), (3, 5), (4, 3), (5, 4)])
def test_breaks_that_are_printed_alike_are_decided_one_by_one(at, place):
    book, leaves = in_book(ALIKE, BEHIND)
    words = broken_words(((page.number, text.regions) for page, text in leaves), "de")
    assert len(words) == 6
    choices = Choices({words[at].key: Choice.KEEP})
    assert [word.becomes(choices).count("-") for word in words] == [n == at for n in range(6)]
    blocks = build(book, lambda: leaves, choices=choices).blocks()
    texts = [text_of(block.inlines) for block in blocks if isinstance(block, Paragraph | Note)]
    assert texts[0].startswith("der Ver")
    assert texts[-1].startswith("1)")  # the note, listed fourth, comes behind the paragraph
    found = re.findall("Ver-?lag", " ".join(texts))
    assert found == ["Ver-lag" if number == place else "Verlag" for number in range(6)]


def test_page_formats_follow_a_decision_on_one_of_two_breaks_printed_alike():
    book, leaves = in_book(ALIKE, BEHIND)
    words = broken_words(((page.number, text.regions) for page, text in leaves), "de")
    material = Material(book, lambda: leaves, Choices({words[1].key: Choice.KEEP}))
    wholes = [
        word.broken.whole
        for page in paged(material, ExportOptions()).pages()
        for line in page.lines()
        for word in line.words
        if word.broken is not None and word.broken.part == 1
    ]
    assert wholes == ["Verlag,", "Ver-lag.", "Verlag", "Verlag.", "Verlage"]


def test_exports_have_the_order_that_the_screen_has(desk, tmp_path):
    desk.session.blocks.move(0, 2, -1)
    text = export(desk, tmp_path)
    assert text.index("A second paragraph.") < text.index("The book was printed")


def test_decisions_are_kept_followed_by_exports_and_reversible(desk, tmp_path):
    desk.session.proofs.correct(0, 1, "the print-\ned book and the print-\ned page")
    desk.settle()
    ledger = desk.session.hyphens
    ledger.list_all()
    listed = desk.wait_for(HyphensListed)
    word = next(word for word in listed.words if word.second == "ed")
    assert "the printed book" in export(desk, tmp_path)
    ledger.decide(word, Choice.KEEP, everywhere=False)
    assert "the print-ed book and the printed page" in export(desk, tmp_path)
    ledger.decide(word, None, everywhere=False)
    ledger.decide(word, Choice.APART, everywhere=True)
    assert "the print- ed book" in export(desk, tmp_path)
    ledger.list_all()
    assert desk.wait_for(HyphensListed).choices.words == {"print-\ned": Choice.APART}
    ledger.decide(word, None, everywhere=True)
    assert "the printed book" in export(desk, tmp_path)
    assert "print-\ned" in desk.reading(0).text  # the printed form is kept


def export(desk: Desk, folder) -> str:
    from app.answers import ExportEnded

    desk.settle()
    path = folder / "out.md"
    options = ExportOptions(pages=(0,), page_marks="none")
    desk.session.exports.begin(ExportOrder(path, "markdown", options, replace=True))
    desk.wait_for(ExportEnded)
    return path.read_text()
