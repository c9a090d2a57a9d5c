"""Does a paragraph plainly run on where a page or a column ends, and if so, made into one.

The page mark then stands after the word that the page's end broke, never within it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from app.desk.hyphens import HyphenJoin, Hyphens, PrintedLine
from app.export.blocks import Inline, Inlines, Joint, PageMark, Run, text_of
from app.export.inlines import ideographs

_ENDS = ".!?…:。！？：؟۔"
_CLOSING = "\"'”’“‘»«)]}›‹ *†‡"
_OPENING = "\"'“‘„‚”’»«([{›‹ "
_TAIL = 200  # letters that decide on a broken word


def runs_on(first: Inlines, second: Inlines, hyphens: Hyphens | None) -> bool:
    """Whether the second text is plainly the end of the first paragraph.

    It is where a word is broken between them, or where the first has no mark of a sentence's end
    and the second begins with a small letter.
    """
    before, after = text_of(first).rstrip(), text_of(second).lstrip()
    if not before or not after or not isinstance(second[0], Run):
        return False
    if _broken_word(first, second, hyphens):
        return True
    ends = before.rstrip(_CLOSING)[-1:] in _ENDS
    return not ends and after.lstrip(_OPENING)[:1].islower()


def continued(
    first: Inlines, second: Inlines, hyphens: Hyphens | None, mark: PageMark | None = None
) -> Inlines:
    """Both as one paragraph, the mark of the second one's page within it."""
    marks = (mark,) if mark else ()
    join = _broken_word(first, second, hyphens)
    if join:
        word, rest = _after_first_word(second)
        return _merged((*_joined(first, join), *word, *marks, *rest))
    if ideographs(text_of(first), text_of(second)):
        return _merged((*first, *marks, *second))
    return _merged((*first, *marks, Run(" "), *second))


def _broken_word(first: Inlines, second: Inlines, hyphens: Hyphens | None) -> HyphenJoin | None:
    if hyphens is None or not isinstance(first[-1], Run) or not isinstance(second[0], Run):
        return None
    starts = (line for each in reversed(first) if isinstance(each, Run) for line in each.lines[-1:])
    last = next(starts, None)
    at = last and PrintedLine(last.page, last.region, last.line)
    return hyphens.decide(text_of(first[-2:])[-_TAIL:], text_of(second[:2])[:_TAIL], at=at)


def _joined(first: Inlines, join: HyphenJoin) -> Inlines:
    last = first[-1]
    assert isinstance(last, Run)
    stem = last.text[:-1]
    joint = Joint(len(stem), join)
    return (*first[:-1], replace(last, text=stem + join.infix, joins=(*last.joins, joint)))


def _after_first_word(inlines: Inlines) -> tuple[Inlines, Inlines]:
    """Cut before the first space; the second part begins with it."""
    for index, each in enumerate(inlines):
        space = re.search(r"\s", each.text) if isinstance(each, Run) else None
        if isinstance(each, Run) and space:
            head, tail = _cut(each, space.start())
            return (*inlines[:index], head), (tail, *inlines[index + 1 :])
    return inlines, ()


def _cut(run: Run, at: int) -> tuple[Run, Run]:
    before = tuple(joint for joint in run.joins if joint.at <= at)
    after = tuple(Joint(joint.at - at, joint.join) for joint in run.joins if joint.at > at)
    begun = tuple(line for line in run.lines if line.at < at)
    begin = tuple(line._replace(at=line.at - at) for line in run.lines if line.at >= at)
    return replace(run, text=run.text[:at], joins=before, lines=begun), replace(
        run, text=run.text[at:], joins=after, lines=begin
    )


def _merged(inlines: Inlines) -> Inlines:
    """Neighbours in the same manner as one run."""
    merged: list[Inline] = []
    for each in inlines:
        last = merged[-1] if merged else None
        if isinstance(each, Run) and isinstance(last, Run) and _alike(last, each):
            moved = tuple(Joint(joint.at + len(last.text), joint.join) for joint in each.joins)
            lines = tuple(line._replace(at=line.at + len(last.text)) for line in each.lines)
            merged[-1] = replace(
                last,
                text=last.text + each.text,
                joins=(*last.joins, *moved),
                lines=(*last.lines, *lines),
            )
        elif not isinstance(each, Run) or each.text:
            merged.append(each)
    return tuple(merged)


def _alike(one: Run, other: Run) -> bool:
    return one.styles == other.styles and one.doubt is None and other.doubt is None
