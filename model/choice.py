"""Which engine reads: the one asked for, else the best that can run here.

Looks for cards through NVML and at the files of a checkpoint; imports neither torch nor
onnxruntime, so the window may ask at any time. What is chosen, and why, is shown; nothing is
exchanged in silence.
"""

from __future__ import annotations

import importlib.util
import json
import struct
from pathlib import Path
from types import ModuleType

import resources
from model.api import Card, Engine, EngineChoice
from model.errors import WeightsMissing

BUNDLED = resources.path("reader")  # the checkpoint that comes with the application
ROOM_BESIDE_WEIGHTS = 1 << 30  # bytes of card memory for images, caches and the CUDA context
HEADER_LIMIT = 100_000_000  # bytes; the safetensors format allows no longer header


def choose_engine(checkpoint: Path | None, asked: Engine | None = None) -> EngineChoice:
    """Choose as `model.api.choose` says; `why` is "asked" or a code of `_best`.

    Raises:
        WeightsMissing: Unlimited-OCR was asked for without a checkpoint folder.
    """
    if asked is None:
        return _best(checkpoint)
    if asked is Engine.READER:
        return EngineChoice(asked, BUNDLED, why="asked")
    if asked is not Engine.UNLIMITED_OCR:
        return EngineChoice(asked, why="asked")
    if checkpoint is None:
        raise WeightsMissing("no checkpoint folder is set")
    return EngineChoice(asked, checkpoint, why="asked")


def describe_devices() -> tuple[Card, ...]:
    """The NVIDIA cards that the driver shows; none where library, driver or card is absent."""
    try:
        import pynvml  # pyright: ignore[reportMissingTypeStubs]  # the library has none
    except ImportError:
        return ()
    nvml: ModuleType = pynvml
    try:
        nvml.nvmlInit()
    except nvml.NVMLError:
        return ()
    try:
        return tuple(_card(nvml, index) for index in range(nvml.nvmlDeviceGetCount()))
    except nvml.NVMLError:  # a card that has fallen off the bus answers nothing
        return ()
    finally:
        nvml.nvmlShutdown()


def looks_complete(checkpoint: Path) -> bool:
    """Whether a folder holds config, tokenizer and every weight file in full length.

    Reads headers only; that the content is right is checked when it is loaded.
    """
    try:
        for name in ("config.json", "tokenizer.json"):
            json.loads((checkpoint / name).read_text(encoding="utf-8"))
        shards = _shards(checkpoint)
        return bool(shards) and all(map(_is_whole, shards))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error):
        return False


def bundled_is_default() -> bool:
    """Whether the bundled checkpoint is whole and its manifest says that it reads best.

    The flag is set from the measured table when a checkpoint is exported.
    """
    try:
        manifest = json.loads((BUNDLED / "manifest.json").read_text(encoding="utf-8"))
        return manifest["is_default_engine"] is True and looks_complete(BUNDLED)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def torch_has_cuda() -> bool:
    """Whether the installed torch is a build for NVIDIA cards, told by its files."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return False
    libraries = Path(spec.origin).parent / "lib"
    return any((libraries / name).exists() for name in ("libtorch_cuda.so", "torch_cuda.dll"))


def _best(checkpoint: Path | None) -> EngineChoice:
    why = _why_not_unlimited(checkpoint)
    if why and bundled_is_default():
        return EngineChoice(Engine.READER, BUNDLED, why=why)
    if why:
        return EngineChoice(Engine.LINE_READER, why=why)
    return EngineChoice(Engine.UNLIMITED_OCR, checkpoint, why="gpu_and_checkpoint")


def _why_not_unlimited(checkpoint: Path | None) -> str:
    """The code of what is missing for Unlimited-OCR; empty if nothing is."""
    if checkpoint is None:
        return "no_checkpoint"
    if not looks_complete(checkpoint):
        return "checkpoint_incomplete"
    cards = describe_devices()
    if not cards:
        return "no_gpu"
    needed = sum(shard.stat().st_size for shard in _shards(checkpoint)) + ROOM_BESIDE_WEIGHTS
    if all(card.total_bytes < needed for card in cards):
        return "gpu_too_small"
    return "" if torch_has_cuda() else "torch_without_cuda"


def _card(nvml: ModuleType, index: int) -> Card:
    handle = nvml.nvmlDeviceGetHandleByIndex(index)
    memory = nvml.nvmlDeviceGetMemoryInfo(handle)
    return Card(
        name=str(nvml.nvmlDeviceGetName(handle)),
        total_bytes=int(memory.total),
        free_bytes=int(memory.free),
        driver=str(nvml.nvmlSystemGetDriverVersion()),
        capability=tuple(nvml.nvmlDeviceGetCudaComputeCapability(handle)),
    )


def _shards(checkpoint: Path) -> tuple[Path, ...]:
    """The weight files: those that the index names, else the single one."""
    index = checkpoint / "model.safetensors.index.json"
    if not index.exists():
        return (checkpoint / "model.safetensors",)
    names = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    return tuple(checkpoint / name for name in sorted(names))


def _is_whole(shard: Path) -> bool:
    """Whether the file is as long as its safetensors header says."""
    with shard.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        if length > HEADER_LIMIT:
            return False
        header = json.loads(file.read(length))
    ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
    return shard.stat().st_size == 8 + length + max(ends, default=0)
