"""The slim bar below the text: the doubted word, why, what else it may be, and what is left to do.

It shows what it is told and asks by signals; the queue is the session's. UI thread only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.desk.doubts import Doubt
from app.everywhere import wanted
from app.language import _
from ui import shortcuts
from ui.announce import announce
from ui.commands import COMMANDS
from ui.doubt_words import (
    found_text,
    left_text,
    listed_text,
    offer_text,
    other_text,
    percent,
    threshold_text,
    why_text,
)
from ui.everywhere_row import EverywhereRow
from ui.faces import secondary_font
from ui.flow import Flow
from ui.labels import QuietLabel, SteadyLabel
from ui.shortcuts import Overrides
from ui.theme import Space, give_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

ORDERS = ("accept_doubt", "take_other", "take_listed", "take_everywhere", "defer_doubt")
SLIDER_PX = 96
MOST = 60  # per cent; no word is likelier wrong than right often enough to begin higher
STEP = 5
LONGEST = 40  # letters of a word that are shown


class Standing(NamedTuple):
    """How the queue stands."""

    at: Doubt | None = None
    left: int = 0
    found_share: float | None = None
    threshold: float = 0.0
    progress: float = 1.0
    is_building: bool = False


class DoubtBar(QWidget):
    """Rows of words, then buttons and numbers. Belongs to `ui`."""

    ordered = Signal(str)  # id of a command
    threshold_chosen = Signal(float)
    threshold_tried = Signal(float)  # while it is dragged: answer with `show_count`
    close_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overrides: Overrides = ()
        self._standing = Standing()
        self.word = QLabel(self)
        self.why = QuietLabel(parent=self)
        self.why_below = QuietLabel(parent=self, wraps=True)  # where the row has no room for it
        self.chance = SteadyLabel(parent=self)
        self.left = QuietLabel(parent=self)
        self.found = QuietLabel(parent=self)
        self.limit = SteadyLabel(parent=self)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.offer = QuietLabel(parent=self, wraps=True)
        self.everywhere = EverywhereRow(self)
        self.buttons = {order: self._button(order) for order in ORDERS}
        self._close = QToolButton(self)
        self._build()
        self._close.clicked.connect(self.close_asked)
        self.slider.valueChanged.connect(self._on_threshold_chosen)
        self.slider.sliderMoved.connect(self._on_threshold_tried)
        self.show_standing(self._standing)

    def _button(self, order: str) -> QToolButton:
        button = QToolButton(self)
        button.setFont(secondary_font(self.font()))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the cursor in the text
        button.clicked.connect(lambda: self.ordered.emit(order))
        return button

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.L, Space.XS, Space.S, 0)
        column.setSpacing(0)
        words = QHBoxLayout()
        words.setSpacing(Space.M)
        for label in (self.word, self.chance):
            label.setTextFormat(Qt.TextFormat.PlainText)
            words.addWidget(label)
        words.addWidget(self.why, stretch=1)
        words.addWidget(self._close)
        column.addLayout(words)
        column.addWidget(self.why_below)
        column.addWidget(self.offer)
        column.addWidget(self.everywhere)
        row = Flow(across_px=Space.S, down_px=Space.XS)
        shown = (self.left, self.found, self.slider, self.limit)
        for widget in (*self.buttons.values(), *shown):
            row.addWidget(widget)
        column.addLayout(row)
        self._set_up()
        self.hide()

    def _set_up(self) -> None:
        face = self.word.font()
        face.setBold(True)
        self.word.setFont(face)
        self.word.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.slider.setRange(0, MOST)
        self.slider.setSingleStep(STEP)
        self.slider.setPageStep(STEP)
        self.slider.setTracking(False)
        self.slider.setFixedWidth(SLIDER_PX)
        self.slider.setAccessibleName(_("How likely an error a word is to be asked about"))
        self.slider.setToolTip(self.slider.accessibleName())
        self.setAccessibleName(_("The doubt"))
        give_icon(self._close, "close")
        self._close.setAccessibleName(_("Close the bar of doubts"))
        self._close.setToolTip(_("Close the bar of doubts"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFocusProxy(self.slider)
        for label in (self.word, self.why):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.word.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def show_standing(self, standing: Standing) -> None:
        """Show a word and how the queue stands."""
        self._standing = standing
        doubt = standing.at
        self.word.setText(_shown(doubt.word) if doubt else self._nothing(standing))
        self.chance.show_text(_chance(doubt) if doubt else "")
        self._fit_why()
        self.chance.setVisible(doubt is not None)
        self._show_buttons(doubt)
        self._show_numbers(standing)
        self.setAccessibleDescription(self._told(doubt))
        self._keep_height()

    def announce(self) -> None:
        """Let those hear of the word who do not see the bar; the focus is in the text."""
        announce(self, self.accessibleDescription())

    def show_count(self, left: int, found_share: float | None, threshold: float) -> None:
        """Show what would be left with a threshold that is being tried."""
        self._show_numbers(
            self._standing._replace(left=left, found_share=found_share, threshold=threshold)
        )

    def set_shortcuts(self, overrides: Overrides) -> None:
        """Name the keys as the user has changed them."""
        self._overrides = overrides
        self.everywhere.set_shortcuts(overrides)
        self._show_buttons(self._standing.at)

    def _nothing(self, standing: Standing) -> str:
        if standing.is_building and not standing.left:
            return _("Looking through the book…")
        return _("No doubt is left") if not standing.left else _("The cursor is at no doubt")

    def _show_buttons(self, doubt: Doubt | None) -> None:
        offered = (
            [text for text in (other_text(doubt), listed_text(doubt)) if text] if doubt else []
        )
        first, second = (*offered, "", "")[:2]
        take = _("Take “{other}”")
        names = {
            "accept_doubt": _("Right"),
            "take_other": take.format(other=_shown(first)),
            "take_listed": take.format(other=_shown(second)),
            "take_everywhere": _("Everywhere…"),
            "defer_doubt": _("Later"),
        }
        can_be_taken = doubt is not None and wanted(doubt)[0] is not None
        hidden = {
            "take_other": not first,
            "take_listed": not second,
            "take_everywhere": not can_be_taken,
        }
        self.offer.show_text(_shown(offer_text(doubt), 2 * LONGEST) if doubt else "")
        self.offer.setVisible(bool(first))
        for order, button in self.buttons.items():
            keys = shortcuts.keys_of(COMMANDS[order], self._overrides)
            key = f" ({shortcuts.shown(keys[0])})" if keys else ""
            button.setText(names[order] + key)
            button.setToolTip(_(COMMANDS[order].says))
            button.setVisible(doubt is not None and not hidden.get(order, False))

    def _show_numbers(self, standing: Standing) -> None:
        self.left.show_text(
            left_text(standing.left, progress=standing.progress, is_building=standing.is_building)
        )
        self.found.show_text(found_text(standing.found_share))
        self.found.setVisible(standing.found_share is not None)
        self.limit.show_text(threshold_text(standing.threshold))
        if not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setValue(round(100 * standing.threshold))
            self.slider.blockSignals(False)

    def _told(self, doubt: Doubt | None) -> str:
        """All of it in one sentence, for those who do not see it."""
        if doubt is None:
            return self.word.text()
        parts = [doubt.word, _chance(doubt), why_text(doubt), offer_text(doubt)]
        return ", ".join(part for part in parts if part)

    @Slot(int)
    def _on_threshold_chosen(self, value: int) -> None:
        self.threshold_chosen.emit(value / 100)

    @Slot(int)
    def _on_threshold_tried(self, value: int) -> None:
        self.threshold_tried.emit(value / 100)

    def _fit_why(self) -> None:
        """Say why beside the word, or where that has no room in lines of its own below."""
        doubt = self._standing.at
        whole = why_text(doubt) if doubt else ""
        fits = self.why.fontMetrics().horizontalAdvance(whole) <= self._why_px()
        self.why.show_text(whole if fits else "")
        self.why_below.show_text("" if fits else whole)
        self.why_below.setVisible(not fits)

    def _why_px(self) -> int:
        """What the word, its chance and the button leave of the row."""
        taken = sum(each.sizeHint().width() for each in (self.word, self.chance, self._close))
        return max(0, self.width() - taken - 3 * Space.M - Space.L - Space.S)

    def _keep_height(self) -> None:
        """Grow if need be, but never shrink from word to word: the text above would jump."""
        layout = self.layout()
        assert layout is not None
        needed = layout.heightForWidth(max(1, self.width()))
        self.setMinimumHeight(max(self.minimumHeight(), needed))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_why()
        if event.size().width() != event.oldSize().width():
            self.setMinimumHeight(0)
            self._keep_height()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumHeight(0)


def _chance(doubt: Doubt) -> str:
    return _("{share} likely an error").format(share=percent(doubt.chance))


def _shown(word: str, longest: int = LONGEST) -> str:
    return word if len(word) <= longest else f"{word[:longest]}…"
