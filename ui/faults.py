"""Catches what nobody caught: logs it whole and shows the one crash dialog."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.crash_report import crash_report
from app.log import last_lines
from ui.crash_dialog import CrashDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

log = logging.getLogger(__name__)

REPORT_LINES = 200


class Faults(QObject):
    """Stands behind `sys.excepthook` and its kin while the window is open. Belongs to `ui`."""

    _happened = Signal(object)  # from any thread

    def __init__(self, window: QWidget, log_path: Path) -> None:
        super().__init__(window)
        self._window = window
        self._log_path = log_path
        self._dialog: CrashDialog | None = None
        self._happened.connect(self._on_happened, Qt.ConnectionType.QueuedConnection)

    def watch(self) -> None:
        """Take the hooks of the process, until `release`."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception

    def release(self) -> None:
        """Give the hooks back."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__

    def on_loop_exception(self, _loop: asyncio.AbstractEventLoop, told: dict[str, Any]) -> None:
        """Take a fault of a coroutine; a handler of the event loop."""
        error = told.get("exception")
        if isinstance(error, BaseException):
            self._tell(error)
        else:
            log.error("the event loop says: %s", told.get("message"))

    def _on_exception(
        self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            self._window.close()
        else:
            self._tell(error)

    def _on_thread_exception(self, told: threading.ExceptHookArgs) -> None:
        if told.exc_value is not None:
            self._tell(told.exc_value)

    def _tell(self, error: BaseException) -> None:
        log.error("a fault of the program", exc_info=error)
        self._happened.emit(error)

    @Slot(object)
    def _on_happened(self, error: BaseException) -> None:
        report = crash_report(error, log_lines=last_lines(self._log_path, REPORT_LINES))
        if self._dialog is not None and self._dialog.isVisible():
            self._dialog.add(report)
            return
        self._dialog = CrashDialog(report, log=self._log_path, parent=self._window)
        self._dialog.quit_asked.connect(self._window.close)
        self._dialog.open()
