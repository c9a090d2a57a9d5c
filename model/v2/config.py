"""What the `config.json` of an Unlimited-OCR-2 checkpoint must say; nothing has a default.

Four objects, at the top or in `language_config` (`text_config`): `dash`, `dash_weights`,
`page_frames` and `page_guard`. Where the published sources leave open what the network does, a key
names the choice and its values are those that the sources allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self, cast, get_type_hints

from model.errors import WeightsDamaged

Json = Mapping[str, Any]

SECTIONS = ("dash", "dash_weights", "page_frames", "page_guard")
LAYER = "{layer}"  # stands for a layer's number in a name


class Solver(StrEnum):
    """How entmax-1.5 is solved; they differ in the last digits."""

    EXACT = "exact"  # by sorting
    HALLEY = "halley"  # three steps of Halley's method


class Scope(StrEnum):
    """Which blocks can be chosen."""

    ALL = "all"
    PROMPT = "prompt"  # not the text that was generated


class MixedBlock(StrEnum):
    """Which page a block belongs to that the end of one page and the start of the next share."""

    FIRST = "first"
    LAST = "last"
    BOTH = "both"


class Prior(StrEnum):
    """What is added to the scores of a chosen block's tokens."""

    LOG = "log"  # the logarithm of its share
    CENTRED = "centred"  # less the mean of the logarithms of all candidates with a share
    CENTRED_KEPT = "centred_kept"  # less the mean of those that are kept


class Overlap(StrEnum):
    """How a token counts that lies in the window and in a chosen block."""

    WINDOW = "window"  # once, without the block's prior
    BLOCK = "block"  # once, with it
    TWICE = "twice"


class RouterInput(StrEnum):
    """What the router of a layer is given."""

    HIDDEN = "hidden"  # what the layer is given
    NORMED = "normed"  # the same behind the layer's first norm, as its queries and keys are


class Prefill(StrEnum):
    """What a token of the prompt reads."""

    SPARSE = "sparse"  # the same as one that is generated
    DENSE = "dense"  # all tokens before it


class TextFrame(StrEnum):
    """Where the generated text of a page is placed inside the page."""

    CONTINUE = "continue"  # behind the tokens of its image
    RESTART = "restart"  # from 0


class InstructionPage(StrEnum):
    """Which page the instruction behind the images belongs to."""

    NONE = "none"
    LAST = "last"


class GuardMode(StrEnum):
    """What the guard forbids and forces; each holds what those above it hold."""

    OFF = "off"
    FORBID_EXTRA = "forbid_extra"
    REQUIRE_ALL = "require_all"
    LIMIT = "require_all+per_page_limit"


class Section:
    """One object of `config.json`, read by the names and types of its fields."""

    name = ""

    @classmethod
    def read(cls, raw: Json) -> Self:
        """Read the object.

        Raises:
            WeightsDamaged: a key is missing, unknown or of another kind; named.
        """
        found = _section(raw, cls.name)
        kinds = get_type_hints(cls)
        names = [each.name for each in fields(cls)]  # pyright: ignore[reportArgumentType]  # sections are dataclasses
        for key in found:
            if key not in names:
                raise WeightsDamaged(f"config.json: {cls.name}.{key} is not known")
        return cls(**{key: _value(found, cls.name, key, kinds[key]) for key in names})


@dataclass(frozen=True)
class DashConfig(Section):
    """Of the router and of the attention to what it chose."""

    name = "dash"

    block_tokens: int
    candidates: int  # best blocks by score, among which shares are given
    kept_blocks: int
    local_blocks: int  # a block nearer than so many is never chosen: the window has it
    window_tokens: int  # the last tokens, the query itself included
    index_size: int  # of a router's query and key
    norm_eps: float
    score_scale: float  # beside 1 / sqrt(index_size)
    prior_sigma: float
    prior: Prior
    solver: Solver
    scope: Scope
    mixed_block: MixedBlock
    overlap: Overlap
    router_input: RouterInput
    prefill: Prefill


@dataclass(frozen=True)
class DashNames(Section):
    """Names of the router's tensors, each with `{layer}` where the number of the layer stands."""

    name = "dash_weights"

    weight: str  # (2 * index_size, hidden): rows of the query, then those of the key
    query_norm: str  # (index_size,)
    key_norm: str  # (index_size,)
    head_cls: str  # (index_size,)


@dataclass(frozen=True)
class FrameConfig(Section):
    """Of the places of tokens and of their rotary angles."""

    name = "page_frames"

    image_token_id: int
    page_token_id: int
    text_frame: TextFrame
    instruction_page: InstructionPage
    page_pairs: int  # so many of the last frequency pairs turn with the page's number
    token_theta: float
    page_theta: float


@dataclass(frozen=True)
class GuardConfig(Section):
    """Of the page guard."""

    name = "page_guard"

    mode: GuardMode
    page_token_id: int
    end_token_id: int
    max_page_tokens: int


@dataclass(frozen=True)
class SecondVersion:
    """All that the second version's `config.json` says beside the first's."""

    dash: DashConfig
    names: DashNames
    frames: FrameConfig
    guard: GuardConfig

    @classmethod
    def read(cls, raw: Json) -> Self | None:
        """Read the four objects; None for a checkpoint of the first version.

        Raises:
            WeightsDamaged: a key is missing, unknown or of another kind; named.
        """
        if not is_second_version(raw):
            return None
        dash = DashConfig.read(raw)
        if dash.local_blocks < 1:  # a query would choose the block that it stands in
            raise WeightsDamaged("config.json: dash.local_blocks is 0")
        return cls(dash, DashNames.read(raw), FrameConfig.read(raw), GuardConfig.read(raw))


def is_second_version(raw: Json) -> bool:
    """Whether a `config.json` speaks of any of the second version's parts."""
    return any(name in text for text in _texts(raw) for name in SECTIONS)


def _texts(raw: Json) -> list[Json]:
    inner = (raw.get(key) for key in ("language_config", "text_config"))
    return [raw, *(cast("Json", text) for text in inner if isinstance(text, dict))]


def _section(raw: Json, name: str) -> Json:
    for text in _texts(raw):
        if isinstance(text.get(name), dict):
            return cast("Json", text[name])
    raise WeightsDamaged(f"config.json lacks {name}")


def _value(found: Json, section: str, key: str, kind: type) -> object:
    if key not in found:
        raise WeightsDamaged(f"config.json lacks {section}.{key}")
    value = found[key]
    try:
        if issubclass(kind, StrEnum):
            return kind(value)
    except ValueError as error:
        raise WeightsDamaged(f"config.json: {section}.{key} is {value!r}, not known") from error
    if kind is str:
        if not isinstance(value, str) or LAYER not in value:
            raise WeightsDamaged(f"config.json: {section}.{key} names no tensor of a {LAYER}")
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or value < 0 or (kind is int and not isinstance(value, int)):
        raise WeightsDamaged(f"config.json: {section}.{key} is {value!r}")
    return kind(value)
