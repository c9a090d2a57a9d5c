"""From the start of the program to the first window on the screen, each in a process of its own.

`python -m tests.bench.starting MOMENT` is such a process: it goes the program's own way into the
window and says how long after MOMENT (of the monotonic clock) it was painted.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.numbers import median_of
from tests.bench.report import Measured

RUNS = 9
HEAVY = (
    *("torch", "transformers", "onnxruntime", "cv2", "numpy", "pymupdf", "docx", "lxml", "PIL"),
    *("tokenizers", "safetensors", "asyncio", "sqlite3"),
)
SLOW_MS = 30
_IMPORTED = re.compile(r"import time:\s*(\d+) \|\s*(\d+) \|(\s*)(\S+)")


def measure_start(folder: Path) -> Measured:
    """The program's files lie in the system's cache, as they do after the first start."""
    started = [_start(folder) for _run in range(RUNS)]
    taken_s = [found["taken_s"] for found in started]
    loaded = [name for name in HEAVY if name in started[-1]["modules"]]
    assert "torch" not in loaded
    notes = (f"of {', '.join(HEAVY)} these are imported: {', '.join(loaded)}", _slow(folder))
    return Measured(median(taken_s), median_of(taken_s), notes=notes)


def _start(folder: Path) -> dict[str, Any]:
    order = [sys.executable, "-m", "tests.bench.starting", str(time.monotonic())]
    done = subprocess.run(
        order, env=_environment(folder), stdout=subprocess.PIPE, check=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def _slow(folder: Path) -> str:
    """Which imports take long, counted with all that they pull in; measured once."""
    order = [sys.executable, "-X", "importtime", "-m", "tests.bench.starting", "0"]
    done = subprocess.run(
        order, env=_environment(folder), capture_output=True, check=True, text=True
    )
    found = [match.groups() for match in _IMPORTED.finditer(done.stderr)]
    slow = [(int(whole) / 1000, name) for _own, whole, _indent, name in found]
    named = [f"{name} {ms:.0f}" for ms, name in sorted(slow, reverse=True) if ms >= SLOW_MS]
    return f"imports over {SLOW_MS} ms, with what they import, under a profiler: {', '.join(named)}"


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "INCUNABLE_HOME": tempfile.mkdtemp(dir=folder)}


def main() -> None:
    begun_s = float(sys.argv.pop())
    from ui import studio
    from ui.main import show

    build = studio.build

    def watched_build(*parts, **more) -> studio.Studio:
        built = build(*parts, **more)
        _tell_when_painted(built, begun_s)
        return built

    studio.build = watched_build
    sys.exit(show([]))


def _tell_when_painted(built: Any, begun_s: float) -> None:
    from PySide6.QtCore import QEvent, QObject, QTimer
    from typing_extensions import override

    class Watch(QObject):
        @override
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                QTimer.singleShot(0, self.tell)  # after this paint has reached the screen
            return False

        def tell(self) -> None:
            taken_s = time.monotonic() - begun_s
            modules = sorted({name.split(".")[0] for name in sys.modules})
            print(json.dumps({"taken_s": taken_s, "modules": modules}), flush=True)
            built.window.leave()

    built.window.installEventFilter(Watch(built.window))


if __name__ == "__main__":
    main()
