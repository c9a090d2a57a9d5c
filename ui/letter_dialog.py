"""The letter test: one letter after another, each right or wrong, by two keys."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.desk.letter_test import CLAIMS, LETTERS, LetterTest
from app.errors import UserFacing
from app.language import _
from app.letter_words import exact_text, result_text, so_far_text
from app.page_range import pages_of, range_of
from app.sentences import sentence
from ui.dialogs import foot, heading, size_for, spaced
from ui.faces import reading_font
from ui.labels import QuietLabel
from ui.letter_image import LetterImage
from ui.theme import Space

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from ui.picture import Picture

RIGHT_KEYS = (Qt.Key.Key_Right, Qt.Key.Key_J)
WRONG_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_F)


class LetterDialog(QDialog):
    """Asks, and tells what was answered; the test itself is the session's. Belongs to `ui`."""

    begin_asked = Signal(object)  # tuple of page numbers
    answered = Signal(bool)  # whether the letter is right
    back_asked = Signal()
    protocol_asked = Signal()

    def __init__(
        self,
        pages: Sequence[int],
        labels: Sequence[str],
        *,
        can_change: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        """Build the dialog.

        Args:
            pages: those with a text, offered to be tested.
            labels: printed numbers of all pages.
            can_change: False where the book is only shown.
            parent: the window.
        """
        super().__init__(parent)
        self._labels = labels
        self._can_change = can_change
        self._test: LetterTest | None = None
        self.pages = QLineEdit(range_of(pages))
        self.begin = QPushButton(_("&Begin"), autoDefault=False)
        self.bar = QProgressBar()
        self.image = LetterImage()
        self.context = QLabel()
        self.so_far = QuietLabel(wraps=True)
        self.wrong = QPushButton(_("Wrong (Left or F)"), autoDefault=False)
        self.right = QPushButton(_("Right (Right or J)"), autoDefault=False)
        self.back = QPushButton(_("One back (Backspace)"), autoDefault=False)
        self.verdict = QLabel()
        self.protocol = QPushButton(_("&Save protocol…"), autoDefault=False)
        self.again = QPushButton(_("&Another test"), autoDefault=False)
        self.says = QuietLabel(wraps=True)
        self._stack = QStackedWidget()
        self._build()
        self._connect()

    def show_test(self, test: LetterTest | None) -> None:
        """Show where a test stands: to begin, the next letter, or its result."""
        self._test = test
        if test is None:
            self._stack.setCurrentIndex(0)
            self.pages.setFocus()
        elif test.is_ended:
            self._show_result(test)
        else:
            self._show_letter(test)

    def show_image(self, picture: Picture | None, *, said: str = "") -> None:
        """Show the page of the letter that is asked for, as soon as it has come."""
        test = self._test
        if test is not None and not test.is_ended:
            self.image.show_letter(picture, test.letters[len(test.answers)].box, said=said)

    def show_error(self, error: UserFacing | None) -> None:
        """Say why no test was begun, or no protocol written."""
        told = " ".join(part for part in sentence(error) if part) if error is not None else ""
        self.says.show_text(told, warns=error is not None)
        self.begin.setEnabled(self._can_change)

    def show_written(self, path: Path) -> None:
        """Say that the protocol is on the disk."""
        self.says.show_text(_("The protocol is in {name}.").format(name=path.name))

    def _show_letter(self, test: LetterTest) -> None:
        done, letter = len(test.answers), test.letters[len(test.answers)]
        self._stack.setCurrentIndex(1)
        self.bar.setRange(0, len(test.letters))
        self.bar.setValue(done)
        shown = html.escape(letter.letter)
        before, behind = html.escape(letter.before), html.escape(letter.behind)
        self.context.setText(f"{before}<b><u>&#8203;{shown}&#8203;</u></b>{behind}")
        place = _("Letter {n} of {total}, page {page}: does the ink show “{letter}”?").format(
            n=done + 1, total=len(test.letters), page=letter.page + 1, letter=letter.letter
        )
        self.context.setAccessibleName(place)
        wrong = _("Wrong so far: {n}.").format(n=test.wrong)
        self.so_far.show_text(f"{place} {wrong} {so_far_text(test)}")
        self.back.setEnabled(done > 0)
        self.image.setFocus()

    def _show_result(self, test: LetterTest) -> None:
        self._stack.setCurrentIndex(2)
        self.verdict.setText(f"{result_text(test)}\n\n{exact_text(test)}")
        self.protocol.setFocus()

    # --- how it lies ----------------------------------------------------------------------------

    def _build(self) -> None:
        self.setWindowTitle(_("Letter test"))
        self._stack.addWidget(self._start_page())
        self._stack.addWidget(self._letter_page())
        self._stack.addWidget(self._result_page())
        close = QPushButton(_("Close"), autoDefault=False)
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        spaced(column)
        column.addWidget(self._stack, 1)
        column.addWidget(self.says)
        column.addLayout(foot(None, close))
        self.begin.setEnabled(self._can_change)
        size_for(self, letters=92, lines=26)

    def _start_page(self) -> QWidget:
        page, column = _page()
        column.addWidget(heading(_("Letter test")))
        said = _(
            "{letters} letters are drawn at random from the text of these pages. You compare each "
            "with its ink and say whether it is right. It can be left and gone on with at any time."
        )
        column.addWidget(QuietLabel(said.format(letters=LETTERS), wraps=True))
        column.addWidget(QuietLabel(_table_text(), wraps=True))
        label = QLabel(_("&Pages"))
        label.setBuddy(self.pages)
        column.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.pages, 1)
        row.addWidget(self.begin)
        column.addLayout(row)
        column.addStretch()
        return page

    def _letter_page(self) -> QWidget:
        page, column = _page()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(_("Letters answered"))
        self.image.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.context.setFont(reading_font(self.font(), 1.5))
        self.context.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.context.setTextFormat(Qt.TextFormat.RichText)
        self.context.setMinimumWidth(1)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        for button in (self.wrong, self.right):
            row.addWidget(button, 1)
        column.addWidget(self.bar)
        column.addWidget(self.image, 1)
        column.addWidget(self.context)
        column.addWidget(self.so_far)
        column.addLayout(row)
        column.addLayout(foot(self.back, None))
        return page

    def _result_page(self) -> QWidget:
        page, column = _page()
        self.verdict.setWordWrap(True)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
        column.addWidget(heading(_("The test is done")))
        column.addWidget(self.verdict)
        column.addWidget(QuietLabel(_table_text(), wraps=True))
        column.addStretch()
        column.addLayout(foot(self.protocol, self.again, None))
        return page

    def _connect(self) -> None:
        self.begin.clicked.connect(self._on_begin)
        self.pages.returnPressed.connect(self._on_begin)
        self.right.clicked.connect(lambda: self.answered.emit(True))  # noqa: FBT003 - a signal
        self.wrong.clicked.connect(lambda: self.answered.emit(False))  # noqa: FBT003 - a signal
        self.back.clicked.connect(self.back_asked)
        self.protocol.clicked.connect(self.protocol_asked)
        self.again.clicked.connect(lambda: self.show_test(None))

    # --- what is done ---------------------------------------------------------------------------

    @Slot()
    def _on_begin(self) -> None:
        try:
            pages = pages_of(self.pages.text(), len(self._labels), self._labels)
        except UserFacing as error:
            self.show_error(error)
            return
        self.show_error(None)
        self.begin.setEnabled(False)
        self.begin_asked.emit(tuple(pages))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_asking = self._test is not None and not self._test.is_ended
        if not is_asking or self._stack.currentIndex() != 1 or event.isAutoRepeat():
            super().keyPressEvent(event)
            return
        match event.key():
            case key if key in RIGHT_KEYS:
                self.answered.emit(True)  # noqa: FBT003 - a signal
            case key if key in WRONG_KEYS:
                self.answered.emit(False)  # noqa: FBT003 - a signal
            case Qt.Key.Key_Backspace:
                self.back_asked.emit()
            case _:
                super().keyPressEvent(event)


def _page() -> tuple[QWidget, QVBoxLayout]:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(Space.S)
    return page, column


def _table_text() -> str:
    """How many must be right for which claim."""
    lines = ", ".join(
        _("{least} right: {claim} %").format(least=least, claim=claim)
        for least, claim in reversed(CLAIMS)
    )
    return _("What is accepted, with an error of 2.5 % (DFG, form 12.151): {lines}.").format(
        lines=lines
    )
