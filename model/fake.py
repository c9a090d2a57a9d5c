"""FakeRecogniser: a script instead of a network, behind the same protocol as the real engines.

Tests of the session and the window use it, and so do benches over thousands of pages: it keeps
nothing of a page once the page has ended.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Self

import psutil

from model.api import (
    Block,
    Box,
    EngineSource,
    Kind,
    Memory,
    PageEnd,
    PageImage,
    PageRead,
    Piece,
    Span,
    Step,
    Stop,
)

if TYPE_CHECKING:
    from types import TracebackType

SENTENCES = (
    "The press stood in the cellar, and the paper was hung above it to dry.",
    "Of the first edition not more than two hundred copies are known.",
    "Quand la feuille était tirée, on la pliait en quatre.",
    "Der Setzer las die Zeile noch einmal, ehe er sie schloß.",
    "Las páginas que faltan fueron copiadas a mano en el año siguiente.",
    "No catalogue names the man who bought them, nor the price he paid.",
    "The margins were cut so close that the notes have lost their ends.",
)
LINE_LETTERS = 44
SCORE = 0.96
WHITE = 250  # a page whose every sampled pixel is at least this has nothing on it
NAP_S = 0.02  # the longest sleep between two looks at the stop flag
GIB = 1 << 30


class Wait(NamedTuple):
    """An act of a script: nothing comes for a while; stop still acts."""

    seconds: float


Act = Block | Wait | PageEnd
Script = Callable[[int], Iterable[Act]]
"""What to do for the n-th page ever given, from 0: blocks to write, waits, how the page ends."""


def sentences(page: int) -> tuple[Block, ...]:
    """The default script: a running head, a page number and two paragraphs that differ by page."""
    step = 1 + page // len(SENTENCES) % (len(SENTENCES) - 1)  # so that no two pages are alike
    first = " ".join(SENTENCES[(page + i * step) % len(SENTENCES)] for i in range(3))
    second = f"{SENTENCES[(page * 3 + 1) % len(SENTENCES)]} This is leaf {page + 1}."
    return (
        scripted(Kind.RUNNING_HEAD, "OF THE COPYING OF BOOKS", Box(200, 60, 600, 90)),
        scripted(Kind.PAGE_NUMBER, str(page + 1), Box(700, 60, 740, 90)),
        scripted(Kind.TEXT, first, Box(100, 140, 740, 500)),
        scripted(Kind.TEXT, second, Box(100, 500, 740, 640)),
    )


def scripted(kind: Kind, text: str, box: Box) -> Block:
    """A block set in lines of some 44 letters, with line and word boxes that share `box` evenly."""
    text = _set_in_lines(text)
    lines = tuple(_line_spans(text, box))
    words = tuple(word for line in lines for word in _word_spans(text, line))
    return Block(kind, text, box, lines, words, score=SCORE)


def on_sheet(block: Block, image: PageImage) -> Block:
    """A block of the default script where most pages have their print, whatever their size."""
    height, width = image.pixels.shape[:2]
    box = block.box
    assert box is not None, "blocks of the default script have boxes"
    left, right = (width * (0.06 + 0.89 * (x - 100) / 640) for x in (box.left, box.right))
    top, bottom = (height * max(0.0, 0.03 + 0.93 * (y - 140) / 500) for y in (box.top, box.bottom))
    bottom = max(bottom, top + 0.02 * height)  # a head stands close to the edge
    return scripted(block.kind, block.text, Box(left, top, right, bottom))


class FakeRecogniser:
    """Replays a script. Belongs to the thread that made it.

    Args:
        script: what is written for the n-th page this object is given, counted from 0 over all
            calls of `read`. The boxes of the default one are fitted to the page. A page that is
            white all over gets nothing, whatever the script says.
        pieces_per_s: pieces (words) a second; None: as fast as they are pulled.
        fail_on: errors by page number (counted as above), raised after the page's first piece.
        modes: names of reading modes; the script is the same in each.
        request_pages: how many pages one call of `read` should be given.
    """

    def __init__(
        self,
        script: Script = sentences,
        *,
        pieces_per_s: float | None = None,
        fail_on: Mapping[int, Exception] | None = None,
        modes: Sequence[str] = ("script",),
        request_pages: int = 1,
    ) -> None:
        self._script = script
        self._piece_s = 1 / pieces_per_s if pieces_per_s else 0.0
        self._fail_on = dict(fail_on or {})
        self._modes = tuple(modes)
        self._request_pages = request_pages
        self._given = 0  # pages
        self._written = 0  # pieces
        self._due = 0.0  # when the next piece may come
        self._is_open = True

    @property
    def source(self) -> EngineSource:
        """Nobody real."""
        return EngineSource("fake", "1", mode=self._modes[0], device="fake card")

    @property
    def modes(self) -> tuple[str, ...]:
        """As given."""
        return self._modes

    @property
    def request_pages(self) -> int:
        """As given."""
        return self._request_pages

    def read(
        self, images: Iterable[PageImage], stop: Stop, *, mode: str | None = None
    ) -> Iterator[Step]:
        """Replay the script for each image; see `Recogniser.read`."""
        assert self._is_open, "read after close"
        assert mode is None or mode in self._modes, f"unknown mode {mode}"
        pages = iter(images)
        page = 0
        while not stop.asked and (image := next(pages, None)) is not None:
            yield from self._read_page(page, image, stop)
            page += 1

    def memory(self) -> Memory:
        """Plausible bytes of a 24 GiB card; what a bounded cache would hold after these pages."""
        pages = min(self._given, 64)
        parts = {
            "weights_bytes": 6 * GIB,
            "references_bytes": pages * 288 * 61_440,
            "window_bytes": min(self._written, 128) * 61_440,
            "work_bytes": GIB,
            "other_bytes": 2 * GIB,
        }
        return Memory(
            device="fake card",
            total_bytes=24 * GIB,
            free_bytes=24 * GIB - sum(parts.values()),
            dense_bytes=(pages * 288 + self._written) * 61_440,
            reference_pages=pages,
            host_bytes=psutil.Process().memory_info().rss,
            **parts,
        )

    def close(self) -> None:
        """Read nothing from now on."""
        self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read_page(self, page: int, image: PageImage, stop: Stop) -> Iterator[Step]:
        number, self._given = self._given, self._given + 1
        written: list[Block] = []
        end, steps = PageEnd.DONE, 0
        for act in () if _is_white(image) else self._acts(number, image):
            if isinstance(act, PageEnd):
                end = act
            elif isinstance(act, Wait):
                _sleep(act.seconds, stop)
            else:
                letters = 0
                for piece in _pieces(page, len(written), act):
                    yield piece
                    letters, steps = letters + len(piece.text), steps + 1
                    self._after_piece(number, stop)
                    if stop.asked:
                        break
                written.append(_cut(act, letters))
            if stop.asked:
                end = PageEnd.STOPPED
                break
        if not steps:
            self._fail_if_told(number)
        yield PageRead(page, tuple(written), end, steps)

    def _acts(self, number: int, image: PageImage) -> Iterable[Act]:
        if self._script is sentences:
            return [on_sheet(block, image) for block in sentences(number)]
        return self._script(number)

    def _after_piece(self, number: int, stop: Stop) -> None:
        self._written += 1
        self._fail_if_told(number)
        if self._piece_s:
            # From one due time to the next, so that the pace holds whatever a sleep costs; never
            # catching up more than a nap, so that a pause is not followed by a flood.
            self._due = max(self._due + self._piece_s, time.perf_counter() - NAP_S)
            _sleep(self._due - time.perf_counter(), stop)

    def _fail_if_told(self, number: int) -> None:
        if error := self._fail_on.get(number):
            raise error


def _is_white(image: PageImage) -> bool:
    return int(image.pixels[::8, ::8].min()) >= WHITE


def _sleep(seconds: float, stop: Stop) -> None:
    """Sleep, but no longer than a nap once someone asked to stop."""
    until = time.perf_counter() + seconds
    while not stop.asked and (left := until - time.perf_counter()) > 0:
        time.sleep(min(left, NAP_S))


def _pieces(page: int, block: int, scripted: Block) -> Iterator[Piece]:
    """The block word by word; blanks and line ends go with the word before them."""
    for i, word in enumerate(re.findall(r"\s*\S+\s*", scripted.text) or [scripted.text]):
        box = scripted.box if i == 0 else None
        yield Piece(page, block, word, scripted.kind, box, scripted.score)


def _cut(block: Block, letters: int) -> Block:
    """The block with its first letters only, as it stands when it is stopped."""
    if letters >= len(block.text):
        return block
    return replace(
        block,
        text=block.text[:letters].rstrip(),
        lines=tuple(span for span in block.lines if span.end <= letters),
        words=tuple(span for span in block.words if span.end <= letters),
        styles=tuple(style for style in block.styles if style.end <= letters),
        rows=(),
    )


def _set_in_lines(text: str) -> str:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= LINE_LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)


def _line_spans(text: str, box: Box) -> Iterator[Span]:
    matches = list(re.finditer(r"[^\n]+", text))
    height = box.height / max(1, len(matches))
    for i, match in enumerate(matches):
        top = box.top + i * height
        yield Span(*match.span(), Box(box.left, top, box.right, top + height), SCORE)


def _word_spans(text: str, line: Span) -> Iterator[Span]:
    letter = line.box.width / max(1, line.end - line.start)
    for match in re.compile(r"\S+").finditer(text, line.start, line.end):
        left = line.box.left + (match.start() - line.start) * letter
        right = line.box.left + (match.end() - line.start) * letter
        yield Span(*match.span(), Box(left, line.box.top, right, line.box.bottom), SCORE)
