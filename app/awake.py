"""Keeps the machine from falling asleep while a book is read, where the platform allows it.

A helper program of the platform holds the inhibition and ends with this process; where there is
none, nothing happens and that is no error.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys

log = logging.getLogger(__name__)

REASON = "Incunable is reading a book"


class Awake:
    """Holds sleep off between `begin()` and `end()`. Belongs to the UI thread."""

    def __init__(self) -> None:
        self._holder: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Hold sleep off; calling it again changes nothing."""
        command = _command()
        if command is None or self._holder is not None:
            return
        try:
            self._holder = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,  # its end, when this process dies, ends the helper
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            log.info("sleep cannot be held off on this machine", exc_info=True)

    def end(self) -> None:
        """Let the machine sleep again."""
        holder, self._holder = self._holder, None
        if holder is None:
            return
        if holder.stdin is not None:
            holder.stdin.close()
        holder.terminate()
        holder.wait()


def _command() -> list[str] | None:
    """The program that holds sleep off for as long as it runs, if the platform has one."""
    if sys.platform == "darwin":
        return ["caffeinate", "-i", "-w", str(os.getpid())]
    if shutil.which("systemd-inhibit"):
        what = ["--what=idle:sleep", "--who=Incunable", f"--why={REASON}"]
        return ["systemd-inhibit", *what, "cat"]
    return None
