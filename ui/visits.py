"""The pages that were looked at, for back and forward. Pure."""

from __future__ import annotations

LONGEST = 100


class Visits:
    """A trail of page numbers with a place in it."""

    def __init__(self) -> None:
        self._trail: list[int] = []
        self._at = -1

    def add(self, page: int) -> None:
        """A page is shown; what lay ahead is forgotten, as in any browser."""
        if self._trail and self._trail[self._at] == page:
            return
        self._trail = [*self._trail[: self._at + 1], page][-LONGEST:]
        self._at = len(self._trail) - 1

    def back(self) -> int | None:
        """The page before, None at the start of the trail."""
        return self._go(-1)

    def forward(self) -> int | None:
        """The page that was left by `back`, None at the end of the trail."""
        return self._go(1)

    def clear(self) -> None:
        """Another book."""
        self._trail, self._at = [], -1

    def _go(self, way: int) -> int | None:
        if not 0 <= self._at + way < len(self._trail):
            return None
        self._at += way
        return self._trail[self._at]
