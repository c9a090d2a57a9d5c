"""Image and text of one page, kept together: the text cursor leads, the image follows.

A click in the image puts the cursor on the letter there. Neither pane moves by itself: the image
glides only when the word of the cursor is out of sight, and never while one types on in the same
line. UI thread only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.book import Page, Reading, Region, Span
from ui.block_list import BlockList
from ui.doubt_bar import DoubtBar
from ui.foot_line import FootLine
from ui.foot_words import Foot, foot_of
from ui.page_image import RequestImage
from ui.page_layout import Fit, Point, Zoom
from ui.page_text import Place, moved
from ui.page_tint import Tint
from ui.page_view import PageView
from ui.shortcuts import Overrides
from ui.strip_painting import StripPainter
from ui.text_view import TextView
from ui.words_on_page import box_at, mark_at, offset_at

EVEN_PX = 1000  # more than there is; Qt shares out what there is in the same way


class SideBySide(QSplitter):
    """The two panes, and the line at the foot of the text. Belongs to `ui`."""

    ordered = Signal(str)  # id of a command, from the foot line
    laid_out = Signal()  # the panes lie as it was remembered

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.image = PageView(self)
        self.text = TextView(self)
        self.blocks = BlockList(self)
        self.doubts = DoubtBar(self)
        self.foot = FootLine(self)
        self._strips = StripPainter(self.text.editor, self.image.close_up)
        self.is_by_line = False
        self._person, self._rounds = "", 1  # who proofreads, and for how many rounds
        self._awaits_image = False  # of the page that the cursor stands on
        self._line: tuple[int | None, int, int] | None = None  # page, block, printed line
        self.addWidget(self.image)
        self.addWidget(self._text_pane())
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.setSizes([EVEN_PX, EVEN_PX])
        self.text.cursor_moved.connect(self._on_cursor_moved)
        self.image.region_clicked.connect(self._on_region_clicked)
        self.image.region_opened.connect(self._on_region_opened)
        self.image.desk.page_shown.connect(self._on_page_shown)
        self.image.close_up.arrived.connect(self.text.editor.viewport().update)
        self.blocks.block_chosen.connect(lambda number: self.text.set_cursor(number, 0))
        self.blocks.block_opened.connect(self._on_block_opened)
        self.foot.ordered.connect(self.ordered)

    def _text_pane(self) -> QWidget:
        pane = QWidget(self)
        column = QVBoxLayout(pane)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.blocks)
        column.addWidget(self.text, stretch=3)
        self._below = QVBoxLayout()
        column.addLayout(self._below, stretch=2)
        column.addWidget(self.doubts)
        column.addWidget(self.foot)
        return pane

    def set_book(self, request_image: RequestImage | None, *, direction: str = "") -> None:
        """Ask this for the images of another book; None where no book is open.

        Args:
            request_image: page, and box or scale, to a future raster.
            direction: of its writing, as in `Details`.
        """
        self.text.show_nothing()
        self.text.set_direction(direction)
        self.image.set_book(request_image)
        self.foot.show_foot(Foot())

    def show_page(
        self,
        page: Page,
        *,
        reading: Reading | None,
        stream: Sequence[Region] | None = None,
        is_editable: bool,
        is_changeable: bool = True,
        odd_number: str = "",
    ) -> None:
        """Show a page as it stands now; where it is shown already, only what differs changes.

        Args:
            page: with its state.
            reading: its current text; None where there is none, or it is not loaded yet.
            stream: what the engine has written so far, while the page is being read.
            is_editable: whether a person may type now.
            is_changeable: False for a book that is open elsewhere.
            odd_number: what is odd about its printed number; "" where nothing is.
        """
        self.image.show_page(page.number, page.size)
        if stream is not None:
            self.text.show_stream(page.number, stream)
        else:
            self.text.show_reading(page.number, reading, is_editable=is_editable)
        self.image.show_regions(self.text.regions, fades=stream is not None)
        self.blocks.show_blocks(self.text.regions)
        self.foot.show_foot(
            foot_of(
                page,
                reading,
                is_changeable=is_changeable,
                person=self._person,
                rounds=self._rounds,
                odd_number=odd_number,
            )
        )
        if stream is None:
            self._light()
        else:
            self.image.light(len(stream) - 1 if stream else None)  # the one being written

    def put_below_text(self, pane: QWidget) -> None:
        """Put a pane of its own between the text and the lines at its foot."""
        self._below.addWidget(pane)

    def show_block_list(self, *, is_shown: bool) -> None:
        """Show the blocks as a list above the text, and go there; or put it away."""
        self.blocks.setVisible(is_shown)
        (self.blocks if is_shown else self.text).setFocus(Qt.FocusReason.OtherFocusReason)

    def set_rounds(self, person: str, rounds: int) -> None:
        """Know who proofreads, and how many persons are to go through each page."""
        self._person, self._rounds = person, rounds

    def set_by_line(self, *, is_on: bool) -> None:
        """Show a strip of the image above each line of the text, or the text alone."""
        self.is_by_line = is_on
        self.text.show_by_line(self._strips if is_on else None)

    def set_tint(self, tint: Tint) -> None:
        """Show the image inverted or sepia, or as it is."""
        self.image.set_tint(tint)
        self._strips.tint = tint
        self.text.editor.viewport().update()

    def set_shortcuts(self, overrides: Overrides) -> None:
        """Name the keys as the user has changed them."""
        self.foot.set_shortcuts(overrides)
        self.doubts.set_shortcuts(overrides)

    def layout_state(self) -> dict[str, Any]:
        """What is remembered for a book, as plain JSON."""
        zoom = self.image.desk.zoom
        return {
            "side_splitter": self.sizes(),
            "zoom": [zoom.fit.value, zoom.scale],
            "by_line": self.is_by_line,
            "tint": self.image.desk.tint.value,
            "blocks_shown": self.blocks.isVisibleTo(self),
        }

    def restore_layout(self, state: Mapping[str, Any]) -> None:
        """Lie as `layout_state` said; what is missing or odd is left as it is."""
        match state.get("side_splitter"):
            case [int(image), int(text)] if image > 0 and text > 0:
                self.setSizes([image, text])
        match state.get("zoom"):
            case [str(fit), float() | int() as scale] if fit in set(Fit):
                self.image.desk.set_zoom(Zoom(Fit(fit), float(scale)))
        self.set_by_line(is_on=state.get("by_line") is True)
        tint = state.get("tint")
        self.set_tint(Tint(tint) if tint in set(Tint) else Tint.NONE)
        self.blocks.setVisible(state.get("blocks_shown") is True)
        self.laid_out.emit()

    def _light(self) -> None:
        """Light the block of the cursor; no pane moves."""
        place = self.text.place
        self.blocks.show_current(place.region if place is not None else None)
        if place is None:
            self.image.light(None)
        else:
            self.image.light(place.region, self._mark(place))

    def _mark(self, place: Place) -> Span | None:
        """The word of the cursor; what was typed since the book was told is counted out."""
        regions = self.text.regions
        known = moved(place, self.text.texts, [region.text for region in regions])
        return mark_at(regions[place.region], known.offset)

    @Slot(int, int)
    def _on_cursor_moved(self, number: int, offset: int) -> None:
        self._light()
        place = Place(number, offset)
        line = (self.text.page, number, self.text.texts[number].count("\n", 0, offset))
        was_here, self._line = line == self._line, line
        if was_here and self.text.is_typing:
            return
        self._awaits_image = self.image.desk.page != self.text.page
        self._bring_into_sight(place)

    def _bring_into_sight(self, place: Place) -> None:
        mark = self._mark(place)
        box = (
            mark.box if mark is not None else box_at(self.text.regions[place.region], place.offset)
        )
        if box is not None:
            self.image.bring_into_sight(box)

    @Slot(int)
    def _on_page_shown(self, page: int) -> None:
        """The image has come to a page on which the cursor was put to a word before."""
        place = self.text.place
        if self._awaits_image and page == self.text.page and place is not None:
            self._awaits_image = False
            self._bring_into_sight(place)

    @Slot(int, object)
    def _on_region_clicked(self, number: int, point: Point) -> None:
        if number < len(self.text.regions):
            self.text.set_cursor(number, offset_at(self.text.regions[number], point))

    @Slot(int, object)
    def _on_region_opened(self, number: int, point: Point) -> None:
        self._on_region_clicked(number, point)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int)
    def _on_block_opened(self, number: int) -> None:
        self.text.set_cursor(number, 0)
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)
