"""What a catalogue says of the book: asked once, optional, used by the exports."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.book import MOST_ROUNDS, Details
from app.language import N_, _
from ui.dialogs import begin_like_a_line, foot, heading, size_for, spaced
from ui.labels import QuietLabel
from ui.theme import Space

LANGUAGES = ("la", "de", "fr", "en", "it", "es", "pt", "nl", "da", "sv", "pl", "cs", "hu", "ru")
LANGUAGES_MORE = ("el", "grc", "he", "yi", "ar", "fa", "tr", "zh", "ja")
DEAD_LANGUAGES = {"la": "Latina", "grc": "Ἑλληνική"}  # no country, so Qt does not know their names
SCRIPTS = {
    "": N_("Not said"),
    "Latn": N_("Roman"),
    "Latf": N_("Blackletter"),
    "Grek": N_("Greek"),
    "Cyrl": N_("Cyrillic"),
    "Hebr": N_("Hebrew"),
    "Arab": N_("Arabic"),
    "Hani": N_("Chinese"),
    "Jpan": N_("Japanese"),
}
DIRECTIONS = {
    "": N_("As the language has it"),
    "ltr": N_("Left to right"),
    "rtl": N_("Right to left"),
}
LINES = {
    "title": N_("Title"),
    "author": N_("Author"),
    "year": N_("Year"),
    "shelfmark": N_("Shelfmark"),
}


class DetailsDialog(QDialog):
    """Emits what was typed, once; declining changes nothing and is remembered by the window."""

    saved = Signal(object)  # Details
    declined = Signal()

    def __init__(
        self, details: Details, *, is_first: bool = False, parent: QWidget | None = None
    ) -> None:
        """Build the dialog.

        Args:
            details: what is known already, from the scan or a person.
            is_first: asked by the program, not called by the person: says that it is optional.
            parent: the window.
        """
        super().__init__(parent)
        self._details = details
        self.lines = {name: QLineEdit(getattr(details, name)) for name in LINES}
        self.language = QComboBox(editable=True)
        self.script = QComboBox()
        self.direction = QComboBox()
        self.rounds = QSpinBox(minimum=1, maximum=MOST_ROUNDS, value=details.rounds)
        begin_like_a_line(self.rounds)
        self.notes = QPlainTextEdit(details.notes)
        self.save = QPushButton(_("Save"), default=True)
        decline = _("Not now") if is_first else _("Cancel")
        self.decline = QPushButton(decline, autoDefault=False)
        self._build(is_first=is_first)
        self.save.clicked.connect(self._on_save)
        self.decline.clicked.connect(self.reject)
        self.rejected.connect(self.declined)

    def details(self) -> Details:
        """What is typed now, without stray spaces."""
        typed = {name: " ".join(line.text().split()) for name, line in self.lines.items()}
        return replace(
            self._details,
            **typed,
            language=self._language(),
            script=self.script.currentData(),
            direction=self.direction.currentData(),
            notes=self.notes.toPlainText().strip(),
            rounds=self.rounds.value(),
        )

    def _build(self, *, is_first: bool) -> None:
        self.setWindowTitle(_("Book details"))
        self._fill_choices()
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(
            heading(_("What is known of this book?") if is_first else _("Book details"))
        )
        said = _("All of it may stay empty. It stands in the exports.")
        if is_first:
            said += " " + _("You are not asked again; File, Book details opens this at any time.")
        column.addWidget(QuietLabel(said, wraps=True))
        column.addWidget(self._scroll(), 1)
        column.addLayout(foot(None, self.decline, self.save))
        size_for(self, letters=84, lines=34)
        self.lines["title"].setFocus()

    def _scroll(self) -> QScrollArea:
        inside = QWidget()
        form = QFormLayout(inside)
        form.setContentsMargins(0, Space.S, Space.S, Space.S)
        form.setHorizontalSpacing(Space.L)
        form.setVerticalSpacing(Space.S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.notes.setTabChangesFocus(True)
        self.notes.setFixedHeight(self.fontMetrics().height() * 5)
        fields: list[tuple[str, QWidget]] = [
            (_(LINES[name]), line) for name, line in self.lines.items()
        ]
        fields += [
            (_("Language"), self.language),
            (_("Script"), self.script),
            (_("Direction"), self.direction),
            (_("Proofreading rounds"), self.rounds),
            (_("Notes"), self.notes),
        ]
        for name, field in fields:
            field.setAccessibleName(name)
            form.addRow(name, field)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inside)
        return scroll

    def _fill_choices(self) -> None:
        self.language.addItem("", "")
        for code in (*LANGUAGES, *LANGUAGES_MORE):
            self.language.addItem(language_text(code), code)
        self.language.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        at = self.language.findData(self._details.language)
        self.language.setCurrentIndex(at)
        if at < 0:
            self.language.setEditText(self._details.language)
        self._offer(self.script, SCRIPTS, self._details.script)
        self._offer(self.direction, DIRECTIONS, self._details.direction)

    def _offer(self, box: QComboBox, choices: dict[str, str], chosen: str) -> None:
        for value, text in choices.items():
            box.addItem(_(text), value)
        if chosen not in choices:
            box.addItem(chosen, chosen)
        box.setCurrentIndex(box.findData(chosen))

    def _language(self) -> str:
        """The code of what is chosen or typed: a name of the list, or any other code."""
        typed = self.language.currentText().strip()
        for at in range(self.language.count()):
            code, name = self.language.itemData(at), self.language.itemText(at)
            if typed.casefold() in {
                name.casefold(),
                code.casefold(),
                name.split(" (")[0].casefold(),
            }:
                return code
        return typed

    def _on_save(self) -> None:
        self.rejected.disconnect(self.declined)
        self.saved.emit(self.details())
        self.accept()


def language_text(code: str) -> str:
    """A language in its own words, with its code: 'Deutsch (de)'."""
    name = DEAD_LANGUAGES.get(code) or QLocale(code).nativeLanguageName()
    return f"{name[:1].upper()}{name[1:]} ({code})"
