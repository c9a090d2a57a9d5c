"""Broken words in plain words: why they are joined as they are, and what a person decided."""

from __future__ import annotations

from app.desk.hyphens import Choice, Why
from app.language import N_, _

REASONS = {
    Why.SOFT: N_("a soft hyphen says that it is one word"),
    Why.JOINED_ELSEWHERE: N_("the book has it in one piece elsewhere"),
    Why.HYPHENED_ELSEWHERE: N_("the book has it with its hyphen elsewhere"),
    Why.SUSPENDED: N_("the hyphen stands for a part said later"),
    Why.COMPOUND: N_("words of this kind keep their hyphen"),
    Why.DIGIT: N_("a number follows"),
    Why.CAPITAL: N_("a capital follows"),
    Why.LOWER_CASE: N_("nothing speaks against one word"),
    Why.DECIDED: N_("you decided so"),
    Why.DECIDED_WORD: N_("you decided so for this word"),
}
CHOICES = {
    Choice.JOIN: N_("join"),
    Choice.KEEP: N_("keep the hyphen"),
    Choice.APART: N_("keep apart"),
}


def reason_of(why: Why) -> str:
    """Why a word is joined as it is."""
    return _(REASONS[why])


def choice_of(choice: Choice) -> str:
    """What a person decided."""
    return _(CHOICES[choice])
