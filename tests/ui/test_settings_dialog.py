"""Settings are told at once, shown as they are, found by a word, and can be set back."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.settings import Engine, Settings
from ui.compose_dialog import ComposeDialog
from ui.dialogs import SCREEN_SHARE
from ui.settings_dialog import SettingsDialog
from ui.settings_table import GB, PAGES, languages

pytestmark = pytest.mark.ui

CHANGED = Settings(
    engine=Engine.LINE_READER,
    checkpoint=Path("/nowhere/v2"),
    device="cpu",
    gpu_memory_limit_bytes=12 * GB,
    mode="continuous",
    window_size=32,
    sparsity_ratio=0.25,
    chunk_size=2,
    max_pages=900,
    person="A. Reader",
    theme="dark",
    text_scale=1.5,
    language="en",
    page_limit_megapixels=400,
    inhibit_sleep=False,
)


@pytest.fixture
def dialog(qtbot):
    dialog = SettingsDialog(Settings())
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.fixture
def told(dialog):
    told: list[Settings] = []
    dialog.changed.connect(told.append)
    return told


def shown_fields(dialog: SettingsDialog) -> list[str]:
    rows = [row for section in dialog.sections for row in section.rows]
    return [row.setting.field for row in rows if row.isVisible()]


def page_named(name: str) -> int:
    return [page.name for page in PAGES].index(name)


def test_every_setting_but_the_keys_has_a_row():
    rows = [row.field for page in PAGES for row in page.rows]
    elsewhere = {"shortcuts", "recent_characters"}  # those are chosen by using them
    assert sorted(rows) == sorted({each.name for each in fields(Settings)} - elsewhere)


def test_showing_settings_tells_nothing(dialog, told):
    dialog.show_settings(CHANGED)
    dialog.show_settings(Settings())
    QApplication.processEvents()
    assert told == []


def test_each_change_is_told_whole_and_at_once(dialog, told, qtbot):
    row = dialog.row
    engines = row("engine").control.box
    engines.activated.emit(engines.findText("Line reader"))
    row("checkpoint").control.line.setText("/nowhere/v2")
    row("checkpoint").control.line.editingFinished.emit()
    row("device").control.box.activated.emit(2)
    row("gpu_memory_limit_bytes").control.box.setValue(12)
    row("mode").control.box.activated.emit(3)
    row("window_size").control.box.setValue(32)
    row("sparsity_ratio").control.box.setValue(25)
    row("chunk_size").control.box.setValue(2)
    row("max_pages").control.box.setValue(900)
    row("person").control.line.setText(" A. Reader ")
    row("person").control.line.editingFinished.emit()
    row("theme").control.box.activated.emit(2)
    row("text_scale").control.box.setValue(150)
    row("language").control.box.activated.emit(1 + languages().index("en"))
    row("page_limit_megapixels").control.box.setValue(400)
    qtbot.mouseClick(row("inhibit_sleep").control.box, Qt.MouseButton.LeftButton)
    assert told[-1] == CHANGED
    assert len(told) == 15


def test_what_is_shown_is_what_was_chosen(dialog):
    dialog.show_settings(CHANGED)
    row = dialog.row
    assert row("engine").control.box.currentText() == "Line reader"
    assert row("checkpoint").control.line.text() == "/nowhere/v2"
    assert row("gpu_memory_limit_bytes").control.box.text() == "12 GB"
    assert row("text_scale").control.box.text() == "150 %"
    assert row("inhibit_sleep").control.box.isChecked() is False


def test_no_limit_is_told_as_none(dialog, told):
    dialog.show_settings(CHANGED)
    control = dialog.row("gpu_memory_limit_bytes").control
    control.box.setValue(0)
    assert told[-1].gpu_memory_limit_bytes is None
    assert control.box.text() == "No limit"


def test_a_folder_that_is_no_checkpoint_is_told_in_plain_words(dialog, told, tmp_path):
    folder = dialog.row("checkpoint").control
    folder.line.setText(str(tmp_path))
    folder.line.editingFinished.emit()
    assert folder.message.text() == "The folder holds no config.json; it is no checkpoint."
    assert folder.message.warns
    assert told[-1].checkpoint == tmp_path  # it may be copied there later
    folder.line.clear()
    assert told[-1].checkpoint is None
    assert not folder.message.isVisible()


def test_pages_show_their_own_rows(dialog):
    assert shown_fields(dialog) == ["engine", "checkpoint", "inhibit_sleep"]
    dialog.pages.setCurrentRow(page_named("Expert details"))
    assert shown_fields(dialog) == [
        *("device", "gpu_memory_limit_bytes"),
        *("mode", "window_size", "sparsity_ratio", "chunk_size", "max_pages"),
        "page_limit_megapixels",
    ]


def test_a_word_finds_settings_on_all_pages(dialog):
    dialog.search.setText("memory")
    assert shown_fields(dialog) == ["gpu_memory_limit_bytes", "window_size"]
    dialog.search.setText("zzz")
    assert shown_fields(dialog) == []
    assert dialog.nothing.isVisible()
    dialog.search.clear()
    assert shown_fields(dialog) == ["engine", "checkpoint", "inhibit_sleep"]


def test_defaults_are_those_of_the_page_alone(dialog, told, qtbot):
    dialog.show_settings(CHANGED)
    dialog.pages.setCurrentRow(page_named("Looks"))
    qtbot.mouseClick(dialog.defaults, Qt.MouseButton.LeftButton)
    plain = Settings()
    assert told == [
        replace(CHANGED, theme=plain.theme, text_scale=plain.text_scale, language=plain.language)
    ]


def test_an_unchanged_line_tells_nothing(dialog, told):
    dialog.row("person").control.line.editingFinished.emit()
    assert told == []


def test_everything_that_takes_the_focus_has_a_name(dialog):
    dialog.search.setText("e")  # shows all pages
    reached = [
        child
        for child in dialog.findChildren(QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible()
    ]
    assert len(reached) > 12
    assert all(child.accessibleName() or getattr(child, "text", str)() for child in reached)


def test_it_never_outgrows_the_screen(dialog, qapp):
    screen = dialog.screen().availableSize() * SCREEN_SHARE
    font = qapp.font()
    large = dialog.font()
    large.setPointSizeF(font.pointSizeF() * 3)
    qapp.setFont(large)
    try:
        big = SettingsDialog(Settings())
        assert big.width() <= screen.width()
        assert big.height() <= screen.height()
        big.deleteLater()
    finally:
        qapp.setFont(font)


def test_compose_rules_are_changed_in_a_dialog_of_their_own(dialog, told):
    dialog.show_settings(Settings())
    dialog.row("compose_rules").control.change.click()
    rules = dialog.findChild(ComposeDialog)
    rules.text.setPlainText(":s ſ")
    rules.keep.click()
    assert told[-1].compose_rules == ((":s", "ſ"),)
    assert dialog.row("compose_rules").control.count.text() == "1 rule"
