"""Token ids: prompts made into them, and text made from them that is safe to show at every token.

Unlimited-OCR's vocabulary is a byte-level BPE, so a token is a string of bytes and may end in the
middle of a letter. `TextStream` gives out a letter when it is whole and no accent can follow it any
more: what it gave never changes, is valid, in NFC, and free of control characters. Tags stay in:
they are the business of `model.markup`.
"""

from __future__ import annotations

import codecs
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from unicodedata import category, normalize

from tokenizers import Tokenizer

from model.errors import WeightsDamaged

IMAGE = "<image>"
LAYOUT = "\n\t"  # the control characters that are text
FIRST_MARK = "\u0300"  # no sign before it joins
JAMO = range(0x1100, 0x1200)  # Korean letters that join into syllables


class Vocabulary:
    """The tokens of a checkpoint."""

    def __init__(self, path: Path) -> None:
        """Read a `tokenizer.json`.

        Raises:
            WeightsDamaged: it cannot be read, or is no byte-level vocabulary.
        """
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # noqa: BLE001  # the library raises nothing narrower
            raise WeightsDamaged(f"{path.name} cannot be read: {error}") from error
        if "ByteLevel" not in str(self._tokenizer.decoder):
            raise WeightsDamaged(f"{path.name} is no byte-level vocabulary")
        self._bytes: dict[int, bytes] = {}  # of the tokens that came before

    def encode(self, prompt: str, *, image_tokens: int, image_id: int, start_id: int) -> list[int]:
        """A prompt as ids.

        Args:
            prompt: with `<image>` once, where the pages go.
            image_tokens: visual tokens of all pages together.
            image_id: stands for one visual token.
            start_id: goes in front.
        """
        before, _, after = prompt.partition(IMAGE)
        return [start_id, *self._ids(before), *[image_id] * image_tokens, *self._ids(after)]

    def spell(self, text: str) -> list[int]:
        """The ids that write a text."""
        return self._ids(text)

    def bytes_of(self, token: int) -> bytes:
        """What a token stands for; nothing for an id that the vocabulary leaves free."""
        if token not in self._bytes:
            self._bytes[token] = self._spelled(token)
        return self._bytes[token]

    def _spelled(self, token: int) -> bytes:
        if token in self._added:
            return self._added[token]
        spelled = self._tokenizer.id_to_token(token) or ""
        if all(sign in BYTES for sign in spelled):
            return bytes(BYTES[sign] for sign in spelled)
        return spelled.encode()

    def _ids(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids if text else []

    @cached_property
    def _added(self) -> dict[int, bytes]:
        """Tags and markers: spelled as they are, not in the alphabet of bytes."""
        added = self._tokenizer.get_added_tokens_decoder()
        return {token: entry.content.encode() for token, entry in added.items()}


class Shown(NamedTuple):
    """What can be shown now that one more token is known."""

    settled: str  # the last letter of the tokens before, now that nothing can change it
    new: str  # of this token


class TextStream:
    """Tokens in, text out, as soon as it can be shown for good."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""  # the last letter: an accent may follow

    def add(self, token: int) -> Shown:
        """Take a token; both texts are often empty."""
        text = self._utf8.decode(self._vocabulary.bytes_of(token))
        if not text.isprintable():  # what is printable is text
            text = "".join(filter(_is_text, text))
        settled = self._held if text and not _joins(text[0]) else ""
        open_text = self._held[len(settled) :] + text
        cut = _last_boundary(open_text)
        self._held = open_text[cut:]
        return Shown(normalize("NFC", settled), normalize("NFC", open_text[:cut]))

    def end(self) -> str:
        """What was held back; a letter cut in two is shown as U+FFFD."""
        rest = self._held + self._utf8.decode(b"", final=True)
        self._held = ""
        return normalize("NFC", rest)


def _last_boundary(text: str) -> int:
    """Where the last letter begins that what follows may still change; white space never does."""
    for place in range(len(text) - 1, -1, -1):
        if text[place] in " \n\t":
            return place + 1
        if not _joins(text[place]):
            return place
    return 0


def _joins(sign: str) -> bool:
    """Whether a sign may melt into the one before it under NFC."""
    return sign >= FIRST_MARK and (category(sign)[0] == "M" or ord(sign) in JAMO)


def _is_text(sign: str) -> bool:
    """Whether a sign may stand in a text: no controls, no non-characters (no XML holds them)."""
    if category(sign) in {"Cc", "Cs"}:
        return sign in LAYOUT
    return ord(sign) & 0xFFFE != 0xFFFE and not 0xFDD0 <= ord(sign) <= 0xFDEF


def _byte_alphabet() -> dict[str, int]:
    """The letter by which a byte-level BPE spells each byte.

    Source: GPT-2's `bytes_to_unicode`: printable Latin-1 as it is, the other bytes from U+0100 on.
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {
        chr(0x100 + place): byte for place, byte in enumerate(others)
    }


BYTES = _byte_alphabet()
