"""Pages are asked for as people write them, and what was understood is said at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from ui.pages_dialog import PagesDialog

pytestmark = pytest.mark.ui

LABELS = ["i", "ii", "iii", "1", "2", "3"]


@pytest.fixture
def some(qtbot):
    dialog = PagesDialog(LABELS, title="Read which pages?", order="Read")
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.fixture
def one(qtbot):
    dialog = PagesDialog(LABELS, title="Go to which page?", order="Go", is_one=True)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_a_range_is_told_as_pages(some, qtbot):
    qtbot.keyClicks(some.line, "1, p. 2-")
    assert some.message.text() == "3 pages"
    with qtbot.waitSignal(some.chosen) as told:
        qtbot.keyClick(some.line, Qt.Key.Key_Return)
    assert told.args == [(0, 4, 5)]


def test_one_page_is_named_by_both_numbers(one, qtbot):
    qtbot.keyClicks(one.line, "p. 1")
    assert one.message.text() == "page 4 of the scan, printed 1"
    with qtbot.waitSignal(one.chosen) as told:
        qtbot.mouseClick(one.go, Qt.MouseButton.LeftButton)
    assert told.args == [(3,)]


@pytest.mark.parametrize("given", ["7", "x", "2-1", "p. 9"])
def test_what_names_no_page_cannot_be_ordered(some, qtbot, given):
    qtbot.keyClicks(some.line, given)
    assert "the scan has pages 1 to 6" in some.message.text()
    assert some.message.warns
    assert not some.go.isEnabled()


def test_a_range_is_not_one_page(one, qtbot):
    qtbot.keyClicks(one.line, "1-2")
    assert not one.go.isEnabled()


def test_before_anything_is_typed_it_says_how(some):
    assert "p. 12 the printed one" in some.message.text()
    assert not some.message.warns
    assert not some.go.isEnabled()
