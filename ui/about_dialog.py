"""Version, licence and what Incunable stands on."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QFrame, QPushButton, QTextBrowser, QVBoxLayout

import resources
from app.language import _
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class AboutDialog(QDialog):
    """What the licences ask to be shown, and which engine reads here.

    Args:
        engine: which engine the next run will use and why, in words; "" while it is not known.
        parent: the window.
    """

    def __init__(self, engine: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("About Incunable"))
        notice = QTextBrowser(openExternalLinks=False)
        notice.setMarkdown(resources.path("licences/NOTICE.md").read_text(encoding="utf-8"))
        notice.setFrameShape(QFrame.Shape.NoFrame)
        notice.setAccessibleName(_("Licences"))
        close = QPushButton(_("Close"), default=True)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(f"Incunable {metadata.version('incunable')}"))
        about = _("Free software under the GNU Affero General Public License, version 3 or later.")
        column.addWidget(QuietLabel(about, wraps=True))
        column.addWidget(QuietLabel(engine, wraps=True))
        column.addWidget(notice, 1)
        column.addLayout(foot(None, close))
        size_for(self, letters=96, lines=32)
