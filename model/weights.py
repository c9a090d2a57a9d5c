"""Finds and loads a checkpoint folder; only safetensors, and no code of a checkpoint is run here.

A folder holds `config.json`, `tokenizer.json` and `model.safetensors` (or shards and their
`model.safetensors.index.json`). Whatever is missing, cut short or of another shape is named in the
error. Sums are the business of `model.manifest`.
"""

from __future__ import annotations

import json
import logging
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.config import CheckpointConfig, Json, json_object, read_config, read_json
from model.errors import WeightsDamaged, WeightsMissing
from model.manifest import check_hashes, read_manifest, short_id

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"
HEADER_LIMIT_BYTES = 100_000_000  # the safetensors format allows no longer header
NAMED_KEYS = 5  # of a long list of wrong keys, so many are named


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint folder whose files are all there and of full length; content not yet checked."""

    folder: Path
    config: CheckpointConfig
    tokenizer: Path
    shards: tuple[Path, ...]  # in the order of their names

    @property
    def is_bfloat16(self) -> bool:
        """Whether every tensor of the files is bfloat16."""
        headers = (read_header(shard) for shard in self.shards)
        tensors = (item for each in headers for key, item in each.items() if key != "__metadata__")
        return all(item["dtype"] == "BF16" for item in tensors)

    def check(self, remembered: Path | None = None) -> str:
        """Hash what is read of the folder, compare it with the manifest if there is one.

        Args:
            remembered: a JSON file for sums taken, so that unchanged files are hashed once.

        Returns:
            16 hex digits of the SHA-256 over the weights.

        Raises:
            WeightsDamaged: a sum is not the manifest's; the file is named.
        """
        small = (self.folder / name for name in ("config.json", "preprocessor_config.json", INDEX))
        files = [self.tokenizer, *filter(Path.exists, small), *self.shards]
        manifest = read_manifest(self.folder)
        sums = check_hashes(files, manifest=manifest, remembered=remembered)
        return short_id([sums[shard] for shard in self.shards])


def find_checkpoint(folder: Path) -> Checkpoint:
    """Find the files of a checkpoint and read their headers; cheap.

    Raises:
        WeightsMissing: the folder or one of its files is not there; named.
        WeightsDamaged: a JSON file is broken, or a weight file is cut short or no safetensors.
    """
    if not folder.is_dir():
        raise WeightsMissing(f"there is no folder {folder}")
    config = read_config(folder)
    shards = _shards(folder)
    for path in (folder / "tokenizer.json", *shards):
        if not path.is_file():
            raise WeightsMissing(f"{path.name} is not in {folder}")
    for shard in shards:
        read_header(shard)
    return Checkpoint(folder, config, folder / "tokenizer.json", shards)


def read_header(shard: Path) -> Json:
    """Read the header of a safetensors file: its tensors' names, types, shapes and places.

    Raises:
        WeightsDamaged: no safetensors file, or one that is shorter or longer than its header says.

    Source: the safetensors format, version 0: 8 bytes of length, JSON, then the tensors' bytes.
    """
    try:
        with shard.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > HEADER_LIMIT_BYTES:
                raise WeightsDamaged(f"{shard.name} is no safetensors file")
            header: Json = json.loads(file.read(length))
        ends = [item["data_offsets"][1] for key, item in header.items() if key != "__metadata__"]
        expected = 8 + length + max(ends, default=0)
    except (OSError, struct.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise WeightsDamaged(f"{shard.name} has no readable safetensors header: {error}") from error
    found = shard.stat().st_size
    if found != expected:
        raise WeightsDamaged(f"{shard.name} is {found} bytes long, its header says {expected}")
    return header


def load_network(checkpoint: Checkpoint, *, device: torch.device, dtype: torch.dtype) -> Any:  # noqa: ANN401  # a class of transformers without types
    """Load the weights into transformers' own class, ready for inference.

    The weights are handed over as tensors, so transformers reads no file of the folder by itself.

    Raises:
        WeightsDamaged: a tensor is missing, unknown or of another shape; named.
    """
    return build_network(checkpoint, read_tensors(checkpoint), device=device, dtype=dtype)


def build_network(
    checkpoint: Checkpoint,
    tensors: dict[str, torch.Tensor],
    *,
    device: torch.device,
    dtype: torch.dtype,
) -> Any:  # noqa: ANN401  # a class of transformers without types
    """The same of tensors that were read before, by their published names.

    Raises:
        WeightsDamaged: a tensor is missing, unknown or of another shape; named.
    """
    import transformers
    from transformers.utils import logging as transformers_log

    transformers_log.disable_progress_bar()
    transformers_log.set_verbosity_error()  # what is wrong with the keys is said by us, by name
    model_class: Any = transformers.UnlimitedOcrForConditionalGeneration
    network, found = model_class.from_pretrained(
        None,
        config=checkpoint.config.network,
        state_dict=tensors,
        dtype=dtype,
        ignore_mismatched_sizes=True,  # so that they are listed in `found` with the others
        output_loading_info=True,
    )
    _check_keys(found)
    log.info("loaded %d weight files from %s", len(checkpoint.shards), checkpoint.folder)
    return network.to(device).eval().requires_grad_(requires_grad=False)


def read_tensors(checkpoint: Checkpoint) -> dict[str, torch.Tensor]:
    """All tensors of a checkpoint, by their published names.

    Raises:
        WeightsDamaged: a file cannot be read.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file  # pyright: ignore[reportUnknownVariableType]  # a path

    tensors: dict[str, torch.Tensor] = {}
    for shard in checkpoint.shards:
        try:
            tensors.update(load_file(shard))
        except (OSError, SafetensorError) as error:
            raise WeightsDamaged(f"{shard.name} cannot be read: {error}") from error
    return tensors


def _shards(folder: Path) -> tuple[Path, ...]:
    if not (folder / INDEX).exists():
        return (folder / SINGLE,)
    places = json_object(read_json(folder / INDEX).get("weight_map"))
    if not places:
        raise WeightsDamaged(f"{INDEX} has no weight_map")
    names = {str(name) for name in places.values()}
    for name in names:
        if not _is_plain(name) or not name.endswith(".safetensors"):
            raise WeightsDamaged(f"{INDEX} names {name!r}, which is no safetensors file beside it")
    return tuple(folder / name for name in sorted(names))


def _is_plain(name: str) -> bool:
    """Whether this is the name of a file, with no way out of its folder."""
    return bool(name) and name == Path(name).name and name not in {".", ".."} and "\\" not in name


def _check_keys(found: Mapping[str, Any]) -> None:
    wrong = {
        "lacks": [str(key) for key in found["missing_keys"]],
        "holds unknown": [str(key) for key in found["unexpected_keys"]],
        "has other sizes for": [str(key[0]) for key in found["mismatched_keys"]],
        "cannot convert": [str(error) for error in found["error_msgs"]],
    }
    told = [f"{what} {_few(keys)}" for what, keys in wrong.items() if keys]
    if told:
        raise WeightsDamaged("the checkpoint " + "; ".join(told))


def _few(keys: Iterable[str]) -> str:
    named = sorted(keys)
    rest = len(named) - NAMED_KEYS
    return ", ".join(named[:NAMED_KEYS]) + (f" and {rest} more" if rest > 0 else "")
