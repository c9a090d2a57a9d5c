"""Dialogs about a book close with it, and can be opened again for the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from tests.app.books import make_scan
from tests.app.store_books import machine
from tests.ui.windows import open_with
from ui.studio import Studio

pytestmark = pytest.mark.ui


@pytest.fixture
def scan(tmp_path) -> Path:
    return make_scan(tmp_path / "scan", 2)


@pytest.fixture
def studio(make_studio, qtbot, scan) -> Studio:
    studio = make_studio()
    open_with(qtbot, studio, scan, [machine("and its cel-\nlar"), machine("of two cities")])
    return studio


def shown(kind: str) -> list[QDialog]:
    return [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, QDialog) and type(each).__name__ == kind and each.isVisible()
    ]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("replace", "ReplaceDialog"),
        ("hyphens", "HyphenDialog"),
        ("characters", "CharacterPicker"),
        ("letter_test", "LetterDialog"),
    ],
)
def test_a_dialog_of_a_book_that_was_closed_is_opened_for_the_next(
    qtbot, studio, scan, command, kind
):
    studio.orders.carry_out(command)
    assert shown(kind)
    studio.orders.carry_out("close")
    assert not shown(kind)
    studio.opening.open([scan])
    qtbot.waitUntil(lambda: studio.window.text.has_text, timeout=10_000)
    studio.orders.carry_out(command)
    qtbot.waitUntil(lambda: bool(shown(kind)), timeout=5_000)


def test_the_ledger_is_opened_again_after_pages_were_moved(qtbot, studio):
    studio.orders.carry_out("hyphens")
    studio.orders.carry_out("move_later")
    qtbot.waitUntil(lambda: not shown("HyphenDialog"), timeout=5_000)
    studio.orders.carry_out("hyphens")
    assert shown("HyphenDialog")
