"""Finds on the page that is shown: joins the find bar with the text. UI thread only."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject, Slot

from app.errors import FindError
from app.finding_values import Asked
from app.store.reader import Match
from app.store.search import places_of
from ui.find_bar import FindBar
from ui.page_text import Place
from ui.text_view import TextView

PATIENCE_S = 0.03
"""How long a pattern may take on the page while the window waits for it."""
LEAST_S = 0.001
"""For each block after that; a simple pattern needs no more."""


class Hit(NamedTuple):
    """A stretch of the page's text."""

    start: Place
    end: Place


class PageFinder(QObject):
    """Looks for what the bar asks in the text as it stands in the pane, typing included."""

    def __init__(self, bar: FindBar, text: TextView) -> None:
        super().__init__(bar)
        self._bar = bar
        self._text = text
        self._hits: list[Hit] = []
        self._awaited: Match | None = None  # on a page whose text is not shown yet
        bar.query_changed.connect(self._on_query_changed)
        bar.next_asked.connect(self._on_next_asked)
        bar.previous_asked.connect(self._on_previous_asked)
        bar.closed.connect(self._on_closed)
        text.text_shown.connect(self._on_text_shown)

    def open(self, *, in_book: bool) -> None:
        """Show the bar with what is selected, if that is on one line."""
        self._bar.open(in_book=in_book, text=self._text.selected_line())

    def show_match(self, match: Match) -> None:
        """Select a place of the book, as soon as the text of its page is shown."""
        self._awaited = match
        self._show_awaited()

    def _show_awaited(self) -> None:
        match = self._awaited
        if match is None or self._text.page != match.page or not self._text.has_text:
            return
        self._awaited = None
        self._text.select(Place(match.region, match.start), Place(match.region, match.end))

    @Slot(object)
    def _on_query_changed(self, query: Asked) -> None:
        self._look(query)
        here = self._here()
        if self._hits and query.text and not self._bar.is_in_book:
            self._select(bisect_left(self._hits, (here, here)) % len(self._hits))

    def _look(self, query: Asked) -> None:
        try:
            self._hits = list(_hits(query, self._text.texts))
        except FindError as error:
            self._hits = []
            self._bar.show_error(error)
        else:
            self._bar.show_count(len(self._hits))
        self._text.show_hits(self._hits)

    def _here(self) -> Place:
        """Where the selection starts, or the cursor is."""
        return self._text.selection_start or Place(0, 0)

    def _select(self, number: int) -> None:
        self._text.select(*self._hits[number])
        self._bar.show_count(len(self._hits), number + 1)

    @Slot()
    def _on_next_asked(self) -> None:
        after = [n for n, hit in enumerate(self._hits) if hit.start > self._here()]
        if self._hits:
            self._select(after[0] if after else 0)

    @Slot()
    def _on_previous_asked(self) -> None:
        before = [n for n, hit in enumerate(self._hits) if hit.start < self._here()]
        if self._hits:
            self._select(before[-1] if before else len(self._hits) - 1)

    @Slot()
    def _on_closed(self) -> None:
        self._hits = []
        self._text.show_hits([])
        self._text.setFocus()

    @Slot()
    def _on_text_shown(self) -> None:
        """Another text is in the pane: mark what is looked for there too, and move nothing."""
        if self._bar.isVisible():
            self._look(self._bar.query)
        self._show_awaited()


def _hits(asked: Asked, texts: list[str]) -> Iterator[Hit]:
    query = asked.query()
    if query is None:
        return
    ends_s = time.monotonic() + PATIENCE_S
    for region, text in enumerate(texts):
        left_s = max(ends_s - time.monotonic(), LEAST_S)
        for start, end in places_of(query, text, timeout_s=left_s):
            yield Hit(Place(region, start), Place(region, end))
