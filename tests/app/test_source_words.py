"""Machine and person are never confused, in words either."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.book import Source
from app.source_words import source_details, source_text
from model.api import EngineSource

pytestmark = pytest.mark.unit

NOW = datetime(2026, 11, 30, tzinfo=UTC)
ENGINE = EngineSource("unlimited-ocr", "v2", "0123456789abcdef", "base", "NVIDIA H200", "bfloat16")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source("hand", NOW), "by hand"),
        (Source("hand", NOW, person="A. Reader"), "by hand, A. Reader"),
        (Source("model", NOW, ENGINE), "Unlimited-OCR · NVIDIA H200, mode base"),
        (Source("model", NOW, replace(ENGINE, mode="")), "Unlimited-OCR · NVIDIA H200"),
        (Source("model", NOW, imported_from="pdf text layer"), "from the pdf text layer"),
        (Source("model", NOW), "a machine"),
    ],
)
def test_the_source_is_named(source, text):
    assert source_text(source) == text


def test_what_else_is_known_of_a_machine():
    known = "version v2, checkpoint 0123456789abcdef, bfloat16"
    assert source_details(Source("model", NOW, ENGINE)) == known
    assert source_details(Source("hand", NOW)) == ""
