"""The kernels beside their twin in plain PyTorch, run by Triton's interpreter on small shapes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.model

pytest.importorskip("triton")

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(600)  # half a minute of a core that may be shared
def test_every_kernel_does_what_its_twin_does():
    """In a process of its own: whether kernels are interpreted is settled when they are defined."""
    environment = {**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.model.kernels_beside_twins"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("equal") == 5
