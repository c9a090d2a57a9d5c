"""The frame of the window: pages on the left, image and text in the middle, memory and run below.

No logic: what commands do is in `ui.orders`, what is drawn when in `ui.refresh`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QMimeData, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QStyle,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from app.language import _
from ui.actions import Actions
from ui.command_palette import CommandPalette, command_entries
from ui.entry_list import Entry
from ui.find_bar import FindBar
from ui.notice import NoticeLine
from ui.page_finder import PageFinder
from ui.page_list import PageList
from ui.page_view import PageView
from ui.shortcuts import Overrides
from ui.side_by_side import SideBySide
from ui.start_view import StartView
from ui.status_area import StatusArea
from ui.text_view import TextView
from ui.tool_bar import ToolBar

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent

FIRST_SIZE = (1280, 800)
PAGE_LIST_PX = 140


class MainWindow(QMainWindow):
    """Holds the widgets where everything else finds them. Belongs to `ui`."""

    leave_asked = Signal()  # the person wants to close the window
    paths_dropped = Signal(object)  # tuple of Path

    def __init__(self, shortcuts: Overrides = ()) -> None:
        super().__init__()
        self.commands = Actions(self, shortcuts)
        self.menus = self.commands.fill(self.menuBar())
        self.tools = ToolBar(self.commands)
        self.pages = PageList()
        self.side = SideBySide()
        self.find_bar = FindBar()
        self.finder = PageFinder(self.find_bar, self.side.text)
        self.start = StartView()
        self.notice = NoticeLine()
        self.status = StatusArea()
        self.palette_card = CommandPalette(self)
        self.entry_card = CommandPalette(self)
        self._chosen_entry: Callable[[str], None] = lambda _entry_id: None
        self.entry_card.chosen.connect(lambda entry_id: self._chosen_entry(entry_id))
        self._may_close = False
        self._is_safe = False
        self._book = QSplitter(Qt.Orientation.Horizontal)
        self._stack = QStackedWidget()
        self._build()

    @property
    def image(self) -> PageView:
        """The page image."""
        return self.side.image

    @property
    def text(self) -> TextView:
        """The text of the page."""
        return self.side.text

    def flush(self) -> None:
        """Let the session know all that was typed."""
        self.text.flush()

    def show_book(self, title: str) -> None:
        """Show the panes of a book."""
        self._set_title(_("{title} – Incunable").format(title=title))
        self._stack.setCurrentWidget(self._book)
        self.tools.setVisible(True)

    def show_start(self) -> None:
        """No book is open."""
        self._set_title("Incunable")
        self._stack.setCurrentWidget(self.start)
        self.start.setFocus()

    def show_safe_mode(self) -> None:
        """Say in the title that this is a safe start."""
        self._is_safe = True
        self._set_title(self.windowTitle())

    def _set_title(self, title: str) -> None:
        self.setWindowTitle(
            _("{title} (safe mode)").format(title=title) if self._is_safe else title
        )

    def choose_entry(
        self, entries: Sequence[Entry], prompt: str, do: Callable[[str], None]
    ) -> None:
        """Let the person choose one of some things by a few letters of its name."""
        self._chosen_entry = do
        self.entry_card.open(entries, prompt=prompt)

    def show_page_list(self, *, is_shown: bool) -> None:
        """Show or hide the list of pages."""
        self.pages.setVisible(is_shown)
        self.commands["panel_pages"].setChecked(is_shown)

    def set_full_screen(self, *, is_full: bool) -> None:
        """Use the whole screen, or give it back."""
        self.showFullScreen() if is_full else self.showNormal()

    def open_palette(self) -> None:
        """Offer every command by its name."""
        self.palette_card.open(command_entries(self.commands), can_change_keys=True)

    def next_pane(self, way: int) -> None:
        """Give the focus to the next pane, or with -1 to the one before."""
        panes = [
            self.pages,
            self.image,
            self.side.blocks,
            self.text,
            self.side.doubts,
            self.status.run_bar,
        ]
        shown = [pane for pane in panes if pane.isVisible()]
        focus = QApplication.focusWidget()
        here = next((at for at, pane in enumerate(shown) if _holds(pane, focus)), -way)
        if shown:
            shown[(here + way) % len(shown)].setFocus(Qt.FocusReason.TabFocusReason)

    def layout_state(self) -> dict[str, Any]:
        """What is remembered for a book: splitters, panels, the window itself; plain JSON."""
        return {
            "geometry": bytes(self.saveGeometry().toBase64().data()).decode(),
            "book_splitter": self._book.sizes(),
            "pages_shown": self.pages.isVisibleTo(self),
            **self.side.layout_state(),
        }

    def restore_layout(self, state: Mapping[str, Any]) -> None:
        """Lie as `layout_state` said; what is missing or odd is left as it is."""
        geometry = state.get("geometry")
        if isinstance(geometry, str) and not self.isVisible():
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        sizes = state.get("book_splitter")
        if isinstance(sizes, list) and all(isinstance(size, int) for size in sizes):
            self._book.setSizes(sizes)
        self.show_page_list(is_shown=bool(state.get("pages_shown", True)))
        self.side.restore_layout(state)

    def leave(self) -> None:
        """Close without asking again."""
        self._may_close = True
        self.close()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask first; where there is nothing to ask, `leave` is called before this returns."""
        self.flush()
        if not self._may_close:
            self.leave_asked.emit()
        event.setAccepted(self._may_close)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _paths(event.mimeData()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.paths_dropped.emit(_paths(event.mimeData()))

    def _build(self) -> None:
        self.resize(self._first_size())
        self.setAcceptDrops(True)
        self.addToolBar(self.tools)
        self._book.addWidget(self.pages)
        self._book.addWidget(self._desk())
        self._book.setStretchFactor(1, 1)
        self._book.setSizes([PAGE_LIST_PX, FIRST_SIZE[0] - PAGE_LIST_PX])
        self._book.setHandleWidth(1)
        self._stack.addWidget(self.start)
        self._stack.addWidget(self._book)
        self.setCentralWidget(self._central())
        self.show_page_list(is_shown=True)
        self.commands["show_boxes"].setChecked(True)
        self.show_start()

    def _first_size(self) -> QSize:
        """As large as it looks well, and its foot still on the screen."""
        title_bar_px = self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        room = self.screen().availableSize() - QSize(0, title_bar_px)
        return QSize(*FIRST_SIZE).boundedTo(room)

    def _desk(self) -> QWidget:
        desk = QWidget()
        column = _column(desk)
        column.addWidget(self.side, 1)
        column.addWidget(self.find_bar)
        return desk

    def _central(self) -> QWidget:
        central = QWidget()
        column = _column(central)
        column.addWidget(self._stack, 1)
        column.addWidget(self.notice)
        column.addWidget(self.status)
        return central


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def _holds(pane: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (pane is focus or pane.isAncestorOf(focus))


def _paths(dropped: QMimeData) -> tuple[Path, ...]:
    """Local files and folders among what is dragged."""
    return tuple(Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile())
