"""The printed numbers of the open book: where they jump, worked out anew when one has changed."""

from __future__ import annotations

from app.desk.page_numbers import Jump, jumps
from app.language import _
from app.shelf import Shelf


class Numbering:
    """Belongs to the UI thread."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._labels: tuple[str, ...] = ()
        self._jumps: dict[int, Jump] = {}

    def jumps(self) -> dict[int, Jump]:
        """The pages of the shown book whose printed number does not follow, by their number."""
        pages = self._shelf.book.pages if self._shelf.book is not None else ()
        labels = tuple(page.label for page in pages)
        if labels != self._labels:
            self._labels, self._jumps = labels, jumps(labels)
        return self._jumps


def jump_text(jump: Jump) -> str:
    """What is odd about a printed number, in one sentence without its full stop."""
    return _("printed {found}, where {expected} would follow").format(
        found=jump.found, expected=jump.expected
    )
