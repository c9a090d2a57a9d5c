"""How work that takes too long is given up: asked from any thread, carried out at once."""

from __future__ import annotations

import threading
from collections.abc import Callable


class GivingUp:
    """Handed along with an order; whoever carries it out says what would end it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._end: Callable[[], None] | None = None
        self._is_asked = False

    @property
    def asked(self) -> bool:
        """Whether someone gave the order up."""
        return self._is_asked

    def ask(self) -> None:
        """Give the order up; does nothing once that is over."""
        with self._lock:
            self._is_asked = True
            end = self._end
        if end is not None:
            end()

    def by(self, end: Callable[[], None]) -> None:
        """From now on this ends the work; at once when that was asked for before."""
        with self._lock:
            self._end = end
        if self._is_asked:
            end()

    def over(self) -> bool:
        """The work is done and is not to be ended any more; whether that was asked for."""
        with self._lock:
            self._end = None
            return self._is_asked
