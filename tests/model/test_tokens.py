"""Tokens become text that can be shown at once, and prompts become tokens."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from model.errors import WeightsDamaged
from model.tokens import BYTES, TextStream, Vocabulary
from tests.model.tiny_checkpoint import SPECIALS, write_vocabulary

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vocabulary(tmp_path_factory.mktemp("vocabulary"))


@pytest.fixture(scope="module")
def vocabulary(path: Path) -> Vocabulary:
    return Vocabulary(path)


@pytest.fixture(scope="module")
def tokenizer(path: Path) -> Tokenizer:
    return Tokenizer.from_file(str(path))


def byte_tokens(tokenizer: Tokenizer, data: bytes) -> list[int]:
    """One token a byte, however the vocabulary would join them."""
    spelled = {byte: sign for sign, byte in BYTES.items()}
    return [token_id(tokenizer, spelled[byte]) for byte in data]


def token_id(tokenizer: Tokenizer, token: str) -> int:
    found = tokenizer.token_to_id(token)
    assert found is not None
    return found


def shown(vocabulary: Vocabulary, tokens: list[int]) -> list[str]:
    stream = TextStream(vocabulary)
    return [part for token in tokens for part in stream.add(token)] + [stream.end()]


def test_a_prompt_is_start_images_and_words(vocabulary: Vocabulary, tokenizer: Tokenizer):
    image = token_id(tokenizer, "<image>")
    ids = vocabulary.encode("<image>document parsing.", image_tokens=5, image_id=image, start_id=0)
    assert ids[:6] == [0, *[image] * 5]
    assert tokenizer.decode(ids[6:]) == "document parsing."
    whole = tokenizer.encode("<image>" * 5 + "document parsing.", add_special_tokens=False).ids
    assert ids == [0, *whole]


def test_a_prompt_may_have_words_before_the_image(vocabulary: Vocabulary, tokenizer: Tokenizer):
    ids = vocabulary.encode("Page: <image>.", image_tokens=2, image_id=9, start_id=0)
    assert tokenizer.decode(ids[1 : ids.index(9)]) == "Page: "


@given(st.text())
def test_the_text_is_the_tokenizers_own(vocabulary: Vocabulary, tokenizer: Tokenizer, text: str):
    kept = "".join(sign for sign in text if unicodedata.category(sign) not in {"Cc", "Cs", "Cn"})
    ids = tokenizer.encode(kept, add_special_tokens=False).ids
    expected = unicodedata.normalize("NFC", tokenizer.decode(ids, skip_special_tokens=False))
    assert "".join(shown(vocabulary, ids)) == expected


@given(st.text())
def test_bytes_one_by_one_are_never_shown_broken(
    vocabulary: Vocabulary, tokenizer: Tokenizer, text: str
):
    kept = "".join(sign for sign in text if unicodedata.category(sign) not in {"Cc", "Cs", "Cn"})
    pieces = shown(vocabulary, byte_tokens(tokenizer, kept.encode()))
    assert "".join(pieces) == unicodedata.normalize("NFC", kept)
    assert "�" not in "".join(pieces) or "�" in kept


def test_a_letter_waits_for_its_accent(vocabulary: Vocabulary, tokenizer: Tokenizer):
    stream = TextStream(vocabulary)
    pieces = [stream.add(token) for token in byte_tokens(tokenizer, "ve\u0301s ".encode())]
    assert pieces == [("", ""), ("v", ""), ("", ""), ("", ""), ("\u00e9", ""), ("s", " ")]
    assert stream.end() == ""


def test_korean_letters_join(vocabulary: Vocabulary, tokenizer: Tokenizer):
    syllable = "\u1112\u1161\u11ab"
    assert "".join(shown(vocabulary, byte_tokens(tokenizer, syllable.encode()))) == "\ud55c"


def test_what_is_no_utf8_is_shown_as_unreadable(vocabulary: Vocabulary, tokenizer: Tokenizer):
    assert "".join(shown(vocabulary, byte_tokens(tokenizer, b"a\xffb"))) == "a\ufffdb"
    assert "".join(shown(vocabulary, byte_tokens(tokenizer, "aé".encode()[:-1]))) == "a\ufffd"


def test_control_characters_are_no_text(vocabulary: Vocabulary, tokenizer: Tokenizer):
    data = "a\x00b\tc\nd\x1be\x7f\ufffe\r".encode()
    assert "".join(shown(vocabulary, byte_tokens(tokenizer, data))) == "ab\tc\nde"


def test_tags_are_passed_on(vocabulary: Vocabulary, tokenizer: Tokenizer):
    ids = [token_id(tokenizer, name) for name in SPECIALS]
    assert "".join(shown(vocabulary, ids)) == "".join(SPECIALS)


def test_an_id_outside_the_vocabulary_is_nothing(vocabulary: Vocabulary):
    assert vocabulary.bytes_of(1_000_000) == b""


def test_a_broken_vocabulary_is_named(tmp_path: Path, path: Path):
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{")
    with pytest.raises(WeightsDamaged, match=r"tokenizer\.json"):
        Vocabulary(broken)
    content = json.loads(path.read_text()) | {
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True}
    }
    broken.write_text(json.dumps(content))
    with pytest.raises(WeightsDamaged, match="byte-level"):
        Vocabulary(broken)
