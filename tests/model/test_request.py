"""Tokens of one request become pages, however many sections the network writes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from model.api import Box, Cell, Kind, PageEnd, PageRead, Piece, Step, Stop
from model.decode import Token
from model.guards import OVERRULED, SAME_BLOCKS, LoopGuard, count_repeats
from model.page_writer import ImageSize
from model.request import RequestReader
from model.tokens import TextStream, Vocabulary
from tests.model.tiny_checkpoint import write_vocabulary

pytestmark = pytest.mark.model

SIZE = ImageSize(999, 1998)
END = Token(1, 1.0, is_end=True)
ONE = "<|det|>text [0, 0, 500, 500]<|/det|>The first page.\n"
TWO = "<|det|>title [0, 0, 999, 100]<|/det|>The second page."


class Words:
    """The vocabulary of the tests, both ways."""

    def __init__(self, folder: Path) -> None:
        path = write_vocabulary(folder)
        self.vocabulary = Vocabulary(path)
        self._tokenizer = Tokenizer.from_file(str(path))

    def tokens(self, text: str, probability: float = 0.9) -> list[Token]:
        return [Token(each, probability) for each in self._tokenizer.encode(text).ids]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Words:
    return Words(tmp_path_factory.mktemp("vocabulary"))


def request(words: Words, pages: int = 1, *, page_tokens: int = 1000) -> RequestReader:
    text = TextStream(words.vocabulary)
    return RequestReader([SIZE] * pages, text=text, first_page=7, page_tokens=page_tokens, ngram=35)


def read(
    words: Words, tokens: Iterable[Token], pages: int = 1, *, page_tokens: int = 1000
) -> list[PageRead]:
    reader = request(words, pages, page_tokens=page_tokens)
    steps = list(reader.read(tokens, Stop()))
    ended = [step for step in steps if isinstance(step, PageRead)]
    assert [page.page for page in ended] == list(range(7, 7 + len(ended)))
    assert reader.pages_done == len(ended)
    assert [step.page for step in steps] == sorted(step.page for step in steps)
    return ended


def texts(page: PageRead) -> list[str]:
    return [block.text for block in page.blocks]


def test_one_page_with_or_without_its_section_mark(words: Words):
    for output in (ONE, "<PAGE>" + ONE, "<PAGE>\n" + ONE):
        (page,) = read(words, [*words.tokens(output), END])
        assert (texts(page), page.end) == (["The first page."], PageEnd.DONE)
        assert page.blocks[0].box == Box(0, 0, 500, 1000)
        assert page.steps == len(words.tokens(output)) + 1


def test_an_empty_output_is_an_empty_page(words: Words):
    (page,) = read(words, [END])
    assert (page.blocks, page.end) == ((), PageEnd.DONE)


def test_sections_are_pages(words: Words):
    first, second = read(words, [*words.tokens(f"<PAGE>{ONE}<PAGE>{TWO}"), END], 2)
    assert (texts(first), first.end) == (["The first page."], PageEnd.DONE)
    assert (texts(second), second.end) == (["The second page."], PageEnd.DONE)
    assert second.blocks[0].kind is Kind.TITLE


def test_an_empty_section_is_an_empty_page(words: Words):
    first, second, third = read(words, [*words.tokens(f"<PAGE>{ONE}<PAGE><PAGE>{TWO}"), END], 3)
    assert (texts(first), texts(second), texts(third)) == (
        ["The first page."],
        [],
        ["The second page."],
    )
    assert {page.end for page in (first, second, third)} == {PageEnd.DONE}


def test_too_few_sections_are_told(words: Words):
    first, second, third, fourth = read(words, [*words.tokens(f"<PAGE>{ONE}<PAGE>{TWO}"), END], 4)
    assert first.end is PageEnd.DONE
    assert {page.end for page in (second, third, fourth)} == {PageEnd.SECTIONS}
    assert texts(second) == ["The second page."]
    assert texts(third) == texts(fourth) == []


def test_too_many_sections_are_told_and_not_read(words: Words):
    tokens = iter(words.tokens(f"<PAGE>{ONE}<PAGE>{TWO}<PAGE>{ONE}<PAGE>{ONE}"))
    first, second = read(words, tokens, 2)
    assert (first.end, second.end) == (PageEnd.DONE, PageEnd.SECTIONS)
    assert texts(second) == ["The second page."]
    assert len(list(tokens)) > 10  # nothing was decoded beyond


def test_a_page_too_long_is_cut_and_ends_the_request(words: Words):
    tokens = words.tokens(f"<PAGE>{ONE}<PAGE>{TWO * 9}<PAGE>{ONE}")
    limit = len(words.tokens(f"<PAGE>{ONE}")) + 15
    first, second = read(words, tokens, 3, page_tokens=limit)
    assert (first.end, second.end) == (PageEnd.DONE, PageEnd.CAP)
    assert second.steps == limit
    assert texts(second)[0] == "The second page."


def test_no_more_room_is_the_cap_too(words: Words):
    (page,) = read(words, words.tokens("<|det|>text [0, 0, 9, 9]<|/det|>Hal"))
    assert (texts(page), page.end) == (["Hal"], PageEnd.CAP)


def test_stop_keeps_the_page_under_way_and_begins_no_other(words: Words):
    stop = Stop()

    def tokens() -> Iterator[Token]:
        yield from words.tokens(f"<PAGE>{ONE}<PAGE>{TWO[:-6]}")
        stop.ask()

    reader = request(words, 4)
    pages = [step for step in reader.read(tokens(), stop) if isinstance(step, PageRead)]
    assert [page.end for page in pages] == [PageEnd.DONE, PageEnd.STOPPED]
    assert texts(pages[1]) == ["The second"]


def test_a_page_that_ends_as_stop_is_asked_is_done(words: Words):
    stop = Stop()
    stop.ask()
    (page,) = (
        step
        for step in request(words).read([*words.tokens(ONE), END], stop)
        if isinstance(step, PageRead)
    )
    assert page.end is PageEnd.DONE


def test_a_loop_is_cut_back_to_where_it_began(words: Words):
    before = words.tokens("<|det|>text [0, 0, 9, 9]<|/det|>Once upon a time ")
    circle = words.tokens("and so on ")
    tokens = [*before]
    while (
        len(tokens) < len(before) + 300
    ):  # as the n-gram ban leaves it: 34 repeated, one overruled
        repeated = (circle * 20)[: 34 + len(circle)]
        tokens += [*repeated, Token(words.tokens("!")[0].id, 0.01, is_overruled=True)]
    (page,) = read(words, tokens)
    assert page.end is PageEnd.LOOP
    assert texts(page) == ["Once upon a time and so on"]
    assert page.steps == len(before) + len(circle)


def test_a_block_written_again_and_again_is_a_loop(words: Words):
    boxes = [
        f"<|det|>header [10, {at}, 90, {at + 9}]<|/det|>THE HISTORY OF PRINTING\n"
        for at in range(10, 200, 10)
    ]
    (page,) = read(words, words.tokens(ONE + "".join(boxes)))
    assert page.end is PageEnd.LOOP
    assert texts(page) == ["The first page.", "THE HISTORY OF PRINTING"]


def test_short_blocks_may_come_again(words: Words):
    (page,) = read(words, [*words.tokens("<|det|>text [1, 1, 9, 9]<|/det|>ditto\n" * 9), END])
    assert (len(page.blocks), page.end) == (9, PageEnd.DONE)


def test_a_table_cut_by_a_loop_keeps_its_rows(words: Words):
    before = words.tokens(
        "<|det|>table [0, 0, 9, 9]<|/det|><table><tr><td>a</td><td>b</td></tr><tr><td>c"
    )
    again = Token(words.tokens("x")[0].id, 0.1)
    (page,) = read(words, [*before, *[again] * 34, *[again._replace(is_overruled=True)] * 9])
    assert page.end is PageEnd.LOOP
    (table,) = page.blocks
    assert table.rows[0] == (Cell("a"), Cell("b"))
    assert table.text == "a\tb\nc"
    assert table.rows[1] == (Cell("c"),)


def test_pieces_carry_kind_box_and_score(words: Words):
    steps = list(request(words).read([*words.tokens(TWO, 0.5), END], Stop()))
    pieces = [step for step in steps if isinstance(step, Piece)]
    assert (pieces[0].kind, pieces[0].box) == (Kind.TITLE, Box(0, 0, 999, 200))
    assert all(piece.box is None for piece in pieces[1:])
    assert {piece.score for piece in pieces[:-2]} == {0.5}
    assert "".join(piece.text for piece in pieces) == "The second page."


def test_a_step_is_heard_of_even_if_nothing_is_to_be_seen(words: Words):
    shown = words.tokens("<|det|>text [0, 0, 9, 9]<|/det|>Word")
    hidden = words.tokens("<|ref|><|/ref|>" * 5)
    reader = request(words)
    steps = list(reader.read([*shown, *hidden, END], Stop()))
    assert sum(isinstance(step, Piece) for step in steps) >= len(hidden)


def test_words_have_the_lowest_score_of_their_tokens(words: Words):
    sure, unsure = (
        words.tokens("<|det|>text [0, 0, 9, 9]<|/det|>cellar ", 0.9),
        words.tokens("zwölf"),
    )
    assert len(unsure) > 2
    unsure = [token._replace(probability=0.9 - 0.1 * at) for at, token in enumerate(unsure)]
    (page,) = read(words, [*sure, *unsure, END])
    (block,) = page.blocks
    first, second = block.words
    assert block.text[first.start : first.end] == "cellar"
    assert block.text[second.start : second.end] == "zwölf"
    assert first.score == pytest.approx(0.9)
    assert second.score == pytest.approx(unsure[-1].probability)
    assert (second.box, second.origin) == (block.box, "estimated")


def test_the_score_of_a_block_is_a_geometric_mean(words: Words):
    tokens = words.tokens("<|det|>text [0, 0, 9, 9]<|/det|>")
    a, b, c = (words.tokens(letter)[0].id for letter in "abc")
    (page,) = read(words, [*tokens, Token(a, 0.5), Token(b, 0.5), Token(c, 0.0), END])
    score = page.blocks[0].score
    assert score is not None
    assert math.isfinite(score)
    assert 0 < score < 0.5


def test_text_without_a_box_has_no_words(words: Words):
    (page,) = read(words, [*words.tokens("plain text"), END])
    assert (texts(page), page.blocks[0].box, page.blocks[0].words) == (["plain text"], None, ())


SAME = "<|det|>header [1, 1, 9, 9]<|/det|>THE HISTORY OF PRINTING\n"
PARTS = [
    "<PAGE>",
    "<|det|>text [0, 0, 9, 9]<|/det|>Line {}\n",
    "loose {} ",
    "<|det|>",
    "<table><td>{}",
]


@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_as_many_pages_come_out_as_went_in(words: Words, parts: list[str]):
    tokens = [*words.tokens("".join(part.format(at) for at, part in enumerate(parts))), END]
    steps = list(request(words, 3).read(tokens, Stop()))
    pages = [step for step in steps if isinstance(step, PageRead)]
    assert [page.page for page in pages] == [7, 8, 9]
    streamed: dict[tuple[int, int], str] = {}
    for step in steps:
        if isinstance(step, Piece):
            key = (step.page, step.block)
            streamed[key] = streamed.get(key, "") + step.text
    assert streamed == {
        (page.page, index): block.text for page in pages for index, block in enumerate(page.blocks)
    }


@given(
    st.lists(st.sampled_from([*PARTS, SAME * SAME_BLOCKS, "e\u0301\u0304>\u0301 "]), max_size=9),
    st.lists(st.integers(1, 40), min_size=1),
    st.integers(5, 90),
    st.sets(st.integers(0, 300), max_size=OVERRULED + 1),
    st.booleans(),
)
def test_pages_are_the_same_however_many_tokens_come_at_a_time(
    words: Words,
    parts: list[str],
    counts: list[int],
    page_tokens: int,
    overruled: set[int],
    has_end: bool,
):
    output = "".join(part.format(at) for at, part in enumerate(parts))
    tokens = [
        token._replace(probability=1 / (2 + at % 7), is_overruled=at in overruled)
        for at, token in enumerate(words.tokens(output))
    ]
    tokens += [END] * has_end
    runs, left = list[list[Token]](), tokens
    for count in itertools.cycle(counts):
        if not left:
            break
        runs.append(left[:count])
        left = left[count:]
    single, several = (
        [*request(words, 3, page_tokens=page_tokens).read(tokens, Stop())],
        [*request(words, 3, page_tokens=page_tokens).read_runs(runs, Stop())],
    )
    assert _pages(several) == _pages(single)
    assert _streamed(several) == _streamed(single)


def test_tokens_that_come_together_are_one_piece_with_the_lowest_score(words: Words):
    tokens = words.tokens("<|det|>text [0, 0, 9, 9]<|/det|>Word and word", 0.9)
    tokens[-3] = tokens[-3]._replace(probability=0.25)
    piece, *rest = (step for step in request(words).read_runs([tokens], Stop()))
    assert isinstance(piece, Piece)
    assert (piece.text, piece.score, piece.steps) == ("Word and wor", 0.25, len(tokens))
    assert [step.steps for step in rest if isinstance(step, Piece)] == [0]  # the letter held back


def _pages(steps: Iterable[Step]) -> list[PageRead]:
    return [step for step in steps if isinstance(step, PageRead)]


def _streamed(steps: Iterable[Step]) -> dict[int, tuple[str, int]]:
    """Text and tokens of each page as its pieces told them, where nothing was taken back."""
    found: dict[int, tuple[str, int]] = {}
    texts, tokens = "", 0
    for step in steps:
        if isinstance(step, Piece):
            texts, tokens = texts + step.text, tokens + step.steps
            continue
        if step.end is not PageEnd.LOOP:
            found[step.page] = (texts, min(tokens, step.steps))
        texts, tokens = "", 0
    return found


def test_bans_far_apart_are_no_loop():
    guard = LoopGuard(35)
    for at in range(3000):
        guard.add(is_overruled=at % 200 == 199)
        assert guard.loop_start is None


def test_bans_close_together_are_a_loop():
    guard = LoopGuard(35)
    for at in range(40 + OVERRULED):
        guard.add(is_overruled=at >= 40)
    assert guard.loop_start == 40 - 34


def test_equal_texts_in_a_row_are_a_loop():
    same = ["The same long line."] * SAME_BLOCKS
    assert count_repeats(["other", *same]) == SAME_BLOCKS - 1
    assert count_repeats(same[1:]) == 0
    assert count_repeats([*same[1:], "other"]) == 0
    assert count_repeats(["short"] * 9) == 0
