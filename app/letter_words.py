"""What a letter test has shown, in words for window and protocol. Pure."""

from __future__ import annotations

from app.desk.letter_test import LetterTest, claim_of, lower_bound
from app.language import _


def result_text(test: LetterTest) -> str:
    """What an ended test accepts: '96 % of the letters are right'."""
    right, count = test.right, len(test.letters)
    hits = _("{right} of {count} letters were right.").format(right=right, count=count)
    claim = claim_of(right)
    if claim is None:
        said = _("Fewer than 95 % may be right: no claim can be made.")
    else:
        said = _("By the table the claim that {claim} % of the letters are right is accepted.")
    return f"{hits} {said.format(claim=claim)}"


def exact_text(test: LetterTest) -> str:
    """The bound that is computed and not rounded."""
    bound = 100 * lower_bound(test.right, len(test.letters))
    exact = _("Computed exactly, at least {bound} % are right, but for a chance of 2.5 %.")
    return exact.format(bound=f"{int(bound * 100) / 100:.2f}")


def so_far_text(test: LetterTest) -> str:
    """What can still be reached while letters are asked for."""
    best = claim_of(len(test.letters) - test.wrong)
    if best is None:
        return _("95 % cannot be reached any more.")
    return _("At best {claim} % can be reached.").format(claim=best)
