from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image

from app.desk.ink import has_ink

pytestmark = pytest.mark.unit


def paper(height=2480, width=1748, tone=225, seed=0):
    """A leaf with paper grain and the shadow of the gutter."""
    noise = np.random.default_rng(seed).normal(tone, 8, (height, width))
    noise[:, :80] *= np.linspace(0.2, 1, 80)
    return np.clip(noise, 0, 255).astype(np.uint8)


def printed(grey, text="Dedication", size=1.6):
    return cv2.putText(grey.copy(), text, (500, 900), cv2.FONT_HERSHEY_COMPLEX, size, (40,), 3)


@pytest.mark.parametrize("tone", [245, 225, 170, 120])
def test_grain_and_gutter_shadow_are_no_ink(tone):
    assert not has_ink(paper(tone=tone))


@pytest.mark.parametrize("tone", [245, 225, 170])
def test_one_printed_word_is_ink(tone):
    assert has_ink(printed(paper(tone=tone)))


def test_grey_and_rgb_give_the_same_answer():
    grey = printed(paper())
    assert has_ink(grey) == has_ink(np.repeat(grey[:, :, None], 3, axis=2))


@pytest.mark.parametrize("strength", [0.1, 0.3])
def test_show_through_is_no_ink(strength):
    back = cv2.GaussianBlur(printed(paper(), "THE OTHER SIDE", 2.5)[:, ::-1].copy(), (0, 0), 3)
    pale = 225 - (225 - back.astype(float)) * strength
    assert not has_ink(np.clip(pale, 0, 255).astype(np.uint8))


def test_a_black_scanner_bed_round_a_blank_leaf_is_no_ink():
    scan = np.zeros((2600, 1900), np.uint8)
    scan[50:-50, 60:-60] = paper(2500, 1780)
    assert not has_ink(scan)


def test_every_real_page_has_ink(shared):
    scans = [path for path in sorted((shared / "dev").iterdir()) if path.suffix in {".jpg", ".png"}]
    assert len(scans) > 10
    for path in scans:
        assert has_ink(np.asarray(Image.open(path).convert("L"))), path.name
