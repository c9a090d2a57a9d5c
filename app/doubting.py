"""The doubt queue of the book that is shown: built on `jobs`, walked and answered on the UI thread.

The book is judged some pages at a time, so that what else is asked of `jobs` waits no longer than
for these; what is judged can be walked while the rest is under way. A correction is followed at
once from what was changed in the text; a page with another reading is judged anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from app.answers import CorrectionStored, Done, PagesStored, Post, ReadingLoaded, Refused, ask
from app.book import Page, PageState, Reading
from app.change import NOTHING, Change
from app.desk.doubts import Doubt, Entry, Leaf, with_listed, with_other
from app.desk.judging import Judge
from app.desk.queue import DoubtQueue
from app.desk.walk import Walk
from app.judged_pages import judge_of, judged
from app.open_book import OpenBook
from app.proofs import Proofs
from app.shelf import Shelf
from app.store.verdicts import Said, Verdict
from app.workers import Workers

PAGES_AT_ONCE = 20
"""Judged in one go; some tenths of a second."""


@dataclass(frozen=True)
class DoubtsBegun:
    """What was said of the book's words before, and who will judge them."""

    book_id: str
    verdicts: tuple[Verdict, ...]
    words: frozenset[str]
    judge: Judge
    queue_number: int  # which queue asked


@dataclass(frozen=True)
class PagesJudged:
    """Some pages were judged; a page without text has None."""

    book_id: str
    leaves: tuple[tuple[int, Leaf | None], ...]
    queue_number: int  # which queue asked
    is_anew: bool = False  # not part of the building of the queue


@dataclass
class _Desk:
    """The doubts of one book."""

    book_id: str
    number: int = 0  # queues are numbered: what was asked for one is nothing to the next
    walk: Walk = field(default_factory=lambda: Walk(DoubtQueue()))
    judge: Judge | None = None
    to_judge: tuple[int, ...] = ()
    total: int = 0
    is_building: bool = False
    is_built: bool = False

    @property
    def queue(self) -> DoubtQueue:
        return self.walk.queue


class Doubts:
    """Belongs to the UI thread. Every order is about the book that is shown.

    Args:
        shelf: the books.
        proofs: corrections go through it.
        workers: `jobs` judges, `store` keeps what is said.
        post: as the session's.
        turn_to: shows another page.
    """

    def __init__(
        self,
        shelf: Shelf,
        proofs: Proofs,
        workers: Workers,
        post: Post,
        *,
        turn_to: Callable[[int], Change],
    ) -> None:
        self._shelf = shelf
        self._proofs = proofs
        self._workers = workers
        self._post = post
        self._turn_to = turn_to
        self._desk = _Desk("")
        self._numbers = count(1)

    # --- what views ask -------------------------------------------------------------------------

    @property
    def queue(self) -> tuple[Doubt, ...]:
        """All that is to be asked about, as it will be walked: see `app.desk.order`."""
        return tuple(entry.doubt for entry in self._here().queue.order)

    @property
    def is_building(self) -> bool:
        """Whether pages are still to be judged; what is judged can be walked."""
        return self._here().is_building

    @property
    def progress(self) -> float:
        """The share of the pages that is judged, 0..1."""
        desk = self._here()
        if desk.is_built or not desk.total:
            return float(desk.is_built)
        return 1 - len(desk.to_judge) / desk.total

    @property
    def threshold(self) -> float:
        """Words less likely to be wrong are out of the queue, 0..1."""
        return self._here().queue.threshold

    @property
    def left(self) -> int:
        """How many words are to be asked about."""
        return self._here().queue.left

    def left_at(self, threshold: float) -> int:
        """How many there would be with another threshold."""
        return self._here().queue.left_at(threshold)

    @property
    def looked_at(self) -> int:
        """How many words were called right or corrected so far."""
        return self._here().queue.looked_at().total()

    @property
    def found_share(self) -> float | None:
        """The share of real errors among the words looked at so far; None before the first."""
        return self.found_share_at(0.0)

    def found_share_at(self, threshold: float) -> float | None:
        """The same among those at least so likely to be wrong."""
        looked_at = self._here().queue.looked_at(threshold)
        return looked_at[Said.WRONG] / looked_at.total() if looked_at else None

    @property
    def at(self) -> Doubt | None:
        """The doubt that is looked at."""
        return self._here().walk.at

    def doubts_of(self, page: int) -> tuple[Doubt, ...]:
        """The doubts of a page in the order of the text, for underlining."""
        self._follow_typing(page)
        return self._here().queue.doubts_of(page)

    def is_called_right(self, page: int, region: int, start: int) -> bool:
        """Whether a person said of the word that stands there that it is right."""
        return self._here().queue.is_right_at(page, region, start)

    # --- orders ---------------------------------------------------------------------------------

    def build(self) -> Change:
        """Judge the whole book, if that was not done yet; comes page by page."""
        opened, desk = self._shelf.shown, self._here()
        if opened is None or desk.is_building or desk.is_built:
            return NOTHING
        desk.is_building = True
        desk.to_judge = tuple(page.number for page in opened.book.pages if page.reading_id)
        desk.total = len(desk.to_judge)
        if desk.judge is None:
            self._begin(opened, desk.number)
        else:  # it was begun before and could not be ended
            self._judge_some()
        return Change(doubts=True)

    def set_threshold(self, threshold: float) -> Change:
        """Leave words out that are less likely to be wrong than this, 0..1."""
        self._here().queue.threshold = threshold
        return Change(doubts=True)

    def next(self) -> Change:
        """Go to the next doubt, and to its page; the first call begins to build the queue."""
        return self.build() | self._show(self._here().walk.next())

    def previous(self) -> Change:
        """Go back to the doubt looked at before, answered or not."""
        entry = self._here().walk.previous()
        return self._show(entry) if entry else NOTHING

    def go_to(self, doubt: Doubt) -> Change:
        """Go to a doubt that was chosen from the queue or on a page."""
        entry = self._here().walk.go_to(doubt)
        return self._show(entry) if entry else NOTHING

    def accept(self) -> Change:
        """Say that the word is right, and go on to the next."""
        return self._say(Said.RIGHT)

    def accept_everywhere(self) -> Change:
        """Say that this word is right wherever it stands in the book, and go on to the next."""
        entry, opened = self._here().walk.entry, self._shelf.shown
        if entry is None or opened is None or not self._may_say:
            return NOTHING
        word, person, store = entry.key.word, self._proofs.person, opened.store
        self._here().queue.say_everywhere(word)
        self._on_store(lambda: store.add_word(word, person=person))
        return self._say(Said.RIGHT)

    def take_other(self) -> Change:
        """Put in what the other reading has here, and go on to the next."""
        return self._take(with_other) if self.at and self.at.other else NOTHING

    def take_listed(self) -> Change:
        """Put in what the word lists make of the word, and go on to the next."""
        return self._take(with_listed) if self.at and self.at.listed else NOTHING

    def defer(self) -> Change:
        """Put the word off until the others are done, and go on to the next."""
        return self._say(Said.LATER)

    def forget(self) -> None:
        """Page numbers mean other pages: judge the book anew when it is walked next."""
        self._desk = _Desk("")

    def judge_again(self, pages: Sequence[int]) -> Change:
        """Judge pages anew whose text was changed in the store; comes as answers do."""
        opened, desk = self._shelf.shown, self._here()
        judge = desk.judge
        if opened is None or judge is None or not pages:
            return NOTHING
        numbers, book_id, store = tuple(pages), opened.book.id, opened.store
        asked_by = desk.number
        ask(
            self._workers.jobs,
            self._post,
            lambda: judged(store, judge, numbers),
            answer=lambda leaves: PagesJudged(book_id, leaves, asked_by, is_anew=True),
            refused=lambda error: Refused(error, "doubts"),
        )
        return NOTHING

    # --- what workers and the run tell ----------------------------------------------------------

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about doubts."""
        match answer:
            case DoubtsBegun():
                return self._on_begun(answer)
            case PagesJudged():
                return self._on_judged(answer)
            case Refused(order="doubts"):
                self._here().is_building = False
                return None  # the session tells it
            case _:
                return None

    def follow(self, event: object) -> Change:
        """Take in what others told: a correction was saved, a page has another text."""
        desk = self._here()
        match event:
            case CorrectionStored(book_id=book_id, page=page) if book_id == desk.book_id:
                return self._follow_saved(page.number)
            case PagesStored(book_id=book_id, pages=pages, reading=reading) if (
                book_id == desk.book_id
            ):
                return self._follow_pages(pages, is_other_text=reading is not None)
            case ReadingLoaded(book_id=book_id, page=number) if book_id == desk.book_id:
                return self._follow_typing(number)
            case _:
                return NOTHING

    def follow_run(self, book_id: str, page: int) -> Change:
        """Take in that a run has read a page."""
        return self.judge_again([page]) if book_id == self._here().book_id else NOTHING

    # --- inside ---------------------------------------------------------------------------------

    def _here(self) -> _Desk:
        """The desk of the book that is shown; another book has another."""
        book_id = self._shelf.book.id if self._shelf.book else ""
        if self._desk.book_id != book_id:
            self._desk = _Desk(book_id, next(self._numbers))
        return self._desk

    def _begin(self, opened: OpenBook, asked_by: int) -> None:
        book_id, store, language = opened.book.id, opened.store, opened.book.details.language

        def begin() -> DoubtsBegun:
            with store.reader() as reader:
                judge = judge_of(reader, language=language)
                return DoubtsBegun(book_id, reader.verdicts(), reader.book_words(), judge, asked_by)

        ask(
            self._workers.jobs,
            self._post,
            begin,
            answer=lambda begun: begun,
            refused=lambda error: Refused(error, "doubts"),
        )

    def _on_begun(self, begun: DoubtsBegun) -> Change:
        desk = self._here()
        if begun.queue_number != desk.number or desk.judge is not None:
            return NOTHING
        threshold = desk.queue.threshold
        desk.walk = Walk(DoubtQueue(begun.verdicts, begun.words))
        desk.queue.threshold = threshold
        desk.judge = begun.judge
        self._close_proofread(self._shelf.book.pages if self._shelf.book else ())
        self._judge_some()
        return Change(doubts=True)

    def _judge_some(self) -> None:
        """Judge the next pages; when none is left the queue is built."""
        opened, desk = self._shelf.shown, self._here()
        judge, numbers = desk.judge, desk.to_judge[:PAGES_AT_ONCE]
        if opened is None or judge is None or not numbers:
            desk.is_building, desk.is_built = False, True
            return
        book_id, store, asked_by = opened.book.id, opened.store, desk.number
        ask(
            self._workers.jobs,
            self._post,
            lambda: judged(store, judge, numbers),
            answer=lambda leaves: PagesJudged(book_id, leaves, asked_by),
            refused=lambda error: Refused(error, "doubts"),
        )

    def _on_judged(self, judged: PagesJudged) -> Change:
        desk = self._here()
        if judged.queue_number != desk.number:
            return NOTHING
        for page, leaf in judged.leaves:
            self._put(page, leaf)
        if not judged.is_anew:
            desk.to_judge = desk.to_judge[len(judged.leaves) :]
            self._judge_some()
        return Change(doubts=True)

    def _put(self, page: int, leaf: Leaf | None) -> None:
        desk = self._here()
        if leaf is None:
            desk.queue.drop(page)
            return
        desk.walk.put(leaf)
        reading = self._proofs.reading(page)
        if reading is not None and _texts(reading) != leaf.texts:  # corrected meanwhile
            self._move(leaf, _texts(reading))

    def _follow_pages(self, pages: Sequence[Page], *, is_other_text: bool) -> Change:
        """What a person has accepted as a whole is asked about no more."""
        self._close_proofread(pages)
        change = self._follow_other_text(pages[0].number) if is_other_text else NOTHING
        return change | Change(doubts=True)

    def _follow_other_text(self, page: int) -> Change:
        """The page has another reading: no word of it was corrected by that."""
        leaf, reading = self._here().queue.leaf(page), self._proofs.reading(page)
        if leaf is not None and reading is not None and _texts(reading) != leaf.texts:
            self._move(leaf, _texts(reading))
        return self.judge_again([page])

    def _close_proofread(self, pages: Sequence[Page]) -> None:
        for page in pages:
            is_closed = page.state in {PageState.PROOFREAD, PageState.BLANK}
            self._here().walk.close(page.number, is_closed=is_closed)

    def _follow_saved(self, page: int) -> Change:
        """What could not be followed while it was typed is judged anew once it is saved."""
        change = self._follow_typing(page)
        return change if self._here().queue.leaf(page) else change | self.judge_again([page])

    def _follow_typing(self, page: int) -> Change:
        """Take in what was typed into a page since it was last looked at."""
        leaf, reading = self._here().queue.leaf(page), self._proofs.reading(page)
        if leaf is None or reading is None or _texts(reading) == leaf.texts:
            return NOTHING
        touched = self._move(leaf, _texts(reading))
        if reading.source.by == "hand":  # else it was read again, and nobody said anything
            for entry in touched:
                self._note_wrong(entry)
        return Change(doubts=True)

    def _move(self, leaf: Leaf, texts: tuple[str, ...]) -> tuple[Entry, ...]:
        """Give the doubts of a page the places of its present text; those that were answered."""
        touched, kept = self._here().walk.follow(leaf, texts)
        for verdict in kept:
            self._keep(verdict)
        return touched

    @property
    def _may_say(self) -> bool:
        """Whether answers can be kept, under the numbers that pages have now."""
        opened = self._shelf.shown
        return opened is not None and not opened.read_only and not self._proofs.is_renumbering

    def _take(self, corrected: Callable[[str, Doubt], str]) -> Change:
        at, entry = self.at, self._here().walk.entry  # without an entry the place is an old one
        reading = self._proofs.reading(at.page) if at else None
        if at is None or entry is None or reading is None or not self._may_say:
            return NOTHING
        text = reading.regions[at.region].text
        change = self._proofs.correct(at.page, at.region, corrected(text, at))
        return change | self._follow_typing(at.page) | self.next()

    def _note_wrong(self, entry: Entry) -> None:
        key = self._here().queue.next_wrong(entry.key.page, entry.key.word)
        self._keep(Verdict(*key, Said.WRONG, entry.doubt.chance, self._proofs.person))

    def _say(self, said: Said) -> Change:
        entry = self._here().walk.entry
        if entry is None or not self._may_say:
            return NOTHING
        self._keep(Verdict(*entry.key, said, entry.doubt.chance, self._proofs.person))
        return self.next()

    def _keep(self, verdict: Verdict) -> None:
        opened = self._shelf.shown
        assert opened is not None
        self._here().queue.say(verdict)
        store = opened.store
        if not opened.read_only:  # who has the book open for writing says what is to be kept
            self._on_store(lambda: store.save_verdict(verdict))

    def _on_store(self, function: Callable[[], None]) -> None:
        ask(
            self._workers.store,
            self._post,
            function,
            answer=lambda _nothing: Done("verdict"),
            refused=lambda error: Refused(error, "verdict"),
        )

    def _show(self, entry: Entry | None) -> Change:
        """Turn to the page of a doubt."""
        turned = self._turn_to(entry.doubt.page) if entry else NOTHING
        return turned | Change(doubts=True)


def _texts(reading: Reading) -> tuple[str, ...]:
    return tuple(region.text for region in reading.regions)
