"""How one book is printed and photographed: face, sizes, margins, spelling, where the page lies."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from model.training.alphabet import ALPHABET, with_early_letters, with_long_s, with_tildes
from model.training.corpus import Corpus
from model.training.faces import Cut, Face

Kind = Literal["roman", "black", "early", "mono", "display"]
Style = Literal["regular", "italic", "bold", "display"]

BLACK = (
    "yfrak",
    "UnifrakturMaguntia-Book",
    "Blankenburg_UNZ1A",
    "Gamaliel",
    "yswab",
    "ygoth",
    "GrenzeGotisch-Regular",
)
DISPLAY = ("QTHelvetCnd-Black", "QTHelvetCnd")  # for headings only
WITHOUT_LONG_S = ("QTFraktur", "unifrakturcook-latin-700-normal")  # no letter for it: not used
EARLY = ("Rusch-GoticoAntiqua100G", "Zainer-GoticoAntiqua96G")
MONO = ("CourierPrime", "GNUTypewriter", "NimbusMonoPS-Regular", "special-elite-latin-400-normal")
HELD_OUT = ("Crimson-Roman", "Crimson-Italic", "Vollkorn-Regular", "GoudyBookletter1911")
BLACK_WEIGHTS = {"yfrak": 6.0, "UnifrakturMaguntia-Book": 6.0, "yswab": 2.0}  # true Fraktur first
OLD_ROMAN = ("IMFeENrm28P", "Essays1743", "JunicodeTwoBeta-Regular", "EBGaramond12-Regular")
WITH_CT = ("EBGaramond12-Regular", "LinLibertine_R")  # whose dlig joins ct and st and no more
INSTEAD = {"‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "⸗": "-"}


class Family(NamedTuple):
    """A face and its italic."""

    kind: Kind
    regular: Face
    italic: Face | None


class Frame(NamedTuple):
    """A rectangle, px of the view, y down."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Top to bottom."""
        return self.bottom - self.top


@dataclass
class Manner:
    """What stays the same for some pages of a book."""

    family: Family
    language: str
    pitch: float  # from line to line, px
    em: float
    width: float
    weight: float
    margins: tuple[float, float, float, float]  # left, top, right, bottom: shares of the page
    aspect: float  # height of a page over its width
    is_spread: bool
    has_surroundings: bool  # the picture shows more than the page
    is_justified: bool
    divides_words: bool
    indent: float  # em
    word_space: float
    paragraph_space: float  # lines
    head: Literal["none", "capitals", "italic", "plain"]
    number_at: Literal["none", "head", "foot", "middle"]
    columns: int
    italics: float  # share of words where a run of italics, or of bold, begins
    stress: Style  # what these are set in
    is_italic: bool
    is_spaced: bool  # stress is given by spaces between letters
    has_long_s: bool
    has_early_letters: bool
    tildes: float
    has_e_above: bool  # for the dots of umlauts
    has_small_caps: bool  # names are set in them
    noise: float
    mend: dict[int, str | None]  # letters that the face lacks
    features: tuple[str, ...]
    display: Face | None  # of headings, where it is another one
    cuts: dict[tuple[str, float], Cut]

    def cut(self, style: Style, scale: float = 1.0) -> Cut:
        """The book's face at `scale` times the size of its text."""
        key = (style, round(scale, 2))
        if key not in self.cuts:
            self.cuts[key] = self._make(style, scale)
        return self.cuts[key]

    def can_display(self, text: str) -> bool:
        """Whether the face of headings has all its letters."""
        return self.display is not None and set(text) - {" "} <= self.display.letters

    def spell(self, word: str) -> str:
        """A word as this printer spells it."""
        if self.has_early_letters:
            word = with_early_letters(word)
        return with_long_s(word) if self.has_long_s and "s" in word else word

    def text(self, paragraph: str, rng: random.Random) -> str:
        """A paragraph with only letters that this printer has."""
        if self.tildes and rng.random() < self.tildes:
            some = (with_tildes(w) if rng.random() < 0.15 else w for w in paragraph.split(" "))
            paragraph = " ".join(some)
        return " ".join(paragraph.translate(self.mend).split())

    def _make(self, style: Style, scale: float) -> Cut:
        if style == "display" and self.display is not None:
            return Cut(self.display, self.em * scale, width=self.width)
        italic = self.family.italic
        is_italic = (style == "italic") != (self.is_italic and style != "bold")
        leans = is_italic and italic is None and self.family.kind in {"roman", "mono"}
        return Cut(
            italic if is_italic and italic is not None else self.family.regular,
            self.em * scale,
            width=self.width,
            weight=self.weight + (0.016 if style in {"bold", "display"} else 0.0),
            slant=0.2 if leans else 0.0,
            features=self.features,
            has_e_above=self.has_e_above,
        )


def read_families(folder: Path, *, is_held_out: bool) -> list[Family]:
    """The faces of a folder, those held out of training or the others."""
    paths = {
        path.stem: path for path in sorted(folder.iterdir()) if path.suffix in {".otf", ".ttf"}
    }
    families: list[Family] = []
    for name, path in paths.items():
        if (name in HELD_OUT) is not is_held_out or name in WITHOUT_LONG_S:
            continue
        italic = _italic_name(name)
        if italic == name:
            continue
        other = paths.get(italic)
        families.append(Family(_kind(name), Face(path), Face(other) if other else None))
    return families


def choose_manner(families: list[Family], corpus: Corpus, rng: random.Random) -> Manner:
    """Begin another book."""
    language = corpus.pick_language(rng)
    displays = [family.regular for family in families if family.kind == "display"]
    family = _choose_family(families, language, rng)
    is_old = family.kind in {"early", "black"} or family.regular.name in OLD_ROMAN
    long_s = "ſ" in family.regular.letters and rng.random() < (
        0.97 if family.kind == "black" else 0.6 if is_old else 0.14
    )
    early = long_s and family.kind != "black" and rng.random() < 0.3
    pitch = _pitch(rng)
    is_spread = rng.random() < 0.08
    return Manner(
        family=family,
        language=language,
        pitch=pitch,
        em=pitch / rng.uniform(1.0, 1.42),
        width=rng.uniform(0.86, 1.14) * (0.85 if family.kind == "mono" else 1.0),
        weight=rng.gauss(0.004, 0.010),
        margins=_margins(rng),
        aspect=rng.uniform(1.25, 1.85) if rng.random() < 0.92 else rng.uniform(0.7, 1.25),
        is_spread=is_spread,
        has_surroundings=is_spread or rng.random() < 0.5,
        is_justified=rng.random() < 0.88,
        divides_words=rng.random() < 0.85,
        indent=rng.choice([0.0, 1.0, 1.0, 1.5, 2.0]),
        word_space=rng.uniform(0.8, 1.3),
        paragraph_space=rng.choice([0.0, 0.0, 0.0, 0.5]),
        head=rng.choice(["none", "capitals", "capitals", "italic", "plain"]),
        number_at=rng.choice(["none", "head", "head", "foot", "middle"]),
        columns=1 if pitch > 25 else rng.choices([1, 2, 3], [0.87, 0.11, 0.02])[0],
        italics=rng.choice(
            [0.0, 0.01, 0.03, 0.06] if family.kind != "black" else [0.0] * 5 + [0.02]
        ),
        stress="bold" if family.italic is None or rng.random() < 0.15 else "italic",
        is_italic=family.italic is not None and rng.random() < 0.07,
        is_spaced=rng.random() < (0.4 if family.kind == "black" else 0.05),
        has_long_s=long_s,
        has_early_letters=early,
        tildes=0.5 if early and rng.random() < 0.5 else 0.0,
        has_e_above=family.kind == "black" and rng.random() < 0.35,
        has_small_caps=family.kind == "roman" and rng.random() < 0.15,
        noise=rng.choice([0.0, 0.05, 0.05, 0.5]),
        mend=_mend(family),
        display=rng.choice(displays) if displays and rng.random() < 0.15 else None,
        cuts={},
        features=("dlig",) if family.regular.name in WITH_CT and rng.random() < 0.3 else (),
    )


def _choose_family(families: list[Family], language: str, rng: random.Random) -> Family:
    black = [family for family in families if family.kind == "black"]
    if black and rng.random() < (0.78 if language == "de" else 0.02):
        weights = [BLACK_WEIGHTS.get(family.regular.name, 1.0) for family in black]
        return rng.choices(black, weights)[0]
    others = [family for family in families if family.kind not in {"black", "display"}]
    weights = [
        0.3
        if family.kind in {"mono", "early"}
        else 2.5
        if family.regular.name in OLD_ROMAN
        else 1.0
        for family in others
    ]
    return rng.choices(others, weights)[0]


def _kind(name: str) -> Kind:
    if name in BLACK:
        return "black"
    if name in DISPLAY:
        return "display"
    return "early" if name in EARLY else "mono" if name in MONO else "roman"


def _italic_name(name: str) -> str:
    stem = name.replace("-Roman", "").replace("-Regular", "").replace("Regular", "").rstrip("-")
    if name.endswith(("Italic", "-italic", "-Ita", "ENit28P")):
        return name
    named = {
        "lmroman10-regular": "lmroman10-italic",
        "Baskervaldx-Reg": "Baskervaldx-Ita",
        "GFSDidot": "GFSDidotItalic",
        "IMFeENrm28P": "IMFeENit28P",
    }
    return named.get(name, f"{stem}-Italic")


def _mend(family: Family) -> dict[int, str | None]:
    """What stands for each letter that a face does not have."""
    known = family.regular.letters & (family.italic or family.regular).letters
    return {
        ord(letter): INSTEAD[letter] if INSTEAD.get(letter) in known else None
        for letter in ALPHABET
        if letter not in known and letter != " "
    }


def _pitch(rng: random.Random) -> float:
    size = rng.random()
    if size < 0.3:
        return rng.uniform(11.5, 16)
    if size < 0.86:
        return rng.uniform(15, 27)
    return rng.uniform(26, 40) if size < 0.97 else rng.uniform(40, 64)


def _margins(rng: random.Random) -> tuple[float, float, float, float]:
    return (
        rng.uniform(0.04, 0.17),
        rng.uniform(0.03, 0.13),
        rng.uniform(0.04, 0.17),
        rng.uniform(0.03, 0.15),
    )
