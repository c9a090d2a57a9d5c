"""What was changed between two texts, as few edits that keep words whole. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

EDITS_WORTH_FOLLOWING = 200
"""Beyond so many a text was rewritten, and following each edit would only cost time."""

_TOKENS = re.compile(r"\s|[^\s]+")


class Edit(NamedTuple):
    """The old text from `start` to `end` (code points) became `text`."""

    start: int
    end: int
    text: str

    @property
    def shift(self) -> int:
        """How far what stands behind moves."""
        return len(self.text) - (self.end - self.start)


def edits(old: str, new: str) -> tuple[Edit, ...]:
    """The edits that make the new text from the old one, in order, none touching another.

    Compares word by word between what both have in common at their ends, so that two words changed
    leave the words between them untouched.
    """
    whole = _trimmed(old, Edit(0, len(old), new))
    if whole is None:
        return ()
    start, end = _around_words(old, whole)
    found = tuple(
        Edit(edit.start + start, edit.end + start, edit.text)
        for edit in _by_words(old[start:end], new[start : end + whole.shift])
    )
    return found if len(found) <= EDITS_WORTH_FOLLOWING else (whole,)


def _around_words(old: str, edit: Edit) -> tuple[int, int]:
    """From where to where whole words reach that an edit lies in."""
    start, end = edit.start, edit.end
    while start > 0 and not old[start - 1].isspace():
        start -= 1
    while end < len(old) and not old[end].isspace():
        end += 1
    return start, end


def _by_words(old: str, new: str) -> tuple[Edit, ...]:
    old_tokens, new_tokens = _TOKENS.findall(old), _TOKENS.findall(new)
    old_at, new_at = _starts(old_tokens), _starts(new_tokens)
    rough = [
        Edit(old_at[was.start], old_at[was.stop], new[new_at[now.start] : new_at[now.stop]])
        for was, now in _differences(old_tokens, new_tokens)
    ]
    trimmed = (_trimmed(old, edit) for edit in rough)
    return tuple(edit for edit in trimmed if edit is not None)


def _differences(old: Sequence[str], new: Sequence[str]) -> list[tuple[slice, slice]]:
    """Stretches that differ, neighbouring operations joined into one."""
    found: list[tuple[slice, slice]] = []
    for step in Levenshtein.opcodes(old, new):
        if step.tag == "equal":
            continue
        was, now = slice(step.src_start, step.src_end), slice(step.dest_start, step.dest_end)
        if found and (found[-1][0].stop, found[-1][1].stop) == (was.start, now.start):
            before = found.pop()
            was, now = slice(before[0].start, was.stop), slice(before[1].start, now.stop)
        found.append((was, now))
    return found


def _starts(tokens: Sequence[str]) -> list[int]:
    """Where each token starts in the joined text, and where the text ends."""
    starts = [0]
    for token in tokens:
        starts.append(starts[-1] + len(token))
    return starts


def _trimmed(old: str, edit: Edit) -> Edit | None:
    """The same edit without letters that it replaces by themselves; None where nothing is left."""
    replaced = old[edit.start : edit.end]
    if replaced == edit.text:
        return None
    head = Prefix.similarity(replaced, edit.text)
    tail = Postfix.similarity(replaced[head:], edit.text[head:])
    return Edit(edit.start + head, edit.end - tail, edit.text[head : len(edit.text) - tail])


def paired(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Indices of items that correspond: equal ones, and those that replaced one another."""
    return [
        (step.src_start + ahead, step.dest_start + ahead)
        for step in Levenshtein.opcodes(old, new)
        if step.tag in {"equal", "replace"}
        for ahead in range(step.src_end - step.src_start)
    ]
