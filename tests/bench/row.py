"""Measures one row in this process: `python -m tests.bench.row NAME FOLDER`; JSON goes to stdout.

FOLDER is for what the rows of one bench share: large books and finished ones.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from tests.bench.report import Measured
from tests.bench.rows import BY_NAME

Measure = Callable[[Path], Measured]


def main() -> None:
    name, folder = sys.argv[1:]
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="incunable-row-") as home:
        os.environ["INCUNABLE_HOME"] = home
        print(json.dumps(asdict(_measure(name)(Path(folder)))))


def _measure(name: str) -> Measure:
    module = importlib.import_module(f"tests.bench.{BY_NAME[name].module}")
    return getattr(module, f"measure_{name}")


if __name__ == "__main__":
    main()
