"""What the screen calls the kinds of blocks."""

from __future__ import annotations

from app.book import Kind
from app.language import N_

KIND_NAMES = {
    Kind.TITLE: N_("Title"),
    Kind.HEADING: N_("Heading"),
    Kind.TEXT: N_("Text"),
    Kind.LIST: N_("List"),
    Kind.TABLE: N_("Table"),
    Kind.FIGURE: N_("Figure"),
    Kind.CAPTION: N_("Caption"),
    Kind.NOTE: N_("Note"),
    Kind.EQUATION: N_("Formula"),
    Kind.RUNNING_HEAD: N_("Running head"),
    Kind.PAGE_NUMBER: N_("Page number"),
    Kind.FOOTER: N_("Foot line"),
    Kind.OTHER: N_("Other"),
}
