"""Signs and broken words in the window: the picker, compose, the hyphen ledger become orders.

UI thread only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.characters import Rules, composed, toggled, with_recent
from ui import shortcuts
from ui.character_picker import CharacterPicker
from ui.commands import COMMANDS
from ui.compose_dialog import ComposeDialog
from ui.hyphen_dialog import Decision, HyphenDialog
from ui.of_book import OfBook
from ui.page_text import Place

if TYPE_CHECKING:
    from app.change import Change
    from app.desk.broken_words import BrokenWord
    from app.session import Session
    from ui.main_window import MainWindow
    from ui.orders import Orders
    from ui.session_signals import SessionSignals


class SignDesk(QObject):
    """Belongs to `ui`."""

    def __init__(
        self, window: MainWindow, session: Session, signals: SessionSignals, orders: Orders
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._signals = signals
        self._turn_to = orders.turn_to
        self._picker: CharacterPicker | None = None
        self._ledger: HyphenDialog | None = None
        self._awaited: BrokenWord | None = None  # the cursor is to go there
        orders.add(
            {
                "characters": self._open_picker,
                "compose": self._compose,
                "compose_rules": self._ask_rules,
                "hyphens": self._open_ledger,
            }
        )
        signals.changed.connect(self._on_changed)
        window.text.text_shown.connect(self._go_to_awaited)

    # --- signs ----------------------------------------------------------------------------------

    def _open_picker(self) -> None:
        settings = self._session.settings
        picker = CharacterPicker(
            settings.favourite_characters, settings.recent_characters, self._window
        )
        picker.picked.connect(self._put_in)
        picker.favourite_asked.connect(self._on_favourite)
        picker.finished.connect(self._on_picker_closed)
        self._picker = picker
        OfBook(picker, self._signals)
        picker.open()
        picker.line.setFocus()

    @Slot(str)
    def _put_in(self, sign: str) -> None:
        """Put a sign in at the cursor, in place of what is selected."""
        text = self._window.text
        if not text.editor.isReadOnly():
            text.editor.type_text(sign)
            text.flush()
        recent = with_recent(self._session.settings.recent_characters, sign)
        self._set(recent_characters=recent)

    @Slot(str)
    def _on_favourite(self, sign: str) -> None:
        self._set(favourite_characters=toggled(self._session.settings.favourite_characters, sign))

    @Slot()
    def _on_picker_closed(self) -> None:
        if self._picker is not None:
            self._picker.deleteLater()
        self._picker = None
        self._window.text.setFocus()

    def _compose(self) -> None:
        """Apply a rule to the letters before the cursor, once."""
        text = self._window.text
        place = text.place
        if place is None or text.editor.isReadOnly() or text.editor.textCursor().hasSelection():
            return
        before = text.texts[place.region][: place.offset]
        made = composed(before, self._session.settings.compose_rules)
        if made is None:
            return
        text.editor.go_to(Place(place.region, place.offset - made[0]), until=place)
        text.editor.type_text(made[1])
        text.flush()

    def _ask_rules(self) -> None:
        keys = shortcuts.keys_of(COMMANDS["compose"], self._session.settings.shortcuts)
        shown = shortcuts.shown(keys[0]) if keys else shortcuts.plain_text(COMMANDS["compose"])
        dialog = ComposeDialog(self._session.settings.compose_rules, shown, self._window)
        dialog.changed.connect(self._on_rules)
        dialog.open()

    @Slot(object)
    def _on_rules(self, rules: Rules) -> None:
        self._set(compose_rules=rules)

    def _set(self, **values: object) -> None:
        settings = replace(self._session.settings, **values)  # pyright: ignore[reportArgumentType]
        self._tell(self._session.set_settings(settings))

    # --- broken words ---------------------------------------------------------------------------

    def _open_ledger(self) -> None:
        if self._session.book is None:
            return
        if self._ledger is not None:
            self._ledger.raise_()
            self._ledger.activateWindow()
            return
        dialog = HyphenDialog(
            self._session.page, can_change=not self._session.read_only, parent=self._window
        )
        dialog.decided.connect(self._on_decided)
        dialog.place_chosen.connect(self._on_place_chosen)
        dialog.finished.connect(self._on_ledger_closed)
        self._ledger = dialog
        OfBook(dialog, self._signals)
        dialog.show()
        dialog.list.setFocus()
        self._tell(self._session.hyphens.list_all())

    @Slot(object)
    def _on_decided(self, decision: Decision) -> None:
        word, choice, everywhere = decision
        self._tell(self._session.hyphens.decide(word, choice, everywhere=everywhere))

    @Slot(object)
    def _on_place_chosen(self, word: BrokenWord) -> None:
        self._awaited = word
        self._turn_to(word.page)
        self._go_to_awaited()

    @Slot()
    def _go_to_awaited(self) -> None:
        """Select the broken word, if the text of its page is in the pane."""
        word, text = self._awaited, self._window.text
        if word is None or text.page != word.page or not text.has_text:
            return
        self._awaited = None
        text.select(Place(word.region, word.start), Place(word.region, word.end))

    @Slot()
    def _on_ledger_closed(self) -> None:
        if self._ledger is not None:
            self._ledger.deleteLater()
        self._ledger = None

    @Slot(object)
    def _on_changed(self, change: Change) -> None:
        if change.book:
            self._awaited = None
        settings, listed = self._session.settings, self._session.hyphens.listed
        if change.settings and self._picker is not None:
            self._picker.set_own(settings.favourite_characters, settings.recent_characters)
        if change.hyphens and self._ledger is not None and listed is not None:
            self._ledger.show_words(listed.words, listed.choices)

    def _tell(self, change: Change) -> None:
        self._signals.tell(change)
