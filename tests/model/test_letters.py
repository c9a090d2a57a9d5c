"""From the network's columns to words, and from lines to blocks; strips as they are cut."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from model.api import Box, Kind, PageEnd, Piece
from model.bundled import Network
from model.letters import Letter, LetterReader, Line, line_of
from model.line_blocks import PageInWork, Reading
from model.strips import Point, Strip, cut_out, strip_around

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.unit

ALPHABET = ("a", "b", "1", "一")
BLANK, A, B, ONE, IDEOGRAPH, SPACE = range(6)


class Told(Network):
    """A network that answers what it was told, whatever it sees."""

    def __init__(self, *columns: int, second: int = BLANK) -> None:
        self._answer = np.zeros((1, len(columns), len(ALPHABET) + 2), np.float32)
        self._answer[0, range(len(columns)), columns] = 0.8
        self._answer[0, :, second] += 0.1
        self.seen = np.zeros(0)

    @property
    def alphabet(self) -> tuple[str, ...]:
        return ALPHABET

    def answer(self, wave: NDArray[np.float32]) -> NDArray[np.float32]:
        self.seen = wave
        return self._answer


def read(network: Told) -> Line:
    page = np.full((100, 400, 3), 200, np.uint8)
    return LetterReader(network).read(page, strip_around(Box(10, 10, 390, 58)))


def test_repeated_columns_are_one_letter_unless_parted():
    assert read(Told(A, A, BLANK, A, B, B, BLANK)).text == "aab"


def test_blanks_part_words_and_are_never_doubled():
    line = read(Told(SPACE, A, SPACE, BLANK, SPACE, B, SPACE))
    assert line.text == "a b"
    assert [(word.start, word.end) for word in line.words] == [(0, 1), (2, 3)]


def test_strip_without_letters_is_no_line():
    line = read(Told(BLANK, SPACE, BLANK))
    assert (line.text, line.score, line.words) == ("", 0.0, ())


def test_score_is_the_mean_of_the_letters():
    assert read(Told(A, BLANK, B)).score == pytest.approx(0.8)


def test_network_sees_the_strip_at_its_height_in_blue_green_red():
    network = Told(A)
    read(network)
    assert network.seen.shape == (1, 3, 48, 380)
    assert network.seen[0, :, 24, 100] == pytest.approx(200 / 127.5 - 1)


def test_ideograph_among_latin_letters_gives_way_to_the_next_best():
    assert read(Told(A, BLANK, IDEOGRAPH, BLANK, B, BLANK, A, second=ONE)).text == "a1ba"


def test_line_of_ideographs_keeps_them():
    assert read(Told(IDEOGRAPH, BLANK, IDEOGRAPH, BLANK, A, second=ONE)).text == "一一a"


def test_words_do_not_overlap_and_lie_within_the_strip():
    letters = [Letter(c, i / 10, 0.9) for i, c in enumerate("ab cd ef g")]
    words = line_of(letters).words
    assert all(0 <= word.left < word.right <= 1 for word in words)
    assert all(a.right <= b.left for a, b in pairwise(words))


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        ("FRANcis", "FRANCIS"),
        ("WELLEsLEY,", "WELLESLEY,"),
        ("sCANNED", "SCANNED"),
        ("d'ARTAGNAn", "d'ARTAGNAN"),
        ("XIXe", "XIXe"),
        ("XVIIème", "XVIIème"),
        ("MSSs", "MSSs"),
        ("McADAM", "McADAM"),
        ("Transkribus", "Transkribus"),
        ("IIa", "IIa"),
        ("STRAßE", "STRAßE"),
    ],
)
def test_small_capitals_become_capitals(seen: str, written: str):
    assert line_of([Letter(c, 0.5, 0.9) for c in seen]).text == written


def test_decomposed_letters_are_composed_and_counted_once():
    line = line_of([Letter("e", 0.1, 0.9), Letter("\u0301", 0.2, 0.9), Letter("t", 0.3, 0.9)])
    assert line.text == "ét"
    assert line.words[0].end == 2


def printed(*texts: str, top: float = 0.0) -> list[list[Reading]]:
    """One line of strips side by side."""
    strips = [
        strip_around(Box(100.0 * i, top, 100.0 * i + 90, top + 40)) for i in range(len(texts))
    ]
    return [
        [
            Reading(strip, line_of([Letter(c, 0.5, 0.9) for c in text]))
            for strip, text in zip(strips, texts, strict=True)
        ]
    ]


def pieces(page: PageInWork, *lines: list[list[Reading]]) -> list[Piece]:
    return [piece for line in lines for piece in page.add(line)]


def test_every_mark_opens_a_footnote():
    page = PageInWork(0)
    page.begin_block(Kind.NOTE)
    written = pieces(
        page,
        printed("1) See above,"),
        printed("p. 12."),
        printed("*) Not so."),
        printed("(3) Ibid."),
    )
    assert [piece.block for piece in written] == [0, 0, 1, 2]
    assert [block.text for block in page.finished(PageEnd.DONE).blocks] == [
        "1) See above,\np. 12.",
        "*) Not so.",
        "(3) Ibid.",
    ]


def test_year_at_the_start_of_a_paragraph_opens_nothing():
    page = PageInWork(0)
    page.begin_block(Kind.TEXT)
    pieces(page, printed("It was in"), printed("184) as they say"))
    assert len(page.finished(PageEnd.DONE).blocks) == 1


def test_block_of_nothing_legible_leaves_no_trace():
    page = PageInWork(0)
    page.begin_block(Kind.TEXT)
    assert pieces(page, [[Reading(strip_around(Box(0, 0, 9, 9)), Line("x", 0.2, ()))]]) == []
    page.begin_block(Kind.HEADING)
    (piece,) = pieces(page, printed("Words"))
    assert (piece.block, piece.kind) == (0, Kind.HEADING)


def test_parts_of_a_line_are_joined_with_one_blank_and_every_word_keeps_its_place():
    page = PageInWork(0)
    page.begin_block(Kind.TEXT)
    pieces(page, printed("one two", "three"))
    (block,) = page.finished(PageEnd.DONE).blocks
    assert block.text == "one two three"
    assert [block.text[word.start : word.end] for word in block.words] == ["one", "two", "three"]
    assert block.words[2].box.left >= 100


def test_slanted_strip_is_cut_straight():
    page = np.full((400, 600, 3), 255, np.uint8)
    for x in range(100, 500):
        page[100 + (x - 100) // 4 : 110 + (x - 100) // 4, x] = 0
    strip = Strip(Point(100, 90), Point(500, 190), Point(500, 220), Point(100, 120))
    cut = cut_out(page, strip, 48)
    dark = cut[:, 20:-20, 0] < 128
    assert dark.any(axis=0).all()
    assert np.ptp(dark.argmax(axis=0)) <= 2


def test_large_strip_is_averaged_and_not_skipped():
    page = np.zeros((400, 800, 3), np.uint8)
    page[::2] = 255  # lines of one pixel: skipping every other would give black or white
    cut = cut_out(page, strip_around(Box(0, 0, 799, 399)), 48)
    assert 100 < cut.mean() < 155


def test_turned_strip_begins_where_its_text_begins():
    strip = strip_around(Box(10, 20, 30, 220))
    down, up = strip.turned(1), strip.turned(3)
    assert down.top_left == (30, 20)
    assert up.top_left == (10, 220)
    assert up.part(0, 0.25) == Box(10, 170, 30, 220)
    assert len(strip.ways) == 3
    assert len(strip_around(Box(0, 0, 100, 30)).ways) == 1


def test_a_file_that_is_no_model_is_told_by_name(tmp_path: Path):
    from model.errors import EngineUnavailable

    (tmp_path / "broken.onnx").write_bytes(b"")
    with pytest.raises(EngineUnavailable, match=r"broken\.onnx"):
        Network(tmp_path / "broken.onnx", threads=1)
