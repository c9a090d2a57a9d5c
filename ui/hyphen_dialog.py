"""The hyphen ledger: every broken word, what is proposed and why, and what the person decides.

Keys in the list: J joins, K keeps the hyphen, A keeps apart, P goes back to the proposal; with
Shift for the word wherever it is broken so. Ctrl+Z takes the last decision back. UI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import (
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.desk.broken_words import BrokenWord
from app.desk.hyphens import Choice, Choices
from app.language import _, plural
from ui.dialogs import foot, heading, size_for, spaced
from ui.hyphen_model import HyphenFilter, HyphenModel, Shown
from ui.labels import QuietLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

_KEYS = {
    Qt.Key.Key_J: Choice.JOIN,
    Qt.Key.Key_K: Choice.KEEP,
    Qt.Key.Key_A: Choice.APART,
    Qt.Key.Key_P: None,
}


class Decision(NamedTuple):
    """What is ordered for a broken word."""

    word: BrokenWord
    choice: Choice | None
    everywhere: bool


class HyphenDialog(QDialog):
    """Tells what is decided and where to go. Belongs to `ui`."""

    decided = Signal(object)  # `Decision`
    place_chosen = Signal(object)  # `BrokenWord`

    def __init__(self, page: int, *, can_change: bool, parent: QWidget | None = None) -> None:
        """Build the dialog; the words come with `show_words`.

        Args:
            page: the one that is shown in the window, from 0.
            can_change: False for a book that is open elsewhere.
            parent: the window.
        """
        super().__init__(parent)
        self._page = page
        self._can_change = can_change
        self._taken_back: list[Decision] = []  # how things stood before each decision
        self._model = HyphenModel()
        self._filter = HyphenFilter(self._model)
        self.list = _List(self._filter)
        self.letters = QLineEdit(placeholderText=_("Letters of the word"))
        self.shown = QComboBox()
        self.on_page = QCheckBox(_("&This page only"))
        self.count = QuietLabel()
        self.join = QPushButton(_("&Join"), autoDefault=False)
        self.keep = QPushButton(_("&Keep the hyphen"), autoDefault=False)
        self.apart = QPushButton(_("Keep &apart"), autoDefault=False)
        self.proposal = QPushButton(_("As &proposed"), autoDefault=False)
        self.everywhere = QCheckBox(_("&Everywhere in the book"))
        self.close_button = QPushButton(_("Close"), autoDefault=False)
        self._build()
        self._listen()
        self._ask()
        self.count.show_text(_("The book is being gone through…"))

    def show_words(self, words: Sequence[BrokenWord], choices: Choices) -> None:
        """Show the ledger as it stands now; the chosen line stays chosen."""
        row = self.list.currentIndex().row()
        self._model.show(words, choices)
        self._select(max(0, row))
        self._count()

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(_("Broken words"))
        self.letters.setAccessibleName(_("Letters of the word"))
        self.shown.setAccessibleName(_("Which words are shown"))
        for each in Shown:
            self.shown.addItem(_(each.value))
        choose = QHBoxLayout()
        choose.addWidget(self.letters, 1)
        choose.addWidget(self.shown)
        choose.addWidget(self.on_page)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Words broken at the end of a line, a block or a page")))
        column.addWidget(
            QuietLabel(
                _(
                    "The printed form stays in the text; exports follow what stands here. In the "
                    "list: J joins, K keeps the hyphen, A keeps apart, P goes back to the "
                    "proposal; with Shift everywhere in the book. Enter goes to the place, "
                    "Ctrl+Z takes the last decision back."
                ),
                wraps=True,
            )
        )
        column.addLayout(choose)
        column.addWidget(self.list, 1)
        column.addWidget(self.count)
        buttons = (self.join, self.keep, self.apart, self.proposal)
        row = foot(*buttons, None, self.close_button)
        row.insertWidget(len(buttons), self.everywhere)
        column.addLayout(row)
        for button in (*buttons, self.everywhere):
            button.setEnabled(self._can_change)
        size_for(self, letters=120, lines=34)

    def _listen(self) -> None:
        self.letters.textChanged.connect(self._ask)
        self.shown.currentIndexChanged.connect(self._ask)
        self.on_page.toggled.connect(self._ask)
        self.list.chosen.connect(self._decide)
        self.list.opened.connect(self._open)
        self.list.undo_asked.connect(self._take_back)
        for button, choice in (
            (self.join, Choice.JOIN),
            (self.keep, Choice.KEEP),
            (self.apart, Choice.APART),
            (self.proposal, None),
        ):
            button.clicked.connect(
                lambda _on, choice=choice: self._decide(choice, self.everywhere.isChecked())
            )
        self.close_button.clicked.connect(self.accept)

    # --- what is done ---------------------------------------------------------------------------

    @property
    def current(self) -> BrokenWord | None:
        """The broken word of the chosen line."""
        index = self.list.currentIndex()
        row = self._filter.mapToSource(index).row() if index.isValid() else -1
        return self._model.words[row] if row >= 0 else None

    @Slot()
    def _ask(self) -> None:
        page = self._page if self.on_page.isChecked() else -1
        self._filter.ask(list(Shown)[self.shown.currentIndex()], page, self.letters.text())
        self._select(0)
        self._count()

    def _select(self, row: int) -> None:
        count = self._filter.rowCount()
        if count:
            self.list.setCurrentIndex(self._filter.index(min(row, count - 1), 0))

    def _count(self) -> None:
        shown = self._filter.rowCount()
        self.count.show_text(plural("{n} broken word", "{n} broken words", shown))

    @Slot(object, bool)
    def _decide(self, choice: Choice | None, everywhere: bool) -> None:  # noqa: FBT001 - a Qt slot
        word, row = self.current, self.list.currentIndex().row()
        if word is None or not self._can_change:
            return
        self._taken_back.append(Decision(word, self._said(word, everywhere), everywhere))
        self.decided.emit(Decision(word, choice, everywhere))
        self._select(row + 1)

    def _said(self, word: BrokenWord, everywhere: bool) -> Choice | None:  # noqa: FBT001
        choices = self._model.choices
        return (
            choices.of_word(word.proposal.printed) if everywhere else choices.breaks.get(word.key)
        )

    @Slot()
    def _take_back(self) -> None:
        if self._taken_back:
            self.decided.emit(self._taken_back.pop())

    @Slot()
    def _open(self) -> None:
        if self.current is not None:
            self.place_chosen.emit(self.current)


class _List(QTableView):
    """The table of the ledger, with its keys."""

    chosen = Signal(object, bool)  # `Choice` or None, everywhere
    opened = Signal()
    undo_asked = Signal()

    def __init__(self, model: HyphenFilter) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(_("Broken words"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_widths()
        self.doubleClicked.connect(self.opened)

    def _set_widths(self) -> None:
        """The reason takes what the others leave."""
        letter = self.fontMetrics().averageCharWidth()
        for column, letters in {0: 6, 1: 20, 2: 19, 4: 20}.items():
            self.setColumnWidth(column, letter * letters)
        header = self.horizontalHeader()
        header.setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = Qt.KeyboardModifier.ShiftModifier
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Undo):
            self.undo_asked.emit()
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit()
        elif key in _KEYS and not event.modifiers() & ~shift:
            self.chosen.emit(_KEYS[key], bool(event.modifiers() & shift))
        else:
            super().keyPressEvent(event)
