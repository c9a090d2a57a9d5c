"""What a person chose, kept in one JSON file. Pure but for load and save; any thread."""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast, get_args

from app.characters import DEFAULT_RULES, Rules
from app.errors import StoreError
from model.api import Engine

log = logging.getLogger(__name__)

SETTINGS_NAME = "settings.json"
"""In the folder `Places.config`."""

SMALLEST_TEXT, LARGEST_TEXT = 0.6, 4.0

Device = Literal["auto", "cpu", "cuda"]
Theme = Literal["system", "light", "dark"]
Mode = Literal["tiled", "parallel", "continuous", "request"]


@dataclass(frozen=True)
class Settings:
    """The few settings there are; the defaults work."""

    engine: Engine | None = None  # None: the best that is there
    checkpoint: Path | None = None  # folder of an Unlimited-OCR checkpoint
    device: Device = "auto"
    gpu_memory_limit_bytes: int | None = None
    mode: Mode | None = None  # how Unlimited-OCR goes through a book; None: as the checkpoint likes
    window_size: int = 64  # pages
    sparsity_ratio: float = 0.1  # over 0, at most 1
    chunk_size: int = 4  # pages
    max_pages: int = 4096
    person: str = ""  # stands beside readings by hand
    theme: Theme = "system"
    text_scale: float = 1.1  # of the reading font; 1 is the system's size
    language: str = ""  # of the interface; "": the system's
    shortcuts: tuple[tuple[str, str], ...] = ()  # (action, keys), only those that were changed
    page_limit_megapixels: int = 250
    inhibit_sleep: bool = True
    favourite_characters: str = "ſßæœꝛ\u0364–—„“‚‘§†"
    recent_characters: str = ""  # put in last, the newest first
    compose_rules: Rules = DEFAULT_RULES


def load_settings(path: Path) -> Settings:
    """Read the settings; what is missing or makes no sense has its default.

    A file that is not JSON is kept aside under a dated name and told of in the log.
    """
    try:
        return _settings_of(_load(path))
    except OSError:
        log.warning("the settings in %s cannot be read; defaults are used", path, exc_info=True)
        return Settings()


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings in one step, so that a crash leaves the old file or the new one.

    Keys of the file that this version does not know are kept.

    Raises:
        StoreError: `store_unwritable`; the old file is still there.
    """
    known = {each.name: _plain(getattr(settings, each.name)) for each in fields(settings)}
    try:
        text = json.dumps(_load(path) | known, ensure_ascii=False, indent=2) + "\n"
        _replace(path, text)
    except OSError as error:
        detail = error.strerror or str(error)
        raise StoreError("store_unwritable", detail=detail, folder=str(path.parent)) from error


def _load(path: Path) -> dict[str, Any]:
    try:
        content: Any = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return _keep_aside(path)
    return cast("dict[str, Any]", content) if isinstance(content, dict) else _keep_aside(path)


def _keep_aside(path: Path) -> dict[str, Any]:
    kept = path.with_name(f"{path.name}.broken-{datetime.now():%Y%m%d-%H%M%S-%f}")
    log.warning("the settings in %s are not JSON; the file is kept as %s", path, kept)
    with contextlib.suppress(OSError):  # in a folder that is read-only it stays where it is
        path.replace(kept)
    return {}


def _replace(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    with new.open("w", encoding="utf-8", errors="surrogatepass") as file:  # as JSON reads it
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value


def _settings_of(content: Mapping[str, Any]) -> Settings:
    chosen: dict[str, Any] = {}
    for name, read in _READ.items():
        if name not in content:
            continue
        try:
            chosen[name] = read(content[name])
        except (TypeError, ValueError):
            log.warning("the setting %s makes no sense and has its default", name)
    return Settings(**chosen)


def _one_of(*choices: str) -> Callable[[object], object]:
    def read(value: object) -> object:
        if value not in choices:
            raise ValueError(value)
        return value

    return read


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    if not 0 < value < float("inf"):
        raise ValueError(value)
    return value


def _text_scale(value: object) -> float:
    scale = _number(value)
    if not SMALLEST_TEXT <= scale <= LARGEST_TEXT:
        raise ValueError(value)
    return scale


def _share(value: object) -> float:
    share = _number(value)
    if share > 1:
        raise ValueError(value)
    return share


def _whole(value: object) -> int:
    number = _number(value)
    if number != int(number):
        raise ValueError(value)
    return int(number)


def _or_none(read: Callable[[Any], object]) -> Callable[[object], object]:
    return lambda value: None if value is None else read(value)


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    pairs = cast("list[list[object]]", value)
    return tuple((_text(action), _text(keys)) for action, keys in pairs)


_READ: dict[str, Callable[[Any], object]] = {
    "engine": _or_none(Engine),
    "checkpoint": _or_none(lambda value: Path(_text(value))),
    "device": _one_of(*get_args(Device)),
    "gpu_memory_limit_bytes": _or_none(_whole),
    "mode": _or_none(_one_of(*get_args(Mode))),
    "window_size": _whole,
    "sparsity_ratio": _share,
    "chunk_size": _whole,
    "max_pages": _whole,
    "person": _text,
    "theme": _one_of(*get_args(Theme)),
    "text_scale": _text_scale,
    "language": _text,
    "shortcuts": _pairs,
    "page_limit_megapixels": _whole,
    "inhibit_sleep": _yes_or_no,
    "favourite_characters": _text,
    "recent_characters": _text,
    "compose_rules": _pairs,
}
