"""Labels that stand still and follow light and dark."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from ui import theme
from ui.labels import QuietLabel, SteadyLabel

pytestmark = pytest.mark.ui


@pytest.fixture
def looks(qapp):
    before = QPalette(qapp.palette())
    looks = theme.Theme(qapp, "light")
    yield looks
    looks.deleteLater()
    qapp.setStyleSheet("")
    qapp.setPalette(before)


def ink(label):
    return label.palette().color(QPalette.ColorRole.WindowText).name()


def test_secondary_colour_survives_a_switch_of_the_theme(looks, qtbot):
    label = QuietLabel("quiet")
    qtbot.addWidget(label)
    label.show()
    assert ink(label) == theme.LIGHT.secondary.name()
    looks.choose("dark")
    QApplication.processEvents()
    assert ink(label) == theme.DARK.secondary.name()
    label.show_text("loud", warns=True)
    assert ink(label) == theme.DARK.look.name()
    looks.choose("light")
    QApplication.processEvents()
    assert ink(label) == theme.LIGHT.look.name()


def test_a_steady_label_never_narrows_until_told(qtbot):
    label = SteadyLabel("1,024 pages")
    qtbot.addWidget(label)
    wide = label.sizeHint().width()
    label.show_text("9 pages")
    assert label.sizeHint().width() == label.minimumSizeHint().width() == wide
    label.forget_width()
    assert label.sizeHint().width() < wide
