"""A row about suggestions: how often the lists have what is printed, and what taking them does.

Looked at are the doubted words of the line reader's text of the real pages, from the default
threshold on, the words of one page alone as if it were the book. A suggestion is true where it is
the word of the true text, long s folded; unfolded where the true text has long s itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from app.accuracy import loose_form, score
from app.book import Reading, Region, Source
from app.desk.alignment import aligned
from app.desk.doubts import Doubt, with_listed
from app.desk.hyphens import Vocabulary
from app.desk.judging import Judge
from app.desk.queue import THRESHOLD
from app.measure import pages_with_truth
from tests.app.store_books import NOON
from tests.bench.doubting import readings_by
from tests.bench.report import Measured
from tests.bench.true_words import flags, parts, without_stamps, wrong_parts
from tests.conftest import SHARED


class Suggested(NamedTuple):
    """One doubted word."""

    is_wrong: bool
    listed: str  # "": nothing is suggested
    is_true: bool
    is_true_as_printed: bool  # long s and all


class Page(NamedTuple):
    name: str
    words: list[Suggested]
    has_long_s: bool  # the true text
    errors: tuple[float, float]  # loose: as read, and with all suggestions taken
    letters: int

    def number_of(self, what: str, *, wrong: bool) -> int:
        return sum(bool(getattr(word, what)) for word in self.words if word.is_wrong is wrong)


def measure_suggestions(_folder: Path) -> Measured:
    truths = {path.stem: truth for path, (truth, *_) in pages_with_truth(SHARED / "dev")}
    pages = [
        _page(name, regions, truths[name]) for name, regions in readings_by("line-reader").items()
    ]
    before, after = (sum(page.errors[i] * page.letters for page in pages) for i in (0, 1))
    left = after / before
    old = [page for page in pages if page.has_long_s or "1619" in page.name]
    each = ", ".join(
        f"{page.name} {page.errors[0]:.2%} to {page.errors[1]:.2%}"
        for page in pages
        if page.errors[0] != page.errors[1]
    )
    others = [page for page in pages if page not in old]
    notes = (_counts("all", pages), _counts("printed with long s", old), _counts("others", others))
    return Measured(left, f"{left:.0%}", notes=(*notes, each))


def _counts(name: str, pages: Sequence[Page]) -> str:
    def count(what: str, *, wrong: bool) -> int:
        return sum(page.number_of(what, wrong=wrong) for page in pages)

    wrong = sum(word.is_wrong for page in pages for word in page.words)
    right = sum(len(page.words) for page in pages) - wrong
    spelled = [page for page in pages if page.has_long_s]
    printed = sum(page.number_of("is_true_as_printed", wrong=True) for page in spelled)
    return (
        f"{name}: true for {count('is_true', wrong=True)} of {wrong} wrong words,"
        f" other for {count('listed', wrong=True) - count('is_true', wrong=True)},"
        f" made for {count('listed', wrong=False)} of {right} right ones;"
        f" to the letter {printed} where the true text has long s"
    )


def _page(name: str, regions: Sequence[Region], truth: str) -> Page:
    vocabulary = Vocabulary()
    for region in regions:
        vocabulary.add(region.text)
    text = "\n".join(region.text for region in regions)
    reading = Reading(tuple(regions), Source("model", NOON))
    leaf = Judge(vocabulary, sample=text).leaf(0, reading)
    doubts = [entry.doubt for entry in leaf.entries if entry.doubt.chance >= THRESHOLD]
    words = [each for each in doubts if any(map(str.isalnum, each.word))]
    taken = "\n".join(_taken(region.text, i, words) for i, region in enumerate(regions))
    errors = (score(text, truth).loose.rate, score(taken, truth).loose.rate)
    judged = list(_suggested(words, regions, truth, name))
    return Page(name, judged, "ſ" in truth, errors, len(truth))


def _taken(text: str, region: int, doubts: Sequence[Doubt]) -> str:
    """A block with every suggestion taken."""
    for doubt in reversed(doubts):
        if doubt.region == region and doubt.listed:
            text = with_listed(text, doubt)
    return text


def _suggested(
    doubts: Sequence[Doubt], regions: Sequence[Region], truth: str, name: str
) -> Iterator[Suggested]:
    text = "\n".join(region.text for region in regions)
    offsets = [0]
    for region in regions:
        offsets.append(offsets[-1] + len(region.text) + 1)
    spans = [
        (offsets[each.region] + each.start, offsets[each.region] + each.end) for each in doubts
    ]
    wrong = flags(spans, wrong_parts(text, truth, name))
    mine, true = parts(without_stamps(text)), parts(truth)
    matches = aligned([part.text for part in mine], [part.text for part in true])
    for doubt, (start, end), is_wrong in zip(doubts, spans, wrong, strict=True):
        at = [i for i, part in enumerate(mine) if part.start < end and part.end > start]
        found = [true[k] for i in at if (m := matches[i]) for k in range(m.first, m.last)]
        meant = " ".join(dict.fromkeys(part.text for part in found))
        as_printed = " ".join(dict.fromkeys(truth[part.start : part.end] for part in found))
        is_true = is_wrong and bool(doubt.listed) and loose_form(doubt.listed) == meant
        yield Suggested(is_wrong, doubt.listed, is_true, is_true and doubt.listed == as_printed)
