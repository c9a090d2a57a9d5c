"""How a page stands after the engine has ended it: pure rules, one reason for each doubt."""

from __future__ import annotations

from typing import NamedTuple

from app.book import PageState, Reason
from model.api import Block, Kind, PageEnd, PageRead

LOW_SCORE = 0.55
"""Below this mean score over a page's letters the page asks for a look."""

_REASON_OF_END = {
    PageEnd.CAP: Reason.CAP_REACHED,
    PageEnd.LOOP: Reason.LOOP_CUT,
    PageEnd.SECTIONS: Reason.SECTIONS_DIFFER,
    PageEnd.STOPPED: Reason.STOPPED,
}


class Verdict(NamedTuple):
    """Where a page stands, and why if it asks for a look."""

    state: PageState
    reasons: tuple[Reason, ...] = ()


def verdict(read: PageRead, *, has_ink: bool) -> Verdict:
    """Judge a page by how the engine ended it, its text and its pixels.

    A page is blank only when engine and pixels agree; one alone asks for a look.
    """
    reasons = [_REASON_OF_END[read.end]] if read.end in _REASON_OF_END else []
    if has_content(read.blocks) != has_ink:
        reasons.append(Reason.MAYBE_BLANK)
    elif not has_ink and not reasons:
        return Verdict(PageState.BLANK)
    if _mean_score(read.blocks) < LOW_SCORE:
        reasons.append(Reason.LOW_CONFIDENCE)
    return Verdict(PageState.LOOK if reasons else PageState.READ, tuple(reasons))


def has_content(blocks: tuple[Block, ...]) -> bool:
    """Whether the engine found text or a picture."""
    return any(block.text.strip() or block.kind is Kind.FIGURE for block in blocks)


def better_of(first: PageRead, second: PageRead, *, has_ink: bool) -> PageRead:
    """The one of two readings with fewer doubts; in a tie the surer one, then the first."""

    def rank(read: PageRead) -> tuple[int, float]:
        return len(verdict(read, has_ink=has_ink).reasons), -_mean_score(read.blocks)

    return second if rank(second) < rank(first) else first


def _mean_score(blocks: tuple[Block, ...]) -> float:
    """Mean score weighted by letters, 0..1; 1 where the engine gives none."""
    scored = [(block.score, len(block.text)) for block in blocks if block.score is not None]
    letters = sum(count for _, count in scored)
    return sum(score * count for score, count in scored) / letters if letters else 1.0
