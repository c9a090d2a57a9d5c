"""What a person does to the blocks of a page besides typing: looks, marks, notes, order, boxes.

Each order is one correction, is on the screen at once and can be taken back. Pages that may not be
changed refuse with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app import blocks, footnotes, marks, styles
from app.answers import PagesStored, Post, Refused, ask
from app.blocks import Placed, Regions
from app.book import Mark, Region
from app.change import NOTHING, Change
from app.errors import UserFacing
from app.export.notes import FoundNote
from app.footnotes import Stretch
from app.proofs import Proofs
from app.shelf import Shelf
from app.store.page_facts import Field
from app.styles import StyleName
from app.table_edits import with_rows
from app.workers import Workers
from model.api import Box, Kind, Rows


class BlockOrders:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        proofs: keeps the texts and the corrections.
        shelf: the open books.
        workers: where page notes and printed numbers are written.
        post: takes the answers of the store.
        why_not: why a page may not be changed now; None where it may.
        refuse: tells a person that an order was not carried out.
    """

    def __init__(
        self,
        proofs: Proofs,
        shelf: Shelf,
        workers: Workers,
        post: Post,
        *,
        why_not: Callable[[int], UserFacing | None],
        refuse: Callable[[UserFacing], Change],
    ) -> None:
        self._proofs = proofs
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self._why_not = why_not
        self._refuse = refuse
        self.went_to: int | None = None  # where the block of the last order stands now
        self.offered: Stretch | None = None  # what may be tied to a note

    # --- letters --------------------------------------------------------------------------------

    def style(self, page: int, stretches: Sequence[Stretch], name: StyleName) -> Change:
        """Set letters in a manner; where all of them are set so already, take it from them."""

        def change(regions: Regions) -> Regions:
            is_on = all(styles.is_styled(regions[at], a, b, name) for at, a, b in stretches)
            for at, start, end in stretches:
                changed = styles.styled(regions[at], start, end, name, is_on=not is_on)
                regions = _with(regions, at, changed)
            return regions

        return self._edit(page, change)

    def mark(self, page: int, region: int, mark: Mark, *, old: Mark | None = None) -> Change:
        """Say that letters are missing or unclear, or remark on them; in place of an old mark."""
        return self._edit_one(page, region, lambda block: marks.marked(block, mark, old=old))

    def unmark(self, page: int, region: int, mark: Mark) -> Change:
        """Take a mark away."""
        return self._edit_one(page, region, lambda block: marks.unmarked(block, mark))

    # --- notes at the foot ----------------------------------------------------------------------

    def notes(self, page: int) -> tuple[FoundNote, ...]:
        """The notes of a page that a place in its text may refer to."""
        reading = self._proofs.reading(page)
        return footnotes.found_notes(reading.regions).notes if reading else ()

    def offer_notes(self, page: int, selected: Stretch) -> Change:
        """See whether the selection, or the cursor, can refer to a note; refuse if it cannot."""
        self.offered = None
        reading = self._proofs.reading(page)
        if reading is None:
            return NOTHING
        ends = footnotes.reference_at(reading.regions[selected.region], *selected[1:])
        if ends is None:
            return self._refuse(UserFacing("reference_not_found"))
        if not self.notes(page):
            return self._refuse(UserFacing("notes_not_found"))
        self.offered = Stretch(selected.region, *ends)
        return NOTHING

    def tie(self, page: int, reference: Stretch, note: FoundNote | None) -> Change:
        """Say to which note a place in the text refers; None: to none, whatever it looks like."""

        def change(regions: Regions) -> Regions:
            if note is None:
                return footnotes.untied(regions, reference)
            return footnotes.tied(regions, reference, note)

        return self._edit(page, change)

    # --- blocks ---------------------------------------------------------------------------------

    def see_table(self, page: int, region: int) -> Change:
        """See whether a block can be edited by cell; refuse if it cannot."""
        reading, refusal = self._proofs.reading(page), self._why_not(page)
        is_table = reading is not None and reading.regions[region].kind is Kind.TABLE
        if refusal is None and not is_table:
            refusal = UserFacing("block_is_no_table")
        self.went_to = None if refusal else region
        return self._refuse(refusal) if refusal else NOTHING

    def set_rows(self, page: int, region: int, rows: Rows) -> Change:
        """Give a table other cells."""
        return self._edit_one(page, region, lambda block: with_rows(block, rows))

    def move(self, page: int, region: int, step: int) -> Change:
        """Put a block one place earlier (-1) or later (1) in reading order."""
        return self._put(page, lambda these: blocks.moved(these, region, step, _notes(these)))

    def place(self, page: int, region: int, target: int) -> Change:
        """Put a block in the place of another."""
        return self._put(page, lambda these: blocks.placed(these, region, target, _notes(these)))

    def set_box(self, page: int, region: int, box: Box) -> Change:
        """Say where a block is on the page."""
        return self._edit_one(page, region, lambda block: blocks.with_box(block, box))

    def add(self, page: int, after: int | None, box: Box | None, kind: Kind = Kind.TEXT) -> Change:
        """Add an empty block behind another; None: at the end, or as the first of its page."""
        new = Region(kind, "", box, by_hand=True)

        def change(regions: Regions) -> Regions:
            at = self.went_to = len(regions) if after is None else after + 1
            return (*regions[:at], new, *regions[at:])

        if self._proofs.is_loaded(page) and self._proofs.reading(page) is None:
            refusal = self._why_not(page)
            self.went_to = 0
            return self._refuse(refusal) if refusal else self._proofs.begin_by_hand(page, new)
        return self._edit(page, change)

    def split(self, page: int, region: int, offset: int) -> Change:
        """Cut a block in two before a letter."""

        def change(regions: Regions) -> Regions:
            parts = blocks.split(regions[region], offset)
            if parts is None:
                raise UserFacing("block_not_split")
            self.went_to = region + 1
            return (*regions[:region], *parts, *regions[region + 1 :])

        return self._edit(page, change)

    def merge(self, page: int, region: int) -> Change:
        """Make a block and the next one a single block."""

        def change(regions: Regions) -> Regions:
            if region + 1 >= len(regions):
                raise UserFacing("block_is_last")
            self.went_to = region
            both = blocks.merged(regions[region], regions[region + 1])
            return (*regions[:region], both, *regions[region + 2 :])

        return self._edit(page, change)

    def delete(self, page: int, region: int) -> Change:
        """Take a block off the page, with its text; undo brings it back."""

        def change(regions: Regions) -> Regions:
            self.went_to = max(0, min(region, len(regions) - 2))
            return (*regions[:region], *regions[region + 1 :])

        return self._edit(page, change)

    # --- the page -------------------------------------------------------------------------------

    def correct_page(self, page: int, field: Field, text: str) -> Change:
        """Write the proofreader's note on a page, or its printed number; comes as `PagesStored`."""
        opened = self._shelf.shown
        refusal = self._why_not(page)
        if opened is None or refusal is not None:
            return self._refuse(refusal) if refusal else NOTHING
        store, book_id = opened.store, opened.book.id
        ask(
            self._workers.store,
            self._post,
            lambda: store.correct_page(page, field, text),
            answer=lambda stored: PagesStored(book_id, (stored,)),
            refused=lambda error: Refused(error, "proof"),
        )
        return NOTHING

    # --- inside ---------------------------------------------------------------------------------

    def _put(self, page: int, change: Callable[[Regions], Placed]) -> Change:
        def placed(regions: Regions) -> Regions:
            result = change(regions)
            self.went_to = result.at
            return result.regions

        return self._edit(page, placed)

    def _edit_one(self, page: int, region: int, change: Callable[[Region], Region]) -> Change:
        return self._edit(page, lambda these: _with(these, region, change(these[region])))

    def _edit(self, page: int, change: Callable[[Regions], Regions]) -> Change:
        reading, refusal = self._proofs.reading(page), self._why_not(page)
        if reading is None or refusal is not None:
            return self._refuse(refusal) if refusal else NOTHING
        try:
            return self._proofs.set_regions(page, change(reading.regions))
        except UserFacing as error:
            return self._refuse(error)


def _with(regions: Regions, at: int, region: Region) -> Regions:
    return (*regions[:at], region, *regions[at + 1 :])


def _notes(regions: Regions) -> dict[int, set[int]]:
    return footnotes.notes_of(regions)
