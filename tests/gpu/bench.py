"""Speed and bytes of the engine on a card, with full-size weights at random; checks come first.

`python -m tests.gpu.bench [PART ...]`; results go as JSON lines to $OUT/gpu.json, a table to the
terminal. Random weights take the time and bytes of real ones; what they write is noise, so nothing
here says how well anything is read.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import torch

from model import guards
from model.api import PageRead, Stop
from model.bursts import BURST_STEPS
from model.decode import Token
from model.decoder import TorchStep
from model.engine import SrSwaEngine
from model.kernels import pick_step
from model.network import StagedViews
from model.plan import EngineSettings, Plan
from model.prompting import Prompting
from model.streams import MakeStep, Prompt, Streams
from model.tokens import Vocabulary
from model.views import make_views
from tests.gpu import checks, listing
from tests.gpu.full_size import (
    FullSize,
    build,
    in_sequence,
    page_image,
    prompt,
    side_by_side,
    streams_of,
    vocabulary_file,
)

OUT = Path(os.environ.get("OUT", "build"))
BURSTS = 40  # of 8 steps each are timed
STARTED = time.monotonic()


def note(what: str, **numbers: object) -> None:
    row = {"what": what, **numbers, "at_s": round(time.monotonic() - STARTED, 1)}
    with (OUT / "gpu.json").open("a") as file:
        file.write(json.dumps(row) + "\n")
    print(json.dumps(row), flush=True)


def timed(streams: Streams, bursts: int = BURSTS) -> tuple[float, int]:
    """Seconds and tokens of so many bursts, tokens handed over to the caller."""
    for _ in range(4):
        streams.run()
    torch.cuda.synchronize()
    began, tokens = time.perf_counter(), 0
    for _ in range(bursts):
        tokens += sum(map(len, streams.run().values()))
    return time.perf_counter() - began, tokens


def decode(
    full: FullSize, name: str, plan: Plan, pages: int, make_step: MakeStep | None = None
) -> None:
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated()
    streams = streams_of(full, plan, make_step=make_step)
    held = torch.cuda.memory_allocated() - before
    began = time.perf_counter()
    if plan.streams > 1:
        for first in range(0, plan.streams, 16):
            streams.begin({at: prompt(full, 1) for at in range(first, first + 16)})
    else:
        # as `continuous` does it, chunk after chunk into the window
        for first in range(0, pages, 4):
            last = min(pages, first + 4)
            streams.begin({0: prompt(full, last - first, first)}, ratio=plan.ratio)
            if last < pages:
                streams.end(0)
    torch.cuda.synchronize()
    prefill_s = time.perf_counter() - began
    seconds, tokens = timed(streams)
    steps = BURSTS * 8
    note(
        name,
        tok_s=round(tokens / seconds),
        ms_step=round(seconds / steps * 1e3, 3),
        prefill_s=round(prefill_s, 3),
        references_gb=round(streams.kv.reference_bytes / 1e9, 3),
        tail_gb=round(streams.kv.tail_bytes / 1e9, 3),
        held_gb=round(held / 1e9, 3),
        resident=streams.resident_pages,
    )


def part_agree(full: FullSize) -> None:
    """Kernels beside their twin in bfloat16: how far ids agree, and how far scores are apart."""
    cases = {
        "1 stream, 3 pages": (in_sequence(full, 3, 1.0), 3),
        "1 stream, 20 pages, SR-SWA 0.1": (in_sequence(full, 20, 0.1), 20),
        "16 streams": (side_by_side(full, 16), 1),
        "64 streams": (side_by_side(full, 64), 1),
    }
    for name, (plan, pages) in cases.items():
        prompts = {at: prompt(full, pages) for at in range(plan.streams)}
        texts: list[dict[int, list[Token]]] = []
        for make in (TorchStep, None):
            streams = streams_of(full, plan, make_step=make)
            for first in range(0, plan.streams, 16):
                few = range(first, min(first + 16, plan.streams))
                streams.begin({at: prompts[at] for at in few}, ratio=plan.ratio)
            found: dict[int, list[Token]] = {at: [] for at in prompts}
            for _ in range(20):
                for at, tokens in streams.run().items():
                    found[at] += tokens
            texts.append(found)
        agreed, apart = 0, 0.0
        for at in prompts:
            for mine, other in zip(texts[1][at], texts[0][at], strict=True):
                if mine.id != other.id:
                    break
                agreed += 1
                apart = max(apart, abs(math.log(mine.probability / other.probability)))
        total = sum(map(len, texts[0].values()))
        note(f"kernels and twin: {name}", agreed=agreed, of=total, most_apart_logp=round(apart, 4))


def part_decode(full: FullSize) -> None:
    for label, make in (("", None), ("torch: ", TorchStep)):
        if label and pick_step(full.weights, torch.device("cuda")) is TorchStep:
            continue
        decode(full, f"{label}1 stream, 1 page", side_by_side(full, 1), 1, make)
        decode(full, f"{label}1 stream, 100 pages dense", in_sequence(full, 100, 1.0), 100, make)
        decode(
            full, f"{label}1 stream, 100 pages, SR-SWA 0.1", in_sequence(full, 100, 0.1), 100, make
        )
        for count in (16, 64) if label else (16, 64, 256):
            decode(full, f"{label}{count} streams", side_by_side(full, count), 1, make)


def part_listing(full: FullSize) -> None:
    """What listing the blocks of SR-SWA costs a step, one way and another."""
    for found in chain(listing.checks(), listing.timed_in_turns(full), listing.timed_alone()):
        note(**found)


def part_profile(full: FullSize) -> None:
    """Time by kernel, of steps and of the encoder."""
    cases = {
        "1 stream, 1 page": (side_by_side(full, 1), 1),
        "1 stream, 64 pages, SR-SWA 0.1": (in_sequence(full, 64, 0.1), 64),
        "64 streams": (side_by_side(full, 64), 1),
        "256 streams": (side_by_side(full, 256), 1),
    }
    for name, (plan, pages) in cases.items():
        streams = streams_of(full, plan)
        if plan.streams > 1:
            for first in range(0, plan.streams, 16):
                streams.begin({at: prompt(full, 1) for at in range(first, first + 16)})
        else:
            streams.begin({0: prompt(full, pages)}, ratio=plan.ratio)
        for _ in range(4):
            streams.run()
        profile(name, lambda streams=streams: [streams.run() for _ in range(2)], times=16)
        del streams
    views = [staged(full, seed) for seed in range(16)]
    full.network.encode_together(views)
    profile("encode of 16 pages", lambda: full.network.encode_together(views), times=16)
    streams = streams_of(full, in_sequence(full, 16, 1.0))
    shown = prompt(full, 16)

    def prefill() -> None:
        streams.forget(0)
        streams.begin({0: shown})

    prefill()
    profile("prefill of 16 pages", prefill, times=1)


def profile(name: str, work: Callable[[], object], *, times: int) -> None:
    """Microseconds by kernel, of one of so many times that the work is done."""
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        work()
        torch.cuda.synchronize()
    rows: list[Any] = sorted(profiler.key_averages(), key=lambda row: -row.device_time_total)
    top = [[row.key[:60], row.count, round(row.device_time_total / times, 1)] for row in rows]
    whole = round(sum(row.device_time_total for row in rows) / times, 1)
    note(f"profile: {name}", us=whole, us_by_kernel=top[:18])


def staged(full: FullSize, seed: int) -> StagedViews:
    return full.network.stage(make_views(page_image(seed), full.config.views, is_tiled=False))


def part_encode(full: FullSize) -> None:
    image = page_image(0)
    began = time.perf_counter()
    for _ in range(5):
        full.network.stage(make_views(image, full.config.views, is_tiled=False))
    note("views of a page on the CPU", ms=round((time.perf_counter() - began) / 5 * 1e3, 1))
    views = [staged(full, seed) for seed in range(4)]
    for count in (1, 4, 16):
        pages = [views[n % 4] for n in range(count)]
        torch.cuda.reset_peak_memory_stats()
        base = torch.cuda.memory_allocated()
        seconds = median_s(lambda pages=pages: full.network.encode_together(pages))
        peak = torch.cuda.max_memory_allocated() - base
        note(
            f"encode {count}", ms_page=round(seconds / count * 1e3, 2), peak_gb=round(peak / 1e9, 2)
        )
    for name, plan, pages, prompts in (
        ("16 pages in one prompt", in_sequence(full, 16, 1.0), 16, 1),
        ("1 page", side_by_side(full, 1), 1, 1),
        ("16 prompts of 1 page", side_by_side(full, 16), 1, 16),
    ):
        streams = streams_of(full, plan, history=128)
        shown = prompt(full, pages)

        def prefill(
            streams: Streams = streams, shown: Prompt = shown, count: int = prompts
        ) -> None:
            for at in range(count):
                streams.forget(at)
            streams.begin(dict.fromkeys(range(count), shown))

        torch.cuda.reset_peak_memory_stats()
        base = torch.cuda.memory_allocated()
        note(
            f"prefill, {name}",
            ms=round(median_s(prefill) * 1e3, 1),
            peak_gb=round((torch.cuda.max_memory_allocated() - base) / 1e9, 2),
        )
    agrees(full, views[:2])


def agrees(full: FullSize, views: Sequence[StagedViews]) -> None:
    """How far the kernel's encoder is from transformers' own, in their own numbers."""
    mine = full.network.encode_together(views)
    for layer in full.model.model.vision_tower.sam_encoder.layers:
        layer.attn, layer.fast = layer.attn._attention[0], layer.attn
    full.network.encode_together(views)
    began = time.perf_counter()
    theirs = full.network.encode_together(views)
    torch.cuda.synchronize()
    seconds = time.perf_counter() - began
    for layer in full.model.model.vision_tower.sam_encoder.layers:
        layer.attn = layer.fast
        del layer.fast
    apart = [
        float((a - b).float().norm() / b.float().norm()) for a, b in zip(mine, theirs, strict=True)
    ]
    note("encode, beside transformers' own", relative=max(apart), their_ms_page=seconds / 2 * 1e3)


def median_s(work: Callable[[], object], times: int = 5) -> float:
    found: list[float] = []
    for _ in range(times + 1):
        torch.cuda.synchronize()
        began = time.perf_counter()
        work()
        torch.cuda.synchronize()
        found.append(time.perf_counter() - began)
    return sorted(found[1:])[times // 2]


def engine_of(full: FullSize) -> SrSwaEngine:
    with tempfile.TemporaryDirectory() as folder:
        path = vocabulary_file(Path(folder), full.weights.vocabulary)
        prompting = Prompting(Vocabulary(path), full.config)
    return SrSwaEngine(
        full.network,
        full.weights,
        prompting,
        full.config,
        settings=EngineSettings(),
        page_tokens=700,
    )


def part_first(full: FullSize) -> None:
    """From the pixels of one page to its first text, after another page has been read."""
    engine, found = engine_of(full), list[float]()
    for seed in range(7):
        image = page_image(seed)
        began = time.perf_counter()
        stop = Stop()
        steps = engine.read(iter([image]), "parallel", stop)
        next(steps)
        found.append(time.perf_counter() - began)
        stop.ask()
        for _ in steps:
            pass
    note("first text", s=sorted(found[1:])[3], fresh_s=found[0], each=found)
    engine.forget()


def part_book(full: FullSize) -> None:
    """Images to text through the whole engine; every page runs into its cap of 700 tokens.

    Noise goes round in circles, so the guard that would end such pages early is kept still.
    """
    guards.OVERRULED = 1 << 20
    engine = engine_of(full)
    images = [page_image(seed) for seed in range(8)]
    for mode, count in (("parallel", 96), ("parallel", 300), ("continuous", 12)):
        began, first, tokens, pages = time.perf_counter(), 0.0, 0, 0
        for step in engine.read((images[n % 8] for n in range(count)), mode, Stop()):
            first = first or time.perf_counter() - began
            if isinstance(step, PageRead):
                pages, tokens = pages + 1, tokens + step.steps
        seconds = time.perf_counter() - began
        note(
            f"book, {mode}, {count} pages",
            s=round(seconds, 2),
            tok_s=round(tokens / seconds),
            first_s=round(first, 3),
            pages=pages,
        )
    engine.forget()


def part_long(full: FullSize) -> None:
    """Step time and bytes along a book of 4,096 pages, 100 tokens a page, window 64."""
    streams = streams_of(full, in_sequence(full, 64, 0.1))
    shown = prompt(full, 4)
    bursts: list[float] = []
    for first in range(0, 4096, 4):
        began = time.perf_counter()
        streams.begin({0: shown._replace(first_page=first)}, ratio=0.1)
        begun_s = time.perf_counter() - began
        if first in {8, 996, 3996} or first % 512 == 0:  # 400 tokens of these chunks
            for _ in range(2):
                streams.run()
            found: list[float] = []
            for _ in range(48):
                began = time.perf_counter()
                streams.run()
                found.append(time.perf_counter() - began)
            bursts += found
            note(
                f"page {first + 4}",
                ms_token=round(sum(found) / len(found) / BURST_STEPS * 1e3, 4),
                begin_ms=round(begun_s * 1e3, 1),
                allocated_gb=round(torch.cuda.memory_allocated() / 1e9, 4),
                resident=streams.resident_pages,
            )
        streams.end(0)
    bursts.sort()
    p50, p99 = bursts[len(bursts) // 2], bursts[len(bursts) * 99 // 100]
    note("long", bursts=len(bursts), p50_ms=p50 / BURST_STEPS * 1e3, p99_over_p50=p99 / p50)


class Stamps:
    """Takes the tokens of `generate` and notes when each came."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def put(self, _tokens: torch.Tensor) -> None:
        self.times.append(time.perf_counter())

    def end(self) -> None:
        pass


def part_peer(full: FullSize) -> None:
    """`generate` of transformers on the same weights, with its own cache, token by token."""
    for pages in (1, 100):
        ids = torch.tensor([prompt(full, pages).ids], device="cuda")
        embedded = full.model.get_input_embeddings()(ids)
        for tokens in (6, 46):  # the first time warms it up
            stamps = Stamps()
            full.model.generate(
                inputs_embeds=embedded,
                max_new_tokens=tokens,
                min_new_tokens=tokens,
                do_sample=False,
                pad_token_id=2,
                streamer=stamps,
            )
        each = sorted(b - a for a, b in pairwise(stamps.times[6:]))
        seconds = sum(each) / len(each)
        note(
            f"generate, {pages} pages",
            tok_s=round(1 / seconds, 1),
            p50_ms=round(each[len(each) // 2] * 1e3, 1),
            tokens=len(each),
        )


PARTS: dict[str, Callable[[FullSize], None]] = {
    "agree": part_agree,
    "decode": part_decode,
    "listing": part_listing,
    "encode": part_encode,
    "first": part_first,
    "book": part_book,
    "long": part_long,
    "peer": part_peer,
    "profile": part_profile,
}


def main() -> None:
    OUT.mkdir(exist_ok=True)
    names = sys.argv[1:] or ["checks", *PARTS]
    note(
        "machine",
        card=torch.cuda.get_device_name(),
        torch=torch.__version__,
        date=time.strftime("%Y-%m-%d"),
    )
    if "checks" in names:
        attempt("checks", lambda: [note(**found) for found in checks.run()])
    full = build()
    note("built", gb=round(torch.cuda.memory_allocated() / 1e9, 2))
    for name in names:
        if name in PARTS:
            attempt(name, lambda name=name: PARTS[name](full))


def attempt(name: str, work: Callable[[], object]) -> None:
    try:
        work()
    except Exception as error:  # noqa: BLE001  # the other parts are worth having
        note(f"failed: {name}", error=repr(error)[:1500])


if __name__ == "__main__":
    main()
