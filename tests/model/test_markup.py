"""The tagged output becomes blocks: well-formed, broken, cut off, and cut into any pieces."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from model.api import Box, Cell, Kind, Rows, Style
from model.markup import (
    BlockEnd,
    BlockStart,
    Markup,
    PageStart,
    TextAdded,
    read_box,
    to_pixels,
)

pytestmark = pytest.mark.unit


class Told(NamedTuple):
    """A block, put together from the parser's events."""

    kind: Kind
    box: tuple[int, int, int, int] | None
    text: str
    rows: Rows = ()
    styles: tuple[Style, ...] = ()


def told(*pieces: str) -> list[list[Told]]:
    """The blocks of each page; the first list is what stands before any `<PAGE>`."""
    markup = Markup()
    events = [event for piece in pieces for event in markup.feed(piece)] + markup.end()
    pages: list[list[Told]] = [[]]
    for event in events:
        match event:
            case PageStart():
                pages.append([])
            case BlockStart():
                pages[-1].append(Told(event.kind, event.box, ""))
            case TextAdded():
                assert event.text
                last = pages[-1].pop()
                pages[-1].append(last._replace(text=last.text + event.text))
            case BlockEnd():
                last = pages[-1].pop()
                pages[-1].append(last._replace(rows=event.rows, styles=event.styles))
    return pages


def blocks(*pieces: str) -> list[Told]:
    pages = told(*pieces)
    assert len(pages) == 1
    return pages[0]


def text_of(pages: list[list[Told]]) -> str:
    return "\n".join(block.text for page in pages for block in page)


def test_a_page_of_blocks():
    page = blocks(
        "<|det|>title [100, 40, 900, 90]<|/det|>On the Printing of Books\n"
        "<|det|>text [80, 120, 920, 400]<|/det|>It was in the year 1455\nthat the work was done.\n"
        "<|det|>page_number [480, 950, 520, 970]<|/det|>12"
    )
    assert page == [
        Told(Kind.TITLE, (100, 40, 900, 90), "On the Printing of Books"),
        Told(Kind.TEXT, (80, 120, 920, 400), "It was in the year 1455\nthat the work was done."),
        Told(Kind.PAGE_NUMBER, (480, 950, 520, 970), "12"),
    ]


def test_pages_are_told_apart():
    pages = told("<PAGE><|det|>text [0, 0, 9, 9]<|/det|>one<PAGE>two\n<PAGE>")
    assert pages == [
        [],
        [Told(Kind.TEXT, (0, 0, 9, 9), "one")],
        [Told(Kind.TEXT, None, "two")],
        [],
    ]


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("header", Kind.RUNNING_HEAD),
        ("image", Kind.FIGURE),
        ("image_caption", Kind.CAPTION),
        ("ref_text", Kind.TEXT),
        ("equation", Kind.EQUATION),
        ("Table", Kind.TABLE),
        ("colophon", Kind.OTHER),
    ],
)
def test_labels_name_kinds(label: str, kind: Kind):
    assert blocks(f"<|det|>{label} [1, 2, 3, 4]<|/det|>x") == [Told(kind, (1, 2, 3, 4), "x")]


def test_a_figure_without_text_keeps_its_place():
    assert blocks("<|det|>image [10, 20, 30, 40]<|/det|>\n<|det|>text [1, 1, 2, 2]<|/det|>x") == [
        Told(Kind.FIGURE, (10, 20, 30, 40), ""),
        Told(Kind.TEXT, (1, 1, 2, 2), "x"),
    ]


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        # the numbers are wrong: the box is left out
        ("<|det|>text [1, 2, 3]<|/det|>Wort", [Told(Kind.TEXT, None, "Wort")]),
        ("<|det|>text [9, 2, 3, 4]<|/det|>Wort", [Told(Kind.TEXT, None, "Wort")]),
        ("<|det|>text [-1, 2, 3, 4]<|/det|>Wort", [Told(Kind.TEXT, None, "Wort")]),
        ("<|det|>text [0, 2, 3, 1200]<|/det|>Wort", [Told(Kind.TEXT, None, "Wort")]),
        ("<|det|>text<|/det|>Wort", [Told(Kind.TEXT, None, "Wort")]),
        ("<|det|>[1, 2, 3, 4]<|/det|>Wort", [Told(Kind.TEXT, (1, 2, 3, 4), "Wort")]),
        # the header is not closed
        ("<|det|>note [1, 2, 3, 4]Wort", [Told(Kind.OTHER, (1, 2, 3, 4), "Wort")]),
        ("<|det|>text [1, 2, 3, 4]\nWort", [Told(Kind.TEXT, (1, 2, 3, 4), "Wort")]),
        (
            "<|det|>text [1, 2, 3, 4]<|det|>table [5, 6, 7, 8]<|/det|>",
            [Told(Kind.TEXT, (1, 2, 3, 4), ""), Told(Kind.TABLE, (5, 6, 7, 8), "")],
        ),
        # the header is none
        ("<|det|>A line of print<|/det|>", [Told(Kind.TEXT, None, "A line of print")]),
        ("<|det|>Siehe [Über]<|/det|> fort", [Told(Kind.TEXT, None, "Siehe [Über] fort")]),
        ("<|det|>" + "long " * 40, [Told(Kind.TEXT, None, ("long " * 40).strip())]),
        # stray and foreign tags
        ("Wort<|/det|> und <|ref|>Satz<|/ref|>", [Told(Kind.TEXT, None, "Wort und Satz")]),
        ("Wort<｜end▁of▁sentence｜>", [Told(Kind.TEXT, None, "Wort")]),
        ("<image>Wort</td></sup>", [Told(Kind.TEXT, None, "Wort")]),
        # what only looks like a tag
        ("a < b, c > d & e<", [Told(Kind.TEXT, None, "a < b, c > d & e<")]),
        ("if a<b and c>d &amp; so on", [Told(Kind.TEXT, None, "if a<b and c>d &amp; so on")]),
        # cut off at the end
        ("Wort<|de", [Told(Kind.TEXT, None, "Wort")]),
        ("Wort\n<|det|>te", [Told(Kind.TEXT, None, "Wort")]),
        ("Wort\n<|det|>text [12, 3", [Told(Kind.TEXT, None, "Wort")]),
        ("Wort\n<|det|>text [12, 3, 40, 50]<|/de", [
            Told(Kind.TEXT, None, "Wort"),
            Told(Kind.TEXT, (12, 3, 40, 50), ""),
        ]),
        ("Wort\n<PAG", [Told(Kind.TEXT, None, "Wort")]),
    ],
)  # fmt: skip
def test_broken_markup_costs_no_text_and_shows_no_tags(output: str, expected: list[Told]):
    assert blocks(output) == expected
    assert blocks(*output) == expected


def test_styles_are_ranges_of_the_text():
    (block,) = blocks("vide <i>infra</i>, cap. 3<sup>a</sup> <b>never closed")
    assert block.text == "vide infra, cap. 3a never closed"
    assert block.styles == (Style(5, 10, "italic"), Style(18, 19, "superscript"))


TABLE = (
    '<table><tr><th colspan="2">Year &amp; place</th><th>Copies</th></tr>'
    "<tr><td rowspan=2>1455</td><td>Mainz </td><td>180</td></tr>"
    "<tr><td>Bamberg<br/>am Main</td><td></td></tr></table>"
)
ROWS = (
    (Cell("Year & place", 1, 2, is_heading=True), Cell("Copies", is_heading=True)),
    (Cell("1455", 2), Cell("Mainz"), Cell("180")),
    (Cell("Bamberg am Main"), Cell("")),
)
TEXT = "Year & place\tCopies\n1455\tMainz\t180\nBamberg am Main\t"


def test_a_table_becomes_rows_with_spans():
    (table,) = blocks(f"<|det|>table [1, 2, 3, 4]<|/det|>{TABLE}\n")
    assert table == Told(Kind.TABLE, (1, 2, 3, 4), TEXT, ROWS)


def test_a_table_amid_text_stands_alone():
    before, table, after = blocks(f"<|det|>text [1, 2, 3, 4]<|/det|>Vor {TABLE} nach")
    assert before == Told(Kind.TEXT, (1, 2, 3, 4), "Vor")
    assert table == Told(Kind.TABLE, (1, 2, 3, 4), TEXT, ROWS)
    assert after == Told(Kind.TEXT, None, "nach")


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("<table><tr><td>a<td>b<tr><td>c", "a\tb\nc"),
        ("<table>lost<tr>and<td>found</td>again", "lost\nand\tfound\tagain"),
        ("<td>a</td><td>b</td></tr>c", "a\tb\nc"),
        ("<table><tr></tr><tr><td>a</td></tr></table>", "a"),
        ('<table><tr><td colspan="', ""),
        ('<tr><td rowspan="no" colspan="0">a', "a"),
        ("<table><caption>Tab. 1</caption><tr><td>a", "Tab. 1\na"),
    ],
)
def test_broken_tables_keep_their_text(output: str, text: str):
    (table,) = blocks(output)
    assert (table.kind, table.text) == (Kind.TABLE, text)
    assert "\n".join("\t".join(cell.text for cell in row) for row in table.rows) == text
    assert blocks(*output) == [table]


WORDS = st.sampled_from(["ſo", "Übung", "φύσις", "ça", "Ærø", "слово"])  # none may be a label
CELLS = st.lists(st.lists(st.tuples(WORDS, st.integers(1, 3)), min_size=1), min_size=1)


@given(CELLS)
def test_tables_are_read_as_lxml_reads_them(rows: list[list[tuple[str, int]]]):
    cells = [[f'<td colspan="{span}">{word}</td>' for word, span in row] for row in rows]
    source = "<table>" + "".join(f"<tr>{''.join(row)}</tr>" for row in cells) + "</table>"
    (table,) = blocks(source)
    read = [
        [(cell.text, int(cell.get("colspan", 1))) for cell in row.iter("td")]
        for row in html.fromstring(source).iter("tr")
    ]
    assert [[(cell.text, cell.column_span) for cell in row] for row in table.rows] == read


TAGS = [
    *("<PAGE>", "<|det|>", "<|/det|>", "<image>", "<|ref|>", "<｜x｜>", "<table>", "</table>"),
    *("<tr>", "</tr>", "<td>", '<td colspan="2">', "</td>", "<th>", "<br>", "<sup>", "</sup>"),
    *("text [1, 2, 3, 4]", "text", "stamp [1, 2, 3, 4]", "[1, 2, 3]", "[", "]", " ", "\n", "&amp;"),
    *("<", "&", ">", "<|", "<|de", "<PA", "<t", '<td colspan="', "|>", "&am", "1, 2", "\t", "||"),
]
OUTPUT = st.lists(st.one_of(WORDS, st.sampled_from(TAGS)), max_size=30)


@given(OUTPUT, st.data())
def test_any_cutting_of_the_stream_gives_the_same_blocks(parts: list[str], data: st.DataObject):
    output = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(output)))))
    edges = [0, *cuts, len(output)]
    pieces = [output[a:b] for a, b in pairwise(edges)]
    assert told(*pieces) == told(output) == told(*output)


@given(OUTPUT)
def test_no_word_is_lost_and_no_tag_is_shown(parts: list[str]):
    spaced = "".join(
        f" {part} " if part[0].isalpha() and part not in TAGS else part for part in parts
    )
    words = [part for part in parts if part not in TAGS]
    shown = text_of(told(spaced))
    assert [word for word in shown.split() if word in set(words)] == words
    assert not any(tag in shown for tag in ("<PAGE>", "<|det|>", "<|/det|>", "<td>", "</td>"))


@given(st.text())
def test_garbage_never_raises_and_text_without_signs_survives(garbage: str):
    letters = "".join(sign for sign in garbage if sign not in "<&")
    assert text_of(told(garbage)) is not None
    assert text_of(told(letters)) == letters.strip()


@given(st.text(alphabet="<>|/[]PAGEdettr 0123,\n&;lm=\"'"))
def test_garbage_of_signs_is_the_same_in_any_pieces(garbage: str):
    assert told(garbage) == told(*garbage)


@given(OUTPUT)
def test_styles_and_rows_lie_within_the_text(parts: list[str]):
    for page in told("".join(parts)):
        for block in page:
            assert all(0 <= style.start < style.end <= len(block.text) for style in block.styles)
            cells = "\n".join("\t".join(cell.text for cell in row) for row in block.rows)
            assert not block.rows or cells == block.text


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("[0, 0, 999, 999]", (0, 0, 999, 999)),
        ("[0,0,1000,1000]", (0, 0, 999, 999)),
        ("[ 5 , 6 , 7 , 8 ]", (5, 6, 7, 8)),
        ("[5, 6, 5, 8]", None),
        ("[5.5, 6, 7, 8]", None),
        ("[5, 6, 7, 8, 9]", None),
        ("[5, 6, 7, 8", None),
        ("", None),
    ],
)
def test_a_box_is_four_numbers(text: str, box: tuple[int, int, int, int] | None):
    assert read_box(text) == box


def test_a_full_box_is_the_whole_image():
    assert to_pixels((0, 0, 999, 999), width_px=1240, height_px=1754) == Box(0, 0, 1240, 1754)
    assert to_pixels((333, 0, 666, 111), width_px=999, height_px=1998) == Box(333, 0, 666, 222)


def test_words_of_the_tests_are_as_the_stream_gives_them():
    for word in ("ſo", "Übung", "φύσις", "ça", "Ærø", "слово"):
        assert unicodedata.is_normalized("NFC", word)
        assert not word.isascii()
