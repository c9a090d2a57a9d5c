"""The decoding child, started by `app.sources.process`: it alone opens untrusted files.

It reads orders from its standard input and answers each on its standard output, one at a time,
until the input ends. It imports no Qt and no torch, opens no network connection, and cannot write
a file; where the kernel can see to that, it does (`app.sources.walls`).
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from app.errors import SourceError
from app.sources import frames, limits
from app.sources.causes import Undecodable, of_os_error
from app.sources.limits import Limits
from app.sources.opening import open_pages
from app.sources.parts import message_of
from app.sources.values import Pages
from app.sources.walls import wall_in

Answer = frames.Message


class Child:
    """Answers orders about one source."""

    def __init__(self) -> None:
        self._limits = Limits()
        self._paths: Sequence[Path] = ()
        self._pages: Pages | None = None

    def serve(self, orders: BinaryIO, answers: BinaryIO) -> None:
        """Answer until there are no more orders."""
        while order := frames.read(orders):
            with limits.alarm(self._limits), limits.while_wanted(orders.fileno()):
                answer = self._answered(order.header)
            frames.write(answers, answer.header, answer.data)
            del answer  # a page may be large, the next order far off

    def _answered(self, order: dict[str, Any]) -> Answer:
        """The answer, or what went wrong: decoders fed with bad files raise nearly anything."""
        try:
            return self._obey(order)
        except SourceError as error:
            return _refusal(error.code, **error.parameters)
        except Undecodable as error:
            return _refusal("undecodable", cause=error.cause)
        except FileNotFoundError as error:
            return _refusal("source_missing", name=Path(str(error.filename)).name)
        except OSError as error:
            return _refusal("source_unreadable", cause=of_os_error(error))
        except MemoryError:
            return _refusal("undecodable", cause="no_memory")
        except Exception as error:  # noqa: BLE001 - the one place of this process that catches all
            said = f"{type(error).__name__}: {error}"
            return _refusal("undecodable", cause="", said=said, trace=traceback.format_exc())

    def _obey(self, order: dict[str, Any]) -> Answer:
        match order:
            case {"do": "open"}:
                return self._open(order)
            case {"do": "page_info", "page": int(page)}:
                return Answer(asdict(self._opened.page_info(page)))
            case {"do": "render", "page": int(page), "fit": fit, "scale": float(scale)}:
                raster = asdict(self._opened.render(page, fit=fit and tuple(fit), scale=scale))
                return Answer(raster, raster.pop("data"))
            case {"do": "words", "page": int(page)}:
                return Answer({"words": self._opened.words(page)})
            case {"do": "parts", "page": int(page), "archival": bool(archival)}:
                return message_of(self._opened.parts(page, archival=archival))
            case {"do": "plain_page", "page": int(page)}:
                return Answer(self._opened.plain_page(page)._asdict())
            case _:
                raise AssertionError(f"an order that nobody gives: {order}")

    def _open(self, order: dict[str, Any]) -> Answer:
        self._limits = Limits(**order["limits"])
        limits.confine(self._limits)
        self._paths = [Path(path) for path in order["paths"]]
        self._pages = open_pages(self._paths, password=order["password"], limits=self._limits)
        info = asdict(self._pages.info)
        return Answer({**info, "paths": [os.fspath(path) for path in self._pages.info.paths]})

    @property
    def _opened(self) -> Pages:
        assert self._pages is not None, "the first order is to open"
        return self._pages


def _refusal(code: str, **parameters: str | float) -> Answer:
    return Answer({"refused": code, "parameters": parameters})


def main() -> None:
    """Serve the parent; what libraries print must not get into the answers."""
    wall_in()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(BrokenPipeError, frames.BrokenFrame):  # the parent is gone
        Child().serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
