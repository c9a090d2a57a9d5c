"""XML and HTML from anywhere as a plain tree, read without trusting it.

Nothing is fetched, no entity is expanded but XML's own five, and what is larger or deeper than any
page has reason to be is refused. Names come without their namespace.

Source: Python's `xml.parsers.expat` and `html.parser`; neither opens a file or a connection.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

LARGEST_BYTES = 64 << 20
DEEPEST = 100
MOST_ELEMENTS = 1_000_000
_VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"})


class Unreadable(Exception):
    """The file is not what its name says, or holds what is not taken; says why in plain words."""


def bytes_of(path: Path) -> bytes:
    """What a file holds.

    Raises:
        Unreadable: it is no plain file, too large, or cannot be read.
    """
    try:
        if not path.is_file():
            raise Unreadable("no file")
        if path.stat().st_size > LARGEST_BYTES:
            raise Unreadable("too large")
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from error


def xml_tree(data: bytes) -> Element:
    """The outermost element of an XML file.

    Raises:
        Unreadable: it is not well formed, or declares entities.
    """
    growing = _Growing()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartElementHandler = growing.start
    parser.EndElementHandler = growing.end
    parser.CharacterDataHandler = growing.data
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - the end of the data; expat takes no keyword
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise Unreadable(str(error)) from error
    return growing.close()


def html_tree(data: bytes) -> Element:
    """The outermost element of an HTML file, well formed or not.

    Raises:
        Unreadable: it is no UTF-8, or has no element.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(str(error)) from error
    parser = _Html()
    parser.feed(text)
    parser.close()
    return parser.tree()


class _Growing:
    """A tree while it grows, never higher or larger than a page."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._depth = 0
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > DEEPEST or self._count > MOST_ELEMENTS:
            raise Unreadable("too deep" if self._depth > DEEPEST else "too many elements")
        self._builder.start(_local(name), {_local(key): text for key, text in attributes.items()})

    def end(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(_local(name))

    def data(self, text: str) -> None:
        if self._depth:
            self._builder.data(text)

    def close(self) -> Element:
        root = self._builder.close()
        assert root is not None  # a file without an element is not well formed
        return root


class _Html(HTMLParser):
    """Closes what was left open; everything lies in one outermost element."""

    def __init__(self) -> None:
        super().__init__()
        self._growing = _Growing()
        self._open: list[str] = []
        self._start("document", {})

    def tree(self) -> Element:
        while self._open:
            self._growing.end(self._open.pop())
        return self._growing.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, {name: text or "" for name, text in attrs})
        if tag in _VOID:
            self._growing.end(self._open.pop())

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._start(tag, {name: text or "" for name, text in attrs})
        self._growing.end(self._open.pop())

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open[1:]:
            while self._open[-1] != tag:
                self._growing.end(self._open.pop())
            self._growing.end(self._open.pop())

    def handle_data(self, data: str) -> None:
        self._growing.data(data)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._growing.start(tag, attributes)
        self._open.append(tag)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _refuse(*_said: object) -> int:
    raise Unreadable("it declares entities")
