"""Numbers and dates as they are written on the screen, in the manner of the person's country."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale

from app.language import _

_STEP = 1024
_UNITS = ("B", "KB", "MB", "GB", "TB")


def bytes_text(count: int) -> str:
    """Bytes the way cards and RAM are sold: a GB has 1024 MB. Three figures are enough."""
    size, unit = float(max(count, 0)), 0
    while size >= 999.5 and unit < len(_UNITS) - 1:
        size, unit = size / _STEP, unit + 1
    return f"{short(size)} {_UNITS[unit]}"


def short(value: float) -> str:
    """A number with up to three figures: 0.42, 8.4, 512."""
    decimals = 0 if value >= 99.5 or value == int(value) else 1 if value >= 9.95 else 2
    text = QLocale().toString(value, "f", decimals)
    point = QLocale().decimalPoint()
    return text.rstrip("0").removesuffix(point) if point in text else text


def whole(count: int) -> str:
    """A count with the thousands set apart."""
    return QLocale().toString(count)


def share(part: int, count: int) -> str:
    """How many of how many: '9 of 348'."""
    return _("{part} of {count}").format(part=whole(part), count=whole(count))


def moment_text(moment: datetime) -> str:
    """A date and time of day, local."""
    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(local, QLocale.FormatType.ShortFormat)
