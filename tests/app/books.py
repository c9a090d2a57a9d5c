"""Small books for tests: folders of page images that an engine takes for printed."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw


def make_scan(folder: Path, pages: int, *, blank: tuple[int, ...] = (), size=(420, 600)) -> Path:
    """A folder of `pages` grey images; each says its number, so that no two are alike."""
    folder.mkdir(parents=True)
    for number in range(pages):
        image = Image.new("L", size, 255 if number in blank else 238)
        if number not in blank:
            _print(ImageDraw.Draw(image), number, size)
        image.save(folder / f"p{number + 1}.png", dpi=(150, 150))
    return folder


def _print(draw: ImageDraw.ImageDraw, number: int, size: tuple[int, int]) -> None:
    width, height = size
    for line in range(8, height - 40, 24):
        draw.text((40, line + 20), f"Leaf {number + 1}, line {line} of the old book", fill=20)
    draw.text((width // 2, height - 30), str(number + 1), fill=20)
