"""Streams that decode side by side: prompts put into the cache, steps run in bursts, tokens out.

A burst is some steps run without the host looking on. On a card its steps are replays of one
captured graph, and a burst is launched before the tokens of the one before are looked at, so the
card does not wait for Python. On a CPU a burst is one step. Belongs to the thread that reads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import torch

from model.attention import list_blocks
from model.buffers import KeyValues
from model.bursts import Bursts
from model.cache import Layout, Place
from model.choosing import Choosing
from model.decode import Token
from model.decoder import TorchStep, rotary, rotate
from model.decoder_weights import Weights
from model.device import sent
from model.errors import PageUnreadable
from model.graphs import captured
from model.prefilling import Prefilling, Prompt
from model.state import State
from model.stream import Stream


class MakeStep(Protocol):
    """Makes a step of the first streams of a state: `TorchStep`, or one of kernels."""

    def __call__(
        self,
        weights: Weights,
        kv: KeyValues,
        state: State,
        rules: Choosing,
        *,
        most_blocks: int | None,
        rows: int | None,
    ) -> Callable[[], None]:
        """Make it."""
        ...


class Streams:
    """Decodes some streams on one set of buffers."""

    def __init__(
        self,
        weights: Weights,
        kv: KeyValues,
        state: State,
        rules: Choosing,
        *,
        image_id: int,
        most_blocks: int | None = None,
        make_step: MakeStep = TorchStep,
    ) -> None:
        """Be ready; later nothing is allocated but what a prompt takes while it is run.

        Args:
            weights: the decoder.
            kv: for as many streams as `state`.
            state: of the streams, all done.
            rules: how tokens are chosen.
            image_id: stands in a prompt for one visual token.
            most_blocks: reference blocks that a step may choose; None: every resident one is read.
            make_step: makes the step of so many streams.
        """
        self.weights, self.kv, self.state, self._rules = weights, kv, state, rules
        self._image_id, self._most_blocks, self._make_step = image_id, most_blocks, make_step
        self._end_ids = frozenset(map(int, rules.end_ids))
        self._streams = [Stream(kv.layout) for _ in range(kv.streams)]
        self._steps: dict[tuple[int, int], Callable[[], None]] = {}
        self._bursts = Bursts(state.log)
        self._is_card = state.token.device.type == "cuda"
        self._pool: Any = torch.cuda.graph_pool_handle() if self._is_card else None
        self._prefilling = Prefilling(weights, kv, image_id=image_id, pool=self._pool)
        self.counted_tokens = 0  # of all prompts and texts

    @property
    def layout(self) -> Layout:
        """Which rows hold what."""
        return self.kv.layout

    @property
    def live(self) -> frozenset[int]:
        """Streams whose end has not been seen."""
        return frozenset(at for at, stream in enumerate(self._streams) if stream.is_live)

    @property
    def resident_pages(self) -> int:
        """Pages that steps may read, of all streams."""
        return sum(len(stream.slots.resident) for stream in self._streams)

    def resident(self, stream: int) -> tuple[Place, ...]:
        """Pages of a stream that its steps may read, the oldest first."""
        return self._streams[stream].slots.resident

    @torch.inference_mode()
    def begin(
        self, prompts: Mapping[int, Prompt], *, ratio: float = 1.0, carries: bool = False
    ) -> None:
        """Begin prompts of equal length; the bursts that follow bring their tokens.

        Pages that were resident stay as far as there is room; the oldest leave first.

        Args:
            prompts: by stream; none of these streams is live.
            ratio: share of the resident blocks that a step reads.
            carries: keep the ring, so that the text before goes on behind the new prompt.
        """
        self.counted_tokens += sum(len(prompt.ids) for prompt in prompts.values())
        places = {at: self._place(at, prompt) for at, prompt in prompts.items()}
        self._prefilling.run(
            list(prompts.values()),
            [self._rows(prompt, places[at]) for at, prompt in prompts.items()],
            streams=list(prompts),
            first_positions=[self._streams[at].end for at in prompts],
        )
        for at, prompt in prompts.items():
            self._open(at, prompt, places[at], ratio=ratio, carries=carries)
        self._list_blocks()
        if carries:
            self._first_step(list(prompts))

    @torch.inference_mode()
    def forget(self, at: int) -> None:
        """End a stream, and let go of its pages, its ring and its place along the book."""
        epoch = self._streams[at].epoch
        self._streams[at] = Stream(self.layout, epoch + 1)
        self.state.is_done[at].fill_(True)
        self.kv.close_stream(at)

    def forget_all(self) -> None:
        """Forget every stream."""
        for at in range(self.kv.streams):
            self.forget(at)

    def end(self, at: int) -> None:
        """End a stream; its pages stay, its ring is not to be carried."""
        stream = self._streams[at]
        stream.is_live = False
        stream.epoch += 1
        stream.fed = 0
        stream.written.clear()
        self.state.is_done[at].fill_(True)

    @torch.inference_mode()
    def turn_to(self, at: int, page: int) -> None:
        """Let steps read this page at least, should they have missed how it was announced."""
        self.state.reading[at].clamp_(min=page)
        self._list_blocks()

    def run(self) -> Mapping[int, Sequence[Token]]:
        """The tokens of one more burst, by stream; empty once no stream is live.

        Raises:
            PageUnreadable: the network gave no numbers.
        """
        while self.live:
            while not self._bursts.is_enough:
                self._launch(self._bursts.steps)
            tokens = self._read()
            if tokens:
                return tokens
        return {}

    def _place(self, at: int, prompt: Prompt) -> list[Place]:
        """Make room for the pages of a prompt: evict, close, take."""
        slots = self._streams[at].slots
        needed = sum(self.layout.slots_for(len(page)) for page in prompt.pages)
        for place in slots.evict_for(needed):
            self.kv.close_page(at, place)
        slots.settle()  # prompts run behind the steps launched before, on the same queue
        numbered = enumerate(prompt.pages, prompt.first_page)
        return [slots.take(number, len(page)) for number, page in numbered]

    def _rows(self, prompt: Prompt, places: Sequence[Place]) -> list[int]:
        """The row of each token of a prompt: words in front, visual tokens in their slots."""
        words = iter(range(self.layout.word_rows))
        seen = iter([row for p in places for row in self.layout.page_rows(p.slots, p.tokens)])
        return [next(seen if token == self._image_id else words) for token in prompt.ids]

    def _open(
        self, at: int, prompt: Prompt, places: Sequence[Place], *, ratio: float, carries: bool
    ) -> None:
        """Let steps read a prompt that has been written, and set the stream at its last token."""
        stream, kv, state = self._streams[at], self.kv, self.state
        for place in places:
            stream.slots.admit(place.page)
            kv.open_page(at, place)
        words = len(prompt.ids) - sum(place.tokens for place in places)
        kv.close_rows(at, slice(0, self.layout.tail_rows))
        kv.open_rows(at, range(words - 1))
        moved = stream.turn(len(prompt.ids), carries=carries)
        if stream.carried:
            self._move_ring(at, moved)
        state.token[at].fill_(prompt.ids[-1])
        state.row[at].fill_(words - 1)
        state.fed[at].fill_(stream.fed)
        state.position[at].fill_(stream.end - 1)
        state.since[at].fill_(0)
        state.reading[at].fill_(prompt.first_page)
        state.last_page[at].fill_(prompt.first_page + len(prompt.pages) - 1)
        state.budget[at].fill_(stream.budget(places, ratio))
        state.remember(at, [*prompt.ids, *stream.written], ngram=self._rules.ngram)
        state.is_done[at].fill_(False)

    def _move_ring(self, at: int, moved: int) -> None:
        """Rotate the keys of the ring on by so many positions."""
        rows = slice(self.layout.word_rows, self.layout.tail_rows)
        by = sent([moved], self.kv.keys.device)
        ring = self.kv.keys[:, at, :, rows]  # (layers, H, ring, D)
        ring.copy_(rotate(ring.float(), rotary(self.weights, by, torch.float32)))

    def _list_blocks(self) -> None:
        """Choose what the next step reads, where it does not read every block."""
        if self._most_blocks is not None:
            list_blocks(self.kv, self.state.reading)

    def _first_step(self, begun: Sequence[int]) -> None:
        """Choose first tokens by the prompts alone; then let steps see what the rings carried."""
        self._launch(1)
        for at in begun:
            stream = self._streams[at]
            self.state.position[at] += stream.carried
            fed = range(stream.fed - stream.carried, stream.fed)
            self.kv.open_rows(at, [self.layout.ring_row(token) for token in fed])

    def _launch(self, steps: int) -> None:
        step = self._step()
        for _ in range(steps):
            step()
        self._bursts.launched(steps, [stream.epoch for stream in self._streams])

    def _step(self) -> Callable[[], None]:
        """The step of few streams and rows that hold all that is live.

        On a card every size has to be captured, so there are only some.
        """
        streams = min(self._size(max(self.live) + 1, by=4), self.kv.streams)
        rows = self.layout.rows
        if self._most_blocks is None:
            last = max(s.last_slot for s in self._streams[:streams])
            slots = min(self._size(last + 1, by=2), self.layout.slots)
            rows = self.layout.slot_row(slots)
        if (streams, rows) not in self._steps:
            state = self.state.first(streams)
            step = self._make_step(
                self.weights,
                self.kv,
                state,
                self._rules,
                most_blocks=self._most_blocks,
                rows=rows,
            )
            if self._is_card:
                step = captured(step, state, (self.kv.queries, self.kv.listed), self._pool)
            self._steps[streams, rows] = step
        return self._steps[streams, rows]

    def _size(self, count: int, *, by: int) -> int:
        """A size that is not less: on a card a power of `by`."""
        size = 1 if self._is_card else count
        while size < count:
            size *= by
        return size

    def _read(self) -> Mapping[int, Sequence[Token]]:
        """Wait for a burst and sort its tokens."""
        numbers, epochs = self._bursts.wait()
        found: dict[int, list[Token]] = {}
        for at in self.live:
            stream = self._streams[at]
            if stream.epoch == epochs[at]:
                tokens = [self._token(each) for each in numbers[at] if each[4]]
                stream.take(tokens)
                self.counted_tokens += len(tokens)
                found[at] = tokens
        return {at: tokens for at, tokens in found.items() if tokens}

    def _token(self, logged: Sequence[float]) -> Token:
        token, best, second, overruled, _ = logged
        if math.isnan(best):
            raise PageUnreadable("the network gave no numbers for this page")
        return Token(
            int(token),
            math.exp(best),
            is_end=int(token) in self._end_ids,
            is_overruled=bool(overruled),
            runner_up=math.exp(second),
        )
