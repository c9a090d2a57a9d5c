"""`PageParts` between the decoding child and the rest: what travels, and what is believed of it."""

from __future__ import annotations

from app.sources.frames import Message
from app.sources.values import PageParts, PartPlace, PdfObject


def message_of(parts: PageParts | None) -> Message:
    """The parts as they travel: the streams one after another."""
    if parts is None:
        return Message({"parts": None})
    objects = [
        (each.number, each.text, None if each.data is None else len(each.data))
        for each in parts.objects
    ]
    header = {"size": (parts.width_pt, parts.height_pt), "places": parts.places, "objects": objects}
    return Message({"parts": header}, b"".join(each.data or b"" for each in parts.objects))


def parts_of(message: Message) -> PageParts | None:
    """The parts as they came; raises `ValueError` where the child broke the form."""
    header = message.header["parts"]
    if header is None:
        return None
    width, height = map(float, header["size"])
    objects: list[PdfObject] = []
    at = 0
    for number, text, length in header["objects"]:
        data = None if length is None else message.data[at : at + int(length)]
        at += length or 0
        objects.append(PdfObject(int(number), str(text), data))
    if at != len(message.data):
        raise ValueError("the streams are not as long as was said")
    places = (
        PartPlace(int(number), _matrix(matrix), str(paint))
        for number, matrix, paint in header["places"]
    )
    return PageParts(width, height, tuple(places), tuple(objects))


def _matrix(values: list[float]) -> tuple[float, float, float, float, float, float]:
    a, b, c, d, e, f = map(float, values)
    return a, b, c, d, e, f
