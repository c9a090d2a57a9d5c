"""Books made for the export tests: every kind of block, state and awkward text on few pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from app.book import Book, Details, Mark, Page, PageState, Reading, Reason, Region, Source
from model.api import Box, Cell, EngineSource, Kind, Span, Style

DATE = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ENGINE = EngineSource("line-reader", "3.10.0", "0123456789abcdef", "lines")
BOX = Box(0, 0, 10, 10)

Manner = Literal["italic", "bold", "small_caps", "superscript", "letter_spaced"]
Leaves = Sequence[tuple[Page, Reading | None]]


def text(*lines: str, kind: Kind = Kind.TEXT, **more) -> Region:
    return Region(kind, "\n".join(lines), **more)


def style(printed: str, phrase: str, name: Manner) -> Style:
    """The first place of a phrase, set in this manner."""
    start = printed.index(phrase)
    return Style(start, start + len(phrase), name)


def leaf(
    number: int, *regions: Region, by: Literal["model", "hand"] = "model", person: str = "", **more
):
    """A page and its reading; no regions, no reading."""
    state = more.pop("state", PageState.READ)
    page = Page(number, state=state, by_hand=by == "hand", **more)
    if not regions:
        return page, None
    source = Source(by, DATE, None if by == "hand" else ENGINE, person)
    return page, Reading(regions, source, id=number + 1)


def book(leaves: Leaves, **details) -> Book:
    return Book(
        "b", (Path("scan.pdf"),), "f", Details(**details), tuple(page for page, _r in leaves)
    )


def words(*spans: tuple[int, int, float]) -> tuple[Span, ...]:
    return tuple(Span(start, end, BOX, score) for start, end, score in spans)


MALT = """The barrel* stood in the malt-house
where the brew-
er kept his arm-
chair. An arm-chair it was, of
Lower-
Saxony oak, 1870-
71, and the bar-"""
TABLE = (
    (Cell("Year", is_heading=True), Cell("Beer | wine", 1, 2, is_heading=True)),
    (Cell("1871*", 2, 1), Cell("in a bar-\nrel"), Cell("12")),
    (Cell("not\nknown"), Cell("7 & more")),
)
PLAIN_TABLE = (
    (Cell("Town", is_heading=True), Cell("Souls", is_heading=True)),
    (Cell("Ulm | Alb"), Cell("1_000")),
    (Cell("two\nlines"), Cell("")),
)


def small_book() -> Leaves:
    """Twelve pages: what a book of the nineteenth century does, and every state."""
    return [
        leaf(
            0,
            text("A History of", "Beer-brewing", kind=Kind.TITLE),
            text("by", "J. Smith & Sons", kind=Kind.HEADING),
            by="hand",
            person="Ada",
            state=PageState.PROOFREAD,
        ),
        leaf(1, state=PageState.BLANK),
        leaf(
            2,
            text("THE FIRST CHAPTER 1", kind=Kind.RUNNING_HEAD),
            text("Of the Malt", kind=Kind.HEADING),
            text(
                MALT,
                styles=(style(MALT, "barrel", "italic"), style(MALT, "oak", "small_caps")),
            ),
            text("* Not a cask.", "** A second", "note, loose.", kind=Kind.NOTE),
            text("1", kind=Kind.PAGE_NUMBER),
            label="1",
        ),
        leaf(
            3,
            text("2 THE FIRST CHAPTER", kind=Kind.RUNNING_HEAD),
            text("rels, which the brewer filled", "at night¹ and"),
            text("1) At ten.", kind=Kind.NOTE),
            label="2",
            state=PageState.LOOK,
            reasons=(Reason.LOW_CONFIDENCE, Reason.MISSING_INK),
        ),
        leaf(
            4,
            text("in the morning. He sang."),
            text("A new paragraph with *stars*, _lines_, [brackets] and 5 < 6 & AT&amp;T."),
            text("1. first, and", "more of it", "2. second", kind=Kind.LIST),
            text("— one", "— two", kind=Kind.LIST),
            text("A brewer at", "work", kind=Kind.CAPTION),
            text("", kind=Kind.FIGURE),
            text("E = mc2", "F = ma", kind=Kind.EQUATION),
            label="3",
        ),
        leaf(5, state=PageState.UNREAD),
        leaf(6, state=PageState.FAILED, failure="page_failed", failure_detail="out of ink"),
        leaf(
            7,
            text("Table", kind=Kind.CAPTION),
            text(kind=Kind.TABLE, rows=TABLE),
            text("* By his own account.", kind=Kind.NOTE),
            text(kind=Kind.TABLE, rows=PLAIN_TABLE),
            label="iv",
        ),
        leaf(
            8,
            text(
                "A doubtful wcrd and a torn cor",
                "- not a list, # no heading",
                marks=(Mark(30, 30, "gap", "corner"), Mark(11, 15, "unclear"), Mark(0, 1, "note")),
                words=words((0, 1, 0.99), (2, 10, 0.97), (11, 15, 0.41)),
            ),
        ),
        leaf(9, text("It ended with-", "out a stop"), label="x"),
        leaf(
            10,
            text("Capital letters begin a new one: a\u00adb 𝔘𝔫𝔦 \x07bell", "and so"),
            state=PageState.LOOK,
            reasons=(Reason.CAP_REACHED,),
        ),
        leaf(11, text("and this goes not on, as the page above was cut.")),
    ]
