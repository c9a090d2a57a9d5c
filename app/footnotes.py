"""Notes at the foot of a page and the places in its text that they belong to: found, tied, untied.

They are found as an export finds them (`app.export.notes`), so that what is seen here is what is
written out. What a person ties is kept as two marks of kind `link` with one name. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from app.blocks import Regions
from app.book import Mark, Region
from app.export.leaves import FURNITURE
from app.export.notes import FoundNote, PageNotes, TextPlace, page_notes
from model.api import Kind

_REFERENCE = re.compile(r"\(?[*†‡§‖¶0-9⁰¹²³⁴-⁹]{1,4}\)?|\(?[a-z]\)")


class Stretch(NamedTuple):
    """Letters of one block of the page."""

    region: int
    start: int  # code points
    end: int  # exclusive


class NoteLink(NamedTuple):
    """A place in the text and the note that it refers to."""

    reference: Stretch
    note: Stretch  # from its mark to its end


def found_notes(regions: Sequence[Region]) -> PageNotes:
    """The notes of a page and the references to them."""
    searched = [
        at
        for at, region in enumerate(regions)
        if region.kind is not Kind.NOTE and region.kind not in FURNITURE
    ]
    return page_notes(regions, page=0, searched=searched)


def links_of(regions: Sequence[Region]) -> tuple[NoteLink, ...]:
    """All pairs of reference and note, in the order of the text."""
    found = found_notes(regions)
    notes = {note.id: note for note in found.notes}
    pairs = [
        NoteLink(_stretch(regions, place, ref.start, ref.end), _note_stretch(notes[ref.note]))
        for place, refs in found.refs.items()
        for ref in refs
    ]
    return tuple(sorted(pairs))


def notes_of(regions: Sequence[Region]) -> dict[int, set[int]]:
    """Blocks to the blocks of the notes that they refer to, see `app.blocks.groups`."""
    found: dict[int, set[int]] = {}
    for link in links_of(regions):
        found.setdefault(link.reference.region, set()).add(link.note.region)
    return found


def other_end(regions: Sequence[Region], region: int, offset: int) -> Stretch | None:
    """From a reference to its note, from anywhere in a note to its reference.

    In a text the reference around the cursor counts, else the next one of that block.
    """
    links = links_of(regions)
    for link in links:
        if link.note.region == region and link.note.start <= offset <= link.note.end:
            return link.reference
    ahead = [link for link in links if link.reference.region == region]
    return next((link.note for link in ahead if offset <= link.reference.end), None)


def reference_at(region: Region, start: int, end: int) -> tuple[int, int] | None:
    """The letters that can be a reference: what is selected, else the mark at the cursor."""
    if start < end:
        return start, end
    for mark in region.marks:
        if mark.kind == "link" and mark.start <= start <= mark.end:
            return mark.start, mark.end
    for match in _REFERENCE.finditer(region.text):
        if match.start() < start <= match.end() or match.start() == start:
            return match.span()
    return None


def tied(regions: Regions, reference: Stretch, note: FoundNote) -> Regions:
    """The page with a place in its text tied to one of its notes."""
    names = {mark.text for each in regions for mark in each.marks if mark.kind == "link"}
    name = next(str(n) for n in range(1, len(names) + 2) if str(n) not in names)
    freed = _without_links(regions, note.region, note.begins, max(note.start, note.begins + 1))
    begins = Mark(note.begins, note.begins + len(note.mark), "link", name)
    freed = _with_mark(freed, note.region, begins)
    freed = _without_links(freed, *reference)
    return _with_mark(freed, reference.region, Mark(*reference[1:], "link", name))


def untied(regions: Regions, reference: Stretch) -> Regions:
    """The page with a place in its text that refers to no note, whatever it looks like."""
    freed = _without_links(regions, *reference)
    return _with_mark(freed, reference.region, Mark(*reference[1:], "link"))


def _without_links(regions: Regions, at: int, start: int, end: int) -> Regions:
    """Take the links out that touch a stretch, and with each its other end."""
    names = {
        mark.text
        for mark in regions[at].marks
        if mark.kind == "link" and mark.start < end and mark.end >= start and mark.text
    }
    return tuple(
        _with_marks(
            region,
            tuple(
                mark
                for mark in region.marks
                if not (mark.kind == "link" and _is_out(mark, index == at, start, end, names))
            ),
        )
        for index, region in enumerate(regions)
    )


def _is_out(mark: Mark, is_here: bool, start: int, end: int, names: set[str]) -> bool:  # noqa: FBT001
    return mark.text in names or (is_here and mark.start < end and mark.end > start)


def _with_mark(regions: Regions, at: int, mark: Mark) -> Regions:
    marks = tuple(sorted((*regions[at].marks, mark)))
    return (*regions[:at], _with_marks(regions[at], marks), *regions[at + 1 :])


def _with_marks(region: Region, marks: tuple[Mark, ...]) -> Region:
    return region if marks == region.marks else replace(region, marks=marks, by_hand=True)


def _note_stretch(note: FoundNote) -> Stretch:
    return Stretch(note.region, note.begins, note.end)


def _stretch(regions: Sequence[Region], place: TextPlace, start: int, end: int) -> Stretch:
    """A stretch of a cell is one of the table's text."""
    if place.row < 0:
        return Stretch(place.region, start, end)
    lines = regions[place.region].text.split("\n")
    cells = lines[place.row].split("\t")
    shift = sum(len(line) + 1 for line in lines[: place.row])
    shift += sum(len(cell) + 1 for cell in cells[: place.column])
    return Stretch(place.region, shift + start, shift + end)
