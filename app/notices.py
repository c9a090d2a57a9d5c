"""What the session has to tell: the notices not yet dismissed, and all that was told before."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from app.change import NOTHING, Change
from app.errors import UserFacing

TOLD_KEPT = 200
"""Notices that 'Earlier notices' can show."""


class Notice(NamedTuple):
    """Something to tell; `pane` says at whose foot it belongs."""

    number: int  # counts up, so that a view knows which it has shown
    error: UserFacing
    pane: str  # "image", "text", "run", "window"


class Notices:
    """Belongs to the UI thread."""

    def __init__(self) -> None:
        self._last_number = 0
        self.open: tuple[Notice, ...] = ()  # not yet dismissed, the newest last
        self.told: tuple[tuple[datetime, UserFacing], ...] = ()  # all since the start

    def tell(self, error: UserFacing, pane: str) -> Change:
        """Tell something; what stands there already moves to the front and is not told twice."""
        self._last_number += 1
        notice = Notice(self._last_number, error, pane)
        others = tuple(each for each in self.open if _said(each) != _said(notice))
        if len(others) == len(self.open):
            self.told = (*self.told, (datetime.now(UTC), error))[-TOLD_KEPT:]
        self.open = (*others, notice)
        return Change(notice=True)

    def dismiss(self, number: int) -> Change:
        """Take a notice off the screen."""
        return self._keep(tuple(each for each in self.open if each.number != number))

    def withdraw(self, code: str) -> Change:
        """Take off what is true no longer."""
        return self._keep(tuple(each for each in self.open if each.error.code != code))

    def _keep(self, notices: tuple[Notice, ...]) -> Change:
        if notices == self.open:
            return NOTHING
        self.open = notices
        return Change(notice=True)


def _said(notice: Notice) -> tuple[object, ...]:
    return notice.error.code, notice.error.parameters
