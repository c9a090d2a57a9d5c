"""Cuts the streamed output into text and tags, the same however the stream is cut into pieces.

What is not a whole, well-formed tag of those listed here is text. The end of the stream so far is
held back while it may still become a tag. At the very end a tag that was begun and never ended is
markup that was cut off, and is dropped; a lone "<" or "&" is text. Tags hold ASCII alone and are
short, so no stretch of a book is ever taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

import regex  # for its partial matches: may this still become a tag?

DET = "det"  # <|det|> and <|/det|>: around the label and box of a block
PAGE = "page"  # <PAGE>: another page begins
MARKER = "marker"  # of the vocabulary's other markers, which mean nothing here
LAYOUT = (
    *("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption", "colgroup", "col"),
    *("br", "sup", "sub", "b", "i", "em", "strong", "u"),
)

_VALUE = r"""(?:"[ !#-;=?-~]{0,60}"|'[ -&(-;=?-~]{0,60}'|[^\s"'<>=/&\P{ASCII}]{1,60})"""
_TAG = regex.compile(
    rf"""<(?:
        (?P<page>PAGE)>
      | (?P<image>image)>
      | [|｜](?P<marker>[A-Za-z0-9_/▁-]{{1,40}})[|｜]>
      | (?P<close>/)?(?P<name>(?i:{"|".join(LAYOUT)}))
        (?P<attributes>(?:\ {{1,3}}[A-Za-z-]{{1,16}}={_VALUE}){{0,4}})\ ?/?>
    )""",
    regex.VERBOSE,
)
_SIGN = regex.compile("[<&]")
_ENTITY = regex.compile(r"&(?:#[0-9]{1,6}|#[xX][0-9a-fA-F]{1,5}|[a-zA-Z][a-zA-Z0-9]{1,24});")
_ATTRIBUTE = regex.compile(rf"([A-Za-z-]+)=({_VALUE})")


class Tag(NamedTuple):
    """A tag that is none of the text."""

    name: str  # DET, PAGE, MARKER or one of LAYOUT
    is_close: bool = False
    attributes: tuple[tuple[str, str], ...] = ()  # names in small letters


class Entity(NamedTuple):
    """A character reference of HTML; it counts in tables only."""

    spelled: str
    meant: str


Item = str | Tag | Entity


class Lexer:
    """The stream so far; the items joined are the same for every cutting of the stream."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> list[Item]:
        """What can be told apart now."""
        if not self._held and "<" not in text and "&" not in text:
            return [text] if text else []
        self._held += text
        return list(self._items())

    def end(self) -> list[Item]:
        """What is left at the end of the stream."""
        left, self._held = self._held, ""
        is_text = len(left) == 1 or left.startswith("&")
        return [left] if left and is_text else []

    def _items(self) -> Iterator[Item]:
        text, place = self._held, 0
        while (sign := _next_sign(text, place)) < len(text):
            if place < sign:
                yield text[place:sign]
            found = (_TAG if text[sign] == "<" else _ENTITY).match(text, sign, partial=True)
            if found and found.partial:
                self._held = text[sign:]
                return
            yield _item(found) if found else text[sign]
            place = found.end() if found else sign + 1
        if place < len(text):
            yield text[place:]
        self._held = ""


def _next_sign(text: str, place: int) -> int:
    """Where the next "<" or "&" stands; the length of the text if nowhere."""
    found = _SIGN.search(text, place)
    return found.start() if found else len(text)


def _item(found: regex.Match[str]) -> Item:
    if found.re is _ENTITY:
        return _entity(found.group())
    if found["page"]:
        return Tag(PAGE)
    if found["name"] is None:
        marker = found["marker"] or ""
        is_det = marker.lstrip("/") == DET
        return Tag(DET if is_det else MARKER, is_close=marker.startswith("/"))
    pairs = _ATTRIBUTE.findall(found["attributes"])
    attributes = tuple((name.lower(), value.strip("\"'")) for name, value in pairs)
    return Tag(found["name"].lower(), is_close=bool(found["close"]), attributes=attributes)


def _entity(spelled: str) -> Item:
    meant = unescape(spelled)
    if meant.isspace():
        return Entity(spelled, " ")
    return Entity(spelled, meant if meant.isprintable() else "")
