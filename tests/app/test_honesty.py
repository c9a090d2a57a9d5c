from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from app.book import PageState, Reason
from app.desk.book_checks import PageText, doubled, odd_lengths
from app.desk.concerns import Concern, Standing
from app.desk.honesty import standing
from app.desk.ink import print_on
from app.desk.repeats import repeats
from app.store.database import BookStore
from model.api import Block, Box, Kind
from tests.app.store_books import book_of, machine

pytestmark = pytest.mark.unit

LINES = (
    "It was the custom of the house that nobody",
    "spoke of the books which had been lost, nor",
    "of the man who had carried them down to the",
    "river on the night before the soldiers came.",
    "Yet in the winter of that year a boy, who was",
    "sent to the loft for wood, found in a chest",
    "beneath the rafters seven volumes, wrapped",
    "in oilcloth, with not one leaf of them wet.",
)
SIZE = (1240, 1750)
LEFT, TOP, STEP = 180, 300, 60
WHOLE = Box(LEFT - 10, TOP - 10, 1080, TOP + STEP * len(LINES))


@pytest.fixture(scope="module")
def letters():
    return ImageFont.load_default(size=40)


def leaf(letters, lines=LINES, *, tone=228):
    image = Image.new("L", SIZE, tone)
    draw = ImageDraw.Draw(image)
    for at, line in enumerate(lines):
        draw.text((LEFT, TOP + at * STEP), line, 45, font=letters)
    return np.asarray(image)


def reasons(blocks, pixels):
    found = standing(blocks, print_on(pixels)).concerns
    return {concern.reason for concern in found}


def text_block(lines=LINES, box=WHOLE):
    return Block(Kind.TEXT, "\n".join(lines), box)


def test_a_page_read_as_it_is_printed_raises_no_alarm(letters):
    found = standing([text_block()], print_on(leaf(letters)))
    assert found.concerns == ()
    assert 0.6 < found.letters / found.marks < 1.4


def test_print_outside_all_blocks_was_missed_and_its_place_is_told(letters):
    half = Box(WHOLE.left, WHOLE.top, WHOLE.right, TOP + STEP * 4)
    found = standing([text_block(LINES[:4], half)], print_on(leaf(letters))).concerns
    assert {concern.reason for concern in found} == {Reason.MISSING_INK}
    assert all(concern.box is not None and concern.box.top > half.bottom - 20 for concern in found)


def test_a_block_with_little_text_for_its_print_was_not_read_whole(letters):
    found = standing([text_block(LINES[:2])], print_on(leaf(letters))).concerns
    assert [(each.reason, each.block) for each in found] == [(Reason.MISSING_INK, 0)]


def test_text_where_nothing_is_printed_was_invented(letters):
    painted_out = leaf(letters, LINES[:4])
    blocks = [
        text_block(LINES[:4], Box(WHOLE.left, WHOLE.top, WHOLE.right, TOP + 4 * STEP)),
        text_block(LINES[4:], Box(WHOLE.left, TOP + 5 * STEP, WHOLE.right, WHOLE.bottom)),
    ]
    found = standing(blocks, print_on(painted_out)).concerns
    assert [(each.reason, each.block) for each in found] == [(Reason.TEXT_WITHOUT_INK, 1)]


def test_pale_print_is_print(letters):
    pale = np.where(leaf(letters) < 140, 165, 228).astype(np.uint8)
    assert Reason.TEXT_WITHOUT_INK not in reasons([text_block()], pale)


def test_show_through_was_not_missed(letters):
    page = leaf(letters)
    back = cv2.GaussianBlur(leaf(letters)[:, ::-1].copy(), (0, 0), 3)
    back = np.roll(back, 700, axis=0)  # where this side has nothing
    through = 228 - (228 - back.astype(float)) * 0.25
    both = np.minimum(page, np.clip(through, 0, 255)).astype(np.uint8)
    assert reasons([text_block()], both) == set()


@pytest.mark.parametrize("kind", ["hatching", "halftone", "blots"])
def test_a_picture_that_no_block_names_is_no_missed_print(letters, kind):
    page = leaf(letters).copy()
    dice = np.random.default_rng(5)
    room = page[1000:1500, 200:1000]
    if kind == "hatching":
        room[:, ::9] = 50
        room[:, 1::9] = 50
        room[::40] = 228
    elif kind == "halftone":
        y, x = np.mgrid[: room.shape[0], : room.shape[1]]
        room[((y % 14 - 7) ** 2 + (x % 14 - 7) ** 2) < 20] = 60
    else:
        for x, y, size in dice.integers((0, 0, 4), (800, 500, 40), (60, 3)):
            cv2.circle(room, (int(x), int(y)), int(size), (60,), -1)
    assert reasons([text_block()], page) == set()


def test_the_dark_edge_of_a_scan_was_not_missed(letters):
    scan = np.full((1950, 1500), 30, np.uint8)
    scan[100:1850, 130:1370] = leaf(letters)
    scan[600:1500:23, 1385:1420] = 8  # the edges of leaves on the cloth
    box = Box(*(edge + move for edge, move in zip(WHOLE, (130, 100, 130, 100), strict=True)))
    assert reasons([text_block(LINES, box)], scan) == set()


def test_without_places_nothing_is_said_to_be_missed(letters):
    assert reasons([Block(Kind.TEXT, "\n".join(LINES))], leaf(letters)) == set()


def test_text_that_goes_round_in_circles_is_told_whoever_wrote_it():
    round_text = "the same words again and again "
    assert repeats("It began well. " + round_text * 6)
    assert repeats("the " * 30)
    assert not repeats(" ".join(LINES))
    assert not repeats("do. " * 10 + "12 " * 200)
    assert not repeats("Holy, holy, holy, Lord God of hosts")
    assert not repeats("")


def test_a_leaf_scanned_twice_is_told_on_both_pages_though_it_was_read_otherwise():
    words = " ".join(LINES)
    twice = words.replace("winter", "vvinter").replace("boy,", "bov,").replace("chest", "cheft")
    others = [
        PageText(
            page,
            (
                f"Upon leaf {page} there is told of "
                + " of ".join(map(str, range(page, page + 40))),
            ),
        )
        for page in range(6)
    ]
    found = doubled([*others, PageText(6, (words,)), PageText(9, tuple(twice.split(", ")))])
    assert {page: each[0].other_page for page, each in found.items()} == {6: 9, 9: 6}


def test_what_stands_on_many_pages_is_a_phrase_of_the_book():
    formula = " ".join(LINES[:4])
    pages = [PageText(page, (formula, f"Number {page} " * 15)) for page in range(8)]
    assert doubled(pages) == {}


def test_a_length_is_odd_by_what_is_usual_in_the_book():
    usual = {page: Standing(900 + page * 20, 1000) for page in range(10)}
    found = odd_lengths(usual | {10: Standing(300, 1000), 11: Standing(2400, 1000)})
    assert {page: each[0].reason for page, each in found.items()} == {
        10: Reason.TOO_SHORT,
        11: Reason.TOO_LONG,
    }
    assert odd_lengths({0: Standing(300, 1000), **dict(list(usual.items())[:3])}) == {}
    assert odd_lengths(usual | {10: Standing(2, 9)}) == {}  # a leaf with only its number


def test_a_person_can_be_told_each_reason():
    from app.page_words import reason_text

    assert len({reason_text(reason) for reason in Reason}) == len(Reason)


def test_the_true_text_of_real_pages_raises_no_alarm_of_missed_print(shared):
    """Each page as one block over all of it: the letters are those that are printed."""
    for path in sorted((shared / "dev").glob("*.gt.txt")):
        name = path.name.removesuffix(".gt.txt")
        scan = next(each for each in (shared / "dev").glob(f"{name}.*") if each != path)
        pixels = np.asarray(Image.open(scan).convert("L"))
        height, width = pixels.shape
        block = Block(Kind.TEXT, path.read_text("utf-8"), Box(0, 0, width, height))
        assert reasons([block], pixels) <= {Reason.LOOP_CUT}, name


def test_the_book_keeps_what_speaks_against_a_page_and_takes_it_back(tmp_path):
    store = BookStore.create(tmp_path / "book.sqlite", book_of(2))
    own = Concern(Reason.MISSING_INK, Box(1, 2, 3, 4), block=0)
    page = store.save_read(
        0,
        reading=machine("A text"),
        state=PageState.LOOK,
        reasons=(Reason.MISSING_INK,),
        standing=Standing(5, 7, (own,)),
    )
    twin = Concern(Reason.DOUBLED_PAGE, other_page=1)
    [doubled_page] = store.judge_in_book({0: (page.reading_id, (twin,))})
    assert doubled_page.reasons == (Reason.MISSING_INK, Reason.DOUBLED_PAGE)
    assert store.concerns(0) == (own, twin)
    assert store.judge_in_book({0: (page.reading_id, (twin,))}) == ()
    [single] = store.judge_in_book({0: (page.reading_id, ())})
    assert single.reasons == (Reason.MISSING_INK,)
    assert store.concerns(0) == (own,)
    store.set_state((0,), PageState.PROOFREAD, person="A. Reader")
    assert store.judge_in_book({0: (page.reading_id, (twin,))}) == ()
    assert store.page(0).state is PageState.PROOFREAD
    store.close()
