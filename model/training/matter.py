"""What stands on a page: prose, verse, drama, contents, tables, titles, pictures, nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cv2
import numpy as np

from model.training.corpus import ROMAN, number, price
from model.training.makeup import (
    Pen,
    Row,
    break_paragraph,
    few_words,
    set_paragraph,
    set_title,
    set_with_initial,
)
from model.training.manner import Frame, Style
from model.training.sheet import Sheet, paste

Talk = Iterator[str]

LEADER_PITCHES = (0.27, 0.33, 0.4, 0.5, 0.8, 1.2)  # em from dot to dot
MOST_DOTS = 64  # of a line: more cannot be counted, and would teach to go on for ever


def prose(pen: Pen, talk: Talk) -> None:
    """Paragraphs, now and then a heading or a picture between them."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut("regular")
    is_first, begins_inside = True, rng.random() < 0.5
    while not pen.is_full:
        text = manner.text(next(talk), rng)
        if is_first and begins_inside:
            text = text[text.find(" ", rng.randint(0, len(text) // 2)) + 1 :]
        elif not is_first and rng.random() < 0.04:
            pen.y += 0.6 * manner.pitch
            set_title(pen, talk)
        elif rng.random() < 0.015:
            picture(pen, rng.uniform(0.1, 0.3))
        if text and rng.random() < 0.05:
            is_whole = set_with_initial(pen, text, cut)
        else:
            first = 0.0 if is_first and begins_inside else manner.indent * cut.em
            small = manner.has_small_caps and rng.random() < 0.5
            capitals = rng.randint(1, 3) if small else 0
            is_whole = set_paragraph(pen, text, cut, first=first, capitals=capitals)
        if not is_whole:
            return
        pen.y += manner.paragraph_space * manner.pitch
        is_first = False


def verse(pen: Pen, talk: Talk) -> None:
    """Short lines, in stanzas, some centred or numbered."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut(rng.choice(["regular", "regular", "italic"]))
    stanza, centred, shift = rng.choice([4, 4, 6, 8, 14]), rng.random() < 0.2, rng.uniform(0, 0.2)
    count, mark = 0, rng.choice([None, None, ". ", "—", " "])
    for text in talk:
        words = manner.text(text, rng).split(" ")
        while words:
            length = rng.randint(3, 9)
            row, words = " ".join(words[:length]), words[length:]
            if count % stanza == 0:
                pen.y += 0.7 * manner.pitch if count else 0
                row = f"{count // stanza + 1}{mark}{row}" if mark else row
            indent = shift * pen.frame.width + (count % 2) * rng.choice([0.0, 1.5]) * cut.em
            if pen.sheet.width(row, cut) > pen.frame.width - indent:
                continue
            if pen.is_full or not pen.line(
                row, cut, "text", at=0.5 if centred else 0.0, shift=0.0 if centred else indent
            ):
                return
            count += 1


def drama(pen: Pen, talk: Talk) -> None:
    """Speakers and their words, questions and answers, entries with a number."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut("regular")
    is_numbered, hanging = rng.random() < 0.4, rng.choice([0.0, 1.5]) * cut.em
    centred, alternates = rng.random() < 0.3, rng.random() < 0.25
    for entry, text in enumerate(talk, rng.randint(1, 300)):
        words = manner.text(text, rng).split(" ")[: rng.randint(4, 60)]
        name = few_words(" ".join(words), rng, 2)
        is_upper = manner.family.kind != "black" and rng.random() < 0.7
        name = name.upper() if is_upper else name
        opening = f"{entry}. {name}" if is_numbered else f"{name}."
        if centred:
            pen.y += 0.3 * manner.pitch
            if pen.is_full or not pen.line(opening, cut, "text", at=0.5):
                return
            opening = ""
        told = f"{opening} {' '.join(words)}".strip()
        has_small = manner.has_small_caps and opening and is_upper and not is_numbered
        capitals = len(name.split(" ")) if has_small else 0
        chosen = manner.cut("italic") if alternates and entry % 2 else cut
        if not set_paragraph(pen, told, chosen, hanging=hanging, capitals=capitals):
            return


def contents(pen: Pen, talk: Talk) -> None:
    """Entries, leaders, page numbers."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut("regular")
    dots = rng.choice([0.0, *LEADER_PITCHES]) * cut.em
    titles, longest = rng.choice([0.0, 0.06, 0.2]), rng.choice([4, 7, 7, 14])
    style: Style = rng.choice(["regular", "bold", "display"])
    page = rng.randint(1, 20)
    while not pen.is_full:
        if rng.random() < titles:
            letter = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWZ")
            pen.y += rng.uniform(0, 0.8) * manner.pitch
            pen.line(
                rng.choice([letter, rng.choice(ROMAN) + "."]), manner.cut(style), "text", at=0.5
            )
            pen.y += rng.uniform(0, 0.4) * manner.pitch
            continue
        entry = few_words(manner.text(next(talk), rng), rng, longest)
        if rng.random() < 0.25:
            entry = f"{rng.choice(ROMAN)}. {entry}"
        if rng.random() < 0.06:
            entry += rng.choice([" (A)", " (The)", "!", "?", ", etc."])
        page += rng.randint(0, 14)
        if entry and not leader_line(pen, entry, str(page), dots):
            return


def leader_line(pen: Pen, entry: str, end: str, dots: float) -> bool:
    """An entry, leaders of points `dots` px apart (0: none), and a number at the right edge."""
    sheet, cut = pen.sheet, pen.manner.cut("regular")
    room = pen.frame.width - sheet.width(end, cut) - 2 * sheet.space(cut)
    *before, last = break_paragraph(sheet, entry, cut, room) or [Row(entry, 0.0, 0.0)]
    for row in before:
        if pen.is_full or not pen.line(row.text, cut, "text"):
            return False
    if sheet.width(last.text, cut) > room:
        return True
    if not dots:
        return _in_columns(pen, [(last.text, 0.0), (end, 1.0)])
    frame = pen.frame
    pitch = max(dots, frame.width / MOST_DOTS)
    is_written = sheet.write_leader(last.text, end, frame.left, frame.width, pen.y, cut, pitch)
    pen.y += pen.manner.pitch
    return is_written


def index(pen: Pen, talk: Talk) -> None:
    """Names and the pages where they stand, each entry's later lines set in."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut("regular", rng.choice([0.85, 1.0]))
    hanging, most = rng.choice([0.0, 1.0, 1.5]) * cut.em, rng.choice([1, 4, 8])
    pitch = manner.pitch * cut.em / manner.em
    while not pen.is_full:
        name = few_words(manner.text(next(talk), rng), rng, 4)
        if not name:
            continue
        pages = ", ".join(_pages(rng) for _ in range(rng.randint(1, most)))
        entry = f"{name[0].upper()}{name[1:]}, {pages}" + rng.choice(["", "."])
        if not set_paragraph(pen, entry, cut, hanging=hanging, pitch=pitch):
            return
        if rng.random() < 0.05:
            pen.y += rng.uniform(0.5, 1.2) * pitch


def _pages(rng: random.Random) -> str:
    first = rng.randint(1, 700)
    return f"{first}–{first + rng.randint(1, 9)}" if rng.random() < 0.1 else str(first)


def table(pen: Pen, talk: Talk) -> None:
    """Rows of cells, with headings, rules or neither."""
    manner, rng = pen.manner, pen.rng
    count = rng.randint(2, 5)
    edges = [*sorted(rng.uniform(0.35, 0.93) for _ in range(count - 2)), rng.uniform(0.9, 1.0)]
    top = pen.y - manner.em
    is_numbered, titles = rng.random() < 0.4, rng.choice([0.0, 0.1, 0.4])
    dots = rng.choice([0.0, 0.0, *LEADER_PITCHES]) * manner.em if count == 2 else 0.0
    style: Style = rng.choice(["bold", "display", "italic", "regular"])
    make = rng.choice([number, price, _number_or_sign])
    if rng.random() < 0.4:
        pen.sheet.rule(pen.frame.left, pen.frame.right, top, 1)
        pen.y += 0.3 * manner.pitch
    item = rng.randint(1, 300)
    for _ in range(rng.randint(4, 90)):
        if pen.is_full:
            break
        if rng.random() < titles:
            name = few_words(manner.text(next(talk), rng), rng, 4)
            pen.y += rng.uniform(0, 0.9) * manner.pitch
            pen.line(name, manner.cut(style) if manner.can_display(name) else manner.cut("bold"),
                     "text", at=0.5)  # fmt: skip
            pen.y += rng.uniform(0, 0.3) * manner.pitch
        name = few_words(manner.text(next(talk), rng), rng, 6)
        item += rng.choice([1, 1, 1, 2, 3])
        name = f"{item}. {name}" if is_numbered else name
        cells = [(manner.text(make(rng), rng), edge) for edge in edges if rng.random() < 0.93]
        if dots and cells and name:
            is_written = leader_line(pen, name, cells[-1][0] or "—", dots)
        else:
            is_written = _in_columns(pen, [cell for cell in [(name, 0.0), *cells] if cell[0]])
        if not is_written:
            break
    if rng.random() < 0.1:
        for edge in edges[:-1]:
            x = pen.frame.left + edge * pen.frame.width + 0.4 * manner.em
            pen.sheet.bar(x, top, pen.y - manner.em, 1)


def _number_or_sign(rng: random.Random) -> str:
    return rng.choice([number(rng), "„", "—", "idem."])


def title_page(pen: Pen, talk: Talk) -> None:
    """Centred lines of many sizes, a device, place and year."""
    manner, rng = pen.manner, pen.rng
    while pen.y < pen.frame.bottom - 4 * manner.pitch:
        set_title(pen, talk, most=5)
        pen.y += rng.uniform(0.2, 2.5) * manner.pitch
        if rng.random() < 0.12:
            picture(pen, rng.uniform(0.08, 0.2), width=rng.uniform(0.15, 0.4))
    year = manner.text(f"{rng.randint(1480, 1930)}.", rng)
    pen.line(year, manner.cut("regular"), "text", at=0.5)


def picture(pen: Pen, height: float, *, width: float = 1.0) -> None:
    """An engraving, a map, an ornament: ink that says nothing."""
    rng = pen.rng
    high, wide = int(height * pen.frame.height), int(width * pen.frame.width * rng.uniform(0.5, 1))
    if high < 12 or wide < 12 or pen.y + high > pen.frame.bottom:
        return
    left = int(pen.frame.left + (pen.frame.width - wide) / 2)
    paste(pen.sheet.ink, engraving(rng, wide, high), left, int(pen.y - 0.7 * pen.manner.em))
    pen.y += high + pen.manner.pitch


def engraving(rng: random.Random, width: int, height: int) -> np.ndarray:
    """Hatched or toned shapes, (height, width) uint8 ink."""
    seed = np.random.default_rng(rng.getrandbits(32))
    rough = seed.random((max(height // 24, 2), max(width // 24, 2)), np.float32)
    tone = cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.6:
        y, x = np.mgrid[:height, :width].astype(np.float32)
        turn, step = rng.uniform(0, 3.1), rng.uniform(2.5, 6)
        waves = 0.5 + 0.5 * np.sin((x * np.cos(turn) + y * np.sin(turn)) * 6.28 / step)
        tone = (waves < tone).astype(np.float32)
    picture = np.clip(tone * 255 * rng.uniform(0.5, 1), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), 255, rng.randint(1, 4))
    return picture


def stray_marks(sheet: Sheet, frame: Frame, rng: random.Random) -> None:
    """A stamp or a note in pencil, which is not to be read; a frame round the page."""
    manner = sheet.manner
    if rng.random() < 0.04:
        _stamp(sheet, frame, rng)
    if rng.random() < 0.05:
        word = rng.choice(
            ["BIBLIOTHECA", "LIBRARY", "Bibliothek", "R. 1874", "MUSEUM", "Ex libris"]
        )
        cut = manner.cut("italic", rng.uniform(0.8, 1.6))
        x, y = rng.uniform(frame.left, frame.right), rng.uniform(0.0, 1.0)
        edge = frame.top - 1.5 * manner.pitch if y < 0.5 else frame.bottom + 3.2 * manner.pitch
        sheet.blot(word, x - 2 * manner.em, edge, cut, rng.uniform(0.2, 0.5))
    if rng.random() < 0.04:
        gap = rng.uniform(0.8, 1.8) * manner.em
        left, top, right, bottom = frame
        for y in (top - manner.em - gap, bottom + gap):
            sheet.rule(left - gap, right + gap, y, rng.randint(1, 4))
        for x in (left - gap, right + gap):
            sheet.bar(x, top - manner.em - gap, bottom + gap, rng.randint(1, 4))


def _stamp(sheet: Sheet, frame: Frame, rng: random.Random) -> None:
    """A library's stamp, round or oval, where there is no text: its words are not read."""
    wide = rng.uniform(2.2, 4.5) * sheet.manner.em
    high = wide * rng.uniform(0.5, 1.0)
    x = rng.uniform(frame.left + wide, max(frame.right - wide, frame.left + wide))
    y = rng.choice([frame.top - sheet.manner.em - 1.3 * high, frame.bottom - high])
    if y < high or y + high > sheet.side:
        return
    if sheet.ink[int(y - high) : int(y + high), int(x - wide) : int(x + wide)].any():
        return  # there is text
    ring = np.zeros_like(sheet.ink)
    middle, axes = (int(x), int(y)), (int(wide), int(high))
    for share in (1.0, rng.uniform(0.6, 0.8)):
        inner = (int(axes[0] * share), int(axes[1] * share))
        cv2.ellipse(ring, middle, inner, 0, 0, 360, int(rng.uniform(90, 220)), rng.randint(1, 2))
    np.maximum(sheet.ink, ring, out=sheet.ink)
    word = rng.choice(["BIBL.", "REGIA", "B. N.", "K. B.", "M. C.", "1892"])
    sheet.blot(word, x - 0.3 * wide, y + 0.2 * high, sheet.manner.cut("regular", 0.7), 0.6)


def _in_columns(pen: Pen, cells: list[tuple[str, float]]) -> bool:
    """A row whose first cell begins at the left edge and others end at a share of the width."""
    cut = pen.manner.cut("regular")
    is_written = pen.sheet.write_cells(cells, pen.frame.left, pen.frame.width, pen.y, cut)
    pen.y += pen.manner.pitch
    return is_written
