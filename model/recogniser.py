"""Unlimited-OCR behind the `Recogniser` protocol: loads a checkpoint, reads pages, frees.

Three modes: `tiled` (one page, its global view and tiles of it), `base` (one page, global view
only) and `request` (up to `request_pages` pages in one prompt). A checkpoint that was not trained
on tiles or on several pages lacks those. Decoding is greedy through transformers' own classes;
bfloat16 on cards that have it, float32 elsewhere. Belongs to the thread that loaded it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from model.api import Engine, EngineChoice, EngineSource, Memory, PageImage, Step, Stop
from model.config import CheckpointConfig
from model.decode import Rules, decode
from model.device import (
    free_unused,
    is_full,
    limit_memory,
    name_of,
    out_of_vram,
    pick_device,
    pick_dtype,
)
from model.errors import ContextFull, PageUnreadable, WeightsMissing
from model.memory import Held, measure
from model.network import Network
from model.page_writer import ImageSize
from model.request import RequestReader
from model.tokens import TextStream, Vocabulary
from model.views import count_tokens, make_views
from model.weights import Checkpoint, find_checkpoint, load_network

if TYPE_CHECKING:
    from types import TracebackType

    import torch

Mode = Literal["tiled", "base", "request"]

ONE_PAGE_WINDOW = 128  # tokens in which no n-gram comes twice, as published
SEVERAL_PAGES_WINDOW = 1024
PAGE_TOKENS = 8192  # a dense newspaper page has about 6,000
REQUEST_PAGES = 16  # quality falls beyond about 20 (published)
ROOM_TOKENS = 1000  # left for the text of each page of a request


@dataclass(frozen=True)
class _Page:
    """A page encoded, waiting to be read."""

    size: ImageSize
    tokens: torch.Tensor  # (visual tokens, hidden size)


class UnlimitedOcr:
    """Reads with a checkpoint of Unlimited-OCR.

    Options of the choice: `mode` (the default one), `page_tokens`, `request_pages`, `hash_cache` (a
    file in which sums of checkpoint files are remembered).
    """

    def __init__(self, choice: EngineChoice) -> None:
        """Load the checkpoint.

        Raises:
            WeightsMissing, WeightsDamaged: a file is not there, or not what it should be.
            EngineUnavailable: a card was asked for and there is none.
            OutOfVram: the weights do not fit.
        """
        if choice.checkpoint is None:
            raise WeightsMissing("no checkpoint folder is set")
        options = dict(choice.options)
        checkpoint = find_checkpoint(choice.checkpoint)
        self._config = checkpoint.config
        self._device = pick_device(choice.device)
        self._limit_bytes = choice.gpu_memory_limit_bytes
        self._page_tokens = int(options.get("page_tokens", PAGE_TOKENS))
        self._most_pages = int(options.get("request_pages", REQUEST_PAGES))
        self._modes = _modes(self._config, first=options.get("mode"))
        self._pages_resident = 0
        remembered = options.get("hash_cache")
        self._checkpoint_id = checkpoint.check(Path(remembered) if remembered else None)
        self._vocabulary = Vocabulary(checkpoint.tokenizer)
        self._network = self._load(checkpoint)

    @property
    def source(self) -> EngineSource:
        """Who reads, in the default mode."""
        return EngineSource(
            engine=Engine.UNLIMITED_OCR.value,
            version=f"transformers {version('transformers')}",
            checkpoint=self._checkpoint_id,
            mode=self._modes[0],
            device=name_of(self._device),
            dtype=str(self._network.dtype).removeprefix("torch."),
            settings=(("page_tokens", str(self._page_tokens)),),
        )

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that this checkpoint was trained for, the default first."""
        return self._modes

    @property
    def request_pages(self) -> int:
        """How many pages `read` should be given at a time in the default mode."""
        return self._most_pages if self._modes[0] == "request" else 1

    def read(
        self, images: Iterable[PageImage], stop: Stop, *, mode: str | None = None
    ) -> Iterator[Step]:
        """Read pages in order, as the protocol says.

        Raises:
            OutOfVram, PageUnreadable, ContextFull: see the protocol.
        """
        chosen = self._modes[0] if mode is None else mode
        if chosen not in self._modes:
            raise ValueError(f"this checkpoint has no mode {chosen!r}")
        try:
            yield from self._read_all(iter(images), chosen, stop)
        except (RuntimeError, MemoryError) as error:
            if not is_full(error):
                raise
            self._network.forget()
            raise out_of_vram(self._device, error)  # noqa: B904  # it has its cause
        finally:
            self._network.forget()
            self._pages_resident = 0

    def memory(self) -> Memory:
        """Measure now."""
        network = self._network
        held = Held(
            weights_bytes=network.weights_bytes,
            references_bytes=network.prompt_bytes,
            window_bytes=network.window_bytes,
            dense_bytes=network.dense_bytes,
            reference_pages=self._pages_resident,
        )
        return measure(held, self._device, limit_bytes=self._limit_bytes)

    def close(self) -> None:
        """Free everything."""
        self._network.close()
        free_unused()
        limit_memory(self._device, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _load(self, checkpoint: Checkpoint) -> Network:
        limit_memory(self._device, self._limit_bytes)
        dtype = pick_dtype(self._device)
        try:
            model = load_network(checkpoint, device=self._device, dtype=dtype)
        except (RuntimeError, MemoryError) as error:
            limit_memory(self._device, None)
            if not is_full(error):
                raise
            raise out_of_vram(self._device, error)  # noqa: B904  # it has its cause
        return Network(model, checkpoint.config)

    def _read_all(self, images: Iterator[PageImage], mode: str, stop: Stop) -> Iterator[Step]:
        """Read request after request; what one leaves unread begins the next."""
        done = 0
        waiting: list[_Page] = []
        unreadable: PageUnreadable | None = None
        while not stop.asked:
            unreadable = unreadable or self._gather(waiting, images, mode, stop)
            if not waiting and unreadable:
                raise unreadable
            if not waiting or stop.asked:
                return
            read = yield from self._read_request(waiting, mode, stop, first_page=done)
            done += read
            del waiting[:read]

    def _gather(
        self, waiting: list[_Page], images: Iterator[PageImage], mode: str, stop: Stop
    ) -> PageUnreadable | None:
        """Encode pages until a request is full; pages before one that cannot be are read first."""
        most = self._pages_that_fit() if mode == "request" else 1
        try:
            while len(waiting) < most and not stop.asked:
                image = next(images, None)
                if image is None:
                    return None
                waiting.append(self._encode(image, is_tiled=mode == "tiled"))
        except PageUnreadable as error:
            return error
        return None

    def _encode(self, image: PageImage, *, is_tiled: bool) -> _Page:
        views = make_views(image, self._config.views, is_tiled=is_tiled)
        height_px, width_px = image.pixels.shape[:2]
        return _Page(ImageSize(width_px, height_px), self._network.encode(views))

    def _pages_that_fit(self) -> int:
        """Pages of one request that leave room for their text."""
        each = count_tokens(None, self._config.views) + ROOM_TOKENS
        return max(1, min(self._most_pages, self._config.most_positions // each))

    def _read_request(
        self, pages: Sequence[_Page], mode: str, stop: Stop, *, first_page: int
    ) -> Generator[Step, None, int]:
        """Read pages in one prompt; gives how many of them ended."""
        is_several = mode == "request"
        ids = self._prompt(sum(len(page.tokens) for page in pages), is_several=is_several)
        rules = self._rules(len(ids), is_several=is_several)
        reader = RequestReader(
            [page.size for page in pages],
            text=TextStream(self._vocabulary),
            first_page=first_page,
            page_tokens=self._page_tokens,
            ngram=rules.ngram,
        )
        self._pages_resident = len(pages)
        shown = [page.tokens for page in pages]
        yield from reader.read(decode(self._network, ids, shown, rules=rules, stop=stop), stop)
        return reader.pages_done

    def _prompt(self, image_tokens: int, *, is_several: bool) -> list[int]:
        prompts = self._config.prompts
        prompt = prompts.pages if is_several and prompts.pages else prompts.page
        return self._vocabulary.encode(
            prompt,
            image_tokens=image_tokens,
            image_id=self._config.image_id,
            start_id=self._config.start_id,
        )

    def _rules(self, prompt_tokens: int, *, is_several: bool) -> Rules:
        room = self._config.most_positions - prompt_tokens
        if room <= 0:
            raise ContextFull(f"{prompt_tokens} tokens leave no room for text")
        return Rules(
            end_ids=self._config.end_ids,
            ngram_window=SEVERAL_PAGES_WINDOW if is_several else ONE_PAGE_WINDOW,
            most_tokens=room,
        )


def _modes(config: CheckpointConfig, *, first: str | None) -> tuple[Mode, ...]:
    """What the checkpoint was trained for, the default first."""
    tiled: tuple[Mode, ...] = ("tiled",) if config.views.most_tiles else ()
    several: tuple[Mode, ...] = ("request",) if config.prompts.pages else ()
    modes: tuple[Mode, ...] = (*tiled, "base", *several)
    if first is not None and first not in modes:
        raise ValueError(f"this checkpoint has no mode {first!r}")
    return tuple(sorted(modes, key=lambda mode: mode != first))
