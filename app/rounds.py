"""Rounds of proofreading: who has gone through a page, and whose turn it is. Pure, any thread.

A page is proofread as soon as one person has accepted it. A book may ask for more rounds; each is
another person's, told by the name in the settings.
"""

from __future__ import annotations

from app.book import Acceptance, Page, PageState
from app.language import _


def rounds_of(page: Page) -> int:
    """How many persons have proofread a page."""
    if page.state is not PageState.PROOFREAD:
        return 0
    return len({each.person for each in page.acceptances}) or 1


def wants(page: Page, person: str, *, rounds: int) -> bool:
    """Whether a page is still to be proofread by this person.

    Args:
        page: as it stands now.
        person: the name in the settings.
        rounds: how many the book asks for.
    """
    if page.state is PageState.BLANK:
        return False
    if page.state is not PageState.PROOFREAD:
        return True
    mine = any(each.person == person for each in page.acceptances)
    return rounds_of(page) < rounds and not mine


def accepted_text(page: Page) -> str:
    """Who has proofread a page: 'A. Reader, 2026-11-30; B. Reader'; "" where unknown."""
    return "; ".join(part for part in map(_one, page.acceptances) if part)


def round_text(page: Page, *, rounds: int) -> str:
    """How far a page is: 'round 1 of 2'; "" where the book asks for one."""
    if rounds < 2:
        return ""
    return _("round {n} of {rounds}").format(n=min(rounds_of(page), rounds), rounds=rounds)


def _one(acceptance: Acceptance) -> str:
    day = f"{acceptance.date.astimezone():%Y-%m-%d}" if acceptance.date is not None else ""
    return ", ".join(part for part in (acceptance.person, day) if part)
