"""Where and with what the numbers were measured."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

LIBRARIES = ("PySide6-Essentials", "pymupdf", "onnxruntime", "torch", "transformers", "python-docx")


@dataclass(frozen=True)
class Machine:
    """The computer, the system and the versions."""

    date: str
    cores: int
    memory_gb: float
    processor: str
    system: str
    python: str
    commit: str
    libraries: tuple[tuple[str, str], ...]
    load: tuple[float, float, float]  # of the last 1, 5 and 15 minutes, before the bench

    @property
    def sentences(self) -> tuple[str, ...]:
        """For the head of the table."""
        versions = ", ".join(f"{name} {version}" for name, version in self.libraries)
        load = " ".join(f"{each:.1f}" for each in self.load)
        return (
            f"Measured on {self.date} at {self.commit}: {self.processor}, {self.cores} cores, "
            f"{self.memory_gb:.0f} GB of memory, {self.system}; load before: {load}.",
            f"Python {self.python}, {versions}.",
        )


def this_machine() -> Machine:
    """Ask the system."""
    return Machine(
        date=f"{datetime.now().astimezone():%Y-%m-%d %H:%M}",
        cores=os.cpu_count() or 1,
        memory_gb=psutil.virtual_memory().total / (1 << 30),
        processor=_processor(),
        system=_system(),
        python=platform.python_version(),
        commit=_commit(),
        libraries=tuple((name, importlib.metadata.version(name)) for name in LIBRARIES),
        load=os.getloadavg(),
    )


def _processor() -> str:
    try:
        facts = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.split(":", 1)[1].strip() for line in facts if line.startswith("model name"))
    return next(names, platform.machine())


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform()


def _commit() -> str:
    order = ["git", "describe", "--always", "--dirty"]
    try:
        told = subprocess.run(order, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return "an unknown commit"
    return told.stdout.strip()
