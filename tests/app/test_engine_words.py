"""What is said of engines and checkpoint folders."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.engine_words import WHY, checkpoint_lack, choice_text
from model.api import Engine, EngineChoice

pytestmark = pytest.mark.unit


@pytest.fixture
def checkpoint(tmp_path):
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "model.safetensors").touch()
    return tmp_path


def test_the_engine_its_device_and_the_reason_are_named():
    choice = EngineChoice(Engine.LINE_READER, why="no_gpu")
    assert choice_text(choice) == (
        "Line reader on the processor: no graphics card was found for Unlimited-OCR"
    )
    card = EngineChoice(Engine.UNLIMITED_OCR, device="cuda", why="gpu_and_checkpoint")
    assert choice_text(card).startswith("Unlimited-OCR on the graphics card: ")
    assert choice_text(EngineChoice(Engine.FAKE)) == "Scripted reader on the best device"


def test_every_reason_that_is_given_has_words():
    source = (Path(__file__).parents[2] / "model" / "choice.py").read_text()
    given = set(re.findall(r'(?:why=|return |return "" if .* else )"(\w+)"', source))
    assert "no_gpu" in given
    assert given <= set(WHY)


def test_a_complete_folder_lacks_nothing(checkpoint):
    assert checkpoint_lack(checkpoint) == ""


def test_a_checkpoint_of_the_second_version_says_what_it_needs(checkpoint):
    (checkpoint / "config.json").write_text('{"dash": {}}')
    assert "Unlimited-OCR-2" in checkpoint_lack(checkpoint)
    assert "incunable doctor --compare" in checkpoint_lack(checkpoint)
    (checkpoint / "config.json").write_text("[")
    assert checkpoint_lack(checkpoint) == ""


def test_what_is_missing_is_named(checkpoint):
    assert checkpoint_lack(checkpoint / "none") == "There is no such folder."
    (checkpoint / "tokenizer.json").unlink()
    assert "no tokenizer.json" in checkpoint_lack(checkpoint)


def test_a_missing_shard_is_named(checkpoint):
    index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}
    (checkpoint / "model.safetensors.index.json").write_text(json.dumps(index))
    (checkpoint / "model-1.safetensors").touch()
    assert "lacks model-2.safetensors" in checkpoint_lack(checkpoint)


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"weight_map": 3}'])
def test_a_broken_list_of_weights_is_told(checkpoint, content):
    (checkpoint / "model.safetensors.index.json").write_text(content)
    assert "cannot be read" in checkpoint_lack(checkpoint)
