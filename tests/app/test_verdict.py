from __future__ import annotations

import pytest

from app.book import PageState, Reason
from app.desk.concerns import Concern
from app.desk.verdict import Tried, better_of, is_unsure, verdict
from model.api import Block, Kind, PageEnd, PageRead

pytestmark = pytest.mark.unit


def page(text="Es war einmal", *, end=PageEnd.DONE, score: float | None = 0.98):
    return PageRead(0, (Block(Kind.TEXT, text, score=score),) if text else (), end)


def test_text_on_ink_is_read():
    assert verdict(page(), has_ink=True) == (PageState.READ, ())


def test_blank_needs_engine_and_pixels_to_agree():
    assert verdict(page(""), has_ink=False).state is PageState.BLANK
    assert verdict(page(""), has_ink=True) == (PageState.LOOK, (Reason.MAYBE_BLANK,))
    assert verdict(page(), has_ink=False) == (PageState.LOOK, (Reason.MAYBE_BLANK,))


def test_a_picture_without_text_is_no_blank_page():
    plate = PageRead(0, (Block(Kind.FIGURE, ""),))
    assert verdict(plate, has_ink=True).state is PageState.READ


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (PageEnd.CAP, Reason.CAP_REACHED),
        (PageEnd.LOOP, Reason.LOOP_CUT),
        (PageEnd.SECTIONS, Reason.SECTIONS_DIFFER),
        (PageEnd.STOPPED, Reason.STOPPED),
    ],
)
def test_no_page_looks_finished_when_the_engine_was_cut(end, reason):
    assert verdict(page(end=end), has_ink=True) == (PageState.LOOK, (reason,))


def test_an_unsure_page_asks_for_a_look():
    assert Reason.LOW_CONFIDENCE in verdict(page(score=0.4), has_ink=True).reasons


def test_an_engine_without_scores_is_not_called_unsure():
    assert verdict(page(score=None), has_ink=True).state is PageState.READ


def test_an_engine_that_is_surer_of_itself_has_a_higher_limit():
    read = page(score=0.94)
    assert verdict(read, has_ink=True, engine="reader").state is PageState.READ
    assert Reason.LOW_CONFIDENCE in verdict(read, has_ink=True, engine="line-reader").reasons


def test_a_second_reading_pays_where_an_engine_that_guesses_is_unsure():
    assert is_unsure(page(score=0.95), engine="reader")
    assert not is_unsure(page(score=0.99), engine="reader")
    assert not is_unsure(page(score=0.95), engine="line-reader")
    assert not is_unsure(page(score=None), engine="reader")


def test_what_text_and_print_say_asks_for_a_look_but_not_of_a_page_that_was_stopped():
    missing = (Concern(Reason.MISSING_INK), Concern(Reason.MISSING_INK))
    assert verdict(page(), has_ink=True, concerns=missing).reasons == (Reason.MISSING_INK,)
    cut = page(end=PageEnd.STOPPED)
    assert verdict(cut, has_ink=True, concerns=missing).reasons == (Reason.STOPPED,)


def test_the_reading_with_fewer_doubts_is_better_whichever_came_first():
    good, looped = Tried(page(), ()), Tried(page(end=PageEnd.LOOP), (Reason.LOOP_CUT,))
    assert better_of(looped, good) is good
    assert better_of(good, looped) is good


def test_in_a_tie_the_surer_reading_is_better_and_else_the_first():
    first, surer = Tried(page(score=0.7), ()), Tried(page(score=0.9), ())
    assert better_of(first, surer) is surer
    twin = Tried(page(score=0.7), ())
    assert better_of(first, twin) is first
