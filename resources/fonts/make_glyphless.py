"""Makes `glyphless.ttf`, the face of text that is searched and selected but never seen.

Its glyphs are empty; number n is (n - 1) * 50 thousandths of an em wide, so that letters of every
script can be given a likely width. `python -m resources.fonts.make_glyphless` makes it anew.
"""

from __future__ import annotations

from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib.tables._g_l_y_f import Glyph

UNITS, STEP, STEPS = 1000, 50, 20
ASCENT, DESCENT = 800, -200
_NEW_YEAR_2024 = 3_786_825_600  # seconds since 1904; any moment, but always the same


def main() -> None:
    """Write the font beside this file."""
    names = [".notdef", *(f"w{step * STEP}" for step in range(STEPS + 1))]
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x20: "w300"})
    builder.setupGlyf({name: Glyph() for name in names})
    widths = [0, *(step * STEP for step in range(STEPS + 1))]
    builder.setupHorizontalMetrics({n: (w, 0) for n, w in zip(names, widths, strict=True)})
    builder.setupHorizontalHeader(ascent=ASCENT, descent=DESCENT)
    builder.setupNameTable({"familyName": "Glyphless", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ASCENT, sTypoDescender=DESCENT, usWinAscent=ASCENT,
                     usWinDescent=-DESCENT)  # fmt: skip
    builder.setupPost(keepGlyphNames=False)
    builder.updateHead(created=_NEW_YEAR_2024, modified=_NEW_YEAR_2024)
    builder.font.recalcTimestamp = False
    builder.save(Path(__file__).with_name("glyphless.ttf"))


if __name__ == "__main__":
    main()
