"""Every region, line and word has a place on its page, and says whether an engine gave it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Page, PageSize, Reading, Region, Source
from app.desk.hyphens import Hyphens, Vocabulary
from app.export.document import ExportOptions
from app.export.laying import laid
from app.export.paging import A4_AT_300_DPI, Material, paged
from model.api import Box, Cell, Kind, Span
from tests.export.placed import OTHER, SIZE, TABLE, exact, history, placed_book
from tests.export.samples import DATE, book

pytestmark = pytest.mark.unit

BOX = Box(100, 100, 500, 200)


def lay(*regions: Region, hyphens: Hyphens | None = None):
    reading = Reading(regions, Source("model", DATE))
    return laid(Page(0), SIZE, reading, image_name="a.jpg", hyphens=hyphens).regions


def test_words_that_the_engine_placed_stay_where_they_are():
    region = exact("two words\nhere", BOX)
    (found,) = lay(region)
    words = [word for line in found.lines for word in line.words]
    assert [(word.text, word.box, word.origin, word.score) for word in words] == [
        (region.text[span.start : span.end], span.box, "exact", 0.9) for span in region.words
    ]


def test_a_word_without_a_box_is_estimated_between_its_neighbours():
    region = exact("one two three", BOX)
    kept = tuple(span for span in region.words if span.start != 4)
    (found,) = lay(Region(Kind.TEXT, region.text, BOX, words=kept))
    one, two, three = found.lines[0].words
    assert (one.origin, two.origin, three.origin) == ("exact", "estimated", "exact")
    assert one.box.right <= two.box.left < two.box.right <= three.box.left


def test_lines_without_boxes_share_their_block():
    (found,) = lay(Region(Kind.TEXT, "first\nsecond", BOX))
    first, second = found.lines
    assert {first.origin, second.origin} == {"estimated"}
    assert first.box.bottom <= second.box.top
    assert (first.box.top, second.box.bottom) == (100, 200)


def test_regions_without_boxes_lie_one_below_the_other_on_the_page():
    first, second = lay(Region(Kind.TEXT, "one\ntwo"), Region(Kind.NOTE, "three"))
    assert (first.origin, second.origin) == ("estimated", "estimated")
    assert first.box.bottom <= second.box.top


def test_a_line_of_hebrew_runs_to_the_left():
    (found,) = lay(Region(Kind.TEXT, "שלום עולם", BOX))
    line = found.lines[0]
    assert line.direction == "rtl"
    assert line.words[0].box.left >= line.words[1].box.right


def test_cells_lie_on_a_grid_and_are_read_row_by_row():
    (found,) = lay(Region(Kind.TABLE, "", BOX, rows=TABLE))
    assert [(c.row, c.column, c.row_span, c.column_span) for c in found.cells] == [
        (0, 0, 1, 1), (0, 1, 1, 2), (1, 0, 2, 1), (1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 1),
        (2, 2, 1, 1),
    ]  # fmt: skip
    assert found.text == "Year\nBeer | wine\n1871\nin a bar-\nrel\n12\nnot\nknown\n7 & more"
    assert found.cells[1].box.right == found.box.right


def test_a_table_of_many_rows_is_laid_out():
    rows = tuple(tuple(Cell(f"{row} {column}") for column in range(7)) for row in range(200))
    (found,) = lay(Region(Kind.TABLE, "", Box(0, 0, 1000, 1400), rows=rows))
    assert len(found.cells) == 1400
    assert len(found.lines) == 1400


def test_both_parts_of_a_broken_word_know_the_whole():
    (found,) = lay(exact("a brew-\ner sang", BOX), hyphens=Hyphens(Vocabulary(), "en"))
    last, first = found.lines[0].words[-1], found.lines[1].words[0]
    assert last.broken == (1, "brewer")
    assert first.broken == (2, "brewer")
    assert last.text == "brew-"


def test_word_boxes_of_another_reading_are_taken_over():
    region = exact("two words here", BOX)
    mine = Reading((Region(Kind.TEXT, region.text, BOX),), Source("model", DATE), id=1)
    theirs = Reading((region,), Source("model", DATE), id=2)
    leaves = [(Page(0, size=SIZE), mine)]
    material = Material(book(leaves), lambda: iter(leaves), history=lambda _page: (mine, theirs))
    (page,) = paged(material, ExportOptions()).pages()
    assert [word.box for line in page.lines() for word in line.words] == [
        span.box for span in region.words
    ]


def test_all_pages_come_and_those_left_out_come_without_a_text():
    leaves = placed_book()
    states = frozenset({leaves[0][0].state})
    material = Material(book(leaves), lambda: iter(leaves))
    pages = list(paged(material, ExportOptions(states=states)).pages())
    assert [page.page.number for page in pages] == list(range(6))
    assert [bool(page.regions) for page in pages] == [True, True, True, False, False, False]


def test_other_readings_follow_those_of_people_first():
    leaves = placed_book()
    person = Reading(OTHER.regions, Source("hand", DATE, person="Ada"), id=92)
    material = Material(
        book(leaves), lambda: iter(leaves), history=lambda page: (*history(page), person)
    )
    made = paged(material, ExportOptions())
    first = next(made.pages())
    assert [reading.id for reading, _page in made.others(first)] == [92, 91]


def test_a_page_that_was_never_opened_has_a_likely_size():
    leaves = [(Page(0), Reading((Region(Kind.TEXT, "x"),), Source("model", DATE)))]
    (page,) = paged(Material(book(leaves), lambda: iter(leaves)), ExportOptions()).pages()
    assert page.size == A4_AT_300_DPI


edges = st.floats(-2000, 4000)
boxes = st.builds(Box, edges, edges, edges, edges)
texts = st.text(st.sampled_from("ab -\nשא天𝔘\u0301"), max_size=60)


@st.composite
def regions(draw) -> Region:
    text = draw(texts)
    places = st.integers(0, max(0, len(text)))
    spans = draw(st.lists(st.builds(Span, places, places, boxes, st.floats(0, 1)), max_size=6))
    box = draw(st.none() | boxes)
    kind = draw(st.sampled_from([Kind.TEXT, Kind.FIGURE, Kind.NOTE]))
    return Region(kind, text, box, words=tuple(s for s in spans if s.start < s.end))


@given(st.lists(regions(), max_size=5), st.integers(1, 3000), st.integers(1, 3000))
def test_whatever_engines_say_nothing_lies_outside_the_page_or_is_lost(found, width, height):
    reading = Reading(tuple(found), Source("model", DATE))
    size = PageSize(width, height)
    page = laid(Page(0), size, reading, image_name="a", hyphens=Hyphens(Vocabulary(), "de"))
    lines = list(page.lines())
    boxes = [r.box for r in page.regions] + [ln.box for ln in lines]
    for box in boxes + [word.box for line in lines for word in line.words]:
        assert 0 <= box.left < box.right <= width
        assert 0 <= box.top < box.bottom <= height
        assert all(edge == round(edge) for edge in box)
    assert [region.text.split() for region in page.regions] == [r.text.split() for r in found]
