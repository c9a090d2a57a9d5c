"""Some damaged files of every kind; `make fuzz` opens two thousand."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from tests.app.damage import damaged_files, open_damaged

pytestmark = pytest.mark.unit


@pytest.mark.slow
@pytest.mark.expects_warning
def test_damaged_files_open_or_are_refused_in_words(shared: Path, tmp_path: Path):
    originals = sorted(path for path in (shared / "files").iterdir() if path.suffix != ".tsv")
    children = len(psutil.Process().children())
    fates = [
        open_damaged(tmp_path, name, data)
        for name, data in damaged_files(originals, len(originals), seed=1)
    ]
    assert [fate for fate in fates if fate.fault] == []
    assert 5 < sum(fate.is_opened for fate in fates) < len(fates)  # neither sound nor all lost
    assert len(psutil.Process().children()) == children


def test_the_same_seed_gives_the_same_files_and_another_gives_others(tmp_path: Path):
    original = tmp_path / "a.pdf"
    original.write_bytes(b"%PDF-1.4 1 0 obj << /Width 100 >>" * 40)
    first, again, other = (list(damaged_files([original], 20, seed=seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert all(data != original.read_bytes() for _, data in first)
