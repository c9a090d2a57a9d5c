"""How far a book is, in one honest sentence. Pure, any thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from app.book import Page, PageState
from app.language import plural
from app.page_words import state_text

_AFTERWARDS = (
    PageState.READ,
    PageState.LOOK,
    PageState.FAILED,
    PageState.BLANK,
    PageState.READING,
    PageState.UNREAD,
)


def count_text(pages: Iterable[Page]) -> str:
    """How many pages are in which state: '312 of 348 pages proofread, 20 read, 16 unread'."""
    counts = Counter(page.state for page in pages)
    first = plural(
        "{done} of {n} page proofread",
        "{done} of {n} pages proofread",
        counts.total(),
        done=counts[PageState.PROOFREAD],
    )
    others = [f"{counts[state]} {state_text(state)}" for state in _AFTERWARDS if counts[state]]
    return ", ".join([first, *others])
