"""The fake engine: it keeps the contract, and does what its script says."""

from __future__ import annotations

import gc
import time
import tracemalloc

import numpy as np
import pytest

from model.api import Block, Box, Kind, PageEnd, PageImage, PageRead, Piece, Recogniser, Stop
from model.errors import PageUnreadable
from model.fake import FakeRecogniser, Wait, scripted, sentences
from tests.recogniser_contract import Pages, RecogniserContract, pages_of, pieces_of, read_all

pytestmark = pytest.mark.unit

BOX = Box(10, 10, 400, 200)


def inked_page(_number: int = 0) -> PageImage:
    return PageImage(np.zeros((800, 800, 3), np.uint8))


class TestFakeKeepsTheContract(RecogniserContract):
    def build(self) -> Recogniser:
        return FakeRecogniser()

    def page(self, number: int) -> PageImage:
        return inked_page(number)


class TestFakeOfSeveralPagesKeepsTheContract(TestFakeKeepsTheContract):
    def build(self) -> Recogniser:
        return FakeRecogniser(modes=("base", "tiled"), request_pages=4)


def test_default_text_differs_from_page_to_page_and_is_the_same_each_time():
    first, second = (
        [page.blocks for page in pages_of(read_all(FakeRecogniser(), Pages([inked_page()] * 3)))]
        for _ in range(2)
    )
    assert first == second
    assert len({blocks[2].text for blocks in first}) == 3


def test_pages_are_counted_over_all_calls():
    fake = FakeRecogniser(lambda page: [scripted(Kind.TEXT, f"page {page}", BOX)])
    texts = [pages_of(read_all(fake, Pages([inked_page()])))[0].blocks[0].text for _ in range(3)]
    assert texts == ["page 0", "page 1", "page 2"]


def test_script_ends_a_page_as_it_says():
    fake = FakeRecogniser(lambda _: [scripted(Kind.TEXT, "and and and", BOX), PageEnd.LOOP])
    (page,) = pages_of(read_all(fake, Pages([inked_page()])))
    assert page.end is PageEnd.LOOP
    assert page.steps == 3


def test_told_error_is_raised_on_its_page_alone_after_one_piece():
    fake = FakeRecogniser(fail_on={1: PageUnreadable("too faint")})
    steps = []
    with pytest.raises(PageUnreadable, match="too faint"):
        steps += fake.read([inked_page()] * 3, Stop())
    steps = list(FakeRecogniser(fail_on={1: PageUnreadable("")}).read([inked_page()], Stop()))
    assert isinstance(steps[-1], PageRead)
    assert len(pages_of(read_all(fake, Pages([inked_page()])))) == 1


def test_wait_ends_when_someone_asks_to_stop():
    fake = FakeRecogniser(lambda _: [scripted(Kind.TEXT, "a b", BOX), Wait(60)])
    stop = Stop()
    steps = []
    for step in fake.read([inked_page()], stop):
        steps.append(step)
        if len(steps) == 2:
            stop.ask()
    assert [page.end for page in pages_of(steps)] == [PageEnd.STOPPED]


def test_pieces_come_at_the_pace_asked_for():
    fake = FakeRecogniser(pieces_per_s=500)
    began = time.perf_counter()
    count = len(pieces_of(read_all(fake, Pages([inked_page()] * 3))))
    assert time.perf_counter() - began >= (count - 15) / 500


def test_stopped_block_keeps_only_places_of_letters_that_were_written():
    stop = Stop()
    steps = []
    for step in FakeRecogniser(lambda _: [scripted(Kind.TEXT, "one two three", BOX)]).read(
        [inked_page()], stop
    ):
        steps.append(step)
        if len(pieces_of(steps)) == 2:
            stop.ask()
    (page,) = pages_of(steps)
    assert page.blocks[0].text == "one two"
    assert [span.end for span in page.blocks[0].words] == [3, 7]
    assert page.blocks[0].lines == ()


def test_scripted_block_has_a_place_for_every_line_and_word():
    block = scripted(Kind.TEXT, " ".join(["word"] * 40), BOX)
    assert [block.text[span.start : span.end] for span in block.lines] == block.text.split("\n")
    assert [block.text[span.start : span.end] for span in block.words] == block.text.split()
    assert block.lines[0].box.top == BOX.top
    assert block.lines[-1].box.bottom == pytest.approx(BOX.bottom)


def test_a_block_without_text_still_streams_its_kind():
    fake = FakeRecogniser(lambda _: [Block(Kind.FIGURE, "", BOX)])
    piece, page = fake.read([inked_page()], Stop())
    assert isinstance(piece, Piece)
    assert (piece.kind, piece.box, piece.text) == (Kind.FIGURE, BOX, "")
    assert isinstance(page, PageRead)


def test_thousands_of_pages_leave_nothing_behind():
    fake = FakeRecogniser(sentences)
    image = inked_page()

    def held() -> int:
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    def read(pages: int) -> None:
        for _ in fake.read((image for _ in range(pages)), Stop()):
            pass

    read(50)
    tracemalloc.start()
    read(50)
    before = held()
    read(400)
    after = held()
    tracemalloc.stop()
    assert after - before < 60_000  # 400 pages of some 500 letters would be 200,000
