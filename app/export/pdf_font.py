"""The font of text that is searched and selected and never seen.

Every letter of the book, with the marks that stand on it, gets a code of its own when it first
occurs, and the code a width from the glyphless face. So any script can be written, and what is
copied out again is what was put in. Source: ISO 32000-1, 9.7 and 9.10.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

import resources
from app.export.letter_widths import letter_width
from app.export.pdf_file import PdfFile

ASCENT, DESCENT = 0.8, 0.2  # of the font's size, above and below the line of writing
_UNITS = 1000
_STEP = 50  # thousandths of an em between the widths of two glyphs of the face
_NAME = "INCUNA+Glyphless"
_MOST_CODES = 0xFFFF
_UNKNOWN = "\ufffd"
_AT_ONCE = 100  # entries of one table in a character map
_CLUSTERS = regex.compile(r"\X")


class GlyphlessFont:
    """The letters of one file and their codes."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._widths: list[int] = []  # by code, from 1; thousandths of an em
        self.encode(" ")

    def encode(self, text: str) -> tuple[str, int]:
        """Codes as PDF writes them, and the width in thousandths of an em."""
        codes = [self._code(letter) for letter in clusters(text)]
        width = sum(self._widths[code - 1] for code in codes)
        return "".join(f"{code:04x}" for code in codes), width

    def write(self, file: PdfFile, number: int) -> None:
        """Write the font with all letters that have occurred, under a reserved number."""
        face = resources.path("fonts/glyphless.ttf").read_bytes()
        program = file.add_packed(f"<</Length1 {len(face)}>>", face)
        descriptor = file.add(
            f"<</Type/FontDescriptor/FontName/{_NAME}/Flags 4/FontBBox[0 -200 1000 800]"
            f"/ItalicAngle 0/Ascent {round(ASCENT * _UNITS)}/Descent {-round(DESCENT * _UNITS)}"
            f"/CapHeight 700/StemV 80/FontFile2 {program} 0 R>>"
        )
        glyphs = file.add_packed("<<>>", self._glyphs())
        letters = file.add(
            f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{_NAME}"
            "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
            f"/FontDescriptor {descriptor} 0 R/DW 0/W[1[{' '.join(map(str, self._widths))}]]"
            f"/CIDToGIDMap {glyphs} 0 R>>"
        )
        unicode = file.add_packed("<<>>", "\n".join(self._to_unicode()).encode("ascii"))
        file.add(
            f"<</Type/Font/Subtype/Type0/BaseFont/{_NAME}/Encoding/Identity-H"
            f"/DescendantFonts[{letters} 0 R]/ToUnicode {unicode} 0 R>>",
            number=number,
        )

    def _code(self, letter: str) -> int:
        code = self._codes.get(letter)
        if code is not None:
            return code
        if len(self._codes) >= _MOST_CODES - 1 and letter != _UNKNOWN:
            return self._code(_UNKNOWN)  # noticed when the file is read back
        code = self._codes[letter] = len(self._codes) + 1
        ems = max(map(letter_width, letter)) or 0.5
        self._widths.append(round(ems * _UNITS / _STEP) * _STEP)
        return code

    def _glyphs(self) -> bytes:
        """Which glyph of the face each code is: the one of its width."""
        numbers = (0, *(1 + width // _STEP for width in self._widths))
        return b"".join(number.to_bytes(2, "big") for number in numbers)

    def _to_unicode(self) -> Iterator[str]:
        yield "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap"
        yield "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def"
        yield "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def"
        yield "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange"
        entries = [
            f"<{code:04x}> <{letter.encode('utf-16-be').hex()}>"
            for letter, code in self._codes.items()
        ]
        for start in range(0, len(entries), _AT_ONCE):
            group = entries[start : start + _AT_ONCE]
            yield f"{len(group)} beginbfchar"
            yield from group
            yield "endbfchar"
        yield "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"


def clusters(text: str) -> list[str]:
    """The letters of a text, each with the marks that stand on it."""
    return list(text) if text.isascii() else _CLUSTERS.findall(text)
