"""Words of an old text layer to regions: pure, no decoding. Runs in the parent."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from app.book import Region
from app.sources.values import Word
from model.api import Box, Kind, Span


def regions_of(words: Sequence[Word]) -> tuple[Region, ...]:
    """One region a block, its printed lines kept, with the boxes that the file gives."""
    blocks = (list(block) for _, block in groupby(words, key=lambda word: word.block))
    return tuple(region for region in map(_region, blocks) if region.text)


def _region(words: Sequence[Word]) -> Region:
    text = ""
    line_spans: list[Span] = []
    word_spans: list[Span] = []
    for _, line in groupby(words, key=lambda word: word.line):
        text += "\n" if text else ""
        spans = _placed(list(line), start=len(text))
        if spans:
            text += " ".join(spelt for spelt, _span in spans)
            word_spans += [span for _spelt, span in spans]
            line_spans.append(Span(spans[0][1].start, len(text), _around(s.box for _, s in spans)))
    return Region(
        Kind.TEXT,
        text.strip("\n"),
        _around(span.box for span in word_spans) if word_spans else None,
        lines=tuple(line_spans),
        words=tuple(word_spans),
    )


def _placed(words: Sequence[Word], *, start: int) -> list[tuple[str, Span]]:
    """Each word of a line with its place in the text, one blank between two."""
    placed: list[tuple[str, Span]] = []
    for word in words:
        spelt = _spelt(word.text)
        if not spelt:
            continue
        box = Box(word.left, word.top, word.right, word.bottom)
        placed.append((spelt, Span(start, start + len(spelt), box)))
        start += len(spelt) + 1
    return placed


def _spelt(text: str) -> str:
    """NFC, without control characters and lone surrogates."""
    stored = text.encode(errors="replace").decode()
    return unicodedata.normalize("NFC", "".join(c for c in stored if c.isprintable()))


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))
