"""What an export lets a person choose, and how it is called."""

from __future__ import annotations

from app.book import PageState
from app.language import N_

LEVELS = {
    0: N_("As it stands in the book"),
    1: N_("OCR-D level 1: for reading and searching"),
    2: N_("OCR-D level 2: as printed, without printers' ligatures"),
    3: N_("OCR-D level 3: every sign as one code point"),
}
TEXT_STATES = (PageState.PROOFREAD, PageState.READ, PageState.LOOK)
PICTURING = frozenset({"html", "epub"})
"""Formats that can show pictures out of the scan."""

DOUBTING = frozenset({"docx", "html", "epub", "tei"})
"""Formats in which a doubtful word can be marked without being changed."""

NOTING = frozenset({"markdown", "docx", "html", "epub", "text", "tei", "page"})
"""Formats with a place for what a proofreader says of a page."""

PAGE_MARKS = {
    "marks": N_("Marks with scan and printed number"),
    "breaks": N_("Each page begins a new page"),
    "none": N_("None, unless a page is unfinished"),
}
