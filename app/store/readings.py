"""Reading to one versioned JSON value and back, and to the plain text that is searched. Pure.

Version 1: `{"version": 1, "regions": [...]}`. A region has `kind` and `text`; what is empty is left
out. A span is `[start, end, left, top, right, bottom, score]`, with `"estimated"` behind where its
box is; a style `[start, end, name]`, a mark `[start, end, kind, text]`, a cell
`[text, row span, column span, is heading]`.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from app.book import Mark, Reading, Region
from app.store.search import REGION_END
from model.api import Box, Cell, Kind, Rows, Span, Style

VERSION = 1

WRITTEN_KEPT = 32


class _Written(threading.local):
    """Regions that a thread wrote last, by identity.

    A correction is written in the journal and in its reading.
    """

    def __init__(self) -> None:
        self.last: dict[int, tuple[Region, str]] = {}


_written = _Written()


def to_json(regions: tuple[Region, ...]) -> str:
    """The regions of a reading as the JSON value of its row."""
    plain = ",".join(region_to_json(region) for region in regions)
    return f'{{"version":{VERSION},"regions":[{plain}]}}'


def from_json(value: str) -> tuple[Region, ...]:
    """The regions of a reading from the JSON value of its row."""
    content = json.loads(value)
    assert content["version"] == VERSION, "a migration brings older values to this version"
    return tuple(_region(plain) for plain in content["regions"])


def plain_from_json(value: str) -> tuple[Region, ...]:
    """The regions of a reading with their kinds and letters alone, in a third of the time."""
    content = json.loads(value)
    assert content["version"] == VERSION, "a migration brings older values to this version"
    return tuple(Region(Kind(plain["kind"]), plain["text"]) for plain in content["regions"])


def region_to_json(region: Region) -> str:
    """One region, as it stands in a correction."""
    last = _written.last
    known = last.get(id(region))
    if known is None:
        known = last[id(region)] = region, _dump(_plain_region(region))
        if len(last) > WRITTEN_KEPT:
            del last[next(iter(last))]
    return known[1]


def region_from_json(value: str) -> Region:
    """One region of a correction."""
    return _region(json.loads(value))


def regions_to_json(regions: tuple[Region, ...]) -> str:
    """Several regions, as they stand in a rearrangement."""
    return f"[{','.join(region_to_json(region) for region in regions)}]"


def regions_from_json(value: str) -> tuple[Region, ...]:
    """The regions of a rearrangement."""
    return tuple(_region(plain) for plain in json.loads(value))


def searched_text(reading: Reading) -> str:
    """The letters of all regions, at the offsets that they have in their regions."""
    texts = (region.text.replace(REGION_END, " ") for region in reading.regions)
    return writable(REGION_END.join(texts))


def writable(text: str) -> str:
    """Text that SQLite takes: halves of a surrogate pair, which no file can hold, become '?'."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _dump(content: dict[str, Any]) -> str:
    return writable(json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def _plain_region(region: Region) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "kind": region.kind,
        "text": region.text,
        "box": region.box,
        "lines": [_plain_span(line) for line in region.lines],
        "words": [_plain_span(word) for word in region.words],
        "styles": region.styles,
        "rows": region.rows,
        "marks": region.marks,
        "score": region.score,
        "by_hand": region.by_hand,
    }
    needed = ("kind", "text", "score")
    return {key: value for key, value in plain.items() if key in needed or value}


def _plain_span(span: Span) -> list[object]:
    plain: list[object] = [span.start, span.end, *span.box, span.score]
    return plain if span.origin == "exact" else [*plain, span.origin]


def _region(plain: dict[str, Any]) -> Region:
    return Region(
        kind=Kind(plain["kind"]),
        text=plain["text"],
        box=Box(*plain["box"]) if "box" in plain else None,
        lines=tuple(_span(line) for line in plain.get("lines", ())),
        words=tuple(_span(word) for word in plain.get("words", ())),
        styles=tuple(Style(*style) for style in plain.get("styles", ())),
        rows=_rows(plain.get("rows", ())),
        marks=tuple(Mark(*mark) for mark in plain.get("marks", ())),
        score=plain["score"],
        by_hand=plain.get("by_hand", False),
    )


def _span(plain: list[Any]) -> Span:
    start, end, left, top, right, bottom, score, *origin = plain
    return Span(start, end, Box(left, top, right, bottom), score, *origin)


def _rows(plain: list[list[list[Any]]]) -> Rows:
    return tuple(tuple(Cell(*cell) for cell in row) for row in plain)
