"""No attribute of a widget of ours hides what Qt calls by that name."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.ui

UI = Path(__file__).parents[2] / "ui"
MODULES = sorted(path for path in UI.glob("*.py") if path.stem not in {"__init__", "main"})


def hidden_in(module: ast.Module, of_qt: dict[str, type]) -> Iterator[str]:
    """What classes name as Qt does and do not mark as an override."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and node.name in of_qt:
            for name in names_of(node):
                if hasattr(of_qt[node.name], name) and not name.startswith("__"):
                    yield f"{node.name}.{name}"


def names_of(node: ast.ClassDef) -> Iterator[str]:
    """Methods, signals and attributes that a class gives itself."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            if "override" not in {ast.unparse(mark) for mark in each.decorator_list}:
                yield each.name
        elif isinstance(each, ast.Assign):
            yield from (ast.unparse(target) for target in each.targets)
    for each in ast.walk(node):
        if not isinstance(each, ast.Attribute) or not isinstance(each.ctx, ast.Store):
            continue
        if ast.unparse(each.value) == "self":
            yield each.attr


def classes_of_qt(name: str) -> dict[str, type]:
    """The classes of a module with the class of Qt that each is made from."""
    found = {}
    for each in vars(importlib.import_module(name)).values():
        if isinstance(each, type) and each.__module__ == name:
            of_qt = (base for base in each.__mro__ if base.__module__.startswith("PySide6"))
            found[each.__name__] = next(of_qt, object)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_name_hides_one_of_qt(path):
    module = ast.parse(path.read_text(encoding="utf-8"))
    assert not list(hidden_in(module, classes_of_qt(f"ui.{path.stem}")))


def test_a_hidden_name_is_found():
    from PySide6.QtWidgets import QDialog

    told = "class Told(QDialog):\n  accepted = 1\n  def __init__(self): self.done = True\n"
    hidden = hidden_in(ast.parse(told), {"Told": QDialog})
    assert list(hidden) == ["Told.accepted", "Told.done"]
