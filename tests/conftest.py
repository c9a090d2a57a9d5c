"""For every test: an own home, no window system, no stray thread, no stray warning in the log."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

import hypothesis
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"

# Machines differ and are shared: no property fails for being slow.
hypothesis.settings.register_profile(
    "house", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("house")

SHARED = Path(__file__).resolve().parents[2] / "shared"
LAYERS = ("model", "app", "export", "ui", "gpu", "bench")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lower layers first, so that the first red line is the cause."""

    def rank(item: pytest.Item) -> int:
        room = item.path.parent.name
        return LAYERS.index(room) if room in LAYERS else -1

    items.sort(key=rank)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own data, cache, settings and log folders."""
    home = tmp_path / "home"
    monkeypatch.setenv("INCUNABLE_HOME", str(home))
    return home


@pytest.fixture(autouse=True)
def no_thread_left() -> object:
    """A thread that a test started must have ended with it."""
    before = set(threading.enumerate())
    yield
    left = [
        thread
        for thread in threading.enumerate()
        if thread not in before and thread.is_alive() and not thread.name.startswith("Thread-tqdm")
    ]
    for thread in left:
        thread.join(timeout=5)
    assert not [thread.name for thread in left if thread.is_alive()], "threads left running"


@pytest.fixture(autouse=True)
def no_warning_in_log(caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest) -> object:
    """A log line of WARNING or more fails the test that did not say it expects one."""
    yield
    if request.node.get_closest_marker("expects_warning"):
        return
    loud = [
        record.getMessage()
        for record in caplog.get_records("call")
        if record.levelno >= logging.WARNING and record.name.split(".")[0] in {"app", "model", "ui"}
    ]
    assert not loud, f"unexpected log lines: {loud}"


@pytest.fixture
def shared() -> Path:
    """The folder with real scans and awkward files that lies beside a checkout of the project."""
    if not SHARED.is_dir():
        pytest.skip("the folder with real scans does not lie beside this checkout")
    return SHARED
