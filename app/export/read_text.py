"""HTML, EPUB and plain text read again, by other code than wrote them: their pages and words."""

from __future__ import annotations

import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

from app.export.read_back import Tally

_ANCHOR = re.compile(r"p(\d+)")
_VOID = frozenset({"br", "hr", "img", "link", "meta"})
_WITHIN = frozenset({"a", "em", "span", "strong", "sub", "sup"})
_UNCOUNTED = frozenset({"head", "header", "nav"})
_OPF = "{http://www.idpf.org/2007/opf}"
_PART = 1 << 16


class _WebTally(HTMLParser):
    """Counts while a file is fed to it."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally
        self._text: list[str] = []
        self._skipped: list[str] = []  # elements within one whose words are not the book's

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        page = _ANCHOR.fullmatch(given.get("id") or "")
        if page:
            self._tally.pages.append(int(page[1]) - 1)
        if tag not in _WITHIN:
            self._end_block()
        is_mark = "mark" in (given.get("class") or "").split()
        if tag not in _VOID and (self._skipped or tag in _UNCOUNTED or is_mark):
            self._skipped.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and tag not in _VOID:
            self._skipped.pop()
        if tag not in _WITHIN:
            self._end_block()

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self._text.append(data)

    def close(self) -> None:
        super().close()
        self._end_block()

    def _end_block(self) -> None:
        if self._text:
            self._tally.add_text("".join(self._text))
            self._text.clear()


def read_html(path: Path) -> Tally:
    """Count what the body of an HTML file holds after its header."""
    tally = Tally()
    parser = _WebTally(tally)
    with path.open(encoding="utf-8") as file:
        while part := file.read(_PART):
            parser.feed(part)
    parser.close()
    return tally


def read_epub(path: Path) -> Tally:
    """Count what the chapters of an EPUB hold, as its spine names them."""
    tally = Tally()
    with zipfile.ZipFile(path) as book:
        container = ElementTree.fromstring(book.read("META-INF/container.xml"))
        package = next(each.get("full-path", "") for each in container.iter() if _is_root(each))
        root = ElementTree.fromstring(book.read(package))
        names = {each.get("id"): each.get("href", "") for each in root.iter(f"{_OPF}item")}
        for each in root.iter(f"{_OPF}itemref"):
            name = PurePosixPath(package).with_name(names[each.get("idref")])
            parser = _WebTally(tally)
            parser.feed(book.read(str(name)).decode())
            parser.close()
    return tally


def read_plain(path: Path) -> Tally:
    """Count what a plain text file holds from its first form feed on."""
    tally = Tally()
    scans: list[int] = []
    count = 0
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            begun = line.count("\f")
            if not count and not begun:
                scans = _scans(line) if line.startswith("scans: ") else scans
                continue
            count += begun
            tally.add_text(line)
    tally.pages = scans if len(scans) == count else list(range(count))
    return tally


def _scans(line: str) -> list[int]:
    """The pages, from 0, that a line like "scans: 1-3, 5" names."""
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", line):
        found += range(int(first) - 1, int(last or first))
    return found


def _is_root(element: ElementTree.Element) -> bool:
    return element.tag.endswith("}rootfile")
