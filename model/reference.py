"""Decoding by transformers' own classes, page by page and token by token: slow, and the reference.

Three modes: `tiled` (one page, its global view and tiles of it), `base` (one page, global view
only) and `request` (up to `request_pages` pages in one prompt). A checkpoint that was not trained
on tiles or on several pages lacks those. A checkpoint of the second version is read in `request`
alone, with a page token in front of each page and the page guard behind the network. Belongs to the
thread that loaded it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from model.api import PageImage, Step, Stop
from model.config import CheckpointConfig
from model.decode import Rules, decode
from model.errors import ContextFull, PageUnreadable
from model.memory import Held
from model.network import Network
from model.page_writer import ImageSize
from model.request import RequestReader
from model.tokens import TextStream, Vocabulary
from model.v2.page_guard import PageGuard
from model.v2.prompt import second_prompt
from model.views import count_tokens, make_views

if TYPE_CHECKING:
    import torch

Mode = Literal["tiled", "base", "request"]

ONE_PAGE_WINDOW = 128  # tokens in which no n-gram comes twice, as published
SEVERAL_PAGES_WINDOW = 1024
ROOM_TOKENS = 1000  # left for the text of each page of a request


@dataclass(frozen=True)
class _Page:
    """A page encoded, waiting to be read."""

    size: ImageSize
    tokens: torch.Tensor  # (visual tokens, hidden size)


class ReferenceDecoder:
    """Reads pages by the network's own cache and steps."""

    weights_bytes = 0  # beside the network's

    def __init__(
        self,
        network: Network,
        vocabulary: Vocabulary,
        config: CheckpointConfig,
        *,
        page_tokens: int,
        request_pages: int,
    ) -> None:
        """Be ready.

        Args:
            network: whole, with its decoder.
            vocabulary: of the checkpoint.
            config: of the checkpoint.
            page_tokens: tokens after which a page is too long.
            request_pages: pages of one prompt in `request`.
        """
        self._network, self._vocabulary, self._config = network, vocabulary, config
        self._page_tokens, self._most_pages = page_tokens, request_pages
        self._pages_resident = 0

    @property
    def modes(self) -> tuple[Mode, ...]:
        """What the checkpoint was trained for, and is read in here."""
        if self._config.second is not None:
            return ("request",)
        tiled: tuple[Mode, ...] = ("tiled",) if self._config.views.most_tiles else ()
        several: tuple[Mode, ...] = ("request",) if self._config.prompts.pages else ()
        return (*tiled, "base", *several)

    def pages_at_once(self, mode: str) -> int:
        """How many pages one order is best given."""
        return self._most_pages if mode == "request" else 1

    def read(self, images: Iterator[PageImage], mode: str, stop: Stop) -> Iterator[Step]:
        """Read pages in order; the cache is freed on every way out."""
        try:
            yield from self._read_all(images, mode, stop)
        finally:
            self.forget()

    def held(self) -> Held:
        """What it holds now, weights apart."""
        network = self._network
        return Held(
            references_bytes=network.prompt_bytes,
            window_bytes=network.window_bytes,
            dense_bytes=network.dense_bytes,
            reference_pages=self._pages_resident,
        )

    def forget(self) -> None:
        """Free the cache."""
        self._network.forget()
        self._pages_resident = 0

    def close(self) -> None:
        """Free everything but the network."""
        self.forget()

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
        ids = self._prompt([len(page.tokens) for page in pages], is_several=is_several)
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
        second = self._config.second
        guard = PageGuard(second.guard, pages=len(pages)) if second is not None else None
        tokens = decode(self._network, ids, shown, rules=rules, stop=stop, guard=guard)
        yield from reader.read(tokens, stop)
        return reader.pages_done

    def _prompt(self, pages: Sequence[int], *, is_several: bool) -> list[int]:
        """The prompt of pages of so many visual tokens each."""
        if self._config.second is not None:
            return second_prompt(pages, self._vocabulary, self._config)
        prompts = self._config.prompts
        prompt = prompts.pages if is_several and prompts.pages else prompts.page
        return self._vocabulary.encode(
            prompt,
            image_tokens=sum(pages),
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
