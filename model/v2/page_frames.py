"""Where a token stands: inside its page, and which page it is of.

A prompt is a start token, then for each page its page token and its image tokens, then the
instruction. Every page has a frame of its own: its page token has index 0, its image follows. The
text of a page is placed in the page's frame too, so that no index grows with the length of a book.
Page 0 is 'no page'. Half the rotary angles of a token come from its index and the others from its
page, as the checkpoint says.

Sources: the public ports of Unlimited-OCR-2 and vLLM's cache of four integers a token.
"""

from __future__ import annotations

from typing import NamedTuple

import torch

from model.v2.config import FrameConfig, InstructionPage, TextFrame


class Frames(NamedTuple):
    """One row of each (tokens,) int64 for every token."""

    place: torch.Tensor  # inside the page's frame
    page: torch.Tensor  # from 1; 0: none
    pages: torch.Tensor  # how many the prompt has
    query_page: torch.Tensor  # the page that the token looks at


def page_frames(ids: torch.Tensor, prompt: int, config: FrameConfig) -> Frames:
    """Place every token of a prompt and of what was generated after it.

    Args:
        ids: (tokens,) int64, the prompt first.
        prompt: how many of them are the prompt.
        config: which ids open a page and stand for its image, and where text is placed.
    """
    opens = ids == config.page_token_id
    asked, written = opens[:prompt], opens[prompt:]
    pages = int(asked.sum())
    image = ids[:prompt] == config.image_token_id
    last = int(image.nonzero().max()) + 1 if bool(image.any()) else 0  # behind the last image token
    page = torch.cat(
        (_prompt_pages(asked, last, pages, config), written.cumsum(0).clamp(max=pages))
    )
    heights = torch.bincount(page[:last], minlength=pages + 1)  # prompt tokens of each page
    index = torch.cat((_runs(page[:last]), *_text(page, last, prompt, heights, config)))
    return Frames(index, page, torch.full_like(page, pages), page.clone())


def angles(frames: Frames, pairs: int, config: FrameConfig) -> torch.Tensor:
    """Rotary angles: the last `page_pairs` pairs turn with the page, the others with the index.

    Args:
        frames: of the tokens.
        pairs: half the size of a head.
        config: how they are shared out, and the base of each part.

    Returns:
        (tokens, pairs) float32, in radians.
    """
    of_index = _angles(frames.place, pairs - config.page_pairs, config.token_theta)
    return torch.cat((of_index, _angles(frames.page, config.page_pairs, config.page_theta)), dim=1)


def _prompt_pages(asked: torch.Tensor, last: int, pages: int, config: FrameConfig) -> torch.Tensor:
    page = asked.cumsum(0)
    page[last:] = pages if config.instruction_page is InstructionPage.LAST else 0
    return page


def _runs(page: torch.Tensor) -> torch.Tensor:
    """For each token, how many of its page stand before it; a page's tokens stand together."""
    places = torch.arange(len(page), device=page.device)
    starts = torch.cat((page.new_ones(1), (page[1:] != page[:-1]).long()))[: len(page)]
    return places - (places * starts).cummax(0).values if len(page) else places


def _text(
    page: torch.Tensor, last: int, prompt: int, heights: torch.Tensor, config: FrameConfig
) -> tuple[torch.Tensor, torch.Tensor]:
    """Indices of the instruction and of the text, each in the frame of its page."""
    instruction = heights[page[last:prompt]] + _runs(page[last:prompt])
    text = _runs(page[prompt:])
    if config.text_frame is TextFrame.CONTINUE:
        text = text + heights[page[prompt:]]
    return instruction, text


def _angles(places: torch.Tensor, pairs: int, theta: float) -> torch.Tensor:
    steps = torch.arange(pairs, dtype=torch.float32, device=places.device)
    return places.float().unsqueeze(1) * theta ** (-steps / max(pairs, 1))
