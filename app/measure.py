"""Measures engines on pages whose true text lies beside them (`NAME.gt.txt` beside `NAME.*`).

Each engine reads every page; the text is compared as `app.accuracy` says. Tesseract is measured too
where it is installed, as a yardstick that everybody knows. The area under the curve (AUC) says how
well an engine's own scores tell right words from wrong ones.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean, median

import numpy as np
from PIL import Image

from app.accuracy import (
    NO_PAGES,
    Errors,
    Score,
    area_under_curve,
    loose_form,
    right_words,
    score,
)
from app.errors import SourceError
from app.language import _
from app.pages import open_pages
from app.sheets import Sheet, Sheets
from model import api

TRUTH_SUFFIX = ".gt.txt"
TESSERACT = "tesseract"
TESSERACT_LANGUAGES = {"en-": "eng", "fr-": "fra", "de-": "deu", "es-": "spa", "it-": "ita"}
"""By how a scan's name begins; English otherwise."""

SCAN_SUFFIXES = frozenset(
    {".pdf", ".cbz", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".jp2", ".webp", ".bmp"}
)


@dataclass(frozen=True)
class PageResult:
    """One page read by one engine."""

    page: str
    score: Score
    seconds: float
    words: tuple[tuple[float, bool], ...] = ()  # score of each word, and whether it is right
    is_cut: bool = False  # it went round in circles, or was too long


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

    @property
    def area(self) -> float | None:
        """How well the scores of all words tell the right ones; None where there are no scores."""
        words = [word for page in self.pages for word in page.words]
        return area_under_curve([word[0] for word in words], [word[1] for word in words])

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
        folder: scans with `.gt.txt` beside them; scans without one are passed over.
        engines: measured one after the other.
        checkpoint: for Unlimited-OCR.
        tell: takes a line of progress.
        load: loads an engine; a test hands in its own.

    Raises:
        SourceError: there is no page with a true text.
    """
    true_pages = list(pages_with_truth(folder))
    if not true_pages:
        raise SourceError("truth_missing", name=folder.name)
    results: list[EngineResult] = []
    for engine in engines:
        with load(api.choose(checkpoint, engine)) as recogniser:
            pages = tuple(_read_all(true_pages, partial(_by_engine, recogniser), tell))
            results.append(EngineResult(recogniser.source.engine, pages))
    if shutil.which(TESSERACT):
        installed = _tesseract_languages()
        by_tesseract = partial(_tesseract, installed=installed)
        results.append(EngineResult(TESSERACT, tuple(_read_all(true_pages, by_tesseract, tell))))
    return tuple(results)


def pages_with_truth(folder: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The scans that have a true text, in the order of their names.

    Yields:
        A scan and the true text of each of its pages: a form feed parts pages.
    """
    for truth in sorted(folder.glob(f"*{TRUTH_SUFFIX}")):
        name = truth.name.removesuffix(TRUTH_SUFFIX)
        scans = [path for path in sorted(folder.glob(f"{name}.*")) if path.suffix in SCAN_SUFFIXES]
        if scans:
            yield scans[0], tuple(truth.read_text(encoding="utf-8").split("\f"))


def read_text(recogniser: api.Recogniser, sheet: Sheet) -> str:
    """One page's text, a line end after each block."""
    return _text(_read_page(recogniser, sheet))


def _read_page(recogniser: api.Recogniser, sheet: Sheet) -> api.PageRead:
    steps = recogniser.read([sheet.image], api.Stop())
    ends = (step for step in steps if isinstance(step, api.PageRead))
    return next(ends, api.PageRead(0, ()))


def _text(page: api.PageRead) -> str:
    return "\n".join(block.text for block in page.blocks)


def _by_engine(recogniser: api.Recogniser, sheet: Sheet, _name: str) -> api.PageRead:
    return _read_page(recogniser, sheet)


def _judged(page: api.PageRead, truth: str) -> tuple[tuple[float, bool], ...]:
    """The score of each word that has one, and whether the word is right."""
    words = [
        (loose_form(block.text[word.start : word.end]), word.score)
        for block in page.blocks
        for word in block.words
        if word.score is not None
    ]
    right = right_words([word for word, _ in words], loose_form(truth).split())
    return tuple((score, is_right) for (_, score), is_right in zip(words, right, strict=True))


def _read_all(
    true_pages: Iterable[tuple[Path, tuple[str, ...]]],
    read: Callable[[Sheet, str], api.PageRead],
    tell: Callable[[str], None],
) -> Iterator[PageResult]:
    """Read every page of every scan; decoding and rendering are not counted into the time."""
    for path, truths in true_pages:
        with closing(open_pages([path])) as images:
            sheets = Sheets(images, range(images.info.page_count))
            for page, truth in enumerate(truths[: images.info.page_count]):
                sheet = sheets.fetch(page)
                began_s = time.monotonic()
                found = read(sheet, path.name)
                seconds = time.monotonic() - began_s
                name = path.stem if len(truths) == 1 else f"{path.stem} {page + 1}"
                is_cut = found.end in {api.PageEnd.LOOP, api.PageEnd.CAP}
                judged = _judged(found, truth)
                result = PageResult(name, score(_text(found), truth), seconds, judged, is_cut)
                tell(f"{name}: {result.score.loose.rate:.2%} {seconds:.1f} s")
                yield result


def _tesseract_languages() -> frozenset[str]:
    listed = subprocess.run(
        [TESSERACT, "--list-langs"], capture_output=True, text=True, check=False
    )
    return frozenset(listed.stdout.split())


def _tesseract(sheet: Sheet, name: str, *, installed: frozenset[str]) -> api.PageRead:
    """The same pixels as the other engines get, through a file; words without scores."""
    language = TESSERACT_LANGUAGES.get(name[:3], "eng")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.png"
        image = Image.fromarray(np.ascontiguousarray(sheet.image.pixels))
        dpi = sheet.image.dpi
        if dpi is None:  # it estimates, and better than any guess of ours
            image.save(path)
        else:
            image.save(path, dpi=(dpi, dpi))
        known = language if language in installed else "eng"
        ran = subprocess.run(
            [TESSERACT, str(path), "-", "-l", known], capture_output=True, text=True, check=False
        )
        return api.PageRead(0, (api.Block(api.Kind.TEXT, ran.stdout),))


# --- how it is shown ----------------------------------------------------------------------------


def as_text(results: Sequence[EngineResult]) -> str:
    """Tables in Markdown: each page of each engine, then the engines beside each other."""
    tables = [*map(_page_table, results), _beside_table(results), _summary_table(results)]
    return "\n\n".join(tables)


def as_json(results: Sequence[EngineResult]) -> str:
    """The same for programs; rates are shares, times are seconds."""
    return json.dumps([_plain(result) for result in results], indent=2, ensure_ascii=False)


def _page_table(result: EngineResult) -> str:
    head = _("| {engine} | CER strict | CER loose | WER | s |").format(engine=result.engine)
    rows = [
        f"| {page.page} | {_rates_text(page.score)} | {page.seconds:.1f} |" for page in result.pages
    ]
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def _beside_table(results: Sequence[EngineResult]) -> str:
    """The loose error of every engine on each page."""
    names = " | ".join(result.engine for result in results)
    head = [
        _("| page, CER loose | {engines} |").format(engines=names),
        "|---" * (len(results) + 1) + "|",
    ]
    rows = zip(*(result.pages for result in results), strict=True)
    return "\n".join([*head, *map(_beside_row, rows)])


def _beside_row(pages: Sequence[PageResult]) -> str:
    rates = " | ".join(f"{page.score.loose.rate:.2%}" for page in pages)
    return f"| {pages[0].page} | {rates} |"


def _rates_text(of: Score) -> str:
    return f"{of.strict.rate:.2%} | {of.loose.rate:.2%} | {of.words.rate:.2%}"


def _summary_table(results: Sequence[EngineResult]) -> str:
    head = _(
        "| engine | pages | CER loose pooled | mean | median | CER strict | WER | AUC | cut | s |"
    )
    return "\n".join([head, "|---" * 10 + "|", *map(_summary_row, results)])


def _summary_row(result: EngineResult) -> str:
    loose = result.rates(lambda of: of.loose)
    pooled = result.pooled
    rates = [pooled.loose.rate, mean(loose), median(loose), pooled.strict.rate, pooled.words.rate]
    shown = " | ".join(f"{rate:.2%}" for rate in rates)
    seconds = mean(page.seconds for page in result.pages)
    area = "–" if result.area is None else f"{result.area:.3f}"
    cut = sum(page.is_cut for page in result.pages)
    return f"| {result.engine} | {len(result.pages)} | {shown} | {area} | {cut} | {seconds:.1f} |"


def _plain(result: EngineResult) -> dict[str, object]:
    pooled = result.pooled
    return {
        "engine": result.engine,
        "pages": [
            {"page": page.page, **_plain_rates(page.score), "seconds": round(page.seconds, 2)}
            for page in result.pages
        ],
        "pooled": _plain_rates(pooled),
        "area_under_curve": result.area,
        "mean_cer_loose": mean(result.rates(lambda of: of.loose)),
        "median_cer_loose": median(result.rates(lambda of: of.loose)),
    }


def _plain_rates(of: Score) -> dict[str, float]:
    return {
        "cer_strict": of.strict.rate,
        "cer_loose": of.loose.rate,
        "wer": of.words.rate,
    }
