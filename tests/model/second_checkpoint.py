"""Small checkpoints of the second version, with modelling code of their own."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from model.v2.config import (
    DashConfig,
    DashNames,
    FrameConfig,
    GuardConfig,
    GuardMode,
    InstructionPage,
    MixedBlock,
    Overlap,
    Prefill,
    Prior,
    RouterInput,
    Scope,
    Solver,
    TextFrame,
)
from tests.model.tiny_checkpoint import SPECIALS, write_checkpoint

CODE = Path(__file__).parent / "second_code"
LAYERS, HIDDEN = 3, 64
PAGE_TOKEN = SPECIALS.index("<|grounding|>")  # made `<PAGE>`

DASH = DashConfig(
    block_tokens=8,
    candidates=5,
    kept_blocks=3,
    local_blocks=2,
    window_tokens=16,
    index_size=HIDDEN // 2,
    norm_eps=1e-6,
    score_scale=4.0,
    prior_sigma=2.0,
    prior=Prior.CENTRED,
    solver=Solver.EXACT,
    scope=Scope.ALL,
    mixed_block=MixedBlock.BOTH,
    overlap=Overlap.WINDOW,
    router_input=RouterInput.NORMED,
    prefill=Prefill.SPARSE,
)
NAMES = DashNames(
    weight="model.layers.{layer}.self_attn.dash.weight",
    query_norm="model.layers.{layer}.self_attn.dash.q_norm",
    key_norm="model.layers.{layer}.self_attn.dash.k_norm",
    head_cls="model.layers.{layer}.self_attn.dash.head_cls",
)
FRAMES = FrameConfig(
    image_token_id=SPECIALS.index("<image>"),
    page_token_id=PAGE_TOKEN,
    text_frame=TextFrame.CONTINUE,
    instruction_page=InstructionPage.NONE,
    page_pairs=4,
    token_theta=10_000.0,
    page_theta=100.0,
)
GUARD = GuardConfig(GuardMode.LIMIT, PAGE_TOKEN, end_token_id=1, max_page_tokens=12)
SECTIONS = {each.name: asdict(each) for each in (DASH, NAMES, FRAMES, GUARD)}


def write_second(folder: Path, *, seed: int = 3) -> Path:
    """Write a checkpoint of noise with its code."""
    write_checkpoint(folder, seed=seed)
    change_config(folder, **SECTIONS)
    config = folder / "config.json"
    config.write_text(config.read_text().replace("UnlimitedOCRForCausalLM", "OwnForCausalLM"))
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace("<|grounding|>", "<PAGE>"))
    generator = torch.Generator().manual_seed(seed)
    weights = load_file(folder / "model.safetensors")
    for layer in range(LAYERS):
        for field, shape in {
            "weight": (2 * DASH.index_size, HIDDEN),
            "query_norm": (DASH.index_size,),
            "key_norm": (DASH.index_size,),
            "head_cls": (DASH.index_size,),
        }.items():
            name = getattr(NAMES, field).format(layer=layer)
            weights[name] = 0.3 * torch.randn(shape, generator=generator)
    save_file(weights, folder / "model.safetensors")
    for source in CODE.glob("*.py"):
        shutil.copy(source, folder)
    return folder


def change_config(folder: Path, **entries: object) -> None:
    """Put entries into `config.json`."""
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
