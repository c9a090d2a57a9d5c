"""All that `app` sees of an engine: what it returns, what it promises, and `load()`.

Importing this module imports neither torch nor onnxruntime: the window is up before either is
needed. `load()` does, and is called on the reading thread.

A recogniser is a plain generator over images. It yields a `Piece` for each step (a token, or a line
with the line reader) and one `PageRead` at the end of each page, in page order, as many as there
are images unless it is stopped. Not pulling the next item is a pause; nothing else is needed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, Self

from model.errors import ContextFull as ContextFull  # part of what `app` sees: the errors too
from model.errors import EngineUnavailable as EngineUnavailable
from model.errors import ModelError as ModelError
from model.errors import NotCompared as NotCompared
from model.errors import OutOfVram as OutOfVram
from model.errors import PageUnreadable as PageUnreadable
from model.errors import WeightsDamaged as WeightsDamaged
from model.errors import WeightsMissing as WeightsMissing
from model.own_code import OwnCode as OwnCode  # and what passes through it as it is
from model.own_code import Written as Written

if TYPE_CHECKING:
    from types import TracebackType

    import numpy as np

    from model.parity import Verdict as Verdict


class Box(NamedTuple):
    """A rectangle, in pixels of the image that the engine was given; x to the right, y down."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Pixels from left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.bottom - self.top


class Kind(StrEnum):
    """What a block is on the page; engines that know fewer kinds use fewer."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"
    LIST = "list"
    TABLE = "table"
    FIGURE = "figure"
    CAPTION = "caption"
    NOTE = "note"  # footnote, or a note in the margin
    EQUATION = "equation"
    RUNNING_HEAD = "running_head"
    PAGE_NUMBER = "page_number"
    FOOTER = "footer"  # signature, catchword, printer's line
    OTHER = "other"


class Span(NamedTuple):
    """A stretch of a block's text and where it stands on the page."""

    start: int  # code points from the start of the block's text
    end: int  # exclusive
    box: Box
    score: float | None = None  # 0..1, None where the engine gives none
    origin: Literal["exact", "estimated"] = "exact"


class Style(NamedTuple):
    """A stretch of a block's text set in another manner."""

    start: int  # code points
    end: int  # exclusive
    name: Literal["italic", "bold", "small_caps", "superscript", "subscript", "letter_spaced"]


class Cell(NamedTuple):
    """One cell of a table."""

    text: str
    row_span: int = 1
    column_span: int = 1
    is_heading: bool = False


Rows = tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Block:
    """One block of a page as the engine gives it: text with its printed line ends.

    For a table `rows` holds the cells and `text` the same cells, tabs between cells and a line end
    after each row.
    """

    kind: Kind
    text: str  # NFC; "\n" where the print ends a line
    box: Box | None = None  # pixels of the image given
    lines: tuple[Span, ...] = ()
    words: tuple[Span, ...] = ()
    styles: tuple[Style, ...] = ()
    rows: Rows = ()
    score: float | None = None  # 0..1


class Piece(NamedTuple):
    """Text added to one block of one page; the pieces of a block joined are its text so far.

    The first piece of a block carries its kind, and its box where known; its text may be empty. An
    engine may hand over several tokens in one piece.
    """

    page: int  # index into the images given, from 0
    block: int  # index within the page, from 0, never going back
    text: str
    kind: Kind = Kind.TEXT
    box: Box | None = None
    score: float | None = None  # 0..1; probability of the token, the lowest of several, or the line
    steps: int = 1  # tokens or lines since the piece before


class PageEnd(StrEnum):
    """Why the engine ended a page."""

    DONE = "done"
    CAP = "cap"  # the token limit of a page was reached
    LOOP = "loop"  # the text began to repeat and was cut
    SECTIONS = "sections"  # the engine wrote fewer or more page sections than there are pages
    STOPPED = "stopped"  # the stop flag was raised; the text so far is kept


@dataclass(frozen=True)
class PageRead:
    """A page at its end: its whole text, and how it ended; takes the place of what was streamed."""

    page: int
    blocks: tuple[Block, ...]
    end: PageEnd = PageEnd.DONE
    steps: int = 0  # tokens, or lines with the line reader


Step = Piece | PageRead


@dataclass(frozen=True)
class PageImage:
    """One page to be read."""

    pixels: np.ndarray  # (H, W, 3) uint8, RGB, read-only by agreement
    dpi: float | None = None


class Stop:
    """A flag that a decoder tests between two steps. Raised from any thread, never lowered."""

    def __init__(self) -> None:
        self._flag = threading.Event()

    def ask(self) -> None:
        """Ask the decoder to end at its next step."""
        self._flag.set()

    @property
    def asked(self) -> bool:
        """Whether someone asked."""
        return self._flag.is_set()


@dataclass(frozen=True)
class Memory:
    """What is resident on the device now, in bytes; the parts and `free` add up to `total`."""

    device: str  # "cpu", or the name of the card
    total_bytes: int
    weights_bytes: int = 0
    references_bytes: int = 0  # KV of page images
    window_bytes: int = 0  # KV of the last generated tokens
    work_bytes: int = 0  # activations, workspaces, the program itself
    other_bytes: int = 0  # other programs
    free_bytes: int = 0
    limit_bytes: int | None = None  # what the settings allow us; None: no limit
    dense_bytes: int = 0  # what a dense cache of the same pages and tokens would hold (arithmetic)
    reference_pages: int = 0
    host_bytes: int = 0  # resident memory of this process
    forecast_bytes: int = 0  # weights and caches together when all slots are full; 0: no plan


@dataclass(frozen=True)
class EngineSource:
    """Who read: kept with every reading, shown in the status bar, written into exports."""

    engine: str  # "line-reader", "reader", "unlimited-ocr", "fake"
    version: str  # of the engine's code or model family
    checkpoint: str = ""  # first 16 hex digits of the SHA-256 over the weights; "" if unknown
    mode: str = ""
    device: str = "cpu"
    dtype: str = ""
    settings: tuple[tuple[str, str], ...] = ()


class Recogniser(Protocol):
    """An engine that reads pages. Belongs to the thread that loaded it."""

    @property
    def source(self) -> EngineSource:
        """Who reads, in the default mode."""
        ...

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the modes it can read in, the default first; at least one."""
        ...

    @property
    def request_pages(self) -> int:
        """How many pages one call of `read` should be given; 1 reads page by page."""
        ...

    def read(
        self, images: Iterable[PageImage], stop: Stop, *, mode: str | None = None
    ) -> Iterator[Step]:
        """Read pages in order; images are pulled when they are needed, never all at once.

        Args:
            images: the pages; page indices in the steps count them from 0.
            stop: tested between two steps. Once asked, the page under way ends with
                `PageEnd.STOPPED` and no other page is begun.
            mode: one of `modes`; None is the first.

        Yields:
            `Piece`s of a page and then its `PageRead`, page after page.

        Raises:
            OutOfVram: nothing of the pages without a `PageRead` was kept.
            PageUnreadable: the page after the last `PageRead` made the engine fail.
            ContextFull: the request is too long for the checkpoint.
        """
        ...

    def memory(self) -> Memory:
        """Measure now; cheap enough to be asked twice a second."""
        ...

    def close(self) -> None:
        """Free weights, caches and handles; calling it again does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Engine(StrEnum):
    """The engines that `load()` knows, by their names in settings and on the command line."""

    LINE_READER = "line-reader"
    READER = "reader"  # our own small checkpoint, which comes with the application
    UNLIMITED_OCR = "unlimited-ocr"
    FAKE = "fake"


@dataclass(frozen=True)
class EngineChoice:
    """Which engine to load, and with what."""

    engine: Engine
    checkpoint: Path | None = None  # folder; not for the line reader
    device: Literal["auto", "cpu", "cuda"] = "auto"
    gpu_memory_limit_bytes: int | None = None
    options: tuple[tuple[str, str], ...] = field(default=())
    why: str = ""  # code of the reason, shown: "asked", "gpu_and_checkpoint", "no_checkpoint", ...


class Card(NamedTuple):
    """A graphics card as its driver describes it."""

    name: str
    total_bytes: int
    free_bytes: int
    driver: str  # version
    capability: tuple[int, int]  # CUDA compute capability, e.g. (9, 0)


def cards() -> tuple[Card, ...]:
    """The graphics cards of this machine; none where card, driver or library is absent."""
    from model.choice import describe_devices

    return describe_devices()


class TorchFacts(NamedTuple):
    """What the installed torch can use."""

    version: str
    cuda_build: str  # version of CUDA it was built for; "" for a build without
    device: str  # name of the card it finds, or "cpu"
    has_bf16: bool


def torch_facts() -> TorchFacts:
    """Import torch and ask it; takes seconds.

    Raises:
        ImportError: torch is not installed, or one of its libraries is missing.
    """
    from model.machine import torch_facts as facts

    return facts()


def verify(checkpoint: Path) -> str:
    """Hash a checkpoint's files and compare them with its manifest, if it has one; slow.

    Returns:
        The checkpoint's id: 16 hex digits.

    Raises:
        WeightsMissing, WeightsDamaged: naming the file and what is wrong with it.
    """
    from model.weights import find_checkpoint

    return find_checkpoint(checkpoint).check()


def is_second_version(checkpoint: Path) -> bool:
    """Whether it says that it has to be compared with its own code before it is read; cheap.

    Raises:
        WeightsMissing, WeightsDamaged: there is no `config.json`, or it is none.
    """
    from model.config import read_json
    from model.v2.config import is_second_version as says_so

    return says_so(read_json(checkpoint / "config.json"))


def check_compared(checkpoint: Path, weights: str, *, verdicts: Path) -> None:
    """See that a checkpoint agrees with its own code, where it has to.

    Args:
        checkpoint: its folder.
        weights: its id, as `verify` gives it.
        verdicts: file in which verdicts are kept.

    Raises:
        NotCompared: it does not, or nobody compared it.
        WeightsMissing, WeightsDamaged: naming the file or key and what is wrong with it.
    """
    from model.parity import require_verdict
    from model.weights import find_checkpoint

    require_verdict(find_checkpoint(checkpoint), weights, verdicts)


def own_code(checkpoint: Path) -> OwnCode | None:
    """The code files that a checkpoint brings; None if there are none. Runs nothing.

    Raises:
        WeightsMissing, WeightsDamaged: see `model.own_code.read_own_code`.
    """
    from model.own_code import read_own_code

    return read_own_code(checkpoint)


def run_own_code(checkpoint: Path, code: OwnCode, images: Sequence[PageImage]) -> list[Written]:
    """Run a checkpoint's own code on some pages; only in a child process behind walls.

    Args:
        checkpoint: its folder.
        code: what is run.
        images: pages.

    Raises:
        Exception: anything; it is the checkpoint's code.
    """
    from model import own_code

    network = own_code.import_own_code(code)
    from model import parity  # behind it: code that cannot be imported is told at once
    from model.weights import find_checkpoint

    requests = parity.prompted(find_checkpoint(checkpoint), images)
    return own_code.run_network(network, checkpoint, requests, tokens=parity.TOKENS)


def compare(
    checkpoint: Path,
    code: OwnCode,
    images: Sequence[PageImage],
    theirs: Sequence[Written],
    *,
    verdicts: Path,
) -> Verdict:
    """Compare what a checkpoint's code wrote with what is computed here; keep the verdict.

    Args:
        checkpoint: its folder.
        code: what was run.
        images: the pages that it was given.
        theirs: what it wrote.
        verdicts: file in which verdicts are kept.

    Raises:
        WeightsMissing, WeightsDamaged: see `model.parity.compare`.
        OSError: the verdict cannot be kept.
    """
    from model import parity
    from model.weights import find_checkpoint

    found = find_checkpoint(checkpoint)
    key = parity.key_of(found, found.check(), code)
    verdict = parity.compare(found, parity.prompted(found, images), theirs)
    parity.remember(verdicts, key, verdict)
    return verdict


def choose(checkpoint: Path | None, asked: Engine | None = None) -> EngineChoice:
    """Choose the engine that reads: what was asked for, else the best that is there.

    Looks for a card through NVML and for the checkpoint's files; imports neither torch nor
    onnxruntime. An engine that was asked for is never exchanged for another.

    Raises:
        WeightsMissing: Unlimited-OCR was asked for without a checkpoint folder.
    """
    from model.choice import choose_engine

    return choose_engine(checkpoint, asked)


def engines_there(checkpoint: Path | None) -> tuple[Engine, ...]:
    """The engines whose files are there; whether they can be loaded shows when they are.

    Args:
        checkpoint: of Unlimited-OCR; None: there is none.
    """
    from model.choice import BUNDLED, looks_complete

    found = [Engine.LINE_READER]
    if looks_complete(BUNDLED):
        found.append(Engine.READER)
    if checkpoint is not None and looks_complete(checkpoint):
        found.append(Engine.UNLIMITED_OCR)
    return tuple(found)


def load(choice: EngineChoice) -> Recogniser:
    """Load an engine; takes seconds, so call it on the reading thread.

    Raises:
        WeightsMissing, WeightsDamaged, EngineUnavailable, OutOfVram: see `model.errors`.
    """
    match choice.engine:
        case Engine.LINE_READER:
            from model.line_reader import LineReader

            return LineReader(choice)
        case Engine.READER | Engine.UNLIMITED_OCR:
            from model.recogniser import UnlimitedOcr

            return UnlimitedOcr(choice)
        case Engine.FAKE:
            from model.fake import FakeRecogniser

            return FakeRecogniser()
