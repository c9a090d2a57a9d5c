"""Pages drawn with corpus and fonts, and the training's forward pass beside transformers'."""

import json
from functools import cache

import pytest
import torch
from transformers import UnlimitedOcrConfig, UnlimitedOcrForConditionalGeneration

from model.training.feed import Feed
from model.training.lie import NUMBERS
from model.training.renderer import MATTERS, MOST_TOKENS, Renderer
from model.training.targets import boxes
from model.training.trunk import Others, plain_attention, see, write

pytestmark = [pytest.mark.model, pytest.mark.slow]

SIDE = 512


@pytest.fixture
def small(shared):
    """A network of the reader's kind, tiny."""
    raw = json.loads((shared / "training/start/config.json").read_text())
    text, vision = raw["text_config"], raw["vision_config"]
    text |= {"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "head_dim": 32}
    text |= {"num_attention_heads": 2, "num_key_value_heads": 2, "sliding_window": 8}
    text |= {"layer_types": text["layer_types"][:2], "mlp_layer_types": ["dense"] * 2}
    vision["sam_config"] |= {"hidden_size": 32, "output_channels": 32, "num_hidden_layers": 1}
    vision["sam_config"] |= {"num_attention_heads": 2, "mlp_dim": 64, "image_size": 128}
    vision["sam_config"] |= {"downsample_channels": [32, 64]}
    vision["encoder_config"] |= {"hidden_size": 64, "intermediate_size": 128, "image_size": 128}
    vision["encoder_config"] |= {"num_hidden_layers": 1, "num_attention_heads": 2}
    torch.manual_seed(0)
    network = UnlimitedOcrForConditionalGeneration(UnlimitedOcrConfig.from_dict(raw))
    network.tie_weights()
    return network.eval()


@torch.no_grad()
def test_the_trunk_gives_what_transformers_gives(small):
    pixels, ids = torch.randn(2, 3, 128, 128), torch.randint(10, 100, (2, 5))
    tokens = see(small, pixels).tokens
    prefix = tokens.shape[1] + 2
    hidden = write(
        small, tokens, ids, start=0, prompt=5, gap=0,
        attention=plain_attention(prefix, prefix + 5, 8, torch.device("cpu")),
    )  # fmt: skip
    seen = small.model.vision_tower(pixels)
    cells = small.model.multi_modal_projector(seen.last_hidden_state)
    assert torch.allclose(see(small, pixels).cells, cells, atol=1e-5)
    embed = small.get_input_embeddings()
    first, last = (embed(torch.full((2, 1), id_)) for id_ in (0, 5))
    whole = torch.cat([first, tokens, last, embed(ids)], 1)
    theirs = small.model.language_model(inputs_embeds=whole, use_cache=False).last_hidden_state
    assert torch.allclose(hidden, theirs[:, prefix - 1 :], atol=1e-4)


@torch.no_grad()
def test_text_sees_earlier_pages_by_how_far_they_lie_back_and_the_prompt_does_not(small):
    tokens = see(small, torch.randn(3, 3, 128, 128)).tokens
    ids, length = torch.randint(10, 100, (1, 5)), tokens.shape[1]
    page, earlier = tokens[:1], tokens[1:2]

    def written(others):
        before = 0 if others is None else length
        prefix = before + length + 2
        return write(
            small, page, ids, start=0, prompt=5, gap=0, others=others,
            attention=plain_attention(prefix, prefix + 5, 8, torch.device("cpu"), before),
        )[0]  # fmt: skip

    places = torch.arange(length)
    alone = written(None)
    near, far = (written(Others(earlier, places - back * (length + 2))) for back in (1, 9))
    assert torch.allclose(alone[0], near[0], atol=1e-5)
    assert not torch.allclose(alone[1:], near[1:], atol=1e-4)
    assert not torch.allclose(near[1:], far[1:], atol=1e-4)


@pytest.fixture
def renderer(shared):
    return _renderer(shared / "training")


@cache
def _renderer(folder):
    return Renderer(folder, side_px=SIDE, is_held_out=True)


def test_equal_seeds_give_equal_pages(renderer):
    renderer.seed(7)
    one = renderer.draw()
    renderer.seed(7)
    two = renderer.draw()
    assert one.ids == two.ids
    assert (one.ink == two.ink).all()


def test_pages_of_one_book_lie_beside_each_other_in_a_batch(renderer):
    feed = Feed(renderer, workers=1, slots=24, batch=6, seed=2)
    try:
        slots = feed.next_batch().slots
        books = [int(feed.slots.counts[slot, 2]) for slot in slots]
    finally:
        feed.close()
    assert len(set(books)) > 1
    assert books == sorted(books)


@pytest.mark.parametrize("matter", MATTERS)
def test_every_matter_is_drawn_and_its_target_ends(renderer, matter):
    renderer.seed(3)
    for _ in range(3):
        page = renderer.draw(matter=matter)
        assert page.ids[-1] == renderer.tokens.end
        assert len(page.ids) <= MOST_TOKENS
        assert len(page.lie) == NUMBERS
        assert bool(page.text) == bool(page.labels.any()) or matter in {"picture", "blank"}


def test_a_line_lies_in_its_box(renderer):
    renderer.seed(5)
    page = renderer.draw(matter="prose", is_crooked=False)
    start = page.ids.index(renderer.tokens.opening)
    left = page.ids[start + 2] - renderer.tokens.first_number
    top, right, bottom = (
        each - renderer.tokens.later_number for each in page.ids[start + 3 : start + 6]
    )
    frame = page.picture
    x0, x1 = (int(frame.left + share / 999 * frame.width) for share in (left, right))
    y0, y1 = (int(frame.top + share / 999 * frame.height) for share in (top, bottom))
    assert page.ink[y0 : y1 + 1, x0 : x1 + 1].max() > 100
    assert boxes([], page.lie, frame, SIDE) == []
