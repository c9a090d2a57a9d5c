"""Programs of other people that tests need: absent, a test is skipped; in CI that is red."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def absent(name: str) -> NoReturn:
    """End the test that needs a program which is not there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{name} is not installed, and CI must have it")
    pytest.skip(f"{name} is not installed")
