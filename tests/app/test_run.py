from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.book import Page, PageState
from app.events import (
    Finished,
    PageFinished,
    PageStarted,
    Paused,
    Resumed,
    Stage,
    StageChanged,
    Started,
    TextAdded,
)
from app.run import Run, follow, view_of_run
from app.run_view import RunState
from model.api import EngineSource, Piece

pytestmark = pytest.mark.unit

NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)


def told(*events_at, run=None):
    run = run or Run(1, "b", (3, 4, 5, 6), done_before=3)
    for event, at_s in events_at:
        run = follow(run, event, at_s)
    return run


def finished(number):
    return PageFinished(1, Page(number, state=PageState.READ))


def test_progress_starts_at_the_pages_already_done():
    view = view_of_run(told((Started(1, "b", (3, 4, 5, 6)), 0)), 0, NOW)
    assert (view.done, view.pages) == (3, 7)


def test_time_left_comes_from_the_pages_that_ended():
    run = told(
        (Started(1, "b", (3, 4, 5, 6)), 0),
        (StageChanged(1, Stage.READING, engine=EngineSource("fake", "1")), 10),
        (PageStarted(1, 3), 10),
        (finished(3), 14),
        (finished(4), 18),
    )
    view = view_of_run(run, 18, NOW)
    assert view.seconds_left == pytest.approx(8)
    assert view.finish is not None


def test_loading_the_engine_makes_no_page_slow():
    slow_load = told(
        (Started(1, "b", (3, 4, 5, 6)), 0),
        (StageChanged(1, Stage.READING, engine=EngineSource("fake", "1")), 100),
        (finished(3), 104),
    )
    assert view_of_run(slow_load, 104, NOW).seconds_left == pytest.approx(12)


def test_a_pause_over_night_changes_no_rate():
    before = [
        (Started(1, "b", (3, 4, 5, 6)), 0),
        (StageChanged(1, Stage.READING, engine=EngineSource("fake", "1")), 0),
        (finished(3), 4),
    ]
    run = told(*before, (Paused(1), 5))
    assert view_of_run(run, 30_000, NOW).state is RunState.PAUSED
    assert view_of_run(run, 30_000, NOW).finish is None
    run = told((Resumed(1), 30_000), (finished(4), 30_003), run=run)
    assert view_of_run(run, 30_003, NOW).pages_per_minute == pytest.approx(15)


def test_steps_are_lines_with_the_line_reader_and_tokens_else():
    for engine, unit in (("line-reader", "lines"), ("unlimited-ocr", "tokens")):
        run = told((StageChanged(1, Stage.READING, engine=EngineSource(engine, "1")), 0))
        assert view_of_run(run, 0, NOW).step_unit == unit


def test_text_counts_as_steps_and_a_last_event_changes_nothing():
    pieces = (Piece(3, 0, "a"),)
    run = told(*((TextAdded(1, 3, pieces, steps=5), second) for second in range(4)))
    assert view_of_run(run, 3, NOW).steps_per_s == pytest.approx(5)
    assert follow(run, Finished(1), 4) == run
