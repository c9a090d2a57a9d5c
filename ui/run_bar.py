"""The run bar: what is happening in one sentence, its numbers, and start, pause, stop."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.language import _, plural
from app.run_view import (
    RunState,
    RunView,
    duration_text,
    engine_text,
    finish_text,
    heartbeat_text,
    run_sentence,
)
from ui import theme
from ui.flow import Flow
from ui.labels import SteadyLabel
from ui.numbers import share, short, whole
from ui.theme import Space

PROGRESS_PX = 3


class RunBar(QWidget):
    """Shows a `RunView`; what the buttons order is told by signals. Esc does nothing here."""

    start_asked = Signal()  # begin, or begin again where the last run ended
    pause_asked = Signal()
    resume_asked = Signal()
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = RunView()
        self.progress = QProgressBar()
        self.go = _filled_button()
        self.stop = _filled_button()
        self.sentence = QLabel()
        self.facts = {name: SteadyLabel() for name in FACTS}
        self.doubts = SteadyLabel()
        self._build()
        self._name()
        self.setFocusProxy(self.go)
        self.go.clicked.connect(self._on_go)
        self.stop.clicked.connect(self.stop_asked)
        self.show_run(self._view)

    def show_run(self, view: RunView, *, now: datetime | None = None) -> None:
        """Show how things stand.

        Args:
            view: what to show.
            now: local time, for the finish; the clock's when left out.
        """
        if view.is_active != self._view.is_active:
            for label in self.facts.values():
                label.forget_width()
        self._view = view
        self.sentence.setText(run_sentence(view))
        texts = facts_of(view, now or datetime.now().astimezone())
        for name, label in self.facts.items():
            label.show_text(texts[name], warns=name == "heartbeat")
            label.setVisible(bool(texts[name]))
        self._show_progress(view)
        self._show_buttons(view)

    def show_doubts(self, count: int) -> None:
        """Show how many words of the book may be wrong; 0 shows nothing."""
        self.doubts.show_text(_("doubts {n}").format(n=whole(count)))
        self.doubts.setVisible(count > 0)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, Space.XS)
        column.setSpacing(Space.XS)
        self.progress.setFixedHeight(PROGRESS_PX)
        self.progress.setTextVisible(False)
        column.addWidget(self.progress)
        row = Flow(across_px=Space.L, down_px=Space.XS)
        row.setContentsMargins(Space.S, 0, Space.S, 0)
        column.addLayout(row)
        row.addWidget(self._buttons())
        for label in (self.sentence, *self.facts.values(), self.doubts):
            row.addWidget(label)
        self.doubts.hide()

    def _buttons(self) -> QWidget:
        pair = QWidget()
        row = QHBoxLayout(pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.S)
        row.addWidget(self.go)
        row.addWidget(self.stop)
        return pair

    def _name(self) -> None:
        self.progress.setAccessibleName(_("Pages done"))
        self.sentence.setAccessibleName(_("What is happening"))
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.stop.setText(_("Stop"))
        self.stop.setToolTip(_("End the run; every finished page is kept"))
        theme.give_icon(self.stop, "stop")
        words = (_("Read"), _("Pause"), _("Go on"))
        self.go.setMinimumWidth(max(_width_with(self.go, word) for word in words))

    def _show_progress(self, view: RunView) -> None:
        self.progress.setRange(0, max(view.pages, 1))
        self.progress.setValue(min(view.done, view.pages))

    def _show_buttons(self, view: RunView) -> None:
        word, icon = {
            RunState.RUNNING: (_("Pause"), "pause"),
            RunState.STOPPING: (_("Pause"), "pause"),
            RunState.PAUSED: (_("Go on"), "read"),
        }.get(view.state, (_("Read"), "read"))
        if self.go.text() != word:
            self.go.setText(word)
            theme.give_icon(self.go, icon)
        unread = view.pages - view.done
        self.go.setEnabled(
            view.state in {RunState.RUNNING, RunState.PAUSED}
            or (view.state is RunState.IDLE and unread > 0)
        )
        self.stop.setEnabled(view.state in {RunState.RUNNING, RunState.PAUSED})

    def _on_go(self) -> None:
        match self._view.state:
            case RunState.RUNNING:
                self.pause_asked.emit()
            case RunState.PAUSED:
                self.resume_asked.emit()
            case _:
                self.start_asked.emit()


FACTS = ("rate", "pages", "left", "finish", "engine", "proofread", "waiting", "heartbeat")


def facts_of(view: RunView, now: datetime) -> dict[str, str]:
    """The numbers beside the sentence; "" for what is not known, or of no interest now."""
    runs = view.state is RunState.RUNNING
    return {
        "rate": _rate(view) if runs else "",
        "pages": _pages(view) if runs else "",
        "left": _left(view) if view.is_active else "",
        "finish": _finish(view, now) if runs else "",
        "engine": engine_text(view.engine),
        "proofread": _proofread(view),
        "waiting": _waiting(view),
        "heartbeat": heartbeat_text(view.last_step_age_s) if runs else "",
    }


def _rate(view: RunView) -> str:
    if view.steps_per_s is None:
        return ""
    unit = _("{rate} lines/s") if view.step_unit == "lines" else _("{rate} tok/s")
    return unit.format(rate=short(view.steps_per_s))


def _pages(view: RunView) -> str:
    if view.pages_per_minute is None:
        return ""
    return _("{rate} pages/min").format(rate=short(view.pages_per_minute))


def _left(view: RunView) -> str:
    if view.seconds_left is None:
        return ""
    return _("{time} left").format(time=duration_text(view.seconds_left))


def _finish(view: RunView, now: datetime) -> str:
    if view.finish is None:
        return ""
    return _("done {clock}").format(clock=finish_text(view.finish, now))


def _proofread(view: RunView) -> str:
    if view.state is RunState.NOTHING:
        return ""
    is_of_shown = not view.title  # else the pages are those of the book that is read
    count = share(view.proofread, view.book_pages) if is_of_shown else whole(view.proofread)
    return _("proofread {share}").format(share=count)


def _waiting(view: RunView) -> str:
    return plural("{n} book waiting", "{n} books waiting", view.waiting) if view.waiting else ""


def _filled_button() -> QPushButton:
    button = QPushButton()
    button.setProperty("filled", True)
    return button


def _width_with(button: QPushButton, word: str) -> int:
    button.setText(word)
    theme.give_icon(button, "pause")
    return button.sizeHint().width()
