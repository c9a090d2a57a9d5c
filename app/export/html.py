"""A document as one HTML file that needs no other: style within, no script, nothing fetched.

Every page begins with an element `id="p12"`, shown or not, that names the scan and the printed
number.

Source:
    HTML Living Standard; DPUB-ARIA 1.1 for the roles of notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from app.export import wording
from app.export.document import Document
from app.export.markup import element, escaped
from app.export.web_text import STYLE, WebText


def write(document: Document, path: Path) -> None:
    """Write the document.

    Raises:
        OSError: the file cannot be written.
    """
    details = document.details
    text = WebText(document.options.page_marks, direction=details.direction)
    language = f' lang="{escaped(details.language)}"' if details.language else ""
    way = f' dir="{details.direction}"' if details.direction else ""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"<!DOCTYPE html>\n<html{language}{way}>\n<head>\n")
        file.writelines(_head(document))
        file.write(f"</head>\n<body>\n{about(document)}<main>\n")
        file.writelines(map(text.block, document.blocks()))
        file.write("</main>\n</body>\n</html>\n")


def title_of(document: Document) -> str:
    """The title, or the name of the scan."""
    return document.details.title or ", ".join(document.sources) or wording.made_with()


def about(document: Document) -> str:
    """What the file says of the book and of its own text."""
    details = document.details
    lines = [element("p", escaped(title_of(document)), {"class": "title"})]
    said = (details.author, details.year and wording.printed(details.year), details.shelfmark)
    said = (*said, details.notes, ", ".join(document.sources))
    lines += [element("p", escaped(each)) for each in said if each]
    lines += [element("p", escaped(each)) for each in wording.provenance(document.provenance)]
    lines.append(element("p", escaped(f"{wording.made_with()}, {_today()}")))
    return element("header", "\n" + "".join(f"{line}\n" for line in lines)) + "\n"


def _head(document: Document) -> Iterator[str]:
    details = document.details
    yield '<meta charset="utf-8"/>\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
    named = {
        "generator": wording.made_with(),
        "author": details.author,
        "dcterms.created": details.year,
        "dcterms.identifier": details.shelfmark,
        "dcterms.source": ", ".join(document.sources),
    }
    for name, value in named.items():
        if value:
            yield f'<meta name="{name}" content="{escaped(value)}"/>\n'
    yield f"{element('title', escaped(title_of(document)))}\n"
    yield f"<style>\n{STYLE}</style>\n"


def _today() -> str:
    return wording.day(datetime.now().astimezone())
