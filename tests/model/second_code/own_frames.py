"""The second file of the same: where tokens stand, counted one after the other."""

from __future__ import annotations

from typing import Any

FACTOR = 1.0  # a test makes another network of it


def places(ids: list[int], prompt: int, said: dict[str, Any]) -> list[tuple[int, int]]:
    """Place inside its page, and page, of every token; the text goes on behind the image."""
    found: list[tuple[int, int]] = []
    heights = {0: 0}
    pages = ids[:prompt].count(said["page_token_id"])
    last = max(at for at in range(prompt) if ids[at] == said["image_token_id"])
    page, written, inside = 0, 0, 0
    for at, token in enumerate(ids):
        is_new = token == said["page_token_id"]
        if at <= last:
            page += is_new
            found.append((heights.setdefault(page, 0), page))
            heights[page] += 1
        elif at < prompt:
            found.append((heights[0] + at - last - 1, 0))
        else:
            turned = is_new and written < pages
            written += turned
            inside = 0 if turned else inside
            found.append((heights[written] + inside, written))
            inside += 1
    return found
