"""What the states and reasons of a page are called, for window, command line and exports."""

from __future__ import annotations

from app.book import Page, PageState, Reason
from app.language import N_, _

STATE_WORDS = {
    PageState.UNREAD: N_("unread"),
    PageState.READING: N_("being read"),
    PageState.READ: N_("read"),
    PageState.LOOK: N_("to look at"),
    PageState.FAILED: N_("failed"),
    PageState.BLANK: N_("blank"),
    PageState.PROOFREAD: N_("proofread"),
}

REASON_WORDS = {
    Reason.CAP_REACHED: N_("the text was cut at the limit of a page"),
    Reason.LOOP_CUT: N_("the text began to repeat and was cut"),
    Reason.MISSING_INK: N_("there is print that was not read"),
    Reason.TEXT_WITHOUT_INK: N_("there is text where nothing is printed"),
    Reason.SECTIONS_DIFFER: N_("the engine wrote more or fewer pages than there are"),
    Reason.TOO_SHORT: N_("there is little text for so much print"),
    Reason.TOO_LONG: N_("there is much text for so little print"),
    Reason.DOUBLED_PAGE: N_("the same text stands on another page"),
    Reason.LOW_CONFIDENCE: N_("the engine was unsure"),
    Reason.MAYBE_BLANK: N_("perhaps blank"),
    Reason.STOPPED: N_("the run was stopped on this page"),
}


def state_text(state: PageState) -> str:
    """A state in one or two words."""
    return _(STATE_WORDS[state])


def reason_text(reason: Reason) -> str:
    """Why a page asks for a look, as the end of a sentence."""
    return _(REASON_WORDS[reason])


def page_state_text(page: Page) -> str:
    """A page's state with its reasons: 'to look at: perhaps blank'."""
    reasons = ", ".join(reason_text(reason) for reason in page.reasons)
    return f"{state_text(page.state)}: {reasons}" if reasons else state_text(page.state)
