"""Text made into lines: paragraphs broken; heads, feet and notes put in their place."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from model.training.alphabet import breaks
from model.training.corpus import ROMAN
from model.training.faces import Cut
from model.training.manner import Frame, Manner, Style
from model.training.sheet import Initial, LineKind, Setting, Sheet

TRIM = ".,;:—–-“”‘’«»„ "
NOTE_MARKS = ("*", "†", "1", "2", "3", "(1)", "(2)", "[1]", "*)", "**)", "¹")


DISPLAYED: tuple[Style, ...] = ("display",) * 8  # a book with such a face uses it


class Row(NamedTuple):
    """A line of a paragraph before it is drawn."""

    text: str
    indent: float  # px
    stretch: float  # added to each space, px


@dataclass
class Pen:
    """Goes down a column."""

    sheet: Sheet
    rng: random.Random
    frame: Frame
    y: float

    @property
    def manner(self) -> Manner:
        """Of the book."""
        return self.sheet.manner

    @property
    def is_full(self) -> bool:
        """Whether no line goes below the last."""
        return self.y > self.frame.bottom

    def line(
        self,
        text: str,
        cut: Cut,
        kind: LineKind,
        *,
        at: float = 0.0,
        shift: float = 0.0,
        setting: Setting | None = None,
        pitch: float = 0.0,
    ) -> bool:
        """Write a line and go to the next; `at` is 0 at the left, 0.5 centred, 1 at the right."""
        setting = setting or Setting()
        room = self.frame.width - shift
        width = self.sheet.width(text, cut, setting.tracking)
        x = self.frame.left + shift + max(0.0, (room - width) * at)
        is_written = self.sheet.write(text, x, self.y, cut, kind, setting=setting, rng=self.rng)
        self.y += pitch or self.manner.pitch
        return is_written


def break_paragraph(
    sheet: Sheet, text: str, cut: Cut, width: float, *, first: float = 0.0, limit: int = 200
) -> list[Row]:
    """Break a paragraph into lines of `width` px, the first `first` px shorter."""
    manner = sheet.manner
    space = sheet.space(cut)
    words = [word for word in text.split(" ") if word]
    rows: list[Row] = []
    row: list[str] = []
    used, indent, place = 0.0, first, 0
    while place < len(words) and len(rows) < limit:
        word = words[place]
        wide = cut.word(manner.spell(word)).width
        needed = wide + (space if row else 0.0)
        left = width - indent - used
        if needed <= left + 0.2 * space * len(row) or (not row and wide > width - indent):
            row.append(word)
            used += needed
            place += 1
            if wide <= width - indent or place < len(words):
                continue
            break
        head, tail = _divide(word, cut, left - (space if row else 0.0), manner)
        if head:
            row.append(head)
            used += cut.word(manner.spell(head)).width + (space if len(row) > 1 else 0.0)
            words[place] = tail
        rows.append(Row(" ".join(row), indent, _stretch(row, width - indent - used, space, manner)))
        row, used, indent = [], 0.0, 0.0
    if row and len(rows) < limit:
        rows.append(Row(" ".join(row), indent, 0.0))
    return rows


def set_paragraph(
    pen: Pen,
    text: str,
    cut: Cut,
    kind: LineKind = "text",
    *,
    first: float = 0.0,
    hanging: float = 0.0,
    pitch: float = 0.0,
    capitals: int = 0,
) -> bool:
    """Set a paragraph down to the foot of the column; False when sheet or column is full.

    Args:
        pen: where.
        text: of the paragraph.
        cut: of its letters.
        kind: of its lines.
        first: indent of the first line, px.
        hanging: indent of the others, px.
        pitch: from line to line, px; 0 is that of the book.
        capitals: so many words at the beginning are set in small capitals.
    """
    manner = pen.manner
    tracking = 0.0
    if capitals:
        words = text.split(" ")
        text = " ".join([*(word.upper() for word in words[:capitals]), *words[capitals:]])
    if manner.is_spaced and pen.rng.random() < 0.04:
        tracking = pen.rng.uniform(0.1, 0.2) * cut.em
        text = " ".join(text.split(" ")[: pen.rng.randint(2, 8)])
    stress = 0.0 if manner.family.kind == "mono" else manner.italics
    for row in break_paragraph(
        pen.sheet, text, cut, pen.frame.width - hanging, first=first - hanging
    ):
        if pen.is_full:
            return False
        setting = Setting(space=row.stretch, tracking=tracking, stress=stress, capitals=capitals)
        capitals = 0
        if not pen.line(
            row.text, cut, kind, shift=row.indent + hanging, setting=setting, pitch=pitch
        ):
            return False
    return True


def set_with_initial(pen: Pen, text: str, cut: Cut) -> bool:
    """Set a paragraph that begins with a letter two or three lines high."""
    manner, lines = pen.manner, pen.rng.choice([2, 2, 3])
    letter, rest = text[0], text[1:].lstrip()
    height = (lines - 1) * manner.pitch + cut.x_height * 1.4
    big = manner.cut("regular", min(max(height / (0.68 * manner.em), 1.5), 6.0))
    room = big.word(letter).width + 0.15 * cut.em
    if not letter.isalpha() or room > 0.4 * pen.frame.width:
        return set_paragraph(pen, text, cut)
    beside = break_paragraph(pen.sheet, rest, cut, pen.frame.width - room, limit=lines)
    for number, row in enumerate(beside):
        base = pen.y + (lines - 1) * manner.pitch
        initial = Initial(letter, big, pen.frame.left, base) if number == 0 else None
        setting = Setting(space=row.stretch, initial=initial)
        if pen.is_full or not pen.line(row.text, cut, "text", shift=room, setting=setting):
            return False
    told = " ".join(row.text for row in beside)
    left = rest[len(told) :].lstrip() if rest.startswith(told) else ""
    return set_paragraph(pen, left, cut) if left else True


def few_words(text: str, rng: random.Random, most: int) -> str:
    """The first words of a paragraph, as a heading has them."""
    return " ".join(text.split(" ")[: rng.randint(1, most)]).strip(TRIM)


def set_head(pen: Pen, talk: Iterator[str]) -> None:
    """Running head and page number over the text."""
    manner, rng, sheet = pen.manner, pen.rng, pen.sheet
    number = _page_number(rng)
    if manner.number_at == "middle":
        marks = rng.choice(["— {} —", "{}", "( {} )", "[{}]", "– {} –"])
        text = manner.text(marks.format(number), rng)
        pen.line(text, manner.cut("regular"), "page_number", at=0.5)
        pen.y += manner.pitch * rng.uniform(0.2, 1.0)
        return
    if manner.head == "none" and manner.number_at != "head":
        return
    start = pen.y
    title, cut, tracking = _head_words(pen, talk)
    at_left = rng.random() < 0.5
    with_number = manner.number_at == "head"
    if with_number and at_left:
        sheet.write(number, pen.frame.left, start, manner.cut("regular"), "page_number")
    if manner.head != "none" and title:
        at = 0.5 if with_number else rng.choice([0.0, 0.5, 0.5, 1.0])
        pen.line(title, cut, "header", at=at, setting=Setting(tracking=tracking))
    if with_number and not at_left:
        wide = sheet.width(number, manner.cut("regular"))
        sheet.write(number, pen.frame.right - wide, start, manner.cut("regular"), "page_number")
    if rng.random() < 0.15:
        sheet.rule(pen.frame.left, pen.frame.right, start + 0.45 * manner.em, rng.randint(1, 2))
    pen.y = start + manner.pitch * rng.uniform(1.3, 2.1)


def set_margin(pen: Pen, talk: Iterator[str], room: float, *, is_left: bool) -> None:
    """Notes in the margin beside the text, `room` px wide; read after it."""
    manner, rng, text = pen.manner, pen.rng, pen.frame
    cut = note_cut(manner)
    gap = 0.6 * manner.em
    left = text.left - gap - room if is_left else text.right + gap
    pen.frame = Frame(left, text.top, left + room, text.bottom)
    pen.y = text.top + rng.uniform(1, 8) * manner.pitch
    while pen.y < text.bottom - 6 * manner.pitch:
        words = few_words(manner.text(next(talk), rng), rng, 12)
        for row in break_paragraph(pen.sheet, words, cut, room, limit=7):
            pitch = manner.pitch * note_scale(manner)
            if pen.is_full or not pen.line(row.text, cut, "footnote", pitch=pitch):
                break
        pen.y += rng.uniform(1, 12) * manner.pitch
    pen.frame = text


def set_foot(pen: Pen, kinds: list[tuple[LineKind, str, float]]) -> None:
    """Page number, signature and catchword under the text."""
    for kind, text, at in kinds:
        pen.line(text, pen.manner.cut("regular", 0.9), kind, at=at)
        pen.y -= pen.manner.pitch


def set_title(pen: Pen, talk: Iterator[str], *, most: int = 7) -> None:
    """A heading of one or two lines."""
    manner, rng = pen.manner, pen.rng
    for _ in range(rng.choice([1, 1, 2])):
        words = few_words(manner.text(next(talk), rng), rng, most)
        text = rng.choice([f"CHAPTER {rng.choice(ROMAN)}.", rng.choice(ROMAN) + ".", words, words])
        if manner.family.kind != "black" and rng.random() < 0.4:
            text = text.upper().replace("ſ", "S")
        styles: tuple[Style, ...] = ("regular", "regular", "bold", "italic")
        style = rng.choice(styles if manner.display is None else (*styles, *DISPLAYED))
        if style == "display" and not manner.can_display(text):
            style = "bold"
        cut = manner.cut(style, rng.choice([0.9, 1.0, 1.15, 1.3, 1.6, 2.0]))
        tracking = rng.choice([0.0, 0.0, 0.06, 0.14, 0.3]) * cut.em
        if not text or pen.sheet.width(text, cut, tracking) > pen.frame.width:
            continue
        pen.y += max(0.0, cut.em - manner.em) * 0.8 + rng.uniform(0, 0.8) * manner.pitch
        at = 0.5 if rng.random() < 0.85 else 0.0
        pen.line(text, cut, "title", at=at, setting=Setting(tracking=tracking))
        pen.y += rng.uniform(0.1, 1.0) * manner.pitch
    if rng.random() < 0.2:
        middle, half = (
            pen.frame.left + pen.frame.width / 2,
            pen.frame.width * rng.uniform(0.05, 0.2),
        )
        pen.sheet.rule(middle - half, middle + half, pen.y - 0.5 * manner.pitch, rng.randint(1, 2))
        pen.y += 0.6 * manner.pitch


def lay_out_notes(pen: Pen, talk: Iterator[str]) -> list[tuple[Row, bool]]:
    """Lines of one to four notes, of which the text must leave room; set by `set_notes`."""
    manner, rng = pen.manner, pen.rng
    cut = note_cut(manner)
    rows: list[tuple[Row, bool]] = []
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        text = f"{rng.choice(NOTE_MARKS)} {manner.text(next(talk), rng)}"
        broken = break_paragraph(
            pen.sheet, text, cut, pen.frame.width, first=cut.em, limit=rng.randint(1, 6)
        )
        rows += [(row, number == 0) for number, row in enumerate(broken)]
    return rows[:14]


def set_notes(pen: Pen, rows: list[tuple[Row, bool]]) -> None:
    """Set notes under the text."""
    cut = note_cut(pen.manner)
    for row, _ in rows:
        setting = Setting(space=row.stretch)
        pitch = pen.manner.pitch * note_scale(pen.manner) * 1.02
        pen.line(row.text, cut, "footnote", shift=row.indent, setting=setting, pitch=pitch)


def note_scale(manner: Manner) -> float:
    """Size of notes against that of the text: the same for a book."""
    return 0.74 + 0.14 * (manner.width - 0.86) / 0.28 if manner.width < 1.14 else 0.82


def note_cut(manner: Manner) -> Cut:
    """The face of notes."""
    return manner.cut("regular", note_scale(manner))


def _head_words(pen: Pen, talk: Iterator[str]) -> tuple[str, Cut, float]:
    manner, rng = pen.manner, pen.rng
    text = few_words(manner.text(next(talk), rng), rng, 6)
    cut, tracking = manner.cut("regular", rng.choice([0.8, 0.9, 1.0])), 0.0
    if manner.head == "capitals" and manner.family.kind != "black":
        text = text.upper()
        tracking = rng.choice([0.0, 0.05, 0.12, 0.35]) * cut.em
    if manner.head == "italic":
        cut = manner.cut("italic")
    if pen.sheet.width(text, cut, tracking) > 0.7 * pen.frame.width:
        text = text.split(" ")[0][:12]
    return text, cut, tracking


def _page_number(rng: random.Random) -> str:
    if rng.random() < 0.07:
        return rng.choice(ROMAN) if rng.random() < 0.5 else rng.choice(ROMAN).lower()
    return str(rng.randint(1, 640)) + ("." if rng.random() < 0.06 else "")


def _divide(word: str, cut: Cut, room: float, manner: Manner) -> tuple[str, str]:
    """A word in two where its first part fits `room` px; the first is empty where none does."""
    if not manner.divides_words:
        return "", word
    mark = "⸗" if manner.family.kind == "black" and "⸗" in manner.family.regular.letters else "-"
    for place in reversed(breaks(word)):
        head = word[:place] + mark
        if cut.word(manner.spell(head)).width <= room:
            return head, word[place:]
    return "", word


def _stretch(row: list[str], left: float, space: float, manner: Manner) -> float:
    if not manner.is_justified or len(row) < 2:
        return 0.0
    each = left / (len(row) - 1)
    return max(each, -0.4 * space) if each < 2.5 * space else 0.0
