"""Flat sheets made into scans, a batch at a time, on the card.

What archives do to a page: bent and turned in front of a bed, a book block or the neighbour page;
dark, stained, foxed, uneven paper; thick and broken letters; the other side showing through; blur,
grain, bilevel edges, JPEG blocks, shadows of the gutter. Then the published fit-and-pad: what is no
picture is grey. `lie.py` is the plain twin of the geometry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from model.training.lie import GUTTER, NUMBERS

Tensor = torch.Tensor

GREY = 127 / 255  # the padding of the global view
CHANNEL_FALL = (0.02, 0.07, 0.18)  # how much of red, green, blue old paper swallows at most
FAR = 6.2831853
EASIEST_EM_PX = 9.0  # smaller type is not harmed but by the scanner


@dataclass(frozen=True)
class Sheets:
    """A batch of drawings on the device."""

    ink: Tensor  # (B, S, S) uint8
    labels: Tensor  # (B, S / 4, S / 4) uint8
    lie: Tensor  # (B, 18) float32
    paper: Tensor  # (B, 4) float32, left, top, right, bottom of the paper, shares of the side
    fold: Tensor  # (B,) float32, where two pages of a spread meet; negative: nowhere
    picture: Tensor  # (B, 4) float32, what is not padding
    facing: Tensor  # (B,) float32, -1, 0, 1
    em: Tensor  # (B,) float32, size of the type, share of the side


def sheets_of(ink: Tensor, labels: Tensor, places: Tensor) -> Sheets:
    """A batch from its pictures and from `places`, as `feed.places_of` lists them, (B, 29)."""
    after = places[:, NUMBERS:]
    paper, picture = after[:, :4], after[:, 4:8]
    fold, facing, em = after[:, 8], after[:, 9], after[:, 10]
    return Sheets(ink, labels, places[:, :NUMBERS], paper, fold, picture, facing, em)


def seeded(seed: int, device: torch.device) -> torch.Generator:
    """Random numbers that are the same for a seed."""
    generator: Any = torch.Generator(device)
    return generator.manual_seed(seed)


class Scan(NamedTuple):
    """What the reader sees."""

    pixels: Tensor  # (B, 3, S, S) -1..1
    labels: Tensor  # (B, S / 4, S / 4) int64


class _Seen(NamedTuple):
    """Places of the sheet as the picture has them."""

    ink: Tensor  # (B, S, S) 0..1
    beyond: Tensor  # (B, S, S) how far outside the paper, shares; 0 on it
    fold: Tensor  # (B, S, S) how far from the fold or the neighbour page
    is_void: Tensor  # (B, S, S) neither paper nor neighbour page


def scan(sheets: Sheets, generator: torch.Generator) -> Scan:
    """Scan a batch; each page is degraded in a way of its own."""
    dice = _Dice(sheets.ink, generator)
    grid = grid_of(sheets.lie, sheets.ink.shape[1])  # (B, S, S, 2) shares
    small = grid_of(sheets.lie, sheets.labels.shape[1])
    labels = _sample(sheets.labels, small, "nearest").round().long()
    seen = _seen(sheets, grid)
    em_px = sheets.em[:, None, None] * dice.side
    ease = ((em_px - EASIEST_EM_PX) / 10).clamp(0.1, 1).to(dice.dtype)
    ink = _printed(seen.ink.to(dice.dtype), ease, dice)
    page = _fingers(_surroundings(_paper(ink, dice), seen, dice), sheets, grid, dice)
    page = _camera(page, dice)
    pixels = _coloured(page, dice)
    return Scan(_padded(pixels, sheets.picture), labels)


class _Dice:
    """Random numbers of a batch."""

    def __init__(self, like: Tensor, generator: torch.Generator) -> None:
        self.count, self.side = like.shape[0], like.shape[1]
        self._device = like.device
        self._generator = generator
        self.dtype = torch.float16 if like.is_cuda else torch.float32

    def uniform(self, low: float, high: float) -> Tensor:
        """One number a page, (B, 1, 1)."""
        drawn = torch.rand(self.count, 1, 1, device=self._device, generator=self._generator)
        return (low + (high - low) * drawn).to(self.dtype)

    def often(self, share: float) -> Tensor:
        """1 for this share of pages, else 0; (B, 1, 1)."""
        return (self.uniform(0, 1) < share).to(self.dtype)

    def grain(self, rows: int, columns: int) -> Tensor:
        """Normal noise (B, rows, columns)."""
        size = (self.count, rows, columns)
        return torch.randn(size, device=self._device, generator=self._generator).to(self.dtype)

    def clouds(self, cells: int) -> Tensor:
        """Normal noise that changes slowly, (B, S, S)."""
        return _resized(self.grain(cells, cells), (self.side, self.side), "bilinear")


def grid_of(lie: Tensor, side: int) -> Tensor:
    """For each pixel the place of the sheet that is seen there, shares."""
    n = [number[:, None, None] for number in lie.unbind(1)]
    line = (torch.arange(side, device=lie.device) + 0.5) / side
    v, u = line[None, :, None], line[None, None, :]
    a, b = u - 0.5, v - 0.5
    x = u + n[0] + n[1] * a + n[2] * b + n[3] * a * b + n[4] * torch.sin(FAR * n[5] * v + n[6])
    wave = n[11] * torch.sin(FAR * n[12] * u + n[13])
    y = v + n[7] + n[8] * a + n[9] * b + n[10] * a * b + wave + n[14] * a * a * a
    near = torch.exp(-(0.5 - n[16] * a) / GUTTER)
    x, y = x + n[16] * n[17] * near, y + n[15] * near
    return torch.stack([x, y], -1)


def _sample(images: Tensor, grid: Tensor, mode: str) -> Tensor:
    places = grid * 2 - 1
    return functional.grid_sample(images[:, None].float(), places, mode=mode, align_corners=False)[
        :, 0
    ]


def _seen(sheets: Sheets, grid: Tensor) -> _Seen:
    x, y = grid.unbind(-1)
    left, top, right, bottom = (edge[:, None, None] for edge in sheets.paper.unbind(1))
    above = torch.maximum(top - y, y - bottom)
    beside = torch.maximum(left - x, x - right)
    beyond = torch.maximum(above, beside).clamp(min=0)
    facing = sheets.facing[:, None, None]
    is_neighbour = ((facing > 0) & (x > right) | (facing < 0) & (x < left)) & (above <= 0)
    fold = sheets.fold[:, None, None]
    fold = torch.where(facing > 0, right, torch.where(facing < 0, left, fold))
    apart = torch.where(fold < 0, torch.ones_like(x), (x - fold).abs())
    ink = _sample(sheets.ink, grid, "bilinear") / 255
    return _Seen(ink, beyond, apart, (beyond > 0) & ~is_neighbour)


def _printed(ink: Tensor, ease: Tensor, dice: _Dice) -> Tensor:
    """Ink as it lies on the paper: spread, broken, uneven, blurred, the other side behind it.

    `ease` (B, 1, 1) is 1 for type that is large enough to be harmed, less for small type, of which
    nothing would be left.
    """
    ink = _mixed(ink, _coarse(ink, dice), dice.often(0.22) * (ease > 0.5))
    wide = functional.max_pool2d(ink[:, None], 3, 1, 1)[:, 0]
    thin = -functional.max_pool2d(-ink[:, None], 3, 1, 1)[:, 0]
    change = torch.where(dice.uniform(0, 1) > 0.4, 0.75 * (wide - ink), 0.6 * (thin - ink))
    ink = ink + change * ease * dice.uniform(0, 1) * dice.often(0.55)
    near = _blurred(ink, 0.7)
    soft = near + dice.often(0.4) * (_blurred(ink, 1.5) - near)
    ink = _mixed(ink, soft, ease * dice.uniform(0, 1) * dice.often(0.85))
    ink = ink * (
        1 - dice.often(0.5) * dice.uniform(0, 0.4) * (0.5 + 0.5 * torch.tanh(dice.clouds(10)))
    )
    specks = _resized(dice.grain(dice.side // 2, dice.side // 2), (dice.side, dice.side), "nearest")
    worn = ease * dice.often(0.45) * dice.uniform(0, 0.6)
    ink = ink * (1 - worn * (specks - 0.3).clamp(0, 1))
    hard = torch.sigmoid((ink - dice.uniform(0.3, 0.6)) * dice.uniform(6, 16))
    ink = _mixed(ink, hard, dice.often(0.25))
    behind = _blurred(torch.roll(ink, 1, 0).flip(2), 1.6)
    ink = ink + dice.often(0.35) * dice.uniform(0.02, 0.3) * behind * (1 - ink)
    grain = dice.grain(dice.side, dice.side)
    ink = ink + dice.often(0.2) * 0.8 * (grain > 3.1)
    ink = ink * (1 - dice.often(0.15) * 0.8 * (grain < -2.9))
    spots = (dice.clouds(96) > 2.7).to(ink.dtype)
    return (ink + dice.often(0.08) * dice.uniform(0.1, 0.8) * spots).clamp(0, 1)


def _paper(ink: Tensor, dice: _Dice) -> Tensor:
    """Ink on paper: 0 black to 1 white."""
    paper = dice.uniform(0.7, 1.0) - dice.often(0.3) * dice.uniform(0.05, 0.36)
    paper = paper + dice.often(0.5) * dice.uniform(0, 0.07) * dice.clouds(6)
    paper = paper + dice.often(0.4) * dice.uniform(0, 0.025) * dice.clouds(60)
    black = dice.uniform(0, 0.5) * (0.2 + 0.8 * dice.uniform(0, 1))
    black = torch.minimum(black, paper - dice.uniform(0.25, 0.45)).clamp(min=0)
    return paper - ink * (paper - black)


def _surroundings(page: Tensor, seen: _Seen, dice: _Dice) -> Tensor:
    """The bed, the book block, shadows at the edges of the paper and in the fold."""
    dtype = page.dtype
    beyond, void = seen.beyond.to(dtype), seen.is_void.to(dtype)
    kind = dice.uniform(0, 1)
    bed = torch.where(kind < 0.6, dice.uniform(0, 0.22), dice.uniform(0.7, 1.0))
    bed = torch.where(kind > 0.85, dice.uniform(0.22, 0.7), bed)
    bed = bed + dice.uniform(0, 0.06) * dice.clouds(12)
    leaves = _resized(dice.grain(1, dice.side // 3), (1, dice.side), "bilinear")
    leaves = (0.6 + 0.09 * leaves).clamp(0, 1) * (0.5 + 0.4 * dice.uniform(0, 1))
    is_block = (beyond < dice.uniform(0.01, 0.06)) & (dice.uniform(0, 1) < 0.5)
    laid = bed + 0.85 * seen.ink.to(dtype) * (1 - bed)  # a ruler, a card of colours
    page = _mixed(page, torch.where(is_block, leaves, laid), void)
    edge = torch.exp(-beyond / dice.uniform(0.002, 0.02))
    page = page * (1 - dice.often(0.6) * dice.uniform(0.1, 0.5) * edge * void)
    fold = torch.exp(-seen.fold.to(dtype) / dice.uniform(0.004, 0.05))
    page = page * (1 - dice.uniform(0, 0.6) * fold * (seen.fold < 0.5).to(dtype))
    line = torch.linspace(0, 1, dice.side, device=page.device, dtype=dtype)[None, None]
    across = _mixed(line, 1 - line, dice.often(0.5))
    return page * (
        1 - dice.often(0.3) * dice.uniform(0.1, 0.6) * torch.exp(-across / dice.uniform(0.02, 0.2))
    )


def _fingers(page: Tensor, sheets: Sheets, grid: Tensor, dice: _Dice) -> Tensor:
    """Tips of fingers that hold the paper down, at one of its edges; outside the text."""
    x, y = grid.to(page.dtype).unbind(-1)
    left, top, right, bottom = (
        edge[:, None, None] for edge in sheets.paper.to(page.dtype).unbind(1)
    )
    is_side, is_first = dice.often(0.5), dice.often(0.5)
    along = dice.uniform(0.2, 0.8)
    at_side = _mixed(right, left, is_first)
    middle_x = _mixed(left + along * (right - left), at_side, is_side)
    middle_y = _mixed(_mixed(bottom, top, is_first), top + along * (bottom - top), is_side)
    wide, long = dice.uniform(0.012, 0.022), dice.uniform(0.02, 0.04)
    across, down = _mixed(wide, long, is_side), _mixed(long, wide, is_side)
    far = ((x - middle_x) / across) ** 2 + ((y - middle_y) / down) ** 2
    skin = dice.uniform(0.35, 0.8) * (1 - 0.25 * far.clamp(0, 1))
    return _mixed(page, skin, dice.often(0.04) * torch.sigmoid((1 - far.clamp(0, 4)) * 8))


def _camera(page: Tensor, dice: _Dice) -> Tensor:
    """Noise, JPEG, contrast."""
    page = page + dice.often(0.6) * dice.uniform(0, 0.05) * dice.grain(dice.side, dice.side)
    film = _blurred(dice.grain(dice.side, dice.side), 0.8)  # of a microfilm
    page = page + dice.often(0.07) * dice.uniform(0.03, 0.16) * film
    page = _mixed(page, _jpeg(page, dice.uniform(0.02, 0.12)), dice.often(0.3))
    middle = dice.uniform(0.4, 0.7)
    page = middle + (page - middle) * (1 - dice.often(0.25) * dice.uniform(0, 0.35))
    return page.clamp(1e-3, 1) ** dice.uniform(0.75, 1.35)


def _coloured(page: Tensor, dice: _Dice) -> Tensor:
    """Grey pages and brown ones, (B, 3, S, S) 0..1."""
    fall = torch.tensor(CHANNEL_FALL, device=page.device, dtype=page.dtype).view(1, 3, 1, 1)
    amount = dice.uniform(0, 1.6) * dice.often(0.45)
    return (page[:, None] * (1 - amount[:, None] * fall)).clamp(0, 1)


def _padded(pixels: Tensor, picture: Tensor) -> Tensor:
    """Grey where there is no picture; 0..1 to -1..1."""
    side = pixels.shape[-1]
    line = (torch.arange(side, device=pixels.device) + 0.5) / side
    left, top, right, bottom = (edge[:, None] for edge in picture.unbind(1))
    across, down = (line > left) & (line < right), (line > top) & (line < bottom)  # (B, S)
    inside = (down[:, :, None] & across[:, None, :])[:, None]
    return (torch.where(inside, pixels, torch.full_like(pixels, GREY)) - 0.5) * 2


def _mixed(first: Tensor, second: Tensor, share: Tensor) -> Tensor:
    return first + share * (second - first)


def _coarse(ink: Tensor, dice: _Dice) -> Tensor:
    """Seen by a scanner of few dots, the same for a batch."""
    share = 0.42 + 0.45 * float(dice.uniform(0, 1)[0])
    few = (int(ink.shape[1] * share), int(ink.shape[2] * share))
    return _resized(_resized(ink, few, "bilinear"), (ink.shape[1], ink.shape[2]), "bilinear")


def _resized(images: Tensor, size: tuple[int, int], mode: str) -> Tensor:
    return functional.interpolate(images[:, None], size=size, mode=mode)[:, 0]


def _blurred(images: Tensor, sigma: float) -> Tensor:
    reach = max(1, round(3 * sigma))
    steps = torch.arange(-reach, reach + 1, device=images.device).float()
    kernel = torch.exp(-steps * steps / (2 * sigma * sigma))
    kernel = (kernel / kernel.sum()).to(images.dtype)
    blurred = functional.conv2d(images[:, None], kernel.view(1, 1, 1, -1), padding=(0, reach))
    return functional.conv2d(blurred, kernel.view(1, 1, -1, 1), padding=(reach, 0))[:, 0]


def _jpeg(page: Tensor, coarse: Tensor) -> Tensor:
    """Blocks of 8 x 8 whose frequencies are rounded, the high ones more."""
    count, rows, columns = page.shape
    n = torch.arange(8, device=page.device).float()
    waves = torch.cos((2 * n[None] + 1) * n[:, None] * math.pi / 16) * 0.5
    waves[0] /= math.sqrt(2)
    blocks = page.float().view(count, rows // 8, 8, columns // 8, 8).permute(0, 1, 3, 2, 4)
    step = coarse.float()[..., None, None] * (1 + 0.6 * (n[:, None] + n[None]))
    rounded = torch.round(waves @ blocks @ waves.T / step) * step
    back = (waves.T @ rounded @ waves).permute(0, 1, 3, 2, 4)
    return back.reshape(count, rows, columns).to(page.dtype)
