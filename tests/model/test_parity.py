"""A checkpoint of the second version beside its own code: the network, the verdict, the gate."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from model.api import Engine, EngineChoice, PageEnd, PageRead, Stop
from model.errors import NotCompared, WeightsDamaged
from model.own_code import Written, read_own_code
from model.parity import (
    TOLERANCE,
    Difference,
    Verdict,
    compare,
    key_of,
    prompted,
    recall,
    remember,
)
from model.recogniser import UnlimitedOcr
from model.v2.config import Prefill
from model.v2.loading import load_second
from model.weights import find_checkpoint, load_network
from tests.model.drawn_pages import slip
from tests.model.second_checkpoint import (
    DASH,
    GUARD,
    NAMES,
    SECTIONS,
    change_config,
    write_second,
)
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("one_thread")]

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_second(tmp_path_factory.mktemp("second") / "sound")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "second"))


def build(folder: Path, verdicts: Path) -> UnlimitedOcr:
    options = (("verdicts", str(verdicts)),)
    choice = EngineChoice(Engine.UNLIMITED_OCR, folder, device="cpu", options=options)
    return UnlimitedOcr(choice)


def passed(folder: Path, verdicts: Path, **found: Difference) -> Path:
    checkpoint, code = find_checkpoint(folder), read_own_code(folder)
    assert code is not None
    verdict = Verdict(2, 1e-5, **found)
    remember(verdicts, key_of(checkpoint, checkpoint.check(), code), verdict)
    return verdicts


def written(folder: Path, tokens: int) -> list[Written]:
    """What our own network writes, as a code that computes the same would."""
    checkpoint = find_checkpoint(folder)
    network = load_second(checkpoint, device=CPU, dtype=torch.float32)
    found: list[Written] = []
    for request in prompted(checkpoint, [slip(0).image, slip(1).image]):
        pages = [network.encode(each) for each in request.views]
        logits = [network.prefill(request.ids, pages)]
        while len(logits) < tokens:
            logits.append(network.step(int(logits[-1].argmax())))
        stack = torch.stack(logits)
        found.append(Written(stack.argmax(dim=1).tolist(), stack.numpy()))
    return found


@pytest.mark.parametrize("at_once", [1, 7])
def test_a_prompt_run_in_parts_gives_what_it_gives_in_one_go(
    sound: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
):
    whole = written(sound, 2)
    monkeypatch.setattr("model.v2.network.QUERIES_AT_ONCE", at_once)
    for one, other in zip(whole, written(sound, 2), strict=True):
        assert one.ids == other.ids
        assert abs(one.logits - other.logits).max() < TOLERANCE


def test_the_cache_is_counted_and_forgotten(sound: Path):
    checkpoint = find_checkpoint(sound)
    network = load_second(checkpoint, device=CPU, dtype=torch.float32)
    request = prompted(checkpoint, [slip(0).image])[0]
    network.prefill(request.ids, [network.encode(each) for each in request.views])
    assert network.prompt_bytes == len(request.ids) * network.token_bytes
    assert network.window_bytes > 0
    network.forget()
    assert network.window_bytes == network.prompt_bytes == 0


def test_a_prompt_may_be_read_densely(folder: Path):
    sparse = written(folder, 1)
    change_config(folder, dash=SECTIONS["dash"] | {"prefill": Prefill.DENSE})
    dense = written(folder, 1)
    change_config(folder, dash=SECTIONS["dash"] | {"window_tokens": 500, "kept_blocks": 1})
    whole = written(folder, 1)
    for one, other, same in zip(dense, sparse, whole, strict=True):
        assert abs(one.logits - other.logits).max() > TOLERANCE
        assert abs(one.logits - same.logits).max() < TOLERANCE


def test_the_same_numbers_pass_and_the_first_other_ones_are_named(sound: Path):
    checkpoint = find_checkpoint(sound)
    requests = prompted(checkpoint, [slip(0).image, slip(1).image])
    theirs = written(sound, 4)
    verdict = compare(checkpoint, requests, theirs)
    assert verdict.has_passed
    assert verdict.places == 8

    theirs[1].logits[2, 7] += 1.0
    found = compare(checkpoint, requests, theirs).difference
    assert found is not None
    assert (found.request, found.token, found.what) == (1, 2, "logits")
    assert found.theirs - found.ours == pytest.approx(1.0, abs=1e-4)

    theirs[0] = Written([*theirs[0].ids[:-1], 5], theirs[0].logits)
    ours = int(theirs[0].logits[-1].argmax())
    assert compare(checkpoint, requests, theirs).difference == Difference(0, 3, "ids", 5, ours)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda one: Written([], one.logits[:0]),
        lambda one: Written(one.ids, one.logits[:, :-1]),
        lambda one: Written([9999, *one.ids[1:]], one.logits),
    ],
)
def test_an_answer_that_is_none_is_refused(sound: Path, spoil: Callable[[Written], Written]):
    checkpoint = find_checkpoint(sound)
    requests = prompted(checkpoint, [slip(0).image, slip(1).image])
    first, second = written(sound, 1)
    with pytest.raises(WeightsDamaged, match="no ids and logits"):
        compare(checkpoint, requests, [spoil(first), second])


def test_a_number_that_is_none_differs(sound: Path):
    checkpoint = find_checkpoint(sound)
    requests = prompted(checkpoint, [slip(0).image, slip(1).image])
    theirs = written(sound, 1)
    theirs[0].logits[0, 3] = float("nan")
    assert not compare(checkpoint, requests, theirs).has_passed


def test_it_stays_off_until_it_was_compared(folder: Path, tmp_path: Path):
    verdicts = tmp_path / "verdicts.json"
    with pytest.raises(NotCompared, match="not compared"):
        build(folder, verdicts)
    with build(folder, passed(folder, verdicts)) as recogniser:
        assert recogniser.modes == ("request",)
        images = [slip(number).image for number in range(3)]
        steps = list(recogniser.read(iter(images), Stop()))
    pages = [step for step in steps if isinstance(step, PageRead)]
    assert [page.page for page in pages] == [0, 1, 2]
    most = GUARD.max_page_tokens + 1  # of a section, its page token included
    assert sum(page.steps for page in pages) <= 4 * most  # three, and noise in front of the first
    assert {page.end for page in pages} <= {PageEnd.DONE, PageEnd.SECTIONS}


def other_weights(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["lm_head.weight"] *= 1.01
    save_file(weights, folder / "model.safetensors")


def other_code(folder: Path) -> None:
    with (folder / "own_frames.py").open("a") as file:
        file.write("\n")


def more_code(folder: Path) -> None:
    (folder / "extra").mkdir()
    (folder / "extra" / "more.py").write_text("")


def other_config(folder: Path) -> None:
    change_config(folder, dash=SECTIONS["dash"] | {"kept_blocks": 2})


@pytest.mark.parametrize("change", [other_weights, other_code, more_code, other_config])
def test_a_verdict_holds_for_what_was_compared(
    folder: Path, tmp_path: Path, change: Callable[[Path], None]
):
    verdicts = passed(folder, tmp_path / "verdicts.json")
    change(folder)
    with pytest.raises(NotCompared, match="not compared"):
        build(folder, verdicts)


def test_another_version_of_ours_asks_for_a_new_verdict(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    verdicts = passed(folder, tmp_path / "verdicts.json")
    monkeypatch.setattr("model.parity.version", lambda name: f"{name} of tomorrow")
    with pytest.raises(NotCompared, match="not compared"):
        build(folder, verdicts)


def test_a_checkpoint_that_differed_or_brings_no_code_stays_off(folder: Path, tmp_path: Path):
    verdicts = passed(folder, tmp_path / "verdicts.json", difference=Difference(0, 3, "ids", 5, 6))
    with pytest.raises(NotCompared, match="it differs"):
        build(folder, verdicts)
    change_config(folder, auto_map={})
    with pytest.raises(NotCompared, match="no code"):
        build(folder, verdicts)


@pytest.mark.parametrize("content", ["", "[]", '{"k": 1}', '{"k": {"places": 1}}', "{" * 9])
def test_a_file_of_verdicts_that_cannot_be_read_has_none(tmp_path: Path, content: str):
    verdicts = tmp_path / "verdicts.json"
    verdicts.write_text(content)
    assert recall(verdicts, "k") is None
    remember(verdicts, "k", Verdict(3, 0.5))
    assert recall(verdicts, "k") == Verdict(3, 0.5)


def test_a_router_that_is_missing_of_another_size_or_unknown_is_named(folder: Path):
    path, name = folder / "model.safetensors", NAMES.key_norm.format(layer=1)
    weights = load_file(path)

    def load() -> None:
        load_second(find_checkpoint(folder), device=CPU, dtype=torch.float32)

    save_file(weights | {name: torch.zeros(DASH.index_size + 1)}, path)
    with pytest.raises(WeightsDamaged, match=f"other sizes for {name}"):
        load()
    save_file({key: each for key, each in weights.items() if key != name}, path)
    with pytest.raises(WeightsDamaged, match=f"lacks {name}"):
        load()
    save_file(weights | {"model.layers.1.self_attn.dash.gate": torch.zeros(1)}, path)
    with pytest.raises(WeightsDamaged, match=r"unknown .*dash\.gate"):
        load()


def test_a_second_version_that_names_its_parts_otherwise_is_refused_by_its_weights(folder: Path):
    config = folder / "config.json"
    raw = json.loads(config.read_text())
    other = {key: value for key, value in raw.items() if key not in SECTIONS}
    config.write_text(json.dumps(other | {"sparse_attention": SECTIONS["dash"]}))
    with pytest.raises(WeightsDamaged, match=r"holds unknown .*self_attn\.dash\.head_cls"):
        load_network(find_checkpoint(folder), device=CPU, dtype=torch.float32)


def test_code_is_read_as_bytes_and_named_code_has_to_be_there(folder: Path, tmp_path: Path):
    code = read_own_code(folder)
    assert code is not None
    assert sorted(code.files) == ["modeling_unlimitedocr.py", "own_frames.py"]
    change_config(folder, auto_map={"AutoModel": "other/repository--modeling.Net"})
    with pytest.raises(WeightsDamaged, match="not in the folder"):
        read_own_code(folder)
    first = write_checkpoint(tmp_path / "first")
    change_config(first, auto_map={})
    assert read_own_code(first) is None
