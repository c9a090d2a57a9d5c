"""The static buffers of decoding streams: what a step reads and writes besides keys and values.

One row a stream; a step changes rows in place and nothing else, so that it can be captured once and
replayed. A stream that has ended, or has not begun, is *done*: it takes part in every step and
leaves no trace. Belongs to the thread that reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import torch

from model.decode import NgramBan
from model.device import sent

LOGGED = 5  # numbers of one token: id, its log-probability, the runner-up's, overruled, is it one


@dataclass(frozen=True)
class State:
    """Buffers of B streams, with the last `steps` tokens of each."""

    token: torch.Tensor  # (B,) int64, what the next step takes
    row: torch.Tensor  # (B,) int64, where it goes
    fed: torch.Tensor  # (B,) int64, tokens that the ring has taken
    position: torch.Tensor  # (B,) int64, of the token
    is_done: torch.Tensor  # (B,) bool
    since: torch.Tensor  # (B,) int64, tokens chosen since the prompt
    reading: torch.Tensor  # (B,) int32, the page being read
    last_page: torch.Tensor  # (B,) int32, of the prompt
    budget: torch.Tensor  # (B,) int32, reference blocks that a step reads
    history: torch.Tensor  # (B, W) int32, the last W ids, the n-th at n % W
    matches: torch.Tensor  # (B, W) int32, how many ids up to there equal the last ones
    written: torch.Tensor  # (B,) int64, ids that the history has taken
    banned_at: torch.Tensor  # (B, vocabulary + 1) int32, when `written` is this, the id is banned
    log: torch.Tensor  # (steps, B, LOGGED) float32
    log_row: torch.Tensor  # (1,) int64, the next

    @classmethod
    def make(
        cls, streams: int, *, vocabulary: int, history: int, steps: int, device: torch.device
    ) -> Self:
        """Buffers of streams that are all done."""

        def zeros(*shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        int32 = torch.int32
        return cls(
            token=zeros(streams),
            row=zeros(streams),
            fed=zeros(streams),
            position=zeros(streams),
            is_done=torch.ones(streams, dtype=torch.bool, device=device),
            since=zeros(streams),
            reading=zeros(streams, dtype=int32),
            last_page=zeros(streams, dtype=int32),
            budget=zeros(streams, dtype=int32),
            history=zeros(streams, history, dtype=int32) - 1,
            matches=zeros(streams, history, dtype=int32),
            written=zeros(streams),
            banned_at=zeros(streams, vocabulary + 1, dtype=int32) - 1,
            log=zeros(steps, streams, LOGGED, dtype=torch.float32),
            log_row=zeros(1),
        )

    def first(self, streams: int) -> Self:
        """The same buffers, of the first streams only."""
        shared = {"log": self.log[:, :streams], "log_row": self.log_row}
        rest = {
            each.name: getattr(self, each.name)[:streams]
            for each in fields(self)
            if each.name not in shared
        }
        return type(self)(**rest, **shared)

    def remember(self, stream: int, ids: Sequence[int], *, ngram: int) -> None:
        """Let the ban begin with these ids, as if they had been written one by one."""
        window, device = self.history.shape[1], self.history.device
        count, last = len(ids), ids[-window:]
        history, matches = [-1] * window, [0] * window
        for age, (token, common) in enumerate(zip(reversed(last), _common_ends(last), strict=True)):
            place = (count - 1 - age) % window
            history[place] = token
            matches[place] = min(common, ngram)
        self.history[stream].copy_(sent(history, device, torch.int32))
        self.matches[stream].copy_(sent(matches, device, torch.int32))
        self.written[stream].fill_(count)
        self.banned_at[stream] = -1
        banned = sorted(NgramBan(ids, size=ngram, window=window).banned())
        self.banned_at[stream].index_fill_(0, sent(banned, device), count)


def _common_ends(ids: Sequence[int]) -> list[int]:
    """For each age from the end, how many ids up to there equal the last ones; 0 for the end.

    The Z-function of the ids read backwards: Gusfield, Algorithms on Strings, 1.4.
    """
    back = list(reversed(ids))
    common = [0] * len(back)
    left = right = 0  # the stretch furthest on that is known to equal the beginning
    for at in range(1, len(back)):
        length = min(right - at, common[at - left]) if at < right else 0
        while at + length < len(back) and back[length] == back[at + length]:
            length += 1
        if at + length > right:
            left, right = at, at + length
        common[at] = length
    return common
