"""Books whose pages are image files: a folder, several files, one image, a TIFF of many pages.

Runs in the decoding child. A page is a `Member`: something that opens as a file, wherever it lies;
archives use the same (`app.sources.archive`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from app.book import Details
from app.errors import SourceError
from app.sources import fingerprints, tiff
from app.sources.decode import decode, read_header, to_raster
from app.sources.jpeg_parts import jpeg_parts
from app.sources.limits import Limits
from app.sources.order import natural_key
from app.sources.scaling import target_of
from app.sources.values import PageInfo, PageParts, PlainPage, Raster, SourceInfo, SourceKind, Word

IMAGE_SUFFIXES = frozenset({
    ".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".tif", ".tiff", ".webp", ".bmp", ".dib",
    ".jp2", ".j2k", ".j2c", ".jpc", ".jpx", ".jpf",
})  # fmt: skip


class Member(NamedTuple):
    """One page's image file."""

    name: str  # shown
    open: Callable[[], BinaryIO]
    frame_at: int | None = None  # offset of the page's directory in a TIFF of several pages


class ImagePages:
    """Pages that are image files; each is opened anew when it is asked for."""

    def __init__(
        self, kind: SourceKind, paths: Sequence[Path], members: Sequence[Member],
        *, fingerprint: str, limits: Limits, labels: Sequence[str] | None = None,
        details: Details | None = None,
    ) -> None:  # fmt: skip
        self._members = members
        self._limits = limits
        self.info = SourceInfo(
            kind=kind,
            paths=tuple(paths),
            page_count=len(members),
            names=tuple(member.name for member in members),
            labels=tuple(labels) if labels else ("",) * len(members),
            fingerprint=fingerprint,
            details=details or Details(),
            has_text_layer=False,
        )

    def page_info(self, page: int) -> PageInfo:
        """See `Pages`."""
        member = self._members[page]
        with member.open() as file, _at_page(file, member) as image_file:
            header = read_header(image_file, self._limits)
            if member.frame_at is None:
                return PageInfo(header.size, fingerprints.of_content(file))
            return PageInfo(header.size, tiff.frame_fingerprint(file, header.image))

    def render(self, page: int, *, fit: tuple[int, int] | None, scale: float) -> Raster:
        """See `Pages`."""
        member = self._members[page]
        with member.open() as file, _at_page(file, member) as image_file:
            header = read_header(image_file, self._limits)
            target = target_of(header.size, fit=fit, scale=scale)
            return to_raster(decode(header, target), target.scale)

    def words(self, page: int) -> list[Word]:
        """Images have none."""
        del page
        return []

    def plain_page(self, page: int) -> PlainPage:
        """Images have none."""
        del page
        return PlainPage()

    def parts(self, page: int, *, archival: bool) -> PageParts | None:
        """See `Pages`; a JPEG is the only image file that a PDF takes as it is."""
        member = self._members[page]
        with member.open() as file, _at_page(file, member) as image_file:
            header = read_header(image_file, self._limits)
            if header.image.format not in ("JPEG", "MPO"):
                return None
            file.seek(0)
            return jpeg_parts(header, file.read(), archival=archival)


def open_folder(folder: Path, limits: Limits) -> ImagePages:
    """The images that lie in a folder, in natural order; all other files are passed over.

    Raises:
        SourceError: `source_empty`.
    """
    files = [path for path in folder.iterdir() if is_image_name(path.name) and path.is_file()]
    return _open_several(sorted(files, key=lambda path: natural_key(path.name)), [folder], limits)


def open_files(files: Sequence[Path], limits: Limits) -> ImagePages:
    """Several image files as one book, in natural order."""
    files = sorted(files, key=lambda path: natural_key(path.as_posix()))
    return _open_several(files, files, limits)


def open_image(path: Path, limits: Limits) -> ImagePages:
    """One image file; a TIFF of several pages is a book of its own kind.

    Raises:
        Undecodable: its content is no image.
    """
    fingerprint = fingerprints.of_file(path)
    members = _members_of(path)
    if len(members) > 1:
        members = [member._replace(name="") for member in members]
        return ImagePages(SourceKind.TIFF, [path], members, fingerprint=fingerprint, limits=limits)
    with members[0].open() as file, contextlib.suppress(SourceError):
        read_header(file, limits)  # a size that is refused is told when the page is asked for
    return ImagePages(SourceKind.IMAGE, [path], members, fingerprint=fingerprint, limits=limits)


def is_image_name(name: str) -> bool:
    """Whether a file in a folder or archive is a page by its name."""
    return not name.startswith(".") and Path(name).suffix.lower() in IMAGE_SUFFIXES


def _open_several(files: Sequence[Path], paths: Sequence[Path], limits: Limits) -> ImagePages:
    if not files:
        raise SourceError("source_empty")
    return ImagePages(
        SourceKind.FOLDER,
        paths,
        [member for path in files for member in _members_of(path)],
        fingerprint=fingerprints.of_files(files),
        limits=limits,
    )


def _members_of(path: Path) -> list[Member]:
    """The file as one page, or as many as a TIFF holds; one that cannot be read fails as a page."""
    offsets = _frames(path)
    if len(offsets) < 2:
        return [Member(path.name, _opener(path))]
    return [
        Member(f"{path.name} ({number})", _opener(path), offset)
        for number, offset in enumerate(offsets, 1)
    ]


def _frames(path: Path) -> list[int]:
    try:
        with path.open("rb") as file:
            return tiff.frame_offsets(file) if tiff.is_tiff(file.read(4)) else []
    except OSError:
        return []


def _opener(path: Path) -> Callable[[], BinaryIO]:
    return lambda: path.open("rb")


def _at_page(file: BinaryIO, member: Member) -> BinaryIO:
    return file if member.frame_at is None else tiff.at_frame(file, member.frame_at)
