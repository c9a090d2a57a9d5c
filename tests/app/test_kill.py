"""Promise one: SIGKILL at any moment loses nothing that was finished or corrected."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.book import PageState
from tests.app.books import make_scan
from tests.app.desk import Desk

ROOT = Path(__file__).parents[2]
MOMENTS = [random.Random(seed).uniform(0.1, 1.5) for seed in range(12)]

pytestmark = pytest.mark.unit


def killed_after(seconds: float, what: str, scan: Path) -> list[list[str]]:
    """Let a child work until its first word and `seconds` more, kill it; what it had said."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.app.kill_child", what, str(scan)],
        cwd=ROOT,
        env=os.environ,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(seconds)
    child.kill()
    rest, _ = child.communicate()
    lines = (first + rest).splitlines(keepends=True)
    return [line.split() for line in lines if line.endswith("\n")]  # the last may be cut short


def check_pages(seconds: float, scan: Path) -> None:
    told = [words for words in killed_after(seconds, "read", scan) if words[0] == "page"]
    assert told
    with Desk() as desk:
        desk.open(scan)
        for _, number, letters in told:
            desk.session.turn_to(int(number))
            desk.settle()
            assert len(desk.reading(int(number)).text) == int(letters)
        states = {page.state for page in desk.book.pages}
        assert states <= {PageState.READ, PageState.UNREAD}
        assert len(told) <= sum(page.state is PageState.READ for page in desk.book.pages)


def check_corrections(seconds: float, scan: Path) -> None:
    told = [words for words in killed_after(seconds, "correct", scan) if words[0] == "correction"]
    assert told
    with Desk() as desk:
        desk.open(scan)
        desk.session.turn_to(0)
        desk.settle()
        word, count = desk.reading(0).regions[2].text.split()
        assert word == "correction"
        assert int(count) >= int(told[-1][1])  # the one on its way may have made it


def test_a_killed_run_keeps_every_finished_page(tmp_path):
    check_pages(0.4, make_scan(tmp_path / "scan", 60))


def test_a_killed_correction_keeps_every_one_before(tmp_path):
    check_corrections(0.3, make_scan(tmp_path / "scan", 1))


@pytest.mark.slow
@pytest.mark.parametrize("seconds", MOMENTS)
def test_pages_survive_a_kill_at_any_moment(tmp_path, seconds):
    check_pages(seconds, make_scan(tmp_path / "scan", 60))


@pytest.mark.slow
@pytest.mark.parametrize("seconds", MOMENTS)
def test_corrections_survive_a_kill_at_any_moment(tmp_path, seconds):
    check_corrections(seconds, make_scan(tmp_path / "scan", 1))
