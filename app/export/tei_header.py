"""What a TEI file says of itself: the book, its text, who read it, by which rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version

from app.export import wording
from app.export.document import Document
from app.export.html import title_of
from app.export.markup import element, escaped
from app.language import _

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


def header(document: Document) -> str:
    """The element `teiHeader`."""
    parts = (_file(document), _encoding(document), _profile(document), _revision(document))
    return element("teiHeader", "\n" + "\n".join(filter(None, parts)) + "\n")


def language_of(document: Document) -> str:
    """The book's language; "und" where nobody said, or no code."""
    given = document.details.language
    return given if _LANGUAGE.fullmatch(given) else "und"


def _file(document: Document) -> str:
    details = document.details
    title = element("title", escaped(title_of(document)))
    author = element("author", escaped(details.author)) if details.author else ""
    statement = element("titleStmt", f"{title}{author}{''.join(_people(document))}")
    count = len(document.provenance.pages)
    extent = element("extent", element("measure", str(count), {"unit": "page"}))
    published = element("publicationStmt", _paragraphs([_("A transcript, not published.")]))
    source = element("sourceDesc", "".join(_source(document)))
    return element("fileDesc", f"\n{statement}\n{extent}\n{published}\n{source}\n")


def _people(document: Document) -> Iterator[str]:
    for name, pages in document.provenance.people.items():
        said = element("resp", escaped(_("corrected {count} pages").format(count=pages)))
        yield element("respStmt", said + element("persName", escaped(name)))


def _source(document: Document) -> Iterator[str]:
    details = document.details
    parts = [element("title", escaped(title_of(document)))]
    parts += [element("author", escaped(details.author))] if details.author else []
    parts += [element("date", escaped(details.year))] if details.year else []
    shelfmark = element("idno", escaped(details.shelfmark), {"type": "shelfmark"})
    parts += [shelfmark] if details.shelfmark else []
    parts += [element("note", escaped(details.notes))] if details.notes else []
    parts += [element("idno", escaped(name), {"type": "scan"}) for name in document.sources if name]
    yield element("bibl", "".join(parts))


def _encoding(document: Document) -> str:
    said = wording.provenance(document.provenance)
    described = element("projectDesc", _paragraphs(said))
    application = element(
        "application",
        element("label", escaped(wording.made_with())),
        {"ident": "Incunable", "version": version("incunable")},
    )
    editing = element("editorialDecl", "".join(_editing(document)))
    return element("encodingDesc", f"\n{described}\n{editing}\n{element('appInfo', application)}\n")


def _editing(document: Document) -> Iterator[str]:
    options = document.options
    if options.join_hyphens:
        hyphens = _("Words broken at a line's end are joined: lb with break='no'.")
        yield element("hyphenation", _paragraphs([hyphens]), {"eol": "some"})
    else:
        hyphens = _("Hyphens at line ends are kept as printed.")
        yield element("hyphenation", _paragraphs([hyphens]), {"eol": "all"})
    heads = (
        _("Running heads, page numbers and footers stand in fw.")
        if options.running_heads
        else _("Running heads, page numbers and footers are left out.")
    )
    rules = wording.rules(document.provenance)
    if rules:
        yield element("normalization", _paragraphs(rules))
    yield _paragraphs([heads])


def _profile(document: Document) -> str:
    name = language_of(document)
    language = element("language", escaped(name), {"ident": name})
    return element("profileDesc", element("langUsage", language))


def _revision(document: Document) -> str:
    today = wording.day(datetime.now().astimezone())
    change = element("change", escaped(wording.made_with()), {"when": today})
    return element("revisionDesc", change)


def _paragraphs(lines: list[str]) -> str:
    return "".join(element("p", escaped(line)) for line in lines)
