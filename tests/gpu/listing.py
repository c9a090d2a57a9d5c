"""What listing the blocks costs that a step reads by SR-SWA, and that the right ones are listed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import torch
import triton

from model.attention import choose_blocks
from model.kernels import listing as listing_kernels
from model.kernels.buffers import power_of_two
from model.kernels.step import KernelStep
from model.streams import Streams
from tests.gpu.full_size import FullSize, in_sequence, prompt, streams_of

kernels: Any = listing_kernels  # Triton's functions have no types
testing: Any = triton.testing

PAGES, RATIO = 100, 0.1
ROUNDS, BURSTS = 5, 20  # of 8 steps


class Unlisted(KernelStep):
    """Reads what was listed for its first step: the least that a step can take."""

    def _list_blocks(self) -> None:
        pass


def timed_in_turns(full: FullSize) -> Iterator[dict[str, Any]]:
    """Milliseconds a step of each way, one stream with a window of `PAGES` pages."""
    ways: dict[str, type[KernelStep]] = {"every step": KernelStep, "once": Unlisted}
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
        us = testing.do_bench_cudagraph(lambda n=warps: _list(given, n)) * 1e3
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
    kernels.list_best[(heads, 1)](
        *given.values(),
        blocks,
        1,
        H=heads,
        N=power_of_two(blocks),
        EARLY=False,
        num_warps=warps,
    )
