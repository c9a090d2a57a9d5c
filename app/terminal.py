"""A session without a window: events are taken in one by one, progress goes to standard error."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Self

from app.answers import BookOpened, OpeningFailed, Refused
from app.book import Book
from app.checking import BookJudged
from app.errors import PasswordNeeded
from app.events import Failed, Finished, Stopped
from app.language import _
from app.places import places
from app.run_view import RunView, duration_text, run_sentence
from app.session import Session
from model import api

_CTRL_C = object()

BAR_LETTERS = 24
TELL_EVERY_S = 0.5


class Interrupted(Exception):
    """The run was stopped by the keyboard; what was read is saved."""


class Terminal:
    """Drives a session on the calling thread. Use it as a context manager.

    Args:
        load: loads an engine; a test hands in its own.
    """

    def __init__(self, *, load: Callable[[api.EngineChoice], api.Recogniser] = api.load) -> None:
        self._events: SimpleQueue[object] = SimpleQueue()
        self.session = Session(places(), self._events.put, load=load)
        self._line_is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_line()
        self.session.close()

    def open(self, path: Path, password: str | None = None) -> Book:
        """Open a book; asks for a password where there is a keyboard.

        Raises:
            UserFacing: it cannot be opened.
        """
        self.session.open((path,), password=password)
        answer = self._wait_for(BookOpened, OpeningFailed)
        if isinstance(answer, OpeningFailed):
            if isinstance(answer.error, PasswordNeeded) and sys.stdin.isatty():
                self.say(str(answer.error))
                return self.open(path, getpass(_("Password: ")))
            raise answer.error
        assert self.session.book is not None
        return self.session.book

    def read(self, pages: tuple[int, ...] | None, *, again: bool) -> bool:
        """Read pages and show the progress.

        Returns:
            Whether there was anything to read.

        Raises:
            UserFacing: the run ended early; what was read is saved.
            Interrupted: Ctrl+C.
        """
        if not self.session.runs.start(pages, again=again):
            return False
        try:
            with self._interrupts_in_order():
                end = self._wait_for(Finished, Stopped, Failed)
        except KeyboardInterrupt:
            self._end_line()
            self.say(_("Stopping at the next step. What was read is kept."))
            self.session.runs.stop()
            self._wait_for(Finished, Stopped, Failed)
            raise Interrupted from None
        book = self.session.book
        while book is not None and self.session.checking.is_checking(book.id):
            self._wait_for(BookJudged)
        if isinstance(end, Failed):
            raise end.error
        return True

    def wait_for(self, *kinds: type) -> object:
        """Take events in until one of these comes.

        Raises:
            UserFacing: an order was refused meanwhile.
        """
        answer = self._wait_for(*kinds, Refused)
        if isinstance(answer, Refused):
            raise answer.error
        return answer

    @contextmanager
    def _interrupts_in_order(self) -> Generator[None]:
        """Take Ctrl+C in like an event: raised anywhere else, it could lose the one at hand."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def take_in(_number: int, _frame: object) -> None:
            self._events.put(_CTRL_C)

        before = signal.signal(signal.SIGINT, take_in)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def say(self, text: str) -> None:
        """Write a line to standard error."""
        self._end_line()
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def _wait_for(self, *kinds: type) -> object:
        while True:
            try:
                event = self._events.get(timeout=TELL_EVERY_S)
            except Empty:
                self._show_progress()
                continue
            if event is _CTRL_C:
                raise KeyboardInterrupt
            change = self.session.apply(event)
            if change.run:
                self._show_progress()
            if isinstance(event, kinds):
                self._end_line()
                return event

    def _show_progress(self) -> None:
        view = self.session.runs.view()
        if not view.is_active or not sys.stderr.isatty():
            return
        width = shutil.get_terminal_size().columns - 1  # a longer line would not be written over
        sys.stderr.write(f"\r\033[K{progress_line(view)[:width]}")
        sys.stderr.flush()
        self._line_is_open = True

    def _end_line(self) -> None:
        if self._line_is_open:
            sys.stderr.write("\n")
            self._line_is_open = False


def progress_line(view: RunView) -> str:
    """A bar, what is happening, and the time left, in one line."""
    full = round(view.share * BAR_LETTERS)
    parts = [f"[{'#' * full}{'.' * (BAR_LETTERS - full)}] {run_sentence(view)}"]
    if view.pages_per_minute:
        parts.append(_("{rate:.1f} pages/min").format(rate=view.pages_per_minute))
    if view.seconds_left is not None:
        parts.append(_("{time} left").format(time=duration_text(view.seconds_left)))
    return " · ".join(parts)
