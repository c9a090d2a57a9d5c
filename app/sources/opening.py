"""Finds out what was given and opens it; runs in the decoding child.

What a file is, is told by its first bytes; its name decides only where these leave a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.errors import SourceError
from app.sources import djvu
from app.sources.archive import ARCHIVE_SUFFIXES, open_archive
from app.sources.causes import Undecodable
from app.sources.images import IMAGE_SUFFIXES, open_files, open_folder, open_image
from app.sources.limits import Limits
from app.sources.values import Pages

_PDF_MARK_WITHIN = 1024  # bytes; writers put other things before it


def open_pages(paths: Sequence[Path], *, password: str | None, limits: Limits) -> Pages:
    """Open one file, one folder, or several image files.

    Raises:
        SourceError: `source_...`, `password_needed`, `password_wrong`.
        Undecodable: the file is damaged; it carries no name yet.
        OSError: the system does not let us read.
    """
    if len(paths) > 1:
        return _open_several(paths, limits)
    path = paths[0]
    if path.is_dir():
        return open_folder(path, limits)
    if not path.is_file():
        path.stat()  # says why, if it is not there
        raise SourceError("source_unreadable", cause="not_a_file")
    return _open_file(path, password, limits)


def _open_several(paths: Sequence[Path], limits: Limits) -> Pages:
    if not all(path.suffix.lower() in IMAGE_SUFFIXES for path in paths):
        raise SourceError("source_mixed")
    return open_files(paths, limits)


def _open_file(path: Path, password: str | None, limits: Limits) -> Pages:
    with path.open("rb") as file:
        head = file.read(_PDF_MARK_WITHIN)
    suffix = path.suffix.lower()
    if not head:
        raise SourceError("source_empty")
    if b"%PDF-" in head or suffix == ".pdf":
        from app.sources.pdf import open_pdf  # takes a fifth of a second that images do not need

        return open_pdf(path, password, limits)
    if suffix in ARCHIVE_SUFFIXES:
        return open_archive(path, limits)
    if head.startswith(djvu.MARK):
        return djvu.open_djvu(path, limits)
    if suffix in {".xml", ".mets"} or b"http://www.loc.gov/METS/" in head:
        from app.sources.mets import open_mets  # XML, which images do not need

        return open_mets(path, limits)
    if head.startswith(b"Rar!"):
        raise SourceError("source_unsupported", cause="rar")
    return _open_image(path, limits)


def _open_image(path: Path, limits: Limits) -> Pages:
    try:
        return open_image(path, limits)
    except Undecodable as error:
        if path.suffix.lower() in IMAGE_SUFFIXES:
            raise
        raise SourceError("source_kind_unknown") from error
