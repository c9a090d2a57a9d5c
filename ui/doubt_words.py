"""What is said of a doubt, in plain words. Pure."""

from __future__ import annotations

from app.desk.doubts import Doubt, Why
from app.language import N_, _

WHY_WORDS = {
    Why.UNLIKELY: N_("the engine was unsure"),
    Why.UNKNOWN: N_("in no word list"),
    Why.DISAGREES: N_("another reading differs"),
    Why.ALIKE: N_("looks like another word misread"),
    Why.SHAPE: N_("an odd mixture of signs"),
    Why.DOUBLED: N_("its line stands there twice"),
    Why.SPLIT: N_("oddly divided"),
}


def why_text(doubt: Doubt) -> str:
    """Why a word is doubted, e.g. "the engine was unsure, in no word list"."""
    return ", ".join(_(WHY_WORDS[why]) for why in doubt.why)


def other_text(doubt: Doubt) -> str:
    """What another reading has, on one line; "" where it has nothing else."""
    return " ".join(doubt.other.split())


def listed_text(doubt: Doubt) -> str:
    """What the word lists have, if another reading has not the same; else ""."""
    return doubt.listed if doubt.listed != other_text(doubt) else ""


def offer_text(doubt: Doubt) -> str:
    """What else the word may be, and who says so."""
    other, listed = other_text(doubt), listed_text(doubt)
    parts = [
        _("the other reading has: {other}").format(other=other) if other else "",
        _("the word lists have: {word}").format(word=listed) if listed else "",
    ]
    return " · ".join(part for part in parts if part)


def percent(share: float) -> str:
    """A share in whole per cent."""
    return _("{n} %").format(n=round(100 * share))


def left_text(left: int, *, progress: float, is_building: bool) -> str:
    """How many words are to be asked about, as far as the book is looked through."""
    if not is_building:
        return _("{n} left").format(n=left)
    return _("{n} left so far, {share} of the book looked through").format(
        n=left, share=percent(progress)
    )


def found_text(share: float | None) -> str:
    """How many of the words looked at were wrong; "" before the first."""
    return "" if share is None else _("{share} were errors").format(share=percent(share))


def threshold_text(threshold: float) -> str:
    """From how likely an error on words are asked about."""
    return _("from {share} on").format(share=percent(threshold))
