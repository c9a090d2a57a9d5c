"""The device that a network runs on: which, with which numbers, how much of it, when it is full."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any, Literal

import psutil
import torch

from model.errors import EngineUnavailable, OutOfVram

BFLOAT16_SINCE = (8, 0)  # compute capability with bfloat16 in hardware


def pick_device(asked: Literal["auto", "cpu", "cuda"]) -> torch.device:
    """The device asked for; "auto" is the first card if there is one.

    Raises:
        EngineUnavailable: a card was asked for and torch sees none.
    """
    has_card = torch.cuda.is_available()
    if asked == "cuda" and not has_card:
        raise EngineUnavailable("torch sees no CUDA card")
    return torch.device("cuda", 0) if has_card and asked != "cpu" else torch.device("cpu")


def pick_dtype(device: torch.device, *, is_stored_so: bool = False) -> torch.dtype:
    """bfloat16 where it is fast, else float32; never float16, which spoils dense tables.

    Args:
        device: a card may have it in hardware; a CPU is asked for products of whole tiles, for
            without them prompts take longer than in float32.
        is_stored_so: the weights are bfloat16 in their files, so that a CPU loses nothing of them.
    """
    if device.type == "cuda":
        has_it = torch.cuda.get_device_capability(device) >= BFLOAT16_SINCE
    else:
        has_it = is_stored_so and _multiplies_tiles()
    return torch.bfloat16 if has_it else torch.float32


def _multiplies_tiles() -> bool:
    """Whether the processor multiplies tiles of bfloat16 (AMX), and torch's library knows it."""
    told: Any = getattr(torch.cpu, "get_capabilities", dict)  # older versions of torch lack it
    return bool(told().get("amx_bf16")) and torch.backends.mkldnn.is_available()


def sent(
    numbers: Sequence[Any], device: torch.device, dtype: torch.dtype = torch.int64
) -> torch.Tensor:
    """Numbers, nested as they are, as a tensor on a device; a card is not waited for.

    Copied from memory that can be moved, they would wait for all that was launched before.
    """
    made = torch.tensor(numbers, dtype=dtype)
    if device.type != "cuda":
        return made
    return made.pin_memory().to(device, non_blocking=True)


def name_of(device: torch.device) -> str:
    """Name of the card, or "cpu"."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"


def limit_memory(device: torch.device, limit_bytes: int | None) -> None:
    """Let this process take no more than so many bytes of a card; None lifts the limit.

    Counts what torch allocates; the CUDA context (some hundred MB) comes on top.
    """
    if device.type == "cuda":
        _, total = torch.cuda.mem_get_info(device)
        share = 1.0 if limit_bytes is None else min(1.0, limit_bytes / total)
        cuda: Any = torch.cuda  # this function has no types
        cuda.set_per_process_memory_fraction(share, device)


def room_bytes(device: torch.device) -> int:
    """Bytes that can still be taken: of a card within the limit set, of this machine the half."""
    if device.type != "cuda":
        return psutil.virtual_memory().available // 2
    cuda: Any = torch.cuda  # these functions have no types
    free, total = cuda.mem_get_info(device)
    kept = cuda.memory_reserved(device)
    limit = int(cuda.get_per_process_memory_fraction(device) * total)
    return max(0, min(free + kept, limit) - cuda.memory_allocated(device))


def free_unused() -> None:
    """Give back to a card what torch keeps without need; on the CPU it keeps nothing."""
    if torch.cuda.is_available():
        gc.collect()
        torch.cuda.empty_cache()


def is_full(error: BaseException) -> bool:
    """Whether this is the library's word for a device without room for what was asked of it."""
    is_named = isinstance(error, (torch.OutOfMemoryError, MemoryError))
    return is_named or "can't allocate memory" in str(error)  # torch's word for a full machine


def out_of_vram(device: torch.device, error: BaseException) -> OutOfVram:
    """Our error for a full device, after freeing what the work that failed had taken.

    The traceback is taken off the library's error: it holds the frames, these hold the tensors, and
    nothing could be freed as long as someone keeps the error. For the same reason this is no
    context manager: its own frame would hold the traceback.
    """
    told = OutOfVram(f"{name_of(device)} is full: {error}")
    told.__cause__ = error.with_traceback(None)
    free_unused()
    return told
