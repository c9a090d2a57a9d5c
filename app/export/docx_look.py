"""How a transcript looks in Word: one table of styles, the page, and what the file says of itself.

Every manner of setting is a style, defined here once and named by the runs and paragraphs; a reader
changes the whole book by changing a style.

Source:
    ECMA-376 part 1, 17.7 (styles), 17.15 (settings); element order as in its schema wml.xsd.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.shared import Mm

from app.export import wording
from app.export.docx_xml import Element, W, parsed

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.opc.part import XmlPart
    from docx.package import Package

    from app.export.document import Document

FONT = "Cambria"  # comes with Word; LibreOffice has Caladea, of the same measure
TEXT_WIDTH = 9070  # twentieths of a point: A4 less the margins

_FAINT = '<w:color w:val="626A76"/><w:sz w:val="17"/><w:szCs w:val="17"/>'
_LOUD = '<w:b/><w:bCs/><w:color w:val="9A5B00"/><w:sz w:val="17"/><w:szCs w:val="17"/>'

# id: (kind, name as Word knows it, based on, paragraph properties, run properties)
_STYLES: dict[str, tuple[str, str, str, str, str]] = {
    "Normal": ("paragraph", "Normal", "", "", ""),
    "Heading1": (
        "paragraph",
        "heading 1",
        "Normal",
        '<w:keepNext/><w:keepLines/><w:spacing w:before="480" w:after="120"/>'
        '<w:jc w:val="center"/><w:outlineLvl w:val="0"/>',
        '<w:sz w:val="34"/><w:szCs w:val="34"/>',
    ),
    "Heading2": (
        "paragraph",
        "heading 2",
        "Normal",
        '<w:keepNext/><w:keepLines/><w:spacing w:before="360" w:after="60"/>'
        '<w:jc w:val="center"/><w:outlineLvl w:val="1"/>',
        '<w:sz w:val="26"/><w:szCs w:val="26"/>',
    ),
    "BodyText": ("paragraph", "Body Text", "Normal", '<w:ind w:firstLine="340"/>', ""),
    "FirstParagraph": (
        "paragraph",
        "First Paragraph",
        "BodyText",
        '<w:spacing w:before="120"/><w:ind w:firstLine="0"/>',
        "",
    ),
    "ListParagraph": (
        "paragraph",
        "List Paragraph",
        "Normal",
        '<w:tabs><w:tab w:val="left" w:pos="567"/></w:tabs><w:ind w:left="567" w:hanging="397"/>',
        "",
    ),
    "Equation": (
        "paragraph",
        "Equation",
        "Normal",
        '<w:spacing w:before="120" w:after="120"/><w:jc w:val="center"/>',
        "",
    ),
    "Figure": (
        "paragraph",
        "Figure",
        "Normal",
        '<w:keepNext/><w:spacing w:before="240" w:after="60"/><w:jc w:val="center"/>',
        '<w:color w:val="626A76"/>',
    ),
    "Caption": (
        "paragraph",
        "caption",
        "Normal",
        '<w:spacing w:before="60" w:after="240"/><w:jc w:val="center"/>',
        '<w:i/><w:iCs/><w:sz w:val="20"/><w:szCs w:val="20"/>',
    ),
    "TableText": (
        "paragraph",
        "Table Text",
        "Normal",
        '<w:spacing w:line="240" w:lineRule="auto"/>',
        '<w:sz w:val="20"/><w:szCs w:val="20"/>',
    ),
    "TableHeading": ("paragraph", "Table Heading", "TableText", "<w:keepNext/>", "<w:b/><w:bCs/>"),
    "RunningHead": (
        "paragraph",
        "Running Head",
        "Normal",
        '<w:spacing w:before="120" w:after="120"/><w:jc w:val="center"/>',
        _FAINT,
    ),
    "PageMark": (
        "paragraph",
        "Page Mark",
        "Normal",
        '<w:keepNext/><w:spacing w:before="120" w:after="60"/><w:jc w:val="right"/>',
        _FAINT,
    ),
    "PageNotice": (
        "paragraph",
        "Page Notice",
        "Normal",
        '<w:spacing w:before="120" w:after="60"/><w:jc w:val="right"/>',
        _LOUD,
    ),
    "PageMarkInline": ("character", "Page Mark Inline", "", "", _FAINT),
    "PageNoticeInline": ("character", "Page Notice Inline", "", "", _LOUD),
    "Editorial": ("character", "Editorial", "", "", '<w:color w:val="2B5C8A"/>'),
    "FootnoteText": (
        "paragraph",
        "footnote text",
        "Normal",
        '<w:spacing w:line="240" w:lineRule="auto"/>',
        '<w:sz w:val="19"/><w:szCs w:val="19"/>',
    ),
    "LooseNote": (
        "paragraph",
        "Loose Note",
        "FootnoteText",
        '<w:spacing w:before="80" w:after="80"/>',
        "",
    ),
    "FootnoteReference": (
        "character",
        "footnote reference",
        "",
        "",
        '<w:vertAlign w:val="superscript"/>',
    ),
    "CommentText": ("paragraph", "annotation text", "Normal", "", '<w:sz w:val="20"/>'),
    "CommentReference": ("character", "annotation reference", "", "", '<w:sz w:val="16"/>'),
}
_KEPT = {"DefaultParagraphFont", "TableNormal", "NoList", "TableGrid"}
_BUILT_IN = {"Normal", "Body Text", "List Paragraph"}  # the others that Word knows are lower-case
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_STYLES_WITH_EFFECTS = "http://schemas.microsoft.com/office/2007/relationships/stylesWithEffects"


def dress(word: WordDocument, document: Document) -> None:
    """Give an empty Word document its styles, page and properties."""
    _set_styles(word, document)
    _set_page(word)
    _set_settings(word)
    _set_properties(word, document)
    _drop_strangers(word)


def _set_styles(word: WordDocument, document: Document) -> None:
    styles = cast("Element", word.styles.element)
    for style in styles.findall(f"{W}style"):
        if style.get(f"{W}styleId") not in _KEPT:
            styles.remove(style)
    styles.replace(styles.find(f"{W}docDefaults"), _defaults(_language(document)))
    for style_id, definition in _STYLES.items():
        styles.append(_style(style_id, *definition))


def _style(style_id: str, kind: str, name: str, base: str, paragraph: str, run: str) -> Element:
    says = {"type": kind, "styleId": style_id}
    if style_id == "Normal":
        says["default"] = "1"
    if not (name.islower() or name in _BUILT_IN):
        says["customStyle"] = "1"
    inner = f'<w:name w:val="{name}"/>'
    inner += f'<w:basedOn w:val="{base}"/>' if base else ""
    inner += "<w:qFormat/>"
    inner += f"<w:pPr>{paragraph}</w:pPr>" if paragraph else ""
    inner += f"<w:rPr>{run}</w:rPr>" if run else ""
    return parsed("style", inner, **says)


def _defaults(language: str) -> Element:
    """Book face and air for all; the language, so that Word spells the right one."""
    return parsed(
        "docDefaults",
        "<w:rPrDefault><w:rPr>"
        f'<w:rFonts w:ascii="{FONT}" w:hAnsi="{FONT}" w:eastAsia="{FONT}" w:cs="Times New Roman"/>'
        '<w:sz w:val="22"/><w:szCs w:val="22"/>'
        f'<w:lang w:val="{language}" w:eastAsia="{language}" w:bidi="{language}"/>'
        "</w:rPr></w:rPrDefault>"
        '<w:pPrDefault><w:pPr><w:spacing w:after="0" w:line="288" w:lineRule="auto"/>'
        "</w:pPr></w:pPrDefault>",
    )


def _language(document: Document) -> str:
    """The book's language; "x-none" tells Word to spell none."""
    language = document.details.language
    return language if _LANGUAGE.fullmatch(language) else "x-none"


def _set_page(word: WordDocument) -> None:
    section = word.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin = section.bottom_margin = Mm(25)


def _set_settings(word: WordDocument) -> None:
    settings = cast("Element", word.settings.element)
    settings.find(f"{W}zoom").set(f"{W}percent", "100")
    settings.remove(settings.find(f"{W}proofState"))
    compat = settings.find(f"{W}compat")
    for setting in compat.findall(f"{W}compatSetting"):
        if setting.get(f"{W}name") == "compatibilityMode":
            setting.set(f"{W}val", "15")
    separators = '<w:footnote w:id="-1"/><w:footnote w:id="0"/>'
    compat.addprevious(parsed("footnotePr", separators))


def _set_properties(word: WordDocument, document: Document) -> None:
    details = document.details
    core = word.core_properties
    core.title = details.title[:255]
    core.author = details.author[:255]
    core.language = _language(document)
    core.identifier = details.shelfmark[:255]
    core.last_modified_by = wording.made_with()
    core.created = core.modified = datetime.now(UTC).replace(tzinfo=None)
    core.comments = ""
    said = [f"{wording.made_with()}.", *wording.provenance(document.provenance)]
    if details.year:
        said.insert(0, wording.printed(details.year))
    _described(word).text = " ".join(said)


def _described(word: WordDocument) -> Element:
    """The element of the comments; python-docx takes only 255 letters, the format any number."""
    part = _package(word).part_related_by(RELATIONSHIP_TYPE.CORE_PROPERTIES)
    element = cast("Element", cast("XmlPart", part).element)
    return element.find("{http://purl.org/dc/elements/1.1/}description")


def _drop_strangers(word: WordDocument) -> None:
    """Leave out what the template's author left in it: a thumbnail, statistics, other styles."""
    package = _package(word)
    strangers = {
        RELATIONSHIP_TYPE.THUMBNAIL,
        RELATIONSHIP_TYPE.EXTENDED_PROPERTIES,
        RELATIONSHIP_TYPE.CUSTOM_XML,
        RELATIONSHIP_TYPE.NUMBERING,
        _STYLES_WITH_EFFECTS,
    }
    for rels in (package.rels, word.part.rels):
        for key in [key for key, rel in rels.items() if rel.reltype in strangers]:
            del rels[key]
    name, kind = PackURI("/docProps/app.xml"), CONTENT_TYPE.OFC_EXTENDED_PROPERTIES
    package.relate_to(Part(name, kind, _PROGRAM, package), RELATIONSHIP_TYPE.EXTENDED_PROPERTIES)


def _package(word: WordDocument) -> Package:
    package = word.part.package
    assert package is not None
    return package


_PROGRAM = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Properties xmlns='
    b'"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    b"<Application>Incunable</Application></Properties>"
)
