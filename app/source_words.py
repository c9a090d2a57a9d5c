"""Whose reading it is, in words. Pure, any thread."""

from __future__ import annotations

from app.book import Source
from app.desk.part import part_read
from app.language import _
from app.run_view import engine_text


def source_text(source: Source) -> str:
    """Who read: 'by hand, A. Reader', 'Line reader · processor', 'from the pdf text layer'."""
    if source.by == "hand":
        return (
            _("by hand, {person}").format(person=source.person) if source.person else _("by hand")
        )
    if source.imported_from:
        return _("from the {origin}").format(origin=source.imported_from)
    words = engine_text(source.engine) or _("a machine")
    if source.engine is not None and part_read(source.engine) is not None:
        words = _("{engine}, a part of the page").format(engine=words)
    mode = source.engine.mode if source.engine else ""
    return _("{engine}, mode {mode}").format(engine=words, mode=mode) if mode else words


def source_details(source: Source) -> str:
    """What else is known of a machine's reading: version, checkpoint, number format."""
    engine = source.engine
    if engine is None:
        return ""
    parts = [
        _("version {version}").format(version=engine.version) if engine.version else "",
        _("checkpoint {hash}").format(hash=engine.checkpoint) if engine.checkpoint else "",
        engine.dtype,
    ]
    return ", ".join(part for part in parts if part)
