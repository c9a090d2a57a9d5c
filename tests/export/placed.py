"""A book with places for the tests of page formats: columns, a table, scripts of all kinds."""

from __future__ import annotations

from pathlib import Path

from app.book import Book, Details, Page, PageSize, PageState, Reading, Reason, Region, Source
from app.export.document import ExportOptions
from app.export.formats import PAGED, ExportReport, export
from app.export.images import PageImages
from model.api import Box, Cell, EngineSource, Kind, Span, Stop, Style
from tests.export.samples import DATE, ENGINE, Leaves

SIZE = PageSize(1000, 1400, 200.0)
DETAILS = Details("Of “Beer” & Brewing", "J. Smith", "1871", "Ms. 7", "en")
LEFT = "It stood in the malt-\nhouse where a brew-\ner lived — I"
RIGHT = "know not why.\nHe sang."
MISREAD = "It stcod in the malt-\nhouse where a brew-\ner lived — l"
OTHER = Reading(
    (Region(Kind.TEXT, MISREAD, Box(100, 300, 480, 420)),),
    Source("model", DATE, EngineSource("unlimited-ocr", "2", "feedbeef00000000", "tiled")),
    id=91,
)  # fmt: skip


def exact(text: str, box: Box, *, kind: Kind = Kind.TEXT, **more) -> Region:
    """A region whose words are in their places, lines of equal height, ten pixels a letter."""
    words, at, top = [], 0, box.top
    for line in text.split("\n"):
        for word in line.split():
            start = text.index(word, at)
            left = box.left + 10 * (start - at_of_line(text, start))
            place = Box(left, top + 5, left + 10 * len(word), top + 30)
            words.append(Span(start, start + len(word), place, 0.9))
            at = start + len(word)
        top += 40
    return Region(kind, text, box, words=tuple(words), **more)


def at_of_line(text: str, offset: int) -> int:
    """Where the line of a letter begins."""
    return text.rfind("\n", 0, offset) + 1


TABLE = (
    (Cell("Year", is_heading=True), Cell("Beer | wine", 1, 2, is_heading=True)),
    (Cell("1871", 2, 1), Cell("in a bar-\nrel"), Cell("12")),
    (Cell("not\nknown"), Cell("7 & more")),
)


def placed_book() -> Leaves:
    """Six pages."""
    return [
        _leaf(
            0,
            exact("THE MALT 3", Box(100, 40, 480, 80), kind=Kind.RUNNING_HEAD),
            exact("Of the Malt", Box(100, 200, 480, 240), kind=Kind.HEADING),
            exact(LEFT, Box(100, 300, 480, 420), styles=(Style(3, 8, "italic"),), score=0.93),
            exact(RIGHT, Box(520, 300, 900, 380)),
            label="iv",
        ),
        _leaf(
            1,
            Region(Kind.TABLE, "", Box(100, 100, 700, 400), rows=TABLE),
            Region(Kind.FIGURE, "", Box(100, 500, 900, 900)),
            Region(Kind.CAPTION, "A brewer\nat work", Box(100, 910, 900, 990)),
            Region(Kind.NOTE, "* Not a <cask>\x07 & \ud800no more.", Box(100, 1200, 900, 1240)),
            label="1",
            hand="Ada",
        ),
        _leaf(
            2,
            Region(Kind.TEXT, "שלום עולם\nמה שלומך", Box(100, 100, 900, 200)),
            Region(Kind.TEXT, "مرحبا بالعالم", Box(100, 250, 900, 300)),
            Region(Kind.TEXT, "天地玄黃 宇宙洪荒", Box(100, 350, 900, 400)),
            Region(Kind.TEXT, "𝔘𝔫𝔦 e\u0301a\u0364 ſt", Box(100, 450, 900, 500)),
            label="2",
        ),
        _leaf(3, Region(Kind.TEXT, "without any\nplace")),
        _leaf(4, state=PageState.BLANK),
        _leaf(5, state=PageState.FAILED, failure="page_failed", failure_detail="out of ink"),
    ]


def _leaf(number: int, *regions: Region, hand: str = "", **more) -> tuple[Page, Reading | None]:
    state = more.pop("state", PageState.LOOK if number == 3 else PageState.READ)
    reasons = (Reason.LOW_CONFIDENCE,) if number == 3 else ()
    page = Page(number, state=state, reasons=reasons, by_hand=bool(hand), size=SIZE, **more)
    if not regions:
        return page, None
    source = Source("hand" if hand else "model", DATE, None if hand else ENGINE, hand)
    return page, Reading(regions, source, id=number + 1)


def history(page: int) -> tuple[Reading, ...]:
    """The first page was read by another engine too."""
    return (OTHER,) if page == 0 else ()


def export_paged(
    name: str,
    path: Path,
    leaves: Leaves | None = None,
    *,
    images: PageImages | None = None,
    details: Details = DETAILS,
    **more,
) -> ExportReport | None:
    leaves = placed_book() if leaves is None else leaves
    order = {
        "options": ExportOptions(),
        "progress": lambda _done, _all: None,
        "stop": Stop(),
        "replace": False,
        "history": history,
        **more,
    }
    pages = tuple(page for page, _reading in leaves)
    return export(
        Book("b", (Path("scan.pdf"),), "f", details, pages),
        lambda: iter(leaves),
        path,
        format=PAGED[name],
        images=images,
        **order,
    )
