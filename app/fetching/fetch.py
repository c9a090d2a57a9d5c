"""Fetches the images of a book one after the other into a folder, and writes a METS file for them.

What has arrived stays: an image is written under another name and renamed when it is whole, so a
fetch that was stopped goes on where it was. Only http and https are spoken, also when a server
sends us on; sizes and times are limited, and a server that asks to wait is waited for.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import urlsplit

from app.errors import SourceError
from app.fetching.manifest import Canvas, Manifest, manifest_of
from app.fetching.record import write_record
from model.api import Stop

AGENT = "Incunable (a desktop program; one image at a time)"
MANIFEST_BYTES = 64 << 20
IMAGE_BYTES = 1 << 30
TIMEOUT_S = 60.0
TRIES = 3
LONGEST_WAIT_S = 60.0
BUSY = {429, 502, 503, 504}
PART = 1 << 20
SUFFIXES = {"image/jpeg": ".jpg", "image/png": ".png", "image/tiff": ".tif", "image/jp2": ".jp2"}
RECORD_NAME = "book.mets"

Tell = Callable[[int, int], None]
_FAILURES = (urllib.error.URLError, http.client.HTTPException, OSError, ValueError)


class _Answer(NamedTuple):
    """A server's answer, to be read."""

    body: BinaryIO
    kind: str
    length: int | None  # bytes, None where it is not said


def look_at(address: str) -> Manifest:
    """Read a manifest, from an address or from a file.

    Raises:
        SourceError: `fetch_failed`, `manifest_wrong`, `source_missing`.
    """
    if not _is_address(address):
        path = Path(address).expanduser()
        try:
            return manifest_of(path.read_bytes(), address=path.absolute().as_uri())
        except FileNotFoundError as error:
            raise SourceError("source_missing", name=path.name) from error
        except OSError as error:
            raise _failed(address, error) from error
    with _asked(address) as body:
        return manifest_of(_read(address, body.body, MANIFEST_BYTES), address=address)


def fetch(manifest: Manifest, folder: Path, *, tell: Tell, stop: Stop) -> Path | None:
    """Fetch all images that are not there yet.

    Args:
        manifest: the book.
        folder: where its images go; made if it is not there.
        tell: called with images that are there and images in all.
        stop: asked when the person gave up.

    Returns:
        The METS file, to be opened as a book; None when it was stopped.

    Raises:
        SourceError: `fetch_failed` or `fetch_unwritable`; what has arrived stays.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names: list[str] = []
        for number, canvas in enumerate(manifest.canvases, 1):
            if stop.asked:
                return None
            names.append(_image(canvas, folder, number, stop))
            tell(number, len(manifest.canvases))
        record = folder / RECORD_NAME
        write_record(record, manifest, names)
    except _Stopped:
        return None
    except OSError as error:
        detail = error.strerror or str(error)
        raise SourceError("fetch_unwritable", folder=str(folder), detail=detail) from error
    return record


def folder_for(manifest: Manifest, address: str, *, below: Path) -> Path:
    """The folder of a book: told by its address, named after its title."""
    title = re.sub(r"[^\w]+", "-", manifest.title).strip("-")[:60] or "book"
    return below / f"{title}-{hashlib.sha256(address.encode()).hexdigest()[:8]}"


class _Stopped(Exception):
    """The person gave up."""


class _HttpOnly(urllib.request.HTTPRedirectHandler):
    """Is sent on to web addresses only."""

    def redirect_request(  # noqa: PLR0913 - as the library calls it
        self,
        req: urllib.request.Request,
        fp: object,
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not _is_address(newurl):
            raise ValueError(f"the server sends on to {newurl[:80]}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # pyright: ignore[reportArgumentType]  # the library's own stub is wider


def _image(canvas: Canvas, folder: Path, number: int, stop: Stop) -> str:
    """The name of a page's image, fetched if it is not there."""
    known = [*folder.glob(f"{number:05}.*")]
    whole = [path.name for path in known if path.suffix in SUFFIXES.values()]
    if whole:
        return whole[0]
    if not _is_address(canvas.address):
        raise SourceError("fetch_failed", address=canvas.address, detail="no web address")
    with _asked(canvas.address) as answer:
        suffix = SUFFIXES.get(answer.kind)
        if suffix is None:
            detail = answer.kind or "no type"
            raise SourceError("fetch_failed", address=canvas.address, detail=detail)
        part = folder / f"{number:05}.part"
        _write(canvas.address, answer, part, stop)
        part.replace(folder / f"{number:05}{suffix}")
    return f"{number:05}{suffix}"


def _write(address: str, answer: _Answer, part: Path, stop: Stop) -> None:
    count = 0
    with part.open("wb") as file:
        while data := _some(address, answer.body):
            if stop.asked:
                raise _Stopped
            file.write(data)
            count += len(data)
            if count > IMAGE_BYTES:
                raise SourceError("fetch_failed", address=address, detail="over 1 GB")
        file.flush()
        os.fsync(file.fileno())
    if answer.length not in (None, count):
        detail = f"{count} of {answer.length} bytes"
        raise SourceError("fetch_failed", address=address, detail=detail)


class _asked:  # noqa: N801 - a context manager, used as a word
    """The answer to one request; a server that is busy is asked again after a while."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._response: http.client.HTTPResponse | None = None

    def __enter__(self) -> _Answer:
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
            _HttpOnly(),
        ):
            opener.add_handler(handler)
        request = urllib.request.Request(self._address, headers={"User-Agent": AGENT})
        self._response = self._tried(opener, request)
        headers = self._response.headers
        length = headers.get("Content-Length", "")
        return _Answer(
            self._response,  # pyright: ignore[reportArgumentType]  # it reads as a file does
            headers.get_content_type(),
            int(length) if length.isdecimal() else None,
        )

    def __exit__(self, *_: object) -> None:
        if self._response is not None:
            self._response.close()

    def _tried(
        self, opener: urllib.request.OpenerDirector, request: urllib.request.Request
    ) -> http.client.HTTPResponse:
        for tried in range(1, TRIES + 1):
            try:
                return opener.open(request, timeout=TIMEOUT_S)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in BUSY or tried == TRIES:
                    raise _failed(self._address, error) from error
                time.sleep(_wait_s(error.headers.get("Retry-After", ""), tried))
            except _FAILURES as error:
                raise _failed(self._address, error) from error
        raise AssertionError("the last try returns or raises")


def _wait_s(asked: str, tried: int) -> float:
    return min(LONGEST_WAIT_S, float(asked) if asked.isdecimal() else 2.0**tried)


def _read(address: str, body: BinaryIO, most: int) -> bytes:
    found = b""
    while data := _some(address, body):
        found += data
        if len(found) > most:
            raise SourceError("fetch_failed", address=address, detail="too large")
    return found


def _some(address: str, body: BinaryIO) -> bytes:
    try:
        return body.read(PART)
    except _FAILURES as error:
        raise _failed(address, error) from error


def _failed(address: str, error: Exception) -> SourceError:
    detail = str(getattr(error, "reason", None) or error)
    if isinstance(error, urllib.error.HTTPError):
        detail = f"{error.code} {detail}"
    return SourceError("fetch_failed", address=address, detail=detail)


def _is_address(text: str) -> bool:
    where = urlsplit(text)
    return where.scheme in {"http", "https"} and bool(where.netloc)
