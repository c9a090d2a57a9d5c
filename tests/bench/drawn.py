"""Pages that the project draws, read by both readers: what the weights of a doubt are fitted on.

Drawn and degraded as for training the small reader (`model.training`), so the true text is known;
every fourth is set in faces that it was never trained on. What was read is kept in the cache folder
under the hash of the weights, so new weights are read anew and old ones are not.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import resources
from app.book import Region
from app.desk.lexicon import language_of
from app.desk.spelling import letter_runs
from app.desk.word_lists import word_list
from app.regions import to_regions
from app.store.readings import from_json, to_json
from model import api

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from model.training.renderer import Drawing, Renderer

log = logging.getLogger("tests.bench.drawn")

SIDE_PX = 1152
FIRST_SEED = 900_000  # far from those of training and of `model.training.evaluate`
STRANGE_FACES = 4  # one page in so many is set in faces held out of training
MATTERS = ("prose", "prose", "prose", "verse", "drama", "prose", "contents", "prose", "index")
LEAST_WORDS = 40
MOST_UNKNOWN = 0.1
"""Of a page's words: training draws nonsense too, which books have not."""

AT_ONCE = 4


class Read(NamedTuple):
    """One drawn page as an engine reads it."""

    name: str
    truth: str
    regions: tuple[Region, ...]


class _Page(NamedTuple):
    name: str
    truth: str
    pixels: NDArray[np.uint8]  # (S, S, 3) RGB


def readings(engine: api.Engine, data: Path, count: int) -> list[Read]:
    """So many drawn pages as an engine reads them, from the cache as far as they are there.

    Args:
        engine: the line reader, or the one that reads with the weights of `resources/reader`.
        data: `corpus.tar.xz`, `fonts/` and `start/`, as for training.
        count: pages.
    """
    checkpoint = resources.path("reader") if engine is not api.Engine.LINE_READER else None
    folder = _folder(engine, checkpoint)
    missing = [number for number in range(count) if not _file(folder, number).exists()]
    if missing:
        _read(api.choose(checkpoint, engine), _drawn(data, missing), folder)
    return [_kept(_file(folder, number)) for number in range(count)]


def _folder(engine: api.Engine, checkpoint: Path | None) -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()
    weights = checkpoint / "model.safetensors" if checkpoint else None
    version = sha256(weights.read_bytes()).hexdigest()[:16] if weights else ""
    folder = cache / "incunable-bench" / f"drawn-{engine}{'-' if version else ''}{version}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _file(folder: Path, number: int) -> Path:
    return folder / f"{number:04}.json"


def _kept(path: Path) -> Read:
    kept = json.loads(path.read_text("utf-8"))
    return Read(path.stem, kept["truth"], from_json(kept["regions"]))


def _read(choice: api.EngineChoice, pages: Iterator[_Page], folder: Path) -> None:
    with api.load(choice) as recogniser:
        while some := list(islice(pages, AT_ONCE)):
            mode = "parallel" if "parallel" in recogniser.modes else None
            images = [api.PageImage(page.pixels) for page in some]
            for step in recogniser.read(images, api.Stop(), mode=mode):
                if isinstance(step, api.PageRead):
                    page = some[step.page]
                    regions = to_json(to_regions(step.blocks, scale=1.0))
                    told = json.dumps({"truth": page.truth, "regions": regions})
                    (folder / f"{page.name}.json").write_text(told, "utf-8")
            log.info("%s: read %s to %s", choice.engine, some[0].name, some[-1].name)


def _drawn(data: Path, numbers: Sequence[int]) -> Iterator[_Page]:
    """Pages by their numbers, always the same for a number."""
    from model.training.renderer import Renderer

    usual, strange = (Renderer(data, side_px=SIDE_PX, is_held_out=held) for held in (False, True))
    for number in numbers:
        renderer = strange if number % STRANGE_FACES == 0 else usual
        drawing = _of_a_book(renderer, number)
        yield _Page(f"{number:04}", drawing.text, _scanned(drawing, number))


def _of_a_book(renderer: Renderer, number: int) -> Drawing:
    """A page with words enough, most of them of a language that has a list."""
    seed = FIRST_SEED + 1000 * number
    while True:
        renderer.seed(seed)
        drawing = renderer.draw(matter=MATTERS[number % len(MATTERS)])
        runs = letter_runs(drawing.text)
        if len(runs) >= LEAST_WORDS and _unknown_share(runs) <= MOST_UNKNOWN:
            return drawing
        seed += 1


def _unknown_share(runs: list[str]) -> float:
    words = word_list(language_of(runs))
    known = sum(words.frequency(run) is not None for run in runs) if words else 0
    return 1 - known / len(runs)


def _scanned(drawing: Drawing, number: int) -> NDArray[np.uint8]:
    from model.training.evaluate import scanned

    pixels = scanned([drawing], FIRST_SEED + number)[0]  # (3, S, S) -1..1
    return ((pixels + 1) * 127.5).clamp(0, 255).byte().permute(1, 2, 0).contiguous().numpy()
