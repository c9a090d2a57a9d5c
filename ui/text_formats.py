"""How blocks are set in the text pane: size, colour and air by kind, styles of letters."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextOption,
)

from app.book import Kind, Region
from ui.faces import LINE_HEIGHT, MEASURE, scaled_font
from ui.theme import Colours


class _Setting(NamedTuple):
    size: float = 1.0  # times the reading size
    above: float = 0.6  # air, times the reading size in pixels
    is_bold: bool = False
    is_grey: bool = False


_SETTINGS = {
    Kind.TITLE: _Setting(1.5, 1.2, is_bold=True),
    Kind.HEADING: _Setting(1.22, 1.1, is_bold=True),
    Kind.CAPTION: _Setting(0.88, 0.4),
    Kind.NOTE: _Setting(0.88, 0.4),
    Kind.RUNNING_HEAD: _Setting(0.88, is_grey=True),
    Kind.PAGE_NUMBER: _Setting(0.88, is_grey=True),
    Kind.FOOTER: _Setting(0.88, is_grey=True),
}
_PLAIN = _Setting()
_SAMPLE = "the letters of a common line of print, as they are on the whole"
_CELL_GAP_PX = 20
_SPACED = 112  # per cent


class Stretch(NamedTuple):
    """Letters of a block that are set otherwise than the rest."""

    start: int  # code points
    end: int
    name: str  # of a style


class Formats:
    """The formats of one face and one column of colours. Immutable; belongs to `ui`."""

    def __init__(self, font: QFont, column: Colours) -> None:
        self.font = font
        self._column = column
        self._metrics = QFontMetricsF(font)
        self._em_px = QFontInfo(font).pixelSize()
        # Per cent of the face's own line, which may be set with much or little air.
        self._line_height = 100 * LINE_HEIGHT * self._em_px / self._metrics.lineSpacing()

    @property
    def measure_px(self) -> float:
        """Width of the longest line."""
        return self._metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE) * MEASURE

    def block(self, kind: Kind, text: str, strip_px: int) -> QTextBlockFormat:
        """Air and line height; for a table the places of its columns.

        Args:
            kind: of the block.
            text: of the block.
            strip_px: room between two lines for a strip of the image; 0: none.
        """
        result = QTextBlockFormat()
        height = QTextBlockFormat.LineHeightTypes
        if strip_px:
            result.setLineHeight(strip_px, height.LineDistanceHeight.value)
        else:
            result.setLineHeight(self._line_height, height.ProportionalHeight.value)
        result.setTopMargin(self._em_px * _SETTINGS.get(kind, _PLAIN).above)
        if kind is Kind.TABLE:
            result.setTabPositions(self._tabs(text))
        return result

    def letters(self, kind: Kind) -> QTextCharFormat:
        """How the letters of a block are set where nothing else is said."""
        setting = _SETTINGS.get(kind, _PLAIN)
        result = QTextCharFormat()
        result.setFont(scaled_font(self.font, setting.size))
        result.setForeground(self._column.secondary if setting.is_grey else self._column.text)
        if setting.is_bold:
            result.setFontWeight(QFont.Weight.Bold)
        return result

    def merged(self, name: str) -> QTextCharFormat:
        """What a style adds to the letters around it."""
        result = QTextCharFormat()
        match name:
            case "italic":
                result.setFontItalic(True)
            case "bold":
                result.setFontWeight(QFont.Weight.Bold)
            case "small_caps":
                result.setFontCapitalization(QFont.Capitalization.SmallCaps)
            case "superscript":
                result.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
            case "subscript":
                result.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSubScript)
            case "letter_spaced":
                result.setFontLetterSpacingType(QFont.SpacingType.PercentageSpacing)
                result.setFontLetterSpacing(_SPACED)
            case _:
                pass
        return result

    def _tabs(self, text: str) -> list[QTextOption.Tab]:
        """Each column begins where the widest cell of those before it has ended."""
        widths: list[float] = []
        for row in text.split("\n"):
            for column, cell in enumerate(row.split("\t")):
                width = self._metrics.horizontalAdvance(cell)
                if column == len(widths):
                    widths.append(width)
                widths[column] = max(widths[column], width)
        places = [sum(widths[: n + 1]) + (n + 1) * _CELL_GAP_PX for n in range(len(widths) - 1)]
        return [QTextOption.Tab(place, QTextOption.TabType.LeftTab) for place in places]


def stretches(region: Region) -> tuple[Stretch, ...]:
    """All that is set otherwise in a block."""
    return tuple(Stretch(*style) for style in region.styles)
