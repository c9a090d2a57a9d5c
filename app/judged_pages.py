"""Judges pages as they stand in the store; on any thread, from a reader of its own."""

from __future__ import annotations

from collections.abc import Sequence

from app.desk.doubts import Leaf
from app.desk.hyphens import Vocabulary
from app.desk.judging import SAMPLE, Judge
from app.desk.readings_beside import beside
from app.store.database import BookStore
from app.store.reader import BookReader

Judged = tuple[tuple[int, Leaf | None], ...]
"""Pages by their numbers; a page without text has None."""


def judge_of(reader: BookReader, *, language: str) -> Judge:
    """The judge of a book: knows how often the book has each word, and its language.

    Args:
        reader: of the book.
        language: as the catalogue says, BCP 47; "" if unknown.
    """
    vocabulary, sample = Vocabulary(), ""
    for _page, texts in reader.texts():
        for text in texts:
            vocabulary.add(text)
        if len(sample) < SAMPLE:
            sample += " ".join((*texts, ""))
    return Judge(vocabulary, language=language, sample=sample)


def judged(store: BookStore, judge: Judge, pages: Sequence[int]) -> Judged:
    """Judge some pages by their current readings."""
    with store.reader() as reader:
        return tuple((number, _judged_page(reader, judge, number)) for number in pages)


def _judged_page(reader: BookReader, judge: Judge, page: int) -> Leaf | None:
    reading = reader.current(page)
    if reading is None:
        return None
    machine, other = beside(reading, reader.machine_texts(page))
    return judge.leaf(page, reading, machine=machine, other=other)
