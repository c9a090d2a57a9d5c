"""Brings results of futures, which end on other threads, over to the UI thread."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal


class Arrivals(QObject):
    """Calls back on the UI thread for every future that ended without being cancelled.

    Belongs to `ui`. It has no parent on purpose: a future that still runs keeps it alive, so what
    ends after the widget is gone reaches nobody instead of a deleted object.
    """

    _ended = Signal(object, object)  # key, future

    def __init__(self, on_arrived: Callable[[Any, Future[Any]], None]) -> None:
        """Args: on_arrived: a method of a QObject; gets the key and the future, which is done."""
        super().__init__()
        self._ended.connect(on_arrived, Qt.ConnectionType.QueuedConnection)

    def expect(self, key: Hashable, future: Future[Any]) -> None:
        """Tell of this future when it ends."""
        future.add_done_callback(partial(self._on_ended, key))

    def _on_ended(self, key: Hashable, future: Future[Any]) -> None:
        given_up = future.cancelled() or isinstance(future.exception(), CancelledError)
        if not given_up:
            self._ended.emit(key, future)
