"""Rows about doubts: how early the wrong words come, and how long a large book takes to judge.

Pages of known text are read once by each engine; what was read is kept in the cache folder, since
the small reader takes minutes. Ranked are the words of one page alone, as if it were the book.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

import resources
from app.book import PageState, Reading, Region, Source
from app.desk.hyphens import Vocabulary
from app.desk.judging import Judge
from app.desk.queue import DoubtQueue
from app.desk.walk import Walk
from app.desk.word_lists import word_list
from app.judged_pages import judge_of, judged
from app.measure import pages_with_truth
from app.pages import open_pages
from app.regions import to_regions
from app.sheets import Sheets
from app.store.database import BookStore
from app.store.readings import from_json, to_json
from model import api
from model.api import Box, EngineSource, Kind, Span
from tests.app.store_books import NOON, book_of
from tests.bench.report import Measured
from tests.bench.true_words import flags, wrong_parts
from tests.conftest import SHARED

SHARE = 0.10
"""Of the words of a page, looked at first."""

SHARES = (0.01, 0.02, 0.05, 0.10, 0.20, 0.30, 0.50)
USUAL = (0.005, 0.10)
"""Share of wrong words on pages that are worth correcting word by word."""

READING_S = 420
"""Pages not read by then are left to the next bench."""

PAGES = 1000
WORDS = 300


class Ranked(NamedTuple):
    """One page: whether each of its words is wrong, the likeliest to be wrong first."""

    name: str
    wrong: list[bool]

    @property
    def is_usual(self) -> bool:
        return USUAL[0] <= sum(self.wrong) / len(self.wrong) <= USUAL[1]

    def found(self, share: float) -> int:
        """Wrong words among the first so many."""
        return sum(self.wrong[: self._looked_at(share)])

    def findable(self, share: float) -> int:
        """What a perfect ranking would find there."""
        return min(sum(self.wrong), self._looked_at(share))

    def _looked_at(self, share: float) -> int:
        return max(1, round(share * len(self.wrong)))


def measure_doubts_lines(_folder: Path) -> Measured:
    return _usual("line-reader", "unlimited-ocr")


def measure_doubts_lines_all(_folder: Path) -> Measured:
    return _all("line-reader", "unlimited-ocr")


def measure_doubts_model(_folder: Path) -> Measured:
    return _usual("unlimited-ocr", "line-reader")


def measure_doubts_model_all(_folder: Path) -> Measured:
    return _all("unlimited-ocr", "line-reader")


def measure_doubts_build(folder: Path) -> Measured:
    """Judge a book that is read twice, as `app.doubting` does it."""
    store = long_book(folder / "doubts.sqlite")
    begun_s, busy_s = time.monotonic(), time.process_time()
    with store.reader() as reader:
        judge = judge_of(reader, language="")
    queue = DoubtQueue()
    for _page, leaf in judged(store, judge, range(PAGES)):
        if leaf is not None:
            queue.put(leaf)
    left, first = queue.left, queue.order[0].doubt
    took_s, busy_s = time.monotonic() - begun_s, time.process_time() - busy_s
    store.close()
    note = f"{busy_s:.1f} s of one core; {left} doubts, first '{first.word}' ({first.chance:.0%})"
    return Measured(took_s, f"{took_s:.1f} s", notes=(note,))


def measure_doubts_edit(folder: Path) -> Measured:
    """Type into a doubted word of a page of 20,000, in a queue of 1,000 pages."""
    walk = Walk(DoubtQueue())
    judge = Judge(Vocabulary(), language="en")
    dice = random.Random(1)
    for page in range(PAGES):
        walk.put(judge.leaf(page, _reading(_text(dice, 20_000 if page == 0 else 30))))
    taken_s: list[float] = []
    busy_s = time.process_time()
    for _edit in range(50):
        leaf = walk.queue.leaf(0)
        assert leaf is not None
        doubt = leaf.entries[len(leaf.entries) // 2].doubt
        text = leaf.texts[0]
        begun_s = time.monotonic()
        walk.follow(leaf, (f"{text[: doubt.start]}x{text[doubt.start :]}",))
        _left = walk.queue.left
        walk.next()
        taken_s.append(time.monotonic() - begun_s)
    busy_s = (time.process_time() - busy_s) / len(taken_s)
    p95_s = sorted(taken_s)[int(0.95 * len(taken_s))]
    shown = f"{p95_s * 1000:.0f} ms (median {median(taken_s) * 1000:.0f} ms)"
    return Measured(p95_s, shown, notes=(f"{busy_s * 1000:.0f} ms of one core, mean",))


# --- how early the wrong words come -------------------------------------------------------------


def _usual(engine: str, second: str) -> Measured:
    alone, beside = _ranked(engine, second)
    usual = [page for page in alone if page.is_usual]
    missed = 1 - _share(usual, Ranked.found, lambda page, _share: sum(page.wrong))
    shown = f"{missed:.0%} of {sum(sum(page.wrong) for page in usual)} on {len(usual)} pages"
    helped = [page for page in beside if page.is_usual]
    with_second = 1 - _share(helped, Ranked.found, lambda page, _share: sum(page.wrong))
    return Measured(
        missed,
        shown,
        notes=(
            f"{with_second:.0%} with {second} as second reader",
            _curve("alone", usual),
            _curve("with it", helped),
        ),
    )


def _all(engine: str, second: str) -> Measured:
    alone, beside = _ranked(engine, second)
    missed = 1 - _share(alone, Ranked.found, Ranked.findable)
    with_second = 1 - _share(beside, Ranked.found, Ranked.findable)
    pages = ", ".join(
        f"{page.name} {page.found(SHARE)} of {page.findable(SHARE)} ({sum(page.wrong)} wrong)"
        for page in alone
    )
    return Measured(
        missed,
        f"{missed:.0%} on {len(alone)} pages",
        notes=(f"{with_second:.0%} with {second} as second reader", f"alone: {pages}"),
    )


def _share(
    pages: Sequence[Ranked],
    found: Callable[[Ranked, float], int],
    of: Callable[[Ranked, float], int],
) -> float:
    """What is found on all pages in the first words, of what there is."""
    return sum(found(page, SHARE) for page in pages) / max(
        1, sum(of(page, SHARE) for page in pages)
    )


def _curve(name: str, pages: Sequence[Ranked]) -> str:
    wrong = max(1, sum(sum(page.wrong) for page in pages))
    points = (
        f"{share:.0%}: {sum(page.found(share) for page in pages) / wrong:.0%}" for share in SHARES
    )
    return f"found {name} in the first {', '.join(points)} of the words"


def _ranked(engine: str, second: str) -> tuple[list[Ranked], list[Ranked]]:
    """All pages ranked by one engine's reading alone, and with the other's beside it."""
    mine, theirs = readings_by(engine), readings_by(second)
    truths = {path.stem: truth for path, (truth, *_) in pages_with_truth(SHARED / "dev")}
    alone, beside = [], []
    for name, regions in mine.items():
        alone.append(_page(name, regions, truths[name], None))
        if name in theirs:
            other = [region.text for region in theirs[name]]
            beside.append(_page(name, regions, truths[name], other))
    return alone, beside


def _page(name: str, regions: Sequence[Region], truth: str, other: Sequence[str] | None) -> Ranked:
    vocabulary = Vocabulary()
    for region in regions:
        vocabulary.add(region.text)
    words = [
        each
        for each in Judge(vocabulary).chances(regions, other)
        if any(map(str.isalnum, each[1].text))
    ]  # a mark that stands alone is no word, and counts with the word before
    text = "\n".join(region.text for region in regions)
    offsets = [0]
    for region in regions:
        offsets.append(offsets[-1] + len(region.text) + 1)
    spans = [(offsets[at] + word.start, offsets[at] + word.end) for at, word, _ in words]
    wrong = flags(spans, wrong_parts(text, truth, name))
    order = sorted(range(len(words)), key=lambda i: -words[i][2])
    return Ranked(name, [wrong[i] for i in order])


def readings_by(engine: str) -> dict[str, tuple[Region, ...]]:
    """What an engine reads on the pages of known text, from the cache as far as it is there."""
    checkpoint = resources.path("reader") if engine == "unlimited-ocr" else None
    choice = api.choose(checkpoint, api.Engine(engine))
    name = engine if checkpoint is None else f"{engine}-{_size_of(checkpoint)}"
    cache = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()
    folder = cache / "incunable-bench" / f"read-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    paths = [path for path, _truths in pages_with_truth(SHARED / "dev")]
    missing = [path for path in paths if not (folder / f"{path.stem}.json").exists()]
    if missing:
        _read(choice, missing, folder)
    kept = [path for path in paths if (folder / f"{path.stem}.json").exists()]
    return {
        path.stem: from_json((folder / f"{path.stem}.json").read_text("utf-8")) for path in kept
    }


def _size_of(checkpoint: Path) -> str:
    weights = (checkpoint / "model.safetensors").stat()
    return f"{weights.st_size}-{int(weights.st_mtime)}"


def _read(choice: api.EngineChoice, paths: Sequence[Path], folder: Path) -> None:
    ends_s = time.monotonic() + READING_S
    with api.load(choice) as recogniser:
        for path in paths:
            if time.monotonic() > ends_s:
                return
            with closing(open_pages([path])) as images:
                sheet = Sheets(images, range(1)).fetch(0)
                for step in recogniser.read([sheet.image], api.Stop()):
                    if isinstance(step, api.PageRead):
                        regions = to_regions(step.blocks, scale=sheet.scale)
                        (folder / f"{path.stem}.json").write_text(to_json(regions), "utf-8")


# --- large books --------------------------------------------------------------------------------


def long_book(path: Path) -> BookStore:
    """A book of words of the English list, each page read by two engines that err now and then."""
    store = BookStore.create(path, book_of(PAGES))
    dice = random.Random(1)
    for page in range(PAGES):
        text = _text(dice, WORDS)
        for engine, is_current in (("fake", True), ("line-reader", False)):
            reading = _reading(_misread(dice, text), engine)
            store.save_read(page, reading=reading, state=PageState.READ, make_current=is_current)
    return store


def _text(dice: random.Random, count: int) -> str:
    picked = dice.choices(*_english(), k=count)
    return "\n".join(" ".join(picked[at : at + 9]) for at in range(0, count, 9))


@cache
def _english() -> tuple[list[str], list[float]]:
    """The words of the list and how often each is to come."""
    words = word_list("en")
    assert words is not None
    return list(words), [2.0 ** (words.frequency(word) or 0) for word in words]


def _misread(dice: random.Random, text: str) -> str:
    letters = list(text)
    for _error in range(len(text) // 200):
        at = dice.randrange(len(text))
        if letters[at].isalpha():
            letters[at] = dice.choice("abcdefghijklmnopqrstuvwxyz")
    return "".join(letters)


def _reading(text: str, engine: str = "fake") -> Reading:
    spans = list(_spans(text))
    region = Region(Kind.TEXT, text, Box(0, 0, 800, 1200), words=tuple(spans), score=0.98)
    return Reading((region,), Source("model", NOON, engine=EngineSource(engine, "1")))


def _spans(text: str) -> Iterator[Span]:
    at = 0
    dice = random.Random(len(text))
    for line in text.split("\n"):
        for word in line.split(" "):
            score = dice.choice((0.9999, 0.9995, 0.999, 0.998, 0.99, 0.9))
            yield Span(at, at + len(word), Box(0, 0, 9, 9), score)
            at += len(word) + 1
