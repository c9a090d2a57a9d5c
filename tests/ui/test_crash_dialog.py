"""After a fault: the work is safe, the report can be copied, the person decides."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from ui.crash_dialog import CrashDialog

pytestmark = pytest.mark.ui

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(qtbot):
    dialog = CrashDialog("Incunable: 0.1\nKeyError", log=Path("/state/log/incunable.log"))
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_the_report_is_shown_and_copied_whole(dialog, qtbot):
    qtbot.mouseClick(dialog.copy, LEFT)
    assert QGuiApplication.clipboard().text() == "Incunable: 0.1\nKeyError"
    assert dialog.copy.text() == "Copied"
    assert dialog.report.isReadOnly()


def test_a_second_fault_joins_the_first(dialog):
    dialog.add("second")
    assert dialog.report.toPlainText().endswith("KeyError\n\n\nsecond")
    assert dialog.count.text() == "2 faults"


def test_going_on_is_the_default_and_escape_does_the_same(dialog, qtbot):
    with qtbot.assertNotEmitted(dialog.quit_asked):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_quitting_is_asked_of_the_window(dialog, qtbot):
    with qtbot.waitSignal(dialog.quit_asked):
        qtbot.mouseClick(dialog.quit, LEFT)
