"""The hyphen ledger as a table for Qt: what each line says, and which lines are shown."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from typing_extensions import override

from app.desk.broken_words import BrokenWord
from app.desk.hyphens import Choices, Why
from app.hyphen_words import choice_of, reason_of
from app.language import N_, _

Index = QModelIndex | QPersistentModelIndex
HEADS = (N_("Page"), N_("Printed"), N_("Becomes"), N_("Because"), N_("You"))
_PLAIN = {Why.SOFT, Why.JOINED_ELSEWHERE}  # reasons that leave little to doubt


class Shown(Enum):
    """Which broken words the list shows; the value is what the list is then called."""

    ALL = N_("All")
    UNSURE = N_("Unsure ones")  # the rules had little to go by
    AT_ENDS = N_("At the end of a page")
    DECIDED = N_("Those you decided")


class HyphenModel(QAbstractTableModel):
    """Reads the ledger as it is handed in."""

    def __init__(self) -> None:
        super().__init__()
        self.words: Sequence[BrokenWord] = ()
        self.choices = Choices()

    def show(self, words: Sequence[BrokenWord], choices: Choices) -> None:
        """Take the ledger as it stands now."""
        if words is self.words:
            self.choices = choices
            last = self.index(len(words) - 1, len(HEADS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self.words, self.choices = words, choices
        self.endResetModel()

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.words)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(HEADS)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return None
        word = self.words[index.row()]
        match index.column():
            case 0:
                return str(word.page + 1)
            case 1:
                return f"{word.first} | {word.second}"
            case 2:
                return word.becomes(self.choices)
            case 3:
                return reason_of(word.proposal.reason)
            case _:
                return self._said(word)

    def _said(self, word: BrokenWord) -> str:
        choice = self.choices.of(word.key)
        if choice is None:
            return ""
        is_here = word.key in self.choices.breaks
        return (
            choice_of(choice)
            if is_here
            else _("{choice}, everywhere").format(choice=choice_of(choice))
        )

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        is_head = orientation == Qt.Orientation.Horizontal
        return _(HEADS[section]) if is_head and role == Qt.ItemDataRole.DisplayRole else None


class HyphenFilter(QSortFilterProxyModel):
    """Shows what is asked for."""

    def __init__(self, model: HyphenModel) -> None:
        super().__init__()
        self._model = model
        self.shown, self.page, self.letters = Shown.ALL, -1, ""
        self.setSourceModel(model)

    def ask(self, shown: Shown, page: int, letters: str) -> None:
        """Show these of one page (-1: all) that have these letters."""
        self.shown, self.page, self.letters = shown, page, letters.casefold()
        self.invalidate()

    @override
    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        word = self._model.words[source_row]
        if self.page >= 0 and word.page != self.page:
            return False
        if self.letters and self.letters not in (word.first[:-1] + word.second).casefold():
            return False
        match self.shown:
            case Shown.ALL:
                return True
            case Shown.UNSURE:
                return word.proposal.reason not in _PLAIN
            case Shown.AT_ENDS:
                return word.at != "line"
            case Shown.DECIDED:
                return self._model.choices.of(word.key) is not None
