"""The controls beside a page that is prepared: one line for each treatment. UI thread only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.language import _
from app.prepare.treatment import Side
from ui.dialogs import begin_like_a_line
from ui.labels import QuietLabel
from ui.prepare_draft import Draft, proposal_words
from ui.theme import Space

MOST_DEGREES = 15.0


class PreparePanel(QWidget):
    """Shows a draft and tells what is changed in it; keeps none. Belongs to `ui`."""

    changed = Signal(object)  # a function from the draft before to the one after

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left = QPushButton(_("Turn &left"))
        self.right = QPushButton(_("Turn &right"))
        self.skew = QDoubleSpinBox(decimals=2, singleStep=0.1)
        begin_like_a_line(self.skew)
        self.fold = QCheckBox(_("Split in t&wo at the fold"))
        self.crop = QCheckBox(_("&Cut to the paper"))
        self.content = QCheckBox(_("Only the &print"))
        self.curve = QCheckBox(_("Level curved li&nes"))
        self.light = QCheckBox(_("&Even out the light"))
        self.specks = QCheckBox(_("Take out spec&ks"))
        self.through = QCheckBox(_("Fade print of the &other side"))
        self.binary = QCheckBox(_("&Black on white, to look at"))
        self.reads_binary = QCheckBox(_("for the reader &too"))
        self.proposal = QuietLabel(wraps=True)
        self._build()
        self._connect()

    def show_draft(self, draft: Draft | None) -> None:
        """Stand as the draft has it."""
        self.setEnabled(draft is not None)
        if draft is None:
            self.proposal.show_text("")
            return
        treatment = draft.treatment
        is_whole = treatment.side is Side.WHOLE
        states = {
            self.fold: treatment.fold is not None,
            self.crop: treatment.crop is not None,
            self.content: treatment.content is not None,
            self.curve: treatment.curve is not None,
            self.light: treatment.even_light,
            self.specks: treatment.despeckle,
            self.through: treatment.show_through,
            self.binary: treatment.binarise,
            self.reads_binary: treatment.reads_binary,
        }
        for box, is_on in states.items():
            with QSignalBlocker(box):
                box.setChecked(is_on)
        with QSignalBlocker(self.skew):
            self.skew.setValue(treatment.skew_degrees)
        for widget in (self.left, self.right, self.fold):
            widget.setEnabled(is_whole)
        for widget in (self.skew, self.crop, self.content):
            widget.setEnabled(not draft.is_spread)
        self.curve.setEnabled(draft.has_curve and not draft.is_spread)
        self.reads_binary.setEnabled(treatment.binarise)
        found = proposal_words(draft.page)
        doubtful = bool(draft.page.proposal and draft.page.proposal.doubtful)
        words = _("Found: {steps}").format(steps=found) if found else ""
        self.proposal.show_text(words, warns=doubtful)

    def _build(self) -> None:
        self.skew.setRange(-MOST_DEGREES, MOST_DEGREES)
        self.skew.setSuffix(" °")
        self.skew.setAccessibleName(_("Degrees by which the lines fall"))
        label = QLabel(_("Lines fall b&y"))
        label.setBuddy(self.skew)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addLayout(_row(self.left, self.right))
        column.addLayout(_row(label, self.skew))
        for widget in (self.fold, self.crop, self.content, self.curve):
            column.addWidget(widget)
        column.addSpacing(Space.S)
        for widget in (self.light, self.specks, self.through, self.binary):
            column.addWidget(widget)
        indented = QHBoxLayout()
        indented.addSpacing(Space.XL)
        indented.addWidget(self.reads_binary)
        column.addLayout(indented)
        column.addWidget(self.proposal)
        column.addStretch()

    def _connect(self) -> None:
        self.left.clicked.connect(lambda: self.changed.emit(lambda draft: draft.turned(3)))
        self.right.clicked.connect(lambda: self.changed.emit(lambda draft: draft.turned(1)))
        self.skew.valueChanged.connect(
            lambda degrees: self.changed.emit(lambda draft: draft.with_(skew_degrees=degrees))
        )
        boxes: dict[QCheckBox, Callable[[Draft, bool], Draft]] = {
            self.fold: lambda draft, is_on: draft.with_fold(is_on=is_on),
            self.crop: lambda draft, is_on: draft.with_crop(is_on=is_on),
            self.content: lambda draft, is_on: draft.with_content(is_on=is_on),
            self.curve: lambda draft, is_on: draft.with_curve(is_on=is_on),
            self.light: lambda draft, is_on: draft.with_(even_light=is_on),
            self.specks: lambda draft, is_on: draft.with_(despeckle=is_on),
            self.through: lambda draft, is_on: draft.with_(show_through=is_on),
            self.binary: lambda draft, is_on: draft.with_(binarise=is_on),
            self.reads_binary: lambda draft, is_on: draft.with_(reads_binary=is_on),
        }
        for box, change in boxes.items():
            box.toggled.connect(
                lambda is_on, change=change: self.changed.emit(lambda draft: change(draft, is_on))
            )


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(Space.S)
    for widget in widgets:
        row.addWidget(widget, stretch=1)
    return row
