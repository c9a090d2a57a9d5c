"""Kernels of the choice: the best allowed id of each stream, the ban, the page, the next token.

Twin: `model.choosing`.
"""

# Triton's language has no types; a kernel's arguments are its pointers and constants.
# ruff: noqa: ANN001, ANN201, ANN202, N803
# pyright: basic
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportIndexIssue=false
# pyright: reportOperatorIssue=false, reportCallIssue=false, reportGeneralTypeIssues=false
# pyright: reportAssignmentType=false

from __future__ import annotations

import triton
import triton.language as tl

from model.kernels.early import await_before, let_next_begin

NOTHING = tl.constexpr(-1e30)


@triton.jit
def best_of_part(
    logits,
    banned_at,
    written,
    tops,
    ids,
    vocabulary,
    PART: tl.constexpr,
):
    """The best allowed, the second and the wanted one among PART ids. Grid: B, parts."""
    b = tl.program_id(0)
    part = tl.program_id(1)
    at = part * PART + tl.arange(0, PART)
    is_id = at < vocabulary
    z = tl.load(logits + b.to(tl.int64) * vocabulary + at, mask=is_id, other=NOTHING)
    z = z.to(tl.float32)
    when = tl.load(banned_at + b.to(tl.int64) * (vocabulary + 1) + at, mask=is_id, other=-1)
    allowed = tl.where(when == tl.load(written + b), NOTHING, z)
    last: tl.constexpr = 2147483647
    wanted = tl.max(z, 0)
    best = tl.max(allowed, 0)
    best_id = tl.min(tl.where(allowed == best, at, last), 0)
    wanted_id = tl.min(tl.where(z == wanted, at, last), 0)
    second = tl.max(tl.where(at == best_id, NOTHING, allowed), 0)
    mine = b * tl.num_programs(1) + part
    tl.store(tops + mine * 4, best)
    tl.store(tops + mine * 4 + 1, second)
    tl.store(tops + mine * 4 + 2, wanted)
    tl.store(tops + mine * 4 + 3, tl.sum(tl.where(is_id, tl.exp(z - wanted), 0.0), 0))
    tl.store(ids + mine * 2, best_id)
    tl.store(ids + mine * 2 + 1, wanted_id)


@triton.jit
def go_on(
    tops,
    ids,
    token,
    row,
    fed,
    position,
    is_done,
    since,
    reading,
    last_page,
    history,
    matches,
    written,
    banned_at,
    log,
    log_row,
    end_ids,
    separator,
    parts,
    streams_of_log,
    log_rows,
    vocabulary,
    ends,
    PARTS: tl.constexpr,
    ENDS: tl.constexpr,
    WINDOW: tl.constexpr,
    SEPARATOR: tl.constexpr,
    SP: tl.constexpr,
    NGRAM: tl.constexpr,
    FIRST_ROW: tl.constexpr,
    RING: tl.constexpr,
    EARLY: tl.constexpr,
):
    """Choose, log, ban, turn the page, and get ready. Grid: B."""
    let_next_begin(EARLY)
    b = tl.program_id(0)
    await_before(EARLY)
    p = tl.arange(0, PARTS)
    mine = b * parts + p
    best = tl.load(tops + mine * 4, mask=p < parts, other=NOTHING)
    second = tl.load(tops + mine * 4 + 1, mask=p < parts, other=NOTHING)
    wanted = tl.load(tops + mine * 4 + 2, mask=p < parts, other=NOTHING)
    sums = tl.load(tops + mine * 4 + 3, mask=p < parts, other=0.0)
    last: tl.constexpr = 2147483647
    best_id = tl.load(ids + mine * 2, mask=p < parts, other=last)
    wanted_id = tl.load(ids + mine * 2 + 1, mask=p < parts, other=last)
    top = tl.max(wanted, 0)
    total = top + tl.log(tl.sum(sums * tl.exp(wanted - top), 0))
    score = tl.max(best, 0)
    chosen = tl.min(tl.where(best == score, best_id, last), 0)
    liked = tl.min(tl.where(wanted == top, wanted_id, last), 0)
    runner_up = tl.max(tl.where(best_id == chosen, second, best), 0)
    done = tl.load(is_done + b) != 0
    line = (tl.load(log_row) + log_rows - 1) % log_rows
    note = log + (line * streams_of_log + b) * 5
    tl.store(note, chosen.to(tl.float32))
    tl.store(note + 1, score - total)
    tl.store(note + 2, runner_up - total)
    tl.store(note + 3, (chosen != liked).to(tl.float32))
    tl.store(note + 4, tl.where(done, 0.0, 1.0))
    e = tl.arange(0, ENDS)
    ended = tl.sum((tl.load(end_ids + e, mask=e < ends, other=-1) == chosen).to(tl.int32), 0) > 0
    done = done | ended
    tl.store(is_done + b, done.to(tl.int1))

    count = tl.load(written + b)
    newest = (count % WINDOW).to(tl.int32)
    i = tl.arange(0, WINDOW)
    past = history + b * WINDOW
    id_ = tl.load(past + i)
    before = tl.load(matches + b * WINDOW + (i + WINDOW - 1) % WINDOW)
    after = tl.load(past + (i + 1) % WINDOW)
    s = tl.arange(0, SP)
    back = SEPARATOR - 1 - s
    place = ((count - back) % WINDOW + WINDOW) % WINDOW
    recent = tl.load(past + place, mask=back >= 0, other=-1)
    tl.debug_barrier()
    same = tl.where(id_ == chosen, before + 1, 0)
    same = tl.where(i == newest, 0, same)
    tl.store(matches + b * WINDOW + i, same)
    tl.store(past + newest, chosen)
    tl.store(written + b, count + 1)
    age = (newest - i + WINDOW) % WINDOW
    repeats = (same >= NGRAM - 1) & (age >= 1) & (age <= WINDOW - NGRAM + 1)
    after = tl.where((i + 1) % WINDOW == newest, chosen, after)
    ban = banned_at + b.to(tl.int64) * (vocabulary + 1)
    tl.store(ban + after, (count + 1).to(tl.int32) + tl.zeros([WINDOW], tl.int32), mask=repeats)

    begun = tl.load(since + b) + 1
    tl.store(since + b, begun)
    recent = tl.where(back == 0, chosen, recent)
    sign = tl.load(separator + s, mask=back >= 0, other=-1)
    turns = (tl.sum((recent == sign).to(tl.int32), 0) == SP) & (begun > SEPARATOR) & (done == 0)
    page = tl.load(reading + b) + turns.to(tl.int32)
    tl.store(reading + b, tl.minimum(page, tl.load(last_page + b)))

    if done == 0:
        fed_ = tl.load(fed + b)
        tl.store(token + b, chosen.to(tl.int64))
        tl.store(row + b, FIRST_ROW + fed_ % RING)
        tl.store(fed + b, fed_ + 1)
        tl.store(position + b, tl.load(position + b) + 1)
