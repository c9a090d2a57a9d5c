"""A region's text with printed line ends, set as running text: spaces, joined words, styles, marks.

Offsets of styles, marks, words and note marks count in the printed text; `_Flow` remembers where
each stretch of it went.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from app.book import Mark
from app.desk.hyphens import HyphenJoin, Hyphens, PrintedLine
from app.export.blocks import Editorial, Inline, Inlines, Joint, LineStart, NoteRef, Run
from model.api import Span, Style

_LINE = re.compile(r"[^\n\r\x0b\x0c\x85\u2028\u2029]+")
_WIDE_SPACE = re.compile(r"[ \t]{2,}|\t")
# Han, kana, bopomofo and their punctuation are set without spaces between lines.
_IDEOGRAPH = re.compile(
    "[\u2e80-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)


class Ref(NamedTuple):
    """A note mark found in a text, with the space before it."""

    start: int  # code points
    end: int
    note: str  # id of the note
    mark: str


class RegionPlace(NamedTuple):
    """Where a text stands in the book."""

    page: int  # from 0
    region: int  # of the page's reading, from 0


class Spans(NamedTuple):
    """All that is said of stretches of one text."""

    styles: tuple[Style, ...] = ()
    marks: tuple[Mark, ...] = ()
    doubts: tuple[Span, ...] = ()
    refs: tuple[Ref, ...] = ()


def inlines(
    text: str,
    spans: Spans = Spans(),  # noqa: B008 - a tuple of empty tuples
    *,
    hyphens: Hyphens | None,
    start: int = 0,
    end: int | None = None,
    line_end: str = " ",
    place: RegionPlace | None = None,
) -> Inlines:
    """Set a printed text as running text.

    Args:
        text: with its printed line ends.
        spans: styles, marks, doubts and note references, in code points of `text`.
        hyphens: decides on words broken at line ends; None leaves them broken.
        start: where to begin.
        end: where to stop; None is the end of the text.
        line_end: what a printed line end becomes where no word is joined.
        place: where the text stands, for formats that keep printed lines.
    """
    before = _lines_before(text, start)
    within = start, len(text) if end is None else end
    flow = _Flow.of(text, within, _Deciding(hyphens, place, before), line_end)
    if place is not None:
        flow = flow.placed(place, before)
    if not any(spans):
        return (Run(flow.text, joins=flow.joints, lines=flow.lines),) if flow.text else ()
    return _bridged(list(_cut(flow, spans, start, len(text) if end is None else end)))


def ideographs(before: str, after: str) -> bool:
    """Whether no space belongs between these two texts when they become one line."""
    return bool(before and after and _IDEOGRAPH.match(before[-1]) and _IDEOGRAPH.match(after[0]))


class _Piece(NamedTuple):
    source: int  # where it begins in the printed text
    at: int  # where it begins in the running text
    length: int


class _Deciding(NamedTuple):
    """Decides on the words that the lines of a region break."""

    hyphens: Hyphens | None
    place: RegionPlace | None
    lines_before: int  # in the region

    def decide(self, line: int, before: str, after: str) -> HyphenJoin | None:
        if self.hyphens is None or not after:
            return None
        at = self.place and PrintedLine(*self.place, self.lines_before + line)
        return self.hyphens.decide(before, after, at=at)


class _Flow(NamedTuple):
    text: str
    pieces: tuple[_Piece, ...]
    joints: tuple[Joint, ...]
    begun: tuple[int, ...]  # where printed lines begin in the running text
    lines: tuple[LineStart, ...] = ()

    def placed(self, place: RegionPlace, before: int) -> _Flow:
        """The same, its lines counted on from those before it in the region."""
        lines = (LineStart(at, *place, before + n) for n, at in enumerate(self.begun))
        return self._replace(lines=tuple(lines))

    @classmethod
    def of(cls, text: str, within: tuple[int, int], deciding: _Deciding, line_end: str) -> _Flow:
        lines = list(_printed_lines(text, *within))
        pieces: list[_Piece] = []
        joints: list[Joint] = []
        begun: list[int] = []
        out: list[str] = []
        at = 0
        for index, (first, last) in enumerate(lines):
            begun.append(at)
            following = text[slice(*lines[index + 1])] if index + 1 < len(lines) else ""
            join = deciding.decide(index, text[first:last], following)
            for source, stop, shown in _squeezed(text, first, last - (join is not None)):
                pieces.append(_Piece(source, at, min(stop - source, len(shown))))
                out.append(shown)
                at += len(shown)
            if join:
                joints.append(Joint(at, join))
            gap = _between(text[first:last], following, join, line_end)
            out.append(gap)
            at += len(gap)
        return cls("".join(out), tuple(pieces), tuple(joints), tuple(begun))

    def place(self, offset: int) -> int:
        """Where this offset of the printed text stands in the running text."""
        index = bisect_right(self.pieces, offset, key=lambda piece: piece.source) - 1
        if index < 0:
            return 0
        piece = self.pieces[index]
        return piece.at + min(offset - piece.source, piece.length)


def _printed_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(text, start, end):
        line = match[0]
        stripped = line.strip()
        if stripped:
            first = match.start() + len(line) - len(line.lstrip())
            yield first, first + len(stripped)


def _lines_before(text: str, start: int) -> int:
    """How many lines have ended before this place."""
    lines = [match for match in _LINE.finditer(text, 0, start) if match[0].strip()]
    return len(lines) - bool(lines and lines[-1].end() == start)


def _squeezed(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The stretches of a line with every wide space as one plain space."""
    for match in _WIDE_SPACE.finditer(text, start, end):
        yield start, match.start(), text[start : match.start()]
        yield match.start(), match.end(), " "
        start = match.end()
    yield start, end, text[start:end]


def _between(line: str, following: str, join: HyphenJoin | None, line_end: str) -> str:
    if join:
        return join.infix
    if not following or (line_end == " " and ideographs(line, following)):
        return ""
    return line_end


def _cut(flow: _Flow, spans: Spans, start: int, end: int) -> Iterator[Inline]:
    """Cut the running text wherever something begins or ends."""
    styles = [(flow.place(s.start), flow.place(s.end), s.name) for s in spans.styles]
    doubts = [(flow.place(s.start), flow.place(s.end), s.score) for s in spans.doubts]
    refs = [(flow.place(r.start), flow.place(r.end), r) for r in spans.refs]
    marks = [(flow.place(m.end), m) for m in spans.marks if start <= m.start and m.end <= end]
    cuts = {0, len(flow.text), *(at for at, _mark in marks)}
    cuts.update(edge for spread in (styles, doubts, refs) for each in spread for edge in each[:2])
    edges = sorted(cuts)
    for left, right in zip(edges, [*edges[1:], len(flow.text)], strict=True):
        for at, mark in marks:
            if at == left and mark.kind != "link":
                yield Editorial(mark.kind, mark.text)
        hidden = [(at, ref) for at, stop, ref in refs if at <= left < stop]
        if hidden:
            yield from (NoteRef(ref.note, ref.mark) for at, ref in hidden if at == left)
        elif left < right:
            yield Run(
                flow.text[left:right],
                frozenset(name for at, stop, name in styles if at <= left < stop),
                _joints(flow.joints, left, right),
                next((score for at, stop, score in doubts if at <= left < stop), None),
                tuple(
                    each._replace(at=each.at - left)
                    for each in flow.lines
                    if left <= each.at < right
                ),
            )


def _bridged(found: list[Inline]) -> Inlines:
    """A space between two runs of one manner, as at a line's end, is of that manner too."""
    for index in range(1, len(found) - 1):
        before, space, after = found[index - 1 : index + 2]
        if (
            isinstance(before, Run)
            and isinstance(space, Run)
            and isinstance(after, Run)
            and before.styles == after.styles != space.styles
            and space.text.isspace()
        ):
            found[index] = replace(space, styles=before.styles)
    return tuple(found)


def _joints(joints: Iterable[Joint], left: int, right: int) -> tuple[Joint, ...]:
    return tuple(Joint(at - left, join) for at, join in joints if left < at <= right)
