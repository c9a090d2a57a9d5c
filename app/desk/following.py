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
    changes: tuple[Edit, ...]  # of the region's text


def changed_region(before: Sequence[str], after: Sequence[str]) -> int | None:
    """The one region whose text differs; None where none does, or more than one."""
    if len(before) != len(after):
        return None
    changed = [i for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    return changed[0] if len(changed) == 1 else None


def followed(leaf: Leaf, region: int, text: str) -> Followed:
    """The doubts of a page after one region was given another text by hand."""
    old = leaf.texts[region]
    changes = edits(old, text)
    texts = (*leaf.texts[:region], text, *leaf.texts[region + 1 :])
    touched = tuple(
        entry for entry in leaf.entries if entry.doubt.region == region and _touches(entry, changes)
    )
    gone = {entry.key for entry in touched}
    kept = [entry for entry in leaf.entries if entry.key not in gone]
    moved = [Entry(each.key, moved_doubt(each.doubt, region, changes)) for each in kept]
    recount = _recount(old, text, changes)
    if any(_is_within(entry, region, recount) for entry in kept):
        counted = tuple(_numbered(leaf.page, texts, [entry.doubt for entry in moved]))
    else:
        counted = tuple(
            _renumbered(entry, recount) if _is_behind(was, region, recount) else entry
            for was, entry in zip(kept, moved, strict=True)
        )
    new = {entry.doubt: entry.key for entry in counted}
    keys = ((was, new.get(doubt, was)) for was, doubt in moved)
    renamed = tuple((was, now) for was, now in keys if was != now)
    return Followed(Leaf(leaf.page, texts, counted), touched, renamed, changes)


class _Recount(NamedTuple):
    """Lines in which words were changed, and of which words there are more or fewer now."""

    start: int  # code points in the old text
    end: int
    more: Counter[str]  # below 0: fewer


def _recount(old: str, new: str, changes: Sequence[Edit]) -> _Recount:
    start = old.rfind("\n", 0, changes[0].start) + 1
    start = old.rfind("\n", 0, max(0, start - 1)) + 1  # a word may be broken over two lines
    end = _line_end(old, min(len(old), _line_end(old, changes[-1].end) + 1))
    more = Counter(word.text for word in words_in(new[start : end + len(new) - len(old)]))
    more.subtract(word.text for word in words_in(old[start:end]))
    return _Recount(start, end, more)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _is_within(entry: Entry, region: int, recount: _Recount) -> bool:
    doubt = entry.doubt
    is_inside = doubt.region == region and doubt.end > recount.start and doubt.start < recount.end
    return is_inside and recount.more[doubt.word] != 0


def _is_behind(entry: Entry, region: int, recount: _Recount) -> bool:
    doubt = entry.doubt
    return doubt.region > region or (doubt.region == region and doubt.start >= recount.end)


def _renumbered(entry: Entry, recount: _Recount) -> Entry:
    key = entry.key
    more = recount.more[key.word]
    return Entry(key._replace(nth=key.nth + more), entry.doubt) if more else entry


def moved_doubt(doubt: Doubt, region: int, changes: Sequence[Edit]) -> Doubt:
    """A doubt where it stands after edits of a region; letters typed into it are taken in."""
    if doubt.region != region or doubt.end < changes[0].start:
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


def _numbered(page: int, texts: Sequence[str], doubts: Iterable[Doubt]) -> list[Entry]:
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
    return entries
