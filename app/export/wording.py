"""Everything a transcript says that was not printed in the book: page marks, states, provenance.

One place for all formats, in the language of the interface.
"""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import version

from app.book import PageState
from app.export.blocks import (
    Block,
    Editorial,
    Figure,
    Heading,
    Inlines,
    ListBlock,
    Note,
    PageMark,
    PageNote,
    Paragraph,
    Run,
    Table,
)
from app.export.document import PageMarks
from app.export.survey import Provenance
from app.language import _, plural
from app.page_words import reason_text, state_text
from model.api import EngineSource

_FINISHED = {PageState.READ, PageState.PROOFREAD}


def made_with() -> str:
    """The program that wrote the transcript."""
    return f"Incunable {version('incunable')}"


def printed(year: str) -> str:
    """When the book was printed."""
    return _("Printed {year}.").format(year=year)


def page_mark(mark: PageMark, marks: PageMarks) -> str:
    """What is shown where a page begins; "" where nothing is.

    A page without a finished text is shown whatever the choice.
    """
    state = _state(mark)
    if marks == "none" and not state:
        return ""
    scan = str(mark.number + 1)
    if mark.label:
        place = _("p. {label}, scan {scan}").format(label=mark.label, scan=scan)
    else:
        place = _("scan {scan}").format(scan=scan)
    return f"[{place}: {state}]" if state else f"[{place}]"


def is_notice(mark: PageMark) -> bool:
    """Whether the mark says that the page's text is missing or unfinished."""
    return mark.state is not PageState.BLANK and bool(_state(mark))


def _state(mark: PageMark) -> str:
    if mark.is_left_out:
        return _("left out, {state}").format(state=state_text(mark.state))
    if mark.state in _FINISHED:
        return "" if mark.has_text else _("without text")
    details = [reason_text(reason) for reason in mark.reasons]
    if mark.detail:
        details.append(mark.detail)
    return " – ".join([state_text(mark.state), *([", ".join(details)] if details else [])])


def editorial(words: Editorial) -> str:
    """A proofreader's word on the text before it."""
    match words.kind:
        case "gap":
            return _("[gap: {text}]").format(text=words.text) if words.text else _("[gap]")
        case "unclear":
            return f"[?: {words.text}]" if words.text else "[?]"
        case "note":
            return _("[note: {text}]").format(text=words.text) if words.text else _("[note]")


def page_note(note: PageNote) -> str:
    """What the proofreader says of a page as a whole."""
    said = _("[proofreader's note on scan {scan}: {text}]")
    return said.format(scan=note.page + 1, text=note.text)


def loose_note(note: Note) -> str:
    """What stands before a note whose place in the text is not known."""
    return _("[note on scan {scan}]").format(scan=note.page + 1)


def figure() -> str:
    """What stands for a picture."""
    return _("[figure]")


def doubt(score: float) -> str:
    """What is said of a doubtful word."""
    return _("Doubtful: score {score}").format(score=f"{score:.2f}")


def provenance(details: Provenance) -> list[str]:
    """Where the text comes from, one sentence a line."""
    lines = [_("Transcript of {pages}.").format(pages=_extent(details))]
    lines.append(_("Pages by state: {states}.").format(states=_states(details)))
    lines += [_engine(engine, pages) for engine, pages in details.engines.items()]
    lines += [
        _("Imported from {source}: {pages}.").format(source=source, pages=_pages(pages))
        for source, pages in details.imports.items()
    ]
    if details.by_hand:
        lines.append(
            _("By hand: {pages}.").format(pages=_pages(details.by_hand) + _people(details))
        )
    if details.first and details.last:
        dates = (day(details.first), day(details.last))
        lines.append(_("Readings from {first} to {last}.").format(first=dates[0], last=dates[1]))
    return lines + rules(details)


def rules(details: Provenance) -> list[str]:
    """What a level of transcription changed; nothing where the text is as it was stored."""
    if details.level is None:
        return []
    done = ", ".join(f"{_(name)} {count}" for name, count in details.rules.items())
    said = _("OCR-D transcription level {level}: {rules}.")
    return [said.format(level=details.level, rules=done or _("nothing was changed"))]


def day(when: datetime) -> str:
    """A date as archives write it."""
    return when.date().isoformat()


def engine_name(engine: EngineSource) -> str:
    """Engine, version, mode and checkpoint, as far as they are known."""
    parts = [f"{engine.engine} {engine.version}".strip()]
    parts += [engine.mode] if engine.mode else []
    if engine.checkpoint:
        parts.append(_("checkpoint {hash}").format(hash=engine.checkpoint))
    return ", ".join(parts)


def _engine(engine: EngineSource, pages: int) -> str:
    return _("Read by {engine}: {pages}.").format(engine=engine_name(engine), pages=_pages(pages))


def _extent(details: Provenance) -> str:
    if len(details.pages) == details.book_pages:
        return _pages(details.book_pages)
    return _("{some} of {all} pages").format(some=len(details.pages), all=details.book_pages)


def _pages(count: int) -> str:
    return plural("{n} page", "{n} pages", count)


def _states(details: Provenance) -> str:
    named = [
        f"{state_text(state)} {details.states[state]}"
        for state in PageState
        if state in details.states
    ]
    if details.left_out:
        named.append(_("of these left out {count}").format(count=details.left_out))
    return ", ".join(named)


def _people(details: Provenance) -> str:
    names = ", ".join(f"{name} {pages}" for name, pages in details.people.items())
    return f" ({names})" if names else ""


def shown(inlines: Inlines, marks: PageMarks) -> str:
    """Inlines as the reader of any format sees them, note marks left out."""
    return "".join(_shown(each, marks) for each in inlines)


def _shown(inline: object, marks: PageMarks) -> str:
    match inline:
        case Run():
            return inline.text
        case Editorial():
            return f" {editorial(inline)}"
        case PageMark():
            text = page_mark(inline, marks)
            return f" {text}" if text else ""
        case _:
            return ""


def block_text(block: Block, marks: PageMarks) -> str:
    """A block as the reader of any format sees it; what every writer must have written."""
    match block:
        case PageMark():
            return page_mark(block, marks)
        case Heading() | Paragraph():
            return shown(block.inlines, marks)
        case ListBlock():
            return "\n".join(f"{item.mark} {shown(item.inlines, marks)}" for item in block.items)
        case Table():
            return "\n".join(shown(cell.inlines, marks) for row in block.rows for cell in row)
        case Note():
            text = shown(block.inlines, marks)
            return text if block.is_linked else f"{loose_note(block)} {text}"
        case PageNote():
            return page_note(block)
        case Figure():
            sign = "" if block.picture else figure()
            return f"{sign} {shown(block.inlines, marks)}\n{shown(block.caption, marks)}"
