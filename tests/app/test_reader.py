"""What the reading thread does round an engine; runs themselves are in `test_session`."""

from __future__ import annotations

import gc

import pytest

from model.fake import FakeRecogniser
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit


def test_the_collector_rests_while_an_engine_loads_and_passes_over_it_until_it_is_freed(tmp_path):
    thresholds: list[int] = []
    usual = gc.get_threshold()

    def load() -> FakeRecogniser:
        thresholds.append(gc.get_threshold()[0])
        return FakeRecogniser()

    frozen = gc.get_freeze_count()
    with Desk(load) as desk:
        desk.open(make_scan(tmp_path / "scan", 1))
        desk.read()
        assert thresholds == [0]
        assert gc.get_threshold() == usual
        assert gc.get_freeze_count() > frozen
    assert gc.get_freeze_count() == 0
