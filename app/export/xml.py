"""Elements of an XML file in one namespace, made with lxml. Text that comes here is legal."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

etree: Any = import_module("lxml.etree")  # lxml has no types
Element = Any

XSI = "http://www.w3.org/2001/XMLSchema-instance"


def root(name: str, namespace: str, *, schema: str = "", others: Mapping[str, str] = {}) -> Element:
    """The outermost element.

    Args:
        name: without a prefix.
        namespace: the default one of the file.
        schema: where the schema of the namespace is published.
        others: further namespaces by their prefix.
    """
    spaces = {None: namespace, **({"xsi": XSI} if schema else {}), **others}
    made: Element = etree.Element(f"{{{namespace}}}{name}", nsmap=spaces)
    if schema:
        made.set(f"{{{XSI}}}schemaLocation", f"{namespace} {schema}")
    return made


def child(
    parent: Element, name: str, attributes: Mapping[str, str] = {}, text: str | None = None
) -> Element:
    """A new last child in the namespace of its parent; attributes without a value are left out."""
    given = {key: value for key, value in attributes.items() if value}
    space = parent.tag[: parent.tag.index("}") + 1]
    made: Element = etree.SubElement(parent, space + name, given)
    made.text = text
    return made


def number(value: float) -> str:
    """A number as short as can be."""
    return f"{value:.3f}".rstrip("0").rstrip(".") or "0"


def bytes_of(element: Element, *, doctype: str | None = None, indented: bool = True) -> bytes:
    """The whole file; indentation adds white space within every element that has children."""
    if indented:
        etree.indent(element, " ")
    written: bytes = etree.tostring(
        element, xml_declaration=True, encoding="UTF-8", doctype=doctype
    )
    return written + b"\n"
