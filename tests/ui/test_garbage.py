"""Garbage is collected on the UI thread alone, whatever thread made it."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest
from PySide6.QtCore import QObject

from app.workers import Worker
from ui.garbage import Garbage

pytestmark = pytest.mark.ui


class Link:
    """One of a ring, which only the collector frees; it holds something of Qt."""

    def __init__(self) -> None:
        self.itself = self
        self.held = QObject()


@pytest.fixture
def threads():
    """The threads on which anything was collected."""
    seen: list[threading.Thread] = []

    def note(phase: str, _told: dict[str, Any]) -> None:
        if phase == "start":
            seen.append(threading.current_thread())

    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)


@pytest.fixture
def garbage(qapp):
    parent = QObject()
    garbage = Garbage(parent)
    garbage.watch()
    yield garbage
    garbage.release()


def make_rings(count: int) -> None:
    for _each in range(count):
        Link()


def test_what_another_thread_leaves_is_collected_on_this_one(garbage, threads, qtbot):
    link = Link()
    freed = weakref.ref(link)
    del link
    worker = Worker("jobs")
    worker.submit(make_rings, 20_000).result()
    assert worker.close()
    assert not threads
    qtbot.waitUntil(lambda: freed() is None)
    assert set(threads) == {threading.main_thread()}


def test_nothing_is_collected_while_an_engine_is_loaded(garbage, threads):
    usual = gc.get_threshold()
    gc.set_threshold(0)
    make_rings(20_000)
    garbage.collect()
    assert not threads
    gc.set_threshold(*usual)
    garbage.collect()
    assert threads


def test_the_collector_is_given_back(qapp):
    garbage = Garbage(qapp)
    garbage.watch()
    assert not gc.isenabled()
    garbage.release()
    assert gc.isenabled()


def test_an_open_window_has_python_collect_nothing_by_itself(make_studio):
    studio = make_studio()
    assert not gc.isenabled()
    studio.window.leave()
    assert studio.close()
    assert gc.isenabled()
