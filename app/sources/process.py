"""The parent's end of a confined child: start it, ask it, end it. Knows nothing of books.

The decoding child is one; the child that runs a checkpoint's own code (`app.comparing`) another.

A child that does not answer in time, ends in the middle of an answer, or answers nonsense is
killed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

from app.sources import frames

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
PIPE_BYTES = 1 << 20
ENVIRONMENT = {
    "PYTHONPATH": str(ROOT),
    "PYTHONUTF8": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 20),  # glibc: what a large page took is given back at once
}


class ChildHung(Exception):
    """The child did not answer in time and was killed."""


class ChildDied(Exception):
    """The child ended, or broke, before it had answered."""


class ConfinedChild:
    """One running child. Belongs to the thread that asks it; `kill` may be called from any."""

    def __init__(self, module: str, **environment: str) -> None:
        """Start it.

        Args:
            module: is run as the child's program; it puts up the walls itself, first of all.
            environment: variables for it beside ours.
        """
        self._module = module
        self._process = subprocess.Popen(
            # -P: the folder that one happens to stand in must not offer modules to the child
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # libraries complain there of every odd file
            env={**os.environ, **ENVIRONMENT, **environment},
            pipesize=PIPE_BYTES,
            start_new_session=True,  # Ctrl+C in a terminal is meant for the parent
        )

    @property
    def pid(self) -> int:
        """For tests, and for measuring memory."""
        return self._process.pid

    def ask(self, order: dict[str, Any], data: bytes = b"", *, within_s: float) -> frames.Message:
        """Give one order, with bytes that belong to it, and wait for its answer.

        Raises:
            ChildHung, ChildDied: the child is gone after either.
        """
        with self._killed_after(within_s) as hung:
            answer = self._exchange(order, data)
        if answer is None:
            self.kill()
            if self._process.returncode >= 0:  # nobody killed it: it could not even report
                log.warning("%s ended by itself: %d", self._module, self._process.returncode)
            raise ChildHung if hung.is_set() else ChildDied
        return answer

    def kill(self) -> None:
        """End the child and what it may have started; calling it again does nothing."""
        if self._process.poll() is None:
            self._kill_group()
        self._process.wait()

    def close(self) -> None:
        """End the child and close the pipes to it."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # an order that was never taken
                pipe.close()

    def _exchange(self, order: dict[str, Any], data: bytes) -> frames.Message | None:
        """None when the child ended before its answer did."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            frames.write(self._process.stdin, order, data)
            return frames.read(self._process.stdout)
        except (OSError, frames.BrokenFrame):
            return None

    @contextlib.contextmanager
    def _killed_after(self, seconds: float) -> Generator[threading.Event]:
        """Kill the child, and by that end the wait for it, when the time is over."""
        hung = threading.Event()

        def end() -> None:
            hung.set()
            self._kill_group()

        timer = threading.Timer(seconds, end)
        timer.name = "pages-timer"
        timer.start()
        try:
            yield hung
        finally:
            timer.cancel()
            timer.join()

    def _kill_group(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
