"""Pages of a PDF that are images and nothing else, taken apart; runs in the decoding child.

That a page is so is read from its drawing orders: images, their places and clips that cut nothing
off; a text that nobody sees (an old text layer) is left out. A page with any other order is not
taken apart, and is drawn instead. Images are taken as they lie in the file, never decoded.

Source: ISO 32000-1, 7.8.2 (content streams), 8.3 (coordinates), 8.9 (images).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from app.sources.mupdf import Document, Page, mupdf, raw_stream
from app.sources.pdf_page import Matrix, kinds_drawn
from app.sources.pdf_places import Area, outline, rectangle, times
from app.sources.values import PageParts, PartPlace, PdfObject

_TOKEN = re.compile(
    rb"%[^\r\n]*|(?P<string>\()|<(?![<])[0-9A-Fa-f\s]*>|<<|>>|[\[\]]|/[^\s()<>\[\]{}/%]*"
    rb"|[^\s()<>\[\]{}/%]+"
)
_STRING_PART = re.compile(rb"\\.|[()]|[^\\()]+", re.DOTALL)
_REFERENCE = re.compile(rb"(\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>)|(\d+) (\d+) R".decode())
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)")
_IDENTITY = Matrix(1, 0, 0, 1, 0, 0)
_HARMLESS = {b"BMC", b"BDC", b"EMC", b"MP", b"DP", b"i", b"ri", b"w", b"J", b"j", b"M", b"d"}
_PAINTS = {b"g": 1, b"rg": 3, b"k": 4}  # colours of a stencil, and how many numbers they take
_KEYS = (
    "Width", "Height", "ColorSpace", "BitsPerComponent", "Intent", "ImageMask", "Mask", "Decode",
    "Interpolate", "SMask", "SMaskInData", "Filter", "DecodeParms",
)  # fmt: skip
_DROPPED = re.compile(r"/(Length|Metadata|StructParents?)\b\s*(\d+ \d+ R|\d+)")
_ARCHIVAL_FILTERS = re.compile(
    r"/(DCTDecode|FlateDecode|CCITTFaxDecode|JBIG2Decode|RunLengthDecode)"
)
_MOST_DEPTH = 6


class _Strange(Exception):
    """The page has an order that is not taken apart."""


class _State(NamedTuple):
    """What `q` keeps and `Q` brings back."""

    matrix: Matrix = _IDENTITY
    paint: str = "0 g"
    clip: Area | None = None


class _Drawn(NamedTuple):
    """An image as it is drawn, in the page's own coordinates."""

    xref: int
    matrix: Matrix
    paint: str


def pdf_parts(page: Page, *, archival: bool) -> PageParts | None:
    """Take a page apart; None where it is more than images.

    Args:
        page: of an open document.
        archival: only images that PDF/A-2 allows beside an output intent of sRGB.
    """
    if page.first_annot or page.first_widget or _has_unit(page):
        return None
    if {"fill-text", "stroke-text"} & set(kinds_drawn(page)):
        return None
    document = page.parent
    try:
        names = _names(document, page.xref)
        drawn = list(_drawn(document, page.read_contents(), names, _State(), depth=0))
    except (_Strange, ValueError, RecursionError):
        return None
    if not drawn or (archival and not all(_is_archival(document, each.xref) for each in drawn)):
        return None
    upright = page.transformation_matrix * page.rotation_matrix
    flip = mupdf.Matrix(1, 0, 0, -1, 0, page.rect.height)
    places = tuple(
        PartPlace(each.xref, _six(mupdf.Matrix(*each.matrix) * upright * flip), each.paint)
        for each in drawn
    )
    return PageParts(page.rect.width, page.rect.height, places, tuple(_objects(document, drawn)))


def _has_unit(page: Page) -> bool:
    kind, _value = page.parent.xref_get_key(page.xref, "UserUnit")
    return kind != "null"


def _six(matrix: Any) -> tuple[float, float, float, float, float, float]:  # noqa: ANN401 - MuPDF's
    a, b, c, d, e, f = (round(float(value), 6) for value in matrix)
    return a, b, c, d, e, f


# --- drawing orders -----------------------------------------------------------------------------


def _drawn(
    document: Document, content: bytes, names: dict[bytes, int], state: _State, *, depth: int
) -> Iterator[_Drawn]:
    """Follow the orders of a page, or of a form on it."""
    if depth > _MOST_DEPTH:
        raise _Strange
    stack: list[_State] = []
    given: list[bytes] = []
    area: Area | None = None  # of `re`, until it is used
    in_text = False
    for token in _tokens(content):
        if _is_operand(token):
            given.append(token)
            continue
        if token in (b"BT", b"ET"):
            in_text = token == b"BT"
        elif in_text or token in _HARMLESS:
            pass
        elif token == b"q":
            stack.append(state)
        elif token == b"Q":
            state = stack.pop() if stack else state
        elif token == b"cm":
            state = state._replace(matrix=times(Matrix(*_numbers(given, 6)), state.matrix))
        elif token in _PAINTS:
            numbers = _numbers(given, _PAINTS[token])
            state = state._replace(paint=" ".join(map(_plain, numbers)) + f" {token.decode()}")
        elif token == b"re":
            area = rectangle(_numbers(given, 4), state.matrix)
        elif token in (b"W", b"W*"):
            if area is None:
                raise _Strange  # a clip that is no upright rectangle
            state = state._replace(clip=area.common(state.clip))
        elif token == b"n":
            area = None
        elif token == b"gs":
            _check_settings(document, names, given)
        elif token == b"Do":
            yield from _done(document, _named(names, given), state, depth)
        else:
            raise _Strange(token)
        given = []


def _named(names: dict[bytes, int], given: list[bytes]) -> int:
    xref = names.get(given[-1]) if given else None
    if xref is None:
        raise _Strange
    return xref


def _done(document: Document, xref: int, state: _State, depth: int) -> Iterator[_Drawn]:
    kind = document.xref_get_key(xref, "Subtype")[1]
    if kind == "/Image":
        if state.clip is not None and not state.clip.holds(outline(state.matrix)):
            raise _Strange
        yield _Drawn(xref, state.matrix, state.paint)
        return
    if kind != "/Form" or document.xref_get_key(xref, "Group/S")[1] == "/Transparency":
        raise _Strange
    own, value = document.xref_get_key(xref, "Matrix")
    matrix = Matrix(*map(float, value.strip("[]").split())) if own == "array" else _IDENTITY
    inner = state._replace(matrix=times(matrix, state.matrix))
    content = document.xref_stream(xref) or b""
    names = _names(document, xref)
    yield from _drawn(document, content, names, inner, depth=depth + 1)


def _tokens(content: bytes) -> Iterator[bytes]:
    at = 0
    while found := _TOKEN.search(content, at):
        at = found.end()
        if found["string"]:
            at = _end_of_string(content, at)
            yield b"()"
        elif not found[0].startswith(b"%"):
            yield found[0]


def _end_of_string(content: bytes, at: int) -> int:
    """Behind the parenthesis that closes the one before `at`."""
    depth = 1
    for part in _STRING_PART.finditer(content, at):
        depth += {b"(": 1, b")": -1}.get(part[0], 0)
        if not depth:
            return part.end()
    raise _Strange


def _is_operand(token: bytes) -> bool:
    return (
        token[:1] in b"/<>[]("
        or token in (b"true", b"false", b"null")
        or (_NUMBER.fullmatch(token) is not None)
    )


def _numbers(given: list[bytes], count: int) -> list[float]:
    if len(given) < count:
        raise _Strange
    return [float(each) for each in given[-count:]]


def _plain(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") or "0"


def _check_settings(document: Document, names: dict[bytes, int], given: list[bytes]) -> None:
    """A graphics state may say anything but how colours mix."""
    xref = names.get(b"gs " + given[-1]) if given else None
    if not xref or re.search(r"/(SMask|ca|CA|BM|TR2?|HT)\b", document.xref_object(xref)):
        raise _Strange


def _names(document: Document, xref: int) -> dict[bytes, int]:
    """What the resources of a page or form call their images, forms and graphics states."""
    resources = _value(document, _inherited(document, xref, "Resources"))
    found: dict[bytes, int] = {}
    for kind, before in (("XObject", b""), ("ExtGState", b"gs ")):
        given = re.search(rf"/{kind}\s*(<<[^<>]*>>|\d+ \d+ R)", resources)
        value = _value(document, given[1]) if given else ""
        for name, number in re.findall(r"(/[^\s/<>\[\]()]+)\s*(\d+) \d+ R", value):
            found[before + name.encode()] = int(number)
    return found


def _inherited(document: Document, xref: int, key: str) -> str:
    """A key of an object, or of the nodes of the page tree above it."""
    for _level in range(_MOST_DEPTH):
        kind, value = document.xref_get_key(xref, key)
        if kind != "null":
            return value
        kind, value = document.xref_get_key(xref, "Parent")
        if kind != "xref":
            break
        xref = int(value.split()[0])
    return ""


def _value(document: Document, text: str) -> str:
    """What a text of PDF says, a reference followed."""
    if re.fullmatch(r"\d+ \d+ R", text):
        return document.xref_object(int(text.split()[0]), compressed=True)
    return text


# --- objects ------------------------------------------------------------------------------------


def _objects(document: Document, drawn: list[_Drawn]) -> Iterator[PdfObject]:
    """The images and all that they refer to, each once."""
    images = {each.xref for each in drawn}
    waiting, seen = sorted(images), set(images)
    while waiting:
        xref = waiting.pop()
        text = _image_text(document, xref) if xref in images else _object_text(document, xref)
        data = raw_stream(document, xref) if document.xref_is_stream(xref) else None
        yield PdfObject(xref, text, data)
        needed = {int(match[2]) for match in _REFERENCE.finditer(text) if match[2]} - seen
        seen |= needed
        waiting += sorted(needed)


def _image_text(document: Document, xref: int) -> str:
    values = ((key, document.xref_get_key(xref, key)) for key in _KEYS)
    kept = "".join(f"/{key} {value}" for key, (kind, value) in values if kind != "null")
    return f"<</Type/XObject/Subtype/Image{kept}>>"


def _object_text(document: Document, xref: int) -> str:
    text: str = document.xref_object(xref, compressed=True, ascii=True)
    return _DROPPED.sub("", text)


def _is_archival(document: Document, xref: int) -> bool:
    """Whether PDF/A-2 takes the image; colour spaces are looked at with what they refer to."""
    text = _image_text(document, xref)
    if re.search(r"/(SMask|Mask|SMaskInData)\b|/Interpolate true", text):
        return False
    kind, colours = document.xref_get_key(xref, "ColorSpace")
    if kind == "xref":
        colours = document.xref_object(int(colours.split()[0]), compressed=True)
    for match in _REFERENCE.finditer(colours):
        if match[2]:
            colours += document.xref_object(int(match[2]), compressed=True)
    if re.search(r"/(DeviceCMYK|DeviceN|Separation|Lab|CalRGB|Pattern)\b|/N 4\b", colours):
        return False
    filters = document.xref_get_key(xref, "Filter")[1]
    return len(_ARCHIVAL_FILTERS.findall(filters)) == filters.count("/")
