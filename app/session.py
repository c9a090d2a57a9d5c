"""Session: the open book and all that goes on with it. The only truth; UI thread only, no Qt.

Every order returns a `Change` that says what it touched. What takes time goes to a worker, whose
answer comes back through `post` and is taken in by `apply`, on the UI thread. Reading is in
`Session.runs`, proofreading in `Session.proofs`, writing out in `Session.exports`, and so on: a new
subject is a new part, with an `apply` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from app.answers import (
    BookOpened,
    CorrectionKept,
    CorrectionStored,
    Done,
    ExportEnded,
    Faulted,
    HistoryLoaded,
    OpeningFailed,
    PagesStored,
    ReadingLoaded,
    Refused,
    ask,
)
from app.block_orders import BlockOrders
from app.book import Book, Page, PageState, Reading, Region
from app.catalogue import Catalogue
from app.change import NOTHING, Change
from app.checking import BookJudged, Checking
from app.doubting import Doubts
from app.errors import PasswordNeeded, UserFacing
from app.events import Failed, Finished, PageFinished, ReadBeside, RunEvent, SecondFailed
from app.everywhere import Everywhere
from app.exports import Exports
from app.fetches import Fetches
from app.finding import Finding
from app.finding_values import ReplaceEnded
from app.hyphen_orders import HyphenOrders
from app.imports import Imports
from app.letter_testing import LetterTesting
from app.notices import Notice, Notices
from app.numbering import Numbering
from app.old_text import take_old_text
from app.open_book import OpenBook
from app.opening import Opener, OpenOrder, is_copy
from app.opening_mark import safe
from app.openings import Openings
from app.places import Places
from app.preparing import Preparing
from app.proofs import Proofs
from app.reader import Reader
from app.rounds import wants
from app.runs import Runs, engine_chooser
from app.second_readings import SecondReadings
from app.settings import SETTINGS_NAME, Settings, load_settings, save_settings
from app.shelf import Shelf
from app.welcome import Welcome
from app.workers import Worker, Workers
from app.working import Working
from model import api

T = TypeVar("T")


class Session:
    """Built once, by `ui.main` or by the command line.

    Args:
        places: the folders.
        post: takes events and answers from any thread, and sees to it that `apply` is called with
            each of them, in order, on the UI thread.
        load: loads an engine; a test hands in its own.
    """

    def __init__(
        self,
        places: Places,
        post: Callable[[object], None],
        *,
        load: Callable[[api.EngineChoice], api.Recogniser] = api.load,
    ) -> None:
        self._places = places
        self._post = post
        self._workers = Workers()
        self._shelf = Shelf()
        self._opener = Opener(places, self._workers.store)
        self._notices = Notices()
        self.settings = load_settings(self._settings_path)
        self.openings = Openings(
            self._opener,
            self._workers.jobs,
            post,
            page_limit_megapixels=lambda: self.settings.page_limit_megapixels,
        )
        self.proofs = Proofs(self._shelf, self._workers, post)
        self.proofs.person = self.settings.person
        reader = Reader(post, load=load)
        self.runs = Runs(
            self._shelf,
            self.proofs,
            self._workers,
            reader,
            settings=self.settings,
            cache=places.cache,
        )
        self.exports = Exports(self._shelf, self._workers, post)
        self.exports.person = self.settings.person
        self.imports = Imports(
            self._shelf,
            self._workers,
            post,
            tell=lambda error: self._notices.tell(error, "window"),
        )
        self.welcome = Welcome(self._opener, self._workers, post, cache=places.cache)
        self.catalogue = Catalogue(self._shelf, self._workers, post)
        self.doubts = Doubts(self._shelf, self.proofs, self._workers, post, turn_to=self.turn_to)
        self.finding = Finding(
            self._shelf,
            self.proofs,
            self._workers,
            post,
            is_reading=self.runs.is_reading,
            page=lambda: self.page,
        )
        self.everywhere = Everywhere(self._shelf, self.doubts, self.finding)
        self.blocks = BlockOrders(
            self.proofs,
            self._shelf,
            self._workers,
            post,
            why_not=self.why_not_editable,
            refuse=lambda error: self._notices.tell(error, "text"),
        )
        self.numbering = Numbering(self._shelf)
        self.hyphens = HyphenOrders(self.proofs, self._shelf, self._workers, post)
        self.preparing = Preparing(
            self._shelf,
            self.proofs,
            self._workers,
            post,
            is_read=lambda book_id: self.runs.run is not None and self.runs.run.book_id == book_id,
            refuse=lambda error: self._notices.tell(error, "window"),
            about_to=lambda: self.working.flush(),  # what was spent was spent on the pages till now
            renumbered=self._renumbered,
        )
        self.working = Working(
            self._shelf,
            self._workers,
            post,
            page=lambda: self.page,
            person=lambda: self.proofs.person,
        )
        self.checking = Checking(self._shelf, self.proofs, self._workers, post)
        self.second = SecondReadings(
            self._shelf,
            self.proofs,
            self._workers,
            post,
            reader,
            choose=lambda engine: engine_chooser(self.settings, engine, cache=places.cache),
            checkpoint=lambda: self.settings.checkpoint,
            is_editable=self.is_editable,
            refuse=lambda error: self._notices.tell(error, "text"),
        )
        self.letters = LetterTesting(self._shelf, self.proofs, self._workers, post)
        self.fetches = Fetches(post, places.data)
        self._parts = (
            self.preparing,
            self.hyphens,
            self.proofs,
            self.exports,
            self.imports,
            self.welcome,
            self.doubts,
            self.catalogue,
            self.finding,
            self.working,
            self.letters,
            self.fetches,
            self.checking,
            self.second,
        )
        self.page = 0
        self._is_closed = False
        self.histories: HistoryLoaded | None = None

    # --- what views ask -------------------------------------------------------------------------

    @property
    def book(self) -> Book | None:
        """The book that is shown."""
        return self._shelf.book

    @property
    def read_only(self) -> bool:
        """Whether another window or program holds this book."""
        return self._shelf.shown is not None and self._shelf.shown.read_only

    @property
    def shown(self) -> OpenBook | None:
        """The book that is shown, with its images."""
        return self._shelf.shown

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What was told and not yet dismissed, the newest last."""
        return self._notices.open

    @property
    def told(self) -> tuple[tuple[datetime, UserFacing], ...]:
        """All that was told since the start."""
        return self._notices.told

    def page_at(self, number: int) -> Page:
        """A page of the shown book; its state is `READING` while the engine writes it."""
        assert self.book is not None
        page = self.book.pages[number]
        if self.runs.is_reading(self.book.id, number):
            return replace(page, state=PageState.READING, reasons=())
        return page

    def reading(self, number: int) -> Reading | None:
        """The current reading of a page, if it is loaded."""
        return self.proofs.reading(number)

    def stream(self, number: int) -> tuple[Region, ...] | None:
        """What the engine has written of a page so far, None if it is not under way."""
        return self.runs.stream(number)

    def is_editable(self, number: int) -> bool:
        """Whether a person may type into this page now."""
        if self.book is None or self.read_only or self.reading(number) is None:
            return False
        is_changing = self.finding.is_replacing or self.preparing.is_arranging
        return not is_changing and not self.runs.is_reading(self.book.id, number)

    def may_undo(self, number: int) -> bool:
        """Whether a correction of this page may be taken back now, be it one without a text."""
        is_free = self.book is not None and self.why_not_editable(number) is None
        return is_free and self.proofs.is_loaded(number)

    def why_not_editable(self, number: int) -> UserFacing | None:
        """Why a page may not be changed now; None where it may."""
        if self.book is not None and self.runs.is_reading(self.book.id, number):
            return UserFacing("page_being_read", page=number + 1)
        if self.finding.is_replacing:
            return UserFacing("book_being_replaced")
        if self.preparing.is_arranging:
            return UserFacing("book_being_arranged")
        return self._shelf.shown.store.refusal if self._shelf.shown is not None else None

    def next_unfinished(self, after: int) -> int | None:
        """The next page that nobody has proofread and that is not blank, round the book."""
        count = len(self.book.pages) if self.book else 0
        for step in range(1, count + 1):
            number = (after + step) % count
            if self.page_at(number).state not in {PageState.PROOFREAD, PageState.BLANK}:
                return number
        return None

    def next_for_me(self, after: int) -> int | None:
        """The next page that waits for a round of the person in the settings, round the book."""
        if self.book is None:
            return None
        count, rounds = len(self.book.pages), self.book.details.rounds
        for step in range(1, count + 1):
            number = (after + step) % count
            if wants(self.page_at(number), self.proofs.person, rounds=rounds):
                return number
        return None

    # --- orders ---------------------------------------------------------------------------------

    def open(
        self, paths: Sequence[Path], *, password: str | None = None, store_path: Path | None = None
    ) -> Change:
        """Open a scan, or a portable copy; comes as `BookOpened` or `OpeningFailed`.

        Args:
            paths: the scan: a file, a folder, or several images.
            password: of an encrypted file.
            store_path: the database whose scan was found again at `paths`.
        """
        self.openings.begin(OpenOrder(tuple(paths), password=password, store_path=store_path))
        self.runs.opening = self.openings.name
        return Change(run=True)

    def close_book(self) -> Change:
        """Put the shown book away; a run on it goes on."""
        self.working.flush()
        opened, self._shelf.shown = self._shelf.shown, None
        if opened is None:
            return NOTHING
        self._let_go(opened)
        self.page, self.histories = 0, None
        self.finding.forget()
        self.letters.forget()
        return Change(book=True, current_page=True) | self.welcome.load_recent()

    def turn_to(self, number: int) -> Change:
        """Show another page."""
        if self.book is None or not 0 <= number < len(self.book.pages):
            return NOTHING
        changed = number != self.page
        self.page = number
        return self.proofs.load(number) | Change(current_page=changed)

    def read_queue(self) -> Change:
        """Begin with the next waiting book, when nothing is read at the moment."""
        waiting = self.runs.take_from_queue()
        if waiting is None:
            return NOTHING
        self.openings.begin(OpenOrder(waiting.paths, to_show=False))
        return Change(queue=True)

    def take_old_text(self) -> Change:
        """Take the text layer of the PDF for pages that have no text; comes page by page."""
        opened = self._shelf.shown
        if opened is None or not opened.images.info.has_text_layer:
            return NOTHING
        book_id, store, images = opened.book.id, opened.store, opened.images
        pages = opened.pages_to_read(None, again=False)

        def tell(page: Page, reading: Reading) -> None:
            self._post(PagesStored(book_id, (page,), replace(reading, id=page.reading_id)))

        self._ask_jobs(
            lambda: take_old_text(pages, images, store, self._workers.store, tell=tell),
            lambda _taken: Done("old text"),
            "old text",
        )
        return NOTHING

    @property
    def lost_store(self) -> Path | None:
        """The database of the book that could not be opened since its scan is gone, if known."""
        failed = self.openings.lost
        if failed is None:
            return None
        if is_copy(failed.paths):
            return failed.paths[0]
        return self.welcome.store_of(failed.paths)

    def set_settings(self, settings: Settings) -> Change:
        """Take other settings; they hold from now on, those of the engine from the next run on."""
        if settings == self.settings:
            return NOTHING
        self.settings = self.runs.settings = settings
        self.proofs.person = self.exports.person = settings.person
        self._ask_store(
            lambda: save_settings(self._settings_path, settings),
            lambda _: Done("settings"),
            "settings",
        )
        self.welcome.choose_engine(settings)
        return Change(settings=True)

    def be_safe(self) -> None:
        """Read with as little as possible until the settings are changed or the program ends."""
        self.runs.settings = safe(self.settings)
        self.welcome.choose_engine(self.runs.settings)

    def dismiss(self, number: int) -> Change:
        """Take a notice off the screen."""
        return self._notices.dismiss(number)

    def close(self) -> bool:
        """Stop the run, write what is left, free everything; False when something hung."""
        self._is_closed = True
        self.openings.close()
        self.exports.close()
        self.imports.stop()
        self.preparing.search.stop()
        self.working.flush()
        self.proofs.save_again()
        stopped = self.runs.close()
        for opened in self._shelf.all():
            self._put_away(opened)
        self._workers.store.submit(self._opener.close)
        fetched = self.fetches.close()
        return self._workers.close() and stopped and fetched

    # --- what workers and the run tell ----------------------------------------------------------

    def apply(self, event: object) -> Change:
        """Take an event of a run or an answer of a worker in; after the end only faults count."""
        if self._is_closed and not isinstance(event, Faulted):
            return NOTHING
        if isinstance(event, RunEvent):
            return self._apply_run(event)
        for part in self._parts:
            change = part.apply(event)
            if change is not None:
                self.runs.next_engine = self.welcome.next_engine
                change |= self._on_proof(event) | self.doubts.follow(event)
                return change | self.second.follow(event)
        match event:
            case BookOpened() | OpeningFailed():
                return self._on_opening_ended(event)
            case Refused(error=error):
                return self._notices.tell(error, "window")
            case Faulted(error=error):
                raise error
            case _:
                return self._keep(event)

    def _on_proof(self, event: object) -> Change:
        """What the text pane tells of saving and loading."""
        match event:
            case CorrectionKept(error=error) | ReadingLoaded(error=UserFacing() as error):
                return self._notices.tell(error, "text")
            case CorrectionStored(book_id=book_id, page=page):
                self.working.count_edit(book_id, page.number)
                return self._on_saved(book_id)
            case ExportEnded() | Refused(order="export"):
                self._let_go_of_others()
                return NOTHING
            case BookJudged(book_id=book_id):
                return self._on_saved(book_id)
            case ReplaceEnded(book_id=book_id, pages=pages) if self._shelf.is_shown(book_id):
                return self.doubts.judge_again([page.number for page in pages])
            case _:
                return NOTHING

    def _on_saved(self, book_id: str) -> Change:
        """A book that was only kept for its unsaved text may go, and the warning with it."""
        opened = self._shelf.get(book_id)
        if opened is not None and opened is not self._shelf.shown:
            self._let_go(opened)
        if self.proofs.has_unsaved:
            return NOTHING
        return self._notices.withdraw("store_unwritable")

    def _keep(self, event: object) -> Change:
        """Answers that are only to be remembered."""
        match event:
            case HistoryLoaded():
                self.histories = event
                return Change(history=True)
            case _:
                return NOTHING

    def _renumbered(self) -> Change:
        """Page numbers mean other pages: forget what was kept by them, stay near where one was."""
        assert self.book is not None
        self.page = min(self.page, len(self.book.pages) - 1)
        self.histories = self.hyphens.listed = None
        self.doubts.forget()
        self.finding.forget()
        self.letters.forget()
        return self.proofs.load(self.page) | Change(book=True, current_page=True)

    def _apply_run(self, event: RunEvent) -> Change:
        run = self.runs.run
        change = self.runs.apply(event)
        if run is None or not change:
            return change
        if isinstance(event, Failed | SecondFailed):
            change |= self._notices.tell(event.error, "run")
        if isinstance(event, PageFinished):
            change |= self.doubts.follow_run(run.book_id, event.page.number)
            change |= self.proofs.place_words(run.book_id, event.page.number)
        if isinstance(event, ReadBeside):
            change |= self.doubts.follow_run(run.book_id, event.page.number) | Change(saved=True)
            change |= self.proofs.place_words(run.book_id, event.page.number)
        self.checking.follow_run(run.book_id, event)
        if self.runs.run is None:
            opened = self._shelf.get(run.book_id)
            if opened is not None and opened is not self._shelf.shown:
                self._let_go(opened)
            if isinstance(event, Finished | Failed):
                change |= self.read_queue()
        return change

    def _on_opening_ended(self, event: BookOpened | OpeningFailed) -> Change:
        self.openings.end(event)
        self.runs.opening = self.openings.name
        is_open = isinstance(event, BookOpened)
        change = self._on_opened(event) if is_open else self._on_opening_failed(event)
        self._let_go_of_others()  # what was kept for the case that it was opened once more
        return change

    def _on_opened(self, event: BookOpened) -> Change:
        opened = self._shelf.get(event.opened.book.id)
        if opened is not None:
            return self._on_opened_again(opened, event)
        opened = event.opened
        self._shelf.put(opened)
        told = self._notices.tell(event.notice, "window") if event.notice else NOTHING
        if not event.to_show:
            return told | self.runs.read(opened) | Change(queue=True)
        return told | self._show(opened, event.view)

    def _on_opened_again(self, known: OpenBook, event: BookOpened) -> Change:
        """The book was open already, in this very window: what was opened now is not needed."""
        event.opened.images.close()
        self._workers.store.submit(event.opened.store.close)
        if not event.to_show:
            return self.runs.read(known) | Change(queue=True)
        if known is not self._shelf.shown:
            return self._show(known, event.view)
        return Change(run=True)

    def _show(self, opened: OpenBook, view: dict[str, object]) -> Change:
        self.working.flush()
        before, self._shelf.shown = self._shelf.shown, opened
        if before is not None and before is not opened:
            self._let_go(before)
        self.catalogue.view, self.histories = view, None
        self.finding.begin(opened)
        self.letters.forget()
        page = view.get("page", 0)
        last = len(opened.book.pages) - 1
        self.page = max(0, min(page if isinstance(page, int) else 0, last))
        self.catalogue.note_opening(self.settings.person)
        loading = self.proofs.load(self.page)
        return loading | self.welcome.load_recent() | Change(book=True, current_page=True, run=True)

    def _on_opening_failed(self, event: OpeningFailed) -> Change:
        if event.error.code == "opening_given_up":
            return NOTHING
        if event.to_show:
            asks = isinstance(event.error, PasswordNeeded)
            told = NOTHING if asks else self._notices.tell(event.error, "window")
            return told | Change(opening_failed=True, run=True)
        return self._notices.tell(event.error, "run") | self.read_queue()

    def _let_go(self, opened: OpenBook) -> None:
        """Close a book that is neither shown, read nor exported, and whose text is on the disk.

        While one is opened it stays: were it this very one, that had found it held, by this window.
        """
        run, book_id = self.runs.run, opened.book.id
        if self.openings.is_under_way:
            return
        if run is not None and run.book_id == book_id:
            return
        if self.proofs.is_unsaved(book_id) or self.exports.is_writing(book_id):
            return
        if self.checking.is_checking(book_id):
            return
        self._shelf.take(opened.book.id)
        self.proofs.forget_book(opened.book.id)
        self._put_away(opened)

    def _let_go_of_others(self) -> None:
        """Close the books that were only kept for what has ended now."""
        for opened in tuple(self._shelf.all()):
            if opened is not self._shelf.shown:
                self._let_go(opened)

    def _put_away(self, opened: OpenBook) -> None:
        """Close a book's files, and note for the list of recent books how far it is."""
        opened.images.close()
        store, page = opened.store, self.page
        self._workers.store.submit(self._opener.remember, opened.book, store.path, page)
        self._workers.store.submit(store.close)

    # --- workers --------------------------------------------------------------------------------

    @property
    def _settings_path(self) -> Path:
        return self._places.config / SETTINGS_NAME

    def _ask_store(
        self, function: Callable[[], T], answer: Callable[[T], object], order: str
    ) -> None:
        self._ask(self._workers.store, function, answer, order)

    def _ask_jobs(
        self, function: Callable[[], T], answer: Callable[[T], object], order: str
    ) -> None:
        self._ask(self._workers.jobs, function, answer, order)

    def _ask(
        self, worker: Worker, function: Callable[[], T], answer: Callable[[T], object], order: str
    ) -> None:
        refused = partial(Refused, order=order)
        ask(worker, self._post, function, answer=answer, refused=refused)
