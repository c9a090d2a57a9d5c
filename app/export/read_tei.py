"""A TEI file read again, by other code than wrote it: its page beginnings and its words."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from app.export.read_back import Tally

_TEI = "{http://www.tei-c.org/ns/1.0}"
_ID = "{http://www.w3.org/XML/1998/namespace}id"
_PAGE = re.compile(r"p(\d+)")
_APART = {f"{_TEI}{name}" for name in ("cell", "item", "label", "head", "p", "note", "supplied")}
_BLOCKS = {f"{_TEI}{name}" for name in ("p", "head", "note", "fw", "list", "table", "figure")}


def read_tei(path: Path) -> Tally:
    """Count what the body of a TEI file holds."""
    tally = Tally()
    is_body = False
    depth = 0  # of blocks within blocks
    for event, element in ElementTree.iterparse(path, ("start", "end")):
        if element.tag == f"{_TEI}body":
            is_body = event == "start"
        elif not is_body:
            if event == "end":
                element.clear()
        elif event == "start":
            page = _PAGE.fullmatch(element.get(_ID, ""))
            tally.pages += [int(page[1]) - 1] if page else []
            depth += element.tag in _BLOCKS
        elif element.tag in _BLOCKS:
            depth -= 1
            if not depth:
                tally.add_text(_text(element))
                element.clear()
    return tally


def _text(element: ElementTree.Element) -> str:
    """All text within, without the marks that point to notes."""
    parts = [element.text or ""]
    for child in element:
        apart = " " if child.tag in _APART else ""
        within = "" if child.tag == f"{_TEI}ref" else _text(child)
        parts += (apart, within, apart, child.tail or "")
    return "".join(parts)
