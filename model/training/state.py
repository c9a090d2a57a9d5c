"""A training on disk: safetensors for what is tensors, JSON for the rest. Nothing is pickled.

`model.safetensors` (bfloat16, the checkpoint itself), `config.json`, `tokenizer.json`,
`optimiser.safetensors`, `progress.json`.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file  # pyright: ignore[reportUnknownVariableType]
from torch.nn import functional

Tensor = torch.Tensor

TIED = "lm_head.weight"  # the same tensor as the embeddings
LOCAL_PLACES = "model.vision_tower.sam_encoder.pos_embed"  # (1, rows, columns, size)
WIDE_PLACES = (
    "model.vision_tower.vision_encoder.embeddings.position_embedding.weight"  # first: class
)


_NO_ROWS: list[dict[str, float]] = []


@dataclass
class Progress:
    """How far a training is."""

    steps: int = 0
    pages: int = 0
    seconds: float = 0.0  # of training, compiling left out
    leg: int = 0
    curve: list[dict[str, float]] = field(default_factory=lambda: [*_NO_ROWS])


def make_config(folder: Path, side_px: int | None) -> Any:  # noqa: ANN401  # transformers has no types
    """The network's configuration as a folder has it; for pages of another `side_px` if given."""
    import transformers

    made: Any = transformers.UnlimitedOcrConfig
    config: Any = made.from_pretrained(str(folder))
    for part in (config.vision_config.sam_config, config.vision_config.encoder_config):
        part.image_size = side_px or part.image_size
    config.text_config.max_position_embeddings = 32_768
    return config


def make_network(config: Any, weights: dict[str, Tensor] | None) -> Any:  # noqa: ANN401
    """The network, with weights whose position tables are stretched to its page size."""
    import transformers

    made: Any = transformers.UnlimitedOcrForConditionalGeneration
    network = made(config)
    network.tie_weights()
    if weights is not None:
        wanted = {name: weight.shape for name, weight in network.state_dict().items()}
        fitting = {name: fit(name, weight, wanted[name]) for name, weight in weights.items()}
        found = network.load_state_dict(fitting, strict=False)
        missing = set(found.missing_keys) - {TIED}
        if missing or found.unexpected_keys:
            raise ValueError(f"weights do not fit: {sorted(missing)} {found.unexpected_keys}")
    return network


def fit(name: str, weight: Tensor, shape: torch.Size) -> Tensor:
    """A weight, or a table of positions stretched to another page size."""
    if weight.shape == shape or name not in {LOCAL_PLACES, WIDE_PLACES}:
        return weight
    if name == LOCAL_PLACES:
        return _stretched(weight.float(), shape[1])
    side, new = round((weight.shape[0] - 1) ** 0.5), round((shape[0] - 1) ** 0.5)
    table = _stretched(weight[1:].float().view(1, side, side, -1), new)
    return torch.cat([weight[:1].float(), table.view(new * new, -1)])


def weights_of(network: Any) -> dict[str, Tensor]:  # noqa: ANN401  # transformers has no types
    """All weights, bfloat16, on the CPU; the tied one once."""
    return {
        name: weight.detach().to("cpu", torch.bfloat16).contiguous()
        for name, weight in network.state_dict().items()
        if name != TIED
    }


def save_training(
    folder: Path,
    network: Any,  # noqa: ANN401  # transformers has no types
    optimiser: dict[str, Tensor],
    progress: Progress,
    vocabulary: Path,
) -> None:
    """Write all; each file is complete or the old one."""
    folder.mkdir(parents=True, exist_ok=True)
    network.config.save_pretrained(str(folder))
    if vocabulary.resolve() != (folder / "tokenizer.json").resolve():
        shutil.copyfile(vocabulary, folder / "tokenizer.json")
    _save(weights_of(network), folder / "model.safetensors")
    _save(
        {name: tensor.cpu().clone() for name, tensor in optimiser.items()},
        folder / "optimiser.safetensors",
    )
    beside = folder / "progress.json.new"
    beside.write_text(json.dumps(asdict(progress)), encoding="utf-8")
    beside.replace(folder / "progress.json")


def load_progress(folder: Path) -> Progress:
    """Where a training stopped; a new one where there is none."""
    path = folder / "progress.json"
    return Progress(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else Progress()


def load_tensors(path: Path) -> dict[str, Tensor]:
    """Read a safetensors file."""
    return load_file(path)


def _save(tensors: dict[str, Tensor], path: Path) -> None:
    beside = path.with_name(path.name + ".new")
    save_file(tensors, beside, metadata={"format": "pt"})
    beside.replace(path)


def _stretched(table: Tensor, side: int) -> Tensor:
    """(1, rows, columns, size) to `side` rows and columns."""
    images = table.permute(0, 3, 1, 2)
    resized = functional.interpolate(images, size=(side, side), mode="bicubic", align_corners=False)
    return resized.permute(0, 2, 3, 1)
