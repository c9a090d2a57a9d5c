"""Work captured once as a CUDA graph and replayed: one launch instead of some hundreds.

Whoever replays also holds what the work reads and writes: a graph knows addresses only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import torch

from model.state import State

WARM_UP_STEPS = 2  # compile kernels and make the libraries' workspaces before the capture


@dataclass(frozen=True)
class CapturedStep:
    """A step on static buffers."""

    graph: torch.cuda.CUDAGraph
    step: Callable[[], None]  # its buffers live as long as it

    def __call__(self) -> None:
        """Do the step."""
        self.graph.replay()


class CapturedWork:
    """Work on tensors of fixed shapes, captured at the first call and then replayed."""

    def __init__(
        self,
        work: Callable[..., torch.Tensor | None],
        pool: Any = None,  # noqa: ANN401  # a handle of torch without a type
    ) -> None:
        """Be ready.

        Args:
            work: waits for nothing on the host.
            pool: shared with graphs that never run at the same time; see `captured`.
        """
        self._work, self._pool = work, pool
        self._graph: torch.cuda.CUDAGraph | None = None
        self._given: tuple[torch.Tensor, ...] = ()
        self._made: torch.Tensor | None = None
        self._done: torch.cuda.Event | None = None

    def __call__(self, *given: torch.Tensor) -> torch.Tensor | None:
        """Do the work; gives a tensor of its own each time."""
        if self._graph is None:
            return self._capture(given)
        if self._done is not None:  # it may have been called on another queue
            torch.cuda.current_stream().wait_event(self._done)
        for mine, each in zip(self._given, given, strict=True):
            mine.copy_(each)
        self._graph.replay()
        made = None if self._made is None else self._made.clone()
        self._done = torch.cuda.Event()
        self._done.record()
        return made

    def _capture(self, given: tuple[torch.Tensor, ...]) -> torch.Tensor | None:
        """Do the work as it is, which makes what is made once; then capture it."""
        first = self._work(*given)
        self._given = tuple(each.clone() for each in given)
        torch.cuda.current_stream().synchronize()
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, pool=self._pool, capture_error_mode="thread_local"):
            self._made = self._work(*self._given)
        return first


def captured(
    step: Callable[[], None],
    state: State,
    others: Sequence[torch.Tensor],
    pool: Any,  # noqa: ANN401  # a handle of torch without a type
) -> CapturedStep:
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
    return CapturedStep(graph, step)
