"""Levels of transcription: what each rule does, how often, and that everything stays in place."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.book import Mark, Region
from app.desk.hyphens import Break, Choice, Choices
from app.export.document import ExportOptions
from app.export.formats import FORMATS
from app.export.levels import RULES, Level, levelled_choices, levelled_region, levelled_text
from model.api import Box, Cell, Kind, Span, Style
from tests.export.samples import leaf, text
from tests.export.test_formats import write

pytestmark = pytest.mark.unit

BOX = Box(0, 0, 5, 5)


LEVELS: tuple[Level, ...] = (1, 2, 3)
SHOWN = [
    ("daſs hauſſzen daß", "dass hausszen daß", "daſs hauſſzen daß", "daſs hauſſzen daß"),
    ("Leſſing ﬀ ﬁ ﬅ ct\ueec5", "Lessing ff fi st ctct", "Leſſing ff fi ſt ctct", None),
    ("æ œ Æ", "æ œ Æ", "æ œ Æ", "æ œ Æ"),
    ("fu\u0364r ſcho\u0364n", "für schön", "fu\u0364r ſcho\u0364n", "f\ue72br ſch\ue644n"),
    ("f\ue72br", "für", "fu\u0364r", "f\ue72br"),
    ("Heꝛꝛ ꝛc. ꝛ", "Herr etc. r", "Heꝛꝛ ꝛc. ꝛ", "Heꝛꝛ ꝛc. ꝛ"),
    ("vnd Vnſer von vjj Vlies", "und Unser von vjj Vlies", None, None),
    ("gut / aber/ 1/2 und/oder", "gut, aber, 1/2 und/oder", None, None),
    ("„Ja“ «Nein» ’s", '"Ja" "Nein" \'s', None, None),
    ("herrlich⸗\nund Zwei=Deut=\nig 2=2", "herrlich-\nund Zwei-Deut-\nig 2=2", None, None),
    ("a\u2003b  c\u00a0; d ?", "a b c; d?", "a b c; d?", None),
    ("plain text, nothing odd.", None, None, None),
]
"""A text, and what it is at each level; None: the same."""


@pytest.mark.parametrize(("printed", "one", "two", "three"), SHOWN)
def test_what_each_level_shows(printed, one, two, three):
    for level, wanted in zip(LEVELS, (one, two, three), strict=True):
        assert levelled_text(printed, level) == (printed if wanted is None else wanted)


def test_every_rule_of_the_table_is_seen_above():
    printed = "\n".join(each[0] for each in SHOWN)
    counts: Counter[str] = Counter()
    for level in LEVELS:
        levelled_region(text(*printed.split("\n")), level, counts)
    assert set(counts) == {rule.name for rule in RULES}


def test_what_is_said_of_letters_moves_with_them():
    printed = "ꝛc. fu\u0364r  den Fleiſch\ufb01ſch"
    start = printed.index("fu")
    fish = printed.index("\ufb01")
    region = Region(
        Kind.TEXT,
        printed,
        BOX,
        words=(Span(0, 3, BOX), Span(start, start + 4, BOX, 0.5)),
        styles=(Style(start, start + 4, "italic"), Style(fish, len(printed), "bold")),
        marks=(Mark(len(printed), len(printed), "gap"),),
    )
    counts: Counter[str] = Counter()
    made = levelled_region(region, 1, counts)
    assert made.text == "etc. für den Fleischfisch"
    assert [made.text[w.start : w.end] for w in made.words] == ["etc.", "für"]
    assert [made.text[s.start : s.end] for s in made.styles] == ["für", "fisch"]
    assert made.marks[0].start == len(made.text)
    assert counts["long s as s"] == 2
    assert counts["ligatures split"] == 1
    assert region.text == printed


def test_a_table_is_counted_once():
    rows = ((Cell("ſo"), Cell("iſt's")),)
    counts: Counter[str] = Counter()
    made = levelled_region(Region(Kind.TABLE, "ſo\tiſt's", rows=rows), 1, counts)
    assert made.rows[0][1].text == "ist's"
    assert made.text == "so\tist's"
    assert counts == {"long s as s": 2}


LETTERS = st.text(st.sampled_from("aou\u0364ſꝛc =⸗/-\n„“.,v n\ufb01\ue42c\u00a0"), max_size=30)


@given(LETTERS, st.data(), st.sampled_from([1, 2, 3]))
def test_places_stay_in_the_text_and_in_order(printed, data, level):
    ends = sorted(data.draw(st.lists(st.integers(0, len(printed)), max_size=6)))
    words = tuple(Span(a, b, BOX) for a, b in pairwise(ends) if a < b)
    made = levelled_region(Region(Kind.TEXT, printed, words=words), level, Counter())
    assert made.text == levelled_text(printed, level)
    last = 0
    for word in made.words:
        assert last <= word.start < word.end <= len(made.text)
        last = word.end


@given(LETTERS, st.sampled_from([2, 3]))
def test_what_is_at_a_level_is_not_changed_again(printed, level):
    once = levelled_text(printed, level)
    assert levelled_text(once, level).replace(" ", "") == once.replace(" ", "")


def test_decisions_on_broken_words_hold_at_a_level():
    choices = Choices({Break(0, "Verſ⸗\nlag", 1): Choice.KEEP}, {"hauſ-\ntür": Choice.JOIN})
    made = levelled_choices(choices, 1)
    assert made.of(Break(0, "Vers-\nlag", 1)) is Choice.KEEP
    assert made.of(Break(3, "Haus-\ntür", 0)) is Choice.JOIN


@pytest.mark.parametrize("name", ["text", "markdown", "tei", "html", "page", "alto"])
def test_an_export_says_its_level_and_what_was_done(tmp_path, name):
    leaves = [leaf(0, text("Leſſing ſah ﬁ"), label="1"), leaf(1, text("noch ein ſ"))]
    options = ExportOptions(level=1)
    path = tmp_path / f"b{FORMATS[name].suffix}"
    report = write(path, FORMATS[name], leaves, options=options)
    assert report
    assert report.provenance.rules == {"ligatures split": 1, "long s as s": 4}
    found = "".join(each.read_text("utf-8") for each in files(path))
    assert "Lessing" in found or 'CONTENT="Lessing"' in found
    assert "ſ" not in found
    assert "long s as s" in found


def files(path: Path) -> list[Path]:
    return sorted(path.iterdir()) if path.is_dir() else [path]


def test_pages_that_are_left_out_are_not_counted(tmp_path):
    leaves = [leaf(n, text("ſo")) for n in range(3)]
    options = ExportOptions(level=1, pages=(1,))
    report = write(tmp_path / "b.txt", FORMATS["text"], leaves, options=options)
    assert report
    assert report.provenance.rules == {"long s as s": 1}


def test_without_a_level_the_text_is_as_stored(tmp_path):
    report = write(tmp_path / "b.txt", FORMATS["text"], [leaf(0, text("Leſſing „ſo“  ſah ."))])
    assert report
    assert "Leſſing „ſo“ ſah ." in (tmp_path / "b.txt").read_text("utf-8")
    assert report.provenance.level is None
