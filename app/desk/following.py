"""What becomes of the doubts of a page when a person types into it. Pure.

Words that an edit does not touch keep their doubt and shift with the text. A word that it touches
was read by a person just now: its doubt is answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.desk.doubts import Doubt, Entry, Key, Leaf
from app.desk.words import words_in
from app.edits import Edit, edits
from app.proofing import place


class Followed(NamedTuple):
    """A page after a correction."""

    leaf: Leaf
    touched: tuple[Entry, ...]  # doubts that the correction answered
    renamed: tuple[tuple[Key, Key], ...]  # words that are another of their like now: old, new


def changed_region(before: Sequence[str], after: Sequence[str]) -> int | None:
    """The one region whose text differs; None where none does, or more than one."""
    if len(before) != len(after):
        return None
    changed = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    return changed[0] if len(changed) == 1 else None


def followed(leaf: Leaf, region: int, text: str) -> Followed:
    """The doubts of a page after one region was given another text by hand."""
    changes = edits(leaf.texts[region], text)
    texts = (*leaf.texts[:region], text, *leaf.texts[region + 1 :])
    touched = tuple(
        entry for entry in leaf.entries if entry.doubt.region == region and _touches(entry, changes)
    )
    gone = {entry.key for entry in touched}
    kept = [entry for entry in leaf.entries if entry.key not in gone]
    moved = [moved_doubt(entry.doubt, region, changes) for entry in kept]
    entries = _numbered(leaf.page, texts, moved)
    new = {(entry.doubt.region, entry.doubt.start): entry.key for entry in entries}
    keys = (
        (entry.key, new.get((doubt.region, doubt.start), entry.key))
        for entry, doubt in zip(kept, moved, strict=True)
    )
    renamed = tuple((old, key) for old, key in keys if old != key)
    return Followed(Leaf(leaf.page, texts, entries), touched, renamed)


def moved_doubt(doubt: Doubt, region: int, changes: Sequence[Edit]) -> Doubt:
    """A doubt where it stands after edits of a region; letters typed into it are taken in."""
    if doubt.region != region:
        return doubt
    start, end = doubt.start, doubt.end
    for edit in reversed(changes):
        start, end = place(start, end, edit)
    return doubt._replace(start=start, end=end)


def _touches(entry: Entry, changes: Sequence[Edit]) -> bool:
    """Whether an edit changes letters of a word, or adds some at its rim."""
    start, end = entry.doubt.start, entry.doubt.end
    return any(
        (edit.start < end and edit.end > start) or _is_at_rim(edit, start, end) for edit in changes
    )


def _is_at_rim(edit: Edit, start: int, end: int) -> bool:
    before, after = edit.text[:1], edit.text[-1:]
    joins_behind = edit.start == end and (not before or not before.isspace())
    joins_before = edit.end == start and (not after or not after.isspace())
    return joins_behind or joins_before


def _numbered(page: int, texts: Sequence[str], doubts: Iterable[Doubt]) -> tuple[Entry, ...]:
    """Give each doubt what it is known by: which of the same words of its page it is."""
    found = {(doubt.region, doubt.start): doubt for doubt in doubts}
    counts: Counter[str] = Counter()
    entries: list[Entry] = []
    for region, text in enumerate(texts):
        for word in words_in(text):
            doubt = found.get((region, word.start))
            if doubt is not None:
                entries.append(Entry(Key(page, word.text, counts[word.text]), doubt))
            counts[word.text] += 1
    return tuple(entries)
