"""The hyphen ledger of the open book: listed on `jobs`, decided on by a person, kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from app.answers import Done, Post, Refused, ask
from app.change import NOTHING, Change
from app.desk.broken_words import BrokenWord, broken_words
from app.desk.hyphens import Break, Choice, Choices, word_key
from app.proofs import Proofs
from app.shelf import Shelf
from app.workers import Workers

K = TypeVar("K", Break, str)


@dataclass(frozen=True)
class HyphensListed:
    """All broken words of a book, and what was decided on them."""

    book_id: str
    words: tuple[BrokenWord, ...]
    choices: Choices


class HyphenOrders:
    """Belongs to the UI thread. Every order is about the book that is shown."""

    def __init__(self, proofs: Proofs, shelf: Shelf, workers: Workers, post: Post) -> None:
        self._proofs = proofs
        self._shelf = shelf
        self._workers = workers
        self._post = post
        self.listed: HyphensListed | None = None

    def list_all(self) -> Change:
        """Go through the book; comes as `HyphensListed`, what was listed before is dropped."""
        opened, self.listed = self._shelf.shown, None
        if opened is None:
            return NOTHING
        book, store = opened.book, opened.store

        def look() -> HyphensListed:
            with store.reader() as reader:
                words = broken_words(reader.plain_currents(), book.details.language)
                return HyphensListed(book.id, words, reader.hyphen_choices())

        ask(
            self._workers.jobs,
            self._post,
            look,
            answer=lambda listed: listed,
            refused=lambda error: Refused(error, "hyphens"),
        )
        return NOTHING

    def decide(self, word: BrokenWord, choice: Choice | None, *, everywhere: bool) -> Change:
        """Say what becomes of a broken word; None leaves it to the rules again.

        Args:
            word: one of those that are listed.
            choice: what is decided.
            everywhere: for this word wherever it is broken so, else for this break alone.
        """
        opened = self._shelf.shown
        if opened is None or opened.read_only or self._proofs.is_renumbering:
            return NOTHING
        if self.listed is None:
            return NOTHING
        broken = word.proposal.printed if everywhere else word.key
        store, person = opened.store, self._proofs.person
        self._remember(self.listed, broken, choice)
        ask(
            self._workers.store,
            self._post,
            lambda: store.choose_hyphen(broken, choice, person=person),
            answer=lambda _nothing: Done("hyphens"),
            refused=lambda error: Refused(error, "hyphens"),
        )
        return Change(hyphens=True)

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about broken words."""
        if not isinstance(answer, HyphensListed):
            return None
        if self._shelf.is_shown(answer.book_id):
            self.listed = answer
        return Change(hyphens=True)

    def _remember(self, listed: HyphensListed, broken: Break | str, choice: Choice | None) -> None:
        breaks, words = dict(listed.choices.breaks), dict(listed.choices.words)
        if isinstance(broken, Break):
            _put(breaks, broken, choice)
        else:
            _put(words, word_key(broken), choice)
        self.listed = HyphensListed(listed.book_id, listed.words, Choices(breaks, words))


def _put(made: dict[K, Choice], key: K, choice: Choice | None) -> None:
    made.pop(key, None)
    if choice is not None:
        made[key] = choice
