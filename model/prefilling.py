"""Prompts put into the cache: their words and pages embedded and run through the decoder.

On a card a single prompt of a length that came before is run by a replay, since its many small
launches take the host longer than the card. Nothing here waits for the card. Belongs to the thread
that reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch.nn.functional import embedding

from model.buffers import KeyValues
from model.decoder import prefill
from model.decoder_weights import Weights
from model.device import sent
from model.graphs import CapturedWork

CAPTURED_TOKENS = 2048  # of a prompt; a longer one takes longer to run than to launch
CAPTURED_LENGTHS = 4  # of prompts whose run is kept


class Prompt(NamedTuple):
    """A prompt and the pages in it."""

    ids: Sequence[int]  # with the image id once for each visual token, and a word at the end
    pages: Sequence[torch.Tensor]  # (tokens, hidden) each
    first_page: int = 0  # number of the first of them along the run
    most_tokens: int = 1 << 30  # that may follow


class Prefilling:
    """Runs prompts on one set of buffers."""

    def __init__(
        self,
        weights: Weights,
        kv: KeyValues,
        *,
        image_id: int,
        pool: Any,  # noqa: ANN401  # a handle of torch without a type
    ) -> None:
        """Be ready.

        Args:
            weights: the decoder.
            kv: written to.
            image_id: stands in a prompt for one visual token.
            pool: of the graphs that never run at the same time as these; None on a CPU.
        """
        self._weights, self._kv, self._image_id, self._pool = weights, kv, image_id, pool
        self._kept: dict[int, CapturedWork | None] = {}  # of one prompt, by its length

    def run(
        self,
        prompts: Sequence[Prompt],
        rows: Sequence[Sequence[int]],
        *,
        streams: Sequence[int],
        first_positions: Sequence[int],
    ) -> None:
        """Run all of the prompts but their last token, which the first step takes.

        Args:
            prompts: of equal length.
            rows: of each token of each prompt.
            streams: of each prompt.
            first_positions: of the first token of each.
        """
        device, count = self._kv.keys.device, len(prompts)
        whole = self._embed(prompts)
        embedded = whole.view(count, -1, whole.shape[1])[:, :-1]  # (N, S, hidden)
        work = self._work(embedded.shape[1]) if count == 1 else self._prefill
        work(
            embedded,
            sent(streams, device),
            sent([each[:-1] for each in rows], device),
            sent(first_positions, device),
        )

    def _embed(self, prompts: Sequence[Prompt]) -> torch.Tensor:
        """Words and visual tokens of prompts, one behind the other."""
        device = self._kv.keys.device
        ids = [token for prompt in prompts for token in prompt.ids]
        embedded = embedding(sent(ids, device), self._weights.embedding)
        shown = [page for prompt in prompts for page in prompt.pages]
        if shown:
            where = [at for at, token in enumerate(ids) if token == self._image_id]
            embedded.index_copy_(0, sent(where, device), torch.cat(shown))
        return embedded

    def _prefill(self, embedded: torch.Tensor, *where: torch.Tensor) -> None:
        streams, rows, first = where
        prefill(
            self._weights, self._kv, embedded, streams=streams, rows=rows, first_positions=first
        )

    def _work(self, length: int) -> Callable[..., object]:
        """What runs one prompt; the second of its length is captured."""
        if self._pool is None or length > CAPTURED_TOKENS:
            return self._prefill
        if length in self._kept:
            self._kept[length] = self._kept[length] or CapturedWork(self._prefill, self._pool)
        elif len(self._kept) < CAPTURED_LENGTHS:
            self._kept[length] = None
        return self._kept.get(length) or self._prefill
