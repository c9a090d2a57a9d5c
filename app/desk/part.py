"""Readings of a part of a page, told from those of the whole page. Pure."""

from __future__ import annotations

from app.book import Reading
from model.api import Box, EngineSource

PART = "part"
"""Name of the setting of an engine that says which part it read: four edges in page pixels."""


def part_of(reading: Reading) -> Box | None:
    """The part of the page that a reading is of; None: it is of all of it."""
    engine = reading.source.engine
    return None if engine is None else part_read(engine)


def part_read(engine: EngineSource) -> Box | None:
    """The part that an engine was given; None: the whole page."""
    edges = dict(engine.settings).get(PART)
    return Box(*map(float, edges.split())) if edges else None
