"""What stands in a small checkpoint of the second version as its own modelling code.

Copied into the checkpoint's folder by `tests.model.second_checkpoint`; nothing of ours is imported.
It says in another way what `model.v2` says: a thin subclass of transformers' classes, taking what
the published code takes, one token after the other, with a bias for every token of the past.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import UnlimitedOcrConfig, UnlimitedOcrForConditionalGeneration
from transformers.modeling_outputs import CausalLMOutputWithPast

from .own_frames import FACTOR, places  # noqa: TID252  # the checkpoint is a package

SECTIONS = ("dash", "dash_weights", "page_frames", "page_guard")


def turned(x: torch.Tensor, radians: torch.Tensor) -> torch.Tensor:
    halves = torch.cat([-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]], dim=-1)
    twice = torch.cat([radians, radians])
    return x * twice.cos() + halves * twice.sin()


def shares_of(scores: list[float]) -> list[float]:
    """entmax-1.5, by halving an interval."""
    low, high = max(scores) / 2 - 1, max(scores) / 2
    for _ in range(60):
        middle = (low + high) / 2
        total = sum(max(score / 2 - middle, 0) ** 2 for score in scores)
        low, high = (middle, high) if total > 1 else (low, middle)
    return [max(score / 2 - low, 0) ** 2 for score in scores]


class Dash(nn.Module):
    """Router and attention of one layer, for one token at a time."""

    def __init__(self, said: dict[str, Any], hidden: int) -> None:
        super().__init__()
        self.said = said
        size = said["index_size"]
        self.weight = nn.Parameter(torch.zeros(2 * size, hidden))
        self.q_norm = nn.Parameter(torch.zeros(size))
        self.k_norm = nn.Parameter(torch.zeros(size))
        self.head_cls = nn.Parameter(torch.zeros(size))
        self.forget()

    def forget(self) -> None:
        self.keys: list[torch.Tensor] = []
        self.values: list[torch.Tensor] = []
        self.index: list[torch.Tensor] = []

    def attend(
        self, own: Any, normed: torch.Tensor, radians: torch.Tensor, pages: list[int]
    ) -> torch.Tensor:
        said, heads = self.said, normed.new_empty(0).new_zeros(own.q_proj.out_features)
        q, k, v = (
            (heads + each(normed)).view(-1, own.head_dim)
            for each in (own.q_proj, own.k_proj, own.v_proj)
        )
        asked, told = (self.weight @ normed).chunk(2)
        asked = turned(self.normed(asked, self.q_norm), radians)
        self.index.append(turned(self.normed(told, self.k_norm), radians))
        self.keys.append(turned(k, radians))
        self.values.append(v)
        here = len(self.keys) - 1
        bias = [0.0 if here - at < said["window_tokens"] else -math.inf for at in range(here + 1)]
        for block, prior in self.chosen(asked, here, pages):
            for at in range(block * said["block_tokens"], (block + 1) * said["block_tokens"]):
                if here - at >= said["window_tokens"]:
                    bias[at] = prior
        scores = torch.einsum("hd,thd->ht", turned(q, radians), torch.stack(self.keys))
        shares = (scores / math.sqrt(own.head_dim) * FACTOR + torch.tensor(bias)).softmax(dim=1)
        return own.o_proj(torch.einsum("ht,thd->hd", shares, torch.stack(self.values)).flatten())

    def normed(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return x / (x.pow(2).mean() + self.said["norm_eps"]).sqrt() * (1 + weight)

    def chosen(self, asked: torch.Tensor, here: int, pages: list[int]) -> list[tuple[int, float]]:
        said, size = self.said, self.said["block_tokens"]
        remote = range(max(0, here // size - said["local_blocks"] + 1))
        ends = {block: {pages[block * size], pages[block * size + size - 1]} for block in remote}
        wanted = [block for block in remote if pages[here] in ends[block]] or list(remote)
        if not wanted:
            return []
        scale = said["score_scale"] / math.sqrt(said["index_size"])
        scores = {block: float(asked @ self.summary(block)) * scale for block in wanted}
        best = sorted(scores, key=lambda block: -scores[block])[: said["candidates"]]
        logs = [
            (block, math.log(share))
            for block, share in zip(best, shares_of([scores[b] for b in best]), strict=True)
            if share > 0
        ]
        middle = sum(log for _, log in logs) / len(logs)
        return [(block, (log - middle) / said["prior_sigma"]) for block, log in logs][
            : said["kept_blocks"]
        ]

    def summary(self, block: int) -> torch.Tensor:
        size = self.said["block_tokens"]
        keys = torch.stack(self.index[block * size : (block + 1) * size])
        return (keys @ self.head_cls / math.sqrt(keys.shape[1])).softmax(dim=0) @ keys


Base: Any = UnlimitedOcrForConditionalGeneration  # a class without types


class OwnForCausalLM(Base):
    """The whole network."""

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.frames = config.page_frames
        for layer in self.model.language_model.layers:
            layer.self_attn.dash = Dash(config.dash, config.text_config.hidden_size)

    @classmethod
    def from_pretrained(cls, folder: str, *_more: Any, **how: Any) -> Any:
        raw = json.loads((Path(folder) / "config.json").read_text())
        first = {key: value for key, value in raw.items() if key not in ("model_type", "auto_map")}
        config = UnlimitedOcrConfig.from_dict({k: v for k, v in first.items() if k not in SECTIONS})
        config.dash, config.page_frames = raw["dash"], raw["page_frames"]
        tensors = load_file(Path(folder) / "model.safetensors")
        return super().from_pretrained(None, config=config, state_dict=tensors, dtype=how["dtype"])

    def prepare_inputs_for_generation(
        self, input_ids: torch.Tensor, **kwargs: Any
    ) -> dict[str, Any]:
        names = ("images", "images_seq_mask", "images_spatial_crop")
        return {"input_ids": input_ids, **{name: kwargs[name] for name in names}}

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor | None = None,
        images: Any = None,
        images_seq_mask: torch.Tensor | None = None,
        images_spatial_crop: torch.Tensor | None = None,
        **_more: Any,
    ) -> CausalLMOutputWithPast:
        assert images_seq_mask is not None
        assert images_spatial_crop is not None
        ids: list[int] = input_ids[0].tolist()
        decoder = self.model.language_model
        hidden = self.get_input_embeddings()(input_ids[0]).clone()
        prompt = images_seq_mask.shape[1]
        if len(ids) == prompt:  # a new request
            seen = torch.cat(list(self.model.get_image_features(images[0][1]).pooler_output))
            hidden.masked_scatter_(images_seq_mask[0].unsqueeze(-1).cuda(), seen)
            for layer in decoder.layers:
                layer.self_attn.dash.forget()
        where = places(ids, prompt, self.frames)
        pages = [page for _, page in where]
        known = len(decoder.layers[0].self_attn.dash.keys)
        last = torch.stack(
            [self.one(hidden[at], where, pages, at) for at in range(known, len(ids))]
        )
        logits = self.lm_head(decoder.norm(last[-1:]))
        return CausalLMOutputWithPast(logits=logits[None])

    def one(
        self, x: torch.Tensor, where: list[tuple[int, int]], pages: list[int], at: int
    ) -> torch.Tensor:
        size = self.config.text_config.head_dim // 2
        radians = self.radians(*where[at], size)
        for layer in self.model.language_model.layers:
            own = layer.self_attn
            x = x + own.dash.attend(own, layer.input_layernorm(x), radians, pages)
            x = x + layer.mlp(layer.post_attention_layernorm(x)[None])[0]
        return x

    def radians(self, place: int, page: int, pairs: int) -> torch.Tensor:
        of_page = self.frames["page_pairs"]
        of_place = pairs - of_page
        theta, page_theta = self.frames["token_theta"], self.frames["page_theta"]
        turns = [place * theta ** (-pair / of_place) for pair in range(of_place)]
        return torch.tensor(turns + [page * page_theta ** (-n / of_page) for n in range(of_page)])
