"""What fills the memory: names, order and places of the parts along a bar. Pure but for brushes."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush

from app.events import Memory
from app.language import N_, _
from ui.numbers import bytes_text
from ui.theme import Colours, faded

WARN_SHARE = 0.8  # from here on the tick and the number warn


class Part(Enum):
    """The parts in the order of the bar; values are the fields of `Memory`."""

    WEIGHTS = "weights_bytes"
    REFERENCES = "references_bytes"
    WINDOW = "window_bytes"
    WORK = "work_bytes"
    OTHER = "other_bytes"
    FREE = "free_bytes"


NAMES = {
    Part.WEIGHTS: N_("Weights of the engine"),
    Part.REFERENCES: N_("Reference pages"),
    Part.WINDOW: N_("Window of the last words"),
    Part.WORK: N_("Work"),
    Part.OTHER: N_("Other programs"),
    Part.FREE: N_("Free"),
}
OURS = (Part.WEIGHTS, Part.REFERENCES, Part.WINDOW, Part.WORK)


class Stretch(NamedTuple):
    """Where a part lies on a bar."""

    part: Part
    left: float
    right: float


def size_of(memory: Memory, part: Part) -> int:
    """Bytes of a part, never below zero."""
    return max(int(getattr(memory, part.value)), 0)


def ours_bytes(memory: Memory) -> int:
    """What this program holds."""
    return sum(size_of(memory, part) for part in OURS)


def used_bytes(memory: Memory) -> int:
    """What is taken, whoever took it."""
    return ours_bytes(memory) + size_of(memory, Part.OTHER)


def limit_bytes(memory: Memory) -> int:
    """Where the tick stands: the limit of the settings, else the end of the device."""
    return min(memory.limit_bytes or memory.total_bytes, memory.total_bytes)


def is_tight(memory: Memory) -> bool:
    """Whether 80 % of the limit is taken: by us under a limit of ours, else by all together."""
    taken = ours_bytes(memory) if memory.limit_bytes else used_bytes(memory)
    return taken >= WARN_SHARE * limit_bytes(memory) > 0


def stretches(memory: Memory, width: float) -> list[Stretch]:
    """Lay the parts side by side over the width; empty parts are left out, nothing overflows."""
    total = max(memory.total_bytes, sum(size_of(memory, part) for part in Part), 1)
    found: list[Stretch] = []
    start = 0
    for part in Part:
        end = start + size_of(memory, part)
        if end > start:
            found.append(Stretch(part, start * width / total, end * width / total))
        start = end
    return found


def place_of(memory: Memory, count: int, width: float) -> float:
    """Where so many bytes from the left end; beyond the width for more than there is."""
    return count * width / max(memory.total_bytes, 1)


def dense_text(memory: Memory) -> str:
    """The number of the ghost outline."""
    return _("dense: {size}").format(size=bytes_text(memory.dense_bytes))


def part_text(memory: Memory, part: Part) -> str:
    """A part with its bytes, and the pages where they are reference pages."""
    text = f"{_(NAMES[part])}: {bytes_text(size_of(memory, part))}"
    if part is Part.REFERENCES and memory.reference_pages:
        return _("{part} ({pages} pages)").format(part=text, pages=memory.reference_pages)
    return text


def brush_of(part: Part, column: Colours) -> QBrush:
    """The paint of a part."""
    match part:
        case Part.WEIGHTS:
            return QBrush(faded(column.text, 0.55))
        case Part.REFERENCES:
            return QBrush(column.accent)
        case Part.WINDOW:
            return QBrush(column.accent_soft)
        case Part.WORK:
            return QBrush(faded(column.look, 0.5))
        case Part.OTHER:
            return QBrush(column.secondary, Qt.BrushStyle.BDiagPattern)
        case Part.FREE:
            return QBrush(column.panel)
