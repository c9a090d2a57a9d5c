"""A book on its way to an export, at a level of transcription; what was done is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from app.book import Page, Reading
from app.export.document import ExportOptions
from app.export.levels import Level, levelled_choices, levelled_reading
from app.export.paging import Material
from app.export.survey import Provenance


class Levelling:
    """Rules are counted while the pages go by for the first time."""

    def __init__(self, options: ExportOptions) -> None:
        self._options = options
        self._counts: Counter[str] = Counter()
        self._passes = 0

    def material(self, material: Material) -> Material:
        """The same book at the level; as it is stored where none was chosen."""
        level = self._options.level
        if level is None:
            return material

        def history(page: int) -> tuple[Reading, ...]:
            found = material.history(page)
            return tuple(levelled_reading(each, level, Counter()) for each in found)

        return replace(
            material,
            pages=lambda: self._pages(material, level),
            choices=levelled_choices(material.choices, level),
            history=history,
        )

    def told(self, provenance: Provenance) -> Provenance:
        """The same with what was done, once the pages have gone by."""
        return replace(provenance, level=self._options.level, rules=dict(self._counts))

    def _pages(self, material: Material, level: Level) -> Iterator[tuple[Page, Reading | None]]:
        self._passes += 1
        is_first = self._passes == 1
        for page, reading in material.pages():
            counts = self._counts if is_first and self._goes_in(page) else Counter[str]()
            yield page, reading and levelled_reading(reading, level, counts)

    def _goes_in(self, page: Page) -> bool:
        pages, states = self._options.pages, self._options.states
        return (pages is None or page.number in pages) and (states is None or page.state in states)
