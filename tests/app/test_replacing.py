"""One text put instead of another over the whole book, in the store and through the session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answers import CorrectionKept, CorrectionStored, MatchesFound, ReadingLoaded
from app.book import Page, PageState
from app.errors import FindError, StoreError
from app.finding_values import Asked, Plan, ReplaceEnded, accepted_pages
from app.finding_words import ended_text
from app.store.database import BookStore
from app.store.patterns import compiled, template_of
from app.store.planning import Planned
from app.store.replacing import At, Outcome, Replacement
from app.store.search import hits_of, query_of
from app.store.swaps import swaps_of
from model.fake import FakeRecogniser
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import book_of, correct, machine, redone, text_of, undone

pytestmark = pytest.mark.unit


def replaced(text: str, sought: str, instead: str, **how) -> str:
    """The text with every place replaced."""
    query = query_of(sought, **how)
    assert query is not None
    for swap in reversed(swaps_of(query, template_of(instead, query.pattern), text)):
        text = text[: swap.start] + swap.text + text[swap.end :]
    return text


@pytest.mark.parametrize(
    ("text", "sought", "instead", "expected"),
    [
        ("tbe house and tbe tree", "tbe", "the", "the house and the tree"),
        ("tbe\nhouse", "tbe house", "the house", "the\nhouse"),
        ("an exam-\nple here", "example", "examples", "an exam-\nples here"),
        ("an exam-\nple here", "example", "“example”", "an “exam-\nple” here"),
        ("a well-\nknown man", "well-known", "well-knowing", "a well-\nknowing man"),
        ("an exam-\nple here", "example", "zzz", "an zzz\nhere"),
        ("an exam-\nple.", "example", "zzz", "an zzz."),
        ("one\ntwo three", "one two", "twelve", "twelve\nthree"),
        ("exam¬\nple", "example", "exanple", "exan¬\nple"),
        ("a a a", "a", "", "  "),
    ],
)
def test_printed_line_ends_keep_their_place(text, sought, instead, expected):
    assert replaced(text, sought, instead) == expected


def test_a_pattern_takes_its_groups_along_as_they_are_printed():
    assert replaced("Café-Satz", r"(\w+)-(\w+)", r"\2 \1", is_pattern=True) == "Satz Café"
    blind = {"is_pattern": True, "ignore_diacritics": True}
    assert replaced("le café noir", "(cafe) noir", r"\1 \\", **blind) == "le café \\"
    assert replaced("year 1619", r"(?P<y>\d+)", r"[\g<y>]", is_pattern=True) == "year [1619]"
    assert replaced("an exam-\nple", r"e(\w+)", r"E\1", is_pattern=True) == "an Exam-\nple"
    assert replaced("aXb", "(a)|(b)", r"<\1\2>", is_pattern=True) == "<a>X<b>"


@pytest.mark.parametrize(
    ("pattern", "instead", "code"),
    [
        ("(", "", "pattern_bad"),
        ("a**", "", "pattern_bad"),
        ("[", "", "pattern_bad"),
        ("(a)", r"\2", "template_bad"),
        ("a", "\\", "template_bad"),
        ("a" * 3000, "", "pattern_long"),
        ("(a)", r"\g<name>", "template_bad"),
    ],
)
def test_what_makes_no_sense_is_told_in_plain_words(pattern, instead, code):
    with pytest.raises(FindError) as told:
        template_of(instead, compiled(pattern, match_case=True))
    assert told.value.code == code
    assert "{" not in str(told.value)


def test_a_pattern_without_end_is_given_up():
    query = query_of("(a|aa)+c", is_pattern=True)
    assert query is not None
    with pytest.raises(FindError) as told:
        hits_of(query, "a" * 5000, timeout_s=0.05)
    assert told.value.code == "pattern_slow"


@given(st.text("ab -\né", max_size=40), st.text("abé", min_size=1, max_size=3), st.text("xyz"))
def test_nothing_but_the_places_found_changes(text, sought, instead):
    query = query_of(sought)
    assert query is not None
    behind = 0
    for swap in swaps_of(query, template_of(instead, None), text):
        assert behind <= swap.start < swap.end <= len(text)
        behind = swap.end
        assert swap.text.replace("\n", "").replace("-", "").replace(" ", "") == instead


def order(store: BookStore, sought: str, instead: str, **more) -> Replacement:
    query = query_of(sought)
    assert query is not None
    places: dict[int, set[At]] = {}
    for match in store.find(sought):
        places.setdefault(match.page, set()).add(At(match.region, match.start))
    frozen = {page: frozenset(each) for page, each in places.items()}
    return Replacement(query, template_of(instead, None), sought, instead, frozen, "Aldus", **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[BookStore]:
    with BookStore.create(path, book_of(4)) as store:
        store.save_read(0, reading=machine("tbe one", "and tbe two"), state=PageState.READ)
        store.save_read(1, reading=machine("nothing here"), state=PageState.READ)
        store.save_read(2, reading=machine("tbe three"), state=PageState.READ)
        yield store


def test_a_replacement_is_a_reading_by_hand_and_one_step_of_each_page(store):
    outcome = store.replace(order(store, "tbe", "the"))
    assert outcome == Outcome("tbe", "the", (0, 2), (), 3)
    assert text_of(store, 0) == "the one\n\nand the two"
    assert [reading.source.by for reading in store.history(0)] == ["hand", "model"]
    assert store.history(0)[0].source.person == "Aldus"
    assert len(store.history(1)) == 1
    assert undone(store, 0).text == "tbe one\n\nand tbe two"
    assert redone(store, 0).text == "the one\n\nand the two"
    assert store.find("tbe") == ()
    assert [match.page for match in store.find("the two")] == [0]


def test_one_step_takes_the_whole_replacement_back_even_after_closing(store, path):
    store.replace(order(store, "tbe", "the"))
    store.close()
    with BookStore.open(path) as again:
        outcome = again.take_back_replacement(person="Aldus")
        assert outcome is not None
        assert (outcome.changed, outcome.left_out, outcome.is_taken_back) == ((0, 2), (), True)
        assert text_of(again, 0) == "tbe one\n\nand tbe two"
        assert text_of(again, 2) == "tbe three"
        assert redone(again, 2).text == "the three"
        assert again.take_back_replacement() is None


def test_the_last_replacement_is_taken_back_first(store):
    store.replace(order(store, "tbe", "the"))
    store.replace(order(store, "the", "THE"))
    store.take_back_replacement()
    assert text_of(store, 2) == "the three"
    store.take_back_replacement()
    assert text_of(store, 2) == "tbe three"


def test_what_was_typed_since_then_stays_and_is_named(store):
    store.replace(order(store, "tbe", "the"))
    correct(store, 0, "the first", region=0)
    correct(store, 2, "quite another", region=0)
    outcome = store.take_back_replacement(person="Aldus")
    assert outcome is not None
    assert (outcome.changed, outcome.left_out) == ((0,), (0, 2))
    assert text_of(store, 0) == "the first\n\nand tbe two"
    assert text_of(store, 2) == "quite another"
    assert undone(store, 0).text == "the first\n\nand the two"


def test_a_page_on_which_it_was_taken_back_already_is_left_alone(store):
    store.replace(order(store, "tbe", "the"))
    undone(store, 0)
    outcome = store.take_back_replacement()
    assert outcome is not None
    assert (outcome.changed, outcome.left_out) == ((2,), ())
    assert text_of(store, 0) == "tbe one\n\nand tbe two"


def test_a_page_whose_text_changed_since_it_was_listed_is_left_out_and_named(store):
    planned = order(store, "tbe", "the")
    correct(store, 2, "something else")
    outcome = store.replace(planned)
    assert (outcome.changed, outcome.left_out, outcome.places) == ((0,), (2,), 2)
    assert text_of(store, 2) == "something else"
    told = ended_text(ReplaceEnded("b", outcome, being_read=(6,)))
    assert "“the” was put instead of “tbe” at 2 places on 1 page." in told
    assert "page 3" in told
    assert "page 7 (the engine is reading there)" in told


def test_all_of_it_or_nothing(store, monkeypatch):
    def fail(*_args: object, **_more: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("app.store.journal.add", fail)
    with pytest.raises(RuntimeError):
        store.replace(order(store, "tbe", "the"))
    assert text_of(store, 0) == "tbe one\n\nand tbe two"
    assert store.take_back_replacement() is None


def test_boxes_and_words_stay_with_their_words(store):
    before = store.current(2).regions[0]
    store.replace(order(store, "tbe", "the very"))
    after = store.current(2).regions[0]
    assert after.words[-1].box == before.words[-1].box
    assert after.text[after.words[-1].start : after.words[-1].end] == "three"


# --- through the session ------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path) -> Iterator[Desk]:
    with Desk(FakeRecogniser) as desk:
        desk.open(make_scan(tmp_path / "scan", 4))
        desk.read()
        desk.settle()
        yield desk


def prepare(desk: Desk, asked: Asked, instead: str) -> Plan:
    desk.session.finding.prepare(asked, instead)
    return desk.wait_for(Plan)


def replace_all(desk: Desk, plan: Plan, places: tuple[Planned, ...]) -> ReplaceEnded:
    desk.session.finding.replace(plan, places)
    return desk.wait_for(ReplaceEnded)


def test_the_text_on_the_screen_is_the_new_one(desk):
    desk.session.turn_to(1)
    if desk.session.reading(1) is None:
        desk.wait_for(ReadingLoaded)
    plan = prepare(desk, Asked("leaf"), "page")
    pages = {place.match.page for place in plan.places}
    assert 1 in pages
    assert plan.total == len(plan.places)
    ended = replace_all(desk, plan, plan.places)
    assert ended.outcome is not None
    assert set(ended.outcome.changed) == pages
    assert "page" in desk.reading(1).text
    assert desk.session.is_editable(1)
    assert desk.book.pages[1].by_hand
    desk.session.finding.take_back()
    desk.wait_for(ReplaceEnded)
    assert "leaf" in desk.reading(1).text


def test_no_page_is_edited_while_the_store_replaces(desk):
    plan = prepare(desk, Asked("leaf"), "page")
    desk.session.turn_to(1)
    desk.settle()
    assert desk.session.is_editable(1)
    change = desk.session.finding.replace(plan, plan.places)
    assert 1 in change.pages
    assert not desk.session.is_editable(1)
    desk.wait_for(ReplaceEnded)
    assert desk.session.is_editable(1)


def test_a_page_turned_to_while_the_store_replaces_has_its_new_text(desk):
    for page in (1, 2):
        desk.session.turn_to(page)
        desk.settle()
    plan = prepare(desk, Asked("leaf"), "page")
    desk.session.finding.replace(plan, plan.places)
    desk.session.turn_to(1)
    desk.wait_for(ReplaceEnded)
    desk.settle()
    assert "page" in desk.reading(1).text
    assert desk.session.is_editable(1)


def test_nothing_is_replaced_while_what_was_typed_waits_for_the_disk(desk, monkeypatch):
    plan = prepare(desk, Asked("leaf"), "page")
    save = desk.store.save_hand
    monkeypatch.setattr(desk.store, "save_hand", _full)
    desk.session.proofs.correct(0, 0, "A NEW HEAD")
    desk.wait_for(CorrectionKept)
    saved_at = desk.session.proofs.saved_at
    desk.session.finding.replace(plan, plan.places)
    assert desk.session.finding.ended.error.code == "store_unwritable"
    assert not desk.session.finding.is_replacing
    assert desk.session.proofs.saved_at == saved_at
    desk.wait_for(CorrectionKept)
    monkeypatch.setattr(desk.store, "save_hand", save)
    desk.session.proofs.save_again()
    desk.wait_for(CorrectionStored)
    assert replace_all(desk, plan, plan.places).error is None
    assert desk.reading(0).regions[0].text == "A NEW HEAD"


def _full(*_order: object, **_more: object) -> Page:
    raise StoreError("store_unwritable", detail="the disk is full", folder="/")


def test_how_a_replacement_ended_is_nothing_to_the_book_opened_meanwhile(desk, tmp_path):
    plan = prepare(desk, Asked("leaf"), "page")
    desk.session.finding.replace(plan, plan.places)
    desk.session.close_book()
    desk.wait_for(ReplaceEnded)
    desk.open(make_scan(tmp_path / "other", 1))
    assert desk.session.finding.ended is None
    assert not desk.session.finding.is_replacing


def test_a_place_can_be_left_out(desk):
    plan = prepare(desk, Asked("leaf"), "page")
    left = plan.places[0]
    replace_all(desk, plan, plan.places[1:])
    again = prepare(desk, Asked("leaf"), "page")
    assert [place.match for place in again.places] == [left.match]


def test_proofread_pages_among_the_places_are_known(desk):
    desk.session.proofs.accept((2,))
    desk.settle()
    plan = prepare(desk, Asked("leaf"), "page")
    assert set(accepted_pages(plan, desk.book.pages)) == {2}
    replace_all(desk, plan, plan.places)
    assert desk.book.pages[2].state is PageState.PROOFREAD


def test_a_page_that_the_engine_reads_is_left_out_and_named(desk):
    plan = prepare(desk, Asked("leaf"), "page")
    desk.session.finding.is_reading = lambda _book, page: page == 1
    ended = replace_all(desk, plan, plan.places)
    assert ended.being_read == (1,)
    assert ended.outcome is not None
    assert 1 not in ended.outcome.changed


def test_a_bad_pattern_is_an_answer_and_no_fault(desk):
    plan = prepare(desk, Asked("(", is_pattern=True), "x")
    assert plan.error is not None
    desk.session.finding.find(Asked("(", is_pattern=True))
    found: MatchesFound = desk.wait_for(MatchesFound)
    assert found.error is not None
    assert desk.session.finding.found is found


def test_only_the_answer_to_the_last_question_counts(desk):
    desk.session.finding.find(Asked("leaf"))
    desk.session.finding.find(Asked("nirgends"))
    desk.wait_for(MatchesFound, when=lambda found: found.text == "nirgends")
    assert desk.session.finding.found.total == 0


def test_earlier_readings_are_searched_when_asked(desk):
    plan = prepare(desk, Asked("leaf"), "page")
    replace_all(desk, plan, plan.places)
    desk.session.finding.find(Asked("leaf"))
    assert desk.wait_for(MatchesFound).total == 0
    desk.session.finding.find(Asked("leaf"), in_earlier=True)
    found = desk.wait_for(MatchesFound)
    assert found.total == len(plan.places)
    assert all(match.reading_id for match in found.matches)


def test_nothing_is_replaced_in_a_book_that_is_open_elsewhere(desk):
    plan = prepare(desk, Asked("leaf"), "page")
    desk.store._refusal = StoreError("store_locked")
    ended = replace_all(desk, plan, plan.places)
    assert ended.error is not None
    assert not desk.session.finding.is_replacing
    desk.store._refusal = None
