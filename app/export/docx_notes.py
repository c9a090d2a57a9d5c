"""Footnotes and comments of a Word document: the parts that python-docx lacks, or is slow with.

Word opens a file without repair when the footnotes part holds its two separators, the settings name
them, and every reference has its note; all three are seen to here and in `docx_look`.

Source:
    ECMA-376 part 1, 11.3.7 and 17.11 (footnotes), 17.13.4 (comments).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart

from app.export.docx_xml import Element, add, new, paragraph, run

if TYPE_CHECKING:
    from docx.document import Document as WordDocument


class Footnotes:
    """The footnotes part: numbers are given at the reference, the text may come later."""

    def __init__(self, word: WordDocument, *, is_rtl: bool) -> None:
        self._root = new("footnotes")
        self._is_rtl = is_rtl
        self._numbers: dict[str, int] = {}  # of notes whose text has not come
        self._count = 0
        for number, name in ((-1, "separator"), (0, "continuationSeparator")):
            separator = add(self._root, "footnote", type=name, id=str(number))
            add(add(add(separator, "p"), "r"), name)
        package = word.part.package
        assert package is not None
        name = PackURI("/word/footnotes.xml")
        part = XmlPart(name, CONTENT_TYPE.WML_FOOTNOTES, cast("Any", self._root), package)
        word.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)

    def refer(self, parent: Element, note: str) -> None:
        """Add the reference to a note to a paragraph of the text."""
        self._count += 1
        self._numbers[note] = self._count
        reference = run(parent, "", manner="FootnoteReference")
        add(reference, "footnoteReference", id=str(self._count))

    def begin(self, note: str) -> Element | None:
        """The paragraph that takes a note's text; None if nothing referred to it."""
        number = self._numbers.pop(note, None)
        if number is None:
            return None
        footnote = add(self._root, "footnote", id=str(number))
        footnote.append(paragraph("FootnoteText", is_rtl=self._is_rtl))
        add(run(footnote[0], "", manner="FootnoteReference"), "footnoteRef")
        run(footnote[0], " ")
        return footnote[0]


class Comments:
    """The comments part; made when the first comment comes.

    python-docx looks through all comments for each new one: 3,000 took 8 s.
    """

    def __init__(self, word: WordDocument, author: str) -> None:
        self._word = word
        self._author = author
        self._root: Element | None = None
        self._count = 0
        self._date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def begin(self, parent: Element) -> None:
        """What follows in this paragraph is commented on."""
        add(parent, "commentRangeStart", id=str(self._count))

    def end(self, parent: Element, text: str) -> None:
        """What came since `begin` was commented on."""
        number = str(self._count)
        self._count += 1
        add(parent, "commentRangeEnd", id=number)
        add(run(parent, "", manner="CommentReference"), "commentReference", id=number)
        said = {"id": number, "author": self._author, "date": self._date, "initials": "I"}
        comment = add(self._part(), "comment", **said)
        comment.append(paragraph("CommentText"))
        add(run(comment[0], "", manner="CommentReference"), "annotationRef")
        run(comment[0], text)

    def _part(self) -> Element:
        if self._root is None:
            assert len(self._word.comments) == 0  # asking for them makes the part
            part = self._word.part.part_related_by(RELATIONSHIP_TYPE.COMMENTS)
            self._root = cast("Element", cast("XmlPart", part).element)
        return self._root
