"""Rates, time left and the sentence of a run."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.events import EngineSource, Stage
from app.run_view import (
    PAGES_REMEMBERED,
    STEP_WINDOW_S,
    Pace,
    RunState,
    RunView,
    duration_text,
    engine_text,
    finish_text,
    heartbeat_text,
    median_page_s,
    run_sentence,
)

pytestmark = pytest.mark.unit

READING = RunView(
    state=RunState.RUNNING,
    stage=Stage.READING,
    page=12,
    book_pages=348,
    done=12,
    pages=348,
)


def pace_of(ends_s: list[float]) -> Pace:
    pace = Pace()
    for end in ends_s:
        pace = pace.with_page(end)
    return pace


def test_before_the_first_page_ends_nothing_is_promised():
    pace = pace_of([10.0])
    assert pace.page_s is None
    assert pace.pages_per_minute is None
    assert pace.seconds_left(100, 11.0) is None


def test_one_slow_page_does_not_move_the_time_left():
    steady = [2.0 * page for page in range(11)]
    stuck = [*steady, 320.0, 322.0]
    assert pace_of(stuck).seconds_left(50, 322.0) == pytest.approx(100.0)


def test_time_spent_on_the_page_under_way_is_not_counted_twice():
    pace = pace_of([0.0, 4.0, 8.0])
    assert pace.seconds_left(10, 9.0) == pytest.approx(39.0)
    assert pace.seconds_left(10, 500.0) == pytest.approx(36.0)


def test_only_the_last_pages_count():
    slow = [100.0 * page for page in range(50)]
    fast = [slow[-1] + 1.0 * page for page in range(1, PAGES_REMEMBERED + 2)]
    pace = pace_of(slow + fast)
    assert pace.page_s == pytest.approx(1.0)
    assert len(pace.page_ends_s) == PAGES_REMEMBERED + 1


@given(st.lists(st.floats(0.1, 600), min_size=1, max_size=60))
def test_seconds_a_page_lie_between_the_quickest_and_the_slowest(seconds):
    ends = [0.0]
    for each in seconds:
        ends.append(ends[-1] + each)
    page_s = median_page_s(ends)
    assert page_s is not None
    assert min(seconds) - 1e-6 <= page_s <= max(seconds) + 1e-6


@given(st.lists(st.floats(0.1, 600), min_size=1, max_size=40), st.integers(0, 3000))
def test_time_left_is_never_negative_and_ends_at_nothing(seconds, pages_left):
    ends = [0.0]
    for each in seconds:
        ends.append(ends[-1] + each)
    pace = pace_of(ends)
    left = pace.seconds_left(pages_left, ends[-1] + 1)
    more = pace.seconds_left(pages_left + 1, ends[-1] + 1)
    assert left is not None
    assert more is not None
    assert 0 <= left <= more
    assert pace.seconds_left(0, ends[-1] + 1) == 0


@given(st.integers(1, 50), st.integers(2, 40))
def test_a_steady_engine_shows_its_rate(steps, ticks):
    pace = Pace()
    for tick in range(ticks):
        pace = pace.with_steps(tick * 0.05, steps)
    assert pace.steps_per_s((ticks - 1) * 0.05) == pytest.approx(steps / 0.05)


def test_a_stall_shows_as_no_step_and_as_a_heartbeat():
    pace = Pace().with_steps(0.0, 20).with_steps(0.1, 20)
    assert pace.steps_per_s(0.1 + STEP_WINDOW_S + 1) == 0.0
    assert pace.last_step_age_s(15.0) == pytest.approx(14.9)
    assert heartbeat_text(14.9) == "last step 14 s ago"
    assert heartbeat_text(9.0) == ""
    assert heartbeat_text(None) == ""


def test_steps_are_forgotten_after_the_window():
    pace = Pace()
    for tick in range(20_000):
        pace = pace.with_steps(tick * 0.05, 5)
    assert len(pace.steps) <= STEP_WINDOW_S / 0.05 + 2


def test_a_resumed_run_starts_at_what_was_done():
    assert replace(READING, done=120).share == pytest.approx(120 / 348)
    assert RunView().share == 0.0


@given(st.integers(0, 4000), st.integers(0, 4000))
def test_the_share_stays_within_its_bar(done, pages):
    assert 0 <= RunView(done=done, pages=pages).share <= 1


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (RunView(), "No book is open"),
        (RunView(state=RunState.IDLE, done=20, pages=348), "20 of 348 pages read"),
        (RunView(state=RunState.IDLE, done=1, pages=1), "1 of 1 page read"),
        (replace(READING, stage=Stage.LOADING, page=None), "Loading the engine"),
        (replace(READING, stage=Stage.RENDERING), "Preparing page 13 of 348"),
        (READING, "Reading page 13 of 348"),
        (replace(READING, label="ix"), "Reading page 13 of 348 (ix)"),
        (replace(READING, label="13"), "Reading page 13 of 348"),
        (replace(READING, stage=Stage.SAVING), "Saving page 13 of 348"),
        (replace(READING, state=RunState.PAUSED), "Paused at page 13 of 348"),
        (replace(READING, state=RunState.STOPPING), "Stopping at page 13 of 348"),
        (replace(READING, title="Nubis"), "Reading page 13 of 348 of “Nubis”"),
        (replace(READING, state=RunState.PAUSED, page=None), "Paused at the first page"),
    ],
)
def test_one_sentence_says_what_happens(view, sentence):
    assert run_sentence(view) == sentence


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "under 1 min"),
        (60, "under 1 min"),
        (61, "2 min"),
        (59 * 60, "59 min"),
        (3 * 3600 + 20 * 60, "3 h 20 min"),
        (51 * 3600, "2 d 3 h"),
    ],
)
def test_durations_as_people_say_them(seconds, text):
    assert duration_text(seconds) == text


@given(st.floats(0, 1e7))
def test_any_duration_has_words(seconds):
    assert duration_text(seconds)


def test_the_finish_names_its_day_unless_it_is_today():
    now = datetime(2026, 11, 30, 14, 0)
    assert finish_text(now + timedelta(hours=2, minutes=40), now) == "16:40"
    assert finish_text(now + timedelta(hours=12), now) == "tomorrow 02:00"
    assert finish_text(now + timedelta(days=4), now) == "2026-12-04 14:00"


def test_engine_and_device_are_named():
    assert engine_text(EngineSource("line-reader", "3.10")) == "Line reader · processor"
    card = EngineSource("unlimited-ocr", "v2", device="NVIDIA H200")
    assert engine_text(card) == "Unlimited-OCR · NVIDIA H200"
    assert engine_text(EngineSource("new-one", "1")) == "new-one · processor"
    assert engine_text(None) == ""
