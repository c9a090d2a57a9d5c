"""Books in a CBZ or ZIP archive of page images; runs in the decoding child.

Nothing is ever unpacked to disk. What the packing program left behind is passed over; an archive
with names that climb out of it is refused, one that unpacks into more than memory allows loses
that page alone.
"""

from __future__ import annotations

import functools
import io
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from app.errors import SourceError
from app.sources import fingerprints
from app.sources.causes import Undecodable
from app.sources.images import ImagePages, Member, is_image_name
from app.sources.limits import MOST_MEMBER_BYTES, MOST_PAGES, Limits
from app.sources.order import natural_key
from app.sources.values import SourceKind

ARCHIVE_SUFFIXES = frozenset({".cbz", ".zip"})
JUNK_FOLDERS = frozenset({"__MACOSX", "@eaDir", ".git"})
_ENCRYPTED = 0x1


def open_archive(path: Path, limits: Limits) -> ImagePages:
    """The images of an archive in natural order, sub-folders after the files beside them.

    Raises:
        Undecodable: it is no ZIP archive, or holds names that climb out.
        SourceError: `source_empty`, or `source_unsupported` where it is locked.
    """
    archive = _opened(path)
    entries = [each for each in archive.infolist() if each.filename and not each.is_dir()]
    if any(_climbs_out(entry.filename) for entry in entries):
        raise Undecodable("climbs_out")
    pages = sorted(filter(_is_page, entries), key=lambda entry: natural_key(entry.filename))
    if not pages:
        raise SourceError("source_empty")
    if len(pages) > MOST_PAGES:
        raise Undecodable("too_many_pages")
    if any(entry.flag_bits & _ENCRYPTED for entry in pages):
        raise SourceError("source_unsupported", cause="locked_zip")
    members = [
        Member(entry.filename, functools.partial(_unpacked, archive, entry)) for entry in pages
    ]
    return ImagePages(
        SourceKind.CBZ, [path], members, fingerprint=fingerprints.of_file(path), limits=limits
    )


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise Undecodable("not_a_zip") from error


def _is_page(entry: zipfile.ZipInfo) -> bool:
    *folders, name = PurePosixPath(entry.filename).parts
    is_junk = any(folder in JUNK_FOLDERS or folder.startswith(".") for folder in folders)
    return is_image_name(name) and not is_junk


def _climbs_out(name: str) -> bool:
    """Whether the name would leave the folder that it were unpacked into, on any system."""
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in path.parts[0]


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> BinaryIO:
    """One entry in memory; what its header says of its size is not believed."""
    if entry.file_size > MOST_MEMBER_BYTES:
        raise Undecodable("member_too_large")
    try:
        with archive.open(entry) as packed:
            data = packed.read(MOST_MEMBER_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise Undecodable("damaged_image") from error
    if len(data) > MOST_MEMBER_BYTES:
        raise Undecodable("member_too_large")
    return io.BytesIO(data)
