"""What is said of letters in the text pane: styles, marks, notes at the foot. Keys become orders.

UI thread only.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QToolTip

from app import footnotes, marks
from app.book import Mark
from app.footnotes import Stretch
from app.language import _
from app.marks import MarkKind, MarkPlace
from app.numbering import jump_text
from app.styles import StyleName
from ui.entry_list import Entry
from ui.mark_dialog import MarkDialog
from ui.of_book import OfBook
from ui.page_text import Place
from ui.questions import page_name
from ui.text_marks import mark_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.change import Change
    from app.export.notes import FoundNote
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Order, Orders
    from ui.session_signals import SessionSignals

STYLES: tuple[StyleName, ...] = (
    "italic",
    "bold",
    "small_caps",
    "letter_spaced",
    "superscript",
    "subscript",
)
KINDS: tuple[MarkKind, ...] = ("gap", "unclear", "note")
NO_NOTE = "none"
TOLD_LETTERS = 60


class TextDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._text = window.text
        self._session = session
        self._signals = signals
        self._turn_to = orders.turn_to
        made: dict[str, Order] = {f"style_{name}": partial(self._style, name) for name in STYLES}
        made |= {f"mark_{kind}": partial(self._mark, kind) for kind in KINDS}
        made |= {
            "next_mark": lambda: self._go_to_mark(1),
            "previous_mark": lambda: self._go_to_mark(-1),
            "marks": self._list_marks,
            "page_notes": self._list_pages,
            "note_jump": self._jump,
            "note_link": self._link,
        }
        orders.add(made)
        self._text.cursor_moved.connect(self._describe)

    # --- styles ---------------------------------------------------------------------------------

    def _style(self, name: StyleName) -> None:
        """Set what is selected; without a selection the word of the cursor."""
        stretches = self._selected() or self._word()
        if stretches:
            page = self._session.page
            self._tell(self._session.blocks.style(page, stretches, name))

    def _selected(self) -> list[Stretch]:
        """What is selected, block by block."""
        cursor, text = self._text.editor.textCursor(), self._text.editor.text
        start = text.place_of(cursor.selectionStart())
        end = text.place_of(cursor.selectionEnd())
        if start is None or end is None or not cursor.hasSelection():
            return []
        stretches: list[Stretch] = []
        for at in range(start.region, end.region + 1):
            first = start.offset if at == start.region else 0
            last = end.offset if at == end.region else len(self._text.texts[at])
            if first < last:
                stretches.append(Stretch(at, first, last))
        return stretches

    def _word(self) -> list[Stretch]:
        place = self._text.place
        if place is None:
            return []
        text = self._text.texts[place.region]
        start, end = place.offset, place.offset
        while start > 0 and not text[start - 1].isspace():
            start -= 1
        while end < len(text) and not text[end].isspace():
            end += 1
        return [Stretch(place.region, start, end)] if start < end else []

    # --- marks ----------------------------------------------------------------------------------

    def _mark(self, kind: MarkKind) -> None:
        """Ask what a mark says; of one that stands here already, what it is to say now."""
        place = self._text.place
        if place is None:
            return
        selected = self._selected()[:1]
        region = selected[0].region if selected else place.region
        block = self._text.regions[region]
        old = None if selected else marks.mark_at(block, place.offset, kind)
        start, end = selected[0][1:] if selected else (place.offset, place.offset)
        mark = old or Mark(start, end, kind)
        letters = " ".join(block.text[mark.start : mark.end].split())
        dialog = MarkDialog(mark, letters, is_new=old is None, parent=self._window)
        page, orders = self._session.page, self._session.blocks
        dialog.marked.connect(
            lambda said: self._tell(orders.mark(page, region, mark._replace(text=said), old=old))
        )
        dialog.removed.connect(lambda: self._tell(orders.unmark(page, region, mark)))
        OfBook(dialog, self._signals)
        dialog.open()

    def _go_to_mark(self, step: int) -> None:
        place = self._text.place
        if place is None:
            return
        found = marks.next_mark(self._text.regions, (place.region, place.offset), step)
        if found is not None:
            self._go_to(found)

    def _go_to(self, there: MarkPlace) -> None:
        """Put the cursor on a mark, and say for a moment what it says."""
        self._go(Place(there.region, there.mark.start))
        editor = self._text.editor
        said = mark_words(self._text.regions[there.region], there.mark)
        at = editor.cursorRect().bottomLeft()
        QToolTip.showText(editor.viewport().mapToGlobal(at), said, editor)

    @Slot(int, int)
    def _describe(self, number: int, offset: int) -> None:
        """Let a screen reader tell the mark that the cursor stands in."""
        regions = self._text.regions
        mark = marks.mark_at(regions[number], offset) if number < len(regions) else None
        said = mark_words(regions[number], mark) if mark is not None else ""
        if said != self._text.editor.accessibleDescription():
            self._text.editor.setAccessibleDescription(said)

    def _list_marks(self) -> None:
        regions = self._text.regions
        places = list(marks.marks_of(regions))
        entries = [
            Entry(str(at), mark_words(regions[place.region], place.mark))
            for at, place in enumerate(places)
        ]
        self._choose(
            entries,
            _("A mark of this page"),
            lambda chosen: self._go_to(places[chosen]),
        )

    def _list_pages(self) -> None:
        """Notes on pages, and printed numbers that do not follow."""
        book = self._session.book
        if book is None:
            return
        jumps = self._session.numbering.jumps()
        entries = [
            Entry(
                str(page.number),
                page_name(page).capitalize(),
                " · ".join(
                    part
                    for part in (
                        jump_text(jumps[page.number]) if page.number in jumps else "",
                        " ".join(page.note.split()),
                    )
                    if part
                ),
            )
            for page in book.pages
            if page.note or page.number in jumps
        ]
        self._choose(entries, _("A page with a note, or an odd number"), self._turn_to)

    # --- notes at the foot ----------------------------------------------------------------------

    def _jump(self) -> None:
        place = self._text.place
        if place is None:
            return
        there = footnotes.other_end(self._text.regions, place.region, place.offset)
        if there is not None:
            self._go(Place(there.region, there.start))

    def _link(self) -> None:
        """Choose among the notes of the page the one that the selection refers to."""
        place, page, orders = self._text.place, self._session.page, self._session.blocks
        if place is None:
            return
        selected = self._selected()[:1] or [Stretch(place.region, place.offset, place.offset)]
        self._tell(orders.offer_notes(page, selected[0]))
        reference = orders.offered
        if reference is None:
            return
        notes = orders.notes(page)
        entries = [Entry(str(at), self._note_words(note)) for at, note in enumerate(notes)]
        entries.append(Entry(NO_NOTE, _("It belongs to no note")))

        def tie(chosen: str) -> None:
            note = None if chosen == NO_NOTE else notes[int(chosen)]
            self._tell(orders.tie(page, reference, note))

        letters = self._text.regions[reference.region].text[reference.start : reference.end]
        prompt = _("To which note does “{mark}” belong?").format(mark=letters.strip())
        self._window.choose_entry(entries, prompt, tie)

    def _note_words(self, note: FoundNote) -> str:
        text = self._text.regions[note.region].text[note.begins : note.end]
        return " ".join(text.split())[:TOLD_LETTERS]

    # --- inside ---------------------------------------------------------------------------------

    def _choose(self, entries: Sequence[Entry], prompt: str, do: Callable[[int], None]) -> None:
        shown = entries or [Entry("", _("There is none"), is_possible=False)]
        self._window.choose_entry(shown, prompt, lambda chosen: do(int(chosen)))

    def _go(self, place: Place) -> None:
        self._text.set_cursor(*place)
        self._text.setFocus()

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)
