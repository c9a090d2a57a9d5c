"""What an export lets a person choose, how it is called, and which formats have a use for it."""

from __future__ import annotations

from typing import NamedTuple

from app.book import PageState
from app.export.format_table import FLOWING
from app.language import N_

LEVELS = {
    0: N_("As it stands in the book"),
    1: N_("OCR-D level 1: for reading and searching"),
    2: N_("OCR-D level 2: as printed, without printers' ligatures"),
    3: N_("OCR-D level 3: every sign as one code point"),
}
TEXT_STATES = (PageState.PROOFREAD, PageState.READ, PageState.LOOK)


class Use(NamedTuple):
    """Which formats have a use for a choice."""

    formats: frozenset[str]
    otherwise: str  # what the other formats do, behind their name and a colon


USES = {
    "join_hyphens": Use(  # PAGE and hOCR have no word for the parts of a word
        frozenset({*FLOWING, "pdf", "pdfa", "alto"}),
        N_("leaves words divided as they are printed"),
    ),
    "running_heads": Use(frozenset(FLOWING), N_("always keeps running heads and page numbers")),
    "doubts": Use(frozenset({"docx", "html", "epub", "tei"}), N_("cannot mark doubtful words")),
    "page_notes": Use(frozenset({*FLOWING, "page"}), N_("has no place for notes on pages")),
    "pictures": Use(frozenset({"html", "epub"}), N_("takes no pictures out of the scan")),
    "page_marks": Use(frozenset(FLOWING), N_("keeps every page by itself")),
}
"""By the names of the choices in `ExportForm.choices()`."""

PAGE_MARKS = {
    "marks": N_("Marks with scan and printed number"),
    "breaks": N_("Each page begins a new page"),
    "none": N_("None, unless a page is unfinished"),
}
