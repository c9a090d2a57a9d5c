"""The first pass over a book: its words for the hyphens, and where its text comes from.

Holds counts and the vocabulary, never the pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from app.book import Page, PageState, Reading
from app.desk.hyphens import Vocabulary
from app.export.clean import legal_line
from model.api import EngineSource


@dataclass(frozen=True)
class Provenance:
    """What stands in the transcript, and who read it."""

    pages: tuple[int, ...]  # numbers, from 0, in the order of the transcript
    book_pages: int  # of the whole book
    states: dict[PageState, int]  # pages by state
    left_out: int  # pages with a text that was not chosen
    by_hand: int  # pages whose text is a person's
    people: dict[str, int]  # pages by person, where a name is known
    engines: dict[EngineSource, int]  # pages by engine, without its settings
    imports: dict[str, int]  # pages by where an imported text was taken from
    first: datetime | None  # of the readings
    last: datetime | None
    level: int | None = None  # of transcription; None: as it is stored
    rules: dict[str, int] = field(default_factory=dict[str, int])  # of the level, how often each


@dataclass
class Survey:
    """Counts while pages go by."""

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    _pages: list[int] = field(default_factory=list[int])
    _states: Counter[PageState] = field(default_factory=Counter[PageState])
    _people: Counter[str] = field(default_factory=Counter[str])
    _engines: Counter[EngineSource] = field(default_factory=Counter[EngineSource])
    _imports: Counter[str] = field(default_factory=Counter[str])
    _dates: list[datetime] = field(default_factory=list[datetime])  # the first and the last
    _by_hand: int = 0
    _left_out: int = 0

    def add(self, page: Page, reading: Reading | None, *, is_left_out: bool) -> None:
        """Count one page."""
        self._pages.append(page.number)
        self._states[page.state] += 1
        if reading is None:
            return
        self.vocabulary.add(reading.text)
        if is_left_out:
            self._left_out += 1
        else:
            self._add_source(reading)

    def provenance(self, book_pages: int) -> Provenance:
        """What was counted."""
        return Provenance(
            tuple(self._pages),
            max(book_pages, len(self._pages)),
            dict(self._states),
            self._left_out,
            self._by_hand,
            dict(self._people),
            dict(self._engines.most_common()),
            dict(self._imports),
            self._dates[0] if self._dates else None,
            self._dates[-1] if self._dates else None,
        )

    def _add_source(self, reading: Reading) -> None:
        source = reading.source
        self._dates = _ends((*self._dates, source.date))
        if source.by == "hand":
            self._by_hand += 1
            self._people.update([legal_line(source.person)] if source.person else [])
        elif source.engine:
            engine = source.engine
            plain = EngineSource(engine.engine, engine.version, engine.checkpoint, engine.mode)
            self._engines[plain] += 1
        if source.imported_from:
            self._imports[legal_line(source.imported_from)] += 1


def _ends(dates: Iterable[datetime]) -> list[datetime]:
    ordered = sorted(dates)
    return [ordered[0], ordered[-1]]
