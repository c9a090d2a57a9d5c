"""Writes the METS file by which fetched images are opened as one book (`app.sources.mets`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from app.export.clean import legal_line
from app.fetching.manifest import Manifest

METS = "http://www.loc.gov/METS/"
MODS = "http://www.loc.gov/mods/v3"
XLINK = "http://www.w3.org/1999/xlink"
SPACES = {"mets": METS, "mods": MODS, "xlink": XLINK}


def write_record(path: Path, manifest: Manifest, names: Sequence[str]) -> None:
    """Write the file in one step.

    Args:
        path: the file to be.
        manifest: the book.
        names: of the image files beside it, one for each canvas.
    """
    for prefix, space in SPACES.items():
        ElementTree.register_namespace(prefix, space)
    root = ElementTree.Element(f"{{{METS}}}mets")
    _add_title(root, manifest)
    files = _inside(_inside(root, "fileSec"), "fileGrp", USE="MAX")
    pages = _inside(_inside(root, "structMap", TYPE="PHYSICAL"), "div", TYPE="physSequence")
    for number, (canvas, name) in enumerate(zip(manifest.canvases, names, strict=True), 1):
        file = _inside(files, "file", ID=f"I{number}")
        place = {"LOCTYPE": "URL", f"{{{XLINK}}}href": name}
        ElementTree.SubElement(file, f"{{{METS}}}FLocat", place)
        label = legal_line(canvas.label)
        page = _inside(pages, "div", TYPE="page", ORDER=str(number), ORDERLABEL=label)
        _inside(page, "fptr", FILEID=f"I{number}")
    new = path.with_suffix(".new")
    ElementTree.ElementTree(root).write(new, encoding="utf-8", xml_declaration=True)
    new.replace(path)


def _add_title(root: ElementTree.Element, manifest: Manifest) -> None:
    data = _inside(root, "dmdSec", ID="D")
    record = _inside(_inside(data, "mdWrap", MDTYPE="MODS"), "xmlData")
    mods = ElementTree.SubElement(record, f"{{{MODS}}}mods")
    info = ElementTree.SubElement(mods, f"{{{MODS}}}titleInfo")
    ElementTree.SubElement(info, f"{{{MODS}}}title").text = legal_line(manifest.title)
    rights = ElementTree.SubElement(mods, f"{{{MODS}}}accessCondition")
    rights.text = legal_line(manifest.rights)


def _inside(parent: ElementTree.Element, name: str, **said: str) -> ElementTree.Element:
    return ElementTree.SubElement(parent, f"{{{METS}}}{name}", said)
