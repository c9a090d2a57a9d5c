"""Which checkpoints' own code may run: none, until a person has allowed it for that checkpoint.

What is allowed is these files as they were: a permission is kept with the hash over them, and with
one file changed, added or taken away it holds no more. Any thread; one small JSON file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

PERMISSIONS_NAME = "checkpoint-code.json"
"""In the folder `Places.config`."""


class Permissions:
    """What was allowed, by folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def is_allowed(self, folder: Path, code_sum: str) -> bool:
        """Whether exactly this code may run for this folder."""
        return self._known().get(_name(folder)) == code_sum

    def allow(self, folder: Path, code_sum: str) -> None:
        """Allow it, from now on and until a file of it changes.

        Raises:
            OSError: it cannot be kept.
        """
        self._keep({**self._known(), _name(folder): code_sum})

    def forbid(self, folder: Path) -> None:
        """Take it back.

        Raises:
            OSError: it cannot be kept.
        """
        known = self._known()
        if known.pop(_name(folder), None) is not None:
            self._keep(known)

    def _known(self) -> dict[str, Any]:
        """Nothing is allowed by a file that cannot be read."""
        try:
            found: Any = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return cast("dict[str, Any]", found) if isinstance(found, dict) else {}

    def _keep(self, known: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        beside.write_text(json.dumps(known, indent=1), encoding="utf-8")
        beside.replace(self._path)


def _name(folder: Path) -> str:
    return str(folder.resolve())
