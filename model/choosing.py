"""The end of a step: the next token is chosen, logged and made ready, all on the device.

The choice is that of `model.decode.choose`: the most probable id that the n-gram ban allows. The
ban keeps, for each of the last W ids, how many ids up to there equal the last ones; one id more
makes each count one longer or nothing. Where a count reaches a whole n-gram but one, the id that
came next there may not come now: `banned_at` notes when, so that nothing has to be cleared.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from model.state import State


@dataclass(frozen=True)
class Choosing:
    """How tokens are chosen."""

    end_ids: torch.Tensor  # (n,) int64, ids that end a stream
    separator: torch.Tensor  # (m,) int32, ids that begin a page
    ngram: int
    first_ring_row: int
    window_tokens: int


def choose(state: State, logits: torch.Tensor, rules: Choosing) -> None:
    """Choose the next token of every stream and get ready for it.

    Args:
        state: of B streams; changed in place.
        logits: (B, vocabulary) float32.
        rules: how.
    """
    wanted = logits.argmax(-1)
    is_banned = state.banned_at[:, :-1] == state.written[:, None]
    allowed = logits.masked_fill(is_banned, -torch.inf)
    token = allowed.argmax(-1)
    total = logits.logsumexp(-1)
    best = logits.gather(1, token[:, None])[:, 0]
    second = allowed.scatter(1, token[:, None], -torch.inf).amax(-1)
    is_live = ~state.is_done
    made = (token.float(), best - total, second - total, (token != wanted).float(), is_live.float())
    state.log.index_copy_(0, state.log_row, torch.stack(made, dim=-1)[None])
    state.log_row.add_(1).remainder_(state.log.shape[0])
    state.is_done.logical_or_(torch.isin(token, rules.end_ids))
    _note(state, token, ngram=rules.ngram)
    _turn_page(state, rules)
    _go_on(state, token, rules)


def _note(state: State, token: torch.Tensor, *, ngram: int) -> None:
    """Take a token into the history, and ban what would now complete an n-gram again."""
    window = state.history.shape[1]
    newest = (state.written % window)[:, None]  # (B, 1)
    is_same = state.history == token[:, None]
    state.matches.copy_(torch.where(is_same, state.matches.roll(1, 1) + 1, 0))
    state.matches.scatter_(1, newest, 0)
    state.history.scatter_(1, newest, token[:, None].int())
    state.written.add_(1)
    age = (newest - torch.arange(window, device=token.device)) % window
    is_repeat = (state.matches >= ngram - 1) & (age >= 1) & (age <= window - ngram + 1)
    nowhere = state.banned_at.shape[1] - 1
    banned = torch.where(is_repeat, state.history.roll(-1, 1).long(), nowhere)
    when = state.written[:, None].int().expand_as(banned)
    state.banned_at.scatter_(1, banned, when)


def _turn_page(state: State, rules: Choosing) -> None:
    """Read the next page of the prompt once a separator is complete; the first opens its page."""
    window, length = state.history.shape[1], rules.separator.shape[0]
    state.since.add_(1)
    back = torch.arange(length - 1, -1, -1, device=state.token.device)
    last = state.history.gather(1, (state.written[:, None] - 1 - back) % window)
    is_turn = (last == rules.separator).all(1) & (state.since > length) & ~state.is_done
    state.reading.copy_(torch.minimum(state.reading + is_turn.int(), state.last_page))


def _go_on(state: State, token: torch.Tensor, rules: Choosing) -> None:
    """Make the token the next step's, in streams that are not done."""
    is_live = ~state.is_done
    row = rules.first_ring_row + state.fed % rules.window_tokens
    state.token.copy_(torch.where(is_live, token, state.token))
    state.row.copy_(torch.where(is_live, row, state.row))
    state.fed.add_(is_live)
    state.position.add_(is_live)
