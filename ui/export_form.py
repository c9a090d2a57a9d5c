"""The fields of an export: format, pages, what goes in, and where to. Makes an `ExportOrder`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.book import Book, PageState
from app.errors import UserFacing
from app.export.document import ExportOptions
from app.export.formats import FORMATS
from app.exporting import ExportOrder
from app.language import _, plural
from app.page_range import pages_of
from app.page_words import state_text
from app.sentences import sentence
from app.there import is_folder, is_there
from ui.export_choices import LEVELS, PAGE_MARKS, TEXT_STATES, USES
from ui.labels import QuietLabel
from ui.theme import Space


class ExportForm(QWidget):
    """What a person wants to export; `changed` after each change, `order()` when it can be done."""

    changed = Signal()

    def __init__(self, book: Book, folder: Path, last: Mapping[str, Any]) -> None:
        super().__init__()
        self._book = book
        self._suffix_before = ""
        self.format = QComboBox()
        self.all_pages = QRadioButton(plural("The one page", "All {n} pages", len(book.pages)))
        self.some_pages = QRadioButton(_("These:"))
        self._which_pages = QButtonGroup(self)
        self.range = QLineEdit()
        self.range_message = QuietLabel(wraps=True)
        self.states = {state: QCheckBox(state_text(state)) for state in TEXT_STATES}
        self.states_message = QuietLabel(wraps=True)
        self.running_heads = QCheckBox(_("Running heads and page numbers"))
        self.join_hyphens = QCheckBox(_("Join words that a line end divides"))
        self.doubts = QCheckBox(_("Doubtful words marked"))
        self.page_notes = QCheckBox(_("Notes on pages, set apart from the text"))
        self.pictures = QCheckBox(_("Pictures, cut out of the scan"))
        self.format_message = QuietLabel(wraps=True)
        self.page_marks = QComboBox()
        self.level = QComboBox()
        self.path = QLineEdit()
        self.choose = QPushButton(_("Choose…"), autoDefault=False)
        self.path_message = QuietLabel(wraps=True)
        self.replace = QCheckBox(_("Replace what is there"))
        self._build()
        self._recall(folder, last)
        self._connect()
        self._judge()

    def order(self) -> ExportOrder | None:
        """What is to be written; None while something is missing."""
        pages = self._pages()
        path = self._path()
        if pages == () or path is None or not self._chosen_states() or not is_folder(path.parent):
            return None
        if is_there(path) and not self.replace.isChecked():
            return None
        return ExportOrder(path, self.format.currentData(), self._options(pages), self._replaces())

    def draft(self) -> ExportOrder | None:
        """The order without its place, to be looked at; None while no page is chosen."""
        pages = self._pages()
        if pages == () or not self._chosen_states():
            return None
        return ExportOrder(Path(), self.format.currentData(), self._options(pages))

    def choices(self) -> dict[str, Any]:
        """What to offer the next time, as plain JSON."""
        path = self._path()
        return {
            "format": self.format.currentData(),
            "range": self.range.text() if self.some_pages.isChecked() else "",
            "states": [state.value for state in self._chosen_states()],
            "running_heads": self.running_heads.isChecked(),
            "join_hyphens": self.join_hyphens.isChecked(),
            "doubts": self.doubts.isChecked(),
            "page_notes": self.page_notes.isChecked(),
            "pictures": self.pictures.isChecked(),
            "page_marks": self.page_marks.currentData(),
            "level": self.level.currentData(),
            "folder": str(path.parent) if path else "",
        }

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, Space.M, 0)
        form.setHorizontalSpacing(Space.L)
        form.setVerticalSpacing(Space.M)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for key, kind in FORMATS.items():
            self.format.addItem(_(kind.name), key)
        for key, words in PAGE_MARKS.items():
            self.page_marks.addItem(_(words), key)
        for level, words in LEVELS.items():
            self.level.addItem(_(words), level)
        self._add(form, _("Format"), self.format)
        for button in (self.all_pages, self.some_pages):
            self._which_pages.addButton(button)
        some = _row(self.some_pages, self.range)
        self._add(form, _("Pages"), _column(self.all_pages, some, self.range_message))
        texts = _column(*self.states.values(), self.states_message)
        self._add(form, _("Texts that are"), texts)
        inside = _column(*self._inside(), self.format_message)
        self._add(form, _("What goes in"), inside)
        self._add(form, _("Letters"), self.level)
        self._add(form, _("Page ends"), self.page_marks)
        place = _column(_row(self.path, self.choose), self.path_message, self.replace)
        self._add(form, _("File"), place)
        self._name()

    def _inside(self) -> tuple[QCheckBox, ...]:
        marked = (self.doubts, self.page_notes)
        return (self.join_hyphens, self.running_heads, *marked, self.pictures)

    def _add(self, form: QFormLayout, name: str, field: QWidget) -> None:
        form.addRow(name, field)
        if isinstance(field, QComboBox):
            field.setAccessibleName(name)
            field.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )

    def _name(self) -> None:
        self.range.setPlaceholderText(_("for example 1-12, 15, 20- or p. iv-xii"))
        self.range.setAccessibleName(_("Pages to export"))
        self.path.setAccessibleName(_("File"))

    def _recall(self, folder: Path, last: Mapping[str, Any]) -> None:
        self._mark(self.format, last.get("format"))
        self._mark(self.page_marks, last.get("page_marks"))
        self._mark(self.level, last.get("level"))
        given = str(last.get("range", ""))
        self.range.setText(given)
        (self.some_pages if given else self.all_pages).setChecked(True)
        states = last.get("states") or [state.value for state in TEXT_STATES]
        for state, box in self.states.items():
            box.setChecked(state.value in states)
        self.running_heads.setChecked(bool(last.get("running_heads", False)))
        self.join_hyphens.setChecked(bool(last.get("join_hyphens", True)))
        self.doubts.setChecked(bool(last.get("doubts", False)))
        self.page_notes.setChecked(bool(last.get("page_notes", True)))
        self.pictures.setChecked(bool(last.get("pictures", True)))
        kept = Path(str(last.get("folder") or folder))
        self.path.setText(str((kept if is_folder(kept) else folder) / self._file_name()))
        self._suffix_before = self._suffix()

    def _mark(self, box: QComboBox, value: object) -> None:
        box.setCurrentIndex(max(0, box.findData(value)))

    def _connect(self) -> None:
        self.format.currentIndexChanged.connect(self._on_format)
        self.choose.clicked.connect(self._on_choose)
        self.range.textEdited.connect(lambda _text: self.some_pages.setChecked(True))
        self.range.textChanged.connect(self._judge)
        self.path.textChanged.connect(self._on_path)
        boxes = (*self.states.values(), *self._inside())
        for button in (self.all_pages, self.some_pages, self.replace, *boxes):
            button.toggled.connect(self._judge)
        self.page_marks.currentIndexChanged.connect(self._judge)
        self.level.currentIndexChanged.connect(self._judge)

    # --- what is chosen -------------------------------------------------------------------------

    def _pages(self) -> tuple[int, ...] | None:
        """None for all, nothing while the range makes no sense."""
        if self.all_pages.isChecked():
            return None
        try:
            labels = [page.label for page in self._book.pages]
            return pages_of(self.range.text(), len(self._book.pages), labels)
        except UserFacing:
            return ()

    def _chosen_states(self) -> list[PageState]:
        return [state for state, box in self.states.items() if box.isChecked()]

    def _path(self) -> Path | None:
        text = self.path.text().strip()
        return Path(text).expanduser() if text else None

    def _replaces(self) -> bool:
        return self.replace.isVisibleTo(self) and self.replace.isChecked()

    def _options(self, pages: tuple[int, ...] | None) -> ExportOptions:
        chosen = self._chosen_states()
        every = len(chosen) == len(TEXT_STATES)
        return ExportOptions(
            pages=pages,
            running_heads=self.running_heads.isChecked(),
            page_marks=self.page_marks.currentData(),
            join_hyphens=self.join_hyphens.isChecked(),
            doubts_as_comments=self.doubts.isChecked() and self.doubts.isEnabled(),
            page_notes=self.page_notes.isChecked(),
            pictures=self.pictures.isChecked() and self.pictures.isEnabled(),
            level=self.level.currentData() or None,
            states=None if every else frozenset({*chosen, PageState.BLANK}),
        )

    # --- what is said of it ---------------------------------------------------------------------

    def _judge(self) -> None:
        """Say what is wrong while it can still be changed."""
        self._judge_format()
        self._judge_range()
        self._judge_states()
        self._judge_path()
        self.changed.emit()

    def _judge_format(self) -> None:
        """Offer what the format can do, and say what it does instead of the rest."""
        key = self.format.currentData()
        lacking: list[str] = []
        for name, field in self._used_by_some().items():
            is_used = key in USES[name].formats
            otherwise = "" if is_used else _(USES[name].otherwise)
            field.setEnabled(is_used)
            field.setToolTip(otherwise and self._of_format(otherwise))
            field.setAccessibleDescription(field.toolTip())
            lacking += [otherwise] if otherwise else []
        self.format_message.setVisible(bool(lacking))
        self.format_message.show_text(self._of_format("; ".join(lacking)))

    def _of_format(self, said: str) -> str:
        name = _(FORMATS[self.format.currentData()].name)
        return _("{format}: {said}.").format(format=name, said=said)

    def _used_by_some(self) -> dict[str, QWidget]:
        return {
            "join_hyphens": self.join_hyphens,
            "running_heads": self.running_heads,
            "doubts": self.doubts,
            "page_notes": self.page_notes,
            "pictures": self.pictures,
            "page_marks": self.page_marks,
        }

    def _judge_range(self) -> None:
        pages = self._pages()
        given = self.range.text().strip()
        self.range_message.setVisible(pages is not None)
        if pages:
            self.range_message.show_text(plural("{n} page", "{n} pages", len(pages)))
        elif given:
            odd = UserFacing("pages_unknown", given=given, count=len(self._book.pages))
            said = sentence(odd)
            self.range_message.show_text(f"{said.happened} {said.next}", warns=True)
        else:
            self.range_message.show_text(_("Write which pages."), warns=True)

    def _judge_states(self) -> None:
        chosen = self._chosen_states()
        self.states_message.setVisible(len(chosen) < len(self.states))
        if chosen:
            self.states_message.show_text(_("The other pages are named and left without text."))
        else:
            self.states_message.show_text(_("Choose at least one."), warns=True)

    def _judge_path(self) -> None:
        path = self._path()
        is_taken = path is not None and is_there(path)
        self.replace.setVisible(is_taken)
        said = ""
        if path is None:
            said = _("Choose a file.")
        elif not is_folder(path.parent):
            said = _("There is no folder {folder}.").format(folder=path.parent)
        elif is_taken and not self.replace.isChecked():
            said = _("{name} is already there.").format(name=path.name)
        self.path_message.show_text(said, warns=True)
        self.path_message.setVisible(bool(said))

    def _on_format(self) -> None:
        path = self._path()
        before, self._suffix_before = self._suffix_before, self._suffix()
        if path is not None and path.name.endswith(before):
            name = path.name.removesuffix(before)
            self.path.setText(str(path.with_name(f"{name}{self._suffix()}")))
        self._judge()

    def _on_path(self) -> None:
        self.replace.setChecked(False)  # it was said of another file
        self._judge()

    def _on_choose(self) -> None:
        kind = FORMATS[self.format.currentData()]
        only = f"{_(kind.name)} (*{kind.suffix})"
        options = QFileDialog.Option.DontConfirmOverwrite  # asked in the form
        path, _kind = QFileDialog.getSaveFileName(
            self, _("Export to"), self.path.text(), only, options=options
        )
        if path:
            has_suffix = bool(Path(path).suffix) or not kind.suffix
            self.path.setText(path if has_suffix else f"{path}{kind.suffix}")

    def _suffix(self) -> str:
        return FORMATS[self.format.currentData()].suffix

    def _file_name(self) -> str:
        title = self._book.details.title or self._book.paths[0].stem
        plain = "".join(" " if letter in '/\\:*?"<>|\0' else letter for letter in title)
        return f"{' '.join(plain.split())[:80] or 'book'}{self._suffix()}"


def _row(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(Space.S)
    for widget in widgets:
        row.addWidget(widget, int(isinstance(widget, QLineEdit)))
    return holder


def _column(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(Space.XS)
    for widget in widgets:
        column.addWidget(widget)
    return holder
