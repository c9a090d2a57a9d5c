"""`Source`: one opened scan, whatever its kind, decoded in a child process.

The parent never looks into an untrusted file. It starts the child, gives orders and checks what
comes back; a page on which the child hangs or crashes fails alone: the next order finds a new
child.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from app.book import Details, PageSize, Region
from app.errors import PasswordNeeded, SourceError
from app.sources.causes import in_words
from app.sources.frames import Message
from app.sources.limits import Limits
from app.sources.parts import parts_of
from app.sources.process import ChildDied, ChildHung, ConfinedChild
from app.sources.text_layer import regions_of
from app.sources.values import (
    PageInfo,
    PageParts,
    Place,
    PlainPage,
    Raster,
    SourceInfo,
    SourceKind,
    Word,
)

__all__ = ["Limits", "PageInfo", "Raster", "Source", "SourceInfo", "SourceKind"]

log = logging.getLogger(__name__)

TRIES = 2  # a child that dies may have been hit by something else than this page


class Source:
    """A PDF, folder, TIFF, archive or image. Belongs to the thread `pages`."""

    info: SourceInfo  # from `start` on

    def __init__(
        self, paths: Sequence[Path], *, password: str | None = None, limits: Limits | None = None
    ) -> None:
        self._paths = tuple(Path(path).absolute() for path in paths)
        self._password = password
        self._limits = limits or Limits()
        self._child: ConfinedChild | None = None
        self._is_closed = False
        self._order: tuple[Place, ...] | None = None  # None: as they lie in the scan
        self._others: dict[Path, Source] = {}  # opened for single images of theirs

    @classmethod
    def open(
        cls, paths: Sequence[Path], *, password: str | None = None, limits: Limits | None = None
    ) -> Self:
        """Open one file, one folder of images, or several image files as one book.

        Raises:
            SourceError: it cannot be opened; says why.
            PasswordNeeded: it is encrypted; `parameters["tried"]` is 1 if a password was given.
        """
        source = cls(paths, password=password, limits=limits)
        source.start()
        return source

    def start(self) -> None:
        """Open what `open` opens; `kill`, from another thread, ends it."""
        try:
            self.info = self._start()
        except ChildHung as error:
            raise self._error("source_damaged", cause="hung") from error
        except ChildDied as error:
            raise self._error("source_damaged", cause="crashed") from error

    def arrange(self, order: Sequence[Place]) -> None:
        """Let page numbers mean these images from now on; from any thread.

        An image of another file is decoded as everything is, by a child of that file's own.
        """
        self._order = tuple(order)

    def page_info(self, page: int) -> PageInfo:
        """Size and fingerprint of a page.

        Raises:
            SourceError: `page_...`, or `source_missing` if the scan is not there any more.
        """
        return _page_info(self._ask(page, {"do": "page_info"}).header)

    def render(
        self, page: int, *, fit: tuple[int, int] | None = None, scale: float = 1.0
    ) -> Raster:
        """The page's pixels at the largest scale up to `scale` that fits into the box.

        Args:
            page: from 0.
            fit: width and height in pixels; None: no box.
            scale: of the master, above 0 and at most 1.

        Raises:
            SourceError: `page_...`, or `source_missing` if the scan is not there any more.
        """
        assert 0 < scale <= 1
        assert fit is None or min(fit) > 0
        return _raster(self._ask(page, {"do": "render", "fit": fit, "scale": float(scale)}))

    def text_layer(self, page: int) -> tuple[Region, ...]:
        """What an old text layer says, in coordinates of the master; () where there is none.

        Raises:
            SourceError: `page_...`, or `source_missing` if the scan is not there any more.
        """
        words = self._ask(page, {"do": "words"}).header["words"]
        return regions_of([Word(*word) for word in words])

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """The page's image data as they lie in the file, for a PDF that takes them over.

        Args:
            page: from 0.
            archival: only what PDF/A-2 allows.

        Returns:
            None where the page is more than images, or they cannot be taken over.

        Raises:
            SourceError: `page_...`, or `source_missing` if the scan is not there any more.
        """
        return parts_of(self._ask(page, {"do": "parts", "archival": archival}))

    def plain_page(self, page: int) -> PlainPage:
        """What a PDF's page says in plain text, and the names by which it is linked to.

        Raises:
            SourceError: `page_...`, or `source_missing` if the file is not there any more.
        """
        answer = self._ask(page, {"do": "plain_page"}).header
        return PlainPage(tuple(map(str, answer["anchors"])), tuple(map(str, answer["words"])))

    @property
    def child_pid(self) -> int | None:
        """The process that decodes at the moment; for measuring memory."""
        return self._child.pid if self._child else None

    def kill(self) -> None:
        """End the decoding that is under way and refuse all that follow; from any thread."""
        self._is_closed = True
        for other in tuple(self._others.values()):
            other.kill()
        if self._child:
            self._child.kill()

    def close(self) -> None:
        """End the child; calling it again does nothing."""
        self._is_closed = True
        for other in self._others.values():
            other.close()
        self._drop_child()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, page: int, order: Mapping[str, Any]) -> Message:
        """Give an order about one page, wherever its image lies."""
        assert page >= 0
        order_of_pages = self._order
        if order_of_pages is None:
            return self._ask_image(page, page, order)
        if page >= len(order_of_pages):
            raise self._error("page_not_in_scan", page)
        place = order_of_pages[page]
        source = self if place.path is None else self._other(place.path)
        return source._ask_image(place.image, page, order)

    def _other(self, path: Path) -> Source:
        """The file of an image that was put into the book."""
        if path not in self._others:
            other = Source([path], limits=self._limits)
            other._is_closed = self._is_closed
            other.start()
            self._others[path] = other
        return self._others[path]

    def _ask_image(self, index: int, page: int, order: Mapping[str, Any]) -> Message:
        """Ask about an image; a child that dies of it is replaced and asked once more."""
        if not 0 <= index < self.info.page_count:  # a page that is kept for its text alone
            raise self._error("page_not_in_scan", page)
        for _try in range(TRIES):
            try:
                answer = self._ready_child().ask(
                    {**order, "page": index}, within_s=self._limits.seconds
                )
            except ChildHung:
                self._drop_child()
                log.info("page %d took too long to decode", page + 1)
                seconds = f"{self._limits.seconds:g}"
                raise self._error("page_timeout", page, seconds=seconds) from None
            except ChildDied:
                self._drop_child()
                log.info("the decoding child died on page %d", page + 1)
                continue
            return self._accepted(answer, page)
        raise self._error("page_undecodable", page, cause="crashed")

    def _ready_child(self) -> ConfinedChild:
        if self._child is None:
            self._start()
        assert self._child is not None
        return self._child

    def _start(self) -> SourceInfo:
        """Start a child and let it open the source; without success there is no child."""
        self._child = ConfinedChild("app.sources.child")
        order = {
            "do": "open",
            "paths": [os.fspath(path) for path in self._paths],
            "password": self._password,
            "limits": asdict(self._limits),
        }
        try:
            if self._is_closed:  # `kill` came before there was this child
                raise ChildDied
            answer = self._child.ask(order, within_s=self._limits.seconds)
            return _source_info(self._accepted(answer))
        except (ChildHung, ChildDied, SourceError):
            self._drop_child()
            raise

    def _accepted(self, answer: Message, page: int | None = None) -> Message:
        """The answer, unless it is a refusal."""
        if "refused" not in answer.header:
            return answer
        code, parameters = answer.header["refused"], dict(answer.header["parameters"])
        if trace := parameters.pop("trace", ""):
            log.warning("a decoder failed in an unknown way:\n%s", trace)
        if code == "undecodable":
            code = "source_damaged" if page is None else "page_undecodable"
        raise self._error(code, page, **parameters)

    def _error(self, code: str, page: int | None = None, **parameters: str | float) -> SourceError:
        """The error for people: name of the source, page as on screen, causes in words."""
        parameters["name"] = _storable(
            str(parameters.get("name") or self._paths[0].name or self._paths[0])
        )
        if page is not None:
            parameters["page"] = page + 1
        if "cause" in parameters:
            cause, said = str(parameters.pop("cause")), str(parameters.pop("said", ""))
            parameters["detail"] = in_words(cause, said)
        if code.startswith("password_"):
            return PasswordNeeded(code, tried=int(code == "password_wrong"), **parameters)
        return SourceError(code, **parameters)

    def _drop_child(self) -> None:
        if self._child:
            self._child.close()
            self._child = None


def _source_info(answer: Message) -> SourceInfo:
    header = answer.header
    return SourceInfo(
        kind=SourceKind(header["kind"]),
        paths=tuple(Path(path) for path in header["paths"]),
        page_count=int(header["page_count"]),
        names=tuple(map(_storable, header["names"])),
        labels=tuple(map(_storable, header["labels"])),
        fingerprint=str(header["fingerprint"]),
        details=Details(**header["details"]),
        has_text_layer=bool(header["has_text_layer"]),
    )


def _page_info(header: Mapping[str, Any]) -> PageInfo:
    return PageInfo(PageSize(*header["size"]), str(header["fingerprint"]))


def _raster(answer: Message) -> Raster:
    raster = Raster(**answer.header, data=answer.data)
    assert len(raster.data) == raster.width_px * raster.height_px * raster.channels
    return raster


def _storable(text: str) -> str:
    """Without the lone surrogates that stand for bytes of a file name in no known encoding."""
    return text.encode(errors="replace").decode()
