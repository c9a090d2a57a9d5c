"""Small checkpoints in the published layout, made in a moment: random ones, and ones that recite.

A random checkpoint is Unlimited-OCR in every part but size and writes noise. One with a script
writes that text whatever the page shows: its layers add nothing to a token's own embedding, and its
head sends each token of the script to the next. So the whole path runs for real (files, loading,
views, prompt, cache, steps, tokens, markup) with a known outcome. Each part of a script becomes one
token of its vocabulary, so no two may be equal.

`python -m tests.model.tiny_checkpoint FOLDER` makes one, to try `--model` with.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from model.config import Prompts, read_config

if TYPE_CHECKING:
    import torch

START, END, PADDING = "<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜▁pad▁｜>"
SPECIALS = (
    *(START, END, PADDING, "<image>", "<|ref|>", "<|/ref|>", "<|det|>", "<|/det|>"),
    *("<|grounding|>", "<td>", "</td>", "<tr>", "</tr>"),
)
TEXT = (
    "document parsing. Multi page parsing. <table> </table> title text table header [1, 2, 3, 4]",
    "The press stood in the cellar, and the paper was hung above it to dry.",
    "Über die Kunst, Bücher zu drucken; quand la feuille était tirée, on la pliait en quatre.",
)
VOCABULARY = 400
DEMONSTRATION = (
    "<PAGE><|det|>header [300, 30, 700, 60]<|/det|>",
    "A CHECKPOINT THAT RECITES",
    "\n<|det|>title [200, 120, 800, 180]<|/det|>",
    "Nothing on this page was read.",
    "\n<|det|>text [120, 220, 880, 420]<|/det|>",
    "These weights were made by a script\n",
    "to show the way from files to text.",
    "\n<|det|>page_number [480, 930, 520, 960]<|/det|>",
    "7",
)


def write_checkpoint(
    folder: Path,
    *,
    seed: int = 0,
    script: Sequence[str] = (),
    leads_back_to: int | None = None,
    most_positions: int = 4096,
) -> Path:
    """Write a checkpoint folder.

    Args:
        folder: made if it is not there.
        seed: of the random weights.
        script: what the checkpoint recites, one part a token; empty: it writes noise.
        leads_back_to: the part of the script that follows on its last one; None: the end does.
        most_positions: tokens of prompt and output that the config allows.
    """
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    write_vocabulary(folder, script)
    raw = published_config(_size(folder), most_positions)
    (folder / "config.json").write_text(json.dumps(raw, indent=1))
    views = {"size": {"height": 64, "width": 64}, "tile_size": 32, "max_patches": 6}
    (folder / "preprocessor_config.json").write_text(json.dumps(views))
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(seed)
        network = random_network(folder)
        if script:
            last = END if leads_back_to is None else script[leads_back_to]
            _teach(network, folder, [*script, last])
        _save(network, folder)
    return folder


def write_vocabulary(folder: Path, script: Sequence[str] = ()) -> Path:
    """Write a byte-level BPE with the published special tokens; its path."""
    assert len(set(script)) == len(script), "each part of a script is a token of its own"
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=list(SPECIALS),
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    tokenizer.add_tokens([AddedToken(part, normalized=False) for part in script])
    path = folder / "tokenizer.json"
    tokenizer.save(str(path))
    return path


def published_config(vocabulary: int, most_positions: int) -> dict[str, Any]:
    """A small `config.json` in the layout of the published one."""
    return {
        "model_type": "unlimited-ocr",
        "architectures": ["UnlimitedOCRForCausalLM"],
        "auto_map": {"AutoModel": "modeling_unlimitedocr.UnlimitedOCRForCausalLM"},
        "torch_dtype": "bfloat16",
        "sliding_window": 128,
        "image_token_id": SPECIALS.index("<image>"),
        "language_config": {
            "vocab_size": vocabulary,
            "hidden_size": 64,
            "intermediate_size": 96,
            "moe_intermediate_size": 32,
            "num_hidden_layers": 3,
            "num_attention_heads": 2,
            "num_key_value_heads": 2,
            "n_routed_experts": 8,
            "n_shared_experts": 2,
            "num_experts_per_tok": 2,
            "first_k_dense_replace": 1,
            "max_position_embeddings": most_positions,
            "bos_token_id": 0,
            "eos_token_id": 1,
            "use_mla": False,
            "kv_lora_rank": None,
            "qk_nope_head_dim": 0,
        },
        "vision_config": {
            "model_type": "vision",
            "sam_config": {
                "hidden_size": 32,
                "output_channels": 16,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "image_size": 64,
                "patch_size": 4,
                "window_size": 7,
                "global_attn_indexes": [1],
                "mlp_dim": 64,
                "downsample_channels": [24, 32],
            },
            "encoder_config": {
                "hidden_size": 32,
                "intermediate_size": 64,
                "num_hidden_layers": 2,
                "num_attention_heads": 2,
                "image_size": 16,
                "patch_size": 4,
            },
        },
    }


def random_network(folder: Path) -> Any:
    """transformers' model of a folder's config, every weight of it at random."""
    from transformers import UnlimitedOcrForConditionalGeneration

    network = UnlimitedOcrForConditionalGeneration(read_config(folder).network).eval()
    for name, weight in network.named_parameters():
        is_scale = "norm" in name and name.endswith("weight")
        weight.copy_((weight.new_ones if is_scale else weight.new_zeros)(weight.shape))
        weight.add_(weight.new_empty(weight.shape).normal_(0, 0.1 if is_scale else 0.2))
    return network


def _size(folder: Path) -> int:
    return Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size()


def _teach(network: Any, folder: Path, script: Sequence[str]) -> None:
    """Silence the layers, so that the head alone leads from each part of the script to the next."""
    for name, weight in network.named_parameters():
        if "language_model" in name and ("o_proj" in name or "down_proj" in name):
            weight.zero_()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens = [tokenizer.token_to_id(part) for part in script]
    asked = {tokenizer.encode(prompt).ids[-1] for prompt in (Prompts.page, str(Prompts.pages))}
    embeddings: torch.Tensor = network.get_input_embeddings().weight
    head: torch.Tensor = network.lm_head.weight
    head.zero_()
    for before, after in [*((each, tokens[0]) for each in asked), *pairwise(tokens)]:
        head[after] += 4 * embeddings[before] / embeddings[before].norm()


def _save(network: Any, folder: Path) -> None:
    """Save under the published names, with the one published weight that is not used."""
    from safetensors.torch import save_file
    from transformers.core_model_loading import revert_weight_conversion

    weights = revert_weight_conversion(network, network.state_dict())
    unused = "model.vision_model.embeddings.patch_embedding.weight"
    weights[unused] = network.lm_head.weight.new_zeros(32, 3, 4, 4)
    save_file(
        {name: weight.contiguous() for name, weight in weights.items()},
        folder / "model.safetensors",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Make a checkpoint from the command line."""
    parser = argparse.ArgumentParser(description="Make a small checkpoint that recites one page.")
    parser.add_argument("folder", type=Path)
    print(write_checkpoint(parser.parse_args(arguments).folder, script=DEMONSTRATION))


if __name__ == "__main__":
    main()
