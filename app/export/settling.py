"""Files and folders that are complete under their name, or are not there.

Written beside the target under a name of their own, made safe on the disk, renamed. A folder is
renamed as a whole; one that is replaced must hold nothing but what an export wrote.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from app.errors import ExportError
from app.export.mets import NAME as METS_NAME
from app.export.mets import NAMESPACE, XLINK


@contextmanager
def unwritable_told(path: Path) -> Generator[None]:
    """Turn what the system refuses into `export_unwritable`."""
    try:
        yield
    except OSError as error:
        detail = error.strerror or str(error)
        raise ExportError("export_unwritable", name=path.name, detail=detail) from error


def refuse_taken(path: Path, *, is_folder: bool, replace: bool) -> None:
    """Refuse a name that is taken, before anything is written.

    Raises:
        ExportError: `export_exists`; `export_folder_foreign` for a folder that may be replaced but
            holds other files than an export's.
    """
    if not path.exists():
        return
    if not replace:
        raise ExportError("export_exists", name=path.name)
    if is_folder and not _is_ours(path):
        raise ExportError("export_folder_foreign", name=path.name)


@contextmanager
def part_beside(path: Path, *, is_folder: bool) -> Generator[Path]:
    """An empty file or folder beside the target; gone afterwards, unless it was renamed."""
    part = path.with_name(f".incunable-{secrets.token_hex(6)}.part")
    if is_folder:
        part.mkdir()
    else:
        part.open("xb").close()
    try:
        yield part
    finally:
        if is_folder:
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)


def settle(part: Path, path: Path, *, replace: bool) -> None:
    """Give the part its name, once its content is safe on the disk."""
    if part.is_dir():
        _settle_folder(part, path, replace=replace)
    else:
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        if replace:
            part.replace(path.resolve())
        else:
            _rename_beside_others(part, path)
    _sync_folder(path.parent)


def _settle_folder(part: Path, path: Path, *, replace: bool) -> None:
    _sync_files(part)
    refuse_taken(path, is_folder=True, replace=replace)
    target = path.resolve()
    if not target.exists():
        part.rename(target)
        return
    old = part.with_suffix(".old")
    target.rename(old)
    try:
        part.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Whether a folder holds what one of our METS files names, and nothing else."""
    if not folder.is_dir():
        return False
    there = {each.name for each in folder.iterdir()}
    return not there or there <= {METS_NAME, *_named_in(folder / METS_NAME)}


def _named_in(mets: Path) -> set[str]:
    try:
        tree = ElementTree.parse(mets)
    except (OSError, ElementTree.ParseError):
        return set()
    return {
        unquote(place.get(f"{{{XLINK}}}href", ""))
        for place in tree.iterfind(
            f".//{{{NAMESPACE}}}fileGrp[@USE='FULLTEXT']/*/{{{NAMESPACE}}}FLocat"
        )
    }


def _rename_beside_others(part: Path, path: Path) -> None:
    """Rename, but never over a file that came meanwhile."""
    try:
        path.hardlink_to(part)
    except FileExistsError as error:
        raise ExportError("export_exists", name=path.name) from error
    except OSError:  # a file system without hard links
        if path.exists():
            raise ExportError("export_exists", name=path.name) from None
        part.rename(path)


def _sync_files(folder: Path) -> None:
    """Make all files of a folder safe at once: a thousand one by one take a minute."""
    if hasattr(os, "sync"):
        os.sync()
        return
    for path in folder.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name as safe as the content, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
