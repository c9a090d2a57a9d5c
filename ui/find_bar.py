"""The find bar: a slim line for the page, with a list of places below it for the whole book.

It knows no text: it tells what is looked for and shows what it is told. `ui.page_finder` finds on
the page, the session in the book. UI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.answers import MatchesFound
from app.errors import UserFacing
from app.finding_values import Asked
from app.language import _, plural
from app.sentences import sentence
from app.store.reader import Match
from ui.book_matches import BookMatches
from ui.labels import SteadyLabel
from ui.theme import Space, give_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QHideEvent, QKeyEvent

REST_MS = 300  # of rest, before the whole book is searched


class FindBar(QWidget):
    """What to find, how many there are, the next and the one before. Belongs to `ui`."""

    query_changed = Signal(object)  # `Asked`, for the page: at every letter
    find_asked = Signal(object, bool)  # `Asked`, in earlier readings too: in the whole book
    replace_asked = Signal(object)  # `Asked`: put something else there
    match_chosen = Signal(object)  # `Match` of the book, to be shown
    next_asked = Signal()  # on the page
    previous_asked = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = QLineEdit(self)
        self._count = SteadyLabel(parent=self)
        self._in_book = QCheckBox(_("Whole &book"), self)
        self._options = QMenu(self)
        self._whole_word = self._option(_("Whole &words only"))
        self._match_case = self._option(_("Match &case"))
        self._ignore_diacritics = self._option(_("&Diacritics do not matter"))
        self._is_pattern = self._option(_("&Regular expression"))
        self._in_earlier = self._option(_("In &earlier readings of the book too"))
        self._matches = BookMatches(self)
        self._total = 0  # places in the book
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._build()
        self._listen()
        self.setFocusProxy(self._line)
        self.hide()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        column.addLayout(row)
        column.addWidget(self._matches)
        self._matches.hide()
        row.setContentsMargins(Space.M, Space.XS, Space.S, Space.XS)
        row.setSpacing(Space.XS)
        self._line.setPlaceholderText(_("Find"))
        self._line.setAccessibleName(_("Text to find"))
        self._line.setMinimumWidth(6 * self.fontMetrics().averageCharWidth())
        self._line.setClearButtonEnabled(False)
        row.addWidget(self._line, stretch=1)
        row.addWidget(self._count)
        row.addWidget(self._button("previous", _("Previous place"), self.find_previous))
        row.addWidget(self._button("next", _("Next place"), self.find_next))
        row.addWidget(self._in_book)
        row.addWidget(self._options_button())
        row.addWidget(self._button("replace", _("Replace in the book…"), self._ask_to_replace))
        row.addWidget(self._button("close", _("Close the find bar"), self.close_bar))

    def _button(self, icon: str, name: str, order: Callable[[], None]) -> QToolButton:
        button = QToolButton(self)
        give_icon(button, icon)
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.clicked.connect(lambda _on: order())
        return button

    def _options_button(self) -> QToolButton:
        button = QToolButton(self)
        give_icon(button, "settings")
        name = _("How to find")
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setMenu(self._options)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _option(self, text: str) -> QAction:
        action = self._options.addAction(text)
        action.setCheckable(True)
        return action

    def _listen(self) -> None:
        self._line.textChanged.connect(self._on_changed)
        self._in_book.toggled.connect(self._on_changed)
        for option in self._options.actions():
            option.toggled.connect(self._on_changed)
        self._rest.timeout.connect(self._on_rested)
        self._matches.match_chosen.connect(self._on_match_chosen)

    @property
    def query(self) -> Asked:
        """What is looked for now."""
        return Asked(
            self._line.text(),
            whole_word=self._whole_word.isChecked(),
            match_case=self._match_case.isChecked(),
            ignore_diacritics=self._ignore_diacritics.isChecked(),
            is_pattern=self._is_pattern.isChecked(),
        )

    @property
    def is_in_book(self) -> bool:
        """Whether the whole book is searched, not the page alone."""
        return self._in_book.isChecked()

    def open(self, *, in_book: bool, text: str = "") -> None:
        """Show the bar, ready to type.

        Args:
            in_book: search the whole book.
            text: to look for, e.g. what is selected; "" keeps what was looked for last.
        """
        self.show()
        self._in_book.setChecked(in_book)
        if text:
            self._line.setText(text)
        self._line.selectAll()
        self._line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._on_changed()

    def find_next(self) -> None:
        """To the next place, of the page or of the book."""
        self._go(1)

    def find_previous(self) -> None:
        """To the place before."""
        self._go(-1)

    def close_bar(self) -> None:
        """Put the bar away; what was looked for is kept for the next time."""
        self._rest.stop()
        self.hide()
        self.closed.emit()

    def show_count(self, total: int, at: int | None = None) -> None:
        """Say how many places the page has, and which of them is shown (from 1)."""
        if not self.is_in_book:
            self._show_count(total, at)

    def _show_count(self, total: int, at: int | None) -> None:
        self._count.setToolTip("")
        if not self.query.text:
            self._count.show_text("")
        elif at is None:
            self._count.show_text(plural("{n} place", "{n} places", total), warns=not total)
        else:
            self._count.show_text(_("{n} of {total}").format(n=at, total=total))

    def show_error(self, error: UserFacing) -> None:
        """Say why nothing can be looked for, e.g. a pattern that makes no sense."""
        happened, means, _next = sentence(error)
        self._matches.setVisible(False)
        self._count.show_text(happened, warns=True)
        self._count.setToolTip(f"{happened} {means}")

    def show_found(self, found: MatchesFound | None) -> None:
        """Show where the book has it; the answer to `find_asked`."""
        if not self.is_in_book:
            return
        if found is not None and found.error is not None:
            self.show_error(found.error)
            return
        self._total = found.total if found is not None else 0
        self._matches.show_found(found)
        self._matches.setVisible(bool(self.query.text))
        self._show_count(self._total, None)

    def _ask_to_replace(self) -> None:
        self.replace_asked.emit(self.query)

    def _go(self, step: int) -> None:
        if self.is_in_book:
            self._matches.go(step)
        elif step > 0:
            self.next_asked.emit()
        else:
            self.previous_asked.emit()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        """With the window, or by itself: nobody waits for an answer."""
        self._rest.stop()
        super().hideEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_bar()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._rest.isActive():
                self._on_rested()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            case _:
                super().keyPressEvent(event)

    @Slot()
    def _on_changed(self) -> None:
        """Tell the page at once; the book after a moment of rest."""
        self._rest.stop()
        if not self.isVisible():
            return
        self._matches.setVisible(False)
        self._count.show_text("")
        if self.is_in_book and self.query.text:
            self._rest.start()
        self.query_changed.emit(self.query)

    @Slot()
    def _on_rested(self) -> None:
        self._rest.stop()
        self.find_asked.emit(self.query, self._in_earlier.isChecked())

    @Slot(object)
    def _on_match_chosen(self, match: Match) -> None:
        self._show_count(self._total, (self._matches.at or 0) + 1)
        self.match_chosen.emit(match)
