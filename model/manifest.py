"""Whether the files of a checkpoint are those that its manifest lists, and which checkpoint it is.

A manifest of SHA-256 sums is `manifest.json` with `{"files": {name: sum}}`, or `sha256sums` as the
command of that name writes it; a folder may have either, both or none.

Hashing gigabytes takes seconds, so sums are remembered in a file that the caller names, each with
the size and modification time of its file; a file that has changed is hashed again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from model.config import json_object, read_json_if_there
from model.errors import WeightsDamaged

HEX_DIGITS = frozenset("0123456789abcdef")


class Entry(NamedTuple):
    """A sum and the state of its file when it was taken."""

    size_bytes: int
    modified_ns: int
    sha256: str


def check_hashes(
    files: Sequence[Path], *, manifest: Mapping[str, str], remembered: Path | None
) -> dict[Path, str]:
    """Hash files and compare them with a manifest.

    Args:
        files: all that is read of a checkpoint.
        manifest: sums by name, as `read_manifest` gives them; empty: there is nothing to compare.
        remembered: a JSON file of sums taken before, read and rewritten; None hashes anew. A sum
            counts only while size and modification time of its file are the same.

    Returns:
        The SHA-256 of each file, 64 hex digits.

    Raises:
        WeightsDamaged: a sum differs, or a manifest does not list a file; named.
    """
    sums = _sums(files, remembered)
    for path, found in sums.items() if manifest else ():
        if path.name not in manifest:
            raise WeightsDamaged(f"the manifest does not list {path.name}")
        if manifest[path.name] != found:
            raise WeightsDamaged(f"{path.name} is not the manifest's: its SHA-256 differs")
    return sums


def read_manifest(folder: Path) -> dict[str, str]:
    """SHA-256 sums by file name as the folder's manifest lists them; empty where there is none.

    Raises:
        WeightsDamaged: a sum is not 64 hex digits.
    """
    listed = dict((*_json_manifest(folder), *_text_manifest(folder)))
    for name, found in listed.items():
        if len(found) != 64 or set(found) - HEX_DIGITS:
            raise WeightsDamaged(f"the manifest gives no SHA-256 for {name}")
    return listed


def short_id(sums: Sequence[str]) -> str:
    """Which weights these are: 16 hex digits of the sum, or of the sums of all shards."""
    whole = sums[0] if len(sums) == 1 else hashlib.sha256("".join(sums).encode()).hexdigest()
    return whole[:16]


def _json_manifest(folder: Path) -> list[tuple[str, str]]:
    files = json_object(read_json_if_there(folder / "manifest.json").get("files"))
    return [(name, str(found).lower()) for name, found in files.items()]


def _text_manifest(folder: Path) -> list[tuple[str, str]]:
    path = folder / "sha256sums"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    halves = [line.partition(" ") for line in lines if line.strip()]
    return [(name.strip().removeprefix("*"), found.lower()) for found, _, name in halves]


def _sums(files: Sequence[Path], remembered: Path | None) -> dict[Path, str]:
    known = _recall(remembered)
    taken = {path: _sum(path, known.get(str(path.resolve()))) for path in files}
    fresh = {str(path.resolve()): entry for path, entry in taken.items()}
    if remembered is not None and any(known.get(name) != entry for name, entry in fresh.items()):
        with contextlib.suppress(OSError):  # then the next start hashes again, no more
            _remember(remembered, {**known, **fresh})
    return {path: entry.sha256 for path, entry in taken.items()}


def _sum(path: Path, known: Entry | None) -> Entry:
    """Sum of a file; the known one where size and modification time agree."""
    status = path.stat()
    if known is not None and known[:2] == (status.st_size, status.st_mtime_ns):
        return known
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return Entry(status.st_size, status.st_mtime_ns, found)


def _recall(remembered: Path | None) -> dict[str, Entry]:
    """Sums remembered; a file of sums that cannot be read only costs the hashing."""
    if remembered is None:
        return {}
    try:
        found = read_json_if_there(remembered)
        return {name: Entry(*entry) for name, entry in found.items()}
    except (WeightsDamaged, TypeError):
        return {}


def _remember(remembered: Path, sums: Mapping[str, Entry]) -> None:
    remembered.parent.mkdir(parents=True, exist_ok=True)
    beside = remembered.with_suffix(".new")
    beside.write_text(json.dumps(sums, indent=1), encoding="utf-8")
    beside.replace(remembered)
