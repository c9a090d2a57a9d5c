"""What a person may send us after a bug: facts of the machine, the traceback, the end of the log.

It holds no page text. Tracebacks have source lines but no locals, and of what an error's message
quotes only words stay that stand in those source lines or name a built-in type. Home folders are
written as `~`. Nothing is sent by itself: the report is shown, and copied by hand.
"""

from __future__ import annotations

import builtins
import platform
import re
import traceback
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import cast

from app.errors import UserFacing
from model import api

LOG_LINES = 200
MESSAGE_LETTERS = 300
LIBRARIES = ("PySide6-Essentials", "torch", "transformers", "onnxruntime", "rapidocr", "pymupdf")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|‘[^’]*’|«[^»]*»|„[^“”]*[“”]", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_TYPE_NAMES = frozenset(dir(builtins)) | {"NoneType", "function", "generator", "module"}


def crash_report(
    error: BaseException, *, log_lines: list[str], facts: Mapping[str, str] | None = None
) -> str:
    """Write the report of a bug.

    Args:
        error: what was raised and not answered.
        log_lines: the end of the log, as `app.log` writes it; the last 200 lines are kept.
        facts: what the caller knows besides: the engine, the screen, the thread.
    """
    known = {**machine_facts(), **(facts or {})}
    parts = [
        "\n".join(f"{name}: {value}" for name, value in known.items()),
        traceback_text(error),
        "\n".join(["Log:", *log_lines[-LOG_LINES:]]),
    ]
    return "\n\n".join(parts).replace(str(Path.home()), "~") + "\n"


def machine_facts() -> dict[str, str]:
    """Versions, platform, card and driver."""
    return {
        "Incunable": _version("incunable"),
        "Date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "Python": platform.python_version(),
        "System": platform.platform(),
        "Libraries": ", ".join(f"{name} {_version(name)}" for name in LIBRARIES),
        "Cards": _cards(),
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _cards() -> str:
    """The cards and their driver, asked of the driver itself; torch need not be loaded."""
    found = api.cards()
    if not found:
        return "none"
    return ", ".join(f"{card.name} (driver {card.driver})" for card in found)


def traceback_text(error: BaseException) -> str:
    """The traceback of an error and of those that led to it, first cause first."""
    return "\n".join(_one_traceback(each) for each in reversed(list(_chain(error))))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what caused it, and so on; each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup):
            for each in cast("BaseExceptionGroup[BaseException]", error).exceptions:
                yield from _chain(each)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _one_traceback(error: BaseException) -> str:
    frames = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__))
    where = "".join(frames.format())
    source = frozenset(_WORD.findall(" ".join(frame.line or "" for frame in frames)))
    words = source | {part for word in source for part in word.split(".")}
    return f"Traceback (most recent call last):\n{where}{message_of(error, words)}"


def message_of(error: BaseException, known_words: frozenset[str] = frozenset()) -> str:
    """The error's class and message, without what it may quote from a page.

    Args:
        error: any error; of a `UserFacing` only the code and the numbers are written.
        known_words: names that may stand in quotes, since they come from the source.
    """
    name = type(error).__qualname__
    match error:
        case UserFacing():
            numbers = {k: v for k, v in error.parameters.items() if not isinstance(v, str)}
            return f"{name}: {error.code} {numbers}" if numbers else f"{name}: {error.code}"
        case OSError(errno=int() as number, strerror=str() as words):
            return f"{name}: [Errno {number}] {words}"  # without the file's name
        case _:
            first_line = hide_quotes(str(error), known_words).partition("\n")[0]
            return f"{name}: {first_line[:MESSAGE_LETTERS]}" if first_line else name


def hide_quotes(message: str, known_words: frozenset[str] = frozenset()) -> str:
    """Replace what a message quotes by an ellipsis, unless it is a known word."""

    def shown(quoted: re.Match[str]) -> str:
        inside = quoted.group()[1:-1]
        return quoted.group() if inside in known_words | _TYPE_NAMES else "'…'"

    return _QUOTED.sub(shown, message)
