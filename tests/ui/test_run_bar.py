"""The run bar: one sentence, its numbers, and the three filled buttons."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.events import EngineSource, Memory, Stage
from app.run_view import RunState, RunView
from ui.run_bar import RunBar
from ui.status_area import StatusArea

pytestmark = pytest.mark.ui

NOW = datetime(2026, 11, 30, 16, 0, tzinfo=UTC)
READING = RunView(
    state=RunState.RUNNING,
    stage=Stage.READING,
    page=12,
    label="ix",
    book_pages=348,
    done=12,
    pages=348,
    proofread=9,
    steps_per_s=512.3,
    pages_per_minute=41.2,
    seconds_left=500,
    finish=NOW + timedelta(minutes=40),
    last_step_age_s=0.1,
    engine=EngineSource("unlimited-ocr", "v2", device="NVIDIA H200"),
)
IDLE = RunView(state=RunState.IDLE, book_pages=348, done=20, pages=348)


@pytest.fixture
def bar(qtbot):
    bar = RunBar()
    qtbot.addWidget(bar)
    bar.resize(1280, 60)
    bar.show()
    return bar


def said(bar: RunBar) -> list[str]:
    return [label.text() for label in bar.facts.values() if label.isVisible()]


def test_a_run_is_told_whole(bar):
    bar.show_run(READING, now=NOW)
    assert bar.sentence.text() == "Reading page 13 of 348 (ix)"
    assert said(bar) == [
        "512 tok/s",
        "41.2 pages/min",
        "9 min left",
        "done 16:40",
        "Unlimited-OCR · NVIDIA H200",
        "proofread 9 of 348",
    ]


def test_lines_silence_waiting_books_and_another_book(bar):
    view = replace(
        READING, step_unit="lines", steps_per_s=8.41, last_step_age_s=14, waiting=2, title="Nubis"
    )
    bar.show_run(view, now=NOW)
    assert bar.sentence.text().endswith("of “Nubis”")
    assert "8.41 lines/s" in said(bar)
    assert "proofread 9" in said(bar)
    assert said(bar)[-2:] == ["2 books waiting", "last step 14 s ago"]
    assert bar.facts["heartbeat"].warns


def test_what_is_not_known_is_not_shown(bar):
    bar.show_run(RunView(), now=NOW)
    assert said(bar) == []
    bar.show_run(replace(READING, steps_per_s=None, seconds_left=None, finish=None), now=NOW)
    assert not any("None" in text for text in said(bar))


def test_progress_starts_at_the_pages_already_done(bar):
    bar.show_run(replace(READING, done=120), now=NOW)
    assert (bar.progress.value(), bar.progress.maximum()) == (120, 348)


@pytest.mark.parametrize(
    ("view", "word", "can_go", "can_stop"),
    [
        (RunView(), "Read", False, False),
        (IDLE, "Read", True, False),
        (replace(IDLE, done=348), "Read", False, False),
        (READING, "Pause", True, True),
        (replace(READING, state=RunState.PAUSED), "Go on", True, True),
        (replace(READING, state=RunState.STOPPING), "Pause", False, False),
    ],
)
def test_buttons_offer_what_is_possible(bar, view, word, can_go, can_stop):
    bar.show_run(view, now=NOW)
    assert (bar.go.text(), bar.go.isEnabled(), bar.stop.isEnabled()) == (word, can_go, can_stop)


def test_buttons_order_what_they_say(bar, qtbot):
    for view, button, signal in (
        (IDLE, bar.go, bar.start_asked),
        (READING, bar.go, bar.pause_asked),
        (replace(READING, state=RunState.PAUSED), bar.go, bar.resume_asked),
        (READING, bar.stop, bar.stop_asked),
    ):
        bar.show_run(view, now=NOW)
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_escape_stops_nothing(bar, qtbot):
    bar.show_run(READING, now=NOW)
    with qtbot.assertNotEmitted(bar.stop_asked):
        qtbot.keyClick(bar.go, Qt.Key.Key_Escape)
        qtbot.keyClick(bar.stop, Qt.Key.Key_Escape)


def test_the_button_keeps_its_width_whatever_it_says(bar):
    widths = set()
    for view in (IDLE, READING, replace(READING, state=RunState.PAUSED)):
        bar.show_run(view, now=NOW)
        QApplication.processEvents()
        widths.add(bar.go.width())
    assert len(widths) == 1


def test_neighbours_stand_still_while_numbers_change(bar):
    bar.show_run(replace(READING, steps_per_s=1000.2), now=NOW)
    QApplication.processEvents()
    before = bar.facts["engine"].x()
    bar.show_run(replace(READING, steps_per_s=9.0), now=NOW)
    QApplication.processEvents()
    assert bar.facts["engine"].x() == before


def test_a_narrow_bar_takes_two_rows_and_cuts_nothing_off(bar):
    bar.show_run(READING, now=NOW)
    wide = bar.heightForWidth(1280)
    narrow = bar.heightForWidth(500)
    assert narrow > wide
    bar.resize(500, narrow)
    QApplication.processEvents()
    shown = [bar.sentence, *(label for label in bar.facts.values() if label.isVisible())]
    assert all(bar.rect().contains(label.geometry()) for label in shown)
    assert all(label.width() >= label.sizeHint().width() for label in shown)


def test_buttons_and_progress_have_names(bar):
    assert bar.progress.accessibleName() == "Pages done"
    assert bar.go.text()
    assert bar.stop.text()


# --- the foot of the window -------------------------------------------------------------------


@pytest.fixture
def foot(qtbot, monkeypatch):
    monkeypatch.setattr("ui.status_area.TICK_MS", 10)
    foot = StatusArea()
    qtbot.addWidget(foot)
    foot.resize(1280, 80)
    foot.show()
    return foot


def test_only_a_run_asks_for_fresh_views(foot, qtbot):
    foot.show_run(IDLE)
    with qtbot.assertNotEmitted(foot.fresh_view_wanted, wait=60):
        pass
    with qtbot.waitSignal(foot.fresh_view_wanted):
        foot.show_run(READING)
    foot.show_run(IDLE)
    with qtbot.assertNotEmitted(foot.fresh_view_wanted, wait=60):
        pass


def test_the_plot_grows_with_the_run_and_begins_anew_with_the_next(foot):
    foot.show_memory(Memory("cpu", 1000, work_bytes=100, free_bytes=900))
    foot.show_run(READING)
    foot.tick(READING)
    foot.tick(READING)
    assert "Speed: 512 tok/s" in foot.plot.accessibleDescription()
    foot.tick(IDLE)
    assert "Speed" in foot.plot.accessibleDescription()
    foot.show_run(READING)
    assert foot.plot.accessibleDescription() == ""


def test_a_click_on_the_gauge_opens_the_plot(foot, qtbot):
    qtbot.mouseClick(foot.gauge, Qt.MouseButton.LeftButton)
    assert foot.plot.isVisible()
    foot.plot.close()
