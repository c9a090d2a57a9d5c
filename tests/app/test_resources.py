"""What comes with the application is complete, legible to the window, and has its licence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import ImageFont

import resources
from app.book import PageState
from app.page_words import REASON_WORDS, STATE_WORDS
from resources.sample.shape import Face
from ui.commands import COMMANDS, MENUS

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
ICONS = resources.path("icons")
FONTS = resources.path("fonts")
LINE_ICONS = sorted(path for path in ICONS.glob("*.svg") if path.stem != "incunable")
ACTIONS = (
    "open folder read pause stop read-again previous next first last next-unfinished zoom-in "
    "zoom-out zoom-100 fit-page fit-width find export drop save-copy details settings palette "
    "accept unaccept undo redo history revert info warning error close memory book page "
    "blank-page page-list queue sun moon keyboard help replace"
)
SHAPES = {"path", "circle", "rect", "line", "polyline", "polygon", "ellipse"}


@pytest.mark.parametrize("path", LINE_ICONS, ids=lambda path: path.stem)
def test_line_icon_can_be_recoloured_and_scaled(path: Path):
    svg = ET.fromstring(path.read_text())
    assert svg.get("viewBox") == "0 0 24 24"
    assert svg.get("stroke") == "currentColor"
    assert svg.get("fill") == "none"
    tags = {child.tag.split("}")[1] for child in svg}
    assert tags, "an icon without a line"
    assert tags <= SHAPES
    colours = {child.get(name) for child in svg.iter() for name in ("fill", "stroke")}
    assert colours <= {None, "none", "currentColor"}


def test_every_action_and_every_page_state_has_its_icon():
    wanted = {*ACTIONS.split(), *(f"state-{state}" for state in PageState)}
    assert {path.stem for path in LINE_ICONS} == wanted


def test_page_states_are_told_apart_without_colour():
    drawings = [(ICONS / f"state-{state}.svg").read_text() for state in PageState]
    assert len(set(drawings)) == len(PageState)


def test_readme_of_the_icons_names_each_one():
    named = re.findall(r"^\| `(.+)` \|", (ICONS / "README.md").read_text(), re.MULTILINE)
    assert set(named) == {path.stem for path in LINE_ICONS}


def test_application_icon_has_its_own_colours():
    svg = ET.fromstring((ICONS / "incunable.svg").read_text())
    assert svg.get("viewBox") == "0 0 64 64"
    assert "currentColor" not in ET.tostring(svg, encoding="unicode")


def test_reading_face_is_one_family_of_modest_weight():
    faces = [ImageFont.truetype(path).getname() for path in sorted(FONTS.glob("*.otf"))]
    assert faces == [("Junicode Two Beta", style) for style in ("Bold", "Italic", "Regular")]
    assert sum(path.stat().st_size for path in FONTS.iterdir()) < 3_000_000


@pytest.mark.parametrize("style", ["Regular", "Italic", "Bold"])
def test_reading_face_has_the_letters_of_old_print(style: str):
    wanted = "ſæœßẞþðƿȝꝑꝓꝗꝛꝫ⁊„“”‚‘’«»‹›—–§¶†‡ﬁαβγ\u0303\u0304\u0306\u0308\u0364"
    lacking = {letter for letter in wanted if ord(letter) not in Face.named(style).characters}
    assert not lacking


@pytest.mark.parametrize("style", ["Regular", "Italic"])
def test_reading_face_has_small_capitals_and_ligatures(style: str):
    face = Face.named(style)
    assert face.shape("small", "smcp") != face.shape("small")
    assert face.shape("fi") != face.shape("f") + face.shape("i")
    assert len(face.shape("ct", "hlig", "dlig")) == 1


def test_licence_of_the_program_is_complete():
    lines = (ROOT / "LICENSE").read_text().splitlines()
    assert len(lines) == 661
    assert lines[0].strip() == "GNU AFFERO GENERAL PUBLIC LICENSE"
    assert lines[1].strip() == "Version 3, 19 November 2007"
    assert lines[-1] == "<https://www.gnu.org/licenses/>."


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("fonts/OFL.txt", "SIL OPEN FONT LICENSE Version 1.1"),
        ("icons/LICENSE", "Permission is hereby granted, free of charge"),
    ],
)
def test_licences_lie_beside_what_they_cover(file: str, words: str):
    assert words in resources.path(file).read_text()


# the user's guide

HELP = sorted(resources.path("help").glob("*.md"))
GUIDE = {path.name: path.read_text("utf-8") for path in HELP}


@pytest.mark.parametrize("name", GUIDE)
def test_help_page_has_a_title_and_leads_on(name: str):
    assert re.match(r"# \S", GUIDE[name])
    links = re.findall(r"\]\(([^)]+)\)", GUIDE[name])
    assert links
    assert set(links) <= set(GUIDE)


def test_help_names_all_states_and_reasons_as_the_window_does():
    rows = re.findall(r"^\| ([^|]+?) \|", GUIDE["03-page-states.md"], re.MULTILINE)
    assert {*STATE_WORDS.values(), *REASON_WORDS.values()} <= set(rows)


def test_help_lists_the_keys_that_the_menus_have():
    told = re.findall(r"^\| (.+?) \| (.+) \|$", GUIDE["06-keys.md"], re.MULTILINE)
    real = [
        (command.text.replace("&", ""), " or ".join(command.keys))
        for command in COMMANDS.values()
        if command.keys
    ]
    assert [row for row in told if row != ("command", "keys")] == real


def test_help_sends_people_to_commands_that_are_there():
    known = {
        f"{menu.text} > {command.text}".replace("&", "")
        for menu in MENUS
        for command in (line for group in menu.groups for line in group)
    }
    known |= {"Page > This block is", "Settings > Expert details"}
    sent = {
        place for page in GUIDE.values() for place in re.findall(r"\*\*([^*]+ >[^*]+)\*\*", page)
    }
    assert sent
    assert {" ".join(place.split()) for place in sent} <= known


def test_notice_names_every_library_that_the_project_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[^\w.-]", line)[0].lower() for line in asked}
    notice = resources.path("licences/NOTICE.md").read_text("utf-8").lower()
    assert not {name for name in names if not re.search(rf"\b{re.escape(name)}\b", notice)}


def test_notice_names_every_pinned_library():
    pins = (ROOT / "packaging" / "constraints.txt").read_text().splitlines()
    names = {pin.split("==")[0].lower().replace("_", "-") for pin in pins if "==" in pin}
    notice = resources.path("licences/NOTICE.md").read_text("utf-8").lower().replace("_", "-")
    assert not {name for name in names if not re.search(rf"\b{re.escape(name)}\b", notice)}
