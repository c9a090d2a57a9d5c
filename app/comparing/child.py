"""The child that runs a checkpoint's own code, started by `app.comparing.own_code`.

Its walls stand before anything else is imported that starts threads, and before a byte of that code
is read. It takes one order, answers it and ends. The code runs here and nowhere else, and only if
its hash is the one that was allowed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

from app.sources import frames, limits
from app.sources.limits import Limits
from app.sources.walls import wall_in
from model import api

LONGEST_TOLD = 300  # letters of what the code says when it fails

Answer = frames.Message


def main() -> None:
    """Answer the one order; what libraries print must not get into the answer."""
    wall_in()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(BrokenPipeError, frames.BrokenFrame):  # the parent is gone
        order = frames.read(sys.stdin.buffer)
        if order is not None:
            with limits.while_wanted(sys.stdin.fileno()):
                answer = _answered(order)
            frames.write(answers, answer.header, answer.data)


def _answered(order: frames.Message) -> Answer:
    try:
        return _obey(order.header, order.data)
    except BaseException as error:  # noqa: BLE001  # foreign code raises anything, SystemExit too
        return Answer({"failed": f"{type(error).__name__}: {error}"[:LONGEST_TOLD]})


def _obey(order: dict[str, Any], data: bytes) -> Answer:
    limits.confine(Limits(memory_bytes=order["memory_bytes"]))
    folder = Path(order["folder"])
    code = api.own_code(folder)
    if code is None or code.sum != order["sum"]:
        return Answer({"failed": "the code files have changed since they were allowed"})
    written = api.run_own_code(folder, code, _images(order["sizes"], data))
    said = {
        "ids": [list(each.ids) for each in written],
        "vocabulary": [int(each.logits.shape[1]) for each in written],
    }
    return Answer(said, b"".join(each.logits.tobytes() for each in written))


def _images(sizes: list[tuple[int, int]], data: bytes) -> list[api.PageImage]:
    import numpy as np

    images: list[api.PageImage] = []
    at = 0
    for height_px, width_px in sizes:
        count = height_px * width_px * 3
        pixels = np.frombuffer(data, np.uint8, count, at).reshape(height_px, width_px, 3)
        images.append(api.PageImage(pixels))
        at += count
    return images


if __name__ == "__main__":
    main()
