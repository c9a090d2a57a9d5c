"""Prompts of a checkpoint in each mode: their ids, sizes, and what reads what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from model.config import CheckpointConfig
from model.decode import Rules
from model.decoder_weights import Weights
from model.errors import ContextFull, EngineUnavailable
from model.pages_ahead import Page
from model.plan import Sizes
from model.request import RequestReader
from model.streams import Prompt
from model.tokens import TextStream, Vocabulary
from model.views import Grid, count_tokens

if TYPE_CHECKING:
    import torch

ONE_PAGE_WINDOW = 128  # tokens in which no n-gram comes twice, as published
SEVERAL_PAGES_WINDOW = 1024
SEPARATOR = "<PAGE>"


class Mode(StrEnum):
    """How pages are read, by the names in settings."""

    TILED = "tiled"  # side by side, each with its tiles
    PARALLEL = "parallel"  # side by side, one view each
    CONTINUOUS = "continuous"  # one stream through the book
    REQUEST = "request"  # as the published v1: pages in one prompt

    @property
    def is_side_by_side(self) -> bool:
        """Whether each page has a stream of its own."""
        return self in {Mode.TILED, Mode.PARALLEL}


class Prompting:
    """Makes the prompts of one checkpoint."""

    def __init__(self, vocabulary: Vocabulary, config: CheckpointConfig) -> None:
        """Be ready.

        Raises:
            EngineUnavailable: a prompt ends with the pages; the engine's first step takes a word.
        """
        self._vocabulary, self._config = vocabulary, config
        for is_several in (False, True):
            if self._ids(1, is_several=is_several)[-1] == config.image_id:
                raise EngineUnavailable("a prompt that ends with the pages")

    @property
    def separator(self) -> list[int]:
        """The ids by which a page is announced, as far as they are surely so."""
        ids = self._vocabulary.spell(SEPARATOR)
        return ids[:-1] if len(ids) > 1 else ids  # the last may take in what follows

    def request_reader(self, pages: Sequence[Page], *, page_tokens: int) -> RequestReader:
        """What makes pages of the tokens that follow their prompt."""
        return RequestReader(
            [page.size for page in pages],
            text=TextStream(self._vocabulary),
            first_page=pages[0].number,
            page_tokens=page_tokens,
            ngram=Rules.ngram,
        )

    def prompt(self, pages: Sequence[Page], *, is_several: bool) -> Prompt:
        """The prompt of some pages.

        Raises:
            ContextFull: it leaves no room for text.
        """
        tokens = [page.tokens for page in pages]
        ids = self._ids(sum(map(len, tokens)), is_several=is_several)
        room = self._config.most_positions - len(ids)
        if room <= 0:
            raise ContextFull(f"{len(ids)} tokens leave no room for text")
        return Prompt(ids, tokens, most_tokens=room)

    def _ids(self, image_tokens: int, *, is_several: bool) -> list[int]:
        prompts = self._config.prompts
        return self._vocabulary.encode(
            prompts.pages if is_several and prompts.pages else prompts.page,
            image_tokens=image_tokens,
            image_id=self._config.image_id,
            start_id=self._config.start_id,
        )

    def history(self, mode: Mode) -> int:
        """Ids within which no n-gram comes twice."""
        is_one = mode.is_side_by_side or not self._config.prompts.pages
        return ONE_PAGE_WINDOW if is_one else SEVERAL_PAGES_WINDOW

    def sizes(self, mode: Mode, weights: Weights, dtype: torch.dtype) -> Sizes:
        """What pages and tokens take."""
        views, heads = self._config.views, weights.heads
        page = count_tokens(None, views)
        tiles = range(1, views.most_tiles + 1) if mode is Mode.TILED else ()
        grids = (Grid(c, r) for c in tiles for r in tiles if c * r <= views.most_tiles)
        words = [len(self._ids(0, is_several=each)) for each in (False, True)]
        return Sizes(
            token_bytes=heads.token_bytes(dtype),
            page_tokens=page,
            most_page_tokens=max([page, *(count_tokens(grid, views) for grid in grids)]),
            word_tokens=max(words),
            window_tokens=self._config.window_tokens,
            most_positions=self._config.most_positions,
            vocabulary=weights.vocabulary,
        )
