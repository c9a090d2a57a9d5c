"""Measures engines on pages whose true text lies beside them (`NAME.gt.txt` beside `NAME.*`).

Each engine reads every page; the text is compared as `app.accuracy` says. Tesseract is measured too
where it is installed, as a yardstick that everybody knows.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from app.accuracy import NO_PAGES, Errors, Score, score
from app.errors import SourceError
from app.language import _
from app.pages import PageQueue, open_pages
from app.sheets import Sheet, Sheets
from model import api

TRUTH_SUFFIX = ".gt.txt"
TESSERACT = "tesseract"
TESSERACT_LANGUAGES = {"en": "eng", "fr": "fra", "de": "deu", "es": "spa", "it": "ita", "la": "lat"}


@dataclass(frozen=True)
class PageResult:
    """One page read by one engine."""

    page: str
    score: Score
    seconds: float


@dataclass(frozen=True)
class EngineResult:
    """All pages read by one engine."""

    engine: str
    pages: tuple[PageResult, ...]

    @property
    def pooled(self) -> Score:
        """Edits of all pages over letters of all pages."""
        total = NO_PAGES
        for page in self.pages:
            total = total.pooled(page.score)
        return total

    def rates(self, of: Callable[[Score], Errors]) -> tuple[float, ...]:
        """One rate a page."""
        return tuple(of(page.score).rate for page in self.pages)


def accuracy(
    folder: Path,
    engines: Sequence[api.Engine],
    *,
    checkpoint: Path | None = None,
    tell: Callable[[str], None] = lambda _line: None,
    load: Callable[[api.EngineChoice], api.Recogniser] = api.load,
) -> tuple[EngineResult, ...]:
    """Measure engines on the pages of a folder.

    Args:
        folder: images with `.gt.txt` beside them; images without one are passed over.
        engines: measured one after the other.
        checkpoint: for Unlimited-OCR.
        tell: takes a line of progress.
        load: loads an engine; a test hands in its own.

    Raises:
        SourceError: there is no page with a true text.
    """
    pages = pages_with_truth(folder)
    if not pages:
        raise SourceError("truth_missing", name=folder.name)
    results: list[EngineResult] = []
    for engine in engines:
        with load(api.choose(checkpoint, engine)) as recogniser:
            read = _read_pages(pages, recogniser, tell)
            results.append(EngineResult(recogniser.source.engine, tuple(read)))
    if shutil.which(TESSERACT):
        results.append(EngineResult(TESSERACT, tuple(_read_with_tesseract(pages, tell))))
    return tuple(results)


def pages_with_truth(folder: Path) -> list[tuple[Path, str]]:
    """The images that have a true text, with it, in the order of their names."""
    pages: list[tuple[Path, str]] = []
    for truth in sorted(folder.glob(f"*{TRUTH_SUFFIX}")):
        name = truth.name.removesuffix(TRUTH_SUFFIX)
        images = [path for path in folder.glob(f"{name}.*") if not path.name.endswith(".txt")]
        if images:
            pages.append((images[0], truth.read_text(encoding="utf-8")))
    return pages


def read_text(recogniser: api.Recogniser, sheet: Sheet) -> str:
    """One page's text, a line end after each block."""
    for step in recogniser.read([sheet.image], api.Stop()):
        if isinstance(step, api.PageRead):
            return "\n".join(block.text for block in step.blocks)
    return ""


def _read_pages(
    pages: Iterable[tuple[Path, str]], recogniser: api.Recogniser, tell: Callable[[str], None]
) -> Iterator[PageResult]:
    for path, truth in pages:
        with closing(open_pages([path])) as images:
            began_s = time.monotonic()
            text = read_text(recogniser, _only_sheet(images))
        yield _result(path, text, truth, time.monotonic() - began_s, tell)


def _only_sheet(images: PageQueue) -> Sheet:
    return Sheets(images, (0,)).fetch(0)


def _read_with_tesseract(
    pages: Iterable[tuple[Path, str]], tell: Callable[[str], None]
) -> Iterator[PageResult]:
    installed = _tesseract_languages()
    for path, truth in pages:
        language = TESSERACT_LANGUAGES.get(path.name[:2], "eng")
        began_s = time.monotonic()
        text = _tesseract(path, language if language in installed else "eng")
        yield _result(path, text, truth, time.monotonic() - began_s, tell)


def _tesseract_languages() -> frozenset[str]:
    listed = subprocess.run(
        [TESSERACT, "--list-langs"], capture_output=True, text=True, check=False
    )
    return frozenset(listed.stdout.split())


def _tesseract(path: Path, language: str) -> str:
    command = [TESSERACT, str(path), "-", "-l", language]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _result(
    path: Path, text: str, truth: str, seconds: float, tell: Callable[[str], None]
) -> PageResult:
    result = PageResult(path.stem, score(text, truth), seconds)
    tell(f"{path.name}: {result.score.loose.rate:.2%} {seconds:.1f} s")
    return result


# --- how it is shown ----------------------------------------------------------------------------


def as_text(results: Sequence[EngineResult]) -> str:
    """Tables in Markdown: each page of each engine, then the engines beside each other."""
    return "\n\n".join([*(_page_table(result) for result in results), _summary_table(results)])


def as_json(results: Sequence[EngineResult]) -> str:
    """The same for programs; rates are shares, times are seconds."""
    return json.dumps([_plain(result) for result in results], indent=2, ensure_ascii=False)


def _page_table(result: EngineResult) -> str:
    head = _("| {engine} | CER strict | CER loose | WER | s |").format(engine=result.engine)
    rows = [
        f"| {page.page} | {_rates_text(page.score)} | {page.seconds:.1f} |" for page in result.pages
    ]
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def _rates_text(of: Score) -> str:
    return f"{of.strict.rate:.2%} | {of.loose.rate:.2%} | {of.words.rate:.2%}"


def _summary_table(results: Sequence[EngineResult]) -> str:
    head = _("| engine | pages | CER loose pooled | mean | median | CER strict | WER | s a page |")
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *map(_summary_row, results)])


def _summary_row(result: EngineResult) -> str:
    loose = result.rates(lambda of: of.loose)
    pooled = result.pooled
    rates = [pooled.loose.rate, mean(loose), median(loose), pooled.strict.rate, pooled.words.rate]
    shown = " | ".join(f"{rate:.2%}" for rate in rates)
    seconds = mean(page.seconds for page in result.pages)
    return f"| {result.engine} | {len(result.pages)} | {shown} | {seconds:.1f} |"


def _plain(result: EngineResult) -> dict[str, object]:
    pooled = result.pooled
    return {
        "engine": result.engine,
        "pages": [
            {"page": page.page, **_plain_rates(page.score), "seconds": round(page.seconds, 2)}
            for page in result.pages
        ],
        "pooled": _plain_rates(pooled),
        "mean_cer_loose": mean(result.rates(lambda of: of.loose)),
        "median_cer_loose": median(result.rates(lambda of: of.loose)),
    }


def _plain_rates(of: Score) -> dict[str, float]:
    return {
        "cer_strict": of.strict.rate,
        "cer_loose": of.loose.rate,
        "wer": of.words.rate,
    }
