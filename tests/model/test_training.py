"""The parts of training, on tiny shapes: what is drawn is what is to be read."""

import random

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import resources
from model.training.alphabet import clean, with_early_letters, with_long_s
from model.training.faces import PHASES, Cut, Face
from model.training.feed import PLACES
from model.training.heads import writing_loss
from model.training.lie import NUMBERS, crooked, seen_at
from model.training.optimiser import Optimiser, orthogonal
from model.training.scan import GREY, grid_of, scan, seeded, sheets_of
from model.training.state import LOCAL_PLACES, WIDE_PLACES, fit
from model.training.trunk import plain_attention

pytestmark = pytest.mark.model

SIDE = 64


@pytest.fixture(scope="module")
def face() -> Face:
    return Face(resources.path("fonts/JunicodeTwoBeta-Regular.otf"))


def test_text_is_made_as_books_print_it():
    assert clean("\"Don't\"  he said -- 'no'") == "“Don’t” he said—‘no’"


def test_long_s_stands_everywhere_but_at_the_end():
    assert with_long_s("Wissens") == "Wiſſens"
    assert with_early_letters("vniuersal use") == "vniuersal vse"


def test_a_word_knows_where_its_letters_are_even_in_ligatures(face):
    word = Cut(face, 30.0).word("offiziell")
    assert len(word.starts) == len("offiziell")
    assert list(word.starts) == sorted(word.starts)
    assert word.ends[-1] == pytest.approx(word.width)


def test_a_phase_moves_ink_by_a_quarter_of_a_pixel(face):
    cut = Cut(face, 24.0)
    drawn = cut.drawn(cut.word("l").glyphs[0])
    assert drawn is not None
    columns = [
        (picture.sum(0) @ np.arange(picture.shape[1])) / picture.sum() for picture in drawn.phases
    ]
    assert np.diff(columns) == pytest.approx([1 / PHASES] * (PHASES - 1), abs=0.05)


@given(seed=st.integers(0, 1000), x=st.floats(0.1, 0.9), y=st.floats(0.1, 0.9))
def test_a_place_of_the_sheet_is_found_in_the_picture(seed, x, y):
    lie = crooked(random.Random(seed), 1.0)
    u, v = seen_at(np.array([x]), np.array([y]), lie)
    grid = grid_of(torch.from_numpy(lie)[None], 400)[0]
    back = grid[min(int(v[0] * 400), 399), min(int(u[0] * 400), 399)]
    assert back.numpy() == pytest.approx([x, y], abs=0.006)


def test_a_scan_is_grey_where_there_is_no_picture_and_the_same_for_a_seed():
    places = torch.zeros(2, PLACES)
    places[:, NUMBERS : NUMBERS + 4] = torch.tensor([0.25, 0.0, 0.75, 1.0])
    places[:, NUMBERS + 4 : NUMBERS + 8] = torch.tensor([0.25, 0.0, 0.75, 1.0])
    places[:, NUMBERS + 8] = -1
    ink = torch.zeros(2, SIDE, SIDE, dtype=torch.uint8)
    ink[:, 20:40, 20:40] = 255
    labels = torch.ones(2, SIDE // 4, SIDE // 4, dtype=torch.uint8)
    one, two = (scan(sheets_of(ink, labels, places), seeded(1, torch.device("cpu"))) for _ in "ab")
    assert torch.equal(one.pixels, two.pixels)
    assert torch.allclose(one.pixels[:, :, :, : SIDE // 4], torch.tensor((GREY - 0.5) * 2))
    assert float(one.pixels[:, :, 25:35, 25:35].mean()) < float(one.pixels[:, :, :15, 20:40].mean())


def test_text_sees_the_page_and_the_window_and_nothing_else():
    prefix, length, window = 3, 12, 4
    attend = plain_attention(prefix, length, window, torch.device("cpu"))
    value = torch.eye(length)[None, None]
    zeros = torch.zeros(1, 1, length, 8)
    seen = attend(zeros, zeros, value)[0, 0] > 0
    assert seen[10].nonzero().flatten().tolist() == [0, 1, 2, 7, 8, 9, 10]


def test_tokens_given_are_not_learnt():
    torch.manual_seed(0)
    hidden, embed = torch.randn(1, 5, 8), torch.randn(20, 8)
    ids, lengths = torch.tensor([[3, 4, 15, 1]]), torch.tensor([4])
    whole = writing_loss(hidden, embed, ids, lengths, torch.tensor([0]), 10)
    changed = torch.tensor([[9, 4, 15, 1]])
    rest = writing_loss(hidden, embed, ids, lengths, torch.tensor([1]), 10)
    again = writing_loss(hidden, embed, changed, lengths, torch.tensor([1]), 10)
    assert rest.total == again.total
    assert rest.total != whole.total


def test_orthogonal_is_nearly_so():
    torch.manual_seed(0)
    square = orthogonal(torch.randn(2, 16, 24)).float()
    sizes = torch.linalg.svdvals(square)
    assert float(sizes.min()) > 0.4
    assert float(sizes.max()) < 1.4


def test_an_optimiser_goes_on_where_it_stopped():
    def steps(optimiser, weights, count):
        for _ in range(count):
            for weight in weights.values():
                weight.grad = weight.detach().clone()
            optimiser.step(1.0)

    def made():
        torch.manual_seed(1)
        weights = {
            "a.weight": torch.nn.Parameter(torch.randn(8, 4)),
            "b.bias": torch.nn.Parameter(torch.randn(4)),
        }
        return Optimiser(weights.items(), matrix_rate=0.1, other_rate=0.1), weights

    (whole, one), (first, two) = made(), made()
    steps(whole, one, 4)
    steps(first, two, 2)
    second = Optimiser(two.items(), matrix_rate=0.1, other_rate=0.1)
    second.load({name: tensor.clone() for name, tensor in first.state().items()})
    steps(second, two, 2)
    assert all(torch.allclose(one[name], two[name]) for name in one)


def test_tables_of_positions_are_stretched_and_nothing_else():
    local, wide = torch.randn(1, 4, 4, 6), torch.randn(17, 6)
    assert fit(LOCAL_PLACES, local, torch.Size([1, 8, 8, 6])).shape == (1, 8, 8, 6)
    stretched = fit(WIDE_PLACES, wide, torch.Size([65, 6]))
    assert stretched.shape == (65, 6)
    assert torch.equal(stretched[0], wide[0])
    assert fit("other", wide, torch.Size([65, 6])).shape == (17, 6)
