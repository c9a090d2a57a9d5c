"""TEI, EPUB, HTML and DOCX proved with software that nobody here wrote.

Where a program is absent the test says so; in CI (`CI=true`) that is red. `.ci/run` installs them.
LibreOffice has no filter for EPUB (7.4): pandoc reads those.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pypandoc
import pytest

from app.book import Mark, Region
from app.export.document import ExportOptions
from app.export.formats import FLOWING
from model.api import Box, Cell, Kind, Style
from tests.export.placed import placed_book
from tests.export.samples import Leaves, Manner, leaf, small_book, text
from tests.export.test_flowing_formats import large_table
from tests.export.test_formats import write
from tests.export.test_outside import program, run

pytestmark = [pytest.mark.unit, pytest.mark.slow]

ODD = [
    leaf(0, text("天地玄黃 𝔘𝔫𝔦 e\u0301a\u0364 \x07\x0b\ufffe<b>&amp; ]]>"), text("שלום עולם")),
    leaf(1, large_table()),
    leaf(2),
]
INLINE = {"Emph", "Link", "SmallCaps", "Span", "Strong", "Superscript", "Subscript"}
BOOKS: dict[str, Leaves] = {"small": small_book(), "placed": placed_book(), "odd": ODD}


def written(folder: Path, name: str, leaves: Leaves, **options) -> Path:
    path = folder / f"{len(list(folder.iterdir()))}{FLOWING[name].suffix}"
    assert write(path, FLOWING[name], leaves, options=ExportOptions(**options))
    return path


def words(printed: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", printed))


def test_jing_finds_the_tei_valid(tmp_path, shared):
    schema = shared / "schemas" / "tei_all.rng"
    if not schema.exists():
        pytest.skip("the schemas do not lie beside this checkout")
    for leaves in BOOKS.values():
        written(tmp_path, "tei", leaves, running_heads=True, doubts_as_comments=True)
        written(tmp_path, "tei", leaves, join_hyphens=False)
    checked = run(program("jing"), schema, *sorted(tmp_path.glob("*.xml")))
    assert checked.returncode == 0, checked.stdout
    assert len(list(tmp_path.glob("*.xml"))) == 6


PIECES = [
    *(
        "the",
        "brew-",
        "er*",
        "¹",
        "1)",
        "* note",
        "Ver⸗",
        "ſo",
        "שלום",
        "天地",
        "\x07",
        "<b>",
        "&amp;",
    ),
    *("\u2028", "\u00ad", "a\u0364", "(1)", "—", "- x", "IV.", "𝔘", "''", '"', "]]>", "--", "#"),
]
MANNERS: list[Manner] = ["italic", "bold", "small_caps", "superscript"]


def any_book(chance: Random) -> Leaves:
    """A book in which anything may stand beside anything."""
    return [
        leaf(
            number,
            *(any_region(chance) for _region in range(chance.randint(0, 5))),
            label=chance.choice(["", "iv", "1 2", '"']),
            note=chance.choice(["", "said\nof <it>"]),
        )
        for number in range(chance.randint(1, 8))
    ] + [leaf(8, text("The end."))]


def any_region(chance: Random) -> Region:
    kind = chance.choice(list(Kind))
    if kind is Kind.TABLE:
        rows = tuple(
            tuple(
                Cell(any_line(chance), chance.randint(1, 3), chance.randint(1, 3))
                for _cell in range(chance.randint(0, 4))
            )
            for _row in range(chance.randint(1, 4))
        )
        return Region(kind, "", rows=rows)
    printed = "\n".join(any_line(chance) for _line in range(chance.randint(0, 5)))
    return Region(
        kind,
        printed,
        chance.choice([None, Box(0, 0, 10, 10)]),
        styles=tuple(
            Style(*any_stretch(chance, printed), chance.choice(MANNERS)) for _style in range(2)
        ),
        marks=(Mark(*any_stretch(chance, printed), "gap", chance.choice(["", "guess <x>"])),),
    )


def any_line(chance: Random) -> str:
    return " ".join(chance.choices(PIECES, k=chance.randint(0, 6)))


def any_stretch(chance: Random, printed: str) -> tuple[int, int]:
    ends = sorted(chance.randint(0, len(printed)) for _end in range(2))
    return ends[0], ends[1]


def test_jing_finds_any_book_valid(tmp_path, shared):
    schema = shared / "schemas" / "tei_all.rng"
    if not schema.exists():
        pytest.skip("the schemas do not lie beside this checkout")
    chance = Random(1871)
    for _book in range(40):
        level = chance.choice([None, 1, 2, 3])
        heads = chance.random() < 0.5
        written(tmp_path, "tei", any_book(chance), level=level, running_heads=heads)
    checked = run(program("jing"), schema, *sorted(tmp_path.glob("*.xml")))
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(("leaves", "marks"), [(small_book(), "marks"), (ODD, "none")])
def test_epubcheck_finds_no_fault(tmp_path, leaves, marks):
    path = written(tmp_path, "epub", leaves, page_marks=marks, running_heads=True)
    # Debian's program is the archive itself, which not every system can start as one
    checked = run("java", "-jar", str(Path(program("epubcheck")).resolve()), path)
    assert checked.returncode == 0, checked.stderr
    assert "No errors or warnings detected" in checked.stdout


@pytest.mark.parametrize("name", ["html", "epub"])
def test_pandoc_finds_every_word(tmp_path, name):
    path = written(tmp_path, name, small_book(), page_marks="none", running_heads=True)
    order = [pypandoc.get_pandoc_path(), "-t", "json", path]
    tree = json.loads(subprocess.run(order, capture_output=True, check=True).stdout)
    found = words("".join(strings(tree["blocks"])))
    plain = written(tmp_path, "text", small_book(), page_marks="none", running_heads=True)
    printed = plain.read_text("utf-8").split("\f", 1)[1]
    missing = words(printed) - found
    assert set(missing) - {"1"} == {"night¹"}  # note marks are no text there


def strings(node: object) -> Iterator[str]:
    """All text of pandoc's tree, a space where it has one and around each block."""
    if isinstance(node, list):
        for each in node:
            yield from strings(each)
    elif isinstance(node, dict):
        is_mark = node.get("t") == "Link" and "mark" in node["c"][0][1]
        if node.get("t") == "Str":
            yield node["c"]
        elif not is_mark:
            yield " " if node.get("t") not in INLINE else ""
            yield from strings(node.get("c", []))
            yield " " if node.get("t") not in INLINE else ""


def test_libreoffice_prints_the_docx_with_every_word(tmp_path):
    path = written(tmp_path, "docx", small_book(), page_marks="none", running_heads=True)
    profile = (tmp_path / "profile").as_uri()
    done = run(
        program("soffice"),
        f"-env:UserInstallation={profile}",
        "--headless",
        "--convert-to",
        "pdf",
        "--outdir",
        tmp_path,
        path,
    )
    assert done.returncode == 0, done.stderr
    found = words(run(program("pdftotext"), path.with_suffix(".pdf"), "-").stdout)
    plain = written(tmp_path, "text", small_book(), page_marks="none", running_heads=True)
    printed = plain.read_text("utf-8").split("\f", 1)[1]
    missing = words(printed) - found
    assert sum(missing.values()) <= 8, missing  # note marks are numbered anew, a font lacks 𝔘𝔫𝔦
