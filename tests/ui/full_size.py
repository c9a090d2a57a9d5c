"""Shows an image of one pixel wide stripes at 100 % and compares it with what is on the screen.

Run by `test_page_view.py`; the argument is the scale factor of the screen.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import Future
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = sys.argv[1]
sys.path.insert(0, str(Path(__file__).parents[2]))

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QWidget

from app.book import PageSize
from app.sources.values import Raster
from tests.ui.scans import stripes
from ui.page_layout import Fit, Zoom
from ui.page_view import PageView

RASTER = stripes(301, 251)


def request(page: int, *, fit: tuple[int, int] | None = None, scale: float = 1.0) -> Future[Raster]:
    future: Future[Raster] = Future()
    future.set_result(RASTER)
    return future


application = QApplication([])
window = QWidget()
row = QHBoxLayout(window)
row.setContentsMargins(7, 5, 3, 3)  # so that the view begins between two pixels at 1.5
row.addWidget(QLabel("odd"))
view = PageView()
row.addWidget(view)
window.resize(601, 503)
view.set_book(request)
view.show_page(0, PageSize(301, 251))
view.desk.set_zoom(Zoom(Fit.FREE, 1.0))


def compare() -> None:
    image = window.grab().toImage()
    height, width = image.height(), image.width()
    rows = [[image.pixelColor(x, y).value() for x in range(width)] for y in (height // 2,)]
    expected = [255 if x % 2 == 0 else 0 for x in range(301)]
    line = rows[0]
    places = [x for x in range(width - 301) if line[x : x + 301] == expected]
    print("every pixel as it is in the image" if places else f"not found at {sys.argv[1]}: {line}")
    application.quit()


def ready() -> None:
    QTimer.singleShot(50, compare)


view.desk.page_shown.connect(ready)
window.show()
QTimer.singleShot(20_000, application.quit)
application.exec()
