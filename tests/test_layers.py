"""Imports point down, heavy libraries stay in their rooms, and nothing unsafe is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
ROOMS = ("resources", "model", "app", "ui")
MAY_IMPORT = {
    "resources": {"resources"},
    "model": {"model", "resources"},
    "app": {"app", "model", "resources"},
    "ui": {"ui", "app", "resources"},
}
HOMES = {
    "torch": ("model/",),
    "transformers": ("model/",),
    "onnxruntime": ("model/",),
    "rapidocr": ("model/",),
    "pymupdf": ("app/sources/", "app/export/pdf", "resources/sample/"),
    "sqlite3": ("app/store/",),
    "PySide6": ("ui/",),
    "qasync": ("ui/",),
}


def sources() -> list[Path]:
    return [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module in ROOMS:  # from model import api
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            else:
                yield node.module


def test_imports_point_down():
    wrong = []
    for path in sources():
        room = path.relative_to(ROOT).parts[0]
        for name in imports(path):
            top = name.split(".")[0]
            if top in ROOMS and top not in MAY_IMPORT[room]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
            if room == "app" and top == "model" and name != "model.api":
                wrong.append(f"{path.relative_to(ROOT)} imports {name}, not model.api")
    assert not wrong


def test_heavy_libraries_stay_at_home():
    wrong = []
    for path in sources():
        place = path.relative_to(ROOT).as_posix()
        for name in imports(path):
            homes = HOMES.get(name.split(".")[0])
            if homes and not place.startswith(homes):
                wrong.append(f"{place} imports {name}")
    assert not wrong


def test_nothing_unpickles_or_evaluates():
    wrong = []
    for path in [*sources(), *sorted((ROOT / "tests").rglob("*.py"))]:
        if any(
            name.split(".")[0] in {"pickle", "marshal", "shelve", "dill"} for name in imports(path)
        ):
            wrong.append(f"{path.relative_to(ROOT)} imports a pickler")
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                if called in {"eval", "exec", "torch.load"}:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} calls {called}")
    assert not wrong


def test_every_module_says_what_lives_there():
    silent = [
        str(path.relative_to(ROOT))
        for path in sources()
        if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert not silent


def test_packaging_is_not_a_python_package():
    assert not (ROOT / "packaging" / "__init__.py").exists()
