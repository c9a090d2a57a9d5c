"""What a checkpoint says of itself: the sizes of its network, its views and its prompts.

Read from the JSON files of its folder and from nothing else: `config.json` (the published form
with `language_config` or that of transformers with `text_config`), `preprocessor_config.json` where
there is one, and `prompts` and `page_tokens` of `manifest.json`, with which a checkpoint trained on
other words than the published ones, or on shorter pages, says so. No file of a checkpoint is ever
run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from model.errors import WeightsDamaged, WeightsMissing
from model.v2.config import SECTIONS, SecondVersion

MODEL_TYPES = frozenset({"unlimited_ocr", "unlimited-ocr"})  # transformers' and the published name
NOT_SIZES = frozenset({"model_type", "auto_map", "architectures", "torch_dtype", "dtype"})
DOWNSAMPLING = 4  # two convolutions of stride 2 behind the patches

Json = dict[str, Any]


@dataclass(frozen=True)
class ViewSizes:
    """How a page is shown to the network."""

    page_px: int = 1024  # side of the global view
    tile_px: int = 640  # side of a tile
    patch_px: int = 16
    most_tiles: int = 32  # 0: this checkpoint knows no tiles
    is_stretched: bool = False  # the page fills the global view, its proportions are not kept

    def cells(self, side_px: int) -> int:
        """Visual tokens along one side of a square view of `side_px` pixels."""
        return -(-(side_px // self.patch_px) // DOWNSAMPLING)


@dataclass(frozen=True)
class Prompts:
    """The trained prompts; `<image>` stands where the pages go."""

    page: str = "<image>document parsing."
    pages: str | None = "<image>Multi page parsing."  # None: not trained on several pages


@dataclass(frozen=True)
class CheckpointConfig:
    """All that a checkpoint's JSON files say, checked."""

    network: Any  # UnlimitedOcrConfig of transformers, which has no types worth the name
    layers: int
    key_heads: int
    head_size: int
    most_positions: int  # tokens of prompt and output together that it was trained for
    window_tokens: int  # generated tokens that a step may attend to, itself included
    image_id: int  # stands in a prompt for one visual token
    start_id: int  # in front of every prompt
    end_ids: frozenset[int]  # end the output
    views: ViewSizes
    prompts: Prompts
    page_tokens: int | None = None  # of the longest page that it was trained on; None: not known
    second: SecondVersion | None = None  # None: a checkpoint of the first version


def read_config(folder: Path) -> CheckpointConfig:
    """Read what a checkpoint folder says of its network.

    Raises:
        WeightsMissing: there is no `config.json`.
        WeightsDamaged: a file is no JSON, or describes a network of another kind, or one of the
            second version with a key that is missing or not known; named.
    """
    raw = read_json(folder / "config.json")
    _check_kind(raw)
    network = _network(raw)
    text, tower = network.text_config, network.vision_config.sam_config
    start, end = text.bos_token_id, text.eos_token_id
    if start is None or end is None:
        raise WeightsDamaged("config.json lacks bos_token_id or eos_token_id")
    manifest = read_json_if_there(folder / "manifest.json")
    return CheckpointConfig(
        network=network,
        layers=text.num_hidden_layers,
        key_heads=text.num_key_value_heads,
        head_size=text.head_dim,
        most_positions=text.max_position_embeddings,
        window_tokens=text.sliding_window,
        image_id=network.image_token_id,
        start_id=start,
        end_ids=frozenset([end] if isinstance(end, int) else end),
        views=_view_sizes(folder, tower.image_size, tower.patch_size),
        prompts=_prompts(manifest),
        page_tokens=_page_tokens(manifest),
        second=_second(raw, network),
    )


def read_json(path: Path) -> Json:
    """Read one JSON object.

    Raises:
        WeightsMissing: there is no such file.
        WeightsDamaged: it cannot be read as a JSON object.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise WeightsMissing(f"{path.name} is not in {path.parent}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise WeightsDamaged(f"{path.name} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise WeightsDamaged(f"{path.name} holds no JSON object")
    return cast("Json", found)


def read_json_if_there(path: Path) -> Json:
    """Read one JSON object; an empty one where there is no such file."""
    return read_json(path) if path.exists() else {}


def json_object(value: object) -> Json:
    """The value as a JSON object; an empty one if it is anything else."""
    return cast("Json", value) if isinstance(value, dict) else {}


def _check_kind(raw: Json) -> None:
    kind = raw.get("model_type")
    if kind not in MODEL_TYPES:
        raise WeightsDamaged(f"config.json describes a network of kind {kind!r}, not unlimited_ocr")
    if "quantization_config" in raw:
        raise WeightsDamaged("config.json: quantization_config: quantised weights cannot be read")
    if not ("text_config" in raw or "language_config" in raw):
        raise WeightsDamaged("config.json lacks text_config (or language_config)")


def _second(raw: Json, network: Any) -> SecondVersion | None:  # noqa: ANN401  # as above
    """What the second version adds, where it agrees with the rest."""
    second = SecondVersion.read(raw)
    if second is None:
        return None
    text = network.text_config
    agreeing = {
        "page_frames.image_token_id": (second.frames.image_token_id, network.image_token_id),
        "dash.index_size": (second.dash.index_size, text.head_dim),  # one rotary for both
        "num_key_value_heads": (text.num_key_value_heads, text.num_attention_heads),
    }
    for key, (said, expected) in agreeing.items():
        if said != expected:
            raise WeightsDamaged(f"config.json: {key} is {said}, not {expected}")
    return second


def _network(raw: Json) -> Any:  # noqa: ANN401  # a class of transformers without types
    """The configuration that transformers takes.

    `model_type` and `auto_map` are left out at every level: with the published `unlimited-ocr` in
    it transformers finds no renaming table for the weights.
    """
    import transformers
    from huggingface_hub.errors import StrictDataclassError

    nonsense = (StrictDataclassError, TypeError, ValueError, AttributeError, ArithmeticError)
    config: Any = transformers.UnlimitedOcrConfig
    try:
        return config.from_dict(_without(raw, NOT_SIZES.union(SECTIONS)))
    except nonsense as error:
        raise WeightsDamaged(f"config.json is not understood: {error}") from error


def _without(raw: Json, names: frozenset[str]) -> Json:
    return {
        key: _without(cast("Json", value), names) if isinstance(value, dict) else value
        for key, value in raw.items()
        if key not in names
    }


def _view_sizes(folder: Path, trained_px: int, patch_px: int) -> ViewSizes:
    """Sizes of the views: what the processor's file says, else the published values."""
    said = read_json_if_there(folder / "preprocessor_config.json")
    page_px = _whole(json_object(said.get("size")), "height", trained_px)
    tiled = said.get("crop_to_patches", True) is not False
    return ViewSizes(
        page_px=page_px,
        tile_px=_whole(said, "tile_size", ViewSizes.tile_px),
        patch_px=patch_px,
        most_tiles=_whole(said, "max_patches", ViewSizes.most_tiles) if tiled else 0,
        is_stretched=not tiled and page_px <= _whole(said, "maximum_pad_value", 640),
    )


def _prompts(manifest: Json) -> Prompts:
    said = json_object(manifest.get("prompts"))
    prompts = Prompts(**{**vars(Prompts()), **said}) if said.keys() <= {"page", "pages"} else None
    if prompts is None or any("<image>" not in text for text in vars(prompts).values() if text):
        raise WeightsDamaged("manifest.json: prompts: only page and pages, each with <image>")
    return prompts


def _page_tokens(manifest: Json) -> int | None:
    said = manifest.get("page_tokens")
    if said is not None and (not isinstance(said, int) or said <= 0):
        raise WeightsDamaged(f"manifest.json: page_tokens is {said!r}, not a whole number")
    return said


def _whole(said: Mapping[str, Any], name: str, default: int) -> int:
    value = said.get(name, default)
    if not isinstance(value, int) or value <= 0:
        raise WeightsDamaged(f"preprocessor_config.json: {name} is {value!r}, not a whole number")
    return value
