"""Our decoder beside transformers on small random checkpoints: ids, logits, chunks and batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.api import Stop
from model.buffers import KeyValues
from model.cache import Layout, whole_blocks
from model.choosing import Choosing, choose
from model.config import CheckpointConfig
from model.decode import NgramBan, Rules, Token, decode
from model.decode import choose as choose_slowly
from model.decoder import TorchStep, rotate
from model.decoder_weights import Weights, take_weights
from model.network import Network
from model.state import State
from model.streams import Prompt, Streams
from model.weights import Checkpoint, find_checkpoint, load_network
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("one_thread")]

WINDOW = 40  # tokens of the ring
IMAGE_TOKENS = 37  # of a page: two blocks, the second not full
NEVER = 9999  # no id of the vocabulary: such a stream never ends
CPU = torch.device("cpu")


class Loaded(NamedTuple):
    network: Network  # the slow way
    weights: Weights
    config: CheckpointConfig

    def page(self, seed: int, tokens: int = IMAGE_TOKENS) -> torch.Tensor:
        generator = torch.Generator().manual_seed(seed)
        return torch.randn(tokens, self.weights.embedding.shape[1], generator=generator)

    def prompt(self, pages: Sequence[torch.Tensor], first_page: int = 0) -> Prompt:
        image = [self.config.image_id] * sum(map(len, pages))
        return Prompt([0, *image, 30, 31, 32], pages, first_page)

    def streams(
        self,
        count: int = 1,
        *,
        slots: int = 4,
        ngram: int = 2,
        history: int = 128,
        end_ids: Sequence[int] = (NEVER,),
        most_blocks: int | None = None,
        make_step: Any = TorchStep,
    ) -> Streams:
        layout = Layout(32, WINDOW, whole_blocks(IMAGE_TOKENS), slots)
        kv = KeyValues(
            layout,
            self.weights.heads,
            streams=count,
            is_sparse=most_blocks is not None,
            device=CPU,
            dtype=self.weights.embedding.dtype,
        )
        state = State.make(
            count, vocabulary=self.weights.vocabulary, history=history, steps=32, device=CPU
        )
        rules = Choosing(
            end_ids=torch.tensor(end_ids),
            separator=torch.tensor([5, 6], dtype=torch.int32),
            ngram=ngram,
            first_ring_row=layout.word_rows,
            window_tokens=WINDOW,
        )
        return Streams(
            self.weights,
            kv,
            state,
            rules,
            image_id=self.config.image_id,
            most_blocks=most_blocks,
            make_step=make_step,
        )


class Spied(TorchStep):
    """A step that keeps the logits of all steps."""

    kept: ClassVar[list[torch.Tensor]] = []

    def __call__(self) -> None:
        super().__call__()
        self.kept.append(self.logits.clone())


def small_window(folder: Path) -> Checkpoint:
    """A checkpoint of noise with a small ring."""
    config = write_checkpoint(folder, seed=5) / "config.json"
    config.write_text(
        config.read_text().replace('"sliding_window": 128', f'"sliding_window": {WINDOW}')
    )
    return find_checkpoint(folder)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    checkpoint = small_window(tmp_path_factory.mktemp("noise"))
    model = load_network(checkpoint, device=CPU, dtype=torch.float32)
    return Loaded(Network(model, checkpoint.config), take_weights(model), checkpoint.config)


@pytest.fixture(scope="module")
def coarse(tmp_path_factory: pytest.TempPathFactory) -> tuple[Loaded, Loaded]:
    """Weights that bfloat16 can tell, as such and as float32."""
    checkpoint = small_window(tmp_path_factory.mktemp("coarse"))
    model = load_network(checkpoint, device=CPU, dtype=torch.bfloat16)
    network, weights = Network(model, checkpoint.config), take_weights(model)
    fine = take_weights(model.float())
    return (
        Loaded(network, weights, checkpoint.config),
        Loaded(network, fine, checkpoint.config),
    )


@pytest.fixture
def spied() -> Iterator[list[torch.Tensor]]:
    Spied.kept.clear()
    yield Spied.kept
    Spied.kept.clear()


def slowly(loaded: Loaded, prompt: Prompt, tokens: int, history: int = 128):
    """Ids and logits by transformers' own decoder and cache."""
    logits: list[torch.Tensor] = []

    class Spy:
        def prefill(self, ids: Sequence[int], pages: Sequence[torch.Tensor]) -> torch.Tensor:
            logits.append(loaded.network.prefill(ids, pages).clone())
            return logits[-1]

        def step(self, token: int) -> torch.Tensor:
            logits.append(loaded.network.step(token).clone())
            return logits[-1]

    rules = Rules(frozenset(), ngram=2, ngram_window=history, most_tokens=tokens)
    read = list(decode(Spy(), prompt.ids, prompt.pages, rules=rules, stop=Stop()))
    return read, torch.stack(logits)


def test_weights_and_keys_in_bfloat16_give_nearly_the_logits_of_float32(
    coarse: tuple[Loaded, Loaded], spied: list[torch.Tensor]
):
    """Of the ids that weigh most; the others are rounded to 8 bits."""
    for loaded in coarse:
        prompt = loaded.prompt([loaded.page(0).bfloat16().to(loaded.weights.embedding.dtype)])
        streams = loaded.streams(make_step=Spied)
        streams.begin({0: prompt})
        run(streams, 1)
    mine, exact = (logits[0] for logits in spied)
    best = exact.topk(4).indices
    assert mine.argmax() == exact.argmax()
    torch.testing.assert_close(mine[best], exact[best], atol=0.02 * float(exact.std()), rtol=0.01)
    assert not torch.equal(mine, mine.bfloat16().float())


def run(streams: Streams, tokens: int, at: int = 0) -> list[Token]:
    found: list[Token] = []
    while len(found) < tokens and at in streams.live:
        found += streams.run().get(at, [])
    return found[:tokens]


def ids(tokens: Sequence[Token]) -> list[int]:
    return [token.id for token in tokens]


@pytest.mark.parametrize("pages", [1, 2, 4])
def test_a_request_is_that_of_transformers_past_the_ring(
    loaded: Loaded, spied: list[torch.Tensor], pages: int
):
    tokens = 2 * WINDOW + 10
    prompt = loaded.prompt([loaded.page(n) for n in range(pages)])
    expected, logits = slowly(loaded, prompt, tokens)
    streams = loaded.streams(make_step=Spied)
    streams.begin({0: prompt})
    found = run(streams, tokens)
    assert ids(found) == ids(expected)
    assert len(set(ids(found))) > 10
    torch.testing.assert_close(torch.cat(spied), logits, atol=1e-4, rtol=1e-4)
    for mine, other in zip(found, expected, strict=True):
        assert mine.probability == pytest.approx(other.probability, rel=1e-3)
        assert mine.is_overruled == other.is_overruled
        assert mine.runner_up is not None


def test_choosing_every_block_is_reading_every_block(loaded: Loaded, spied: list[torch.Tensor]):
    """SR-SWA at a ratio of 1 is R-SWA."""
    prompt = loaded.prompt([loaded.page(n) for n in range(3)])
    expected, logits = slowly(loaded, prompt, 50)
    streams = loaded.streams(most_blocks=8, make_step=Spied)
    streams.begin({0: prompt}, ratio=1.0)
    assert ids(run(streams, 50)) == ids(expected)
    torch.testing.assert_close(torch.cat(spied), logits, atol=1e-4, rtol=1e-4)


def test_fewer_blocks_give_other_logits(loaded: Loaded, spied: list[torch.Tensor]):
    prompt = loaded.prompt([loaded.page(n) for n in range(4)])
    _, logits = slowly(loaded, prompt, 5)
    streams = loaded.streams(most_blocks=8, make_step=Spied)
    streams.begin({0: prompt}, ratio=0.1)
    run(streams, 5)
    assert (torch.cat(spied) - logits).abs().max() > 0.01


def test_only_its_own_page_read_a_page_is_as_read_alone(loaded: Loaded):
    """The ring emptied at each page, and no other page read: neighbours leave no trace."""
    pages = [loaded.page(n) for n in range(5)]
    streams = loaded.streams(slots=3, most_blocks=2)
    for number, page in enumerate(pages):
        streams.begin({0: loaded.prompt([page], number)}, ratio=0.01)
        found = run(streams, WINDOW + 20)
        streams.end(0)
        expected, _ = slowly(loaded, loaded.prompt([page]), WINDOW + 20)
        assert ids(found) == ids(expected)
        assert [place.page for place in streams.resident(0)] == list(
            range(max(0, number - 2), number + 1)
        )


def test_pages_side_by_side_are_as_each_alone(loaded: Loaded):
    """Streams end and begin at different times; each reads as if it were alone."""
    streams = loaded.streams(3, slots=1)
    waiting = {n: loaded.prompt([loaded.page(n)]) for n in range(7)}
    lengths = {n: 20 + 17 * (n % 4) for n in waiting}
    order, reading, found = list(waiting), dict[int, int](), dict[int, list[Token]]()
    while order or reading:
        idle = [at for at in range(3) if at not in reading]
        if idle and order:
            begun = {at: order.pop(0) for at in idle[: len(order)]}
            for at in begun:
                streams.forget(at)
            streams.begin({at: waiting[n] for at, n in begun.items()})
            reading |= begun
        for at, tokens in streams.run().items():
            found.setdefault(reading[at], []).extend(tokens)
        for at in [at for at, n in reading.items() if len(found.get(n, ())) >= lengths[n]]:
            streams.end(at)
            del reading[at]
    for number, prompt in waiting.items():
        expected, _ = slowly(loaded, prompt, lengths[number])
        assert ids(found[number])[: lengths[number]] == ids(expected)


def test_carried_text_stands_behind_the_new_prompt(loaded: Loaded, spied: list[torch.Tensor]):
    """The first token is chosen by the prompt alone; then steps see the text before, moved."""
    first, second = (loaded.prompt([loaded.page(n)], n) for n in (1, 2))
    probe = loaded.streams()
    probe.begin({0: first})
    whole = ids(run(probe, 90))
    end = next(token for at, token in enumerate(whole) if at >= 12 and token not in whole[:at])
    text = whole[: whole.index(end)]
    streams = loaded.streams(slots=1, end_ids=[end], make_step=Spied)
    streams.begin({0: first})
    assert ids(run(streams, 90)) == [*text, end]
    kv, ring = streams.kv, slice(32, 32 + min(WINDOW, len(text)))
    before = kv.keys[:, 0, :, ring].clone()
    spied.clear()
    streams.begin({0: second}, carries=True)
    alone, logits = slowly(loaded, second, 2)
    torch.testing.assert_close(spied[0][0], logits[0], atol=1e-4, rtol=1e-4)
    moved = len(second.ids)  # the text stands behind the second prompt as it did behind the first
    by = torch.tensor([moved])[..., None].double() * loaded.weights.frequencies
    there = rotate(before.double(), (by.cos(), by.sin()))
    torch.testing.assert_close(kv.keys[:, 0, :, ring].double(), there, atol=1e-5, rtol=1e-5)
    carried = min(WINDOW, len(text))
    assert int((kv.bias[0, 32 : 32 + WINDOW] == 0).sum()) == carried
    assert int(streams.state.position[0]) == len(first.ids) + len(second.ids) + carried
    assert run(streams, 2)[0].id == alone[0].id
    assert (spied[1][0] - logits[1]).abs().max() > 1e-3, "the text before is seen"


def test_rotating_twice_is_rotating_by_the_sum():
    frequencies = 1.0 / 10_000 ** (torch.arange(0, 8, 2).double() / 8)

    def turned(x: torch.Tensor, by: int) -> torch.Tensor:
        return rotate(x, ((by * frequencies).cos(), (by * frequencies).sin()))

    x = torch.randn(5, 8, dtype=torch.float64)
    torch.testing.assert_close(turned(turned(x, 1100), 283), turned(x, 1383))


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    ngram=st.integers(2, 5),
    window=st.integers(6, 40),
    prompt=st.lists(st.integers(0, 3), min_size=1, max_size=60),
)
def test_the_ban_on_the_device_is_that_of_the_slow_loop(
    seed: int, ngram: int, window: int, prompt: list[int]
):
    vocabulary, generator = 4, torch.Generator().manual_seed(seed)
    state = State.make(1, vocabulary=vocabulary, history=window, steps=4, device=CPU)
    state.remember(0, prompt, ngram=ngram)
    state.is_done[0] = False
    rules = Choosing(
        end_ids=torch.tensor([vocabulary]),
        separator=torch.tensor([9], dtype=torch.int32),
        ngram=ngram,
        first_ring_row=0,
        window_tokens=8,
    )
    ban = NgramBan(prompt, size=ngram, window=window)
    for step in range(60):
        if len(ban.banned()) == vocabulary:
            return
        logits = torch.randn(1, vocabulary, generator=generator)
        expected = choose_slowly(logits[0], ban.banned(), frozenset())
        choose(state, logits, rules)
        token, best, _, overruled, is_live = state.log[step % 4, 0].tolist()
        assert (int(token), bool(overruled), is_live) == (expected.id, expected.is_overruled, 1)
        assert best == pytest.approx(torch.tensor(expected.probability).log().item(), abs=1e-4)
        ban.add(expected.id)


def test_separators_turn_the_page_but_the_first_and_never_past_the_last():
    state = State.make(1, vocabulary=10, history=16, steps=4, device=CPU)
    state.remember(0, [0, 8], ngram=9)
    state.is_done[0] = False
    state.last_page[0] = 2
    rules = Choosing(
        end_ids=torch.tensor([1]),
        separator=torch.tensor([5, 6], dtype=torch.int32),
        ngram=9,
        first_ring_row=0,
        window_tokens=8,
    )
    pages: list[int] = []
    for token in [5, 6, 7, 5, 5, 6, 7, 5, 6, 7, 5, 6, 7]:
        choose(state, torch.nn.functional.one_hot(torch.tensor([token]), 10).float(), rules)
        pages.append(int(state.reading[0]))
    assert pages == [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2]


def test_a_stream_that_is_done_leaves_no_trace(loaded: Loaded):
    streams = loaded.streams(2, slots=1)
    streams.begin({0: loaded.prompt([loaded.page(1)]), 1: loaded.prompt([loaded.page(2)])})
    run(streams, 5)
    streams.end(1)
    run(streams, 1)
    names = ("token", "row", "fed", "position", "reading")
    before = {name: getattr(streams.state, name)[1].clone() for name in names}
    run(streams, 5)
    assert all(torch.equal(getattr(streams.state, name)[1], kept) for name, kept in before.items())


def test_weights_can_be_taken_without_holding_them_twice(tmp_path: Path, loaded: Loaded):
    checkpoint = small_window(tmp_path / "noise")
    model = load_network(checkpoint, device=CPU, dtype=torch.float32)
    weights = take_weights(model, keep=False)
    assert not list(model.model.language_model.layers.parameters())
    assert weights.layer_bytes == loaded.weights.layer_bytes
    for mine, other in zip(weights.layers, loaded.weights.layers, strict=True):
        assert torch.equal(mine.qkv, other.qkv)
