"""Colours that can be read, looks that follow a switch, icons in the colour of the text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QColor, QFont, QImage, QPalette
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

import resources
from app.book import PageState
from ui import faces, icons, theme

pytestmark = pytest.mark.ui

UI = Path(__file__).parents[2] / "ui"
WRITTEN = ("text", "secondary", "accent", "proofread", "look", "failed", "blank")


@pytest.fixture
def looks(qapp: QApplication):
    before = QPalette(qapp.palette())
    looks = theme.Theme(qapp, "light")
    yield looks
    looks.deleteLater()
    qapp.setStyleSheet("")
    qapp.setPalette(before)


def luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = map(linear, (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("column", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["window", "panel"])
@pytest.mark.parametrize("role", WRITTEN)
def test_writing_can_be_read_on_window_and_panel(column, ground, role):
    assert contrast(getattr(column, role), getattr(column, ground)) >= 4.5


@pytest.mark.parametrize("column", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["behind", "accent_soft"])
def test_text_can_be_read_on_the_other_grounds(column, ground):
    assert contrast(column.text, getattr(column, ground)) >= 4.5


def test_selected_text_keeps_the_text_colour(looks):
    palette = QApplication.palette()
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        chosen = palette.color(group, QPalette.ColorRole.HighlightedText)
        ground = palette.color(group, QPalette.ColorRole.Highlight)
        assert contrast(chosen, ground) >= 4.5


def test_no_other_module_of_the_window_names_a_colour():
    named = re.compile(r"#[0-9A-Fa-f]{6}\b|QColor\(\s*[\d\"']|GlobalColor\.(?!transparent)")
    wrong = [
        f"{path.name}: {found.group()}"
        for path in sorted(UI.rglob("*.py"))
        if path.name != "theme.py"
        for found in named.finditer(path.read_text())
    ]
    assert not wrong


def test_every_state_has_its_colour():
    shown = {theme.LIGHT.of_state(state).name() for state in PageState}
    assert len(shown) == len(PageState) - 1  # blank and unread share one


def test_widgets_follow_a_switch_while_they_are_shown(looks, qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    assert theme.colours(widget.palette()) is theme.LIGHT
    with qtbot.waitSignal(looks.changed, timeout=1000):
        looks.choose("dark")
    qtbot.waitUntil(lambda: theme.colours(widget.palette()) is theme.DARK, timeout=1000)
    assert looks.is_dark


def test_choosing_what_is_shown_tells_nobody(looks, qtbot):
    with qtbot.assertNotEmitted(looks.changed):
        looks.choose("light")


def test_given_icons_are_drawn_anew_in_the_other_colour(looks, qtbot):
    button = QToolButton()
    qtbot.addWidget(button)
    action = QAction(button)
    theme.give_icon(action, "open")
    theme.give_icon(button, "find")
    looks.choose("dark")
    for shown in (action.icon(), button.icon()):
        assert darkest(shown.pixmap(QSize(20, 20)).toImage()) == theme.DARK.text.name()


def darkest(image: QImage) -> str:
    """The colour of the least transparent pixel."""
    places = [(x, y) for x in range(image.width()) for y in range(image.height())]
    full = max((image.pixelColor(x, y) for x, y in places), key=QColor.alpha)
    return QColor(full.rgb()).name()


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_icons_have_a_pixel_for_every_pixel_of_the_screen(qapp, scale):
    drawn = icons.pixmap("open", 16, theme.LIGHT.text.name(), scale)
    assert drawn.width() == round(16 * scale)
    assert drawn.devicePixelRatio() == scale


def test_every_state_has_its_icon():
    for state in PageState:
        assert resources.path(f"icons/state-{state}.svg").is_file()


def test_reading_face_has_the_letters_of_old_print(qapp):
    font = faces.reading_font(QApplication.font(), 1.1)
    assert faces.reading_family()
    assert QFont(font).families()[0] == faces.reading_family()


def test_reading_face_grows_with_its_scale_and_the_system(qapp):
    system = QFont(QApplication.font())
    small = faces.reading_font(system, 1.1)
    assert faces.reading_font(system, 2.2).pointSizeF() == pytest.approx(2 * small.pointSizeF())
    large = faces.reading_font(faces.scaled_font(system, 2.0), 1.1)
    assert large.pointSizeF() == pytest.approx(2 * small.pointSizeF(), rel=0.05)


def test_fonts_given_in_pixels_are_scaled_too(qapp):
    font = QFont()
    font.setPixelSize(20)
    assert faces.scaled_font(font, 1.5).pixelSize() == 30
