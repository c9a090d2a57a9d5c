"""The process is killed in the middle of a run and of corrections, again and again."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.proofing import Correction
from app.store.database import BookStore
from tests.app.store_books import book_of, undone

pytestmark = pytest.mark.unit

PAGES = 5


def saves_before_kill(path: Path, *, start: int, lines: int) -> Iterator[tuple[str, int, str]]:
    """Let a child save, kill it after so many saves; what it said was saved."""
    command = [sys.executable, "-m", "tests.app.store_books", str(path), str(start)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            for _line in range(lines):
                yield _said(child.stdout.readline())
        finally:
            child.kill()
            rest = child.stdout.read()
    yield from (_said(line) for line in rest.splitlines(keepends=True) if line.endswith("\n"))


def _said(line: str) -> tuple[str, int, str]:
    what, page, text = line.rstrip("\n").split(" ", 2)
    return what, int(page), text


def step_of(text: str) -> int:
    return int(text.split()[1])


def check(path: Path, said: list[tuple[str, int, str]]) -> None:
    """Every save that was reported is there, and nothing stands between two states."""
    with BookStore.open(path) as store:
        assert not store.read_only, "the lock went with the process"
        read = {page: {each.text for each in store.history(page)} for page in range(PAGES)}
        assert all(text in read[page] for what, page, text in said if what == "read")
        typed = {page: text for what, page, text in said if what == "typed"}
        for page, text in typed.items():
            current = store.current(page)
            assert current is not None
            assert current.source.by == "hand"
            assert step_of(current.text) >= step_of(text)
            assert store.page(page).by_hand
            last = store.undo_of(page)[0]
            assert isinstance(last, Correction)
            assert last.after.text == current.text
        assert not {page.state for page in store.book().pages} & {"reading"}


def kill_often(path: Path, *, times: int, seed: int) -> None:
    rng = random.Random(seed)
    BookStore.create(path, book_of(PAGES)).close()
    said: list[tuple[str, int, str]] = []
    for _time in range(times):
        start = max((step_of(text) for _what, _page, text in said), default=0) + 1
        said += saves_before_kill(path, start=start, lines=rng.randint(1, 25))
        check(path, said)
    assert {what for what, _page, _text in said} == {"read", "typed"}


def test_every_page_and_correction_reported_before_a_kill_is_found_again(tmp_path):
    kill_often(tmp_path / "book.sqlite", times=4, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_many_kills_at_other_moments_lose_nothing_either(tmp_path, seed):
    kill_often(tmp_path / "book.sqlite", times=12, seed=seed + 100)


def test_corrections_can_be_taken_back_after_a_kill(tmp_path):
    path = tmp_path / "book.sqlite"
    BookStore.create(path, book_of(PAGES)).close()
    said = list(saves_before_kill(path, start=1, lines=40))
    page = next(page for what, page, _text in said if what == "typed")
    with BookStore.open(path) as store:
        last = store.undo_of(page)[0]
        assert isinstance(last, Correction)
        assert undone(store, page).text == last.before.text
