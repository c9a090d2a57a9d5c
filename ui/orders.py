"""What each command does: the commands of the menus as calls of the session. No drawing.

Dialogs are opened in `ui.questions` and `ui.opening_questions`; what changes is drawn by
`ui.refresh`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot

import resources
from app.book import Kind
from app.change import Change
from app.run_view import RunState
from app.session import Session
from app.settings import LARGEST_TEXT, SMALLEST_TEXT
from app.store.reader import Match
from ui.main_window import MainWindow
from ui.opening_questions import OpeningQuestions
from ui.page_layout import Fit, Zoom
from ui.questions import Questions
from ui.session_signals import SessionSignals
from ui.visits import Visits

Order = Callable[[], object]

TEXT_STEP = 1.1


class Orders(QObject):
    """Carries commands out. Belongs to `ui`."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        signals: SessionSignals,
        *,
        questions: Questions,
        opening: OpeningQuestions,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._questions = questions
        self._opening = opening
        self._visits = Visits()
        self._orders: dict[str, Order] = {
            **self._file_orders(),
            **self._view_orders(),
            **self._page_orders(),
            **self._run_orders(),
            **self._help_orders(),
        }
        window.commands.ordered.connect(self.carry_out)
        window.commands.switched.connect(self.switch)
        signals.changed.connect(self._on_changed)

    def add(self, orders: Mapping[str, Order]) -> None:
        """Take in what the commands of one subject do."""
        self._orders.update(orders)

    @Slot(str)
    def carry_out(self, command_id: str) -> None:
        """Do what a command says; what was typed reaches the session first."""
        self._window.flush()
        self._orders[command_id]()

    @Slot(str, bool)
    def switch(self, command_id: str, is_on: bool) -> None:  # noqa: FBT001 - a Qt slot
        """Turn something on or off."""
        match command_id:
            case "panel_pages":
                self._window.show_page_list(is_shown=is_on)
            case "show_boxes":
                self._window.image.set_boxes_shown(is_shown=is_on)
            case "full_screen":
                self._window.set_full_screen(is_full=is_on)

    def turn_to(self, page: int) -> None:
        """Show a page of the book."""
        self._window.flush()
        self._tell(self._session.turn_to(page))

    def show_match(self, match: Match) -> None:
        """Show a place that was found in the book."""
        self.turn_to(match.page)
        self._window.finder.show_match(match)

    def set_text_scale(self, steps: int) -> None:
        """Make the text of the text pane larger or smaller, alone."""
        scale = self._session.settings.text_scale * TEXT_STEP**steps
        scale = round(min(max(scale, SMALLEST_TEXT), LARGEST_TEXT), 2)
        self._tell(self._session.set_settings(replace(self._session.settings, text_scale=scale)))

    # --- one table a menu -----------------------------------------------------------------------

    def _file_orders(self) -> dict[str, Order]:
        questions, opening, session = self._questions, self._opening, self._session
        return {
            "open": opening.open_files,
            "open_folder": opening.open_folder,
            "open_recent": opening.open_recent,
            "fetch": opening.fetch,
            "open_sample": lambda: opening.open([resources.path("sample/book.pdf")]),
            "locate": opening.locate,
            "details": questions.details,
            "save": lambda: self._tell(session.proofs.save_again()),
            "save_copy": questions.save_copy,
            "save_log": questions.save_log,
            "export": questions.export,
            "close": lambda: self._tell(session.close_book()),
            "quit": self._window.close,
            "shortcuts": questions.shortcuts,
            "settings": questions.settings,
        }

    def _view_orders(self) -> dict[str, Order]:
        window = self._window
        return {
            "palette": window.open_palette,
            "panel_memory": window.status.open_plot,
            "notices": self._questions.notices,
            "zoom_in": window.image.desk.zoom_in,
            "zoom_out": window.image.desk.zoom_out,
            "zoom_actual": lambda: window.image.desk.set_zoom(Zoom(Fit.FREE, 1.0)),
            "fit_width": lambda: window.image.desk.set_zoom(Zoom(Fit.WIDTH)),
            "fit_page": lambda: window.image.desk.set_zoom(Zoom(Fit.PAGE)),
            "text_larger": lambda: self.set_text_scale(1),
            "text_smaller": lambda: self.set_text_scale(-1),
            "next_pane": lambda: window.next_pane(1),
            "previous_pane": lambda: window.next_pane(-1),
            "find": lambda: window.finder.open(in_book=False),
            "find_book": lambda: window.finder.open(in_book=True),
            "find_next": window.find_bar.find_next,
            "find_previous": window.find_bar.find_previous,
        }

    def _page_orders(self) -> dict[str, Order]:
        session, proofs = self._session, self._session.proofs
        kinds = {f"kind_{kind.value}": partial(self._set_kind, kind) for kind in Kind}
        return {
            "previous_page": lambda: self.turn_to(session.page - 1),
            "next_page": lambda: self.turn_to(session.page + 1),
            "first_page": lambda: self.turn_to(0),
            "last_page": lambda: self.turn_to(self._page_count() - 1),
            "go_to_page": self._questions.go_to_page,
            "next_unfinished": self._next_unfinished,
            "next_round": self._next_for_me,
            "back": lambda: self._visit(self._visits.back()),
            "forward": lambda: self._visit(self._visits.forward()),
            "undo": lambda: self._tell(proofs.undo(session.page)),
            "redo": lambda: self._tell(proofs.redo(session.page)),
            "accept": self._accept,
            "unaccept": lambda: self._tell(proofs.unaccept(self._chosen())),
            "mark_blank": lambda: self._tell(proofs.mark_blank(self._chosen())),
            "by_hand": self._begin_by_hand,
            "history": lambda: self._tell(proofs.history(session.page)),
            **kinds,
        }

    def _run_orders(self) -> dict[str, Order]:
        runs = self._session.runs
        return {
            "start": self._start,
            "pause": self._pause_or_go_on,
            "stop": lambda: self._tell(runs.stop()),
            "read_page": lambda: self.read_again(self._chosen()),
            "read_range": self._questions.read_range,
            "queue_book": self._opening.queue_book,
            "waiting": self._opening.waiting,
            "old_text": lambda: self._tell(self._session.take_old_text()),
        }

    def _help_orders(self) -> dict[str, Order]:
        return {
            "help": self._questions.help,
            "copy_report": self._questions.copy_report,
            "show_log": self._questions.show_log,
            "about": self._questions.about,
        }

    # --- orders of more than one step -----------------------------------------------------------

    def read_again(self, pages: tuple[int, ...]) -> None:
        """Read these pages, also those that were read before."""
        self._tell(self._session.runs.start(pages, again=True))

    def _start(self) -> None:
        runs = self._session.runs
        if runs.view().state is RunState.PAUSED:
            self._tell(runs.resume())
        else:
            self._tell(runs.start())

    def _pause_or_go_on(self) -> None:
        runs = self._session.runs
        is_paused = runs.view().state is RunState.PAUSED
        self._tell(runs.resume() if is_paused else runs.pause())

    def _accept(self) -> None:
        """Accept the chosen pages; after a single one go on to the next that wants work."""
        chosen = self._chosen()
        self._tell(self._session.proofs.accept(chosen))
        if len(chosen) == 1:
            self._next_for_me()

    def _next_for_me(self) -> None:
        page = self._session.next_for_me(self._session.page)
        if page is not None:
            self.turn_to(page)

    def _next_unfinished(self) -> None:
        page = self._session.next_unfinished(self._session.page)
        if page is not None:
            self.turn_to(page)

    def _begin_by_hand(self) -> None:
        self._tell(self._session.proofs.begin_by_hand(self._session.page))
        self._window.text.setFocus()

    def _set_kind(self, kind: Kind) -> None:
        place = self._window.text.place
        if place is not None:
            page = self._session.page
            self._tell(self._session.proofs.set_kind(page, place.region, kind))

    def _visit(self, page: int | None) -> None:
        if page is not None:
            self.turn_to(page)

    def _chosen(self) -> tuple[int, ...]:
        """The pages selected in the list when the shown one is among them, else that one."""
        chosen = self._window.pages.chosen_pages()
        return chosen if self._session.page in chosen else (self._session.page,)

    def _page_count(self) -> int:
        return len(self._session.book.pages) if self._session.book else 0

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book:
            self._visits.clear()
        if change.current_page and self._session.book is not None:
            self._visits.add(self._session.page)
