"""Builds the window with all that it needs, runs the loop, and closes in order."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLocale, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox
from qasync import QEventLoop

import resources
from app import language
from app.errors import StoreError
from app.log import Log
from app.opening_mark import OpeningMark
from app.places import Places, places
from app.session import Session
from app.settings import SETTINGS_NAME, load_settings
from ui.block_desk import BlockDesk
from ui.concern_desk import ConcernDesk
from ui.covers import Covers
from ui.doubt_desk import DoubtDesk
from ui.end_signals import EndSignals
from ui.everywhere_desk import EverywhereDesk
from ui.faults import Faults
from ui.garbage import Garbage
from ui.import_desk import ImportDesk
from ui.leaving import Leaving
from ui.letter_desk import LetterDesk
from ui.looks_orders import LooksOrders
from ui.main_window import MainWindow
from ui.opening_questions import OpeningQuestions
from ui.orders import Orders
from ui.prepare_desk import PrepareDesk
from ui.progress_desk import ProgressDesk
from ui.questions import Questions
from ui.refresh import Refresh
from ui.replace_desk import ReplaceDesk
from ui.safe_start import SafeStart
from ui.second_desk import SecondDesk
from ui.session_signals import SessionSignals
from ui.sign_desk import SignDesk
from ui.text_desk import TextDesk
from ui.theme import Theme

log = logging.getLogger(__name__)

SWITCH_S = 0.001
"""Threads that compute pass the interpreter on after so long, instead of Python's 5 ms: drawing a
page takes it some dozens of times, and waits that long each time while the engine computes."""


@dataclass
class Studio:
    """Everything that is built once; tests and benches hold on to it as the program does."""

    window: MainWindow
    session: Session
    signals: SessionSignals
    orders: Orders
    questions: Questions
    opening: OpeningQuestions
    leaving: Leaving
    refresh: Refresh
    safe: SafeStart
    garbage: Garbage

    def close(self) -> bool:
        """Remember how the window lies, stop the run, save, free; False when something hung."""
        self.safe.end()
        self.refresh.remember()
        is_clean = self.session.close()
        self.garbage.release()  # no other thread is left that could collect what belongs to Qt
        return is_clean


def build(where: Places, theme: Theme, *, make_session: Callable[..., Session] = Session) -> Studio:
    """Build the window and connect it; nothing is shown yet and no engine is loaded.

    Args:
        where: the folders.
        theme: applies the looks to the application.
        make_session: makes the session from `places` and `post`; a test hands in its own.
    """
    signals = SessionSignals()
    session = make_session(where, signals.post)
    signals.attach(session)
    window = MainWindow(session.settings.shortcuts)
    signals.setParent(window)
    garbage = Garbage(window)
    garbage.watch()
    questions = Questions(window, session, signals, where)
    opening = OpeningQuestions(window, session, signals)
    orders = Orders(window, session, signals, questions=questions, opening=opening)
    covers = Covers(where.cache / "covers", window)
    refresh = Refresh(window, session, signals, theme=theme, covers=covers)
    DoubtDesk(window, session, signals, orders)
    EverywhereDesk(window, session, signals, orders)
    LooksOrders(window)
    ReplaceDesk(window, session, signals, orders)
    ImportDesk(window, session, signals, orders)
    TextDesk(window, session, signals, orders)
    BlockDesk(window, session, signals, orders)
    SecondDesk(window, session, signals, orders)
    ConcernDesk(window, session, signals, orders)
    SignDesk(window, session, signals, orders)
    ProgressDesk(window, session, signals, orders)
    LetterDesk(window, session, signals, orders)
    PrepareDesk(window, session, signals, orders)
    leaving = Leaving(window, session, signals)
    safe = SafeStart(window, session, signals, OpeningMark(where.data))
    studio = Studio(
        window, session, signals, orders, questions, opening, leaving, refresh, safe, garbage
    )
    _connect(studio)
    refresh.show_all()
    return studio


def _connect(studio: Studio) -> None:
    """What the panes tell becomes orders."""
    window, session, orders = studio.window, studio.session, studio.orders
    questions, opening = studio.questions, studio.opening
    proofs, runs, tell = session.proofs, session.runs, studio.signals.tell
    window.pages.page_chosen.connect(orders.turn_to)
    window.tools.page_asked.connect(orders.turn_to)
    window.find_bar.match_chosen.connect(orders.show_match)
    window.side.ordered.connect(orders.carry_out)
    window.pages.read_asked.connect(orders.read_again)
    window.pages.accept_asked.connect(lambda pages: tell(proofs.accept(pages)))
    window.pages.unaccept_asked.connect(lambda pages: tell(proofs.unaccept(pages)))
    window.pages.blank_asked.connect(lambda pages: tell(proofs.mark_blank(pages)))
    window.text.edited.connect(lambda *edit: tell(proofs.correct(*edit)))
    window.text.kind_asked.connect(lambda *asked: tell(proofs.set_kind(*asked)))
    window.text.undo_asked.connect(lambda: orders.carry_out("undo"))
    window.text.redo_asked.connect(lambda: orders.carry_out("redo"))
    window.text.scale_asked.connect(orders.set_text_scale)
    bar = window.status.run_bar
    bar.start_asked.connect(lambda: orders.carry_out("start"))
    bar.pause_asked.connect(lambda: tell(runs.pause()))
    bar.resume_asked.connect(lambda: tell(runs.resume()))
    bar.stop_asked.connect(lambda: tell(runs.stop()))
    window.find_bar.find_asked.connect(
        lambda asked, earlier: tell(session.finding.find(asked, in_earlier=earlier))
    )
    window.notice.dismissed.connect(lambda number: tell(session.dismiss(number)))
    window.notice.all_asked.connect(questions.notices)
    window.palette_card.chosen.connect(lambda command_id: window.commands[command_id].trigger())
    window.palette_card.key_change_asked.connect(questions.shortcuts)
    window.paths_dropped.connect(opening.open)
    window.leave_asked.connect(studio.leaving.ask)
    start = window.start
    start.open_asked.connect(lambda: orders.carry_out("open"))
    start.open_folder_asked.connect(lambda: orders.carry_out("open_folder"))
    start.sample_asked.connect(lambda: orders.carry_out("open_sample"))
    start.book_chosen.connect(opening.open)
    start.paths_dropped.connect(opening.open)
    start.forget_asked.connect(lambda path: tell(session.welcome.forget(path)))


def run_window(paths: Sequence[Path], *, starts_reading: bool = False) -> int:
    """Open the window on a book, or on the list of books; returns when it is closed."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("Incunable")
    application.setDesktopFileName("incunable")
    application.setWindowIcon(QIcon(str(resources.path("icons/incunable.svg"))))
    try:
        where = places()
    except StoreError as error:
        return _refuse(error)
    log_file = Log(where.log)
    _speak(load_settings(where.config / SETTINGS_NAME).language)
    loop = QEventLoop(application)
    asyncio.set_event_loop(loop)
    studio = build(where, Theme(application))
    faults = Faults(studio.window, log_file.path)
    faults.watch()
    ends = EndSignals(studio.window)
    ends.interrupted.connect(studio.window.close)
    ends.ended.connect(studio.window.leave)
    ends.ended.connect(application.quit)  # also when the window waits for the answer of a dialog
    ends.watch()
    loop.set_exception_handler(faults.on_loop_exception)
    studio.window.show()
    keep_lively()
    QTimer.singleShot(0, lambda: _begin(studio, paths, starts_reading=starts_reading))
    try:
        with loop:
            loop.run_forever()
    finally:
        ends.release()
        faults.release()
        is_clean = studio.close()
        log_file.close()
    return 0 if is_clean else 1


def _refuse(error: StoreError) -> int:
    """Say that there is no place to keep anything in; there can be no window without."""
    sys.stderr.write(f"{error}\n")
    QMessageBox.critical(None, "Incunable", str(error))
    return 1


def keep_lively() -> None:
    """Let neither the collector of garbage nor a thread that computes hold the window up."""
    sys.setswitchinterval(SWITCH_S)
    gc.freeze()  # what the window is made of stays: 30 ms less whenever all is looked through


def _speak(chosen: str) -> None:
    """Let texts and numbers be in the language of the settings, or the system's."""
    locale = QLocale(chosen) if chosen else QLocale.system()
    QLocale.setDefault(locale)
    language.use(locale.name())


def _begin(studio: Studio, paths: Sequence[Path], *, starts_reading: bool) -> None:
    """What needs no waiting for before the window is seen."""
    studio.signals.tell(studio.session.welcome.load_recent())
    studio.signals.tell(studio.session.welcome.choose_engine(studio.session.settings))
    studio.safe.begin(lambda: _open(studio, paths, starts_reading=starts_reading))


def _open(studio: Studio, paths: Sequence[Path], *, starts_reading: bool) -> None:
    if paths:
        studio.opening.open(paths, starts_reading=starts_reading)
