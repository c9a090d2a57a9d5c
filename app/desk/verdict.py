"""How a page stands after the engine has ended it: pure rules, one reason for each doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.book import PageState, Reason
from app.desk.concerns import Concern
from model.api import Block, Kind, PageEnd, PageRead

LOW_SCORE = 0.91
"""Below this mean score over a page's words the page asks for a look.

Set so that pages with more than a tenth of their letters wrong fall below, and pages with less than
a fiftieth wrong do not; an engine that is surer of itself has a limit of its own.
"""

LOW_SCORES = {"line-reader": 0.965}

SURE_SCORES = {"reader": 0.97}
"""Below this mean score an engine's page has so many wrong words that a second reading pays.

Of engines that guess what they cannot see: their errors look like words, and what tells them is
that another engine sees something else. On real pages about one word in fifty is wrong there.
"""

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


def verdict(
    read: PageRead, *, has_ink: bool, concerns: Sequence[Concern] = (), engine: str = ""
) -> Verdict:
    """Judge a page by how the engine ended it, its text and its pixels.

    A page is blank only when engine and pixels agree; one alone asks for a look.

    Args:
        read: what the engine made of the page.
        has_ink: whether the pixels show print.
        concerns: what text and print side by side say, see `app.desk.honesty`.
        engine: its name, since engines are sure of themselves in different measure.
    """
    reasons = [_REASON_OF_END[read.end]] if read.end in _REASON_OF_END else []
    if has_content(read.blocks) != has_ink:
        reasons.append(Reason.MAYBE_BLANK)
    elif not has_ink and not reasons:
        return Verdict(PageState.BLANK)
    elif read.end is not PageEnd.STOPPED:  # what was cut lacks text, and is read again anyway
        reasons += [concern.reason for concern in concerns]
    if mean_score(read.blocks) < LOW_SCORES.get(engine, LOW_SCORE):
        reasons.append(Reason.LOW_CONFIDENCE)
    found = tuple(dict.fromkeys(reasons))
    return Verdict(PageState.LOOK if found else PageState.READ, found)


def is_unsure(read: PageRead, *, engine: str) -> bool:
    """Whether a second reading would tell more of a page's words than the engine's own scores."""
    return mean_score(read.blocks) < SURE_SCORES.get(engine, 0.0)


def has_content(blocks: tuple[Block, ...]) -> bool:
    """Whether the engine found text or a picture."""
    return any(block.text.strip() or block.kind is Kind.FIGURE for block in blocks)


class Tried(NamedTuple):
    """A reading of a page and what is to be said against it."""

    read: PageRead
    reasons: tuple[Reason, ...]


def better_of(first: Tried, second: Tried) -> Tried:
    """The one of two readings with fewer doubts; in a tie the surer one, then the first."""

    def rank(tried: Tried) -> tuple[int, float]:
        return len(tried.reasons), -mean_score(tried.read.blocks)

    return second if rank(second) < rank(first) else first


def mean_score(blocks: Sequence[Block]) -> float:
    """Mean score of the words, 0..1; of blocks by their letters where words have none; else 1."""
    words = [word.score for block in blocks for word in block.words if word.score is not None]
    if words:
        return sum(words) / len(words)
    scored = [(block.score, len(block.text)) for block in blocks if block.score is not None]
    letters = sum(count for _, count in scored)
    return sum(score * count for score, count in scored) / letters if letters else 1.0
