"""One page as ALTO XML.

Source: ALTO 4.4, Library of Congress. All blocks stand in the print space, in reading order, which
is told a second time by `ReadingOrder` and `IDNEXT`. A line keeps its printed hyphen within the
word, where every reader finds it; the whole word stands beside it (`SUBS_CONTENT`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import mean

from app.export.layout import LaidLine, LaidPage, LaidRegion, LaidWord, PagedBook
from app.export.steps import Step, steps_of, timestamp
from app.export.xml import Element, bytes_of, child, number, root
from model.api import Box, Kind

NAMESPACE = "http://www.loc.gov/standards/alto/ns-v4#"
_SCHEMA = "http://www.loc.gov/standards/alto/v4/alto-4-4.xsd"
_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")
_ESTIMATED = "TAG_estimated"
_CATEGORIES = {
    "read": "contentGeneration",
    "corrected": "contentModification",
    "written": "postOperation",
}
_STYLES = {
    "bold": "bold",
    "italic": "italics",
    "small_caps": "smallcaps",
    "subscript": "subscript",
    "superscript": "superscript",
}
_COMPOSED = {Kind.TABLE: "table", Kind.FIGURE: "illustration"}


def page_bytes(book: PagedBook, page: LaidPage) -> bytes:
    """The file of one page."""
    top = root("alto", NAMESPACE, schema=_SCHEMA)
    top.set("SCHEMAVERSION", "4.4")
    steps = steps_of(page, book.before(page))
    _describe(child(top, "Description"), book, page, steps)
    _tags(top, page)
    _reading_order(top, page)
    _page(child(top, "Layout"), book, page, last_step=f"PROC_{len(steps)}")
    return bytes_of(top)


def _describe(description: Element, book: PagedBook, page: LaidPage, steps: Sequence[Step]) -> None:
    child(description, "MeasurementUnit", text="pixel")
    image = child(description, "sourceImageInformation")
    child(image, "fileName", text=page.image_name)
    if book.details.shelfmark:
        child(image, "documentIdentifier", text=book.details.shelfmark)
    for order, step in enumerate(steps, 1):
        _step(description, order, step)


def _step(description: Element, order: int, step: Step) -> None:
    made = child(description, "Processing", {"ID": f"PROC_{order}"})
    child(made, "processingCategory", text=_CATEGORIES[step.kind])
    child(made, "processingDateTime", text=timestamp(step.date))
    if step.agency:
        child(made, "processingAgency", text=step.agency)
    child(made, "processingStepDescription", text=step.description)
    if step.settings:
        child(made, "processingStepSettings", text=step.settings)
    if step.name:
        software = child(made, "processingSoftware")
        child(software, "softwareName", text=step.name)
        child(software, "softwareVersion", text=step.version)


def _tags(top: Element, page: LaidPage) -> None:
    kinds = sorted({region.kind for region in page.regions})
    if not kinds:
        return
    tags = child(top, "Tags")
    for kind in kinds:
        child(tags, "LayoutTag", {"ID": f"TAG_{kind}", "LABEL": kind.value})
    said = "position computed from the line, the block or the page"
    attributes = {"ID": _ESTIMATED, "TYPE": "position", "LABEL": "estimated", "DESCRIPTION": said}
    child(tags, "OtherTag", attributes)


def _reading_order(top: Element, page: LaidPage) -> None:
    if not page.regions:
        return
    group = child(child(top, "ReadingOrder"), "OrderedGroup", {"ID": "RO"})
    for order in range(1, len(page.regions) + 1):
        child(group, "ElementRef", {"ID": f"RO_{order}", "REF": f"BLOCK_{order}"})


def _page(layout: Element, book: PagedBook, page: LaidPage, *, last_step: str) -> None:
    language = book.details.language
    size = {"HEIGHT": str(page.size.height_px), "WIDTH": str(page.size.width_px)}
    scores = [word.score for line in page.lines() for word in line.words if word.score is not None]
    attributes = {
        "ID": f"PAGE_{page.page.number + 1}",
        "PAGECLASS": page.page.state.value,
        "PROCESSINGREFS": last_step,
        **size,
        "PHYSICAL_IMG_NR": str(page.page.number + 1),
        "PRINTED_IMG_NR": page.page.label,
        "PC": number(min(1.0, mean(scores))) if scores else "",
        "LANG": language if _LANGUAGE.fullmatch(language) else "",
    }
    made = child(layout, "Page", attributes)
    space = child(made, "PrintSpace", {**size, "HPOS": "0", "VPOS": "0"})
    for order, region in enumerate(page.regions, 1):
        following = f"BLOCK_{order + 1}" if order < len(page.regions) else ""
        _block(space, region, f"BLOCK_{order}", following)


def _block(space: Element, region: LaidRegion, name: str, following: str) -> None:
    tags = f"TAG_{region.kind}" + ("" if region.origin == "exact" else f" {_ESTIMATED}")
    attributes = {
        "ID": name,
        "TAGREFS": tags,
        **_place(region.box),
        "IDNEXT": following,
        "CS": "true" if region.by_hand else "",
    }
    if region.kind is Kind.FIGURE and not region.lines:
        child(space, "Illustration", attributes)
    elif region.kind not in _COMPOSED:
        _lines(child(space, "TextBlock", attributes), region.lines, name)
    else:
        block = child(space, "ComposedBlock", {**attributes, "TYPE": _COMPOSED[region.kind]})
        _parts(block, region, name)


def _parts(block: Element, region: LaidRegion, name: str) -> None:
    """A table's cells, or the text within a picture, as blocks of their own."""
    if region.kind is Kind.FIGURE:
        child(block, "Illustration", {"ID": f"{name}_0", **_place(region.box)})
    parts = [(cell.box, cell.lines) for cell in region.cells] or [(region.box, region.lines)]
    for order, (box, lines) in enumerate(parts, 1):
        part = f"{name}_{order}"
        _lines(child(block, "TextBlock", {"ID": part, **_place(box)}), lines, part)


def _lines(block: Element, lines: Iterable[LaidLine], name: str) -> None:
    for order, line in enumerate(lines, 1):
        attributes = {
            "ID": f"{name}_L{order}",
            "TAGREFS": "" if line.origin == "exact" else _ESTIMATED,
            **_place(line.box),
            "BASEDIRECTION": "rtl" if line.direction == "rtl" else "",
        }
        _words(child(block, "TextLine", attributes), line.words, f"{name}_L{order}")


def _words(line: Element, words: Sequence[LaidWord], name: str) -> None:
    for order, word in enumerate(words, 1):
        if order > 1:
            child(line, "SP", _gap(words[order - 2].box, word.box))
        child(line, "String", _string(word, f"{name}_W{order}"))


def _string(word: LaidWord, name: str) -> dict[str, str]:
    return {
        "ID": name,
        "TAGREFS": "" if word.origin == "exact" else _ESTIMATED,
        **_place(word.box),
        "CONTENT": word.text,
        "STYLE": " ".join(_STYLES[style] for style in sorted(word.styles & _STYLES.keys())),
        "SUBS_TYPE": f"HypPart{word.broken.part}" if word.broken else "",
        "SUBS_CONTENT": word.broken.whole if word.broken else "",
        "WC": "" if word.score is None else number(min(1.0, max(0.0, word.score))),
    }


def _gap(one: Box, other: Box) -> dict[str, str]:
    left, right = min(one.right, other.right), max(one.left, other.left)
    width = max(0, right - left)
    return {"WIDTH": f"{width:.0f}", "HPOS": f"{left:.0f}", "VPOS": f"{one.top:.0f}"}


def _place(box: Box) -> dict[str, str]:
    """The place of anything; boxes are whole pixels."""
    return {
        "HEIGHT": f"{box.height:.0f}",
        "WIDTH": f"{box.width:.0f}",
        "HPOS": f"{box.left:.0f}",
        "VPOS": f"{box.top:.0f}",
    }
