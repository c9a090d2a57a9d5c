"""What is said of the engine that will read, and of a checkpoint folder. Any thread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from app.language import N_, _
from app.run_view import ENGINE_NAMES, device_text
from app.there import is_folder
from model.api import EngineChoice, ModelError, is_second_version

WHY = {
    "asked": N_("as chosen in Settings"),
    "gpu_and_checkpoint": N_("a card and a checkpoint are there"),
    "no_checkpoint": N_("Unlimited-OCR would need a checkpoint folder, see Settings"),
    "checkpoint_incomplete": N_("the checkpoint folder is incomplete, see Settings"),
    "never_compared": N_("Unlimited-OCR-2 stays off until 'incunable doctor --compare'"),
    "no_gpu": N_("no graphics card was found for Unlimited-OCR"),
    "gpu_too_small": N_("the graphics card has too little memory for the checkpoint"),
    "torch_without_cuda": N_("the installed torch cannot use the graphics card"),
}


def choice_text(choice: EngineChoice) -> str:
    """The line on what will read and why: 'Line reader on the processor: no card was found'."""
    name = _(ENGINE_NAMES.get(choice.engine.value, choice.engine.value))
    engine = _("{engine} on the {device}").format(engine=name, device=_device(choice))
    why = WHY.get(choice.why)
    return f"{engine}: {_(why)}" if why else engine


def _device(choice: EngineChoice) -> str:
    if choice.engine.value == "line-reader" or choice.device == "cpu":
        return device_text("cpu")
    return _("graphics card") if choice.device == "cuda" else _("best device")


def checkpoint_lack(folder: Path) -> str:
    """What a checkpoint folder lacks, or needs, in a sentence or two; "" if it looks complete.

    Reads names and two small files, nothing of the weights; they are checked when they are loaded.
    """
    if not is_folder(folder):
        return _("There is no such folder.")
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            return _("The folder holds no {name}; it is no checkpoint.").format(name=name)
    try:
        missing = [name for name in _weight_files(folder) if not (folder / name).is_file()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _("The list of weight files in it cannot be read; copy the checkpoint again.")
    if missing:
        return _("The folder lacks {name}; copy the checkpoint again.").format(name=missing[0])
    if _is_second(folder):
        return _(
            "This is Unlimited-OCR-2: it is read only once 'incunable doctor --compare' has found "
            "that Incunable computes what its own code computes."
        )
    return ""


def _is_second(folder: Path) -> bool:
    try:
        return is_second_version(folder)
    except ModelError:
        return False  # what is wrong with it is told when it is loaded


def _weight_files(folder: Path) -> list[str]:
    index = folder / "model.safetensors.index.json"
    if not index.exists():
        return ["model.safetensors"]
    listed: dict[str, Any] = json.loads(index.read_bytes())
    return sorted(set(listed["weight_map"].values()))
