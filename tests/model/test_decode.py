"""Our loop beside transformers' own `generate`, on small random checkpoints: ids and logits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.unlimited_ocr.generation_unlimited_ocr import (
    UnlimitedOcrSlidingWindowNoRepeatNgramLogitsProcessor as TheirBan,
)

from model.api import PageImage, Stop
from model.config import CheckpointConfig
from model.decode import NgramBan, Rules, Token, choose, decode
from model.errors import PageUnreadable
from model.network import Network
from model.tokens import Vocabulary
from model.views import PageViews, count_tokens, make_views
from model.weights import find_checkpoint, load_network
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("one_thread")]

NEVER = frozenset[int]()
WINDOW = 128  # tokens of the ring


class Loaded(NamedTuple):
    network: Network
    model: Any  # transformers' own
    config: CheckpointConfig
    vocabulary: Vocabulary

    def prompt(self, views: Sequence[PageViews], text: str) -> list[int]:
        tokens = sum(count_tokens(each.grid, self.config.views) for each in views)
        return self.vocabulary.encode(
            text, image_tokens=tokens, image_id=self.config.image_id, start_id=0
        )


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    folder = write_checkpoint(tmp_path_factory.mktemp("noise"), seed=5)
    checkpoint = find_checkpoint(folder)
    model = load_network(checkpoint, device=torch.device("cpu"), dtype=torch.float32)
    network = Network(model, checkpoint.config)
    return Loaded(network, model, checkpoint.config, Vocabulary(checkpoint.tokenizer))


def page(seed: int, width_px: int = 40, height_px: int = 60) -> PageImage:
    pixels = np.random.default_rng(seed).integers(0, 255, (height_px, width_px, 3), np.uint8)
    return PageImage(pixels)


def views_of(loaded: Loaded, seeds: Sequence[int], *, is_tiled: bool = False) -> list[PageViews]:
    return [make_views(page(seed), loaded.config.views, is_tiled=is_tiled) for seed in seeds]


def their_inputs(loaded: Loaded, views: Sequence[PageViews], ids: list[int]) -> dict[str, Any]:
    """The same pages as arguments of transformers' own model."""
    tiles = [torch.from_numpy(each.tiles) for each in views if each.grid]
    inputs: dict[str, Any] = {
        "input_ids": torch.tensor([ids]),
        "pixel_values": torch.stack([torch.from_numpy(each.page) for each in views]),
        "num_local_patches": [len(each.tiles) for each in views],
        "patches_grid": [list(each.grid or (1, 1)) for each in views],
    }
    return inputs | ({"pixel_values_local": torch.cat(tiles)} if tiles else {})


def theirs(
    loaded: Loaded, inputs: dict[str, Any], tokens: int, window: int
) -> tuple[list[int], torch.Tensor]:
    """Ids and raw logits of `generate`, as the published settings call it."""
    loaded.model.generation_config.no_repeat_ngram_window_size = window
    said = loaded.model.generate(
        **inputs,
        max_new_tokens=tokens,
        min_new_tokens=tokens,
        eos_token_id=None,
        pad_token_id=2,
        do_sample=False,
        no_repeat_ngram_size=3,
        return_dict_in_generate=True,
        output_logits=True,
    )
    return said.sequences[0, inputs["input_ids"].shape[1] :].tolist(), torch.cat(said.logits)


class Spy:
    """The network, keeping the logits that it gives."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.logits: list[torch.Tensor] = []

    def prefill(self, ids: Sequence[int], pages: Sequence[torch.Tensor]) -> torch.Tensor:
        return self._kept(self._network.prefill(ids, pages))

    def step(self, token: int) -> torch.Tensor:
        return self._kept(self._network.step(token))

    def _kept(self, logits: torch.Tensor) -> torch.Tensor:
        self.logits.append(logits.clone())
        return logits


@pytest.mark.parametrize(
    ("seeds", "is_tiled", "prompt", "window"),
    [
        ([1], False, "<image>document parsing.", 128),
        ([2], True, "<image>document parsing.", 128),
        ([3, 4, 5], False, "<image>Multi page parsing.", 1024),
    ],
)
def test_ids_and_logits_are_those_of_generate_past_the_ring(
    loaded: Loaded, seeds: list[int], is_tiled: bool, prompt: str, window: int
):
    tokens = WINDOW + 12
    views = views_of(loaded, seeds, is_tiled=is_tiled)
    assert all(bool(each.grid) == is_tiled for each in views)
    ids = loaded.prompt(views, prompt)
    expected, logits = theirs(loaded, their_inputs(loaded, views, ids), tokens, window)
    spy = Spy(loaded.network)
    rules = Rules(NEVER, ngram=3, ngram_window=window, most_tokens=tokens)
    pages = [loaded.network.encode(each) for each in views]
    read = list(decode(spy, ids, pages, rules=rules, stop=Stop()))
    assert [token.id for token in read] == expected
    assert len(set(expected)) > 10
    torch.testing.assert_close(torch.stack(spy.logits), logits, atol=1e-4, rtol=1e-4)


def test_every_step_is_a_row_of_one_forward_with_an_explicit_mask(loaded: Loaded):
    """No cache, no ring: the rule of R-SWA written as a mask over prompt and output."""
    views = views_of(loaded, [6])
    ids = loaded.prompt(views, "<image>document parsing.")
    spy = Spy(loaded.network)
    pages = [loaded.network.encode(each) for each in views]
    rules = Rules(NEVER, most_tokens=WINDOW + 12)
    read = [token.id for token in decode(spy, ids, pages, rules=rules, stop=Stop())]
    whole = torch.tensor([*ids, *read[:-1]])
    query, key = torch.arange(len(whole))[:, None], torch.arange(len(whole))[None]
    is_seen = (key <= query) & ((key < len(ids)) | (query - key < WINDOW))
    with torch.inference_mode():
        embedded = loaded.model.get_input_embeddings()(whole)
        is_image = torch.tensor(ids) == loaded.config.image_id  # noise may write image ids too
        embedded[: len(ids)][is_image] = torch.cat(pages)
        text = loaded.model.model.language_model(
            inputs_embeds=embedded[None],
            attention_mask={"reference_sliding_attention": is_seen[None, None]},
            use_cache=False,
        )
        logits = loaded.model.lm_head(text.last_hidden_state)[0, len(ids) - 1 :]
    torch.testing.assert_close(torch.stack(spy.logits), logits, atol=1e-4, rtol=1e-4)


def test_encoded_pages_are_those_of_transformers(loaded: Loaded):
    (views,) = views_of(loaded, [7], is_tiled=True)
    inputs = their_inputs(loaded, [views], [0])
    inputs.pop("input_ids")
    with torch.inference_mode():
        (expected,) = loaded.model.get_image_features(**inputs).pooler_output
    found = loaded.network.encode(views)
    assert len(found) == count_tokens(views.grid, loaded.config.views)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


def test_the_page_matters(loaded: Loaded):
    """Else the tests above could pass without an image ever reaching the decoder."""

    def first(seed: int) -> torch.Tensor:
        views = views_of(loaded, [seed])
        pages = [loaded.network.encode(each) for each in views]
        return loaded.network.prefill(loaded.prompt(views, "<image>document parsing."), pages)

    assert (first(1) - first(2)).abs().max() > 0.01


def test_memory_of_a_request_does_not_grow_past_the_ring(loaded: Loaded):
    views = views_of(loaded, [8])
    ids = loaded.prompt(views, "<image>document parsing.")
    pages = [loaded.network.encode(each) for each in views]
    token_bytes = 3 * 2 * 32 * 2 * 4  # layers, heads, size of a head, keys and values, float32
    tokens = decode(
        loaded.network, ids, pages, rules=Rules(NEVER, most_tokens=WINDOW + 5), stop=Stop()
    )
    for count, _ in enumerate(tokens):
        assert loaded.network.prompt_bytes == len(ids) * token_bytes
        assert loaded.network.window_bytes == WINDOW * token_bytes
        assert loaded.network.dense_bytes == (len(ids) + count) * token_bytes
    loaded.network.forget()
    assert loaded.network.prompt_bytes == loaded.network.window_bytes == 0


class Script:
    """A network that wants the same ids for ever."""

    def __init__(self, ids: Sequence[int], vocabulary: int = 50) -> None:
        self._ids = ids
        self._vocabulary = vocabulary
        self.steps = 0

    def prefill(self, ids: Sequence[int], pages: Sequence[torch.Tensor]) -> torch.Tensor:
        return self._logits()

    def step(self, token: int) -> torch.Tensor:
        self.steps += 1
        return self._logits()

    def _logits(self) -> torch.Tensor:
        logits = torch.zeros(self._vocabulary)
        logits[self._ids[self.steps % len(self._ids)]] = 5
        return logits


def run(network: Script, rules: Rules, stop: Stop | None = None) -> list[Token]:
    return list(decode(network, [0], [], rules=rules, stop=stop or Stop()))


def test_an_end_token_ends_the_output():
    tokens = run(Script([5, 6, 1, 7]), Rules(frozenset({1})))
    assert [(token.id, token.is_end) for token in tokens] == [(5, False), (6, False), (1, True)]


def test_the_output_ends_where_there_is_no_more_room():
    assert len(run(Script([5, 6]), Rules(NEVER, most_tokens=7))) == 7


def test_stop_ends_the_output_before_the_next_step():
    stop, network = Stop(), Script([5, 6])
    tokens = decode(network, [0], [], rules=Rules(NEVER), stop=stop)
    for count, _ in enumerate(tokens):
        if count == 3:
            stop.ask()
    assert network.steps == 3


def test_a_token_carries_what_the_network_gave_it():
    logits = torch.tensor([1.0, 3.0, 2.0, 0.0])
    expected = torch.softmax(logits, 0)
    best = choose(logits, [], NEVER)
    assert (best.id, best.is_overruled) == (1, False)
    assert best.probability == pytest.approx(float(expected[1]))
    second = choose(logits, [1], NEVER)
    assert (second.id, second.is_overruled) == (2, True)
    assert second.probability == pytest.approx(float(expected[2]))


def test_a_network_without_numbers_fails_the_page():
    with pytest.raises(PageUnreadable):
        choose(torch.full((4,), torch.nan), [], NEVER)


def test_35_tokens_never_come_twice_within_the_window():
    tokens = run(Script([7]), Rules(NEVER, most_tokens=400))
    ids = [token.id for token in tokens]
    assert ids[:35] == [7] * 35
    overruled = [at for at, token in enumerate(tokens) if token.is_overruled]
    assert overruled[0] == 35
    for at in range(128, len(ids)):
        window = ids[at - 127 : at + 1]
        grams = [tuple(window[i : i + 35]) for i in range(128 - 34)]
        assert len(set(grams)) == len(grams)


@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=60),
    st.integers(2, 5),
    st.integers(1, 40),
)
def test_the_ban_is_that_of_transformers(ids: list[int], size: int, window: int):
    ban = NgramBan(ids[:1], size=size, window=window)
    for token in ids[1:]:
        ban.add(token)
    scores = TheirBan(size, window)(torch.LongTensor([ids]), torch.zeros(1, 3))
    assert ban.banned() == set(torch.isinf(scores[0]).nonzero().flatten().tolist())


def test_checkpoints_are_made_the_same_twice(tmp_path: Path):
    first, second = (write_checkpoint(tmp_path / name, seed=1) for name in "ab")
    assert (first / "model.safetensors").read_bytes() == (second / "model.safetensors").read_bytes()
