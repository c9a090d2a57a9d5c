"""How far proofreading is: rounds, time and corrections a page, and what is left."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QFrame,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.language import _, plural
from app.progress import ENOUGH_PAGES, Progress, span_text
from app.run_view import duration_text
from ui.dialogs import foot, heading, heighten, size_for, spaced
from ui.labels import QuietLabel
from ui.numbers import share, short
from ui.theme import Space


class ProgressDialog(QDialog):
    """Shows what it is told; nothing is measured here. Belongs to `ui`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QProgressBar()
        self.gone_through, self.a_page, self.edits, self.left = (QLabel() for _line in range(4))
        self.people = QTreeWidget()
        self.close_button = QPushButton(_("Close"), default=True)
        self._build()
        self.close_button.clicked.connect(self.accept)

    def show_progress(self, progress: Progress) -> None:
        """Show how things stand now."""
        self.bar.setRange(0, max(1, progress.rounds_in_all))
        self.bar.setValue(progress.rounds_done)
        self.gone_through.setText(share(progress.rounds_done, progress.rounds_in_all))
        self.a_page.setText(_measured(progress.seconds_a_page, span_text))
        self.edits.setText(_measured(progress.edits_a_page, short))
        self.left.setText(_left(progress))
        self.people.clear()
        for each in progress.shares:
            line = [each.person or _("without a name"), str(each.pages)]
            QTreeWidgetItem(self.people, [*line, span_text(each.seconds), str(each.edits)])
        heighten(self)

    def _build(self) -> None:
        self.setWindowTitle(_("Progress of proofreading"))
        self.bar.setAccessibleName(_("Pages proofread"))
        self.bar.setTextVisible(False)
        form = QFormLayout()
        form.setHorizontalSpacing(Space.L)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        for text, label in (
            (_("Pages proofread, every round counted"), self.gone_through),
            (_("Time at work a page, in the middle"), self.a_page),
            (_("Corrections a page, in the middle"), self.edits),
            (_("Left"), self.left),
        ):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
            label.setAccessibleName(text)
            form.addRow(text, label)
        self.people.setHeaderLabels([_("Who"), _("Pages"), _("Time at work"), _("Corrections")])
        self.people.setRootIsDecorated(False)
        self.people.setFrameShape(QFrame.Shape.NoFrame)
        self.people.setAccessibleName(_("Who has done what"))
        fits = QHeaderView.ResizeMode.ResizeToContents
        self.people.header().setSectionResizeMode(fits)
        self.people.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.people.header().setStretchLastSection(False)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(heading(_("Progress of proofreading")))
        column.addWidget(self.bar)
        column.addLayout(form)
        column.addWidget(self.people, 1)
        column.addWidget(
            QuietLabel(
                _(
                    "Measured on this machine and kept with the book; it is sent nowhere. After a "
                    "minute without a key or a turn of the page the clock stands still."
                ),
                wraps=True,
            )
        )
        column.addLayout(foot(None, self.close_button))
        size_for(self, letters=80, lines=24)


def _measured(value: float | None, text_of: Callable[[float], str]) -> str:
    return _("not measured yet") if value is None else text_of(value)


def _left(progress: Progress) -> str:
    if progress.seconds_left is not None:
        return _("about {time} at work").format(time=duration_text(progress.seconds_left))
    more = ENOUGH_PAGES - progress.pages_measured
    return plural("told after {n} more page", "told after {n} more pages", more)
