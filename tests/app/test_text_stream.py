"""Pieces of a page are joined, and every token is counted."""

from __future__ import annotations

from app.events import RunEvent, TextAdded
from app.text_stream import TextStream
from model.api import Piece


def test_pieces_are_joined_by_block_and_their_steps_counted():
    told: list[RunEvent] = []
    stream = TextStream(1, told.append)
    stream.add(Piece(3, 0, "told at once", score=0.9))
    stream.add(Piece(3, 0, " many words", score=0.4, steps=8))
    stream.add(Piece(3, 0, ".", score=0.7, steps=0))
    stream.add(Piece(3, 1, "", score=0.7, steps=2))
    stream.flush()
    texts = [event for event in told if isinstance(event, TextAdded)]
    joined = "".join(piece.text for event in texts for piece in event.pieces)
    assert joined == "told at once many words."
    assert sum(event.steps for event in texts) == 11
    assert min(piece.score or 1 for event in texts for piece in event.pieces) == 0.4
