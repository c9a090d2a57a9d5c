"""A checkpoint folder that lacks or spoils something says what; a sound one loads as it is."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from model import manifest
from model.config import Prompts, ViewSizes, read_config
from model.errors import WeightsDamaged, WeightsMissing
from model.weights import find_checkpoint, load_network
from tests.model.tiny_checkpoint import random_network, write_checkpoint

pytestmark = pytest.mark.model

WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("sound"), seed=3)


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "checkpoint"))


def load(folder: Path, dtype: torch.dtype = torch.float32) -> Any:
    return load_network(find_checkpoint(folder), device=torch.device("cpu"), dtype=dtype)


def change_json(path: Path, **entries: object) -> None:
    said = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(said | entries))


def change_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    weights = {name: value.clone() for name, value in load_file(folder / WEIGHTS).items()}
    change(weights)
    save_file(weights, folder / WEIGHTS)


def test_published_names_load_into_transformers_classes(folder: Path):
    torch.manual_seed(3)
    with torch.no_grad():
        expected = random_network(folder)
    loaded = load(folder)
    for name, weight in expected.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], weight), name
    assert not any(weight.requires_grad for weight in loaded.parameters())
    assert not loaded.training


def test_bfloat16_is_kept_but_for_the_router(folder: Path):
    state = load(folder, torch.bfloat16).state_dict()
    assert state["lm_head.weight"].dtype == torch.bfloat16
    assert state["model.language_model.layers.1.mlp.gate.weight"].dtype == torch.float32


def test_shards_load_as_one(folder: Path):
    expected = load(folder).state_dict()
    names = sorted(load_file(folder / WEIGHTS))
    places = {name: f"part-{index % 2}.safetensors" for index, name in enumerate(names)}
    weights = load_file(folder / WEIGHTS)
    for part in set(places.values()):
        save_file(
            {name: weights[name].clone() for name in names if places[name] == part}, folder / part
        )
    del weights
    (folder / WEIGHTS).unlink()
    change_json(folder / "model.safetensors.index.json", weight_map=places)
    found = load(folder).state_dict()
    assert all(torch.equal(found[name], weight) for name, weight in expected.items())
    (folder / "part-1.safetensors").unlink()
    with pytest.raises(WeightsMissing, match="part-1"):
        find_checkpoint(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", WEIGHTS])
def test_a_missing_file_is_named(folder: Path, name: str):
    (folder / name).unlink()
    with pytest.raises(WeightsMissing, match=name):
        find_checkpoint(folder)


def test_a_missing_folder_is_named(tmp_path: Path):
    with pytest.raises(WeightsMissing, match="nowhere"):
        find_checkpoint(tmp_path / "nowhere")


def test_pickled_weights_are_no_weights(folder: Path):
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
    with pytest.raises(WeightsMissing, match=WEIGHTS):
        find_checkpoint(folder)


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 7)


def cut_in_the_header(path: Path) -> None:
    os.truncate(path, 40)


def make_empty(path: Path) -> None:
    os.truncate(path, 0)


def make_noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def make_longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


def claim_a_huge_header(path: Path) -> None:
    path.write_bytes(struct.pack("<Q", 1 << 60) + path.read_bytes()[8:])


def fill_header_with_nonsense(path: Path) -> None:
    text = b'{"a": {"data_offsets": "x"}}'
    path.write_bytes(struct.pack("<Q", len(text)) + text)


@pytest.mark.parametrize(
    "spoil",
    [
        *(cut_short, cut_in_the_header, make_empty, make_noise, make_longer),
        *(claim_a_huge_header, fill_header_with_nonsense),
    ],
)
def test_a_damaged_weight_file_is_named(folder: Path, spoil: Callable[[Path], None]):
    spoil(folder / WEIGHTS)
    with pytest.raises(WeightsDamaged, match=WEIGHTS):
        find_checkpoint(folder)


def test_a_missing_key_is_named(folder: Path):
    change_weights(folder, lambda weights: weights.pop("model.norm.weight"))
    with pytest.raises(WeightsDamaged, match=r"lacks model\.language_model\.norm\.weight"):
        load(folder)


def test_an_unknown_key_is_named(folder: Path):
    change_weights(folder, lambda weights: weights.update({"model.router": torch.zeros(3)}))
    with pytest.raises(WeightsDamaged, match=r"unknown model\.router"):
        load(folder)


def test_a_key_of_another_size_is_named(folder: Path):
    change_weights(folder, lambda weights: weights.update({"model.image_newline": torch.zeros(7)}))
    with pytest.raises(WeightsDamaged, match=r"other sizes for model\.image_newline"):
        load(folder)


def test_many_wrong_keys_are_told_in_short(folder: Path):
    more = {f"model.extra.{index}": torch.zeros(1) for index in range(20)}
    change_weights(folder, lambda weights: weights.update(more))
    with pytest.raises(WeightsDamaged, match="and 15 more"):
        load(folder)


def test_code_in_a_checkpoint_never_runs(folder: Path, monkeypatch: pytest.MonkeyPatch):
    (folder / "modeling_unlimitedocr.py").write_text("raise SystemExit('a checkpoint ran')")
    (folder / "sitecustomize.py").write_text("raise SystemExit('a checkpoint ran')")
    monkeypatch.chdir(folder)
    assert json.loads((folder / "config.json").read_text())["auto_map"]
    assert load(folder) is not None


@pytest.mark.parametrize(
    "name", ["../outside.safetensors", "/etc/passwd", "a/b.safetensors", "x.bin"]
)
def test_an_index_leads_nowhere_else(folder: Path, name: str):
    change_json(folder / "model.safetensors.index.json", weight_map={"model.norm.weight": name})
    with pytest.raises(WeightsDamaged, match="index"):
        find_checkpoint(folder)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "config.json"),
        ("[1]", "config.json"),
        ("[" * 100_000, "config.json"),
        ('{"model_type": "llama", "text_config": {}}', "llama"),
        ('{"model_type": "unlimited-ocr"}', "text_config"),
        (
            '{"model_type": "unlimited-ocr", "text_config": {}, "quantization_config": {}}',
            "quantised",
        ),
        ('{"model_type": "unlimited-ocr", "text_config": {"hidden_size": "wide"}}', "hidden_size"),
        ('{"model_type": "unlimited-ocr", "text_config": 5}', "config.json"),
        ('{"model_type": "unlimited-ocr", "text_config": {"num_attention_heads": 0}}', "by zero"),
        ('{"model_type": "unlimited-ocr", "text_config": {"eos_token_id": null}}', "eos_token_id"),
    ],
)
def test_a_wrong_config_is_named(folder: Path, content: str, named: str):
    (folder / "config.json").write_text(content)
    with pytest.raises(WeightsDamaged, match=named):
        find_checkpoint(folder)


def test_the_config_tells_sizes_and_ids(folder: Path):
    config = read_config(folder)
    assert (config.layers, config.key_heads, config.head_size) == (3, 2, 32)
    assert (config.most_positions, config.window_tokens) == (4096, 128)
    assert (config.start_id, config.end_ids, config.image_id) == (0, {1}, 3)
    assert config.views == ViewSizes(page_px=64, tile_px=32, patch_px=4, most_tiles=6)
    assert config.prompts == Prompts()


def test_without_a_processor_file_the_views_are_the_published_ones(folder: Path):
    (folder / "preprocessor_config.json").unlink()
    assert read_config(folder).views == ViewSizes(page_px=64, patch_px=4)


def test_a_checkpoint_may_have_been_trained_on_other_views_and_words(folder: Path):
    change_json(folder / "preprocessor_config.json", crop_to_patches=False, maximum_pad_value=64)
    change_json(folder / "manifest.json", prompts={"page": "<image><|ocr|>", "pages": None})
    config = read_config(folder)
    assert (config.views.is_stretched, config.views.most_tiles) == (True, 0)
    assert config.prompts == Prompts("<image><|ocr|>", None)
    assert config.page_tokens is None
    change_json(folder / "manifest.json", page_tokens=2368)
    assert read_config(folder).page_tokens == 2368
    change_json(folder / "manifest.json", page_tokens="many")
    with pytest.raises(WeightsDamaged, match="page_tokens"):
        read_config(folder)
    change_json(folder / "manifest.json", prompts={"page": "read this"})
    with pytest.raises(WeightsDamaged, match="prompts"):
        read_config(folder)


def sums_of(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_the_id_is_the_start_of_the_weights_sum(folder: Path):
    assert find_checkpoint(folder).check() == sums_of(folder)[WEIGHTS][:16]


@pytest.mark.parametrize("form", ["manifest.json", "sha256sums"])
def test_files_are_compared_with_the_manifest(folder: Path, form: str):
    sums = sums_of(folder) | {"README.md": "0" * 64}  # of no concern
    if form == "manifest.json":
        change_json(folder / form, files=sums)
    else:
        (folder / form).write_text("".join(f"{found} *{name}\n" for name, found in sums.items()))
    find_checkpoint(folder).check()
    content = bytearray((folder / WEIGHTS).read_bytes())
    content[-1] ^= 1  # one bit of one weight
    (folder / WEIGHTS).write_bytes(content)
    with pytest.raises(WeightsDamaged, match=rf"{WEIGHTS}.*SHA-256"):
        find_checkpoint(folder).check()


def test_a_manifest_must_list_what_is_read(folder: Path):
    sums = sums_of(folder)
    del sums["tokenizer.json"]
    change_json(folder / "manifest.json", files=sums)
    with pytest.raises(WeightsDamaged, match=r"does not list tokenizer\.json"):
        find_checkpoint(folder).check()


def test_a_manifest_without_sums_is_refused(folder: Path):
    change_json(folder / "manifest.json", files={WEIGHTS: "abc"})
    with pytest.raises(WeightsDamaged, match=WEIGHTS):
        find_checkpoint(folder).check()


def test_files_are_hashed_again_only_when_they_changed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hashed: list[str] = []
    digest = hashlib.file_digest

    def counted(file: Any, name: str) -> Any:
        hashed.append(Path(file.name).name)
        return digest(file, name)

    monkeypatch.setattr(manifest.hashlib, "file_digest", counted)
    remembered = tmp_path / "cache" / "sums.json"
    first = find_checkpoint(folder).check(remembered)
    assert WEIGHTS in hashed
    hashed.clear()
    assert find_checkpoint(folder).check(remembered) == first
    assert hashed == []
    change_weights(folder, lambda weights: weights["model.image_newline"].add_(1))
    assert find_checkpoint(folder).check(remembered) != first
    assert hashed == [WEIGHTS]
    remembered.write_text('{"x": 5')  # spoilt: costs the hashing, no more
    assert find_checkpoint(folder).check(remembered) != first
