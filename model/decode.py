"""The greedy loop: one token after the other, each with its probability, until an end.

Tokens are chosen by the network alone but for the n-gram ban that the published settings prescribe:
no 35 tokens in a row may come again within the last `window` tokens, prompt included. A token for
which the ban overruled the network says so: it is the surest sign of a loop. What is a page, when
one has become too long and when reading should end is decided by whoever takes the tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import torch

from model.api import Stop
from model.errors import PageUnreadable

if TYPE_CHECKING:
    from model.v2.page_guard import PageGuard


class Steps(Protocol):
    """What the loop needs of a network."""

    def prefill(self, ids: Sequence[int], pages: Sequence[torch.Tensor]) -> torch.Tensor:
        """Run a prompt; gives logits (vocabulary,)."""
        ...

    def step(self, token: int) -> torch.Tensor:
        """Take one token; gives logits (vocabulary,)."""
        ...


@dataclass(frozen=True)
class Rules:
    """How tokens are chosen and when there can be no more."""

    end_ids: frozenset[int]
    ngram: int = 35
    ngram_window: int = 128  # 1,024 for several pages
    most_tokens: int = 32_768  # new ones, the end included


class Token(NamedTuple):
    """One decoded token."""

    id: int
    probability: float  # 0..1, what the network gave it, ban or no ban
    is_end: bool = False
    is_overruled: bool = False  # the ban forbade the token that the network wanted
    runner_up: float | None = None  # 0..1, of the next best token; None where it was not kept


def decode(
    network: Steps,
    ids: Sequence[int],
    pages: Sequence[torch.Tensor],
    *,
    rules: Rules,
    stop: Stop,
    guard: PageGuard | None = None,
) -> Iterator[Token]:
    """Decode until an end token, `most_tokens`, or stop, which is tested before every step.

    Args:
        network: is asked for the logits.
        ids: the prompt.
        pages: visual tokens of its pages.
        rules: how tokens are chosen.
        stop: raised to end.
        guard: holds the text to as many sections as pages; None for the first version.

    Raises:
        PageUnreadable: the network gave no numbers.
    """
    ban = NgramBan(ids, size=rules.ngram, window=rules.ngram_window)
    token: Token | None = None
    for _ in range(rules.most_tokens):
        if stop.asked:
            return
        logits = network.prefill(ids, pages) if token is None else network.step(token.id)
        if guard is not None:
            logits = logits.clone()  # it may have been made for inference only
            guard.apply(logits)
        token = choose(logits, ban.banned(), rules.end_ids)
        yield token
        if token.is_end:
            return
        ban.add(token.id)
        if guard is not None:
            guard.add(token.id)


def choose(logits: torch.Tensor, banned: Iterable[int], end_ids: frozenset[int]) -> Token:
    """The most probable token that is not banned.

    Args:
        logits: (vocabulary,) float32.
        banned: ids that may not come now.
        end_ids: ids that end the output.
    """
    forbidden = list(banned)
    best = int(logits.argmax())
    wanted = best
    if forbidden:
        allowed = logits.clone()
        allowed[forbidden] = -torch.inf
        best = int(allowed.argmax())
    probability = float(torch.softmax(logits, dim=0)[best])
    if probability != probability:  # NaN
        raise PageUnreadable("the network gave no numbers for this page")
    return Token(best, probability, is_end=best in end_ids, is_overruled=best != wanted)


class NgramBan:
    """Which ids would repeat `size` tokens in a row that came within the last `window` tokens."""

    def __init__(self, ids: Sequence[int], *, size: int, window: int) -> None:
        self._size = size
        self._window = window
        self._ids = list(ids[-window:])

    def add(self, token: int) -> None:
        """Take the token that was chosen."""
        self._ids.append(token)
        del self._ids[: -self._window]

    def banned(self) -> set[int]:
        """Ids that may not come next."""
        ids, before = self._ids, self._size - 1
        tail, last = ids[len(ids) - before :], ids[-1]
        ends = range(before, len(ids))  # each is the last place of an n-gram
        near = (end for end in ends if ids[end - 1] == last)  # nearly always none
        return {ids[end] for end in near if ids[end - before : end] == tail}
