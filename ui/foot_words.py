"""What the line at the foot of the text says of a page, and what it offers to do. Pure."""

from __future__ import annotations

from typing import NamedTuple

from app.book import Page, PageState, Reading, Reason
from app.language import _
from app.page_words import reason_text
from app.rounds import accepted_text, round_text, rounds_of, wants
from app.source_words import source_text


class Foot(NamedTuple):
    """One sentence, and at most one order."""

    text: str = ""
    command: str = ""  # id of `ui.commands`
    order: str = ""  # the words on its button
    warns: bool = False


def foot_of(
    page: Page,
    reading: Reading | None,
    *,
    is_changeable: bool,
    person: str = "",
    rounds: int = 1,
    odd_number: str = "",
) -> Foot:
    """What to say of a page and its current text.

    Args:
        page: as it stands now.
        reading: its text; None where there is none, or it is not loaded yet.
        is_changeable: False for a book that is open elsewhere; nothing is offered then.
        person: who proofreads.
        rounds: how many persons are to go through each page.
        odd_number: what is odd about the printed number; "" where nothing is.
    """
    foot = _foot(page, reading, person, rounds)
    if page.note:
        note = _("note: {note}").format(note=" ".join(page.note.split()))
        foot = foot._replace(text=f"{foot.text} · {note}")
    if odd_number:
        foot = foot._replace(text=f"{foot.text} · {odd_number}", warns=True)
    return foot if is_changeable else foot._replace(command="", order="")


def _foot(page: Page, reading: Reading | None, person: str, rounds: int) -> Foot:
    number = page.number + 1
    match page.state:
        case PageState.UNREAD:
            text = _("Page {n} has not been read yet.").format(n=number)
            return Foot(text, "read_page", _("Read this page"))
        case PageState.READING:
            return Foot(
                _("Page {n} is being read; it can be edited when that is done.").format(n=number)
            )
        case PageState.FAILED:
            text = _("Page {n} failed: {why}").format(n=number, why=page.failure_detail)
            return Foot(text, "read_page", _("Read it again"), warns=True)
        case PageState.BLANK:
            text = _("Page {n} is blank; there is nothing to read.").format(n=number)
            return Foot(text, "by_hand", _("Type its text"))
        case PageState.LOOK:
            return _look(page)
        case PageState.READ:
            return Foot(_by(reading), "accept", _("Accept as proofread"))
        case PageState.PROOFREAD:
            return _proofread(page, reading, person, rounds)


def _proofread(page: Page, reading: Reading | None, person: str, rounds: int) -> Foot:
    who = accepted_text(page)
    said = _("Proofread ({who})").format(who=who) if who else _("Proofread")
    parts = (said, round_text(page, rounds=rounds), _by(reading))
    text = " · ".join(part for part in parts if part)
    if not wants(page, person, rounds=rounds):
        return Foot(text)
    return Foot(text, "accept", _("Accept, round {n}").format(n=rounds_of(page) + 1))


def _look(page: Page) -> Foot:
    reasons = ", ".join(reason_text(reason) for reason in page.reasons)
    text = _("To look at: {reasons}").format(reasons=reasons)
    if page.reasons == (Reason.MAYBE_BLANK,):
        return Foot(text, "mark_blank", _("It is blank"), warns=True)
    if Reason.STOPPED in page.reasons:
        return Foot(text, "read_page", _("Read it again"), warns=True)
    return Foot(text, "accept", _("Accept as proofread"), warns=True)


def _by(reading: Reading | None) -> str:
    return source_text(reading.source) if reading is not None else ""
