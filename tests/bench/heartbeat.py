"""How long the UI thread is blocked, and by what: a timer that should beat every two milliseconds.

When a beat is late by more than `LATE_S` an alarm has the system write down where the thread stands
at that moment; that works inside of Qt and while another thread holds the interpreter, too.
"""

from __future__ import annotations

import faulthandler
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from operator import sub
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from tests.bench.numbers import seconds

BEAT_S = 0.002
LATE_S = 0.030
ROOT = Path(__file__).resolve().parents[2]
OURS = ("app/", "model/", "ui/")
_FRAME = re.compile(r'File "(.+)", line (\d+) in (.+)')


class Gap(NamedTuple):
    """A stretch in which the UI thread took no event."""

    seconds: float
    busy_s: float  # of it, the thread worked
    queued_s: float  # it was ready, and no core was free; the rest it waited for other threads
    at_s: float  # since the first beat
    where: str  # the innermost lines of ours that stood on the stack

    @property
    def own_s(self) -> float:
        """Without the time in which it had no core."""
        return self.seconds - self.queued_s


class Heartbeat(QObject):
    """A context manager on the UI thread; `gaps` holds those longer than `LATE_S`."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[Gap] = []
        self.longest_s = 0.0
        self.beats = 0
        self._stacks = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed on leaving
        self._timer = QTimer(self, interval=round(BEAT_S * 1000))
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)
        self._begun_s = self._last_s = 0.0
        self._last_schedule = (0.0, 0.0)

    def __enter__(self) -> Self:
        self._schedule = Path("/proc/thread-self/schedstat").open("rb", buffering=0)
        faulthandler.register(signal.SIGALRM, file=self._stacks, all_threads=False)
        self._begun_s = self._last_s = time.monotonic()
        self._last_schedule = self._scheduled()
        self._timer.start()
        self._arm()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.stop()
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.unregister(signal.SIGALRM)
        self._schedule.close()
        self._stacks.close()

    @property
    def shown(self) -> str:
        """The longest gap, and the longest without the time in which the thread had no core."""
        own_s = max((gap.own_s for gap in self.gaps), default=None)
        own = f"under {seconds(LATE_S)}" if own_s is None else seconds(own_s)
        return f"{seconds(self.longest_s)} ({own} not counting the wait for a core)"

    def notes(self) -> tuple[str, ...]:
        """What the table says below: the longest gaps, and who is met most often in them."""
        if not self.gaps:
            return (f"no gap over {LATE_S * 1000:.0f} ms in {self.beats} beats",)
        worst = sorted(self.gaps, key=lambda gap: gap.own_s, reverse=True)[:3]
        often = Counter(gap.where for gap in self.gaps).most_common(3)
        return (
            f"{len(self.gaps)} gaps over {LATE_S * 1000:.0f} ms in {self.beats} beats; longest: "
            + "; ".join(_told(gap) for gap in worst),
            "met in gaps: " + "; ".join(f"{count} x {where}" for where, count in often),
        )

    @Slot()
    def _on_beat(self) -> None:
        now_s, scheduled = time.monotonic(), self._scheduled()
        late_s = now_s - self._last_s - BEAT_S
        self.beats += 1
        self.longest_s = max(self.longest_s, late_s)
        if late_s > LATE_S:
            busy_s, queued_s = map(sub, scheduled, self._last_schedule)
            at_s = now_s - self._begun_s
            self.gaps.append(Gap(late_s, busy_s, queued_s, at_s, where(self._read_stack())))
        self._last_s, self._last_schedule = now_s, scheduled
        self._arm()

    def _arm(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, LATE_S + BEAT_S)

    def _scheduled(self) -> tuple[float, float]:
        """How long this thread worked, and how long it was ready without a core, so far."""
        self._schedule.seek(0)
        busy, queued, _turns = self._schedule.read().split()
        return int(busy) / 1e9, int(queued) / 1e9

    def _read_stack(self) -> str:
        self._stacks.seek(0)
        stack = self._stacks.read()
        self._stacks.seek(0)
        self._stacks.truncate()
        return stack


def where(stack: str) -> str:
    """The innermost two lines of ours on a stack as faulthandler writes it, e.g. 'ui/x.py:7 f'."""
    return innermost([match.groups() for match in _FRAME.finditer(stack)])


def innermost(frames: Sequence[Sequence[str]]) -> str:
    """The same of frames as path, line and name, the innermost first."""
    ours = [frame for frame in map(_ours, frames) if frame]
    if ours:
        return " < ".join(ours[:2])
    if not frames:
        return "not seen: over before it could be written down"
    path, line, name = frames[0]
    return f"none of ours ({Path(path).name}:{line} {name})"


def _ours(frame: Sequence[str]) -> str:
    path, line, name = frame
    place = path.removeprefix(f"{ROOT}/")
    return f"{place}:{line} {name}" if place.startswith(OURS) else ""


def _told(gap: Gap) -> str:
    parts = f"{gap.busy_s * 1000:.0f} at work, {gap.queued_s * 1000:.0f} without a core"
    return f"{gap.seconds * 1000:.0f} ms ({parts}) at {gap.at_s:.1f} s, {gap.where}"
