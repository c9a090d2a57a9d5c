"""Dialogs about the open book and the program: each asks, and orders what was answered.

No dialog blocks the window but those that ask for a file. How a book is opened is asked in
`ui.opening_questions`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox

import resources
from app.book import Page, PageState
from app.change import Change
from app.crash_report import machine_facts
from app.engine_words import choice_text
from app.errors import UserFacing
from app.language import _
from app.log import LOG_NAME, last_lines
from app.opening import COPY_SUFFIX
from app.places import Places
from app.rounds import accepted_text
from app.session import Session
from ui.about_dialog import AboutDialog
from ui.details_dialog import DetailsDialog
from ui.export_dialog import ExportDialog
from ui.help_view import HelpView, chapters_of
from ui.history_dialog import HistoryDialog
from ui.main_window import MainWindow
from ui.notice import NoticesDialog
from ui.of_book import OfBook
from ui.pages_dialog import PagesDialog
from ui.session_signals import SessionSignals
from ui.settings_dialog import SettingsDialog
from ui.shortcuts_dialog import ShortcutsDialog

REPORT_LINES = 200


class Questions(QObject):
    """Asks about the open book and the program, and orders what was answered. Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, places: Places
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._log_path = places.log / LOG_NAME
        self._export: ExportDialog | None = None
        self._export_told: object = None  # how the last export ended, once a dialog has said so
        self._history: HistoryDialog | None = None
        self._settings: SettingsDialog | None = None
        self._choices: dict[str, Any] = {}
        self._help: HelpView | None = None
        signals.changed.connect(self._on_changed)

    # --- the book -------------------------------------------------------------------------------

    def details(self) -> None:
        """What the catalogue says."""
        if self._session.book is not None:
            self._details_dialog(is_first=False).open()

    def _details_dialog(self, *, is_first: bool) -> DetailsDialog:
        assert self._session.book is not None
        dialog = DetailsDialog(self._session.book.details, is_first=is_first, parent=self._window)
        dialog.saved.connect(
            lambda details: self._tell(self._session.catalogue.set_details(details))
        )
        OfBook(dialog, self._signals)
        return dialog

    def save_copy(self) -> None:
        """Write everything into one portable file."""
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save a copy"), self._folder(), f"Incunable (*{COPY_SUFFIX})"
        )
        if name:
            path = Path(name if name.endswith(COPY_SUFFIX) else f"{name}{COPY_SUFFIX}")
            agreed = path == Path(name)  # the dialog has asked about this very name
            self._tell(self._session.exports.save_copy(path, replace=agreed))

    def save_log(self) -> None:
        """Write the audit log as a table."""
        name, _kind = QFileDialog.getSaveFileName(
            self._window, _("Save the audit log"), self._folder(), "CSV (*.csv)"
        )
        if name:
            path = Path(name if name.endswith(".csv") else f"{name}.csv")
            agreed = path == Path(name)  # the dialog has asked about this very name
            self._tell(self._session.exports.save_log(path, replace=agreed))

    def export(self) -> None:
        """Write a transcript."""
        book = self._session.book
        if book is None:
            return
        folder = book.paths[0].parent if book.paths else Path.home()
        dialog = ExportDialog(book, folder=folder, last=self._choices, parent=self._window)
        dialog.ordered.connect(lambda order: self._tell(self._session.exports.begin(order)))
        dialog.cancel_asked.connect(lambda: self._tell(self._session.exports.stop()))
        dialog.preview_asked.connect(lambda order: self._tell(self._session.exports.look_at(order)))
        dialog.finished.connect(self._on_export_closed)
        self._export, self._export_told = dialog, self._session.exports.ended
        OfBook(dialog, self._signals)
        dialog.open()

    @Slot()
    def _on_export_closed(self) -> None:
        if self._export is not None:
            self._choices = self._export.choices
            self._export = None

    def go_to_page(self) -> None:
        """By the number of the scan or the printed one."""
        self._pages(
            _("Go to which page?"), _("Go"), lambda pages: self._session.turn_to(pages[0]), one=True
        )

    def read_range(self) -> None:
        """Choose the pages to be read."""
        runs = self._session.runs
        self._pages(_("Read which pages?"), _("Read"), lambda pages: runs.start(pages))

    def _pages(
        self, title: str, order: str, do: Callable[[tuple[int, ...]], Change], *, one: bool = False
    ) -> None:
        book = self._session.book
        if book is None:
            return
        labels = [page.label for page in book.pages]
        dialog = PagesDialog(labels, title=title, order=order, is_one=one, parent=self._window)
        dialog.chosen.connect(lambda pages: self._tell(do(pages)))
        OfBook(dialog, self._signals)
        dialog.open()

    # --- the program ----------------------------------------------------------------------------

    def settings(self) -> None:
        """The few settings."""
        dialog = SettingsDialog(self._session.settings, self._window)
        dialog.changed.connect(lambda chosen: self._tell(self._session.set_settings(chosen)))
        dialog.keys_asked.connect(self.shortcuts)
        self._settings = dialog
        dialog.open()

    def shortcuts(self, command_id: str = "") -> None:
        """All keys, to be seen and changed."""
        dialog = ShortcutsDialog(self._session.settings.shortcuts, self._window)
        dialog.changed.connect(self._on_shortcuts)
        if command_id:
            dialog.choose(command_id)
        dialog.open()

    @Slot(object)
    def _on_shortcuts(self, overrides: tuple[tuple[str, str], ...]) -> None:
        self._tell(self._session.set_settings(replace(self._session.settings, shortcuts=overrides)))

    def help(self) -> None:
        """The user's guide."""
        if self._help is None:
            chapters = chapters_of(resources.path("help"))
            self._help = HelpView(chapters, log=self._log_path, parent=self._window)
        self._help.show()
        self._help.raise_()

    def notices(self) -> None:
        """What was told since the window was opened."""
        NoticesDialog(self._session.told, self._window).open()

    def copy_report(self) -> None:
        """Versions, machine and the end of the log, onto the clipboard."""
        facts = "\n".join(f"{name}: {value}" for name, value in machine_facts().items())
        lines = last_lines(self._log_path, REPORT_LINES)
        QGuiApplication.clipboard().setText("\n".join([facts, "", *lines]))
        box = QMessageBox(self._window)
        box.setText(_("The report is on the clipboard. It holds no page text."))
        box.open()

    def show_log(self) -> None:
        """Open the folder of the log."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._log_path.parent)))

    def about(self) -> None:
        """Version, licences and the engines at hand."""
        engine = self._session.welcome.engine
        AboutDialog(choice_text(engine) if engine else "", self._window).open()

    # --- inside ---------------------------------------------------------------------------------

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.export and self._export is not None:
            self._show_export(self._export)
        if change.history:
            self._show_history()
        if change.settings and self._settings is not None:
            self._settings.show_settings(self._session.settings)

    def _show_export(self, dialog: ExportDialog) -> None:
        exports = self._session.exports
        progress, ended = exports.progress, exports.ended
        if exports.preview is not None:
            dialog.show_preview(exports.preview)
        if progress is not None:
            dialog.show_progress(progress.done, progress.pages)
        if ended is self._export_told:
            return
        self._export_told = ended
        if isinstance(ended, UserFacing):
            dialog.show_error(ended)
        elif ended is not None:
            dialog.show_report(ended.report)

    def _show_history(self) -> None:
        histories, book = self._session.histories, self._session.book
        if histories is None or book is None:
            return
        page = book.pages[histories.page]
        dialog = HistoryDialog(
            page_name(page),
            histories.readings,
            current_id=page.reading_id,
            can_change=not self._session.read_only,
            text_scale=self._session.settings.text_scale,
            accepted=accepted_text(page) if page.state is PageState.PROOFREAD else "",
            parent=self._window,
        )
        revert = self._session.proofs.revert
        dialog.make_current_asked.connect(
            lambda reading_id: self._tell(revert(page.number, reading_id))
        )
        dialog.make_current_asked.connect(dialog.accept)
        OfBook(dialog, self._signals)
        dialog.open()

    def _folder(self) -> str:
        """Where the last book lay."""
        book = self._session.book
        recent = [each.paths for each in self._session.welcome.recent if each.paths]
        paths = book.paths if book is not None and book.paths else (recent[0] if recent else ())
        return str(paths[0].parent) if paths else str(Path.home())

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)


def page_name(page: Page) -> str:
    """What a page is called: 'page 13 (ix)'."""
    name = _("page {page}").format(page=page.number + 1)
    return f"{name} ({page.label})" if page.label else name
