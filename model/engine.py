"""The SR-SWA engine: plans the buffers of a mode, reads pages with them, and accounts for them.

What it needs of a checkpoint's network is the encoder; the decoder's weights it has taken itself.
On a card buffers stay from one order to the next in the same mode, for capturing a step takes
longer than reading a page. Belongs to the thread that loaded it.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial

import torch

from model.api import PageImage, PageRead, Step, Stop
from model.buffers import KeyValues
from model.bursts import LOG_STEPS
from model.choosing import Choosing
from model.config import CheckpointConfig
from model.decode import Rules
from model.decoder_weights import Weights
from model.device import free_unused, is_full, room_bytes
from model.in_sequence import InSequence, Manner
from model.kernels import pick_step
from model.memory import Held
from model.network import Network
from model.pages_ahead import PagesAhead
from model.plan import (
    EngineSettings,
    Plan,
    plan_in_sequence,
    plan_request,
    plan_side_by_side,
)
from model.prompting import Mode, Prompting
from model.side_by_side import SideBySide
from model.state import State
from model.streams import Streams
from model.views import count_tokens, make_views

log = logging.getLogger(__name__)


ENCODED_TOGETHER = 16  # pages on a card
CPU_STREAMS = 8  # more would let the first page wait long for its text
ROUNDS_OF_AN_ORDER = 8  # pages of each stream
ROOM_TOKENS = 1000  # left for the text of each page of a request
ROOM_SHARE = 0.8  # of what is free; the rest is for prompts and images while they are run


class SrSwaEngine:
    """Reads pages with a checkpoint's weights."""

    def __init__(
        self,
        network: Network,
        weights: Weights,
        prompting: Prompting,
        config: CheckpointConfig,
        *,
        settings: EngineSettings,
        page_tokens: int,
    ) -> None:
        """Be ready.

        Args:
            network: encodes pages.
            weights: the decoder.
            prompting: makes the checkpoint's prompts.
            config: of the checkpoint.
            settings: as the user set them.
            page_tokens: tokens after which a page is too long.
        """
        self._network, self._weights, self._prompting = network, weights, prompting
        self._config, self._settings, self._page_tokens = config, settings, page_tokens
        self._streams: Streams | None = None
        self._mode: Mode | None = None
        self._plan: Plan | None = None
        self._planned_bytes = 0  # of the plan made last; known before and after an order too
        self._counted_before = 0  # tokens that the streams had counted when the order began
        self._shown = self._muted = -1  # pages whose pieces have been, or are not again to be, told

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes that the checkpoint can be read in."""
        tiled = (Mode.TILED,) if self._config.views.most_tiles else ()
        request = (Mode.REQUEST,) if self._config.prompts.pages else ()
        return (*tiled, Mode.PARALLEL, Mode.CONTINUOUS, *request)

    @property
    def weights_bytes(self) -> int:
        """Bytes of the decoder's layers."""
        return self._weights.layer_bytes

    def pages_at_once(self, mode: str) -> int:
        """How many pages one order is best given.

        In sequence it is the whole run, for window and ring begin anew with each order; side by
        side it is several times the streams, for at the end of an order some of them wait.
        """
        match Mode(mode):
            case Mode.TILED | Mode.PARALLEL:
                return ROUNDS_OF_AN_ORDER * self._streams_wanted
            case Mode.CONTINUOUS:
                return self._settings.max_pages
            case Mode.REQUEST:
                return self._settings.request_pages

    def read(self, images: Iterator[PageImage], mode: str, stop: Stop) -> Iterator[Step]:
        """Read pages in order; a full device is answered by going on with less.

        Raises:
            RuntimeError, MemoryError: the device is full and nothing more can be taken away.
            PageUnreadable, ContextFull: see `Recogniser.read`.
        """
        chosen = Mode(mode)
        self._shown = self._muted = -1
        if self._streams is not None:
            self._counted_before = self._streams.counted_tokens
        ahead = PagesAhead(
            images,
            prepare=lambda image: self._network.stage(
                make_views(image, self._config.views, is_tiled=chosen is Mode.TILED)
            ),
            encode=self._network.encode_together,
            stop=stop,
            ahead=self._pages_ahead(chosen),
            together=self._chunk_pages if chosen is Mode.CONTINUOUS else ENCODED_TOGETHER,
            device=self._network.device,
        )
        try:
            with ahead:
                while (less := (yield from self._read_planned(ahead, chosen, stop))) is not None:
                    self.forget()
                    self._plan, self._mode = less, chosen
                    told = "the device is full: going on with %d streams of %d slots"
                    log.info(told, *less.shape)
        finally:
            if self._network.device.type == "cpu":  # on a card captured steps are worth keeping
                self.forget()

    def held(self) -> Held:
        """What it holds now, weights apart, and what it will hold when all is full."""
        if self._streams is None:
            return Held(planned_bytes=self._planned_bytes)
        kv, counted = self._streams.kv, self._streams.counted_tokens - self._counted_before
        return Held(
            references_bytes=kv.reference_bytes,
            window_bytes=kv.tail_bytes,
            dense_bytes=counted * kv.heads.token_bytes(kv.keys.dtype),
            reference_pages=self._streams.resident_pages,
            planned_bytes=self._planned_bytes,
        )

    def forecast(self, mode: str) -> None:
        """Reckon what an order in a mode will hold, so that it is told before it begins."""
        self._planned_bytes = self.plan(Mode(mode)).total_bytes

    def plan(self, mode: Mode) -> Plan:
        """What a mode will hold on this device as it is now."""
        at_once = self._chunk_pages if mode is Mode.CONTINUOUS else self._request_pages
        sizes = self._prompting.sizes(mode, self._weights, self._network.dtype)
        match mode:
            case Mode.TILED | Mode.PARALLEL:
                wanted = replace(self._settings, batch_size=self._streams_wanted)
                plan = plan_side_by_side(sizes, wanted)
            case Mode.CONTINUOUS:
                plan = plan_in_sequence(sizes, self._in_sequence, pages_at_once=at_once)
            case Mode.REQUEST:
                plan = plan_request(sizes, pages_at_once=at_once)
        return plan.within(int(room_bytes(self._network.device) * ROOM_SHARE))

    def forget(self) -> None:
        """Free the buffers; the next order plans anew."""
        if self._streams is not None:
            self._streams = None
            gc.collect()  # steps and streams hold each other
            free_unused()
        self._plan = self._mode = None
        self._counted_before = 0

    def close(self) -> None:
        """Free everything but what the network holds."""
        self.forget()
        self._weights = replace(self._weights, layers=())

    def _read_planned(
        self, ahead: PagesAhead, mode: Mode, stop: Stop
    ) -> Generator[Step, None, Plan | None]:
        """Read with the buffers that are planned; gives a smaller plan if they did not fit."""
        reader: SideBySide | InSequence | None = None
        try:
            reader = self._reader(self._ready(mode), ahead, mode)
            for step in reader.read(stop):
                if isinstance(step, PageRead) or step.page > self._muted:
                    self._shown = max(self._shown, step.page)
                    yield step
        except (RuntimeError, MemoryError) as error:
            less = self._plan.smaller() if self._plan is not None else None
            if not is_full(error) or less is None:
                raise
            ahead.put_back(reader.under_way if reader is not None else [])
            self._muted = self._shown
            return less
        return None

    def _ready(self, mode: Mode) -> Streams:
        """Buffers and steps of a mode; those of the order before if they are the same."""
        if self._streams is not None and self._mode is mode:
            return self._streams
        if self._mode is not mode:
            self.forget()
        plan = self._plan or self.plan(mode)
        self._mode, self._plan, self._planned_bytes = mode, plan, plan.total_bytes
        self._streams = self._make(plan, mode)
        return self._streams

    def _make(self, plan: Plan, mode: Mode) -> Streams:
        layout, device = plan.layout, self._network.device
        kv = KeyValues(
            layout,
            self._weights.heads,
            streams=plan.streams,
            is_sparse=plan.is_sparse,
            device=device,
            dtype=self._network.dtype,
        )
        state = State.make(
            plan.streams,
            vocabulary=self._weights.vocabulary,
            history=self._prompting.history(mode),
            steps=LOG_STEPS,
            device=device,
        )
        return Streams(
            self._weights,
            kv,
            state,
            self._choosing(plan),
            image_id=self._config.image_id,
            most_blocks=plan.most_blocks,
            make_step=pick_step(self._weights, device),
        )

    def _choosing(self, plan: Plan) -> Choosing:
        device = self._network.device
        separator = self._prompting.separator
        return Choosing(
            end_ids=torch.tensor(sorted(self._config.end_ids), device=device),
            separator=torch.tensor(separator, dtype=torch.int32, device=device),
            ngram=Rules.ngram,
            first_ring_row=plan.layout.word_rows,
            window_tokens=plan.layout.window_tokens,
        )

    def _reader(self, streams: Streams, ahead: PagesAhead, mode: Mode) -> SideBySide | InSequence:
        reader = partial(self._prompting.request_reader, page_tokens=self._page_tokens)
        if mode.is_side_by_side:
            return SideBySide(
                streams,
                ahead,
                prompt=lambda pages: self._prompting.prompt(pages, is_several=False),
                reader=reader,
                page_tokens=self._page_tokens,
                ngram=Rules.ngram,
            )
        goes_on = mode is Mode.CONTINUOUS
        manner = Manner(
            chunk_pages=self._chunk_pages if goes_on else self._request_pages,
            ratio=self._in_sequence.sparsity_ratio if goes_on else 1.0,
            goes_on=goes_on,
            carries=self._config.prompts.pages is not None,
        )
        return InSequence(
            streams,
            ahead,
            prompt=lambda pages: self._prompting.prompt(pages, is_several=True),
            reader=reader,
            manner=manner,
        )

    @property
    def _in_sequence(self) -> EngineSettings:
        """Settings of `continuous`; one page in sight with a checkpoint that knows no more."""
        if self._config.prompts.pages:
            return self._settings
        return replace(self._settings, window_size=1, sparsity_ratio=1.0)

    @property
    def _streams_wanted(self) -> int:
        is_card = self._network.device.type == "cuda"
        return self._settings.batch_size if is_card else min(CPU_STREAMS, self._settings.batch_size)

    def _pages_ahead(self, mode: Mode) -> int:
        """Pages that may wait encoded: as many as can begin at the same time."""
        if mode is Mode.CONTINUOUS:
            return self._chunk_pages
        return max(ENCODED_TOGETHER, self._streams_wanted if mode.is_side_by_side else 0)

    @property
    def _chunk_pages(self) -> int:
        """Pages of a chunk; one where the checkpoint was not trained on several."""
        return min(self._settings.chunk_size, self._settings.window_size, self._request_pages)

    @property
    def _request_pages(self) -> int:
        """Pages of one prompt that leave room for their text."""
        if not self._config.prompts.pages:
            return 1
        each = count_tokens(None, self._config.views) + ROOM_TOKENS
        return max(1, min(self._settings.request_pages, self._config.most_positions // each))
