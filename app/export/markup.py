"""Elements of XML or HTML as text. Text that comes here is legal."""

from __future__ import annotations

from collections.abc import Mapping


def escaped(text: str) -> str:
    """Text within an element or an attribute."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;")


def element(name: str, content: str, attributes: Mapping[str, str] = {}) -> str:
    """An element with its content as markup; attributes without a value are left out."""
    given = "".join(f' {key}="{escaped(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{content}</{name}>"


def empty(name: str, attributes: Mapping[str, str]) -> str:
    """An element without content; attributes without a value are left out."""
    given = "".join(f' {key}="{escaped(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}/>"
