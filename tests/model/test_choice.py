"""Which engine is chosen, and that nothing heavy is imported to find out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import save_file

from model import choice
from model.api import Card, Engine, EngineChoice, cards, choose
from model.errors import WeightsMissing

pytestmark = pytest.mark.unit

CARD = Card("NVIDIA H200", 150_000_000_000, 149_000_000_000, "595.1", (9, 0))


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "unlimited_ocr"}))
    (tmp_path / "tokenizer.json").write_text("{}")
    save_file({"weight": np.zeros((8, 8), np.float32)}, tmp_path / "model.safetensors")
    return tmp_path


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "describe_devices", lambda: (CARD,))
    monkeypatch.setattr(choice, "torch_has_cuda", lambda: True)


@pytest.mark.usefixtures("gpu")
def test_card_and_checkpoint_choose_unlimited_ocr(checkpoint: Path):
    chosen = choose(checkpoint)
    assert (chosen.engine, chosen.checkpoint) == (Engine.UNLIMITED_OCR, checkpoint)
    assert chosen.why == "gpu_and_checkpoint"


@pytest.fixture
def bundled(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bundled checkpoint that does not say it reads best."""
    (checkpoint / "manifest.json").write_text(json.dumps({"is_default_engine": False}))
    monkeypatch.setattr(choice, "BUNDLED", checkpoint)
    return checkpoint


@pytest.mark.usefixtures("gpu", "bundled")
def test_without_checkpoint_the_line_reader_reads():
    chosen = choose(None)
    assert (chosen.engine, chosen.why) == (Engine.LINE_READER, "no_checkpoint")


@pytest.mark.usefixtures("gpu")
def test_bundled_reader_reads_where_its_manifest_says_that_it_reads_best(bundled: Path):
    (bundled / "manifest.json").write_text(json.dumps({"is_default_engine": True}))
    assert choose(None) == EngineChoice(Engine.READER, bundled, why="no_checkpoint")
    (bundled / "model.safetensors").write_bytes(b"cut short")
    assert choose(None).engine is Engine.LINE_READER


def test_bundled_reader_needs_no_folder_when_it_is_asked_for(bundled: Path):
    assert choose(None, Engine.READER) == EngineChoice(Engine.READER, bundled, why="asked")


@pytest.mark.usefixtures("gpu", "bundled")
@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_checkpoint_that_lacks_a_file_is_not_chosen(checkpoint: Path, name: str):
    (checkpoint / name).unlink()
    chosen = choose(checkpoint)
    assert (chosen.engine, chosen.why) == (Engine.LINE_READER, "checkpoint_incomplete")


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("length", [0, 4, 60, -1])
def test_checkpoint_cut_short_is_not_chosen(checkpoint: Path, length: int):
    weights = checkpoint / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:length])
    assert choose(checkpoint).why == "checkpoint_incomplete"


@pytest.mark.usefixtures("gpu")
def test_checkpoint_in_parts_needs_every_part(checkpoint: Path):
    (checkpoint / "model.safetensors").rename(checkpoint / "a.safetensors")
    index = {"weight_map": {"weight": "a.safetensors", "other": "b.safetensors"}}
    (checkpoint / "model.safetensors.index.json").write_text(json.dumps(index))
    assert choose(checkpoint).why == "checkpoint_incomplete"
    save_file({"other": np.zeros(2, np.float32)}, checkpoint / "b.safetensors")
    assert choose(checkpoint).engine is Engine.UNLIMITED_OCR


def test_without_card_the_line_reader_reads(checkpoint: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(choice, "describe_devices", lambda: ())
    assert choose(checkpoint).why == "no_gpu"


def test_card_too_small_for_the_weights_is_not_used(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(choice, "describe_devices", lambda: (CARD._replace(total_bytes=10**9),))
    assert choose(checkpoint).why == "gpu_too_small"


@pytest.mark.usefixtures("gpu")
def test_torch_built_for_the_cpu_does_not_use_the_card(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(choice, "torch_has_cuda", lambda: False)
    assert choose(checkpoint).why == "torch_without_cuda"


@pytest.mark.parametrize("asked", list(Engine))
def test_engine_that_was_asked_for_is_never_exchanged(checkpoint: Path, asked: Engine):
    chosen = choose(checkpoint, asked)
    assert (chosen.engine, chosen.why) == (asked, "asked")


def test_unlimited_ocr_without_folder_is_an_error():
    with pytest.raises(WeightsMissing):
        choose(None, Engine.UNLIMITED_OCR)


class NoDriver(Exception):
    """Stands for NVML's own error."""


def driver(**functions: object) -> SimpleNamespace:
    told: dict[str, object] = {
        "NVMLError": NoDriver,
        "nvmlInit": lambda: None,
        "nvmlShutdown": lambda: None,
        "nvmlDeviceGetCount": lambda: 1,
        "nvmlSystemGetDriverVersion": lambda: "595.1",
        "nvmlDeviceGetHandleByIndex": lambda index: index,
        "nvmlDeviceGetMemoryInfo": lambda _: SimpleNamespace(total=8_000, free=7_000),
        "nvmlDeviceGetCudaComputeCapability": lambda _: (8, 6),
        "nvmlDeviceGetName": lambda _: "a card",
    }
    return SimpleNamespace(**{**told, **functions})


def fail(*_: object) -> None:
    raise NoDriver


def test_card_is_described_as_the_driver_tells(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pynvml", driver())
    assert cards() == (Card("a card", 8_000, 7_000, "595.1", (8, 6)),)


@pytest.mark.parametrize("broken", ["nvmlInit", "nvmlDeviceGetCount", "nvmlDeviceGetMemoryInfo"])
def test_driver_that_fails_means_no_card(monkeypatch: pytest.MonkeyPatch, broken: str):
    monkeypatch.setitem(sys.modules, "pynvml", driver(**{broken: fail}))
    assert cards() == ()


def test_absent_library_means_no_card(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)
    assert cards() == ()


def test_choosing_imports_neither_torch_nor_onnxruntime(checkpoint: Path):
    program = (
        "import sys; from pathlib import Path; from model.api import cards, choose;"
        f"cards(); choose(Path({str(checkpoint)!r}));"
        "print(sorted({'torch', 'onnxruntime', 'cv2'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
