"""The tower on a CPU, windows a few at a time, beside transformers' own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from transformers.models.unlimited_ocr.modeling_unlimited_ocr import UnlimitedOcrSamVisionEncoder

from model.config import read_config
from model.encoder import WindowsApart, part_windows
from tests.model.tiny_checkpoint import write_checkpoint

pytestmark = pytest.mark.model

WINDOW, PATCH_PX = 8, 4


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Four layers at random, the third of them without windows."""
    folder = write_checkpoint(tmp_path_factory.mktemp("tower"), seed=3)
    config = read_config(folder).network.vision_config.sam_config
    config.window_size, config.num_hidden_layers, config.global_attn_indexes = WINDOW, 4, [2]
    config._attn_implementation = "sdpa"
    made = UnlimitedOcrSamVisionEncoder(config).eval()
    for weight in made.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    return made


@pytest.mark.parametrize("cells", [2 * WINDOW, WINDOW, WINDOW + 4])
def test_windows_apart_give_what_they_give_together(encoder: Any, cells: int):
    pixels = torch.randn(3, 3, cells * PATCH_PX, cells * PATCH_PX)
    layers = encoder.layers
    with torch.inference_mode():
        expected = encoder(pixels).last_hidden_state
        part_windows(SimpleNamespace(model=SimpleNamespace(vision_tower=_tower(encoder))))
        seen = encoder(pixels).last_hidden_state
    parted, encoder.layers = encoder.layers, layers
    assert [isinstance(layer, WindowsApart) for layer in parted] == [True, False, True]
    torch.testing.assert_close(seen, expected, atol=1e-5, rtol=1e-5)


def _tower(encoder: Any) -> SimpleNamespace:
    return SimpleNamespace(sam_encoder=encoder)
