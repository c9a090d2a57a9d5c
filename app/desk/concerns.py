"""What speaks against a page's text: a reason, and where on the page to look. Values, no numpy."""

from __future__ import annotations

from typing import NamedTuple

from app.book import Reason
from model.api import Box


class Concern(NamedTuple):
    """One reason to look at a page."""

    reason: Reason
    box: Box | None = None  # where; None: the page as a whole
    block: int | None = None  # of the reading, from 0
    other_page: int | None = None  # the page that has the same text, from 0


class Standing(NamedTuple):
    """How a reading compares with its page's print; kept to compare it with the book's others."""

    letters: int  # of the text, letters and figures
    marks: int  # like letters, on the image
    concerns: tuple[Concern, ...] = ()


def reasons_of(concerns: tuple[Concern, ...]) -> tuple[Reason, ...]:
    """The reasons, each once, in their order."""
    return tuple(dict.fromkeys(concern.reason for concern in concerns))
