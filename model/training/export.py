"""A training made into a checkpoint folder that the engine loads: weights, vocabulary, manifest.

`python -m model.training.export --weights FOLDER --out FOLDER [--default]`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from model.training.renderer import MOST_TOKENS

FILES = ("config.json", "tokenizer.json", "model.safetensors")
PROMPTS = {"page": "<image><|ocr|>", "pages": None}


def export(weights: Path, out: Path, *, side_px: int, is_default: bool) -> None:
    """Copy what is read of a checkpoint, and list it with its sums.

    Args:
        weights: folder of a training.
        out: folder of the checkpoint; made if it is not there.
        side_px: of the square that the reader sees.
        is_default: whether the reader is the engine that is used where nothing else is asked for.
    """
    out.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(weights / name, out / name)
    views = {
        "size": {"height": side_px, "width": side_px},
        "crop_to_patches": False,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
    _write(out / "preprocessor_config.json", views)
    listed = (*FILES, "preprocessor_config.json")
    sums = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in listed}
    manifest = {
        "prompts": PROMPTS,
        "page_tokens": MOST_TOKENS,
        "is_default_engine": is_default,
        "files": sums,
    }
    _write(out / "manifest.json", manifest)


def main(arguments: list[str] | None = None) -> None:
    """Export from the command line."""
    asks = argparse.ArgumentParser(prog="python -m model.training.export", description=__doc__)
    asks.add_argument("--weights", type=Path, required=True)
    asks.add_argument("--out", type=Path, required=True)
    asks.add_argument("--default", action="store_true", help="reads better than the line reader")
    said: Any = asks.parse_args(arguments)
    raw = json.loads((said.weights / "config.json").read_text(encoding="utf-8"))
    side = raw["vision_config"]["sam_config"]["image_size"]
    export(said.weights, said.out, side_px=side, is_default=said.default)


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
