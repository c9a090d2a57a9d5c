"""The forward pass of training, top to bottom, over the modules of transformers' own network.

The same numbers as `transformers` gives (a test holds it to that), but with fused attention, one
mask for a whole page, and parts that compile. The prefix is `<s>`, the page's visual tokens and the
prompt; what follows sees the prefix and the last `window` tokens: the attention of the reader.
Blocks of other pages may stand in front, as earlier pages of the book are resident while this one
is read: the text sees them, this page's prefix does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.nn import functional

Tensor = torch.Tensor
Attention = Callable[[Tensor, Tensor, Tensor], Tensor]
Module = Any  # of transformers, which has no types


class Parts(NamedTuple):
    """The layers as functions, plain or compiled."""

    window_layer: Callable[[Module, Tensor], Tensor]
    global_layer: Callable[[Module, Tensor], Tensor]
    neck: Callable[[Module, Tensor], Tensor]
    text_layer: Callable[[Module, Tensor, Tensor, Tensor, Attention], Tensor]


class Visual(NamedTuple):
    """A batch of pages encoded."""

    tokens: Tensor  # (B, T, hidden): rows of cells, each with its newline, and the separator
    patches: Tensor  # (B, S / 8, S / 8, width) before the neck
    cells: Tensor  # (B, cells, hidden)


class Others(NamedTuple):
    """What is in sight of earlier pages."""

    tokens: Tensor  # (B, M, hidden) visual
    places: Tensor  # (M,) int64 rotary positions, before that of the prefix's first token, 0


def window_layer(layer: Module, x: Tensor) -> Tensor:
    """A layer of the local encoder; the window divides the grid. x: (B, H, W, C)."""
    count, height, width, size = x.shape
    side, attention = layer.window_size, layer.attn
    heads = attention.num_attention_heads
    h = layer.layer_norm1(x).view(count, height // side, side, width // side, side, size)
    h = h.permute(0, 1, 3, 2, 4, 5).reshape(-1, side * side, size)
    qkv = attention.qkv(h).view(h.shape[0], side * side, 3, heads, size // heads)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    seen = functional.scaled_dot_product_attention(q, k, v)
    seen = attention.proj(seen.transpose(1, 2).reshape(h.shape[0], side * side, size))
    seen = seen.view(count, height // side, width // side, side, side, size)
    x = x + seen.permute(0, 1, 3, 2, 4, 5).reshape(count, height, width, size)
    return x + layer.mlp(layer.layer_norm2(x))


def global_layer(layer: Module, x: Tensor) -> Tensor:
    """A layer of the global encoder. x: (B, cells + 1, C)."""
    count, cells, size = x.shape
    attention = layer.self_attn
    h = layer.layer_norm1(x)
    q, k, v = (
        made(h).view(count, cells, attention.num_heads, -1).transpose(1, 2)
        for made in (attention.q_proj, attention.k_proj, attention.v_proj)
    )
    seen = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2)
    x = x + attention.out_proj(seen.reshape(count, cells, size))
    return x + layer.mlp(layer.layer_norm2(x))


def neck(encoder: Module, x: Tensor) -> Tensor:
    """Patches to cells of four by four."""
    return encoder.proj(encoder.neck(x))


def text_layer(layer: Module, x: Tensor, cos: Tensor, sin: Tensor, attention: Attention) -> Tensor:
    """A layer of the decoder. x: (B, N, C)."""
    count, length, size = x.shape
    inner = layer.self_attn
    h = layer.input_layernorm(x)
    q, k, v = (
        made(h).view(count, length, -1, inner.head_dim).transpose(1, 2)
        for made in (inner.q_proj, inner.k_proj, inner.v_proj)
    )
    seen = attention(_turned(q, cos, sin), _turned(k, cos, sin), v).transpose(1, 2)
    x = x + inner.o_proj(seen.reshape(count, length, size))
    return x + layer.mlp(layer.post_attention_layernorm(x))


PLAIN = Parts(window_layer, global_layer, neck, text_layer)


def see(network: Module, pixels: Tensor, parts: Parts = PLAIN) -> Visual:
    """Encode pages. pixels: (B, 3, S, S)."""
    tower = network.model.vision_tower
    local, wide = tower.sam_encoder, tower.vision_encoder
    x = local.patch_embed(pixels) + local.pos_embed.to(pixels.dtype)
    for layer in local.layers:
        x = parts.window_layer(layer, x)
    rough = parts.neck(local, x)
    count, side = rough.shape[0], rough.shape[2]
    rough = rough.flatten(2).transpose(1, 2)
    first = wide.embeddings.class_embedding.to(rough.dtype).expand(count, 1, -1)
    places = wide.embeddings.position_embedding.weight.to(rough.dtype)
    h = wide.pre_layrnorm(torch.cat([first, rough], 1) + places)
    for layer in wide.encoder.layers:
        h = parts.global_layer(layer, h)
    cells = network.model.multi_modal_projector(torch.cat([h[:, 1:], rough], -1))
    return Visual(_in_rows(network, cells, side), x, cells)


def write(
    network: Module,
    visual: Tensor,
    ids: Tensor,
    *,
    start: int,
    prompt: int,
    gap: int,
    attention: Attention,
    others: Others | None = None,
    parts: Parts = PLAIN,
) -> Tensor:
    """Run prefix and text.

    Args:
        network: of transformers.
        visual: (B, T, hidden).
        ids: (B, N) of the text.
        start: id in front of the visual tokens.
        prompt: id behind them.
        gap: positions left free between prefix and text, as when other pages lie between them.
        attention: over all tokens, those of `others` in front.
        others: blocks of earlier pages.
        parts: layers, plain or compiled.

    Returns:
        (B, N + 1, hidden): behind the prompt and behind each token.
    """
    embed = network.model.language_model.embed_tokens.weight
    count = visual.shape[0]
    before, after = (embed[token].expand(count, 1, -1) for token in (start, prompt))
    x = torch.cat([before, visual, after, functional.embedding(ids, embed)], 1)
    places = torch.arange(x.shape[1], device=x.device)
    places = places + gap * (places >= x.shape[1] - ids.shape[1])
    if others is not None:
        x = torch.cat([others.tokens, x], 1)
        places = torch.cat([others.places, places])
    prefix = x.shape[1] - ids.shape[1]
    cos, sin = rotary(network.config.text_config, places, x.dtype)
    for layer in network.model.language_model.layers:
        x = parts.text_layer(layer, x, cos, sin, attention)
    return network.model.language_model.norm(x[:, prefix - 1 :])


def rotary(config: Module, places: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the rotary positions, (N, head size)."""
    said: dict[str, Any] = config.rope_parameters or {}
    theta = float(said.get("rope_theta", 10_000.0))
    steps = torch.arange(0, config.head_dim, 2, device=places.device) / config.head_dim
    angles = places.float()[:, None] * torch.pow(theta, -steps)
    angles = torch.cat([angles, angles], -1)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def plain_attention(
    prefix: int, length: int, window: int, device: torch.device, other: int = 0
) -> Attention:
    """Attention with the mask written out: for the CPU.

    Args:
        prefix: tokens in front of the text, those of earlier pages among them.
        length: of all tokens.
        window: tokens of text that are seen, the newest included.
        device: of the tensors.
        other: tokens of earlier pages, at the very front.
    """
    places = torch.arange(length, device=device)
    q, k = places[:, None], places[None]
    mask = (k <= q) & ((k < prefix) | (q - k < window))
    mask &= (k >= other) | (q < other) | (q >= prefix)

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)

    return attend


def block_attention(
    prefix: int, length: int, window: int, device: torch.device, other: int = 0
) -> Attention:
    """The same, leaving out the blocks that nothing sees: for the card, inside a compiled layer."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    def seen(_batch: Tensor, _head: Tensor, q: Tensor, k: Tensor) -> Tensor:
        is_near = (k <= q) & ((k < prefix) | (q - k < window))
        return is_near & ((k >= other) | (q < other) | (q >= prefix))

    blocks = create_block_mask(seen, None, None, length, length, device=str(device))

    def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        result: Any = flex_attention(query, key, value, block_mask=blocks)
        return result

    return attend


def _turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def _in_rows(network: Module, cells: Tensor, side: int) -> Tensor:
    count, _, size = cells.shape
    newline = network.model.image_newline.to(cells.dtype).expand(count, side, 1, size)
    rows = torch.cat([cells.view(count, side, side, size), newline], 2).reshape(count, -1, size)
    end = network.model.view_separator.to(cells.dtype).expand(count, 1, size)
    return torch.cat([rows, end], 1)
