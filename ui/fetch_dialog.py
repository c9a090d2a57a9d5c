"""Asks for the address of a IIIF manifest, shows what it is and where it lies, and fetches.

Nothing is asked of a server before a button was pressed for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.errors import UserFacing
from app.fetches import Ended, Fetches
from app.language import _
from app.sentences import sentence
from ui.dialogs import foot, heading, size_for, spaced
from ui.labels import QuietLabel
from ui.theme import Space

if TYPE_CHECKING:
    from app.fetching.manifest import Manifest


class FetchDialog(QDialog):
    """Shows where a fetch stands; orders are told by signals."""

    look_asked = Signal(str)
    fetch_asked = Signal()
    stop_asked = Signal()
    fetched = Signal(object)  # the METS file

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.file = QPushButton(_("From a &file…"), autoDefault=False)
        self.look = QPushButton(_("&Look at it"), default=True)
        self.said = QuietLabel("", wraps=True)
        self.bar = QProgressBar()
        self.fetch = QPushButton(_("Fetch the &images"), autoDefault=False)
        self.cancel = QPushButton(_("Cancel"), autoDefault=False)
        self._build()
        self._connect()

    def show_fetches(self, fetches: Fetches) -> None:
        """Show what is known now."""
        manifest = fetches.looked.manifest if fetches.looked else None
        can_fetch = manifest is not None and not fetches.is_busy
        self.line.setEnabled(not fetches.is_busy)
        self.look.setEnabled(not fetches.is_busy and bool(self.line.text().strip()))
        self.fetch.setVisible(manifest is not None)
        self.fetch.setEnabled(can_fetch)
        self.bar.setVisible(fetches.is_busy)
        if fetches.progress is not None:
            self.bar.setRange(0, fetches.progress.images)
            self.bar.setValue(fetches.progress.done)
        else:
            self.bar.setRange(0, 0)
        self._say(fetches, manifest)
        if can_fetch and fetches.ended is None:
            self.fetch.setDefault(True)
            self.fetch.setFocus()
        if isinstance(fetches.ended, Ended) and fetches.ended.record is not None:
            self.fetched.emit(fetches.ended.record)
            self.accept()

    @override
    def reject(self) -> None:
        self.stop_asked.emit()
        super().reject()

    def _say(self, fetches: Fetches, manifest: Manifest | None) -> None:
        ended = fetches.ended
        if isinstance(ended, UserFacing):
            said = sentence(ended)
            self.said.show_text(f"{said.happened} {said.means} {said.next}", warns=True)
        elif fetches.progress is not None:
            self.said.show_text(
                _("{done} of {images} images are here. What is here stays if you cancel.").format(
                    done=fetches.progress.done, images=fetches.progress.images
                )
            )
        elif manifest is not None:
            self.said.show_text(_about(manifest))
        else:
            self.said.show_text(
                _("The address is asked for the list of images only; you then see whose they are.")
            )

    def _build(self) -> None:
        self.setWindowTitle(_("Fetch a book"))
        self.line.setPlaceholderText("https://…/manifest.json")
        self.line.setAccessibleName(_("Address of the IIIF manifest"))
        self.bar.setAccessibleName(_("Images fetched"))
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.fetch.hide()
        self.look.setEnabled(False)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.line, 1)
        row.addWidget(self.file)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Address of the book's IIIF manifest")))
        column.addLayout(row)
        column.addWidget(self.said)
        column.addWidget(self.bar)
        column.addStretch()
        column.addLayout(foot(None, self.cancel, self.look, self.fetch))
        size_for(self, letters=84, lines=14)
        self.line.setFocus()

    def _connect(self) -> None:
        self.line.textChanged.connect(lambda text: self.look.setEnabled(bool(text.strip())))
        self.look.clicked.connect(lambda: self.look_asked.emit(self.line.text().strip()))
        self.file.clicked.connect(self._on_file)
        self.fetch.clicked.connect(lambda: self.fetch_asked.emit())
        self.cancel.clicked.connect(self.reject)

    def _on_file(self) -> None:
        name, _kind = QFileDialog.getOpenFileName(
            self, _("A IIIF manifest"), "", f"{_('Manifests')} (*.json);;{_('All files')} (*)"
        )
        if name:
            self.line.setText(name)
            self.look_asked.emit(name)


def _about(manifest: Manifest) -> str:
    lines = [
        manifest.title or _("A book without a title"),
        _("{count} images on {hosts}").format(
            count=len(manifest.canvases), hosts=", ".join(manifest.hosts)
        ),
    ]
    if manifest.rights:
        lines.append(_("Rights: {rights}").format(rights=manifest.rights[:200]))
    return "\n".join(lines)
