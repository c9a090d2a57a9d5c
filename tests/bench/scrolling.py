"""Scrolling through the page list of the large book, thumbnails coming in from the real scan."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from PySide6.QtWidgets import QApplication, QWidget

from app.pages import PageQueue, Priority, open_pages
from app.store.database import BookStore
from tests.bench.books import finished_home, large_book
from tests.bench.numbers import p95, seconds
from tests.bench.report import Measured
from ui.page_grid import PageGrid
from ui.page_list import PageList
from ui.theme import Theme

NARROW, WIDE = (190, 1300), (1200, 1300)  # as it opens, and so wide that it fills a screen
STEPS = 240
STEPS_A_STROKE = 8  # then the wheel rests, so that thumbnails are asked for
REST_S = 0.08


class Paint(NamedTuple):
    seconds: float
    busy_s: float  # of it, the thread worked


def measure_scroll(folder: Path) -> Measured:
    """How long the list takes to paint itself after each step through the book."""
    return _measured(folder, NARROW)


def measure_scroll_wide(folder: Path) -> Measured:
    """The same with some ninety pages in sight."""
    return _measured(folder, WIDE)


def _measured(folder: Path, size: tuple[int, int]) -> Measured:
    application = QApplication([])
    Theme(application, "light")
    home = finished_home(folder)
    (path,) = (home / "data" / "books").glob("*.sqlite")
    store = BookStore.open(path, read_only=True)
    images = open_pages([large_book()])
    try:
        paints = _scroll(store, images, size)
    finally:
        images.close()
        store.close()
    taken_s = [paint.seconds for paint in paints]
    return Measured(p95(taken_s), f"{seconds(p95(taken_s))} ({_told(paints)})")


def _told(paints: list[Paint]) -> str:
    taken_s = sorted(paint.seconds for paint in paints)
    busy_s = p95([paint.busy_s for paint in paints])
    return (
        f"p95 at work {seconds(busy_s)}; median {seconds(taken_s[len(taken_s) // 2])}, "
        f"longest {seconds(taken_s[-1])} of {len(paints)}"
    )


def _scroll(store: BookStore, images: PageQueue, size: tuple[int, int]) -> list[Paint]:
    window = PageList()
    window.resize(*size)
    window.set_book(
        store.book().pages,
        lambda page, side: images.image(page, fit=(side, side), priority=Priority.THUMBNAIL),
    )
    window.show()
    grid = window.findChild(PageGrid)
    assert grid is not None
    bar = grid.verticalScrollBar()
    _serve(0.3)
    painted = []
    for step in range(STEPS):
        bar.setValue(bar.maximum() * step // STEPS)
        painted.append(_paint(grid.viewport()))
        _serve(REST_S if step % STEPS_A_STROKE == 0 else 0.002)
    window.close()
    return painted


def _paint(widget: QWidget) -> Paint:
    begun_s, worked_s = time.perf_counter(), time.thread_time()
    widget.repaint()
    return Paint(time.perf_counter() - begun_s, time.thread_time() - worked_s)


def _serve(wait_s: float) -> None:
    """Let events be handled for so long."""
    ends_s = time.monotonic() + wait_s
    while time.monotonic() < ends_s:
        QApplication.processEvents()
        time.sleep(0.001)
