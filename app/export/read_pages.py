"""A folder of page files read again, by other code than wrote it: its pages and its words.

Goes by the METS file alone: a page that it does not name is a page that a reader does not find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from app.export.read_back import Tally

_METS = "{http://www.loc.gov/METS/}"
_HREF = "{http://www.w3.org/1999/xlink}href"

Words = Callable[[Path], Iterator[str]]


def read_folder(folder: Path, words: Words) -> Tally:
    """Count what the files hold that the METS file points to."""
    tally = Tally()
    mets = ElementTree.parse(folder / "mets.xml").getroot()
    names = {
        file.get("ID", ""): unquote(place.get(_HREF, ""))
        for file in mets.iter(f"{_METS}file")
        for place in file.iter(f"{_METS}FLocat")
    }
    for page in mets.iter(f"{_METS}div"):
        if page.get("TYPE") != "page":
            continue
        tally.pages.append(int(page.get("ORDER", "0")) - 1)
        pointer = page.find(f"{_METS}fptr")
        assert pointer is not None
        for word in words(folder / names[pointer.get("FILEID", "")]):
            tally.add_text(word)
    return tally


def alto_words(path: Path) -> Iterator[str]:
    """The strings of an ALTO file."""
    return (element.get("CONTENT", "") for element in _elements(path, "String"))


def page_words(path: Path) -> Iterator[str]:
    """The words of a PAGE file, their first text each."""
    for word in _elements(path, "Word"):
        yield next((part.text or "" for part in word.iter() if _name(part) == "Unicode"), "")


def hocr_words(path: Path) -> Iterator[str]:
    """The words of an hOCR file."""
    for element in _elements(path, "span"):
        if element.get("class") == "ocrx_word":
            yield "".join(element.itertext())


def _elements(path: Path, name: str) -> Iterator[ElementTree.Element]:
    return (each for each in ElementTree.parse(path).iter() if _name(each) == name)


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
