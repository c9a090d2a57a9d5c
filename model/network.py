"""The network of a checkpoint on a device: transformers' own classes, and the cache of one request.

The only module that calls the network. Pages are encoded one by one, the prompt is run once, then
one token a step. The cache is transformers' static R-SWA cache: keys and values of the prompt, page
images included, stay as they are, those of the last `window_tokens` generated tokens lie in a ring
beside them; a step copies none of them and memory does not grow. Belongs to the thread that loads.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from model.config import CheckpointConfig
from model.encoder import hasten, part_windows
from model.graphs import CapturedWork
from model.memory import kv_bytes
from model.views import Grid, PageViews

if TYPE_CHECKING:
    import numpy as np

TILES_AT_ONCE = 8  # tiles encoded together; more is little faster and costs memory


class StagedViews(NamedTuple):
    """The views of one page in the network's numbers, in memory that a card can fetch from."""

    page: torch.Tensor  # (3, S, S)
    tiles: torch.Tensor  # (N, 3, T, T)
    grid: Grid | None


class Network:
    """Encodes pages, and decodes one request at a time."""

    def __init__(self, model: Any, config: CheckpointConfig) -> None:  # noqa: ANN401  # no types
        self._model: Any = model
        self._config = config
        self._cache: Any = None
        self._prompt_tokens = 0
        self._new_tokens = 0
        weight: torch.Tensor = model.lm_head.weight
        self.device, self.dtype = weight.device, weight.dtype
        held = {each.data_ptr(): each.nbytes for each in (*model.parameters(), *model.buffers())}
        self.weights_bytes: int = sum(held.values())
        self._see_one: Any = None  # one page's view, captured
        if self.device.type == "cuda":
            self._see_one = CapturedWork(self._see)
            # The kernel's blocks are made for small numbers; cards without bfloat16 lack the room.
            if self.dtype is torch.bfloat16 and importlib.util.find_spec("triton"):
                from model.kernels.seeing import look

                hasten(model, look)
        else:
            part_windows(model)

    @property
    def token_bytes(self) -> int:
        """Bytes of keys and values that one token holds."""
        return kv_bytes(
            layers=self._config.layers,
            key_heads=self._config.key_heads,
            head_size=self._config.head_size,
            value_bytes=self.dtype.itemsize,
        )

    @property
    def prompt_bytes(self) -> int:
        """Bytes that hold keys and values of the prompt now."""
        return self._prompt_tokens * self.token_bytes

    @property
    def window_bytes(self) -> int:
        """Bytes of the ring now."""
        return self._config.window_tokens * self.token_bytes if self._cache is not None else 0

    @property
    def dense_bytes(self) -> int:
        """Bytes that a cache of all tokens, old ones too, would hold now."""
        return (self._prompt_tokens + self._new_tokens) * self.token_bytes

    def stage(self, views: PageViews) -> StagedViews:
        """Views ready to be encoded; any thread may do this."""
        return StagedViews(self._staged(views.page), self._staged(views.tiles), views.grid)

    @torch.inference_mode()
    def encode(self, views: PageViews | StagedViews) -> torch.Tensor:
        """Visual tokens of one page, (tokens, hidden size), in the order in which they are read.

        The tiles as one large grid, row by row, then the global view; a newline token ends each
        row of cells, the separator the page.
        """
        if isinstance(views, PageViews):
            views = self.stage(views)
        page = self._cells([views.page])[0]  # (cells, cells, hidden)
        parts = [*self._tiles(views), self._lines(page), self._model.model.view_separator[None]]
        return torch.cat(parts)

    @torch.inference_mode()
    def encode_together(self, pages: Sequence[StagedViews]) -> list[torch.Tensor]:
        """Visual tokens of several pages, those of one view encoded in one go; as `encode`."""
        if any(views.grid is not None for views in pages):
            return [self.encode(views) for views in pages]
        cells = self._cells([views.page for views in pages])
        end: torch.Tensor = self._model.model.view_separator[None]
        return [torch.cat([self._lines(page), end]) for page in cells]

    @torch.inference_mode()
    def prefill(self, ids: Sequence[int], pages: Sequence[torch.Tensor]) -> torch.Tensor:
        """Run a prompt; forgets the request before.

        Args:
            ids: the prompt, with the image id once for each visual token.
            pages: visual tokens of all pages, as `encode` gives them.

        Returns:
            Logits of the first new token, (vocabulary,) float32.
        """
        from transformers import StaticCache

        self.forget()
        made: Any = StaticCache
        room = len(ids) + self._config.window_tokens
        self._cache = made(config=self._config.network.text_config, max_cache_len=room)
        self._prompt_tokens = len(ids)
        prompt = torch.tensor([list(ids)], device=self.device)  # (1, S)
        embedded: torch.Tensor = self._model.get_input_embeddings()(prompt)  # (1, S, hidden)
        embedded[prompt == self._config.image_id] = torch.cat(list(pages))
        return self._forward(inputs_embeds=embedded)

    @torch.inference_mode()
    def step(self, token: int) -> torch.Tensor:
        """Take one token; gives the logits of the next, (vocabulary,) float32."""
        self._new_tokens += 1
        return self._forward(input_ids=torch.tensor([[token]], device=self.device))

    def forget(self) -> None:
        """Free the cache of the request."""
        self._cache = None
        self._prompt_tokens = self._new_tokens = 0

    def close(self) -> None:
        """Free cache and weights; nothing works after it."""
        self.forget()
        self._model = self._see_one = None
        self.weights_bytes = 0

    def _forward(self, **inputs: torch.Tensor) -> torch.Tensor:
        said = self._model(**inputs, cache=self._cache, use_cache=True, logits_to_keep=1)
        logits: torch.Tensor = said.logits
        return logits[0, -1].float()

    def _tiles(self, views: StagedViews) -> list[torch.Tensor]:
        """Cells of all tiles, put together to those of the page; nothing for a page of one view."""
        if views.grid is None:
            return []
        columns, rows = views.grid
        batches = range(0, columns * rows, TILES_AT_ONCE)
        some = (list(views.tiles[at : at + TILES_AT_ONCE]) for at in batches)
        cells = torch.cat([self._cells(tiles) for tiles in some])
        side, hidden = cells.shape[1], cells.shape[3]
        grid = cells.view(rows, columns, side, side, hidden).transpose(1, 2)
        return [self._lines(grid.reshape(rows * side, columns * side, hidden))]

    def _cells(self, views: Sequence[torch.Tensor]) -> torch.Tensor:
        """Encode views of one size, (3, S, S) each: (N, cells, cells, hidden size)."""
        sent = torch.stack([view.to(self.device, non_blocking=True) for view in views])
        side = self._config.views.page_px
        is_page = sent.shape == (1, 3, side, side)
        seen = self._see_one(sent) if is_page and self._see_one else self._see(sent)
        cells = math.isqrt(seen.shape[1])
        return seen.view(len(views), cells, cells, -1)

    def _see(self, views: torch.Tensor) -> torch.Tensor:
        """Run the tower and the projector: (N, 3, S, S) to (N, cells, hidden size)."""
        inner = self._model.model
        return inner.multi_modal_projector(inner.vision_tower(views).last_hidden_state)

    def _staged(self, views: np.ndarray) -> torch.Tensor:
        untyped: Any = torch  # this function has types in part only
        numbers: torch.Tensor = untyped.from_numpy(views).to(self.dtype)
        return numbers.pin_memory() if self.device.type == "cuda" else numbers

    def _lines(self, cells: torch.Tensor) -> torch.Tensor:
        """A grid (rows, columns, hidden) as one line of tokens, a newline token after each row."""
        newline: torch.Tensor = self._model.model.image_newline
        ends = newline.expand(cells.shape[0], 1, -1)
        return torch.cat([cells, ends], dim=1).flatten(0, 1)
