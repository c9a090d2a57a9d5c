"""One page as hOCR.

Source: hOCR 1.2. Every region is `ocr_carea > ocr_par > ocr_line > ocrx_word`, without exception,
for readers that look for this chain alone; what a region is stands in its `x_kind`. Properties that
begin with `x_` are free for engines: `x_kind`, `x_state`, and `x_estimated` where no engine gave
the box.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.export.layout import LaidLine, LaidPage, LaidRegion, LaidWord, PagedBook
from app.export.steps import Step, state_of, steps_of, timestamp
from app.export.xml import Element, bytes_of, child, root
from model.api import Box, Kind

NAMESPACE = "http://www.w3.org/1999/xhtml"
_DOCTYPE = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'
)
_CLASSES = ("ocr_page", "ocr_carea", "ocr_par", "ocr_line", "ocrx_word")
_TYPOGRAPHY = {
    "bold": "strong",
    "italic": "em",
    "superscript": "sup",
    "subscript": "sub",
}


def page_bytes(book: PagedBook, page: LaidPage) -> bytes:
    """The file of one page."""
    top = root("html", NAMESPACE)
    language = book.details.language
    if language:
        top.set("lang", language)
        top.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    _head(child(top, "head"), book, page, steps_of(page, book.before(page)))
    _page(child(top, "body"), page)
    return bytes_of(top, doctype=_DOCTYPE, indented=False)


def _head(head: Element, book: PagedBook, page: LaidPage, steps: Sequence[Step]) -> None:
    title = book.details.title or page.image_name
    child(head, "title", text=title)
    kind = "text/html;charset=utf-8"
    child(head, "meta", {"http-equiv": "Content-Type", "content": kind})
    has_words = any(True for _line in page.lines())
    capabilities = " ".join(_CLASSES if has_words else _CLASSES[:1])
    _meta(head, "ocr-system", "; ".join(map(_system, steps)))
    _meta(head, "ocr-capabilities", capabilities)
    _meta(head, "ocr-number-of-pages", "1")
    if book.details.language:
        _meta(head, "ocr-langs", book.details.language)
    for step in steps:
        _meta(head, f"x-{step.kind}", f"{timestamp(step.date)} {_system(step)}, {step.description}")


def _system(step: Step) -> str:
    return f"{step.who} ({step.settings})" if step.settings else step.who


def _meta(head: Element, name: str, content: str) -> None:
    child(head, "meta", {"name": name, "content": content})


def _page(body: Element, page: LaidPage) -> None:
    size = Box(0, 0, page.size.width_px, page.size.height_px)
    name = page.image_name.replace('"', "%22")
    properties = [f'image "{name}"', _bbox(size), f"ppageno {page.page.number}"]
    if page.page.label:
        label = page.page.label.replace('"', "'")
        properties.append(f'lpageno "{label}"')
    if page.size.dpi:
        properties.append(f"scan_res {round(page.size.dpi)} {round(page.size.dpi)}")
    properties.append(f"x_state {state_of(page)}")
    made = _element(body, "div", "ocr_page", f"page_{page.page.number + 1}", properties)
    for order, region in enumerate(page.regions, 1):
        _region(made, region, f"{page.page.number + 1}_{order}")


def _region(made: Element, region: LaidRegion, name: str) -> None:
    properties = [_bbox(region.box), f"x_kind {region.kind}", *_origin(region.origin)]
    if region.kind is Kind.FIGURE and not region.lines:
        _element(made, "div", "ocr_photo", f"block_{name}", properties)
        return
    area = _element(made, "div", "ocr_carea", f"block_{name}", properties)
    parts = [(cell.box, cell.lines) for cell in region.cells] or [(region.box, region.lines)]
    for order, (box, lines) in enumerate(parts, 1):
        if lines:
            part = f"{name}_{order}"
            _lines(_element(area, "p", "ocr_par", f"par_{part}", [_bbox(box)]), lines, part)


def _lines(paragraph: Element, lines: Sequence[LaidLine], name: str) -> None:
    if all(line.direction == "rtl" for line in lines):
        paragraph.set("dir", "rtl")
    for order, line in enumerate(lines, 1):
        properties = [_bbox(line.box), *_origin(line.origin)]
        made = _element(paragraph, "span", "ocr_line", f"line_{name}_{order}", properties)
        for number, word in enumerate(line.words, 1):
            _word(made, word, f"word_{name}_{order}_{number}")


def _word(line: Element, word: LaidWord, name: str) -> None:
    properties = [_bbox(word.box)]
    if word.score is not None:
        properties.append(f"x_wconf {round(100 * min(1.0, max(0.0, word.score)))}")
    made = _element(line, "span", "ocrx_word", name, [*properties, *_origin(word.origin)])
    for style in sorted(word.styles & _TYPOGRAPHY.keys()):
        made = child(made, _TYPOGRAPHY[style])
    made.text = word.text


def _element(
    parent: Element, tag: str, class_: str, name: str, properties: Sequence[str]
) -> Element:
    made = child(parent, tag, {"class": class_, "id": name, "title": "; ".join(properties)})
    made.tail = "\n"  # space between words; within a word there must be none
    return made


def _bbox(box: Box) -> str:
    return "bbox " + " ".join(str(round(edge)) for edge in box)


def _origin(origin: str) -> tuple[str, ...]:
    return () if origin == "exact" else ("x_estimated 1",)
