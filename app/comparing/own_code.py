"""Lets a checkpoint's own code read a few pages in a confined child, and takes what it wrote.

What comes back was made by foreign code: it is checked for its form here and in `model.parity`, and
is compared, never trusted. Waits for the child, so it is called where waiting is allowed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from app.sources.frames import Message
from app.sources.process import ROOT, ChildDied, ChildHung, ConfinedChild
from model.api import OwnCode, PageImage, Written

LONGEST_S = 2 * 3600.0  # a checkpoint of 3 billion weights in float32 on a slow processor
LEAST_MEMORY_BYTES = 16 << 30  # of address space: libraries map much that they never touch
MEMORY_OF_WEIGHTS = 8  # times the bytes of their files: bfloat16 to float32, and room

ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "CUDA_VISIBLE_DEVICES": "",  # a card cannot be opened without writing to it
    "TORCHINDUCTOR_CACHE_DIR": str(ROOT),  # torch makes this folder on import: one that is there
}


class OwnCodeFailed(Exception):
    """The code did not give an answer; says in English what it said."""


def run(folder: Path, code: OwnCode, images: Sequence[PageImage]) -> list[Written]:
    """Run a checkpoint's code on some pages; nobody asks here whether it is allowed.

    Raises:
        OwnCodeFailed: it raised, was stopped at a wall, ended, took too long, or gave nonsense.
    """
    order = {
        "folder": os.fspath(folder.resolve()),
        "sum": code.sum,
        "sizes": [image.pixels.shape[:2] for image in images],
        "memory_bytes": _memory_bytes(folder),
    }
    pixels = b"".join(np.ascontiguousarray(image.pixels).tobytes() for image in images)
    with closing(ConfinedChild("app.comparing.child", **ENVIRONMENT)) as child:
        try:
            answer = child.ask(order, pixels, within_s=LONGEST_S)
        except ChildHung as error:
            raise OwnCodeFailed("it took too long") from error
        except ChildDied as error:
            raise OwnCodeFailed("its process ended without an answer") from error
    return _written(answer)


def _memory_bytes(folder: Path) -> int:
    weights = sum(path.stat().st_size for path in folder.glob("*.safetensors"))
    return max(LEAST_MEMORY_BYTES, MEMORY_OF_WEIGHTS * weights)


def _written(answer: Message) -> list[Written]:
    said: dict[str, Any] = answer.header
    if "failed" in said:
        raise OwnCodeFailed(str(said["failed"]))
    try:
        written: list[Written] = []
        at = 0
        for ids, vocabulary in zip(said["ids"], said["vocabulary"], strict=True):
            count = len(ids) * vocabulary
            logits = np.frombuffer(answer.data, np.float32, count, at)
            written.append(Written([int(each) for each in ids], logits.reshape(-1, vocabulary)))
            at += logits.nbytes
    except (KeyError, TypeError, ValueError) as error:
        raise OwnCodeFailed("its answer is none") from error
    return written
