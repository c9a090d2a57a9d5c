"""One page drawn: a manner of printing, a place in the picture, matter, and its target."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from model.training.corpus import Corpus
from model.training.faces import Grey
from model.training.lie import Lie, crooked, flat
from model.training.makeup import (
    Pen,
    lay_out_notes,
    note_scale,
    set_foot,
    set_head,
    set_margin,
    set_notes,
    set_title,
)
from model.training.manner import Frame, Manner, choose_manner, read_families
from model.training.matter import (
    contents,
    drama,
    index,
    picture,
    prose,
    stray_marks,
    table,
    title_page,
    verse,
)
from model.training.sheet import LineKind, Sheet
from model.training.targets import Tokens, page_ids, read_vocabulary

MOST_TOKENS = 2368  # of a page, its end included
TAIL_TOKENS = 120  # of the page before, that a page may follow in one stream
MARGIN_TOKENS = 250  # kept for the notes in a margin
TURNED = 0.012  # share of pages that lie on their side or on their head: nothing is read there

Matter = Callable[[Pen, Iterator[str]], None]
MATTERS: dict[str, tuple[Matter, float]] = {
    "prose": (prose, 0.56),
    "verse": (verse, 0.08),
    "drama": (drama, 0.09),
    "contents": (contents, 0.08),
    "index": (index, 0.035),
    "table": (table, 0.07),
    "title": (title_page, 0.045),
    "picture": (lambda pen, _: picture(pen, pen.rng.uniform(0.3, 0.9)), 0.02),
    "blank": (lambda _pen, _talk: None, 0.02),
}


@dataclass(frozen=True)
class Drawing:
    """A page before it is scanned."""

    ink: Grey  # (S, S), 255 is ink
    labels: Grey  # (S / 4, S / 4), numbers of letters
    ids: list[int]  # to be written; the first `given` of them are not learnt
    given: int
    lie: Lie
    page: tuple[Frame, ...]  # where paper is, px of the flat sheet; two of a spread
    picture: Frame  # what of the square is picture, px
    facing: int  # -1, 1: the neighbour page is seen on the left, right; 0: not
    em: float  # size of the type, px
    book: int  # a number for all pages in one manner
    matter: str
    text: str


class Renderer:
    """Draws pages, several of one book after each other. One a process; seeded."""

    def __init__(self, folder: Path, *, side_px: int, is_held_out: bool = False) -> None:
        """Read text and fonts.

        Args:
            folder: with `corpus.tar.xz`, `fonts/` and `start/tokenizer.json`; with `words/` if
                there are lists of words.
            side_px: of the square that the reader sees.
            is_held_out: draw from the faces and the book that training never sees.
        """
        self.side = side_px
        self.vocabulary = read_vocabulary(folder / "start" / "tokenizer.json")
        self.tokens = Tokens.of(self.vocabulary)
        self._families = read_families(folder / "fonts", is_held_out=is_held_out)
        corpus = Corpus.read(folder / "corpus.tar.xz", is_held_out=is_held_out)
        self._corpus = corpus if is_held_out else corpus.with_words(folder / "words")
        self.seed(0)

    def seed(self, seed: int, *, book_pages: int | None = None) -> None:
        """Begin anew; equal seeds give equal pages.

        Args:
            seed: any number.
            book_pages: how many pages are printed in one manner; None: 4 to 10, by chance.
        """
        self._rng = random.Random(seed)
        self._book_pages = book_pages
        self._left = self._book = 0
        self._before: list[int] = []
        self._manner: Manner | None = None

    def draw(self, *, matter: str | None = None, is_crooked: bool = True) -> Drawing:
        """Draw the next page; `matter` is one of `MATTERS`, any where None."""
        rng, manner = self._rng, self._next_manner()
        names = list(MATTERS)
        chosen = matter or rng.choices(names, [MATTERS[name][1] for name in names])[0]
        picture_frame, pages, facing = _place(manner, self.side, rng)
        sheet = Sheet(self.side, manner, self.vocabulary, MOST_TOKENS - TAIL_TOKENS - 3)
        talk = self._corpus.talk(manner.language, rng, noise=manner.noise)
        for page in pages:
            self._set(sheet, page, chosen, talk)
        _show_facing(sheet.ink, pages[0], facing)
        if manner.has_surroundings and rng.random() < 0.08:
            lay_ruler(sheet.ink, picture_frame, pages, rng)
        lie = crooked(rng, rng.choice([0.0, 1.0, 1.0, 1.0, 1.7])) if is_crooked else flat()
        ids = page_ids(sheet.lines, self.tokens, lie, picture_frame, self.side)
        given = self._tail(ids)
        text = "\n".join(line.text for line in sheet.lines)
        drawing = Drawing(
            sheet.ink, sheet.labels, [*given, *ids], len(given), lie, pages, picture_frame, facing,
            manner.em, self._book, chosen, text,
        )  # fmt: skip
        if matter is None and not manner.is_spread and not facing and rng.random() < TURNED:
            return turned(drawing, rng.choice([1, 2, 3]), self.tokens.end)
        return drawing

    def _next_manner(self) -> Manner:
        if self._left <= 0 or self._manner is None:
            self._manner = choose_manner(self._families, self._corpus, self._rng)
            self._book = self._rng.getrandbits(30)
            self._left = self._book_pages or self._rng.randint(4, 10)
            self._before = []
        self._left -= 1
        return self._manner

    def _tail(self, ids: list[int]) -> list[int]:
        """In a quarter of the pages: the end of the page before, as one stream has it.

        A page is announced behind it where one prompt holds several, not where each has its own.
        """
        before, self._before = self._before, ids[:-1]
        if self._rng.random() > 0.25:
            return []
        kept = before[-self._rng.randint(1, TAIL_TOKENS) :] if before else []
        return [*kept, self.tokens.page] if self._rng.random() < 0.5 or not kept else kept

    def _set(self, sheet: Sheet, page: Frame, matter: str, talk: Iterator[str]) -> None:
        manner, rng = sheet.manner, self._rng
        frame = whole = _text_frame(page, manner, rng)
        beside = 0.0
        if matter in {"prose", "verse"} and manner.columns == 1 and rng.random() < 0.06:
            beside, at_left = frame.width * rng.uniform(0.13, 0.2), rng.random() < 0.5
            gap = beside + 0.6 * manner.em
            frame = Frame(
                frame.left + gap * at_left,
                frame.top,
                frame.right - gap * (not at_left),
                frame.bottom,
            )
        pen = Pen(sheet, rng, frame, frame.top + 0.8 * manner.em)
        setter = MATTERS[matter][0]
        if matter not in {"blank", "title"}:
            set_head(pen, talk)
        notes = lay_out_notes(pen, talk) if matter == "prose" and rng.random() < 0.35 else []
        high = len(notes) * manner.pitch * note_scale(manner) * 1.02
        bottom = frame.bottom - high - (manner.pitch if notes else 0.0)
        few = rng.random() < 0.16 and matter in {"prose", "verse"}
        if few:
            pen.y = rng.uniform(pen.y, max(pen.y, bottom - 3 * manner.pitch))
            bottom = min(bottom, pen.y + rng.randint(1, 16) * manner.pitch)
        reserve = sum(8 + len(row.text) // 2 for row, _ in notes) + MARGIN_TOKENS * (beside > 0)
        sheet.room -= reserve
        _fill_columns(pen, setter, talk, bottom)
        sheet.room += reserve
        if beside:
            set_margin(pen, talk, beside, is_left=frame.left > whole.left)
        if notes:
            pen.frame, pen.y = frame, bottom + manner.pitch
            if rng.random() < 0.5:
                y = bottom + 0.35 * manner.pitch
                sheet.rule(frame.left, frame.left + rng.uniform(0.1, 1) * frame.width, y, 1)
            set_notes(pen, notes)
        pen.frame, pen.y = frame, frame.bottom + manner.pitch * rng.uniform(1.1, 1.8)
        if matter != "blank":
            set_foot(pen, _foot(manner, self._corpus, rng))
        stray_marks(sheet, frame, rng)


def turned(drawing: Drawing, quarters: int, end: int) -> Drawing:
    """The same turned to the left by quarters: a page of which no line is read."""
    side = drawing.ink.shape[0]
    ink = np.ascontiguousarray(np.rot90(drawing.ink, quarters))
    page, picture_frame = drawing.page[0], drawing.picture
    for _ in range(quarters):
        page, picture_frame = (_quarter_left(frame, side) for frame in (page, picture_frame))
    return replace(
        drawing, ink=ink, labels=np.zeros_like(drawing.labels), ids=[end], given=0,
        page=(page,), picture=picture_frame, matter="turned", text="",
    )  # fmt: skip


def _quarter_left(frame: Frame, side: int) -> Frame:
    return Frame(frame.top, side - frame.right, frame.bottom, side - frame.left)


def lay_ruler(
    ink: Grey, picture_frame: Frame, pages: tuple[Frame, ...], rng: random.Random
) -> None:
    """A white ruler on the bed under the page, where there is room; its figures are not read."""
    top, bottom = int(pages[0].bottom) + 4, int(picture_frame.bottom) - 4
    left, right = int(picture_frame.left), int(picture_frame.right)
    high = min(bottom - top, rng.randint(14, 40))
    if high < 14:
        return
    start = left + rng.randint(0, (right - left) // 2)
    strip = ink[top : top + high, start:right]
    strip[:] = 255
    step = rng.uniform(4, 9)
    for tick in range(int((right - start) / step)):
        x = int(tick * step)
        strip[: high // (2 if tick % 10 == 0 else 4), x : x + 1] = 0
        if tick % 10 == 0:
            cv2.putText(
                strip, str(tick // 10), (x + 2, high - 3), cv2.FONT_HERSHEY_SIMPLEX, 0.35, 0
            )


def _fill_columns(pen: Pen, setter: Matter, talk: Iterator[str], bottom: float) -> None:
    """Set matter into one column, or into several under a heading of their own."""
    manner, rng, whole, top = pen.manner, pen.rng, pen.frame, pen.y
    columns = manner.columns
    often = 0.8 if setter is index else 0.35
    if setter in (contents, drama, index) and rng.random() < often and manner.pitch < 25:
        columns = rng.choice([2, 2, 3])
    if setter in (prose, contents, drama, index, table) and rng.random() < 0.12:
        set_title(pen, talk)
        top = pen.y
    gap = manner.em * rng.uniform(1.0, 2.2)
    wide = (whole.width - gap * (columns - 1)) / columns
    for column in range(columns):
        left = whole.left + column * (wide + gap)
        pen.frame = Frame(left, whole.top, left + wide, bottom)
        pen.y = top
        if column and rng.random() < 0.4:
            pen.sheet.bar(left - gap / 2, top - manner.em, bottom, rng.choice([1, 2]))
        setter(pen, talk)
    pen.frame = whole


def _foot(manner: Manner, corpus: Corpus, rng: random.Random) -> list[tuple[LineKind, str, float]]:
    found: list[tuple[LineKind, str, float]] = []
    if manner.number_at == "foot":
        found.append(("page_number", str(rng.randint(1, 640)), rng.choice([0.5, 0.5, 0.0, 1.0])))
    elif rng.random() < 0.08:
        sign = rng.choice("ABCDEFGHIKLMNOPQ") + rng.choice(["", "2", " ij", " iij", "5"])
        found.append(("footer", sign, rng.uniform(0.4, 0.7)))
    is_old = manner.family.kind in {"black", "early"} or manner.has_long_s
    if is_old and rng.random() < 0.4:
        found.append(("footer", manner.text(corpus.word(manner.language, rng), rng), 1.0))
    return [entry for entry in found if entry[1]]


def _place(manner: Manner, side: int, rng: random.Random) -> tuple[Frame, tuple[Frame, ...], int]:
    """Where picture and paper lie in the square, and on which side the neighbour page is seen."""
    aspect = manner.aspect
    paper = aspect / 2 if manner.is_spread else aspect
    across, down = (
        (rng.uniform(0.7, 0.99), rng.uniform(0.74, 0.99)) if manner.has_surroundings else (1, 1)
    )
    whole = paper * across / down  # height over width of the picture
    wide, high = (side / whole, side) if whole >= 1 else (side, side * whole)
    frame = Frame((side - wide) / 2, (side - high) / 2, (side + wide) / 2, (side + high) / 2)
    left = frame.left + rng.random() * (1 - across) * wide
    top = frame.top + rng.random() * (1 - down) * high
    page = Frame(left, top, left + across * wide, top + down * high)
    if manner.is_spread:
        middle = left + page.width * rng.uniform(0.48, 0.52)
        return frame, (page._replace(right=middle), page._replace(left=middle)), 0
    facing = rng.choice([-1, 1]) if manner.has_surroundings and rng.random() < 0.45 else 0
    return frame, (page,), facing


def _text_frame(page: Frame, manner: Manner, rng: random.Random) -> Frame:
    left, top, right, bottom = (
        min(max(share + rng.gauss(0, 0.008), 0.015), 0.25) for share in manner.margins
    )
    return Frame(
        page.left + left * page.width,
        page.top + top * page.height,
        page.right - right * page.width,
        page.bottom - bottom * page.height,
    )


def _show_facing(ink: Grey, page: Frame, facing: int) -> None:
    """Print the neighbour page beside this one: its text, cut off by the picture's edge."""
    side = ink.shape[0]
    if facing > 0:
        start = min(max(int(page.right), 0), side)
        shown = ink[:, int(page.left) : int(page.left) + side - start]
        ink[:, start : start + shown.shape[1]] = shown.copy()
    if facing < 0:
        end = min(max(int(page.left), 0), side)
        shown = ink[:, int(page.right) - end : int(page.right)]
        ink[:, end - shown.shape[1] : end] = shown.copy()
