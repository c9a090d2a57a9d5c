"""Stop and pause of a run: asked for on the UI thread, obeyed on `reading` between two steps."""

from __future__ import annotations

import threading

from model.api import Stop

KEEP_WHILE_PAUSED_S = 600.0
"""A pause longer than this frees the engine's caches; the page is read again on resume."""


class RunControl:
    """One run's stop flag and pause gate. Every method may be called from any thread."""

    def __init__(self) -> None:
        self.stop = Stop()
        self._may_go = threading.Event()
        self._may_go.set()

    @property
    def is_paused(self) -> bool:
        """Whether a pause was asked for and not yet lifted."""
        return not self._may_go.is_set()

    def ask_stop(self) -> None:
        """End the run at the next step, also out of a pause."""
        self.stop.ask()
        self._may_go.set()

    def ask_pause(self) -> None:
        """Hold the run between two steps."""
        if not self.stop.asked:
            self._may_go.clear()

    def ask_resume(self) -> None:
        """Let the run go on."""
        self._may_go.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the run may go on; False when it still may not after `seconds`."""
        return self._may_go.wait(seconds)
