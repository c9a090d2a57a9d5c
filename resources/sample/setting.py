"""Words to lines of type: widths, hyphenation, justification. Points, x from the line's left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Literal, NamedTuple

import pyphen

from resources.sample.linebreak import Joint, Piece, Spaces, break_lines
from resources.sample.markup import Atom, Manner, Note, Word, Words
from resources.sample.shape import Face, Glyph

Align = Literal["justified", "left", "centre", "right"]
MARKS = "*†‡"
F_AIR = 0.06  # ems


class Type(NamedTuple):
    """A size of type and the distance from baseline to baseline."""

    size_pt: float
    leading_pt: float
    tracking: float = 0.0  # added between letters, in ems


class Run(NamedTuple):
    """Glyphs of one face and size, set one after the other."""

    face: Face
    size_pt: float
    glyphs: tuple[Glyph, ...]
    x_pt: float
    tracking_pt: float
    y_pt: float = 0.0  # below the baseline of the line

    @property
    def width_pt(self) -> float:
        """From the first pen position to the last."""
        units = sum(glyph.advance for glyph in self.glyphs)
        return units * self.size_pt / self.face.units_per_em + self.tracking_pt * len(self.glyphs)


class StyleRange(NamedTuple):
    """A stretch of a line's text in another manner, offsets in code points."""

    start: int
    end: int
    name: Manner


class SetLine(NamedTuple):
    """A line ready for the page."""

    text: str
    runs: tuple[Run, ...]
    styles: tuple[StyleRange, ...]


_hyphens = pyphen.Pyphen(lang="en_GB", left=2, right=3)


def run_of(text: str, manner: Manner, of: Type, x_pt: float = 0.0) -> Run:
    """Shape one run in a manner of a type."""
    face = Face.named("Italic" if manner == "italic" else "Regular")
    features = ("smcp", "c2sc") if manner == "small_caps" else ()
    tracking = of.tracking + (0.04 if manner in ("small_caps", "capitals") else 0.0)
    glyphs = face.shape(text, *features)
    if text.endswith("f"):  # its arm leans into the space after it
        glyphs = (*glyphs[:-1], glyphs[-1].wider(F_AIR * face.units_per_em))
    return Run(face, of.size_pt, glyphs, x_pt, tracking * of.size_pt)


@cache
def _width(text: str, manner: Manner, of: Type) -> float:
    return run_of(text, manner, of).width_pt


def spaces_of(of: Type) -> Spaces:
    """The word space of a type: a quarter of an em, giving more than it takes."""
    em = of.size_pt
    return Spaces(0.24 * em + of.tracking * em, 0.08 * em, 0.05 * em)


def lines_of(words: Words, of: Type, measures_pt: Sequence[float]) -> list[Words]:
    """Break a paragraph into lines; the first part of a divided word has its hyphen."""
    parts = [
        (part, joint)
        for number, word in enumerate(words)
        for part, joint in _parts(word, hyphenate=number < len(words) - 1)
    ]
    pieces = [Piece(_width_of(part, of), joint) for part, joint in parts]
    lines = break_lines(
        pieces, measures_pt=measures_pt, spaces=spaces_of(of), hyphen_pt=_width("-", "roman", of)
    )
    return [_joined(parts[start:end], is_last=end == len(parts)) for start, end in lines]


def set_line(
    words: Words, of: Type, *, measure_pt: float, align: Align, marks: dict[Note, str]
) -> SetLine:
    """Set words on one line of the given width; `marks` says how each note is marked."""
    words = tuple(_with_marks(word, marks) for word in words)
    letters = sum(_width_of(word, of) for word in words)
    gaps = len(words) - 1
    natural = spaces_of(of).width_pt
    spare = measure_pt - letters - gaps * natural
    fills = align == "justified" or spare < 0  # a last line may have to be a little narrower
    space = natural + (spare / gaps if fills and gaps else 0.0)
    x = {"centre": spare / 2, "right": spare}.get(align, 0.0)
    runs: list[Run] = []
    for word in words:
        for atom in word:
            runs.append(run_of(atom.text, atom.manner, of, x))
            x += runs[-1].width_pt
        x += space
    return SetLine(_text_of(words), tuple(runs), _styles_of(words))


def notes_of(words: Words) -> tuple[Note, ...]:
    """The notes whose marks stand among these words."""
    return tuple(atom.note for word in words for atom in word if atom.note)


def _parts(word: Word, *, hyphenate: bool) -> Iterator[tuple[Word, Joint]]:
    """Cut a word where a line may end."""
    done: list[Atom] = []
    for atom in word:
        cuts = _cuts(atom.text) if hyphenate and atom.manner in ("roman", "italic") else {}
        start = 0
        for cut, joint in sorted(cuts.items()):
            yield (*done, atom._replace(text=atom.text[start:cut])), joint
            done, start = [], cut
        done.append(atom._replace(text=atom.text[start:]))
    yield tuple(done), Joint.SPACE


def _cuts(text: str) -> dict[int, Joint]:
    """Places in a word where it may be divided."""
    cuts = {
        found.start() + place: Joint.HYPHEN
        for found in re.finditer(r"[^\W\d_]{5,}", text)
        for place in _hyphens.positions(found.group())
    }
    return cuts | {found.end(): Joint.TIGHT for found in re.finditer(r"(?<=\w)-(?=\w)", text)}


def _joined(parts: Sequence[tuple[Word, Joint]], *, is_last: bool) -> Words:
    """The parts of one line as words again, a hyphen added where the line divides one."""
    words: list[list[Atom]] = [[]]
    for part, joint in parts:
        words[-1] += part
        if joint is Joint.SPACE:
            words.append([])
    if not is_last and parts[-1][1] is Joint.HYPHEN:
        words[-1].append(Atom("-", words[-1][-1].manner))
    return tuple(_merged(word) for word in words if word)


def _merged(word: Iterable[Atom]) -> Word:
    """Neighbouring atoms of one manner as one, so that they are kerned together."""
    groups = groupby(word, key=lambda atom: (atom.manner, atom.note))
    return tuple(
        Atom("".join(atom.text for atom in atoms), manner, note) for (manner, note), atoms in groups
    )


def _with_marks(word: Word, marks: dict[Note, str]) -> Word:
    return tuple(Atom(marks[atom.note]) if atom.note else atom for atom in word)


def _width_of(word: Word, of: Type) -> float:
    return sum(_width(atom.text or MARKS[0], atom.manner, of) for atom in word)


def _printed(atom: Atom) -> str:
    """The letters as a reader sees them: small capitals are capitals."""
    return atom.text.upper() if atom.manner == "small_caps" else atom.text


def _text_of(words: Words) -> str:
    return " ".join("".join(map(_printed, word)) for word in words)


def _styles_of(words: Words) -> tuple[StyleRange, ...]:
    """Italic and small capitals, a stretch going on over the spaces between its words."""
    styles: list[StyleRange] = []
    place = 0
    for word in words:
        for atom in word:
            end = place + len(atom.text)
            if styles and styles[-1].name == atom.manner and styles[-1].end >= place - 1:
                styles[-1] = styles[-1]._replace(end=end)
            elif atom.manner in ("italic", "small_caps"):
                styles.append(StyleRange(place, end, atom.manner))
            place = end
        place += 1
    return tuple(styles)
