"""Signals that ask the program to end, told on the UI thread; a window that they end is elsewhere.

See `test_hostile_window`.
"""

from __future__ import annotations

import signal
import sys

import pytest
from PySide6.QtCore import QObject

from ui.end_signals import ENDING, EndSignals

pytestmark = [
    pytest.mark.ui,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals"),
]


@pytest.fixture
def ends(qapp):
    """On signals as a terminal hands them on, whatever this run was started from."""
    before = {each: signal.signal(each, signal.SIG_DFL) for each in ENDING}
    parent = QObject()
    yield EndSignals(parent)
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.parametrize(
    ("number", "told"),
    [("SIGINT", "interrupted"), ("SIGTERM", "ended"), ("SIGHUP", "ended")],
)
def test_a_signal_is_told_while_qt_waits(ends, qtbot, number, told):
    ends.watch()
    try:
        with qtbot.waitSignal(getattr(ends, told)):
            signal.raise_signal(getattr(signal, number))
    finally:
        ends.release()


def test_a_signal_that_whoever_started_the_program_had_ignored_stays_ignored(ends):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    ends.watch()
    try:
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is not signal.SIG_DFL
    finally:
        ends.release()


def test_the_signals_are_given_back(ends):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ends.watch()
    ends.release()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.set_wakeup_fd(-1) == -1
