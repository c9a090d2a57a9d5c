"""Draws what the session says: each change of it reaches the views that show what it touched."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from app.change import Change
from app.engine_words import choice_text
from app.events import TextAdded
from app.numbering import jump_text
from app.pages import Priority
from app.run_view import RunState
from app.session import Session
from ui.command import Need
from ui.covers import Covers
from ui.main_window import MainWindow
from ui.session_signals import SessionSignals
from ui.theme import Theme

REMEMBER_MS = 1500
"""After the last turn of a page or move of a splitter, before it is remembered."""


class Refresh(QObject):
    """Reads each `Change` and shows it. Belongs to `ui`; asks for images, orders nothing else."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        signals: SessionSignals,
        *,
        theme: Theme,
        covers: Covers,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._theme = theme
        self._covers = covers
        self._remember = QTimer(self, singleShot=True, interval=REMEMBER_MS)
        self._remember.timeout.connect(self.remember)
        signals.event_taken.connect(self._on_event)
        signals.changed.connect(self._on_changed)
        window.status.fresh_view_wanted.connect(self._on_tick)

    def show_all(self) -> None:
        """Draw everything, as when the window opens."""
        everything = Change(book=True, current_page=True, run=True, memory=True, settings=True)
        self._on_changed(everything)

    @Slot()
    def remember(self) -> None:
        """Keep where the person is in the book, and how the window lies."""
        if self._session.book is not None:
            view = {"page": self._session.page, **self._window.layout_state()}
            self._signals.tell(self._session.catalogue.remember_view(view))

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book:
            self._show_book()
        if change.settings:
            self._show_settings()
        if change.recent or change.engine or change.book:
            self._show_start()
        if self._session.book is not None:
            self._show_changed_book(change)
        if change.run or change.pages or change.queue or change.book or change.engine:
            self._show_run()
        if change.memory:
            self._window.status.show_memory(self._session.runs.memory)
        if change.notice or change.opening_failed:
            self._window.notice.show_notices(self._session.notices)
        self._window.commands.set_facts(self._facts())
        if change.current_page:
            self._remember.start()

    def _show_changed_book(self, change: Change) -> None:
        if change.details or change.book:
            self._show_title()
        if change.current_page:
            self._show_page()
        if change.pages:
            self._window.pages.update_pages(map(self._session.page_at, sorted(change.pages)))
        if change.pages or change.book:
            jumps = self._session.numbering.jumps()
            self._window.pages.show_odd_numbers({at: jump_text(j) for at, j in jumps.items()})
        page = self._session.page
        if page in change.pages and not self._window.tools.number.hasFocus():
            self._show_number()
        if change.images:
            self._window.pages.forget_thumbnails(change.images)
            if page in change.images:
                self._window.image.reload()
        is_locked = self._window.text.editor.isReadOnly()
        is_other = page in change.readings | change.pages or (
            change.preparing and is_locked == self._session.is_editable(page)
        )
        if not change.current_page and is_other:
            self._show_text()
        if change.found:
            self._window.find_bar.show_found(self._session.finding.found)

    # --- the book -------------------------------------------------------------------------------

    def _show_book(self) -> None:
        opened = self._session.shown
        window = self._window
        if opened is None:
            window.pages.set_book((), None)
            window.side.set_book(None)
            window.tools.show_page(None, ())
            window.show_start()
            return
        images = opened.images
        window.pages.set_book(
            opened.book.pages,
            lambda page, size_px: images.prepared(
                page, fit=(size_px, size_px), priority=Priority.THUMBNAIL
            ),
        )
        window.side.set_book(
            lambda page, *, fit=None, scale=1.0: images.prepared(
                page, fit=fit, scale=scale, priority=Priority.VISIBLE
            )
        )
        window.restore_layout(self._session.catalogue.view)
        self._covers.keep(opened.store.path, images)
        window.pages.set_changeable(is_changeable=not opened.read_only)

    def _show_title(self) -> None:
        book = self._session.book
        assert book is not None
        name = book.paths[0].stem if book.paths else ""
        self._window.show_book(book.details.title or name)
        self._window.text.set_direction(book.details.direction)
        self._show_rounds()

    def _show_rounds(self) -> None:
        book = self._session.book
        rounds = book.details.rounds if book is not None else 1
        self._window.side.set_rounds(self._session.settings.person, rounds)
        if book is not None:
            self._show_text()

    def _show_page(self) -> None:
        number = self._session.page
        self._window.pages.show_current(number)
        self._show_number()
        page = self._session.preparing.shown_page(self._session.page_at(number))
        self._window.image.show_page(number, page.size)
        self._show_text()

    def _show_number(self) -> None:
        book = self._session.book
        assert book is not None
        self._window.tools.show_page(self._session.page, [each.label for each in book.pages])

    def _show_text(self) -> None:
        """The page as it stands: what streams, or its reading once that is loaded."""
        session, number = self._session, self._session.page
        stream = session.stream(number)
        if stream is None and not session.proofs.is_loaded(number):
            return  # a few milliseconds; the text before stays so long
        jumps = session.numbering.jumps()
        self._window.side.show_page(
            session.preparing.shown_page(session.page_at(number)),
            reading=session.preparing.shown_reading(number, session.reading(number)),
            stream=None if stream is None else session.preparing.on_image(number, stream),
            is_editable=session.is_editable(number),
            is_changeable=not session.read_only,
            odd_number=jump_text(jumps[number]) if number in jumps else "",
        )

    @Slot(object, object)
    def _on_event(self, event: object, _change: Change) -> None:
        if isinstance(event, TextAdded) and self._is_shown(event):
            self._window.text.add_pieces(event.pieces)
            stream = self._session.stream(event.page) or ()
            shown = self._session.preparing.on_image(event.page, stream)
            self._window.image.show_regions(shown, fades=True)

    def _is_shown(self, event: TextAdded) -> bool:
        run, book = self._session.runs.run, self._session.book
        if run is None or book is None or run.book_id != book.id:
            return False
        return event.page == self._session.page

    # --- the rest -------------------------------------------------------------------------------

    def _show_run(self) -> None:
        view = self._session.runs.view()
        self._window.status.show_run(view)
        self._window.commands.set_paused(is_paused=view.state is RunState.PAUSED)
        run, book = self._session.runs.run, self._session.book
        here = run is not None and book is not None and run.book_id == book.id
        self._window.pages.show_reading(run.page if run is not None and here else None)

    @Slot()
    def _on_tick(self) -> None:
        self._window.status.tick(self._session.runs.view())

    def _show_settings(self) -> None:
        settings = self._session.settings
        self._theme.choose(settings.theme)
        self._window.text.set_scale(settings.text_scale)
        self._window.commands.set_shortcuts(settings.shortcuts)
        self._window.side.set_shortcuts(settings.shortcuts)
        self._show_rounds()

    def _show_start(self) -> None:
        session, start = self._session, self._window.start
        start.show_recent(session.welcome.recent, missing=session.welcome.missing)
        for book in session.welcome.recent:
            picture = self._covers.of(book.store_path)
            if picture is not None:
                start.show_picture(book.store_path, picture)
        if session.welcome.engine is not None:
            start.show_engine(choice_text(session.welcome.engine))

    def _facts(self) -> Need:
        """What is possible now, for the commands."""
        facts = Need.NOTHING
        session, runs = self._session, self._session.runs
        state = runs.view().state
        if state in {RunState.RUNNING, RunState.PAUSED}:
            facts |= Need.PAUSE | Need.STOP
        if runs.queue:
            facts |= Need.WAITING
        if session.lost_store is not None:
            facts |= Need.LOST
        if session.book is None:
            return facts
        facts |= Need.BOOK
        reading = session.reading(session.page)
        if reading is not None and reading.text:
            facts |= Need.TEXT
        if session.read_only or session.preparing.is_arranging:
            return facts
        facts |= Need.CHANGE
        if session.shown is not None and session.shown.images.info.has_text_layer:
            facts |= Need.OLD_TEXT
        if session.is_editable(session.page):
            facts |= Need.EDIT
        if session.may_undo(session.page):
            facts |= Need.UNDO | Need.REDO
        if state is RunState.PAUSED or (state is RunState.IDLE and runs.has_unread()):
            facts |= Need.START
        return facts
