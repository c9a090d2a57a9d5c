from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.bench.machine import this_machine
from tests.bench.numbers import p95
from tests.bench.report import Line, Measured, Row, as_json, as_markdown
from tests.bench.rows import ROWS

pytestmark = pytest.mark.unit

ROW = Row("turn", "page turn", "under 150 ms", 0.150, "turning")


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (Measured(0.149, "149 ms"), "met"),
        (Measured(0.150, "150 ms"), "**missed**"),
        (Measured(0.150, "150 ms", limit=0.2), "met"),  # a target that only the measuring tells
        (None, "**not measured**"),
    ],
)
def test_a_row_says_whether_it_met_its_target(measured, verdict):
    line = Line(ROW, measured, failure="its process ended with 1")
    assert line.verdict == verdict
    row = as_markdown(this_machine(), [line]).splitlines()[6]
    assert row.startswith("| page turn | under 150 ms |")
    assert row.endswith(f"| {verdict} |")


def test_other_programs_get_the_same():
    line = Line(ROW, Measured(0.1, "100 ms", notes=("a note",)))
    told = json.loads(as_json(this_machine(), [line]))
    assert told["rows"][0]["verdict"] == "met"
    assert told["rows"][0]["measured"]["notes"] == ["a note"]
    assert told["machine"]["cores"] >= 1


def test_the_95th_percentile_is_not_exceeded_by_95_in_a_hundred():
    assert p95([*range(1, 101)]) == 95
    assert p95([7.0]) == 7.0


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_has_its_measure(row):
    source = Path(__file__).with_name(f"{row.module}.py").read_text()
    functions = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert f"measure_{row.name}" in functions
