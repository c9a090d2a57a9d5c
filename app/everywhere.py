"""Taking the word of a doubt at every place of the book where the same word was misread.

The places are those that finding lists for the word, and they are replaced as finding replaces: in
one transaction, and taken back as one. What a person called right stays, and so do words broken at
a line's end, which are printed differently, and, unless that is wanted, pages called proofread.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from app.change import NOTHING, Change
from app.desk.doubts import Doubt
from app.doubting import Doubts
from app.finding import Finding
from app.finding_values import Asked, Plan, ReplaceEnded, accepted_pages
from app.shelf import Shelf
from app.store.planning import Planned


class Preview(NamedTuple):
    """What would be changed; nothing is yet."""

    sought: str
    instead: str
    places: tuple[Planned, ...]  # that will be changed
    proofread: int = 0  # places on proofread pages; among `places` only if these are wanted too
    stay: int = 0  # called right by a person, or broken at a line's end

    @property
    def pages(self) -> int:
        """On how many pages."""
        return len({place.match.page for place in self.places})


@dataclass
class Everywhere:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        shelf: the books.
        doubts: whose word is taken.
        finding: lists the places and replaces.
    """

    shelf: Shelf
    doubts: Doubts
    finding: Finding
    _asked: Asked | None = None
    _instead: str = ""
    _ended: ReplaceEnded | None = None  # of finding, when this was ordered
    _is_ordered: bool = False

    # --- what views ask -------------------------------------------------------------------------

    @property
    def is_prepared(self) -> bool:
        """Whether the places of a word are looked for, or shown."""
        return self._asked is not None

    def preview(self, *, proofread_too: bool) -> Preview | None:
        """What `carry_out` would change; None while it is looked for."""
        plan = self._plan
        if plan is None or plan.error is not None:
            return None
        accepted = accepted_pages(plan, self.shelf.book.pages) if self.shelf.book else {}
        open_places = [place for place in plan.places if not self._stays(plan, place)]
        places = [
            place for place in open_places if proofread_too or place.match.page not in accepted
        ]
        return Preview(
            plan.asked.text,
            plan.instead,
            tuple(places),
            sum(place.match.page in accepted for place in open_places),
            len(plan.places) - len(open_places),
        )

    @property
    def ended(self) -> ReplaceEnded | None:
        """How it ended, while nothing else was replaced since."""
        ended = self.finding.ended
        return ended if self._is_ordered and ended is not self._ended else None

    # --- orders ---------------------------------------------------------------------------------

    def prepare(self) -> Change:
        """Look for the places of the doubted word, to take its likeliest other word there."""
        at = self.doubts.at
        self._is_ordered = False
        self._asked, self._instead = wanted(at) if at is not None else (None, "")
        if self._asked is None:
            return NOTHING
        return self.finding.prepare(self._asked, self._instead) | Change(found=True)

    def cancel(self) -> Change:
        """Leave everything as it is, and say no more of what was done."""
        self._asked, self._is_ordered = None, False
        return Change(found=True)

    def carry_out(self, *, proofread_too: bool) -> Change:
        """Change what the preview shows."""
        plan, preview = self._plan, self.preview(proofread_too=proofread_too)
        if plan is None or preview is None or not preview.places:
            return NOTHING
        self._asked, self._ended, self._is_ordered = None, self.finding.ended, True
        return self.finding.replace(plan, preview.places) | Change(found=True)

    # --- inside ---------------------------------------------------------------------------------

    @property
    def _plan(self) -> Plan | None:
        plan = self.finding.plan
        is_mine = plan is not None and (plan.asked, plan.instead) == (self._asked, self._instead)
        return plan if is_mine else None

    def _stays(self, plan: Plan, place: Planned) -> bool:
        match = place.match
        is_broken = match.end - match.start != len(plan.asked.text)
        return is_broken or self.doubts.is_called_right(match.page, match.region, match.start)


def wanted(doubt: Doubt) -> tuple[Asked | None, str]:
    """What to look for and what to put there: the words without the marks round them.

    The word lists' word comes first: another reading was read at this place alone. Where the marks
    differ too, nothing can be taken elsewhere.
    """
    instead = doubt.listed or " ".join(doubt.other.split())
    head, core, tail = _parted(doubt.word)
    other_head, other_core, other_tail = _parted(instead)
    if not core or not other_core or (head, tail) != (other_head, other_tail):
        return None, ""
    return Asked(core, whole_word=True, match_case=True), other_core


def _parted(word: str) -> tuple[str, str, str]:
    """The marks before a word, the word, and those behind."""
    letters = [i for i, each in enumerate(word) if unicodedata.category(each)[0] in "LMN"]
    if not letters:
        return word, "", ""
    return word[: letters[0]], word[letters[0] : letters[-1] + 1], word[letters[-1] + 1 :]
