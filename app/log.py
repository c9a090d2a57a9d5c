"""The log file: opened first, rotated, and free of page text. Any thread may log.

What people read and type belongs to them, and logs get mailed around. So the formatter writes the
literal words of our own log calls, and of their values only numbers, names and codes: a text of
several words is written as its length, a reading as its class. Errors go through
`app.crash_report.traceback_text`, which has no locals and hides what messages quote.
"""

from __future__ import annotations

import copy
import logging
import re
import sys
from collections import deque
from collections.abc import Mapping
from enum import Enum
from logging.handlers import RotatingFileHandler
from pathlib import Path

from typing_extensions import override

from app.crash_report import hide_quotes, message_of, traceback_text

LOG_NAME = "incunable.log"
FILE_BYTES = 1_000_000
FILES_KEPT = 3
OUR_LOGGERS = ("app", "model", "ui")
_ONE_NAME = re.compile(r"[\w.,:+/\\~-]{1,80}", re.ASCII)  # a code, an engine, a version, a path


class Log:
    """The open log file of this process."""

    def __init__(self, folder: Path) -> None:
        """Open the log; where none can be written there is none, and the work goes on.

        Args:
            folder: where `incunable.log` and its predecessors lie.
        """
        self.path = folder / LOG_NAME
        self._handler = _handler(self.path)
        self._handler.setFormatter(PlainFormatter())
        self._handler.addFilter(_is_worth_writing)
        logging.getLogger().addHandler(self._handler)
        for name in OUR_LOGGERS:
            logging.getLogger(name).setLevel(logging.INFO)

    def close(self) -> None:
        """Write what is left and let go of the file."""
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()


class _LogFile(RotatingFileHandler):
    """Keeps quiet when the disk takes nothing: whose work fails by that tells it better."""

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)


def _handler(path: Path) -> logging.Handler:
    try:
        return _LogFile(
            path,
            maxBytes=FILE_BYTES,
            backupCount=FILES_KEPT,
            encoding="utf-8",
            errors="backslashreplace",  # names of files may be no valid Unicode
        )
    except OSError:
        return logging.NullHandler()


def last_lines(path: Path, count: int) -> list[str]:
    """The end of a log file; empty when there is none."""
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            return [line.rstrip("\n") for line in deque(lines, maxlen=count)]
    except OSError:
        return []


def _is_worth_writing(record: logging.LogRecord) -> bool:
    """Ours from INFO on, the libraries' from WARNING on."""
    ours = record.name.partition(".")[0] in OUR_LOGGERS
    return record.levelno >= (logging.INFO if ours else logging.WARNING)


class PlainFormatter(logging.Formatter):
    """Date, level, thread, logger and message, without any text of a page."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """One record; the record itself stays as it is for other handlers."""
        plain = copy.copy(record)
        plain.args = _plain_args(record.args)
        plain.exc_info = plain.exc_text = plain.stack_info = None
        if record.name.partition(".")[0] not in OUR_LOGGERS:
            plain.msg, plain.args = hide_quotes(plain.getMessage()), None
        error = record.exc_info[1] if record.exc_info else None
        line = super().format(plain)
        return f"{line}\n{traceback_text(error)}" if error else line


def _plain_args(
    args: tuple[object, ...] | Mapping[str, object] | None,
) -> tuple[object, ...] | dict[str, object] | None:
    if args is None:
        return None
    if isinstance(args, tuple):
        return tuple(_plain(value) for value in args)
    return {key: _plain(value) for key, value in args.items()}


def _plain(value: object) -> object:
    """A value as it may stand in the log."""
    match value:
        case None | bool() | int() | float() | Path() | Enum():
            return value
        case str():
            return value if _ONE_NAME.fullmatch(value) else f"<text, {len(value)} letters>"
        case BaseException():
            return message_of(value)
        case _:
            return f"<{type(value).__name__}>"
