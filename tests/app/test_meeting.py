"""What is done to a book one after another by different parts: each step can be taken back.

Replacing over the book, blocks, styles, typing, earlier readings and moved pages all write into the
same journal and under the same page numbers.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import blocks, page_orders, styles
from app.answers import ExportEnded, PagesStored
from app.arranging import carry_out
from app.blocks import Regions
from app.book import PageState, Source
from app.doubting import PagesJudged
from app.exporting import ExportOrder
from app.finding_values import Asked, Plan, ReplaceEnded
from app.hyphen_orders import HyphensListed
from app.letter_testing import LettersLoaded, pages_to_test
from app.preparing import Arranged
from app.proofing import change_between
from app.session import Session
from app.store.database import BookStore
from app.store.patterns import template_of
from app.store.replacing import At, Replacement
from app.store.search import query_of
from tests.app.books import make_scan
from tests.app.desk import Desk
from tests.app.store_books import NOON, book_of, first_format, machine

pytestmark = pytest.mark.unit

PAGES = 3
Step = Callable[[BookStore, int], None]


def put(store: BookStore, page: int, change: Callable[[Regions], Regions]) -> None:
    """What the desk does with an order on blocks."""
    reading = store.current(page)
    if reading is None or not reading.regions:
        return
    regions = change(reading.regions)
    correction = change_between(reading.regions, regions)
    if correction is not None:
        source = Source("hand", NOON + timedelta(minutes=1), person="Aldus")
        store.save_hand(
            page, replace(reading, regions=regions, source=source), correction=correction
        )


def typing(store: BookStore, page: int) -> None:
    put(store, page, lambda these: (replace(these[0], text=f"{these[0].text} nota"), *these[1:]))


def moving(store: BookStore, page: int) -> None:
    put(store, page, lambda these: blocks.moved(these, 0, 1, {}).regions)


def dividing(store: BookStore, page: int) -> None:
    def divided(these: Regions) -> Regions:
        parts = blocks.split(these[0], len(these[0].text) // 2)
        return these if parts is None else (*parts, *these[1:])

    put(store, page, divided)


def merging(store: BookStore, page: int) -> None:
    put(store, page, lambda these: (blocks.merged(*these[:2]), *these[2:]) if these[1:] else these)


def setting(store: BookStore, page: int) -> None:
    put(
        store, page, lambda these: (styles.styled(these[0], 0, 3, "italic", is_on=True), *these[1:])
    )


def replacing(store: BookStore, _page: int) -> None:
    query = query_of("the")
    assert query is not None
    places = {}
    for match in store.search(query).matches:
        places.setdefault(match.page, set()).add(At(match.region, match.start))
    kept = {page: frozenset(at) for page, at in places.items()}
    store.replace(Replacement(query, template_of("THAT", None), "the", "THAT", kept, "Aldus"))


def taking_back(store: BookStore, _page: int) -> None:
    store.take_back_replacement(person="Aldus")


def undoing(store: BookStore, page: int) -> None:
    store.undo(page)


def redoing(store: BookStore, page: int) -> None:
    store.redo(page)


def reverting(store: BookStore, page: int) -> None:
    store.make_current(page, store.history(page)[-1].id)


def accepting(store: BookStore, page: int) -> None:
    store.set_state([page], PageState.PROOFREAD, person="Aldus")


def exchanging(store: BookStore, page: int) -> None:
    carry_out(store, page_orders.move((page,), 1))


STEPS: tuple[Step, ...] = (
    *(typing, moving, dividing, merging, setting, replacing, taking_back),
    *(undoing, redoing, reverting, accepting, exchanging),
)


def steps_back(store: BookStore, page: int) -> int:
    """Undo all there is; how many steps that were."""
    for step in range(100):
        if store.undo(page) is None:
            return step
    raise AssertionError("there is no end to it")


@settings(max_examples=25)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, PAGES - 1)), max_size=12))
def test_what_was_done_in_any_order_is_undone_and_made_again(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("book") / "book.sqlite"
    with BookStore.create(path, book_of(PAGES)) as store:
        for page in range(PAGES):
            reading = machine(f"the leaf {page} of the book", "and of the press")
            store.save_read(page, reading=reading, state=PageState.READ)
        for step, page in steps:
            step(store, page)
        for page in range(PAGES):
            before = store.current(page)
            assert before is not None
            for _step in range(steps_back(store, page)):
                assert store.redo(page) is not None
            again = store.current(page)
            assert again is not None
            assert again.regions == before.regions


# --- through the session ------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path: Path):
    """A book of the first version of the program."""
    scan = make_scan(tmp_path / "scan", 4)
    path = first_format(tmp_path / "old.sqlite", pages=4)
    with Desk() as desk:
        desk.open(scan, store_path=path)
        desk.settle()
        yield desk


def test_an_old_book_is_doubted_replaced_tested_and_arranged(old):
    session = old.session
    session.doubts.build()
    old.wait_for(PagesJudged, when=lambda _event: not session.doubts.is_building)
    session.finding.prepare(Asked("printed"), "Printed")
    plan = old.wait_for(Plan)
    assert plan.total == 4 * 38
    session.finding.replace(plan, plan.places)
    assert old.wait_for(ReplaceEnded).error is None
    session.finding.take_back()
    assert old.wait_for(ReplaceEnded).outcome.left_out == ()
    session.hyphens.list_all()
    old.wait_for(HyphensListed)
    session.letters.begin(pages_to_test(old.book))
    assert old.wait_for(LettersLoaded).test is not None
    session.proofs.person = "Beatus"
    session.proofs.accept((0, 1))
    old.wait_for(PagesStored)
    assert old.book.pages[0].acceptances[-1].person == "Beatus"
    session.preparing.move((0,), 2)
    old.wait_for(Arranged)
    assert old.book.pages[2].acceptances[-1].person == "Beatus"
    session.working.load()
    old.settle()
    assert {notice.error.code for notice in session.notices} <= {"source_changed"}


FILL = """
import resource, sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from app.answers import CorrectionKept, CorrectionStored
from app.book import PageState
from app.doubting import PagesJudged
from app.exporting import ExportOrder
from app.finding_values import Asked, Plan, ReplaceEnded
from tests.app.desk import Desk
from tests.app.store_books import machine

_soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
with Desk() as desk:
    desk.open(Path(sys.argv[1]), store_path=Path(sys.argv[2]))
    session, now = desk.session, [0.0]
    session.working.clock = lambda: now[0]
    region = machine("zqx bock cifies wvx").regions[0]
    words = tuple(word._replace(score=0.1) for word in region.words)
    unsure = replace(machine("-"), regions=(replace(region, words=words),))
    save = partial(desk.store.save_read, 1, reading=unsure, state=PageState.READ)
    session._workers.store.submit(save).result()
    session.doubts.build()
    desk.wait_for(PagesJudged, when=lambda _event: not session.doubts.is_building)
    session.doubts.next()
    session.turn_to(0)
    desk.settle()
    session.finding.prepare(Asked("printed"), "PRINTED")
    plan = desk.wait_for(Plan)
    text = desk.reading(0).text
    for notice in session.notices:
        session.dismiss(notice.number)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    session.finding.replace(plan, plan.places)
    print("replace", desk.wait_for(ReplaceEnded).error.code, desk.reading(0).text == text)
    print("editable", session.is_editable(0))
    session.working.touch()
    now[0] = 31.0
    session.working.touch()
    session.catalogue.note_opening("Aldus")
    session.catalogue.note_opening("Aldus")
    for _word in range(3):
        session.doubts.accept()
    desk.settle()
    print("answered", session.doubts.looked_at)
    print("told", [notice.error.code for notice in session.notices])
    session.proofs.correct(0, 0, "typed while the disk was full")
    desk.wait_for(CorrectionKept)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    session.proofs.save_again()
    desk.wait_for(CorrectionStored)
    print("typed", desk.reading(0).text, session.proofs.has_unsaved)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of files are POSIX")
def test_a_full_disk_is_told_once_and_costs_nothing(tmp_path):
    scan = make_scan(tmp_path / "scan", 4)
    path = first_format(tmp_path / "old.sqlite", pages=4)
    command = [sys.executable, "-c", FILL, str(scan), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "replace store_unwritable True",
        "editable True",
        "answered 3",
        "told ['store_unwritable']",
        "typed typed while the disk was full False",
    ]


def insert_image(session: Session) -> object:
    assert session.book is not None
    return session.preparing.insert(0, session.book.paths[0] / "p1.png")


# --- put away in the middle ---------------------------------------------------------------------

UNDER_WAY: dict[str, Callable[[Session], object]] = {
    "doubts": lambda session: session.doubts.next(),
    "find": lambda session: session.finding.find(Asked("leaf")),
    "plan": lambda session: session.finding.prepare(Asked("leaf"), "page"),
    "take back": lambda session: session.finding.take_back(),
    "hyphens": lambda session: session.hyphens.list_all(),
    "letters": lambda session: session.letters.begin(range(3)),
    "last letters": lambda session: session.letters.load(),
    "proposals": lambda session: session.preparing.search.find(),
    "move": lambda session: session.preparing.move((0,), 1),
    "insert": insert_image,
    "history": lambda session: session.proofs.history(0),
    "undo": lambda session: session.proofs.undo(0),
    "accept": lambda session: session.proofs.accept((0, 1)),
    "typing": lambda session: session.proofs.correct(0, 0, "typed"),
    "progress": lambda session: session.working.load(),
    "reading": lambda session: session.runs.start((1,), again=True),
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk() as desk:
        desk.open(make_scan(tmp_path / "scan", 3))
        desk.read()
        yield desk


def rest(desk: Desk) -> None:
    """Take in what is under way on both workers, and what follows from it."""
    for _round in range(3):
        desk.session._workers.jobs.submit(lambda: None).result(timeout=10)
        desk.settle()


@pytest.mark.parametrize("work", UNDER_WAY)
def test_a_book_put_away_in_the_middle_is_whole_when_it_is_opened_again(desk, work):
    scan = desk.book.paths[0]
    UNDER_WAY[work](desk.session)
    desk.session.close_book()
    assert desk.session.book is None
    desk.open(scan)
    rest(desk)
    assert not desk.session.read_only
    for page in desk.book.pages:
        desk.session.proofs.load(page.number)
    rest(desk)
    old = [page.number for page in desk.book.pages if desk.session.reading(page.number)]
    assert len(old) == 3
    assert all(desk.session.is_editable(page) for page in old)
    assert desk.session.finding.plan is None
    assert desk.session.doubts.at is None
    desk.session.doubts.build()
    desk.wait_for(PagesJudged, when=lambda _event: not desk.session.doubts.is_building)


@pytest.mark.slow
@pytest.mark.parametrize("work", UNDER_WAY)
def test_the_program_ends_in_the_middle(desk, work):
    UNDER_WAY[work](desk.session)


def test_a_book_closed_while_it_is_exported_is_written_whole_and_its_log_says_so(desk, tmp_path):
    scan, out = desk.book.paths[0], tmp_path / "out.md"
    desk.session.exports.begin(ExportOrder(out, "markdown"))
    desk.session.close_book()
    ended = desk.wait_for(ExportEnded)
    assert ended.report is not None
    assert out.exists()
    desk.open(scan)
    rest(desk)
    assert not desk.session.read_only
    desk.session.exports.save_log(tmp_path / "log.csv")
    rest(desk)
    assert "out.md" in (tmp_path / "log.csv").read_text(encoding="utf-8-sig")
    assert not desk.session.notices
