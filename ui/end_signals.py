"""Signals that ask the program to end: Ctrl+C in its terminal, or a system that shuts down."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
MOST_AT_ONCE = 64


class EndSignals(QObject):
    """Tells of them on the UI thread, also while Qt waits and no Python runs. Belongs to `ui`."""

    interrupted = Signal()  # by a person, who may be asked something
    ended = Signal()  # nobody is there to be asked

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._before: dict[int, Callable[..., Any] | int | None] = {}
        self._ours, self._theirs = socket.socketpair()
        for end in (self._ours, self._theirs):
            end.setblocking(False)
        notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._on_signal)

    def watch(self) -> None:
        """Take the signals, until `release`; those that are ignored (nohup) stay ignored."""
        signal.set_wakeup_fd(self._theirs.fileno())
        for each in ENDING:
            if signal.getsignal(each) is not signal.SIG_IGN:
                self._before[each] = signal.signal(each, _leave_it_to_the_socket)

    def release(self) -> None:
        """Give the signals back."""
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._theirs.close()

    @Slot()
    def _on_signal(self) -> None:
        numbers = set(self._ours.recv(MOST_AT_ONCE))
        if numbers & (set(ENDING) - {signal.SIGINT}):
            self.ended.emit()
        elif signal.SIGINT in numbers:
            self.interrupted.emit()


def _leave_it_to_the_socket(_number: int, _frame: FrameType | None) -> None:
    """Python must have a handler, for the number to be written to the socket."""
