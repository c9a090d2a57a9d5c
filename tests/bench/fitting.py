"""Fits the weights of a doubt: `python -m tests.bench.fitting --data FOLDER` (`make doubts`).

Draws pages, lets both readers read them, and fits by logistic regression which signs tell a wrong
word, each reader alone and with the other as second. Rare words are held back from the lists, so
that drawn text is as unknown to them as another book is. Weights stay near those that stand in
`app.desk.chance` as far as the pages say nothing else, and what drawn pages cannot tell is left as
it is. How hard a page is has a number of its own, so that pages do not stand for words. Prints
the weights; nothing is written, and the real pages of `../shared/dev` are not looked at.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import numpy as np

from app.book import Region
from app.desk.chance import BIAS, PLACE, TEXT
from app.desk.hyphens import Vocabulary
from app.desk.judging import Judge
from app.desk.signs import PlaceSigns, TextSigns
from app.desk.word_lists import WordList, word_list
from model import api
from tests.bench.drawn import Read, readings
from tests.bench.true_words import flags, wrong_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

log = logging.getLogger("tests.bench.fitting")

BY_REASONING = frozenset({"seen", "name", "strange", "more_accents", "fewer_accents", "foreign"})
"""Drawn text repeats no name, holds few, sets strange signs and leaves accents out on purpose."""

RAREST = 2
"""Class of the rarest words that the lists keep."""

CLINGING = 5.0
"""How much evidence it takes to move a weight: as much as makes it uncertain by 1 / sqrt(this)."""

PAGE_SPREAD = 1.0
"""How differently hard pages are, log-odds."""

STEPS = 50
SHARE = 0.10
"""Of the words of a page, looked at first."""

NAMES = (*TextSigns._fields, *PlaceSigns._fields)


class Sample(NamedTuple):
    """The words of one reading of a page."""

    page: str
    signs: Numbers  # (words, signs)
    wrong: Numbers  # (words,) 0 or 1


class Weights(NamedTuple):
    """What makes the log-odds of a wrong word."""

    bias: float
    of_signs: Numbers


def main() -> None:
    """Read, fit and print."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    asks = argparse.ArgumentParser(prog="python -m tests.bench.fitting", description=__doc__)
    asks.add_argument("--data", type=Path, required=True, help="as for training the reader")
    asks.add_argument("--pages", type=int, default=24)
    said = asks.parse_args()
    writer = readings(api.Engine.UNLIMITED_OCR, said.data, said.pages)
    lines = readings(api.Engine.LINE_READER, said.data, said.pages)
    samples = list(_samples(writer, lines))
    now = Weights(BIAS, np.array([*TEXT, *PLACE]))
    log.info("%s", _told(samples))
    log.info("in the first words: now %.1f %%", 100 * found_share(samples, now))
    log.info("unseen pages, fitted %.1f %%", 100 * _unseen_share(samples, now))
    fitted = fit(samples, now)
    log.info("BIAS = %.2f", fitted.bias)
    for name, before, after in zip(NAMES, now.of_signs, fitted.of_signs, strict=True):
        log.info("%s=%.2f,%s", name, after, "" if abs(after - before) < 0.01 else f"  # {before}")


def fit(samples: Sequence[Sample], now: Weights) -> Weights:
    """The likeliest weights, near those of now; Newton's method."""
    signs = np.vstack([sample.signs for sample in samples])
    wrong = np.concatenate([sample.wrong for sample in samples])
    pages = np.repeat(np.eye(len(samples)), [len(sample.wrong) for sample in samples], axis=0)
    free = np.array([name not in BY_REASONING for name in NAMES])
    inputs = np.hstack([np.ones((len(wrong), 1)), signs[:, free], pages])
    fixed = signs[:, ~free] @ now.of_signs[~free]
    start = np.concatenate([[now.bias], now.of_signs[free], np.zeros(len(samples))])
    hold = np.concatenate(
        [[0.01], np.full(free.sum(), CLINGING), np.full(len(samples), PAGE_SPREAD**-2)]
    )
    found = start.copy()
    for _step in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(inputs @ found + fixed, -30, 30)))
        slope = inputs.T @ (wrong - chances) - hold * (found - start)
        bend = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + np.diag(hold)
        found += np.clip(np.linalg.solve(bend, slope), -1, 1)
    of_signs = now.of_signs.copy()
    of_signs[free] = found[1 : 1 + free.sum()]
    return Weights(float(found[0]), of_signs)


def found_share(samples: Iterable[Sample], weights: Weights) -> float:
    """Wrong words in the first tenth of each page's, of what a perfect ranking finds there."""
    found = findable = 0.0
    for _page, signs, wrong in samples:
        first = max(1, round(SHARE * len(wrong)))
        order = np.argsort(-(signs @ weights.of_signs), kind="stable")
        found += wrong[order[:first]].sum()
        findable += min(wrong.sum(), first)
    return found / max(1.0, findable)


def _unseen_share(samples: Sequence[Sample], now: Weights, *, parts: int = 6) -> float:
    """The same for pages that are judged by weights fitted without them."""
    shares: list[tuple[float, float]] = []
    pages = sorted({sample.page for sample in samples})
    for part in range(parts):
        held = set(pages[part::parts])
        unseen = [sample for sample in samples if sample.page in held]
        others = [sample for sample in samples if sample.page not in held]
        count = sum(sample.wrong.sum() for sample in unseen)
        shares.append((found_share(unseen, fit(others, now)), count))
    return sum(share * count for share, count in shares) / max(1.0, sum(n for _, n in shares))


def _samples(writer: Sequence[Read], lines: Sequence[Read]) -> Iterator[Sample]:
    """Every page as each reader reads it: alone, and with the other beside it."""
    with patch("app.desk.lexicon.word_list", _held_back):
        for mine, theirs in (*zip(writer, lines, strict=True), *zip(lines, writer, strict=True)):
            for other in (None, [region.text for region in theirs.regions]):
                if any(region.text.strip() for region in mine.regions):
                    yield _sample(mine, other)


@cache
def _held_back(language: str) -> WordList | None:
    words = word_list(language)
    classes = {word: words.frequency(word) or 0 for word in words} if words else {}
    kept = {word: each for word, each in classes.items() if each >= RAREST}
    return WordList(kept) if words else None


def _sample(read: Read, other: Sequence[str] | None) -> Sample:
    vocabulary = Vocabulary()
    for region in read.regions:
        vocabulary.add(region.text)
    words = [
        each
        for each in Judge(vocabulary).signs(read.regions, other)
        if any(map(str.isalnum, each[1].text))
    ]
    spans = [(_start(read.regions, at) + word.start, _start(read.regions, at) + word.end)
             for at, word, _, _ in words]  # fmt: skip
    text = "\n".join(region.text for region in read.regions)
    wrong = flags(spans, wrong_parts(text, read.truth))
    return Sample(
        read.name,
        np.array([[*letters, *place] for _, _, letters, place in words], float),
        np.array(wrong, float),
    )


def _start(regions: Sequence[Region], number: int) -> int:
    """Where a block's text starts in the text of the page."""
    return sum(len(region.text) + 1 for region in regions[:number])


def _told(samples: Sequence[Sample]) -> str:
    words = sum(len(sample.wrong) for sample in samples)
    wrong = sum(sample.wrong.sum() for sample in samples)
    return f"{len(samples)} readings, {words} words, {wrong:.0f} wrong"


if __name__ == "__main__":
    main()
