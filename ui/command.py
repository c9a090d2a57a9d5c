"""What a command and a menu are, and what must be there for a command. No logic."""

from __future__ import annotations

from enum import Flag, auto
from typing import NamedTuple


class Need(Flag):
    """What must be there for a command to be possible."""

    NOTHING = 0
    BOOK = auto()  # a book is open
    CHANGE = auto()  # and may be changed: it is not open elsewhere
    EDIT = auto()  # the text of the page may be edited now
    TEXT = auto()  # the page has a text
    UNDO = auto()
    REDO = auto()
    START = auto()  # there are pages to read, and nothing reads or the run is paused
    PAUSE = auto()  # a run goes on, paused or not
    STOP = auto()
    OLD_TEXT = auto()  # the PDF has a text layer
    WAITING = auto()  # books are in the queue
    LOST = auto()  # the scan of the open book is not where it was


class Command(NamedTuple):
    """One line of a menu, one entry of the palette, perhaps one button."""

    id: str
    text: str  # with its mnemonic
    says: str  # one sentence, for the palette, tool tip and status
    keys: tuple[str, ...] = ()  # portable names; the first is the one shown
    icon: str = ""
    needs: Need = Need.NOTHING
    is_switch: bool = False  # on or off


class Menu(NamedTuple):
    """One menu; a hairline between its groups."""

    id: str
    text: str
    groups: tuple[tuple[Command, ...], ...]
