"""The looks: one table of colours, the measures, icons in the text colour, and who applies them.

No other module names a colour. A widget asks `colours(self.palette())` when it paints, so it is
right in light and dark without being told. `Theme` keeps the application's palette and style sheet
in step with the settings and the system. Faces are in `ui.faces`. UI thread only.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QColor, QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QStyle, QWidget

from app.book import PageState
from ui import icons

Mode = Literal["system", "light", "dark"]


COLOURS: dict[str, tuple[str, str]] = {
    # role: (light, dark)
    "window": ("#F4F1EA", "#1D1F22"),
    "panel": ("#FFFDF8", "#25282C"),  # the text pane too
    "behind": ("#DAD6CC", "#141517"),  # behind the page image
    "text": ("#1F2328", "#E7E4DC"),
    "secondary": ("#5A626C", "#A6ABB3"),
    "hairline": ("#D9D4C8", "#3A3E44"),
    "accent": ("#2B5C8A", "#82B4E3"),  # current, selection, references
    "accent_soft": ("#C9DCEC", "#2E4A63"),  # hover, window tokens
    "proofread": ("#2E7450", "#7CC79A"),
    "look": ("#9A5B00", "#E7B25C"),
    "failed": ("#A8281F", "#F08A80"),
    "blank": ("#626A76", "#8D939C"),  # unread too
}


class Space(IntEnum):
    """Distances in logical pixels; no other is used between things."""

    XS = 4
    S = 8
    M = 12
    L = 16
    XL = 24


RADIUS = 4
CARD_RADIUS = 8
_ICON_NAME = "icon_name"  # the dynamic property that `give_icon` leaves


@dataclass(frozen=True)
class Colours:
    """One column of the table; the names are its roles."""

    window: QColor
    panel: QColor
    behind: QColor
    text: QColor
    secondary: QColor
    hairline: QColor
    accent: QColor
    accent_soft: QColor
    proofread: QColor
    look: QColor
    failed: QColor
    blank: QColor

    def of_state(self, state: PageState) -> QColor:
        """The colour that stands for a page's state, beside its icon."""
        match state:
            case PageState.READING:
                return self.accent
            case PageState.READ:
                return self.secondary
            case PageState.LOOK:
                return self.look
            case PageState.FAILED:
                return self.failed
            case PageState.PROOFREAD:
                return self.proofread
            case PageState.UNREAD | PageState.BLANK:
                return self.blank


def _column(place: int) -> Colours:
    return Colours(**{role: QColor(pair[place]) for role, pair in COLOURS.items()})


LIGHT = _column(0)
DARK = _column(1)
SEPIA = QColor("#F2E2C4")  # laid over a page's image for tired eyes
WHITE = QColor("#FFFFFF")  # what a page's image is taken from to invert it


def colours(palette: QPalette) -> Colours:
    """The column that a widget with this palette is drawn in."""
    return DARK if palette.color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def faded(colour: QColor, share: float) -> QColor:
    """The same colour, this opaque (0..1)."""
    result = QColor(colour)
    result.setAlphaF(share)
    return result


def palette_of(column: Colours) -> QPalette:
    """Qt's roles filled from the table; selected text keeps the text colour, on accent soft."""
    role = QPalette.ColorRole
    palette = QPalette(column.window)
    pairs = {
        role.Window: column.window,
        role.WindowText: column.text,
        role.Base: column.panel,
        role.AlternateBase: column.window,
        role.Text: column.text,
        role.PlaceholderText: column.secondary,
        role.Button: column.panel,
        role.ButtonText: column.text,
        role.BrightText: column.failed,
        role.ToolTipBase: column.panel,
        role.ToolTipText: column.text,
        role.Highlight: column.accent_soft,
        role.HighlightedText: column.text,
        role.Accent: column.accent,
        role.Link: column.accent,
        role.LinkVisited: column.accent,
        role.Light: column.panel,
        role.Midlight: column.hairline,
        role.Mid: column.hairline,
        role.Dark: column.blank,
        role.Shadow: column.behind,
    }
    for each, colour in pairs.items():
        palette.setColor(each, colour)
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, column.blank)
    return palette


class Theme(QObject):
    """Applies the looks to the application and follows the system. Belongs to `ui`.

    `changed` is emitted after every switch between light and dark; icons set with `give_icon` have
    been drawn anew by then.
    """

    changed = Signal()

    def __init__(self, application: QApplication, mode: Mode = "system") -> None:
        super().__init__(application)
        self._application = application
        self._system_was_dark = colours(application.palette()) is DARK
        self._mode: Mode = mode
        self._column: Colours | None = None
        application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)
        application.screenAdded.connect(self._on_screen_added)
        self._tell_system()
        self._apply()

    @property
    def is_dark(self) -> bool:
        """Whether the dark column is shown now."""
        return self._column is DARK

    def choose(self, mode: Mode) -> None:
        """Show light or dark, or follow the system."""
        if mode == self._mode:
            return
        self._mode = mode
        self._tell_system()
        self._apply()

    def _tell_system(self) -> None:
        """So that title bars and native dialogs look alike."""
        scheme = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(self._mode)
        hints = self._application.styleHints()
        if scheme is None:
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(scheme)

    @Slot()
    def _on_scheme_changed(self) -> None:
        self._apply()

    @Slot()
    def _on_screen_added(self) -> None:
        _draw_icons_anew(self._application)

    def _apply(self) -> None:
        column = DARK if self._wants_dark() else LIGHT
        if column is self._column:
            return
        self._column = column
        self._application.setPalette(palette_of(column))
        self._application.setStyleSheet(style_sheet(column))
        _draw_icons_anew(self._application)
        self.changed.emit()

    def _wants_dark(self) -> bool:
        if self._mode != "system":
            return self._mode == "dark"
        scheme = self._application.styleHints().colorScheme()
        if scheme == Qt.ColorScheme.Unknown:
            return self._system_was_dark
        return scheme == Qt.ColorScheme.Dark


def style_sheet(column: Colours) -> str:
    """What Fusion would draw with gradients or double frames, drawn flat; all else is Fusion's."""
    names = {role: getattr(column, role).name() for role in COLOURS}
    handle = faded(column.secondary, 0.45).name(QColor.NameFormat.HexArgb)
    return _STYLE.format(handle=handle, radius=RADIUS, **names)


_STYLE = """
QToolTip {{ color: {text}; background: {panel}; border: 1px solid {hairline}; padding: 4px 8px; }}
QSplitter::handle {{ background: {hairline}; }}
QStatusBar::item {{ border: none; }}
QToolBar {{ background: {window}; border: none; spacing: 4px; padding: 4px 8px; }}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: {radius}px;
  padding: 4px; }}
QToolButton:hover {{ background: {accent_soft}; }}
QToolButton:pressed, QToolButton:checked {{ background: {accent_soft}; border-color: {accent}; }}
QToolButton:focus {{ border-color: {accent}; }}
QPushButton {{ background: {panel}; color: {text}; border: 1px solid {hairline};
  border-radius: {radius}px; padding: 4px 12px; }}
QPushButton:hover {{ background: {accent_soft}; }}
QPushButton:pressed, QPushButton:default {{ border-color: {accent}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 3px 11px; }}
QPushButton:disabled {{ color: {blank}; border-color: {hairline}; }}
QPushButton[filled="true"] {{ background: {accent_soft}; border-color: {accent_soft}; }}
QPushButton[filled="true"]:hover, QPushButton[filled="true"]:focus {{ border-color: {accent}; }}
QPushButton[filled="true"]:disabled {{ background: transparent; border-color: {hairline}; }}
QLineEdit, QAbstractSpinBox {{ background: {panel}; border: 1px solid {hairline};
  border-radius: {radius}px; padding: 3px 8px; }}
QLineEdit:focus, QAbstractSpinBox:focus {{ border-color: {accent}; }}
QAbstractSpinBox {{ padding: 2px 20px 2px 8px; }}
QAbstractSpinBox:disabled {{ color: {blank}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ background: transparent;
  border: none; width: 20px; }}
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow {{ width: 0; height: 0;
  border-left: 4px solid {panel}; border-right: 4px solid {panel}; }}
QAbstractSpinBox::up-arrow {{ border-bottom: 5px solid {secondary}; }}
QAbstractSpinBox::down-arrow {{ border-top: 5px solid {secondary}; }}
QComboBox {{ background: {panel}; border: 1px solid {hairline}; border-radius: {radius}px;
  padding: 3px 8px; }}
QComboBox:focus {{ border-color: {accent}; }}
QComboBox:disabled {{ color: {blank}; }}
QComboBox::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow {{ width: 0; height: 0; border-left: 4px solid {panel};
  border-right: 4px solid {panel}; border-top: 5px solid {secondary}; }}
QComboBox QAbstractItemView {{ background: {panel}; border: 1px solid {hairline}; padding: 4px; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {handle}; border-radius: 3px; margin: 3px; }}
QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {secondary}; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QProgressBar {{ background: {hairline}; border: none; border-radius: 2px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 2px; }}
QCheckBox::indicator, QRadioButton::indicator {{ width: 0.6em; height: 0.6em; padding: 0.15em;
  border: 1px solid {secondary}; background: {panel}; }}
QCheckBox::indicator {{ border-radius: 3px; }}
QRadioButton::indicator {{ border-radius: 0.45em; }}
QCheckBox::indicator:checked {{ background: {accent}; background-clip: content; }}
QRadioButton::indicator:checked {{ background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5,
  fx: 0.5, fy: 0.5, stop: 0 {accent}, stop: 0.55 {accent}, stop: 0.6 {panel}); }}
QRadioButton::indicator:checked:disabled {{ background: qradialgradient(cx: 0.5, cy: 0.5,
  radius: 0.5, fx: 0.5, fy: 0.5, stop: 0 {blank}, stop: 0.55 {blank}, stop: 0.6 {panel}); }}
QCheckBox::indicator:focus, QRadioButton::indicator:focus {{ border: 2px solid {accent};
  margin: -1px; }}
QCheckBox::indicator:checked:disabled {{ background: {blank}; background-clip: content; }}
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled {{ border-color: {hairline}; }}
"""


def is_motion_wanted(widget: QWidget) -> bool:
    """Whether things may fade and turn: not where the system asks for reduced motion."""
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    return widget.style().styleHint(hint, None, widget) > 0


def icon(name: str) -> QIcon:
    """An icon in the colours of now; it does not follow a later switch, see `give_icon`."""
    column = colours(QGuiApplication.palette())
    return icons.icon(name, normal=column.text.name(), disabled=column.hairline.name())


def give_icon(target: QAction | QAbstractButton, name: str) -> None:
    """Set an icon that is drawn anew at every switch between light and dark."""
    target.setProperty(_ICON_NAME, name)
    target.setIcon(icon(name))


def _draw_icons_anew(application: QApplication) -> None:
    for widget in application.allWidgets():
        for target in [widget, *widget.actions(), *widget.findChildren(QAction)]:
            name = target.property(_ICON_NAME)
            if name and isinstance(target, QAction | QAbstractButton):
                target.setIcon(icon(name))
