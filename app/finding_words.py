"""What a replacement has done, in sentences. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from app.finding_values import ReplaceEnded
from app.language import _, plural
from app.sentences import sentence

NAMED = 12
"""Pages that are named one by one."""


def ended_text(ended: ReplaceEnded) -> str:
    """How a replacement ended: what was done, and which pages were left out and why."""
    if ended.error is not None:
        return " ".join(part for part in sentence(ended.error) if part)
    outcome = ended.outcome
    if outcome is None:
        return _("No replacement is left to be taken back.")
    pages = plural("{n} page", "{n} pages", len(outcome.changed))
    what = {"sought": outcome.sought, "instead": outcome.instead, "pages": pages}
    if outcome.is_taken_back:
        said = [_("“{sought}” stands again instead of “{instead}” on {pages}.").format(**what)]
        said += _away(outcome.away)
        why = _("there the text was changed since then, and stays")
    else:
        places = plural("{n} place", "{n} places", outcome.places)
        done = _("“{instead}” was put instead of “{sought}” at {places} on {pages}.")
        said = [done.format(places=places, **what)]
        why = _("there the text is not what it was when it was listed")
    said += _left_out(outcome.left_out, why)
    said += _left_out(ended.being_read, _("the engine is reading there"))
    return " ".join(said)


def _left_out(pages: Sequence[int], why: str) -> list[str]:
    if not pages:
        return []
    numbers = ", ".join(str(page + 1) for page in pages[:NAMED])
    if len(pages) > NAMED:
        numbers = _("{numbers} and {n} more").format(numbers=numbers, n=len(pages) - NAMED)
    return [_("Left out: page {numbers} ({why}).").format(numbers=numbers, why=why)]


def _away(pages: int) -> list[str]:
    if not pages:
        return []
    left_out = plural(
        "{n} page was taken out of the book since then and keeps what was put there.",
        "{n} pages were taken out of the book since then and keep what was put there.",
        pages,
    )
    return [left_out]
