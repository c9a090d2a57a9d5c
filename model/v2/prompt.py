"""The prompt of the second version: a start, each page behind its page token, the instruction."""

from __future__ import annotations

from collections.abc import Sequence

from model.config import CheckpointConfig
from model.tokens import IMAGE, Vocabulary


def second_prompt(
    pages: Sequence[int], vocabulary: Vocabulary, config: CheckpointConfig
) -> list[int]:
    """Ids of a prompt.

    Args:
        pages: visual tokens of each page.
        vocabulary: of the checkpoint.
        config: of the same, which is of the second version.

    Source: the public ports of Unlimited-OCR-2: no chat template, `<PAGE>` is one id.
    """
    assert config.second is not None, "a checkpoint of the second version"
    frames = config.second.frames
    said = config.prompts.pages or config.prompts.page
    instruction = vocabulary.spell(said.partition(IMAGE)[2])
    shown = (
        token
        for count in pages
        for token in (frames.page_token_id, *[frames.image_token_id] * count)
    )
    return [config.start_id, *shown, *instruction]
