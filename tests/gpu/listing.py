"""Ways to list the blocks that a step reads by SR-SWA, timed in turns; and what the choice must be.

The peer counts ranks: every block of a head beside every other, which the engine did at first.
"""

# Triton's language has no types; a kernel's arguments are its pointers and constants.
# ruff: noqa: ANN001, ANN201, ANN202, N803
# pyright: basic
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAssignmentType=false

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
import triton
import triton.language as tl

from model.attention import choose_blocks
from model.kernels import listing
from model.kernels.alone import OUTPUT, SCORED_AT_ONCE
from model.kernels.buffers import power_of_two
from model.kernels.early import await_before, let_next_begin
from model.kernels.step import KernelStep
from model.streams import Streams
from tests.gpu.full_size import FullSize, in_sequence, prompt, streams_of

PAGES, RATIO = 100, 0.1
ROUNDS, BURSTS = 5, 20  # of 8 steps
RANKED_BESIDE = 256  # blocks that a block is compared with at a time


@triton.jit
def score_blocks(
    q,
    means,
    page_of_block,
    reading,
    scores,
    blocks,
    most_streams,
    H: tl.constexpr,
    D: tl.constexpr,
    AT_ONCE: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Score the blocks of a layer by mean key; those of the page being read win.

    Grid: layers * H, blocks / AT_ONCE, B. Buffers have room for `most_streams`.
    """
    let_next_begin(EARLY)
    b = tl.program_id(2)
    layer = tl.program_id(0) // H
    stream = (layer * most_streams + b) * H + tl.program_id(0) % H
    d = tl.arange(0, D)
    n = tl.program_id(1) * AT_ONCE + tl.arange(0, AT_ONCE)
    line = means + (stream * blocks + n)[:, None] * D + d[None, :]
    key = tl.load(line, mask=(n < blocks)[:, None], other=0.0).to(tl.float32)
    await_before(EARLY)
    query = tl.load(q + stream * D + d).to(tl.float32)
    score = tl.sum(key * query[None, :], 1)
    owner = tl.load(page_of_block + b * blocks + n, mask=n < blocks, other=-1)
    score = tl.where(owner == tl.load(reading + b), 1e30, score)
    tl.store(scores + stream * blocks + n, tl.where(owner < 0, -2e30, score), mask=n < blocks)


@triton.jit
def rank_blocks(
    scores,
    listed,
    blocks,
    most,
    most_streams,
    H: tl.constexpr,
    AT_ONCE: tl.constexpr,
    BESIDE: tl.constexpr,
    EARLY: tl.constexpr,
):
    """List the best blocks by rank, which is counted; equal ones in their order. Grid as before."""
    let_next_begin(EARLY)
    layer = tl.program_id(0) // H
    stream = (layer * most_streams + tl.program_id(2)) * H + tl.program_id(0) % H
    mine = scores + stream * blocks
    n = tl.program_id(1) * AT_ONCE + tl.arange(0, AT_ONCE)
    await_before(EARLY)
    score = tl.load(mine + n, mask=n < blocks, other=-3e30)
    rank = tl.zeros([AT_ONCE], tl.int32)
    for first in range(0, blocks, BESIDE):
        every = first + tl.arange(0, BESIDE)
        other = tl.load(mine + every, mask=every < blocks, other=-3e30)
        is_before = (other[None, :] > score[:, None]) | (
            (other[None, :] == score[:, None]) & (every[None, :] < n[:, None])
        )
        rank += tl.sum(is_before.to(tl.int32), 1)
    tl.store(listed + stream * blocks + rank, n, mask=(rank < most) & (n < blocks))


class ScoredLast(KernelStep):
    """Scores the blocks of all layers at the end of the step, not beside its products."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        products, read = self._products, self._buffers.read
        products._add_output_and_score = lambda _, matrix: products._add_product(
            read, matrix, OUTPUT
        )

    def _list_blocks(self) -> None:
        self._score_blocks()
        super()._list_blocks()


class Ranked(ScoredLast):
    """Counts the rank of every block."""

    def _list_blocks(self) -> None:
        kv, heads, blocks = self._kv, self._weights.heads, self._kv.listed.shape[-1]
        grid = (heads.layers * heads.heads, -(-blocks // SCORED_AT_ONCE), self._streams)
        sizes = {"H": heads.heads, "AT_ONCE": SCORED_AT_ONCE, "num_warps": 4, **self._early}
        scores = self._buffers.scores
        score_blocks[grid](
            kv.queries,
            kv.means,
            kv.page_of_block,
            self._state.reading,
            scores,
            blocks,
            kv.streams,
            D=heads.head_size,
            **sizes,
        )
        rank_blocks[grid](
            scores, kv.listed, blocks, self._most, kv.streams, BESIDE=RANKED_BESIDE, **sizes
        )


class Unlisted(ScoredLast):
    """Reads what was listed for its first step: the least that a step can take."""

    def _list_blocks(self) -> None:
        pass


def timed_in_turns(full: FullSize) -> Iterator[dict[str, Any]]:
    """Milliseconds a step of each way, one stream with a window of `PAGES` pages."""
    ways: dict[str, type[KernelStep]] = {
        "beside products, by bisection": KernelStep,
        "all at the end, by bisection": ScoredLast,
        "all at the end, by counting ranks": Ranked,
        "not at all": Unlisted,
    }
    begun = {name: _begun(full, way) for name, way in ways.items()}
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, streams in begun.items():
            found[name].append(_ms_of_step(streams))
    for name, times in found.items():
        times.sort()
        middle = times[len(times) // 2]
        yield {
            "what": f"1 stream, {PAGES} pages, SR-SWA {RATIO}, blocks listed {name}",
            "tok_s": round(1e3 / middle),
            "ms_step": round(middle, 4),
            "spread_ms": [round(times[0], 4), round(times[-1], 4)],
        }


def _begun(full: FullSize, way: type[KernelStep]) -> Streams:
    streams = streams_of(full, in_sequence(full, PAGES, RATIO), make_step=way)
    for first in range(0, PAGES, 4):
        streams.begin({0: prompt(full, 4, first)}, ratio=RATIO)
        if first + 4 < PAGES:
            streams.end(0)
    for _ in range(4):
        streams.run()
    return streams


def _ms_of_step(streams: Streams) -> float:
    streams.run()
    torch.cuda.synchronize()
    began, tokens = time.perf_counter(), 0
    for _ in range(BURSTS):
        tokens += len(streams.run()[0])
    return (time.perf_counter() - began) / tokens * 1e3


def timed_alone() -> Iterator[dict[str, Any]]:
    """Microseconds of the choice alone among 900 blocks of 120 heads, by warps of a program."""
    given = _drawn(900, heads=120, budget=90, values=1 << 20)
    for warps in (1, 2, 4, 8, 16):
        us = triton.testing.do_bench_cudagraph(lambda n=warps: _list(given, n)) * 1e3
        yield {"what": f"list_best, {warps} warps", "us": round(us, 2)}


def checks() -> Iterator[dict[str, Any]]:
    """The kernel's choice beside its twin's, scores with and without equals."""
    for blocks, budget, values in ((900, 90, 1 << 20), (900, 90, 40), (900, 90, 2), (37, 37, 5)):
        for warps in (1, 4, 8):
            given = _drawn(blocks, heads=120, budget=budget, values=values)
            _list(given, warps)
            choice = choose_blocks(
                torch.ones(1, 120, 1, device="cuda"),
                given["scores"][None, :, :, None],
                given["page_of_block"],
                reading=given["reading"],
                budget=given["budget"],
                most=budget,
            )
            listed = given["listed"][:, :budget].long()
            is_same = torch.equal(listed, choice.blocks[0].sort().values)
            name = f"check: {budget} of {blocks} blocks among {values} scores, {warps} warps"
            yield {"what": name, "is_same": is_same}
            assert is_same, name


def _drawn(blocks: int, *, heads: int, budget: int, values: int) -> dict[str, torch.Tensor]:
    """What `list_best` takes; scores are drawn from so many numbers, negative ones too."""
    generator = torch.Generator("cuda").manual_seed(blocks + values)
    drawn = torch.randint(values, (heads, blocks), generator=generator, device="cuda")

    def whole(*numbers: int) -> torch.Tensor:
        return torch.tensor(numbers, device="cuda", dtype=torch.int32)

    return {
        "scores": (drawn - values // 2) / 7,
        "page_of_block": whole(*(at // 9 for at in range(blocks)))[None],
        "reading": whole(blocks // 18),
        "budget": whole(budget),
        "listed": torch.zeros(heads, blocks, device="cuda", dtype=torch.int32),
    }


def _list(given: dict[str, torch.Tensor], warps: int) -> None:
    heads, blocks = given["scores"].shape
    kernel: Callable[..., None] = listing.list_best[(heads, 1)]
    kernel(
        *given.values(),
        blocks,
        1,
        H=heads,
        N=power_of_two(blocks),
        EARLY=False,
        num_warps=warps,
    )
