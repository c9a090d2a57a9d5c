"""Regular expressions as a person types them: compiled, matched within a time, expanded. Pure.

The library `regex` gives up after a time that is set; a pattern that would take for ever on a page
is an error that is told, and never hangs anything.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from app.errors import FindError
from app.language import N_, _

if TYPE_CHECKING:
    from regex import Match, Pattern

PATIENCE_S = 2.0
"""How long one page may take."""

LONGEST = 2_000
"""Letters of a pattern; a longer one is a slip of the clipboard."""

_FAULTS = {
    "missing )": N_("an opening bracket ( has no closing one"),
    "unbalanced parenthesis": N_("a closing bracket ) has no opening one"),
    "unterminated character set": N_("a set of letters begins with [ and has no end ]"),
    "missing ]": N_("a set of letters begins with [ and has no end ]"),
    "nothing to repeat": N_("there is nothing before the sign that repeats (*, + or ?)"),
    "multiple repeat": N_("two signs that repeat (*, + or ?) follow each other"),
    "bad escape": N_("what stands behind a backslash \\ makes no sense"),
    "bad character range": N_("the range of letters in [ ] runs backwards"),
    "unknown group": N_("it names a group that it does not have"),
    "invalid group reference": N_("it names a group that it does not have"),
    "cannot refer to an open group": N_("a group refers to itself"),
    "unknown property": N_("it names a kind of letters that is not known"),
}


def compiled(pattern: str, *, match_case: bool) -> Pattern[str]:
    """A pattern ready to search with.

    Raises:
        FindError: `pattern_bad`, with what is wrong in plain words and where.
    """
    if len(pattern) > LONGEST:
        raise FindError("pattern_long", most=LONGEST)
    return _compiled(pattern, match_case)


@lru_cache(maxsize=8)
def _compiled(pattern: str, match_case: bool) -> Pattern[str]:  # noqa: FBT001 - a key of the cache
    import regex  # takes 50 ms: not on the way to the first window

    try:
        with warnings.catch_warnings():  # of signs that may mean something else one day
            warnings.simplefilter("ignore")
            return regex.compile(pattern, 0 if match_case else regex.IGNORECASE)
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        place = getattr(error, "pos", None)
        raise FindError("pattern_bad", why=_plain(error), at=(place or 0) + 1) from None


def _plain(error: Exception) -> str:
    said = getattr(error, "msg", None) or str(error)
    known = (_(words) for start, words in _FAULTS.items() if said.startswith(start))
    return next(known, said)


def matches(pattern: Pattern[str], text: str, *, timeout_s: float) -> Iterator[Match[str]]:
    """Where a pattern stands in a text, leaving out places without a letter.

    Raises:
        FindError: `pattern_slow`, when that takes longer.
    """
    try:
        for match in pattern.finditer(text, timeout=timeout_s):
            if match.end() > match.start():
                yield match
    except TimeoutError:
        raise FindError("pattern_slow") from None
    except MemoryError:
        raise FindError("pattern_slow") from None


class Template(NamedTuple):
    """What is put instead: letters, and groups of the match by number or name."""

    parts: tuple[str | int, ...]  # a number is that of a group

    def filled(self, group: Callable[[int], str]) -> str:
        """The text with the groups put in."""
        return "".join(part if isinstance(part, str) else group(part) for part in self.parts)


def template_of(instead: str, pattern: Pattern[str] | None) -> Template:
    r"""What a person typed to be put instead; in a pattern `\1` and `\g<name>` are its groups.

    Raises:
        FindError: `template_bad`.
    """
    if pattern is None:
        return Template((instead,))
    import regex

    parts: list[str | int] = []
    behind = 0
    for found in regex.finditer(r"\\(?:(\d{1,2})|g<(\w+)>|(.)|$)", instead):
        parts += (instead[behind : found.start()], _part(found, pattern))
        behind = found.end()
    return Template((*parts, instead[behind:]))


def _part(found: Match[str], pattern: Pattern[str]) -> str | int:
    number, name, letter = found.groups()
    if letter is not None:
        return {"n": "\n", "t": "\t"}.get(letter, letter)
    group = number or name
    if group is None:
        raise FindError("template_bad", group="\\")
    at = int(group) if group.isdigit() else pattern.groupindex.get(group, -1)
    if not 0 <= at <= pattern.groups:
        raise FindError("template_bad", group=group)
    return at
