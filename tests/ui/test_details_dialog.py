"""Book details: optional, easily declined, typed as people type."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.book import Details
from ui.details_dialog import LANGUAGES, LANGUAGES_MORE, DetailsDialog, language_text

pytestmark = pytest.mark.ui

KNOWN = Details("Nubis", "A. Author", "1619", "Sig. 12", "de", "Latf", "ltr", "two parts")


@pytest.fixture
def first(qtbot):
    dialog = DetailsDialog(Details(), is_first=True)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.mark.parametrize("details", [Details(), KNOWN, Details(language="frm", script="Egyp")])
def test_what_is_known_is_shown_and_comes_back_unchanged(details, qtbot):
    dialog = DetailsDialog(details)
    qtbot.addWidget(dialog)
    assert dialog.details() == details


def test_what_was_typed_is_told_once_without_stray_spaces(first, qtbot):
    qtbot.keyClicks(first.lines["title"], "  Von der  Reise ")
    first.language.setCurrentIndex(first.language.findData("la"))
    first.script.setCurrentIndex(first.script.findData("Latn"))
    first.notes.setPlainText("bound with another\n")
    declined: list[bool] = []
    first.declined.connect(lambda: declined.append(True))
    with qtbot.waitSignal(first.saved) as told:
        qtbot.keyClick(first.lines["title"], Qt.Key.Key_Return)
    assert told.args == [
        Details(title="Von der Reise", language="la", script="Latn", notes="bound with another")
    ]
    assert not declined
    assert not first.isVisible()


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("Deutsch", "de"),
        ("deutsch (de)", "de"),
        ("LA", "la"),
        ("frm", "frm"),
        ("", ""),
        ("Latina", "la"),
    ],
)
def test_a_language_may_be_a_name_of_the_list_or_any_code(first, typed, code):
    first.language.setEditText(typed)
    assert first.details().language == code


def test_not_now_is_one_key_or_click_away(first, qtbot):
    assert first.decline.text() == "Not now"
    with qtbot.waitSignal(first.declined), qtbot.assertNotEmitted(first.saved):
        qtbot.keyClick(first, Qt.Key.Key_Escape)


def test_called_by_hand_it_cancels(qtbot):
    dialog = DetailsDialog(KNOWN)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.declined), qtbot.assertNotEmitted(dialog.saved):
        qtbot.mouseClick(dialog.decline, Qt.MouseButton.LeftButton)
    assert dialog.decline.text() == "Cancel"


def test_every_language_has_a_name_of_its_own(qapp):
    names = [language_text(code) for code in (*LANGUAGES, *LANGUAGES_MORE)]
    assert len(set(names)) == len(names)
    assert not [name for name in names if name.startswith(("(", "C ("))]


def test_every_field_has_a_name(first):
    fields = (*first.lines.values(), first.language, first.script, first.direction, first.notes)
    assert all(field.accessibleName() for field in fields)
