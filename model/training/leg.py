"""One leg of training: `python -m model.training.leg --data FOLDER --out FOLDER --minutes 9`.

Goes on from what lies in `--out`, else from the weights of the data folder's `start`. Runs on one
card, on several (`python -m torch.distributed.run --nproc-per-node N -m model.training.leg ...`),
or on the CPU for a look. The learning rate is even; towards the end of the last leg it falls.
What is learnt is written every few minutes, with the optimiser's state: a leg that is cut short is
gone on with from there.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.training.feed import Feed
from model.training.renderer import Renderer

if TYPE_CHECKING:
    from model.training.trainer import Trainer

log = logging.getLogger("model.training")

WARM_UP_STEPS = 60
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
SAVE_S = 20.0  # left at the end of a leg for its files
FALL = 0.6  # of the time of the last leg: the learning rate falls from then to its end


@dataclass(frozen=True)
class Leg:
    """What is asked for."""

    data: Path
    out: Path
    minutes: float
    side: int
    batch: int
    workers: int
    slots: int
    seed: int
    rate: float
    told: int
    kept: float  # minutes between two times that the training is written
    is_last: bool
    rank: int
    cards: int


def main(arguments: list[str] | None = None) -> None:
    """Train for so many minutes and save."""
    begun = time.monotonic()
    os.environ |= ONE_THREAD  # before the processes are forked and torch is imported
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    leg = _parse(arguments)
    renderer = Renderer(leg.data, side_px=leg.side)
    feed = Feed(
        renderer,
        workers=leg.workers,
        slots=leg.slots,
        batch=leg.batch,
        seed=leg.seed + 1_000_003 * leg.rank,
    )
    try:
        from model.training.trainer import Trainer  # torch comes after the processes are forked

        run(Trainer(leg, renderer.tokens), feed, leg, begun + 60 * leg.minutes - SAVE_S)
    finally:
        feed.close()


def run(trainer: Trainer, feed: Feed, leg: Leg, end: float) -> None:
    """Take steps until the time is up, then save; `end` by the monotonic clock."""
    started = last = written = time.monotonic()
    step, is_over = 0, False
    while not is_over:
        if step == 2:  # the first steps compile
            started = time.monotonic()
        share = rate_share(step, time.monotonic() - started, end - started, leg)
        told = trainer.step(feed, share)
        step += 1
        if step % leg.told == 0:  # on all cards at once
            now = time.monotonic()
            is_over = trainer.agree(now > end)
            row = {**told(), "seconds": now - started, "rate": share}
            row["pages_per_s"] = leg.told * leg.batch * leg.cards / (now - last)
            last = now
            trainer.progress.curve.append({key: round(value, 4) for key, value in row.items()})
            if leg.rank == 0:
                log.info(json.dumps(trainer.progress.curve[-1]))
            if now - written > 60 * leg.kept:
                trainer.save()
                written = now
    trainer.progress.seconds += time.monotonic() - started
    trainer.save()
    trainer.close()


def rate_share(step: int, spent_s: float, total_s: float, leg: Leg) -> float:
    """The share of the learning rate: a short rise, then even, or falling to nothing."""
    rise = min(1.0, (step + 1) / WARM_UP_STEPS)
    if not leg.is_last:
        return leg.rate * rise
    return leg.rate * min(rise, max(0.01, (1 - spent_s / total_s) / FALL))


def _parse(arguments: list[str] | None) -> Leg:
    asks = argparse.ArgumentParser(prog="python -m model.training.leg", description=__doc__)
    asks.add_argument("--data", type=Path, required=True, help="corpus.tar.xz, fonts/, start/")
    asks.add_argument("--out", type=Path, required=True, help="state, curve and weights")
    asks.add_argument("--minutes", type=float, default=9.0)
    asks.add_argument("--side", type=int, default=1152, help="px of the square that is seen")
    asks.add_argument("--batch", type=int, default=64, help="pages a step on each card")
    asks.add_argument("--workers", type=int, default=15, help="processes that draw, a card")
    asks.add_argument("--slots", type=int, default=640, help="pages drawn ahead, a card")
    asks.add_argument("--seed", type=int, default=1)
    asks.add_argument("--rate", type=float, default=0.45, help="share of the full learning rate")
    asks.add_argument("--told", type=int, default=20, help="steps between two rows of the curve")
    asks.add_argument("--kept", type=float, default=3.0, help="minutes from one save to the next")
    asks.add_argument("--last", action="store_true", help="let the learning rate fall")
    said: Any = asks.parse_args(arguments)
    return Leg(
        data=said.data,
        out=said.out,
        minutes=said.minutes,
        side=said.side,
        batch=said.batch,
        workers=said.workers,
        slots=said.slots,
        seed=said.seed,
        rate=said.rate,
        told=said.told,
        kept=said.kept,
        is_last=said.last,
        rank=int(os.environ.get("RANK", "0")),
        cards=int(os.environ.get("WORLD_SIZE", "1")),
    )


if __name__ == "__main__":
    main()
