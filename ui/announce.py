"""Tells screen readers what has changed away from the focus. UI thread only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str) -> None:
    """Let a screen reader say this when it has ended its sentence; without one nothing happens."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
