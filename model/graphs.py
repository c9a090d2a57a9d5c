"""A step captured once as a CUDA graph and replayed: one launch instead of some hundreds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import torch

from model.state import State

WARM_UP_STEPS = 2  # compile kernels and make the libraries' workspaces before the capture


def captured(
    step: Callable[[], None],
    state: State,
    others: Sequence[torch.Tensor],
    pool: Any,  # noqa: ANN401  # a handle of torch without a type
) -> Callable[[], None]:
    """Capture a step without letting it have an effect.

    While it is tried, all streams are done, so it writes only what it would write again; the state
    is put back afterwards.

    Args:
        step: works on static buffers alone.
        state: that it changes.
        others: tensors besides that it would write differently the second time.
        pool: of `torch.cuda.graph_pool_handle()`; graphs that never run at the same time share one.

    Returns:
        The replay.
    """
    changed = [*(getattr(state, each.name) for each in fields(state)), *others]
    before = [each.clone() for each in changed]
    state.is_done.fill_(value=True)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(WARM_UP_STEPS):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    # Other threads may take memory meanwhile, for the views of pages to come.
    with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
        step()
    for each, kept in zip(changed, before, strict=True):
        each.copy_(kept)
    return graph.replay
