"""Find and replace over the book: what to find, what to put there, and every place to look at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFormLayout,
    QFrame,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.book import Page
from app.finding_values import Asked, Plan, ReplaceEnded, accepted_pages
from app.finding_words import ended_text
from app.language import _, plural
from app.sentences import sentence
from ui.dialogs import foot, size_for, spaced
from ui.flow import Flow
from ui.labels import QuietLabel
from ui.replace_places import PLACE_ROLE, PlaceDelegate, PlacesModel, rows_of
from ui.theme import Space

REST_MS = 300  # of rest, before the whole book is searched


class ReplaceDialog(QDialog):
    """Orders what is chosen; the book stays in view and can be turned. Belongs to `ui`."""

    plan_asked = Signal(object, str)  # `Asked`, what to put instead
    replace_asked = Signal(object, object)  # `Plan`, list of `Planned`
    take_back_asked = Signal()
    place_chosen = Signal(object)  # `Match`, to be shown

    def __init__(self, asked: Asked, *, can_change: bool, parent: QWidget | None = None) -> None:
        """Build the dialog.

        Args:
            asked: what to find at first.
            can_change: False where the book is only shown.
            parent: the window.
        """
        super().__init__(parent)
        self._can_change = can_change
        self._plan: Plan | None = None
        self._rows: tuple[range, ...] = ()  # of the list, on proofread pages
        self.sought = QLineEdit(asked.text)
        self.instead = QLineEdit()
        self.whole_word = _option(_("Whole &words only"), is_on=asked.whole_word)
        self.match_case = _option(_("Match &case"), is_on=asked.match_case)
        self.diacritics = _option(_("&Diacritics do not matter"), is_on=asked.ignore_diacritics)
        self.pattern = _option(_("Regular &expression"), is_on=asked.is_pattern)
        self.proofread_too = QCheckBox()
        self.places = PlacesModel(self)
        self.list = QListView()
        self.says = QuietLabel(wraps=True)
        self.replace = QPushButton(autoDefault=False)
        self.take_back = QPushButton(_("&Take back the last replacement"), autoDefault=False)
        self.close_button = QPushButton(_("Close"), autoDefault=False)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._build()
        self._connect()
        self._show_count()
        self._on_typed()

    @property
    def asked(self) -> Asked:
        """What is looked for now."""
        return Asked(
            self.sought.text(),
            whole_word=self.whole_word.isChecked(),
            match_case=self.match_case.isChecked(),
            ignore_diacritics=self.diacritics.isChecked(),
            is_pattern=self.pattern.isChecked(),
        )

    def show_plan(self, plan: Plan | None, pages: Sequence[Page]) -> None:
        """List what would be replaced; places on proofread pages are not ticked at first."""
        self._plan = plan
        places = plan.places if plan is not None else ()
        accepted = accepted_pages(plan, pages) if plan is not None else {}
        self._rows = rows_of(plan.pages if plan is not None else (), accepted)
        self.proofread_too.setVisible(bool(accepted))
        self.proofread_too.setText(
            _("&Proofread pages too: {places} on {pages}").format(
                places=plural("{n} place", "{n} places", sum(accepted.values())),
                pages=plural("{n} page", "{n} pages", len(accepted)),
            )
        )
        but = () if self.proofread_too.isChecked() else self._rows
        self.places.show_places(places, but=but)
        if plan is not None:
            self._say_found(plan)

    def show_ended(self, ended: ReplaceEnded) -> None:
        """Say what was done, and look again."""
        self._on_typed()
        self.says.show_text(ended_text(ended), warns=ended.error is not None)

    def _say_found(self, plan: Plan) -> None:
        if plan.error is not None:
            self.says.show_text(" ".join(sentence(plan.error)), warns=True)
        elif plan.total > len(plan.places):
            first = _("These are the first {n} of {total} places; replace again for the others.")
            self.says.show_text(first.format(n=len(plan.places), total=plan.total))
        elif not plan.places and not self.says.text():
            self.says.show_text(_("Not found in the book."))
        elif not self.says.text():
            self.says.show_text(
                _("Space leaves a place out or takes it in; Enter shows it on its page.")
            )

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(_("Replace in the book"))
        self.list.setModel(self.places)
        self.list.setItemDelegate(PlaceDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setAccessibleName(_("Places that will be replaced"))
        form = QFormLayout()
        form.addRow(_("&Find"), self.sought)
        form.addRow(_("Replace wit&h"), self.instead)
        options = QWidget()
        flow = Flow(options, across_px=Space.L, down_px=Space.XS)
        for option in (self.whole_word, self.match_case, self.diacritics, self.pattern):
            flow.addWidget(option)
        column = QVBoxLayout(self)
        spaced(column)
        column.addLayout(form)
        column.addWidget(options)
        column.addWidget(self.list, 1)
        column.addWidget(self.proofread_too)
        column.addWidget(self.says)
        column.addLayout(foot(self.take_back, None, self.replace, self.close_button))
        self.proofread_too.hide()
        self.take_back.setEnabled(self._can_change)
        size_for(self, letters=96, lines=26)

    def _connect(self) -> None:
        self._rest.timeout.connect(self._on_rested)
        self.finished.connect(self._rest.stop)
        for line in (self.sought, self.instead):
            line.textChanged.connect(self._on_typed)
            line.returnPressed.connect(self._on_rested)
        for option in (self.whole_word, self.match_case, self.diacritics, self.pattern):
            option.toggled.connect(self._on_typed)
        self.proofread_too.toggled.connect(self._on_accepted)
        self.places.chosen_changed.connect(self._show_count)
        self.list.activated.connect(self._on_activated)
        self.replace.clicked.connect(self._on_replace)
        self.take_back.clicked.connect(self.take_back_asked)
        self.close_button.clicked.connect(self.accept)

    # --- what is done ---------------------------------------------------------------------------

    @Slot()
    def _on_typed(self) -> None:
        self._plan = None
        self.says.show_text("")
        self.places.show_places((), but=())
        self._rest.start()

    @Slot()
    def _on_rested(self) -> None:
        self._rest.stop()
        self.plan_asked.emit(self.asked, self.instead.text())

    @Slot(bool)
    def _on_accepted(self, is_on: bool) -> None:  # noqa: FBT001 - a Qt slot
        self.places.tick(self._rows, is_on=is_on)

    @Slot()
    def _show_count(self) -> None:
        self.replace.setText(plural("&Replace {n} place", "&Replace {n} places", self.places.count))
        self.replace.setEnabled(self._can_change and self.places.count > 0)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.place_chosen.emit(index.data(PLACE_ROLE).match)

    @Slot()
    def _on_replace(self) -> None:
        if self._plan is not None:
            self.replace.setEnabled(False)
            self.list.setFocus()
            self.replace_asked.emit(self._plan, self.places.chosen())


def _option(text: str, *, is_on: bool) -> QCheckBox:
    option = QCheckBox(text)
    option.setChecked(is_on)
    return option
