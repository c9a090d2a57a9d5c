"""Text as Markdown that reads back as the same text, in CommonMark, GFM and pandoc alike.

Escapes more than CommonMark needs: `~ ^ $ { |` and `a)` at a line's start mean something to other
readers. Emphasis becomes HTML where stars would not open or close (next to punctuation).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from app.export.blocks import Styles

_SPECIAL = re.compile(r"[\\`*_\[\]<>~|$^{]|&(?=#?\w+;)")
_LINE_START = re.compile(
    r"""
      (?P<sign>[+=:%-]|\#)
    | (?P<number>
        \((?:\d{1,9}|[A-Za-z]|[IVXLCDM]+|[ivxlcdm]+)(?=\)(?:\s|$))
        | (?:\d{1,9}|[a-z]|[IVXLCDM]{2,}|[ivxlcdm]+)(?=[.)](?:\s|$))
        | [A-Z](?=\)(?:\s|$)|\.$)  # 'B. Smith' is no list to anyone
      )
    """,
    re.VERBOSE,
)
_TAGS = {
    "letter_spaced": ('<span style="letter-spacing: 0.15em">', "</span>"),
    "small_caps": ('<span style="font-variant: small-caps">', "</span>"),
    "superscript": ("<sup>", "</sup>"),
    "subscript": ("<sub>", "</sub>"),
}
_STARS = {"italic": "*", "bold": "**"}
_EMPHASIS = {"italic": ("<em>", "</em>"), "bold": ("<strong>", "</strong>")}


class Beside(NamedTuple):
    """The letters beside a stretch of text as they stand in the file; "" at a line's end."""

    before: str
    after: str


def escaped(text: str) -> str:
    """Text within a line."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def line_start(line: str) -> str:
    """A line of escaped text, so that it begins no list, heading or rule."""
    match = _LINE_START.match(line)
    if not match:
        return line
    at = 0 if match["sign"] else match.end()
    return f"{line[:at]}\\{line[at:]}"


def styled(text: str, styles: Styles, beside: Beside) -> str:
    """Escaped text in a manner; spaces at its ends stay outside."""
    core = text.strip()
    if not core or not styles:
        return text
    lead, trail = text[: text.index(core[0])], text[len(text.rstrip()) :]
    tags = [_TAGS[name] for name in _TAGS if name in styles]
    inner = Beside(
        ">" if tags else (lead or beside.before)[-1:], "<" if tags else (trail or beside.after)[:1]
    )
    core = _emphasised(core, styles, inner)
    for opening, closing in reversed(tags):
        core = f"{opening}{core}{closing}"
    return f"{lead}{core}{trail}"


def _emphasised(core: str, styles: Styles, beside: Beside) -> str:
    names = [name for name in _STARS if name in styles]
    if _can_open(core[0], beside.before) and _can_open(core[-1], beside.after):
        stars = "".join(_STARS[name] for name in names)
        return f"{stars}{core}{stars}"
    for name in names:
        core = _EMPHASIS[name][0] + core + _EMPHASIS[name][1]
    return core


def _can_open(inside: str, outside: str) -> bool:
    """Whether stars between these two letters mark emphasis; true of closing ones as well.

    Source:
        CommonMark 0.31, 6.2: left- and right-flanking delimiter runs; stricter than they are.
    """
    return outside != "*" and (inside.isalnum() or outside == "" or outside.isspace())
