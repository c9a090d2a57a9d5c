"""Holds the text to as many page sections as there are pages.

A section begins with the page token. The guard changes logits in place before the next token is
chosen: no page beyond the last, no end before the last page has begun, and, where the checkpoint
limits a page, the next page (or the end) once the limit is reached. Sections that were closed by
force are told: they are the first to be read again.

Sources: `_uocr_page_count_guard` of Unlimited-OCR-2 as its ports describe it; the rule itself is
inferred from what it takes, so a checkpoint has to say which mode it was published with.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from model.v2.config import GuardConfig, GuardMode

if TYPE_CHECKING:
    import torch


class PageGuard:
    """Watches one request."""

    def __init__(self, config: GuardConfig, *, pages: int) -> None:
        self._config = config
        self._pages = pages
        self._begun = 0
        self._in_page = 0  # tokens since the last page token
        self.forced: list[int] = []  # pages, from 0, that reached the limit

    def add(self, token: int) -> None:
        """Take the token that was chosen."""
        if token == self._config.page_token_id:
            self._begun += 1
            self._in_page = 0
        else:
            self._in_page += 1

    def apply(self, logits: torch.Tensor) -> None:
        """Forbid and force, in place.

        Args:
            logits: (vocabulary,) of the token that comes next.
        """
        page, end = self._config.page_token_id, self._config.end_token_id
        mode = self._config.mode
        if mode is GuardMode.OFF:
            return
        if mode is GuardMode.LIMIT and self._in_page >= self._config.max_page_tokens:
            self._force(logits, page if self._begun < self._pages else end)
            return
        if self._begun >= self._pages:
            logits[page] = -math.inf
        elif mode is not GuardMode.FORBID_EXTRA:
            logits[end] = -math.inf

    def _force(self, logits: torch.Tensor, token: int) -> None:
        wanted = logits[token].clone()
        logits.fill_(-math.inf)
        logits[token] = wanted if math.isfinite(float(wanted)) else 0.0
        if self._begun:
            self.forced.append(self._begun - 1)
