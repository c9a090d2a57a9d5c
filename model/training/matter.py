"""What stands on a page: prose, verse, drama, contents, tables, titles, pictures, nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import cv2
import numpy as np

from model.training.corpus import ROMAN, number
from model.training.makeup import (
    Pen,
    few_words,
    set_paragraph,
    set_title,
    set_with_initial,
)
from model.training.manner import Frame
from model.training.sheet import Sheet, paste

Talk = Iterator[str]


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
            is_whole = set_paragraph(pen, text, cut, first=first)
        if not is_whole:
            return
        pen.y += manner.paragraph_space * manner.pitch
        is_first = False


def verse(pen: Pen, talk: Talk) -> None:
    """Short lines, in stanzas, some centred or numbered."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut(rng.choice(["regular", "regular", "italic"]))
    stanza, centred, shift = rng.choice([4, 4, 6, 8, 14]), rng.random() < 0.2, rng.uniform(0, 0.2)
    count = 0
    for text in talk:
        words = manner.text(text, rng).split(" ")
        while words:
            length = rng.randint(3, 9)
            row, words = " ".join(words[:length]), words[length:]
            if count % stanza == 0:
                pen.y += 0.7 * manner.pitch if count else 0
                row = f"{count // stanza + 1}. {row}" if rng.random() < 0.2 else row
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
    centred = rng.random() < 0.3
    for entry, text in enumerate(talk, rng.randint(1, 300)):
        words = manner.text(text, rng).split(" ")[: rng.randint(4, 60)]
        name = few_words(" ".join(words), rng, 2)
        name = name.upper() if manner.family.kind != "black" else name
        opening = f"{entry}. {name}" if is_numbered else f"{name}."
        if centred:
            pen.y += 0.3 * manner.pitch
            if pen.is_full or not pen.line(opening, cut, "text", at=0.5):
                return
            opening = ""
        told = f"{opening} {' '.join(words)}".strip()
        if not set_paragraph(pen, told, cut, hanging=hanging):
            return


def contents(pen: Pen, talk: Talk) -> None:
    """Entries, leaders, page numbers."""
    manner, rng = pen.manner, pen.rng
    cut = manner.cut("regular")
    dot = rng.choice(["", ".", ".", ".", " ."])
    page = rng.randint(1, 20)
    while not pen.is_full:
        if rng.random() < 0.12:
            letter = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWZ")
            pen.line(rng.choice([letter, rng.choice(ROMAN) + "."]), cut, "text", at=0.5)
            continue
        entry = few_words(manner.text(next(talk), rng), rng, 7)
        if rng.random() < 0.3:
            entry = f"{rng.choice(ROMAN)}. {entry}"
        page += rng.randint(0, 14)
        if entry and not leader_line(pen, entry, str(page), dot):
            return


def leader_line(pen: Pen, entry: str, end: str, dot: str) -> bool:
    """An entry, leaders made of `dot`, and a number at the right edge; one line to be read."""
    sheet, cut = pen.sheet, pen.manner.cut("regular")
    left, right = sheet.width(entry, cut), sheet.width(end, cut)
    room = pen.frame.width - left - right - 2 * sheet.space(cut)
    each = sheet.width(dot * 20, cut) / 20 if dot else 0.0
    dots = dot * int(room / each) if each and room > 0 else ""
    return _in_columns(pen, [(entry + dots, 0.0), (end, 1.0)])


def table(pen: Pen, talk: Talk) -> None:
    """Rows of cells, with headings, rules or neither."""
    manner, rng = pen.manner, pen.rng
    count = rng.randint(2, 5)
    edges = sorted(rng.uniform(0.35, 0.95) for _ in range(count - 1))
    top = pen.y - manner.em
    if rng.random() < 0.5:
        pen.sheet.rule(pen.frame.left, pen.frame.right, top, 1)
        pen.y += 0.3 * manner.pitch
    for row in range(rng.randint(4, 60)):
        if pen.is_full:
            break
        if rng.random() < 0.1:
            name = few_words(manner.text(next(talk), rng), rng, 4)
            pen.line(name, manner.cut("bold"), "text", at=0.5)
        cells = [(few_words(manner.text(next(talk), rng), rng, 4), 0.0)]
        if rng.random() < 0.4:
            cells[0] = (f"{row + 1}. {cells[0][0]}", 0.0)
        cells += [
            (rng.choice([number(rng), number(rng), "„", "—", "idem."]), edge) for edge in edges
        ]
        cells = [(manner.text(text, rng), at) for text, at in cells]
        if not _in_columns(pen, [cell for cell in cells if cell[0]]):
            break
    if rng.random() < 0.1:
        for edge in edges:
            x = pen.frame.left + edge * pen.frame.width + 0.4 * manner.em
            pen.sheet.bar(x, top, pen.y - manner.em, 1)


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


def _in_columns(pen: Pen, cells: list[tuple[str, float]]) -> bool:
    """A row whose first cell begins at the left edge and others end at a share of the width."""
    cut = pen.manner.cut("regular")
    is_written = pen.sheet.write_cells(cells, pen.frame.left, pen.frame.width, pen.y, cut)
    pen.y += pen.manner.pitch
    return is_written
