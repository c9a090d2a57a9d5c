"""What a run tells while it goes on, as frozen values made on the reading thread.

A run posts `Started`, then stages, pages, text and memory, then exactly one of `Finished`,
`Stopped`, `Failed`. `PageFinished` is posted after the page has been saved: what it says survives a
crash.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.book import Page, Reading
from app.errors import UserFacing
from model.api import EngineSource, Memory, Piece


class Stage(StrEnum):
    """What the run is doing at the moment."""

    LOADING = "loading"  # the engine
    RENDERING = "rendering"  # page images
    READING = "reading"
    SAVING = "saving"
    READING_BESIDE = "reading_beside"  # a page that asks for a look, by a second engine


@dataclass(frozen=True)
class Started:
    """The run has its pages and begins. `pages` are book page numbers in the order of reading."""

    run_id: int
    book_id: str
    pages: tuple[int, ...]


@dataclass(frozen=True)
class StageChanged:
    """What is being done now, and on which page."""

    run_id: int
    stage: Stage
    page: int | None = None
    engine: EngineSource | None = None  # set once the engine is loaded


@dataclass(frozen=True)
class PageStarted:
    """The engine begins with this page; its earlier stream, if any, is void."""

    run_id: int
    page: int


@dataclass(frozen=True)
class TextAdded:
    """Pieces joined over at most a twentieth of a second.

    `Piece.page` is the book's page number; boxes are page coordinates.
    """

    run_id: int
    page: int
    pieces: tuple[Piece, ...]
    steps: int  # tokens or lines since the last `TextAdded`


@dataclass(frozen=True)
class PageFinished:
    """This page is read, or has failed, and is saved as such."""

    run_id: int
    page: Page  # as stored: state, reasons, current reading, seconds
    reading: Reading | None = None  # None: failed, or nothing on the page
    is_current: bool = True  # False: another reading, or one by hand, stays current
    failure: UserFacing | None = None
    steps: int = 0


@dataclass(frozen=True)
class ReadBeside:
    """A second engine has read a page that asks for a look; the current reading stays."""

    run_id: int
    page: Page
    reading: Reading


@dataclass(frozen=True)
class SecondFailed:
    """The second engine could not read; what the first one has read stands as it was."""

    run_id: int
    error: UserFacing


@dataclass(frozen=True)
class MemoryMeasured:
    """Bytes on the device, at most twice a second."""

    run_id: int
    memory: Memory


@dataclass(frozen=True)
class Paused:
    """The engine stands between two steps."""

    run_id: int


@dataclass(frozen=True)
class Resumed:
    """The engine goes on."""

    run_id: int


@dataclass(frozen=True)
class Finished:
    """All pages of the run have their end."""

    run_id: int


@dataclass(frozen=True)
class Stopped:
    """The run was stopped; what was read is saved."""

    run_id: int


@dataclass(frozen=True)
class Failed:
    """The run could not go on; the pages before are saved."""

    run_id: int
    error: UserFacing


RunEvent = (
    Started
    | StageChanged
    | PageStarted
    | TextAdded
    | PageFinished
    | ReadBeside
    | SecondFailed
    | MemoryMeasured
    | Paused
    | Resumed
    | Finished
    | Stopped
    | Failed
)
