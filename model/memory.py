"""What is resident on a device, in bytes, and how many bytes a token holds.

An engine knows what its weights and caches hold; the device knows what is taken in all. The rest of
what this process has taken is work (activations, workspaces, the CUDA context, the program itself),
the rest of what is taken belongs to other programs. The parts and what is free add up to the total.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil

from model.api import Memory

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Held:
    """What an engine holds, by its own account; bytes but for the pages."""

    weights_bytes: int = 0
    references_bytes: int = 0
    window_bytes: int = 0
    dense_bytes: int = 0  # arithmetic: a cache that forgets nothing
    reference_pages: int = 0
    planned_bytes: int = 0  # what references, window and state will take when full


class Taken(NamedTuple):
    """What a device says."""

    name: str
    total_bytes: int
    free_bytes: int
    ours_bytes: int  # taken by this process


def kv_bytes(*, layers: int, key_heads: int, head_size: int, value_bytes: int) -> int:
    """Bytes of keys and values that one token holds in all layers."""
    return layers * key_heads * head_size * 2 * value_bytes


def measure(held: Held, device: torch.device, *, limit_bytes: int | None = None) -> Memory:
    """Ask the device now, and part what it says.

    Args:
        held: what the engine holds on that device.
        device: a CUDA card, or the CPU, whose memory is this machine's.
        limit_bytes: what the settings allow the engine, None without a limit.
    """
    taken = _card(device) if device.type == "cuda" else _machine()
    return split(held, taken, limit_bytes=limit_bytes, host_bytes=_own_bytes())


def split(held: Held, taken: Taken, *, limit_bytes: int | None, host_bytes: int) -> Memory:
    """Part what is taken.

    What the engine holds counts even where the device has not given it yet (weights that lie in a
    mapped file), at the cost of what would else be called free.
    """
    kept = held.weights_bytes + held.references_bytes + held.window_bytes
    ours = max(kept, min(taken.ours_bytes, taken.total_bytes))
    other = max(0, taken.total_bytes - taken.free_bytes - ours)
    return Memory(
        device=taken.name,
        total_bytes=taken.total_bytes,
        weights_bytes=held.weights_bytes,
        references_bytes=held.references_bytes,
        window_bytes=held.window_bytes,
        work_bytes=ours - kept,
        other_bytes=other,
        free_bytes=taken.total_bytes - ours - other,
        limit_bytes=limit_bytes,
        dense_bytes=held.dense_bytes,
        reference_pages=held.reference_pages,
        host_bytes=host_bytes,
        forecast_bytes=held.weights_bytes + held.planned_bytes if held.planned_bytes else 0,
    )


def _machine() -> Taken:
    memory = psutil.virtual_memory()
    return Taken("cpu", memory.total, memory.available, _own_bytes())


def _own_bytes() -> int:
    return psutil.Process().memory_info().rss


def _card(device: torch.device) -> Taken:
    import torch

    free, total = torch.cuda.mem_get_info(device)
    ours = _process_bytes(device) or torch.cuda.memory_reserved(device)
    return Taken(torch.cuda.get_device_name(device), total, free, ours)


def _process_bytes(device: torch.device) -> int:
    """What the driver says that this process has taken, its CUDA context included; 0 if nothing.

    In a container the driver may know the process by another number; on Windows it tells none.
    """
    import torch

    cuda: Any = torch.cuda  # its properties have no types
    try:
        handle = _handle(f"GPU-{cuda.get_device_properties(device).uuid}")
        found = _nvml().nvmlDeviceGetComputeRunningProcesses(handle)
    except _nvml().NVMLError:
        return 0
    return sum(each.usedGpuMemory or 0 for each in found if each.pid == os.getpid())


@cache
def _handle(uuid: str) -> Any:  # noqa: ANN401  # a pointer of the driver's library
    _nvml().nvmlInit()
    return _nvml().nvmlDeviceGetHandleByUUID(uuid)


def _nvml() -> Any:  # noqa: ANN401  # a library without types
    import pynvml  # pyright: ignore[reportMissingTypeStubs]  # the library has none

    return pynvml
