"""Dictionaries of the system in hunspell's form, read by spylls; those that spylls brings too."""

from __future__ import annotations

import io
import logging
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, cast

from spylls.hunspell import readers  # pyright: ignore[reportMissingTypeStubs]
from spylls.hunspell.dictionary import Dictionary  # pyright: ignore[reportMissingTypeStubs]
from spylls.hunspell.readers.file_reader import BaseReader  # pyright: ignore[reportMissingTypeStubs]

log = logging.getLogger(__name__)

SYSTEM = (Path("/usr/share/hunspell"), Path("/usr/share/myspell/dicts"))
"""Where systems keep them: `de_DE.aff` beside `de_DE.dic`."""


class Speller(Protocol):
    """What is used of a dictionary."""

    def lookup(self, word: str) -> bool:
        """Whether a word is spelled right."""
        ...


@cache
def dictionary(language: str) -> Speller | None:
    """The dictionary of a language (ISO 639-1), the system's before spylls's; None: there is none.

    Takes seconds for a large one. A file that spylls cannot make sense of counts as none.
    """
    for path in _paths(language):
        try:
            return opened(path)
        except Exception as error:  # noqa: BLE001 - a file of the system's may be anything
            log.info("dictionary %s cannot be used: %s", path, error)
    return None


def opened(path: Path) -> Speller:
    """Read a dictionary from its `.aff` file and the `.dic` file beside it."""
    read: Any = readers
    aff, context = read.read_aff(_Lines(path.read_bytes(), "Windows-1252"))
    words = _Lines(path.with_suffix(".dic").read_bytes(), context.encoding)
    made: Any = Dictionary
    return cast("Speller", made(aff, read.read_dic(words, aff=aff, context=context)))


class _Lines(BaseReader):
    """Lines of a file that was read whole; spylls's own reader leaves its files open."""

    def __init__(self, content: bytes, encoding: str) -> None:
        self._content = content
        super().__init__(self._decoded(encoding))

    def reset_encoding(self, encoding: str) -> None:
        """Go on in another encoding from the same line."""
        self.reset_io(self._decoded(encoding))  # pyright: ignore[reportUnknownMemberType]

    def _decoded(self, encoding: str) -> io.StringIO:
        # some dictionaries have flags that are no letters of their encoding
        text = self._content.decode(encoding, "surrogateescape")
        return io.StringIO(text, newline=None)


def _paths(language: str) -> list[Path]:
    own = Path(str(files("spylls.hunspell").joinpath("data", language)))
    found = [path for folder in (*SYSTEM, own) for path in sorted(folder.glob(f"{language}_*.aff"))]
    return [path for path in found if path.with_suffix(".dic").is_file()]
