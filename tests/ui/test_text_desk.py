"""Styles, marks, notes at the foot, signs and broken words in the whole window, by typed keys."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFont, QHelpEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolTip

from app.book import Mark, Reading, Region, Source, Style
from app.desk.hyphens import Break, Choice
from model.api import Box, Kind
from tests.app.books import make_scan
from tests.ui.scans import found
from tests.ui.windows import open_with, press_key
from ui.character_picker import CharacterPicker
from ui.compose_dialog import ComposeDialog
from ui.hyphen_dialog import HyphenDialog
from ui.hyphen_model import Shown
from ui.mark_dialog import MarkDialog
from ui.page_facts_dialog import PageFactsDialog
from ui.page_grid import PageGrid
from ui.page_text import Place
from ui.studio import Studio

pytestmark = pytest.mark.ui

Dialog = TypeVar("Dialog", bound=QDialog)

HEAD = Region(Kind.HEADING, "Was iſt Aufklärung?", Box(40, 20, 380, 50))
BODY = Region(Kind.TEXT, "Aufklärung 1) iſt der Aus-\ngang des Menſchen", Box(40, 60, 380, 120))
NOTE = Region(Kind.NOTE, "1) Siehe S. 516.", Box(40, 500, 380, 530))
NUMBER = Region(Kind.PAGE_NUMBER, "— 12 —", Box(180, 560, 240, 580))
SECOND = Region(Kind.TEXT, "Der Ausgang iſt frei.", Box(40, 60, 380, 120))
HEBREW = Region(Kind.TEXT, "שלום עולם", Box(40, 60, 380, 120))
CHINESE = Region(Kind.TEXT, "人之初性本善", Box(40, 140, 380, 220))


def reading(*regions: Region) -> Reading:
    return Reading(regions, Source("model", datetime(2026, 11, 3, tzinfo=UTC)))


@pytest.fixture
def scan(tmp_path) -> Path:
    return make_scan(tmp_path / "scan", 4)


@pytest.fixture
def studio(qtbot, make_studio, scan) -> Studio:
    studio = make_studio()
    open_with(
        qtbot,
        studio,
        scan,
        [
            reading(HEAD, BODY, NOTE, NUMBER),
            reading(SECOND, Region(Kind.PAGE_NUMBER, "15")),
            reading(HEBREW, CHINESE),
        ],
    )
    studio.window.text.setFocus()
    return studio


def regions(studio: Studio) -> tuple[Region, ...]:
    found = studio.session.reading(studio.session.page)
    assert found is not None
    return found.regions


def dialog(qtbot, kind: type[Dialog]) -> Dialog:
    def found():
        return [
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, kind) and each.isVisible()
        ]

    qtbot.waitUntil(lambda: bool(found()), timeout=5_000)
    return found()[0]


def undo(qtbot, studio: Studio) -> None:
    before = regions(studio)
    QTest.keyClick(studio.window.text.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: regions(studio) != before, timeout=5_000)


def form_at(studio: Studio, block: int, offset: int):
    cursor = QTextCursor(studio.window.text.editor.document().findBlockByNumber(block))
    cursor.setPosition(cursor.position() + offset + 1)
    return cursor.charFormat()


# styles


def test_selected_letters_are_set_in_italics_and_back_by_key(qtbot, studio):
    text = studio.window.text
    text.select(Place(1, 0), Place(1, 10))
    press_key(studio, "style_italic")
    assert regions(studio)[1].styles == (Style(0, 10, "italic"),)
    assert form_at(studio, 1, 3).fontItalic()
    assert text.editor.textCursor().selectedText() == "Aufklärung"  # stays selected
    press_key(studio, "style_italic")
    assert regions(studio)[1].styles == ()
    undo(qtbot, studio)
    assert form_at(studio, 1, 3).fontItalic()


def test_each_style_has_its_key_and_takes_the_word_where_nothing_is_selected(studio):
    studio.window.text.set_cursor(1, 3)
    for command, shows in SHOWN_AS.items():
        assert not shows(form_at(studio, 1, 3)), command
        press_key(studio, command)
        assert regions(studio)[1].styles == ((0, 10, command.removeprefix("style_")),)
        assert shows(form_at(studio, 1, 3)), command
        press_key(studio, command)


SHOWN_AS = {
    "style_bold": lambda form: form.fontWeight() == QFont.Weight.Bold,
    "style_small_caps": lambda form: form.fontCapitalization() == QFont.Capitalization.SmallCaps,
    "style_letter_spaced": lambda form: form.fontLetterSpacing() > 100,
    "style_superscript": lambda form: (
        form.verticalAlignment() == form.VerticalAlignment.AlignSuperScript
    ),
    "style_subscript": lambda form: (
        form.verticalAlignment() == form.VerticalAlignment.AlignSubScript
    ),
}


def test_a_selection_over_two_blocks_is_styled_in_both_and_taken_back_at_once(qtbot, studio):
    studio.window.text.select(Place(0, 4), Place(1, 10))
    press_key(studio, "style_bold")
    styled = [region.styles for region in regions(studio)[:2]]
    assert styled == [(Style(4, 19, "bold"),), (Style(0, 10, "bold"),)]
    undo(qtbot, studio)
    assert [region.styles for region in regions(studio)[:2]] == [(), ()]


def test_styles_move_with_what_is_typed_before_them(qtbot, studio):
    studio.window.text.select(Place(1, 14), Place(1, 17))
    press_key(studio, "style_italic")
    studio.window.text.set_cursor(1, 0)
    qtbot.keyClicks(studio.window.text.editor, "Die ")
    studio.window.flush()
    block = regions(studio)[1]
    assert block.text[block.styles[0].start : block.styles[0].end] == "iſt"


def test_hebrew_and_chinese_are_typed_styled_and_marked(qtbot, studio):
    studio.orders.turn_to(2)
    qtbot.waitUntil(lambda: studio.window.text.texts[:1] == [HEBREW.text])
    text = studio.window.text
    text.select(Place(0, 0), Place(0, 4))
    press_key(studio, "style_bold")
    text.set_cursor(0, 4)
    text.editor.type_text("׃")
    text.select(Place(1, 2), Place(1, 4))
    press_key(studio, "mark_unclear")
    asked = dialog(qtbot, MarkDialog)
    qtbot.keyClicks(asked.line, "?")
    qtbot.keyClick(asked.line, Qt.Key.Key_Return)
    assert regions(studio)[0].text == "שלום׃ עולם"
    assert regions(studio)[0].styles == (Style(0, 4, "bold"),)
    assert regions(studio)[1].marks == (Mark(2, 4, "unclear", "?"),)
    text.set_cursor(1, 3)
    press_key(studio, "block_split")
    assert [region.text for region in regions(studio)[1:]] == ["人之初", "性本善"]


def test_a_page_that_is_open_elsewhere_offers_no_style(qtbot, studio, make_studio, scan):
    other = make_studio()
    other.opening.open([scan])
    qtbot.waitUntil(lambda: other.window.text.has_text, timeout=10_000)
    assert other.session.read_only
    for command in ("style_italic", "mark_gap", "block_delete", "compose", "edit_table"):
        assert not other.window.commands[command].isEnabled(), command


# marks


def test_an_unclear_place_is_marked_shown_changed_and_removed_by_key(qtbot, studio):
    text = studio.window.text
    text.select(Place(1, 0), Place(1, 10))
    before = text.editor.viewport().grab().toImage()
    press_key(studio, "mark_unclear")
    asked = dialog(qtbot, MarkDialog)
    qtbot.keyClicks(asked.line, "Aufklarung")
    qtbot.keyClick(asked.line, Qt.Key.Key_Return)
    assert regions(studio)[1].marks == (Mark(0, 10, "unclear", "Aufklarung"),)
    assert text.editor.viewport().grab().toImage() != before
    text.set_cursor(1, 5)
    press_key(studio, "mark_unclear")  # the one that stands here
    asked = dialog(qtbot, MarkDialog)
    assert asked.line.text() == "Aufklarung"
    asked.remove.click()
    assert regions(studio)[1].marks == ()
    undo(qtbot, studio)
    assert len(regions(studio)[1].marks) == 1


def test_a_gap_needs_no_letter_and_a_remark_needs_words(qtbot, studio):
    studio.window.text.set_cursor(1, 10)
    press_key(studio, "mark_gap")
    qtbot.keyClick(dialog(qtbot, MarkDialog).line, Qt.Key.Key_Return)
    assert regions(studio)[1].marks == (Mark(10, 10, "gap"),)
    press_key(studio, "mark_note")
    asked = dialog(qtbot, MarkDialog)
    assert not asked.keep.isEnabled()
    asked.reject()


def test_marks_are_reached_by_key_listed_and_told_by_the_mouse(qtbot, studio):
    text = studio.window.text
    orders, tell = studio.session.blocks, studio.signals.tell
    tell(orders.mark(0, 1, Mark(3, 5, "unclear", "kl")))
    tell(orders.mark(0, 2, Mark(0, 2, "note", "ſic")))
    text.set_cursor(0, 0)
    press_key(studio, "next_mark")
    assert text.place == Place(1, 3)
    assert text.editor.accessibleDescription() == QToolTip.text() == "Unclear, “kl”: kl"
    press_key(studio, "next_mark")
    assert text.place == Place(2, 0)
    press_key(studio, "previous_mark")
    assert text.place == Place(1, 3)
    press_key(studio, "marks")
    card = studio.window.entry_card
    assert card.isVisible()
    qtbot.keyClicks(card.line, "remark")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    assert text.place == Place(2, 0)
    rect = text.editor.cursorRect()
    at = QPoint(rect.left() + 2, rect.center().y())
    event = QHelpEvent(QEvent.Type.ToolTip, at, text.editor.viewport().mapToGlobal(at))
    QApplication.sendEvent(text.editor.viewport(), event)
    assert "ſic" in QToolTip.text()


def test_the_page_has_a_note_and_a_number_that_can_be_changed(qtbot, studio):
    book = studio.session.book
    assert book is not None
    assert book.pages[0].label == "12"
    press_key(studio, "page_facts")
    asked = dialog(qtbot, PageFactsDialog)
    assert asked.number.text() == "12"
    asked.number.setText("13")
    qtbot.keyClicks(asked.note, "Wasserfleck am Rand")
    asked.keep.click()
    qtbot.waitUntil(lambda: studio.session.page_at(0).note == "Wasserfleck am Rand")
    qtbot.waitUntil(lambda: studio.session.page_at(0).label == "13")
    qtbot.waitUntil(lambda: "note: Wasserfleck am Rand" in studio.window.side.foot.text)
    assert "(13)" in studio.window.tools.total.text()


def test_the_number_of_a_page_without_text_is_taken_back_by_key(qtbot, make_studio, tmp_path):
    studio = make_studio()
    open_with(qtbot, studio, make_scan(tmp_path / "scan", 2), [reading(BODY)])
    studio.orders.turn_to(1)
    qtbot.waitUntil(lambda: studio.session.proofs.is_loaded(1))
    press_key(studio, "page_facts")
    asked = dialog(qtbot, PageFactsDialog)
    qtbot.keyClicks(asked.number, "xii")
    asked.keep.click()
    qtbot.waitUntil(lambda: studio.session.page_at(1).label == "xii")
    studio.window.activateWindow()
    qtbot.waitUntil(studio.window.isActiveWindow)
    press_key(studio, "undo")
    qtbot.waitUntil(lambda: studio.session.page_at(1).label == "")
    press_key(studio, "redo")
    qtbot.waitUntil(lambda: studio.session.page_at(1).label == "xii")
    studio.window.text.setFocus()
    editor = studio.window.text.editor
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: studio.session.page_at(1).label == "")


def test_a_number_that_does_not_follow_is_told_in_the_list_and_at_the_foot(qtbot, studio):
    model = found(studio.window.pages, PageGrid).model()
    qtbot.waitUntil(lambda: studio.session.page_at(1).label == "15")
    words = model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "where 13 would follow" in words
    assert model.index(1, 0).data().endswith("!")
    studio.orders.turn_to(1)
    qtbot.waitUntil(lambda: "where 13 would follow" in studio.window.side.foot.text)
    press_key(studio, "page_notes")
    qtbot.keyClick(studio.window.entry_card.line, Qt.Key.Key_Return)
    assert studio.session.page == 1


# notes at the foot


def test_from_a_mark_to_its_note_and_back(studio):
    text = studio.window.text
    text.set_cursor(1, 12)
    press_key(studio, "note_jump")
    assert text.place == Place(2, 0)
    press_key(studio, "note_jump")
    assert text.place.region == 1


def test_another_mark_is_tied_to_the_note_by_hand(qtbot, studio):
    text = studio.window.text
    text.select(Place(1, 14), Place(1, 17))
    press_key(studio, "note_link")
    card = studio.window.entry_card
    qtbot.waitUntil(card.isVisible)
    qtbot.keyClicks(card.line, "Siehe")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    text.set_cursor(2, 4)
    press_key(studio, "note_jump")
    assert text.place == Place(1, 14)
    text.set_cursor(1, 15)
    press_key(studio, "note_link")
    qtbot.keyClicks(card.line, "no note")
    qtbot.keyClick(card.line, Qt.Key.Key_Return)
    text.set_cursor(2, 4)
    press_key(studio, "note_jump")
    assert text.place.region == 1
    assert text.place.offset < 14  # found by itself again


# signs


def test_a_sign_is_found_by_its_name_and_put_in_at_the_cursor(qtbot, studio):
    text = studio.window.text
    text.set_cursor(1, 0)
    press_key(studio, "characters")
    picker = dialog(qtbot, CharacterPicker)
    qtbot.keyClicks(picker.line, "rotunda")
    assert picker.sign in "ꝛꝚ"
    picker.line.clear()
    qtbot.keyClicks(picker.line, "long s")
    assert picker.sign == "ſ"
    assert "long s" in picker.name.text()
    qtbot.keyClick(picker.line, Qt.Key.Key_Return)
    assert not picker.isVisible()
    assert text.texts[1].startswith("ſAuf")
    assert studio.session.settings.recent_characters[0] == "ſ"


def test_a_combining_mark_joins_its_letter_and_a_favourite_is_remembered(qtbot, studio):
    text = studio.window.text
    text.set_cursor(2, 4)
    press_key(studio, "characters")
    picker = dialog(qtbot, CharacterPicker)
    qtbot.keyClicks(picker.line, "U+0301")
    qtbot.keyClick(picker.line, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert "\u0301" in studio.session.settings.favourite_characters
    qtbot.keyClick(picker.line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert picker.isVisible()
    picker.reject()
    assert regions(studio)[2].text == "1) Śiehe S. 516."


def test_a_rule_is_applied_only_when_asked_for_and_can_be_changed(qtbot, studio):
    text = studio.window.text
    text.set_cursor(2, 0)
    qtbot.keyClicks(text.editor, "das :s")
    assert text.texts[2].startswith("das :s1)")
    press_key(studio, "compose")
    assert text.texts[2].startswith("das ſ1)")
    assert text.place == Place(2, 5)
    press_key(studio, "compose")  # no rule fits
    assert text.texts[2].startswith("das ſ1)")
    undo(qtbot, studio)
    assert regions(studio)[2].text.startswith("das :s1)")
    studio.window.commands["compose_rules"].trigger()
    rules = dialog(qtbot, ComposeDialog)
    rules.text.setPlainText(":s ẞ\nnothing")
    rules.keep.click()
    assert studio.session.settings.compose_rules == ((":s", "ẞ"),)


# broken words


@pytest.fixture
def ledger(qtbot, studio) -> HyphenDialog:
    press_key(studio, "hyphens")
    found = dialog(qtbot, HyphenDialog)
    qtbot.waitUntil(lambda: found.list.model().rowCount() == 1, timeout=5_000)
    return found


def row(ledger: HyphenDialog) -> list[str]:
    model = ledger.list.model()
    return [model.index(0, column).data() for column in range(model.columnCount())]


def test_the_ledger_tells_what_is_proposed_and_why(ledger):
    assert row(ledger) == [
        "1",
        "Aus- | gang",
        "Ausgang",
        "the book has it in one piece elsewhere",
        "",
    ]


def test_decisions_are_made_by_key_and_taken_back(qtbot, studio, ledger):
    qtbot.keyClick(ledger.list, Qt.Key.Key_K)
    assert row(ledger)[2::2] == ["Aus-gang", "keep the hyphen"]
    qtbot.keyClick(ledger.list, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    assert row(ledger)[2] == "Aus-gang"  # what was said of this very break holds
    qtbot.keyClick(ledger.list, Qt.Key.Key_P)
    assert row(ledger)[2::2] == ["Aus- gang", "keep apart, everywhere"]
    for _ in range(3):
        qtbot.keyClick(ledger.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert row(ledger)[2::2] == ["Ausgang", ""]
    assert "Aus-\ngang" in regions(studio)[1].text


def test_a_decision_is_in_the_book_and_enter_goes_to_the_place(qtbot, studio, ledger):
    qtbot.keyClick(ledger.list, Qt.Key.Key_J)
    shown = studio.session.shown
    assert shown is not None
    with shown.store.reader() as reader:
        qtbot.waitUntil(lambda: len(reader.hyphen_choices().breaks) == 1)
        assert reader.hyphen_choices().of(Break(0, "Aus-\ngang", 0)) is Choice.JOIN
    qtbot.keyClick(ledger.list, Qt.Key.Key_Return)
    assert studio.window.text.editor.textCursor().selectedText() == "Aus-"


def test_the_ledger_can_be_narrowed(qtbot, ledger):
    ledger.shown.setCurrentIndex(list(Shown).index(Shown.DECIDED))
    assert ledger.list.model().rowCount() == 0
    ledger.shown.setCurrentIndex(0)
    qtbot.keyClicks(ledger.letters, "ausg")
    assert ledger.list.model().rowCount() == 1
    qtbot.keyClicks(ledger.letters, "x")
    assert ledger.list.model().rowCount() == 0


def test_every_control_of_the_dialogs_has_a_name(qtbot, studio, ledger):
    press = (QDialog,)
    picker = CharacterPicker("ſ", "", studio.window)
    qtbot.addWidget(picker)
    for each in (ledger, picker):
        assert isinstance(each, press)
        for name in ("line", "group", "signs", "list", "letters", "shown"):
            control = getattr(each, name, None)
            if control is not None:
                assert control.accessibleName(), name
