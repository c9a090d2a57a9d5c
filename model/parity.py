"""Whether we compute what a checkpoint's own code computes: token for token, logit for logit.

Unlimited-OCR-2 is implemented here from descriptions, not from its code. So a checkpoint of it is
read only after both were given the same few pages, in float32 on the CPU, and chose the same ids
from logits that differ by no more than rounding. What is compared is the network: encoder,
projector, positions, attention, head. Views of a page, prompts, the n-gram ban and the page guard
are ours on both sides, since the published code offers them only inside a function that writes
files.

A verdict holds for one set of weights and `config.json`, one set of code files and one version of
this program and its libraries; a change of any asks for a new one. Verdicts lie in a file of the
user's, never in the checkpoint's folder: what comes with a checkpoint may not vouch for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from model.api import PageImage
from model.config import json_object, read_json_if_there
from model.errors import NotCompared, WeightsDamaged
from model.own_code import OwnCode, Prompted, Written, read_own_code
from model.tokens import Vocabulary
from model.v2.prompt import second_prompt
from model.views import count_tokens, make_views
from model.weights import Checkpoint

if TYPE_CHECKING:
    import numpy as np

    from model.v2.network import SecondNetwork

TOKENS = 64  # that each side writes for each request
TOLERANCE = 1e-3  # of the largest logit of a place; float32 in another order gives about 1e-5


@dataclass(frozen=True)
class Difference:
    """The first place where the two are not the same."""

    request: int  # from 0: the first page alone, then all pages in one prompt
    token: int  # from 0, among those that were written
    what: Literal["logits", "ids"]
    theirs: float  # the logit that differs most, or the id
    ours: float


@dataclass(frozen=True)
class Verdict:
    """What a comparison found."""

    places: int  # tokens that were compared
    largest: float  # difference of two logits, as a share of the largest logit of its place
    difference: Difference | None = None  # None: there is none

    @property
    def has_passed(self) -> bool:
        """Whether the checkpoint may be read."""
        return self.difference is None


def prompted(checkpoint: Checkpoint, images: Sequence[PageImage]) -> list[Prompted]:
    """The requests that both sides are given: the first page alone, then all in one prompt.

    Raises:
        PageUnreadable: an image has no pixels.
    """
    config, vocabulary = checkpoint.config, Vocabulary(checkpoint.tokenizer)
    seen = [make_views(image, config.views, is_tiled=False) for image in images]
    each = count_tokens(None, config.views)
    return [
        Prompted(
            second_prompt([each] * len(views), vocabulary, config), config.image_id, views=views
        )
        for views in (seen[:1], seen)
    ]


def compare(
    checkpoint: Checkpoint, requests: Sequence[Prompted], theirs: Sequence[Written]
) -> Verdict:
    """Compute here what the checkpoint's code was given, and compare; takes a while.

    Each place is given the ids that the code wrote before it, so that every place can be compared.

    Args:
        checkpoint: of the second version.
        requests: what both are given.
        theirs: what the checkpoint's code wrote for each.

    Raises:
        WeightsDamaged: the weights cannot be loaded, or an answer is none to its request.
    """
    import torch

    from model.v2.loading import load_second

    network = load_second(checkpoint, device=torch.device("cpu"), dtype=torch.float32)
    places, largest = 0, 0.0
    for number, (request, written) in enumerate(zip(requests, theirs, strict=True)):
        _check_answer(written, network.vocabulary)
        ours = _ours(network, request, written.ids)
        for place, logits in enumerate(written.logits):
            apart = _apart(logits, ours[place])
            largest, places = max(largest, apart), places + 1
            found = _difference(number, place, written, ours[place], apart)
            if found is not None:
                return Verdict(places, largest, found)
    return Verdict(places, largest)


def require_verdict(checkpoint: Checkpoint, weights: str, verdicts: Path | None) -> None:
    """Let a checkpoint of the second version pass if it was compared and found to agree.

    Args:
        checkpoint: any; those of the first version pass.
        weights: its id, as `Checkpoint.check` gives it.
        verdicts: the file of verdicts; None: there is none.

    Raises:
        NotCompared: says why it is off.
    """
    if checkpoint.config.second is None:
        return
    code = read_own_code(checkpoint.folder)
    if code is None:
        raise NotCompared("it brings no code of its own to compare with")
    verdict = recall(verdicts, key_of(checkpoint, weights, code)) if verdicts else None
    if verdict is None:
        raise NotCompared("it was not compared with its own code yet")
    if verdict.difference is not None:
        raise NotCompared("compared with its own code, it differs")


def key_of(checkpoint: Checkpoint, weights: str, code: OwnCode) -> str:
    """What a verdict holds for: 64 hex digits."""
    config = hashlib.sha256((checkpoint.folder / "config.json").read_bytes()).hexdigest()
    versions = [f"{name} {version(name)}" for name in ("incunable", "torch", "transformers")]
    said = json.dumps([weights, config, code.sum, versions, TOKENS, TOLERANCE])
    return hashlib.sha256(said.encode()).hexdigest()


def recall(verdicts: Path, key: str) -> Verdict | None:
    """The verdict of a key; a file that cannot be read has none."""
    try:
        found = json_object(read_json_if_there(verdicts).get(key))
        difference = found.get("difference")
        return Verdict(
            int(found["places"]),
            float(found["largest"]),
            None if difference is None else Difference(**difference),
        )
    except (WeightsDamaged, KeyError, TypeError, ValueError):
        return None


def remember(verdicts: Path, key: str, verdict: Verdict) -> None:
    """Keep a verdict, in one step.

    Raises:
        OSError: it cannot be written.
    """
    try:
        known = read_json_if_there(verdicts)
    except WeightsDamaged:
        known = {}
    verdicts.parent.mkdir(parents=True, exist_ok=True)
    beside = verdicts.with_suffix(".new")
    beside.write_text(json.dumps({**known, key: asdict(verdict)}, indent=1), encoding="utf-8")
    beside.replace(verdicts)


def _check_answer(written: Written, vocabulary: int) -> None:
    count = len(written.ids)
    is_whole = written.logits.shape == (count, vocabulary) and count > 0
    if not is_whole or not all(0 <= token < vocabulary for token in written.ids):
        raise WeightsDamaged("the checkpoint's own code gave no ids and logits")


def _ours(network: SecondNetwork, request: Prompted, written: Sequence[int]) -> list[np.ndarray]:
    """Our logits at each place, (vocabulary,) float32 each, behind the ids that the code wrote."""
    pages = [network.encode(views) for views in request.views]
    logits = [network.prefill(request.ids, pages)]
    logits += [network.step(token) for token in written[:-1]]
    network.forget()
    return [each.numpy() for each in logits]


def _apart(theirs: np.ndarray, ours: np.ndarray) -> float:
    """The largest difference, as a share of the largest logit; infinite where one is no number."""
    import numpy as np

    apart = float(np.abs(theirs - ours).max() / max(float(np.abs(theirs).max()), 1e-6))
    return apart if np.isfinite(apart) else float("inf")


def _difference(
    number: int, place: int, written: Written, ours: np.ndarray, apart: float
) -> Difference | None:
    import numpy as np

    theirs = written.logits[place]
    if apart > TOLERANCE:
        worst = int(np.abs(np.nan_to_num(theirs) - np.nan_to_num(ours)).argmax())
        return Difference(number, place, "logits", float(theirs[worst]), float(ours[worst]))
    chosen = int(ours.argmax())
    if chosen != written.ids[place]:
        return Difference(number, place, "ids", written.ids[place], chosen)
    return None
