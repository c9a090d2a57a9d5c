"""IIIF manifests: which images a book has, in which order, and what they are called. Pure.

Of each canvas the image at its full size is wanted: by the Image API where a service is named, else
as it is given. Sources: IIIF Presentation API 2.1 and 3.0, IIIF Image API 2.1 and 3.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast
from urllib.parse import urljoin, urlsplit

from app.errors import SourceError
from app.sources.limits import MOST_PAGES

Json = Mapping[str, Any]
LONGEST_LABEL = 40


class Canvas(NamedTuple):
    """One page."""

    label: str  # printed number or name, "" if there is none
    address: str  # of its image


@dataclass(frozen=True)
class Manifest:
    """One book."""

    title: str
    rights: str  # licence or attribution, as the library says it
    canvases: tuple[Canvas, ...]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The servers that its images lie on."""
        return tuple(sorted({urlsplit(canvas.address).netloc for canvas in self.canvases}))


def manifest_of(data: bytes, *, address: str) -> Manifest:
    """Read a manifest.

    Args:
        data: JSON in UTF-8.
        address: where it came from; relative addresses start there.

    Raises:
        SourceError: `manifest_wrong`: no JSON, no manifest, or one without images.
    """
    try:
        said: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SourceError("manifest_wrong", address=address, cause=str(error)) from error
    raw = _object(said)
    kind = str(raw.get("type") or raw.get("@type") or "")
    if kind not in {"Manifest", "sc:Manifest"}:
        raise SourceError("manifest_wrong", address=address, cause=kind or type(said).__name__)
    canvases = tuple(_canvases(raw, address))[: MOST_PAGES + 1]
    if not canvases or len(canvases) > MOST_PAGES:
        raise SourceError("manifest_wrong", address=address, cause=f"{len(canvases)} images")
    return Manifest(_words(raw.get("label")), _rights(raw), canvases)


def _canvases(raw: Json, address: str) -> Iterator[Canvas]:
    """Version 3 has `items`, version 2 `sequences`; a canvas without an image is passed over."""
    sequences = _objects(raw.get("sequences"))
    inside = sequences[0].get("canvases") if sequences else raw.get("items")
    for canvas in _objects(inside):
        image = _image_of_2(canvas) if sequences else _image_of_3(canvas)
        found = _address(image) if image else ""
        if found:
            label = _words(canvas.get("label"))[:LONGEST_LABEL]
            yield Canvas(label, urljoin(address, found))


def _image_of_2(canvas: Json) -> Json | None:
    images = _objects(canvas.get("images"))
    return _chosen(images[0].get("resource")) if images else None


def _image_of_3(canvas: Json) -> Json | None:
    for page in _objects(canvas.get("items")):
        for annotation in _objects(page.get("items")):
            body = _chosen(annotation.get("body"))
            if body is not None and body.get("type") == "Image":
                return body
    return None


def _chosen(body: object) -> Json | None:
    """An image, or the first that a choice offers."""
    found = _objects(body)
    if not found:
        return None
    kind = found[0].get("type") or found[0].get("@type")
    if kind in {"Choice", "oa:Choice"}:
        return _chosen(found[0].get("items") or found[0].get("default"))
    return found[0]


def _address(image: Json) -> str:
    for service in _objects(image.get("service")):
        base = str(service.get("id") or service.get("@id") or "").rstrip("/")
        if base:
            return f"{base}/full/{_full_size(service)}/0/default.jpg"
    return str(image.get("id") or image.get("@id") or "")


def _full_size(service: Json) -> str:
    """The word for the full size: `max` since version 2.1, and the only one in version 3."""
    says = f"{service.get('type', '')} {service.get('@context', '')} {service.get('profile', '')}"
    return "max" if "ImageService3" in says or "image/3" in says else "full"


def _rights(raw: Json) -> str:
    said = (raw.get("rights"), raw.get("license"), raw.get("attribution"))
    required = _object(raw.get("requiredStatement")).get("value")
    return "; ".join(filter(None, map(_words, (*said, required))))


def _words(value: object) -> str:
    """A text in whatever form the two versions have for one; the first language counts."""
    match value:
        case str():
            return " ".join(value.split())
        case list():
            return _words(cast("list[object]", value)[0]) if value else ""
        case dict():
            said = cast("dict[str, object]", value)
            inside = said.get("@value") or next(iter(said.values()), "")
            return _words(inside) if inside is not value else ""
        case _:
            return ""


def _object(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _objects(value: object) -> list[Json]:
    """The objects of a list; a single one counts as a list of one."""
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    return [cast("Json", each) for each in values if isinstance(each, dict)]
