"""The settings: one dialog, searchable, every change at once. It shows `Settings`, no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.language import _
from app.settings import Settings
from ui.dialogs import foot, heading, size_for, spaced
from ui.fuzzy import ranked
from ui.labels import QuietLabel
from ui.setting_controls import Control
from ui.settings_table import PAGES, Setting, SettingsPage
from ui.theme import Space


class SettingsDialog(QDialog):
    """Emits the settings as they are after each change; the answer comes by `show_settings`."""

    changed = Signal(object)  # Settings
    keys_asked = Signal()  # the person wants the dialog of the keys

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.search = QLineEdit(clearButtonEnabled=True)
        self.pages = QListWidget()
        self.defaults = QPushButton(_("Defaults of this page"))
        self.keys = QPushButton(_("Keys…"))
        self.nothing = QuietLabel(_("No setting is called so."))
        self.sections = [_Section(page) for page in PAGES]
        self._build()
        self._connect()
        self.show_settings(settings)
        self.pages.setCurrentRow(0)

    def show_settings(self, settings: Settings) -> None:
        """Show how the settings are now."""
        self._settings = settings
        for section in self.sections:
            for row in section.rows:
                row.control.show_value(getattr(settings, row.setting.field))

    def row(self, field: str) -> SettingRow:
        """The row of a field of `Settings`."""
        rows = (row for section in self.sections for row in section.rows)
        return next(row for row in rows if row.setting.field == field)

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(_("Settings"))
        self.search.setPlaceholderText(_("Search settings"))
        self.search.setAccessibleName(_("Search settings"))
        self.pages.setAccessibleName(_("Pages of settings"))
        self.pages.setFrameShape(QFrame.Shape.NoFrame)
        self.pages.addItems([_(page.name) for page in PAGES])
        self.pages.setFixedWidth(self.pages.sizeHintForColumn(0) + 2 * Space.M)
        middle = QHBoxLayout()
        middle.setSpacing(Space.M)
        middle.addWidget(self.pages)
        middle.addWidget(self._scroll(), 1)
        close = QPushButton(_("Close"), default=True)
        close.clicked.connect(self.accept)
        for button in (self.defaults, self.keys):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(self.search)
        column.addLayout(middle, 1)
        column.addLayout(foot(self.defaults, self.keys, None, close))
        size_for(self, letters=90, lines=30)

    def _scroll(self) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, Space.S, 0)
        column.setSpacing(Space.L)
        for section in self.sections:
            column.addWidget(section)
        column.addWidget(self.nothing)
        column.addStretch()
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inside)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return scroll

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _text: self._show_rows())
        self.pages.currentRowChanged.connect(lambda _row: self._on_page())
        self.defaults.clicked.connect(self._on_defaults)
        self.keys.clicked.connect(self.keys_asked)
        for section in self.sections:
            for row in section.rows:
                row.control.changed.connect(
                    lambda value, field=row.setting.field: self._set({field: value})
                )

    # --- what is done ---------------------------------------------------------------------------

    def _set(self, fields: dict[str, Any]) -> None:
        settings = replace(self._settings, **fields)
        if settings != self._settings:
            self.show_settings(settings)
            self.changed.emit(settings)

    def _on_page(self) -> None:
        self.search.clear()
        self._show_rows()

    def _on_defaults(self) -> None:
        page = PAGES[max(self.pages.currentRow(), 0)]
        plain = Settings()
        self._set({row.field: getattr(plain, row.field) for row in page.rows})

    def _show_rows(self) -> None:
        """The rows that answer to the search, else those of the page."""
        query = self.search.text()
        for at, section in enumerate(self.sections):
            on_page = at == self.pages.currentRow()
            section.show_rows(query, is_wanted=bool(query) or on_page)
        self.defaults.setEnabled(not query)
        self.nothing.setVisible(all(section.isHidden() for section in self.sections))


class SettingRow(QWidget):
    """Name, control and the sentence."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self.control: Control = setting.make(_(setting.name))
        name = QLabel(_(setting.name))
        name.setBuddy(self.control)
        says = QuietLabel(_(setting.says), wraps=True)
        self.control.setAccessibleDescription(_(setting.says))
        column = QVBoxLayout(self)  # one below the other: long words and large type have room
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        for part in (name, self.control, says):
            column.addWidget(part)


class _Section(QWidget):
    """A heading and its rows."""

    def __init__(self, page: SettingsPage) -> None:
        super().__init__()
        self.rows = [SettingRow(setting) for setting in page.rows]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        column.addWidget(heading(_(page.name)))
        for row in self.rows:
            column.addWidget(row)

    def show_rows(self, query: str, *, is_wanted: bool) -> None:
        """Show what answers to the query; nothing of a section that is not wanted."""
        names = [_(row.setting.name) for row in self.rows]
        found = set(ranked(query, names, [_(row.setting.says) for row in self.rows]))
        for at, row in enumerate(self.rows):
            row.setVisible(at in found)
        self.setVisible(is_wanted and bool(found))
