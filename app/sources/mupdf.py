"""MuPDF's Python binding, through one door.

The binding is typed by halves, which would drown real errors; here it is `Any`, and what comes out
of it is narrowed where it enters our own values. Its murmurs are kept to be asked for, not printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import pymupdf

from app.sources.causes import Undecodable

mupdf: Any = pymupdf
Document = Any
Page = Any

_NO_MEMORY = re.compile(r"(m|c|re)alloc .*failed|out of memory")

_T = TypeVar("_T")

mupdf.TOOLS.mupdf_display_errors(False)
mupdf.TOOLS.mupdf_display_warnings(False)


def answering(work: Callable[[], _T]) -> _T:
    """Do work of MuPDF; its errors become `Undecodable`."""
    try:
        return work()
    except (RuntimeError, ValueError, LookupError, TypeError, mupdf.mupdf.FzErrorBase) as error:
        no_memory = _NO_MEMORY.search(str(error))
        raise Undecodable("no_memory" if no_memory else "damaged_page") from error


def raw_stream(document: Document, xref: int) -> bytes:
    """The data of an object as they lie in the file, decrypted; nothing where it has none."""
    return answering(lambda: document.xref_stream_raw(xref)) or b""


def forget() -> None:
    """Empty MuPDF's store: the next page's images are others."""
    mupdf.TOOLS.store_shrink(100)
