"""Page preparation through the session: found, decided, taken back; pages put in and taken out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from PIL import Image

from app.answers import Done, Refused
from app.book import PageState
from app.page_orders import kept_tones
from app.page_search import PageLookedAt
from app.pages import Priority
from app.prepare.treatment import Fold, Print, Side, Treatment
from app.preparing import Arranged
from app.sources.values import Raster
from model.api import Block, Box, Kind, PageImage
from model.fake import FakeRecogniser, Script, scripted, sentences
from tests.app.books import make_scan
from tests.app.desk import Desk

pytestmark = pytest.mark.unit

SIZE = (420, 600)


class Keeping(FakeRecogniser):
    """Keeps the images that it is given."""

    def __init__(self, kept: list[PageImage], script: Script = sentences) -> None:
        super().__init__(script)
        self._kept = kept

    def read(self, images, stop, *, mode=None):
        def seen():
            for image in images:
                self._kept.append(image)
                yield image

        return super().read(seen(), stop, mode=mode)


@pytest.fixture
def desk():
    with Desk() as desk:
        yield desk


def arranged(desk: Desk) -> Arranged:
    return desk.wait_for(Arranged)


def texts(desk: Desk) -> list[str]:
    with desk.store.reader() as reader:
        readings = [reading for _page, reading in reader.currents(range(len(desk.book.pages)))]
    return [reading.text.split("\n")[0] if reading else "" for reading in readings]


def image(desk: Desk, page: int) -> Raster:
    assert desk.session.shown is not None
    return desk.session.shown.images.prepared(page, priority=Priority.VISIBLE).result(10)


def names(desk: Desk) -> list[str]:
    return [page.name for page in desk.book.pages]


def test_a_treatment_changes_what_is_shown_and_is_taken_back(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    desk.session.preparing.treat((1,), quarters=1)
    arranged(desk)
    assert (image(desk, 0).width_px, image(desk, 0).height_px) == SIZE
    assert (image(desk, 1).width_px, image(desk, 1).height_px) == (SIZE[1], SIZE[0])
    desk.session.preparing.undo()
    arranged(desk)
    assert not desk.book.pages[1].treatment
    desk.session.preparing.redo()
    arranged(desk)
    assert desk.book.pages[1].treatment == Treatment(quarters=1)


def test_treatments_are_there_when_the_book_is_opened_again(tmp_path):
    scan = make_scan(tmp_path / "scan", 2)
    chosen = Treatment(skew_degrees=1.25, crop=Box(10, 12.5, 400, 580), despeckle=True)
    with Desk() as desk:
        desk.open(scan)
        desk.session.preparing.treat(
            (0,), skew_degrees=1.25, crop=Box(10, 12.5, 400, 580), despeckle=True
        )
        arranged(desk)
    with Desk() as desk:
        desk.open(scan)
        assert desk.book.pages[0].treatment == chosen
        assert not desk.book.pages[1].treatment


def test_the_reader_gets_the_prepared_image_and_blocks_lie_on_the_master(tmp_path):
    read: list[PageImage] = []
    box = Box(10, 20, 110, 40)
    with Desk(lambda: Keeping(read, lambda _page: [scripted(Kind.TEXT, "und", box)])) as desk:
        desk.open(make_scan(tmp_path / "scan", 1))
        desk.session.preparing.treat((0,), crop=Box(30, 50, 400, 580))
        arranged(desk)
        desk.read()
        assert {image.pixels.shape for image in read} == {(530, 370, 3)}
        assert desk.reading(0).regions[0].box == Box(40, 70, 140, 90)
        (shown,) = desk.session.preparing.on_image(0, desk.reading(0).regions)
        assert shown.box == Box(10, 20, 110, 40)


def test_what_a_page_needs_is_found_proposed_and_done_only_when_accepted(desk, tmp_path):
    folder = make_scan(tmp_path / "scan", 2)
    leaning = Image.open(folder / "p2.png").rotate(
        -2.0, fillcolor=238, resample=Image.Resampling.BICUBIC
    )
    leaning.save(folder / "p2.png", dpi=(150, 150))
    desk.open(folder)
    preparing = desk.session.preparing
    preparing.search.find()
    desk.wait_for(PageLookedAt)
    desk.wait_for(PageLookedAt)
    assert preparing.search.progress is None
    assert 1 in preparing.proposed
    proposal = desk.book.pages[1].proposal
    assert proposal is not None
    assert abs(proposal.treatment.skew_degrees - 2.0) < 0.15
    assert not desk.book.pages[1].treatment
    preparing.accept(preparing.proposed)
    arranged(desk)
    assert preparing.proposed == ()
    assert desk.book.pages[1].treatment == proposal.treatment


def test_a_proposal_that_is_turned_down_changes_nothing(desk, tmp_path):
    folder = make_scan(tmp_path / "scan", 1)
    Image.open(folder / "p1.png").rotate(3, fillcolor=238).save(folder / "p1.png")
    desk.open(folder)
    desk.session.preparing.search.find()
    desk.wait_for(PageLookedAt)
    desk.session.preparing.dismiss((0,))
    arranged(desk)
    assert desk.session.preparing.proposed == ()
    assert not desk.book.pages[0].treatment


@pytest.mark.parametrize(("direction", "first"), [("ltr", Side.LEFT), ("rtl", Side.RIGHT)])
def test_a_spread_becomes_two_pages_in_the_order_of_reading(desk, tmp_path, direction, first):
    desk.open(make_scan(tmp_path / "scan", 3))
    desk.session.catalogue.set_details(replace(desk.book.details, direction=direction))
    desk.settle()
    desk.session.preparing.treat((1,), fold=Fold(200, 204))
    arranged(desk)
    sides = [page.treatment.side for page in desk.book.pages]
    other = Side.RIGHT if first is Side.LEFT else Side.LEFT
    assert sides == [Side.WHOLE, first, other, Side.WHOLE]
    assert [page.scan_index for page in desk.book.pages] == [0, 1, 1, 2]
    left = sides.index(Side.LEFT)
    assert image(desk, left).width_px == 204
    assert image(desk, 3).data == image(desk, 3).data


def test_pages_behind_a_split_keep_their_text_and_a_step_back_brings_the_whole_back(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 3))
    desk.read()
    before = texts(desk)
    desk.session.preparing.treat((1,), fold=Fold(200, 200))
    arranged(desk)
    assert [texts(desk)[0], texts(desk)[3]] == [before[0], before[2]]
    desk.session.preparing.undo()
    arranged(desk)
    assert texts(desk) == before
    assert [page.state for page in desk.book.pages] == [PageState.READ] * 3


def test_blocks_of_a_spread_that_was_read_go_to_their_pages(tmp_path):
    def script(_page: int) -> list[Block]:
        left, right = Box(20, 20, 180, 60), Box(220, 20, 400, 60)
        texts_of = {"on the left": left, "on the right": right}
        return [scripted(Kind.TEXT, text, box) for text, box in texts_of.items()]

    with Desk(lambda: FakeRecogniser(script)) as desk:
        desk.open(make_scan(tmp_path / "scan", 1))
        desk.read()
        desk.session.preparing.treat((0,), fold=Fold(200, 200))
        arranged(desk)
        assert texts(desk) == ["on the left", "on the right"]
        assert all(page.state is PageState.READ for page in desk.book.pages)


def test_a_page_taken_out_comes_back_with_its_text(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 3))
    desk.read()
    before = texts(desk)
    desk.session.preparing.remove((0,))
    arranged(desk)
    assert texts(desk) == before[1:]
    assert names(desk) == ["p2.png", "p3.png"]
    desk.session.preparing.undo()
    arranged(desk)
    assert texts(desk) == before


def test_no_order_reaches_another_page_while_pages_are_taken_out(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 3))
    desk.read()
    session = desk.session
    session.preparing.remove((0,))
    assert not session.is_editable(0)
    session.proofs.accept((0, 2))
    session.proofs.undo(2)
    assert not session.runs.start((2,), again=True)
    arranged(desk)
    desk.settle()
    assert PageState.PROOFREAD not in [page.state for page in desk.book.pages]
    assert session.is_editable(0)


def test_a_book_put_away_meanwhile_shows_each_page_with_its_own_text(desk, tmp_path, monkeypatch):
    scan = make_scan(tmp_path / "scan", 3)
    desk.open(scan)
    desk.read()
    for page in range(3):
        desk.session.turn_to(page)
        desk.settle()
    monkeypatch.setattr(desk.session.proofs, "is_unsaved", lambda _book: True)
    desk.session.preparing.move((0,), 1)
    desk.session.close_book()
    arranged(desk)
    desk.open(scan)
    desk.session.turn_to(0)
    desk.settle()
    assert desk.reading(0).text.split("\n")[0] == texts(desk)[0]
    assert "leaf 2" in desk.reading(0).text


def test_time_spent_on_a_page_goes_with_it_when_pages_are_moved(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    desk.settle()
    now = [0.0]
    desk.session.working.clock = lambda: now[0]
    desk.session.working.touch()
    now[0] = 20.0
    desk.session.working.touch()
    desk.session.preparing.move((0,), 1)
    arranged(desk)
    desk.settle()
    with desk.store.reader() as reader:
        assert [(each.page, each.seconds) for each in reader.efforts()] == [(1, 20.0)]


def test_the_last_page_cannot_be_taken_out(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    assert not desk.session.preparing.remove((0, 1))
    assert not desk.session.preparing.is_arranging


def test_pages_are_moved_and_keep_their_text_and_image(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 4))
    desk.read()
    before, first = texts(desk), image(desk, 0)
    desk.session.preparing.move((0, 1), 2)
    arranged(desk)
    assert texts(desk) == [before[2], before[3], before[0], before[1]]
    assert image(desk, 2).data == first.data
    assert desk.session.shown is not None
    assert desk.session.shown.pages_to_read(None, again=False) == ()


def test_an_image_of_another_file_is_put_in_and_read_alone(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    desk.read()
    before = texts(desk)
    other = make_scan(tmp_path / "other", 1, size=(300, 500)) / "p1.png"
    desk.session.preparing.insert(1, other)
    arranged(desk)
    assert [texts(desk)[0], texts(desk)[2]] == before
    assert image(desk, 1).width_px == 300
    assert desk.session.shown is not None
    assert desk.session.shown.pages_to_read(None, again=False) == (1,)
    desk.read()
    assert [page.state for page in desk.book.pages] == [PageState.READ] * 3


def test_a_page_gets_another_image_and_keeps_what_was_read(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    desk.read()
    before = texts(desk)
    other = make_scan(tmp_path / "other", 1, size=(300, 500)) / "p1.png"
    desk.session.preparing.substitute(1, other)
    arranged(desk)
    assert texts(desk) == before
    assert image(desk, 1).width_px == 300


def test_a_file_that_cannot_be_opened_is_told_and_changes_nothing(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no image")
    desk.session.preparing.insert(1, broken)
    desk.wait_for(object, when=lambda _event: bool(desk.session.notices))
    assert len(desk.book.pages) == 2
    assert not desk.session.preparing.is_arranging


def test_an_arranged_book_follows_its_changed_scan(tmp_path):
    scan = make_scan(tmp_path / "scan", 3)
    with Desk() as desk:
        desk.open(scan)
        desk.read()
        desk.session.preparing.treat((1,), fold=Fold(200, 200))
        arranged(desk)
        desk.session.preparing.move((0,), 3)
        arranged(desk)
        before = names(desk)
    extra = make_scan(tmp_path / "more", 5)
    Path(extra / "p5.png").rename(scan / "p0.png")
    with Desk() as desk:
        desk.open(scan)
        assert [name for name in names(desk) if name != "p0.png"] == before
        assert [page.scan_index for page in desk.book.pages if page.name == "p2.png"] == [2, 2]
        assert image(desk, names(desk).index("p3.png")).width_px == 420


def test_pages_cannot_be_arranged_while_the_book_is_read(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    desk.session.runs.start()
    desk.session.preparing.remove((0,))
    assert [notice.error.code for notice in desk.session.notices] == ["arrange_while_reading"]
    desk.wait_for_end()
    assert len(desk.book.pages) == 2


def test_tones_that_were_chosen_stay_when_a_proposal_is_accepted():
    chosen = Treatment(despeckle=True, skew_degrees=4)
    assert kept_tones(Treatment(quarters=1), chosen) == Treatment(quarters=1, despeckle=True)


def test_pages_scanned_too_coarsely_are_told(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 1))
    desk.session.preparing.search.find()
    desk.wait_for(PageLookedAt)
    assert desk.session.preparing.coarse == (0,)  # 150 ppi


def test_black_on_white_is_for_the_eye_unless_asked(tmp_path):
    read: list[PageImage] = []
    with Desk(lambda: Keeping(read)) as desk:
        desk.open(make_scan(tmp_path / "scan", 1))
        for reads_binary in (False, True):
            desk.session.preparing.treat((0,), binarise=True, reads_binary=reads_binary)
            arranged(desk)
            assert set(image(desk, 0).data) == {0, 255}
            desk.read(0, again=True)
    tones = [len(np.unique(image.pixels)) for image in read]
    assert tones[0] > 2
    assert tones[-1] == 2


@pytest.mark.parametrize(
    ("numbers", "expected"), [((0, 2), [1, 0, 1]), ((1,), [0, 1, 0]), ((0, 1, 2), [1, 1, 1])]
)
def test_a_change_is_made_to_the_pages_that_were_chosen(desk, tmp_path, numbers, expected):
    desk.open(make_scan(tmp_path / "scan", 3))
    desk.session.preparing.treat((1,), even_light=True)
    arranged(desk)
    desk.session.preparing.treat(numbers, quarters=1)
    arranged(desk)
    assert [page.treatment.quarters for page in desk.book.pages] == expected
    assert [page.treatment.even_light for page in desk.book.pages] == [False, True, False]


def test_pages_without_print_are_told_from_pixels_and_nothing_is_proposed_for_them(desk, tmp_path):
    folder = make_scan(tmp_path / "scan", 4, blank=(1,))
    front = Image.open(folder / "p3.png").transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    pale = 238 - (238 - np.asarray(front)) // 8
    Image.fromarray(pale).save(folder / "p3.png", dpi=(150, 150))
    desk.open(folder)
    desk.session.preparing.search.find()
    for _page in range(4):
        desk.wait_for(PageLookedAt)
    assert desk.session.preparing.search.blanks == ((1, Print.NONE), (2, Print.SHOWS_THROUGH))
    assert not {1, 2} & set(desk.session.preparing.proposed)
    desk.session.proofs.mark_blank((1,))
    desk.settle()
    assert desk.session.preparing.search.blanks == ((2, Print.SHOWS_THROUGH),)


def test_what_is_done_already_is_not_proposed_again(desk, tmp_path):
    folder = make_scan(tmp_path / "scan", 1)
    Image.open(folder / "p1.png").rotate(-2, fillcolor=238).save(folder / "p1.png")
    desk.open(folder)
    preparing = desk.session.preparing
    preparing.search.find()
    desk.wait_for(PageLookedAt)
    preparing.accept((0,))
    arranged(desk)
    preparing.search.find()
    desk.wait_for(PageLookedAt)
    assert preparing.proposed == ()


def test_looking_for_print_alone_leaves_proposals_as_they_are(desk, tmp_path):
    folder = make_scan(tmp_path / "scan", 1)
    Image.open(folder / "p1.png").rotate(-2, fillcolor=238).save(folder / "p1.png")
    desk.open(folder)
    preparing = desk.session.preparing
    preparing.search.find()
    desk.wait_for(PageLookedAt)
    preparing.search.find(steps=frozenset())
    desk.wait_for(PageLookedAt)
    assert preparing.proposed == (0,)


def test_an_old_text_layer_is_divided_between_the_pages_of_a_spread(desk, tmp_path):
    document = pymupdf.open()
    page = document.new_page(width=800, height=500)
    page.insert_text((60, 100), "On the left")
    page.insert_text((500, 300), "On the right")
    document.save(tmp_path / "spread.pdf")
    document.close()
    desk.open(tmp_path / "spread.pdf")
    desk.session.preparing.search.find()
    looked_at: PageLookedAt = desk.wait_for(PageLookedAt)
    assert looked_at.page is not None
    assert looked_at.page.size is not None
    middle = looked_at.page.size.width_px / 2
    desk.session.preparing.treat((0,), fold=Fold(middle, middle))
    arranged(desk)
    desk.session.take_old_text()
    desk.wait_for(Done, when=lambda done: done.order == "old text")
    assert texts(desk) == ["On the left", "On the right"]


def test_a_step_back_that_cannot_be_saved_can_be_made_later(desk, tmp_path):
    desk.open(make_scan(tmp_path / "scan", 2))
    desk.session.preparing.treat((0,), quarters=1)
    arranged(desk)
    on_store = desk.session._workers.store.submit
    on_store(lambda: desk.store._db.execute("PRAGMA query_only = 1")).result()
    desk.session.preparing.undo()
    desk.wait_for(Refused)
    assert desk.session.preparing.can_undo
    on_store(lambda: desk.store._db.execute("PRAGMA query_only = 0")).result()
    desk.session.preparing.undo()
    arranged(desk)
    assert not desk.book.pages[0].treatment
