"""The network of the second version: the first's tower, layers and head, with DASH attention.

Plain on purpose: every token's key, value and router key are kept (no source says that any are
dropped), a step reads the few rows that its router chose, and no part of it is captured or
compiled. Attention and the places of tokens are those of `dash_router` and `page_frames`; all else
is transformers' own modules of the first version. Belongs to the thread that loads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn.functional import linear, scaled_dot_product_attention

from model.config import CheckpointConfig
from model.decoder import rotate
from model.network import Network
from model.v2.config import Prefill, RouterInput, SecondVersion
from model.v2.dash_router import Blocks, Queries, attend, norm_index, route, summarise
from model.v2.page_frames import Frames, angles, page_frames
from model.v2.routers import Router

QUERIES_AT_ONCE = 64  # of a prompt; each gathers the rows that it reads
FIRST_ROWS = 1024

Angles = tuple[torch.Tensor, torch.Tensor]


class Rows:
    """A tensor that grows by rows, without being copied each time."""

    def __init__(self) -> None:
        self._count = 0
        self._room: torch.Tensor | None = None

    @property
    def all(self) -> torch.Tensor:
        """(rows, ...)."""
        assert self._room is not None, "something was added"
        return self._room[: self._count]

    @property
    def held_bytes(self) -> int:
        """What it takes, room for further rows included."""
        return 0 if self._room is None else self._room.nbytes

    def add(self, new: torch.Tensor) -> None:
        """Append (new rows, ...)."""
        needed = self._count + len(new)
        if self._room is None or needed > len(self._room):
            room = new.new_empty((max(2 * self._count, needed, FIRST_ROWS), *new.shape[1:]))
            if self._room is not None:
                room[: self._count] = self.all
            self._room = room
        self._room[self._count : needed] = new
        self._count = needed


class LayerCache:
    """What one layer keeps of a request."""

    def __init__(self) -> None:
        self.keys, self.values, self.index = Rows(), Rows(), Rows()  # keys are rotated
        self.summaries = Rows()  # of completed blocks

    @property
    def held_bytes(self) -> int:
        """What it takes."""
        kept = (self.keys, self.values, self.index, self.summaries)
        return sum(rows.held_bytes for rows in kept)

    def add_index(self, keys: torch.Tensor, router: Router, block_tokens: int, done: int) -> None:
        """Append router keys (tokens, index_size), and sum up the blocks completed by them.

        Args:
            keys: normed and rotated.
            router: of the layer.
            block_tokens: of a block.
            done: blocks that were complete before.
        """
        self.index.add(keys)
        index = self.index.all
        complete = len(index) // block_tokens
        if complete > done:
            fresh = index[done * block_tokens : complete * block_tokens]
            blocks = fresh.view(complete - done, block_tokens, -1)
            self.summaries.add(summarise(blocks, router.head_cls))


class SecondNetwork(Network):
    """Encodes pages, and decodes one request at a time."""

    def __init__(
        self,
        model: Any,  # noqa: ANN401  # a class of transformers without types
        config: CheckpointConfig,
        routers: Sequence[Router],
    ) -> None:
        """Be ready.

        Args:
            model: the weights that both versions have.
            config: of the checkpoint, which is of the second version.
            routers: of its layers.
        """
        assert config.second is not None, "a checkpoint of the second version"
        super().__init__(model, config)
        self._second: SecondVersion = config.second
        self._routers = [
            Router(*(part.to(self.device, self.dtype) for part in each)) for each in routers
        ]
        self.weights_bytes += sum(part.nbytes for each in self._routers for part in each)
        self._ids: list[int] = []
        self._caches: list[LayerCache] = []

    @property
    def vocabulary(self) -> int:
        """How many ids there are."""
        return int(self._model.lm_head.weight.shape[0])

    @property
    def window_bytes(self) -> int:
        """Bytes of all that is kept beside keys and values of the prompt."""
        return max(0, sum(each.held_bytes for each in self._caches) - self.prompt_bytes)

    @torch.inference_mode()
    def prefill(self, ids: Sequence[int], pages: Sequence[torch.Tensor]) -> torch.Tensor:
        """Run a prompt, as `Network.prefill` does."""
        self.forget()
        self._prompt_tokens = len(ids)
        self._caches = [LayerCache() for _ in self._routers]
        prompt = torch.tensor(list(ids), device=self.device)
        hidden: torch.Tensor = self._model.get_input_embeddings()(prompt)  # (S, hidden)
        hidden[prompt == self._config.image_id] = torch.cat(list(pages))
        return self._run(hidden, ids)

    @torch.inference_mode()
    def step(self, token: int) -> torch.Tensor:
        """Take one token; gives the logits of the next, (vocabulary,) float32."""
        self._new_tokens += 1
        hidden = self._model.get_input_embeddings()(torch.tensor([token], device=self.device))
        return self._run(hidden, [token])

    def forget(self) -> None:
        """Free the cache of the request."""
        super().forget()
        self._ids, self._caches = [], []

    def _run(self, hidden: torch.Tensor, ids: Sequence[int]) -> torch.Tensor:
        """Run new tokens, (tokens, hidden), through all layers; gives the last one's logits."""
        self._ids += ids
        known = torch.tensor(self._ids, device=self.device)
        frames = page_frames(known, self._prompt_tokens, self._second.frames)
        decoder = self._model.model.language_model
        for layer, router, cache in zip(decoder.layers, self._routers, self._caches, strict=True):
            hidden = hidden + self._attention(layer, router, cache, hidden, frames)
            hidden = hidden + layer.mlp(layer.post_attention_layernorm(hidden))
        logits: torch.Tensor = self._model.lm_head(decoder.norm(hidden[-1]))
        return logits.float()

    def _attention(
        self,
        layer: Any,  # noqa: ANN401  # a class of transformers without types
        router: Router,
        cache: LayerCache,
        hidden: torch.Tensor,
        frames: Frames,
    ) -> torch.Tensor:
        """What attention adds to new tokens: (tokens, hidden)."""
        new, dash = len(hidden), self._second.dash
        turn = self._turn(Frames(*(part[-new:] for part in frames)))
        own, normed = layer.self_attn, layer.input_layernorm(hidden)
        projections = (own.q_proj, own.k_proj, own.v_proj)
        query, key, value = (each(normed).unflatten(1, (-1, own.head_dim)) for each in projections)
        seen = normed if dash.router_input is RouterInput.NORMED else hidden
        asked, told = linear(seen, router.weight).chunk(2, dim=1)
        asked = rotate(norm_index(asked, router.query_norm, dash), turn)
        told = rotate(norm_index(told, router.key_norm, dash), turn)
        query, key = (rotate(each, _of_heads(turn)) for each in (query, key))
        done = (len(self._ids) - new) // dash.block_tokens
        cache.keys.add(key)
        cache.values.add(value)
        cache.add_index(told, router, dash.block_tokens, done)
        if new > 1 and dash.prefill is Prefill.DENSE:
            read = _dense(query, key, value)
        else:
            read = self._sparse(query, asked, cache, frames)
        return own.o_proj(read.to(hidden.dtype).flatten(1))

    def _sparse(
        self, query: torch.Tensor, asked: torch.Tensor, cache: LayerCache, frames: Frames
    ) -> torch.Tensor:
        """Attention of new tokens to what their router chooses: (tokens, heads, head_size)."""
        dash, known = self._second.dash, len(self._ids)
        first = known - len(query)
        blocks = self._blocks(cache, frames)
        read: list[torch.Tensor] = []
        for at in range(0, len(query), QUERIES_AT_ONCE):
            some = slice(at, at + QUERIES_AT_ONCE)
            positions = torch.arange(first, known, device=self.device)[some]
            queries = Queries(asked[some], frames.query_page[positions], positions)
            routed = route(queries, blocks, dash)
            keys, values = cache.keys.all, cache.values.all
            read.append(attend(query[some], keys, values, positions, routed, dash))
        return torch.cat(read)

    def _blocks(self, cache: LayerCache, frames: Frames) -> Blocks:
        size = self._second.dash.block_tokens
        complete = len(self._ids) // size
        if complete == 0:
            nothing = frames.page.new_empty((0, 2))
            return Blocks(torch.empty((0, self._second.dash.index_size)), nothing, 0)
        of_blocks = frames.page[: complete * size].view(complete, size)
        ends = torch.stack((of_blocks[:, 0], of_blocks[:, -1]), dim=1)
        return Blocks(cache.summaries.all, ends, self._prompt_tokens // size)

    def _turn(self, frames: Frames) -> Angles:
        """Cosines and sines of new tokens, (tokens, head_size / 2)."""
        radians = angles(frames, self._config.head_size // 2, self._second.frames)
        return radians.cos().to(self.dtype), radians.sin().to(self.dtype)


def _of_heads(turn: Angles) -> Angles:
    """The same for all heads: (tokens, 1, head_size / 2)."""
    return turn[0].unsqueeze(1), turn[1].unsqueeze(1)


def _dense(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Causal attention of a whole prompt to itself: (tokens, heads, head_size)."""
    q, k, v = (each.transpose(0, 1).unsqueeze(0) for each in (query, key, value))
    return scaled_dot_product_attention(q, k, v, is_causal=True)[0].transpose(0, 1)
