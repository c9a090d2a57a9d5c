"""What every Recogniser must do, whatever it is made of. Run on the fake one and on the real ones.

A module of tests makes a subclass of `RecogniserContract` and tells it how to build an engine; all
tests below then run against it. What streams and what stands at the end agree as follows: a page
streams as many blocks as its `PageRead` holds, and the pieces of a block joined, white space at the
ends aside and in NFC, are the block's text.
"""

from __future__ import annotations

import time
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest

from model.api import Kind, PageEnd, PageImage, PageRead, Piece, Recogniser, Step, Stop


@dataclass
class Pages:
    """Page images that count how many of them were asked for."""

    images: list[PageImage]
    pulled: int = 0
    when_pulled: list[int] = field(default_factory=list)  # pages ended when each was pulled
    ended: int = 0

    def __iter__(self) -> Iterator[PageImage]:
        for image in self.images:
            self.pulled += 1
            self.when_pulled.append(self.ended)
            yield image


def white_page(width: int = 600, height: int = 800) -> PageImage:
    return PageImage(np.full((height, width, 3), 255, np.uint8), dpi=150)


def read_all(recogniser: Recogniser, pages: Pages, stop: Stop | None = None) -> list[Step]:
    steps: list[Step] = []
    for step in recogniser.read(pages, stop or Stop()):
        steps.append(step)
        pages.ended += isinstance(step, PageRead)
    return steps


def pages_of(steps: list[Step]) -> list[PageRead]:
    return [step for step in steps if isinstance(step, PageRead)]


def pieces_of(steps: list[Step]) -> list[Piece]:
    return [step for step in steps if isinstance(step, Piece)]


class RecogniserContract(ABC):
    """The tests. `recogniser` is built anew for each test, unless the subclass widens its scope."""

    stop_within_s = 2.0  # between asking and the end of the page, one step being under way

    @abstractmethod
    def build(self) -> Recogniser:
        """An engine ready to read."""

    @abstractmethod
    def page(self, number: int) -> PageImage:
        """A page with text on it, of at least two pieces."""

    @pytest.fixture
    def recogniser(self) -> Iterator[Recogniser]:
        with self.build() as recogniser:
            yield recogniser

    def pages(self, count: int) -> Pages:
        return Pages([self.page(i) for i in range(count)])

    def test_every_page_ends_once_and_in_order(self, recogniser: Recogniser):
        read = pages_of(read_all(recogniser, self.pages(3)))
        assert [page.page for page in read] == [0, 1, 2]
        assert all(page.end is not PageEnd.STOPPED for page in read)

    def test_steps_of_a_page_come_before_its_end_and_after_the_end_before(
        self, recogniser: Recogniser
    ):
        page = 0
        for step in read_all(recogniser, self.pages(2)):
            assert step.page == page
            page += isinstance(step, PageRead)

    def test_no_page_in_means_no_step_out(self, recogniser: Recogniser):
        assert read_all(recogniser, Pages([])) == []

    def test_pieces_joined_are_the_text_of_the_block(self, recogniser: Recogniser):
        steps = read_all(recogniser, self.pages(2))
        for page in pages_of(steps):
            streamed = [""] * len(page.blocks)
            for piece in pieces_of(steps):
                if piece.page == page.page:
                    streamed[piece.block] += piece.text
            assert [_plain(text) for text in streamed] == [
                _plain(block.text) for block in page.blocks
            ]

    def test_blocks_never_go_back_and_the_first_piece_tells_the_kind(self, recogniser: Recogniser):
        steps = read_all(recogniser, self.pages(2))
        for page in pages_of(steps):
            kinds: list[Kind] = []
            for piece in pieces_of(steps):
                if piece.page != page.page:
                    continue
                assert len(kinds) - 1 <= piece.block <= len(kinds)
                if piece.block == len(kinds):
                    kinds.append(piece.kind)
            assert kinds == [block.kind for block in page.blocks]

    def test_text_is_nfc_and_every_place_lies_in_it(self, recogniser: Recogniser):
        for page in pages_of(read_all(recogniser, self.pages(2))):
            assert page.blocks
            for block in page.blocks:
                assert block.text == unicodedata.normalize("NFC", block.text)
                for span in (*block.lines, *block.words):
                    assert 0 <= span.start < span.end <= len(block.text)
                    assert span.box.width > 0
                    assert span.box.height > 0

    def test_boxes_lie_on_the_page(self, recogniser: Recogniser):
        image = self.page(0)
        height, width = image.pixels.shape[:2]
        for page in pages_of(read_all(recogniser, Pages([image]))):
            boxes = [block.box for block in page.blocks if block.box]
            boxes += [span.box for block in page.blocks for span in (*block.lines, *block.words)]
            for box in boxes:
                assert 0 <= box.left < box.right <= width
                assert 0 <= box.top < box.bottom <= height

    def test_scores_are_probabilities(self, recogniser: Recogniser):
        steps = read_all(recogniser, self.pages(1))
        scores = [piece.score for piece in pieces_of(steps)]
        scores += [block.score for page in pages_of(steps) for block in page.blocks]
        assert all(score is None or 0 <= score <= 1 for score in scores)

    def test_reading_the_same_page_again_gives_the_same_text(self):
        def text() -> list[str]:
            with self.build() as recogniser:
                (page,) = pages_of(read_all(recogniser, self.pages(1)))
            return [block.text for block in page.blocks]

        assert text() == text()

    def test_white_page_is_read_as_empty(self, recogniser: Recogniser):
        (page,) = pages_of(read_all(recogniser, Pages([white_page()])))
        assert page.blocks == ()
        assert page.end is PageEnd.DONE

    def test_stop_before_reading_begins_no_page(self, recogniser: Recogniser):
        stop, pages = Stop(), self.pages(2)
        stop.ask()
        assert read_all(recogniser, pages, stop) == []
        assert pages.pulled == 0

    def test_stop_keeps_the_text_read_so_far(self, recogniser: Recogniser):
        stop, pages = Stop(), self.pages(2)
        steps: list[Step] = []
        asked_s = 0.0
        for step in recogniser.read(pages, stop):
            if not steps:
                stop.ask()
                asked_s = time.monotonic()
            steps.append(step)
        assert time.monotonic() - asked_s < self.stop_within_s
        (page,) = pages_of(steps)
        assert page.end is PageEnd.STOPPED
        assert [block.text.strip() for block in page.blocks] == [
            "".join(piece.text for piece in pieces_of(steps)).strip()
        ]

    def test_stop_between_pages_begins_no_other(self, recogniser: Recogniser):
        stop, pages = Stop(), self.pages(3)
        read: list[PageRead] = []
        for step in recogniser.read(pages, stop):
            if isinstance(step, PageRead):
                read.append(step)
                stop.ask()
        assert read[0].end is not PageEnd.STOPPED
        assert all(page.end is PageEnd.STOPPED for page in read[1:])
        assert len(read) <= recogniser.request_pages

    def test_images_are_pulled_when_they_are_needed(self, recogniser: Recogniser):
        pages = self.pages(3)
        read_all(recogniser, pages)
        ahead = [i + 1 - ended for i, ended in enumerate(pages.when_pulled)]
        assert max(ahead) <= recogniser.request_pages

    def test_engine_reads_on_after_a_reading_that_was_left(self, recogniser: Recogniser):
        steps = recogniser.read(self.pages(2), Stop())
        next(steps)
        assert isinstance(steps, Generator)  # so that a reading can be left with its caches freed
        steps.close()
        assert len(pages_of(read_all(recogniser, self.pages(1)))) == 1

    def test_every_mode_reads(self, recogniser: Recogniser):
        assert recogniser.modes
        for mode in recogniser.modes:
            steps = list(recogniser.read(self.pages(1), Stop(), mode=mode))
            assert len(pages_of(steps)) == 1

    def test_parts_of_memory_add_up(self, recogniser: Recogniser):
        read_all(recogniser, self.pages(1))
        memory = recogniser.memory()
        parts = [
            memory.weights_bytes,
            memory.references_bytes,
            memory.window_bytes,
            memory.work_bytes,
            memory.other_bytes,
            memory.free_bytes,
        ]
        assert all(part >= 0 for part in parts)
        assert sum(parts) == pytest.approx(memory.total_bytes, rel=0.01)
        assert memory.host_bytes > 0
        assert memory.device

    def test_source_says_who_reads(self, recogniser: Recogniser):
        source = recogniser.source
        assert source.engine
        assert source.version
        assert source.device
        assert source.mode == recogniser.modes[0]

    def test_closing_twice_does_nothing(self):
        recogniser = self.build()
        recogniser.close()
        recogniser.close()


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()
