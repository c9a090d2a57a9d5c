"""The letter test of the shown book: drawn, answered, resumed, written down. A part of the session.

Letters are drawn on `jobs`; each answer is on the disk before the next letter is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from app.answers import Done, Post, Refused, ask
from app.book import Book, PageState, Reading, Reason
from app.change import NOTHING, Change
from app.desk.letter_test import LETTERS, Letter, LetterTest, drawn, letter_at, letters_of
from app.errors import FindError, UserFacing
from app.proofs import Proofs
from app.shelf import Shelf
from app.store.reader import BookReader
from app.workers import Workers

SEEDS = 1_000_000


@dataclass(frozen=True)
class LettersLoaded:
    """The last letter test of a book, None where there was none."""

    book_id: str
    test: LetterTest | None
    error: UserFacing | None = None


class LetterTesting:
    """Belongs to the UI thread. Every order is about the book that is shown."""

    def __init__(self, shelf: Shelf, proofs: Proofs, workers: Workers, post: Post) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self.test: LetterTest | None = None
        self.error: UserFacing | None = None  # why no test could be begun, or no protocol written
        self.written: Path | None = None  # the protocol

    def load(self) -> Change:
        """Fetch the last test; comes as `LettersLoaded`."""
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        book_id, store = opened.book.id, opened.store
        self.error = self.written = None
        ask(
            self._workers.store,
            self._post,
            store.last_letter_test,
            answer=lambda test: _loaded(book_id, test),
            refused=lambda error: LettersLoaded(book_id, None, error),
        )
        return NOTHING

    def begin(self, pages: Sequence[int], *, seed: int | None = None) -> Change:
        """Draw letters from pages and begin to ask; comes as `LettersLoaded`.

        Args:
            pages: their numbers; those without a text are left out.
            seed: of the draw; None: any.
        """
        opened = self._shelf.shown
        if opened is None:
            return NOTHING
        number = random.randrange(SEEDS) if seed is None else seed  # noqa: S311 - no secret
        book_id, store, person = opened.book.id, opened.store, self._proofs.person
        on_store, chosen = self._workers.store.submit, tuple(pages)
        self.error = self.written = None

        def draw() -> LetterTest:
            with store.reader() as reader:
                test = _drawn(reader, chosen, seed=number, person=person)
            return on_store(store.begin_letter_test, test).result()

        ask(
            self._workers.jobs,
            self._post,
            draw,
            answer=lambda test: LettersLoaded(book_id, test),
            refused=lambda error: LettersLoaded(book_id, None, error),
        )
        return NOTHING

    def answer(self, *, is_right: bool) -> Change:
        """Say whether the ink shows the letter that is asked for."""
        test = self.test
        if test is None or test.is_ended:
            return NOTHING
        answers = test.answers + ("r" if is_right else "w")
        ended = datetime.now(UTC) if len(answers) == len(test.letters) else None
        return self._keep(replace(test, answers=answers, ended=ended))

    def step_back(self) -> Change:
        """Take the last answer back."""
        test = self.test
        if test is None or not test.answers:
            return NOTHING
        if test.letters[len(test.answers) - 1].page < 0:  # its page was taken out since then
            return NOTHING
        return self._keep(replace(test, answers=test.answers[:-1], ended=None))

    def write_protocol(self, path: Path) -> Change:
        """Write down an ended test as PDF; `written` or `error` tell how that went."""
        opened, test = self._shelf.shown, self.test
        if opened is None or test is None or not test.is_ended:
            return NOTHING
        book = opened.book

        def write() -> None:
            from app.export.pdf_protocol import write_protocol  # PyMuPDF is slow to import

            write_protocol(path, book, test, unread=pages_with_unread_print(book, test))

        ask(
            self._workers.jobs,
            self._post,
            write,
            answer=lambda _nothing: _Written(path),
            refused=lambda error: Refused(error, "protocol"),
        )
        return NOTHING

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is for another part."""
        match answer:
            case LettersLoaded(book_id=book_id, test=test, error=error):
                if not self._shelf.is_shown(book_id):
                    return NOTHING
                self.test, self.error = test or (self.test if error else None), error
            case _Written(path=path):
                self.written, self.error = path, None
            case Refused(error=error, order="protocol"):
                self.error = error
            case _:
                return None
        return Change(letters=True)

    def forget(self) -> None:
        """Another book is shown, or none."""
        self.test = self.error = self.written = None

    def _keep(self, test: LetterTest) -> Change:
        opened = self._shelf.shown
        assert opened is not None, "a test of a book, and no book is shown"
        self.test = test
        store = opened.store
        ask(
            self._workers.store,
            self._post,
            lambda: store.answer_letter_test(test),
            answer=lambda _nothing: Done("letters"),
            refused=lambda error: Refused(error, "letters"),
        )
        return Change(letters=True)


@dataclass(frozen=True)
class _Written:
    """The protocol is on the disk."""

    path: Path


def _loaded(book_id: str, test: LetterTest | None) -> LettersLoaded:
    """A test, unless letters are still to be asked for on pages that were taken out since then."""
    to_ask = test.letters[len(test.answers) :] if test is not None else ()
    if any(letter.page < 0 for letter in to_ask):
        return LettersLoaded(book_id, None, UserFacing("letters_gone"))
    return LettersLoaded(book_id, test)


def pages_to_test(book: Book) -> tuple[int, ...]:
    """The pages that have a text."""
    return tuple(page.number for page in book.pages if page.reading_id)


def pages_with_unread_print(book: Book, test: LetterTest) -> tuple[int, ...]:
    """Pages of a test on which print was found that is not in the text."""
    return tuple(
        number
        for number in test.pages
        if 0 <= number < len(book.pages)  # below 0: taken out of the book since then
        and book.pages[number].state is PageState.LOOK
        and Reason.MISSING_INK in book.pages[number].reasons
    )


def _drawn(reader: BookReader, chosen: Sequence[int], *, seed: int, person: str) -> LetterTest:
    """Count the letters of each page first, then fetch those that were drawn."""
    wanted = set(chosen)
    texts = {page: blocks for page, blocks in reader.texts() if page in wanted}
    pages = sorted(texts)
    counts = [sum(len(letters_of(block)) for block in texts[page]) for page in pages]
    if sum(counts) < LETTERS:
        raise FindError("letters_few", found=sum(counts), needed=LETTERS)
    readings: dict[int, Reading] = {}
    letters: list[Letter] = []
    for place, number in drawn(counts, seed):
        page = pages[place]
        if page not in readings:
            reading = reader.current(page)
            assert reading is not None, "its text was there a moment ago"
            readings = {page: reading}  # one after another: the draw is in their order
        letters.append(letter_at(page, readings[page], number))
    now = datetime.now(UTC)
    return LetterTest(0, now, person, seed, tuple(pages), tuple(letters))
