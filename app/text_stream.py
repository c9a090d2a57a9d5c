"""Joins the pieces of a page so that the window is told of text at most 20 times a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.events import RunEvent, TextAdded
from model.api import Piece

INTERVAL_S = 0.05


class TextStream:
    """Gathers pieces and posts them as `TextAdded`. Belongs to the thread `reading`."""

    def __init__(self, run_id: int, post: Callable[[RunEvent], None]) -> None:
        self._run_id = run_id
        self._post = post
        self._pieces: list[Piece] = []
        self._posted_s = 0.0

    def add(self, piece: Piece) -> None:
        """Take a piece of the page under way; post if the last post lies long enough back."""
        if self._pieces and self._pieces[-1].page != piece.page:
            self.flush()
        self._pieces.append(piece)
        if time.monotonic() - self._posted_s >= INTERVAL_S:
            self.flush()

    def flush(self) -> None:
        """Post what was gathered, if anything."""
        if not self._pieces:
            return
        pieces = tuple(self._pieces)
        self._pieces.clear()
        self._posted_s = time.monotonic()
        steps = sum(piece.steps for piece in pieces)
        self._post(TextAdded(self._run_id, pieces[-1].page, _joined(pieces), steps))


def _joined(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Pieces of one block become one piece; its score is that of the least sure."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].block == piece.block:
            last = joined[-1]
            scores = [score for score in (last.score, piece.score) if score is not None]
            joined[-1] = last._replace(text=last.text + piece.text, score=min(scores, default=None))
        else:
            joined.append(piece)
    return tuple(joined)
