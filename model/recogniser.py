"""Unlimited-OCR behind the `Recogniser` protocol: loads a checkpoint, reads pages, frees.

Decoding is greedy, in bfloat16 where it is fast, in float32 elsewhere, by the SR-SWA engine
(`model.engine`, which knows its modes); by transformers' own classes (`model.reference`), slowly,
where the option `decoder=transformers` asks for it or the engine does not run the network. So too
the second version, with the attention of `model.v2`, once it was compared with the checkpoint's own
code (`model.parity`). Belongs to the thread that loaded it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from model.api import EngineChoice, EngineSource, Memory, PageImage, Step, Stop
from model.decoder_weights import take_weights
from model.device import (
    free_unused,
    is_full,
    limit_memory,
    name_of,
    out_of_vram,
    pick_device,
    pick_dtype,
)
from model.engine import SrSwaEngine
from model.errors import EngineUnavailable, WeightsMissing
from model.memory import measure
from model.network import Network
from model.parity import require_verdict
from model.plan import EngineSettings
from model.prompting import Prompting
from model.reference import ReferenceDecoder
from model.tokens import Vocabulary
from model.v2.loading import load_second
from model.weights import Checkpoint, find_checkpoint, load_network

if TYPE_CHECKING:
    from types import TracebackType

log = logging.getLogger(__name__)

PAGE_TOKENS = 8192  # a dense newspaper page has about 6,000


class UnlimitedOcr:
    """Reads with a checkpoint of Unlimited-OCR.

    Options of the choice: `mode` (the default one), `page_tokens`, `hash_cache` (a file in which
    sums of checkpoint files are remembered), `verdicts` (a file of `model.parity`), `decoder`, and
    those of `EngineSettings`.
    """

    def __init__(self, choice: EngineChoice) -> None:
        """Load the checkpoint.

        Raises:
            WeightsMissing, WeightsDamaged: a file is not there, or not what it should be.
            EngineUnavailable: a card was asked for and there is none, or a mode that this
                checkpoint was not trained for; `NotCompared`: see `model.parity`.
            OutOfVram: the weights do not fit.
        """
        if choice.checkpoint is None:
            raise WeightsMissing("no checkpoint folder is set")
        self._engine = choice.engine
        options = dict(choice.options)
        checkpoint = find_checkpoint(choice.checkpoint)
        self._config = checkpoint.config
        self._device = pick_device(choice.device)
        self._limit_bytes = choice.gpu_memory_limit_bytes
        most = self._config.page_tokens or PAGE_TOKENS
        self._page_tokens = int(options.get("page_tokens", most))
        self._settings = EngineSettings.of(options)
        remembered = options.get("hash_cache")
        self._checkpoint_id = checkpoint.check(Path(remembered) if remembered else None)
        verdicts = options.get("verdicts")
        require_verdict(checkpoint, self._checkpoint_id, Path(verdicts) if verdicts else None)
        self._vocabulary = Vocabulary(checkpoint.tokenizer)
        self._network, self._decoder = self._load(checkpoint, options.get("decoder", "own"))
        self._modes = _first(self._decoder.modes, options.get("mode"))
        if isinstance(self._decoder, SrSwaEngine):
            self._decoder.forecast(self._modes[0])

    @property
    def source(self) -> EngineSource:
        """Who reads, in the default mode."""
        return EngineSource(
            engine=self._engine.value,
            version=f"transformers {version('transformers')}",  # the encoder's, and the reference's
            checkpoint=self._checkpoint_id,
            mode=self._modes[0],
            device=name_of(self._device),
            dtype=str(self._network.dtype).removeprefix("torch."),
            settings=self._told_settings(),
        )

    @property
    def modes(self) -> tuple[str, ...]:
        """The modes that this checkpoint was trained for, the default first."""
        return self._modes

    @property
    def request_pages(self) -> int:
        """How many pages `read` should be given at a time in the default mode."""
        return self._decoder.pages_at_once(self._modes[0])

    def read(
        self, images: Iterable[PageImage], stop: Stop, *, mode: str | None = None
    ) -> Iterator[Step]:
        """Read pages in order, as the protocol says.

        Raises:
            OutOfVram, PageUnreadable, ContextFull: see the protocol.
        """
        chosen = self._modes[0] if mode is None else mode
        if chosen not in self._modes:
            raise ValueError(f"this checkpoint has no mode {chosen!r}")
        try:
            yield from self._decoder.read(iter(images), chosen, stop)
        except (RuntimeError, MemoryError) as error:
            if not is_full(error):
                raise
            self._decoder.forget()
            raise out_of_vram(self._device, error)  # noqa: B904  # it has its cause
        finally:
            self._network.forget()

    def memory(self) -> Memory:
        """Measure now."""
        weights_bytes = self._network.weights_bytes + self._decoder.weights_bytes
        held = replace(self._decoder.held(), weights_bytes=weights_bytes)
        return measure(held, self._device, limit_bytes=self._limit_bytes)

    def close(self) -> None:
        """Free everything."""
        self._decoder.close()
        self._network.close()
        free_unused()
        limit_memory(self._device, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _told_settings(self) -> tuple[tuple[str, str], ...]:
        """What of the settings makes the text what it is."""
        said: dict[str, object] = {"page_tokens": self._page_tokens}
        if self._modes[0] == "continuous":
            names = ("window_size", "sparsity_ratio", "chunk_size")
            said |= {name: getattr(self._settings, name) for name in names}
        return tuple((name, str(value)) for name, value in said.items())

    def _load(
        self, checkpoint: Checkpoint, decoder: str
    ) -> tuple[Network, SrSwaEngine | ReferenceDecoder]:
        limit_memory(self._device, self._limit_bytes)
        is_fast = decoder == "own" and checkpoint.config.second is None  # the others stay exact
        dtype = pick_dtype(self._device, is_stored_so=is_fast and checkpoint.is_bfloat16)
        try:
            if checkpoint.config.second is not None:
                network = load_second(checkpoint, device=self._device, dtype=dtype)
                return network, self._reference(network)
            model = load_network(checkpoint, device=self._device, dtype=dtype)
        except (RuntimeError, MemoryError) as error:
            limit_memory(self._device, None)
            if not is_full(error):
                raise
            raise out_of_vram(self._device, error)  # noqa: B904  # it has its cause
        return self._assemble(model, decoder)

    def _assemble(
        self,
        model: Any,  # noqa: ANN401  # a class of transformers without types
        decoder: str,
    ) -> tuple[Network, SrSwaEngine | ReferenceDecoder]:
        """The decoder that was asked for; the slow one where the fast one does not run these."""
        if decoder == "own":
            try:
                prompting = Prompting(self._vocabulary, self._config)
                weights = take_weights(model, keep=False)
            except EngineUnavailable as error:
                log.info("decoding by transformers: %s", error)
            else:
                network = Network(model, self._config)
                return network, SrSwaEngine(
                    network,
                    weights,
                    prompting,
                    self._config,
                    settings=self._settings,
                    page_tokens=self._page_tokens,
                )
        network = Network(model, self._config)
        return network, self._reference(network)

    def _reference(self, network: Network) -> ReferenceDecoder:
        return ReferenceDecoder(
            network,
            self._vocabulary,
            self._config,
            page_tokens=self._page_tokens,
            request_pages=self._settings.request_pages,
        )


def _first(modes: Sequence[str], first: str | None) -> tuple[str, ...]:
    """The same modes, the wanted one in front."""
    if first is not None and first not in modes:
        raise EngineUnavailable(f"this checkpoint cannot be read in the mode {first!r}")
    return tuple(sorted(modes, key=lambda mode: mode != first))
