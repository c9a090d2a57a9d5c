"""The workers `store` and `jobs`: one thread each, work in the order in which it was handed in.

What is handed in runs to its end or fails into its future; nothing is dropped. A worker never keeps
the program from ending for ever: at exit each has a deadline, as it has in `close`.
"""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import ParamSpec, TypeVar

log = logging.getLogger(__name__)

EXIT_DEADLINE_S = 10.0
"""How long the end of the program waits for work that is still queued in a worker."""

P = ParamSpec("P")
R = TypeVar("R")


class Worker:
    """One named thread with a queue. May be called from any thread but its own."""

    def __init__(self, name: str) -> None:
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_closed = False
        # A daemon, since Python joins all others without a deadline before it ends.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()
        atexit.register(self._close_at_exit)

    def submit(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call a function on this worker; its result or its exception comes with the future.

        Raises:
            RuntimeError: the worker was closed; nothing would ever run it.
        """
        future: Future[R] = Future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError(f"the worker {self._thread.name} is closed")
            self._queue.put(partial(_carry_out, future, partial(function, *args, **kwargs)))
        return future

    def close(self, deadline_s: float = 5.0) -> bool:
        """Finish what was handed in, then end; calling it again waits again.

        Returns:
            Whether the worker has ended. When it has not, that is logged; the work goes on, and the
            end of the program waits for it once more.
        """
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join(deadline_s)
        if self._thread.is_alive():
            log.warning("%s has not ended within %.1f s", self._thread.name, deadline_s)
            return False
        atexit.unregister(self._close_at_exit)
        return True

    def _close_at_exit(self) -> None:
        self.close(EXIT_DEADLINE_S)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            job()
            del job  # holds arguments and a result until the next job comes


def _carry_out(future: Future[R], call: Callable[[], R]) -> None:
    """Run one job; this is the one place of a worker that catches everything."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = call()
    except BaseException as error:  # noqa: BLE001 - travels in the future to whoever waits for it
        future.set_exception(error)
    else:
        future.set_result(result)


class Workers:
    """The workers of one program: `store` for SQLite alone, `jobs` for what takes long."""

    def __init__(self) -> None:
        self.store = Worker("store")
        self.jobs = Worker("jobs")

    def close(self, deadline_s: float = 5.0) -> bool:
        """Close both, `jobs` first since it may still hand something to `store`.

        Returns:
            Whether both have ended, each within the deadline.
        """
        jobs_ended = self.jobs.close(deadline_s)
        return self.store.close(deadline_s) and jobs_ended
