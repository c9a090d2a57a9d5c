"""What a Markdown file says of itself: details and provenance as YAML, with pandoc's names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime

from app.export.document import Document
from app.export.survey import Provenance
from app.export.wording import day, engine_name, made_with

# JSON strings are YAML strings but for these, which YAML wants written as escapes.
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def front_matter(document: Document) -> str:
    """The block between the two lines of `---`, both included."""
    lines = "\n".join((*_details(document), *_provenance(document.provenance)))
    return f"---\n{lines}\n---\n"


def _details(document: Document) -> Iterator[str]:
    details = document.details
    named = {
        "title": details.title,
        "author": details.author,
        "date": details.year,
        "shelfmark": details.shelfmark,
        "lang": details.language,
        "script": details.script,
        "dir": details.direction,
        "notes": details.notes,
        "source": ", ".join(document.sources),
    }
    return (f"{name}: {_quoted(text)}" for name, text in named.items() if text)


def _provenance(provenance: Provenance) -> Iterator[str]:
    yield "transcript:"
    yield f"  made-with: {_quoted(made_with())}"
    yield f"  exported: {_quoted(day(datetime.now().astimezone()))}"
    yield f"  pages: {len(provenance.pages)}"
    yield f"  book-pages: {provenance.book_pages}"
    yield "  pages-by-state:"
    yield from (f"    {state}: {count}" for state, count in provenance.states.items())
    yield f"  pages-left-out: {provenance.left_out}"
    yield f"  pages-by-hand: {provenance.by_hand}"
    if provenance.people:
        yield "  people:"
        yield from (f"    {_quoted(name)}: {count}" for name, count in provenance.people.items())
    if provenance.engines:
        yield "  engines:"
        named = {engine_name(engine): count for engine, count in provenance.engines.items()}
        yield from (f"    {_quoted(name)}: {count}" for name, count in named.items())
    if provenance.imports:
        yield "  imported:"
        yield from (f"    {_quoted(name)}: {count}" for name, count in provenance.imports.items())
    if provenance.level is not None:
        yield f"  ocr-d-level: {provenance.level}"
        yield "  rules:" if provenance.rules else "  rules: {}"
        yield from (f"    {_quoted(name)}: {count}" for name, count in provenance.rules.items())
    if provenance.first and provenance.last:
        yield f"  read-from: {_quoted(day(provenance.first))}"
        yield f"  read-to: {_quoted(day(provenance.last))}"


def _quoted(text: str) -> str:
    return _NOT_IN_YAML.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))
