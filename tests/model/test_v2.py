"""The parts of Unlimited-OCR-2 beside their slow twins, and what must hold without a reference."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import WeightsDamaged
from model.v2.config import (
    DashConfig,
    DashNames,
    FrameConfig,
    GuardConfig,
    GuardMode,
    InstructionPage,
    MixedBlock,
    Overlap,
    Prefill,
    Prior,
    RouterInput,
    Scope,
    Solver,
    TextFrame,
    is_second_version,
)
from model.v2.dash_router import (
    NONE,
    Blocks,
    Queries,
    Routed,
    attend,
    entmax,
    norm_index,
    route,
    summarise,
)
from model.v2.page_frames import angles, page_frames
from model.v2.page_guard import PageGuard
from model.v2.twins import (
    allowed_now,
    attend_one,
    entmax_one,
    frames_one_by_one,
    route_one,
)
from model.weights import find_checkpoint
from tests.model.second_checkpoint import SECTIONS, change_config
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = pytest.mark.model

DASH = DashConfig(
    block_tokens=4,
    candidates=6,
    kept_blocks=3,
    local_blocks=2,
    window_tokens=8,
    index_size=8,
    norm_eps=1e-6,
    score_scale=4.0,
    prior_sigma=2.0,
    prior=Prior.CENTRED,
    solver=Solver.EXACT,
    scope=Scope.ALL,
    mixed_block=MixedBlock.BOTH,
    overlap=Overlap.WINDOW,
    router_input=RouterInput.NORMED,
    prefill=Prefill.SPARSE,
)
FRAMES = FrameConfig(
    image_token_id=7,
    page_token_id=8,
    text_frame=TextFrame.CONTINUE,
    instruction_page=InstructionPage.NONE,
    page_pairs=2,
    token_theta=10_000.0,
    page_theta=100.0,
)
GUARD = GuardConfig(mode=GuardMode.LIMIT, page_token_id=3, end_token_id=1, max_page_tokens=4)

dash_configs = st.builds(
    replace,
    st.just(DASH),
    prior=st.sampled_from(Prior),
    scope=st.sampled_from(Scope),
    mixed_block=st.sampled_from(MixedBlock),
    overlap=st.sampled_from(Overlap),
    kept_blocks=st.integers(1, 4),
    candidates=st.integers(4, 8),
    local_blocks=st.integers(1, 3),
)


def blocks_of(tokens: int, seed: int) -> Blocks:
    torch.manual_seed(seed)
    count = tokens // DASH.block_tokens
    pages = torch.arange(tokens) // 11 + 1
    ends = pages[: count * DASH.block_tokens].view(count, DASH.block_tokens)[:, [0, -1]]
    return Blocks(torch.randn(count, DASH.index_size), ends, prompt=count // 2)


def queries_of(tokens: int, seed: int) -> Queries:
    torch.manual_seed(seed + 1)
    positions = torch.randperm(tokens)[:5]
    return Queries(torch.randn(5, DASH.index_size), positions % 4 + 1, positions)


@settings(max_examples=60, deadline=None)
@given(config=dash_configs, tokens=st.integers(5, 60), seed=st.integers(0, 1000))
def test_router_equals_its_twin(config: DashConfig, tokens: int, seed: int) -> None:
    blocks, queries = blocks_of(tokens, seed), queries_of(tokens, seed)

    routed = route(queries, blocks, config)

    for at in range(len(queries.positions)):
        expected = route_one(queries, at, blocks, config)
        found = [int(block) for block in routed.blocks[at] if block != NONE]
        assert found == [block for block, _ in expected]
        bias = routed.bias[at][: len(found)]
        assert torch.allclose(bias, torch.tensor([b for _, b in expected]), atol=1e-3)


@settings(max_examples=60, deadline=None)
@given(config=dash_configs, tokens=st.integers(5, 60), seed=st.integers(0, 1000))
def test_attention_equals_the_masked_twin(config: DashConfig, tokens: int, seed: int) -> None:
    blocks, queries = blocks_of(tokens, seed), queries_of(tokens, seed)
    query = torch.randn(len(queries.positions), 2, 4)
    keys, values = torch.randn(tokens, 2, 4), torch.randn(tokens, 2, 4)

    found = attend(query, keys, values, queries.positions, route(queries, blocks, config), config)

    for at, position in enumerate(queries.positions.tolist()):
        choice = route_one(queries, at, blocks, config)
        expected = attend_one(query[at], keys, values, position, choice, config)
        assert torch.allclose(found[at], expected, atol=1e-4)


@settings(deadline=None)
@given(tokens=st.integers(1, 44), seed=st.integers(0, 100))
def test_all_blocks_without_bias_are_dense_attention(tokens: int, seed: int) -> None:
    torch.manual_seed(seed)
    keys, values, query = (torch.randn(tokens, 2, 4) for _ in range(3))
    positions = torch.arange(tokens)
    config = replace(DASH, kept_blocks=11)
    remote = [[b if b * 4 + 3 <= p else NONE for b in range(11)] for p in range(tokens)]
    everything = Routed(torch.tensor(remote), torch.zeros(tokens, 11))

    found = attend(query, keys, values, positions, everything, config)

    expected = torch.nn.functional.scaled_dot_product_attention(
        query.transpose(0, 1), keys.transpose(0, 1), values.transpose(0, 1), is_causal=True
    )
    assert torch.allclose(found, expected.transpose(0, 1), atol=1e-5)


@given(tokens=st.integers(24, 60), seed=st.integers(0, 1000), data=st.data())
def test_blocks_that_cannot_be_chosen_do_not_matter(
    tokens: int, seed: int, data: st.DataObject
) -> None:
    blocks, queries = blocks_of(tokens, seed), queries_of(tokens, seed)
    last = Queries(queries.vectors[:1], torch.tensor([1]), torch.tensor([tokens - 1]))
    own = (tokens - 1) // DASH.block_tokens
    near = list(range(own - DASH.local_blocks + 1, len(blocks.summaries)))
    order = data.draw(st.permutations(near))
    shuffled = blocks.summaries.clone()
    shuffled[near] = blocks.summaries[order]

    assert torch.equal(
        route(last, blocks, DASH).blocks,
        route(last, blocks._replace(summaries=shuffled), DASH).blocks,
    )


@given(scores=st.lists(st.floats(-20, 20), min_size=1, max_size=16))
def test_entmax_of_both_solvers(scores: list[float]) -> None:
    row = torch.tensor([sorted(scores, reverse=True)])

    exact = entmax(row, Solver.EXACT)[0]

    assert torch.allclose(exact, torch.tensor(entmax_one(row[0].tolist())), atol=1e-4)
    assert math.isclose(float(exact.sum()), 1, abs_tol=1e-4)
    assert torch.allclose(entmax(row, Solver.HALLEY)[0], exact, atol=0.05)


def test_entmax_leaves_out_what_may_not_be_read() -> None:
    row = torch.tensor([[1.0, 0.9, -math.inf], [-math.inf] * 3])

    for solver in Solver:
        shares = entmax(row, solver)
        assert shares[0, 2] == 0
        assert not shares[1].any()


def test_untrained_summary_is_the_mean_and_norm_has_one_plus_weight() -> None:
    keys = torch.eye(8)[:4].expand(3, 4, 8)
    assert torch.allclose(summarise(keys, torch.zeros(8)), keys.mean(dim=1), atol=1e-6)
    pointed = summarise(keys, 1000 * keys[0, 2])
    assert torch.allclose(pointed[0], keys[0, 2], atol=1e-3)

    torch.manual_seed(0)
    normed = norm_index(torch.randn(3, 4, 8), torch.ones(8), DASH)
    assert torch.allclose(normed.square().mean(dim=-1).sqrt(), torch.tensor(2.0), atol=1e-3)


frame_configs = st.builds(
    replace,
    st.just(FRAMES),
    text_frame=st.sampled_from(TextFrame),
    instruction_page=st.sampled_from(InstructionPage),
)


@given(
    config=frame_configs,
    images=st.lists(st.integers(1, 6), min_size=1, max_size=5),
    instruction=st.integers(0, 4),
    text=st.lists(st.sampled_from([8, 20, 21]), max_size=30),
)
def test_frames_equal_their_twin(
    config: FrameConfig, images: list[int], instruction: int, text: list[int]
) -> None:
    prompt = [0]
    for count in images:
        prompt += [8, *[7] * count]
    prompt += [30] * instruction
    ids = prompt + text

    frames = page_frames(torch.tensor(ids), len(prompt), config)

    expected = frames_one_by_one(ids, len(prompt), config)
    assert list(zip(frames.place.tolist(), frames.page.tolist(), strict=True)) == expected
    assert frames.pages.unique().tolist() == [len(images)]


def test_no_index_grows_with_the_book_and_pages_turn_their_own_pairs() -> None:
    book = torch.tensor([0, *[8, 7, 7, 7] * 500, 30])
    frames = page_frames(book, len(book), FRAMES)
    assert int(frames.place.max()) == 3

    turned = angles(frames, 8, FRAMES)
    assert turned.shape == (len(book), 8)
    first, second = turned[2], turned[6]  # the same image token of two pages
    assert torch.equal(first[:6], second[:6])
    assert not torch.equal(first[6:], second[6:])


@given(
    mode=st.sampled_from(GuardMode),
    pages=st.integers(1, 4),
    tokens=st.lists(st.integers(0, 5), max_size=20),
)
def test_guard_equals_its_twin(mode: GuardMode, pages: int, tokens: list[int]) -> None:
    config = replace(GUARD, mode=mode)
    guard = PageGuard(config, pages=pages)
    for token in tokens:
        guard.add(token)
    logits = torch.zeros(6)

    guard.apply(logits)

    allowed = {at for at in range(6) if math.isfinite(float(logits[at]))}
    kind, token = allowed_now(tokens, pages, config)
    everything = set(range(6))
    expected = {"any": everything, "only": {token}, "not": everything - {token}}
    assert allowed == expected[kind]


@settings(deadline=None)
@given(pages=st.integers(1, 5), seed=st.integers(0, 10_000), start=st.sampled_from([[3], []]))
def test_guard_never_yields_another_number_of_pages(
    pages: int, seed: int, start: list[int]
) -> None:
    torch.manual_seed(seed)
    guard, written = PageGuard(GUARD, pages=pages), list(start)
    for token in start:
        guard.add(token)
    for _ in range(200):
        logits = torch.randn(6) * 5
        guard.apply(logits)
        token = int(logits.argmax())
        if token == GUARD.end_token_id:
            break
        guard.add(token)
        written.append(token)
    else:
        pytest.fail("the text did not end")

    assert written.count(GUARD.page_token_id) == pages
    assert all(0 <= page < pages for page in guard.forced)


def test_every_key_is_asked_for_by_name() -> None:
    full = {key: str(value) if isinstance(value, str) else value for key, value in _raw(DASH)}
    assert DashConfig.read({"text_config": {"dash": full}}) == DASH
    for key in full:
        less = {name: value for name, value in full.items() if name != key}
        with pytest.raises(WeightsDamaged, match=f"lacks dash.{key}$"):
            DashConfig.read({"dash": less})
    with pytest.raises(WeightsDamaged, match=r"dash\.solver is 'newton'"):
        DashConfig.read({"dash": full | {"solver": "newton"}})
    with pytest.raises(WeightsDamaged, match=r"dash\.kept_blocks is 2\.5"):
        DashConfig.read({"dash": full | {"kept_blocks": 2.5}})
    with pytest.raises(WeightsDamaged, match=r"dash\.beams is not known"):
        DashConfig.read({"dash": full | {"beams": 4}})
    with pytest.raises(WeightsDamaged, match=r"lacks page_guard$"):
        GuardConfig.read({"dash": full})
    names = dict.fromkeys(("query_norm", "key_norm", "head_cls"), "layers.{layer}.dash.x")
    with pytest.raises(WeightsDamaged, match=r"dash_weights\.weight names no tensor of a {layer}"):
        DashNames.read({"dash_weights": names | {"weight": "layers.0.dash"}})


def test_a_second_version_is_known_by_any_of_its_parts(tmp_path: Path) -> None:
    assert is_second_version({"page_guard": {}})
    folder = write_checkpoint(tmp_path / "second")
    assert find_checkpoint(folder).config.second is None
    change_config(folder, dash=SECTIONS["dash"])
    with pytest.raises(WeightsDamaged, match="lacks dash_weights"):
        find_checkpoint(folder)
    change_config(folder, **SECTIONS)
    assert find_checkpoint(folder).config.second is not None


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("dash", "index_size", 16), ("dash", "local_blocks", 0), ("page_frames", "image_token_id", 9)],
)
def test_parts_that_disagree_are_named(tmp_path: Path, section: str, key: str, value: int) -> None:
    folder = write_checkpoint(tmp_path / "second")
    wrong = SECTIONS[section] | {key: value}
    change_config(folder, **(SECTIONS | {section: wrong}))
    with pytest.raises(WeightsDamaged, match=rf"{section}\.{key} is {value}"):
        find_checkpoint(folder)


def _raw(config: DashConfig | FrameConfig | GuardConfig):
    return asdict(config).items()
