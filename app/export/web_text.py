"""Blocks as well-formed XHTML text, shared by HTML files and the chapters of an EPUB.

What no reader should count as the book's own words (note marks and their links) has the class
`mark`; the way back from a file goes by that.
"""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Callable

from app.export import wording
from app.export.blocks import (
    Block,
    Editorial,
    Figure,
    Heading,
    Inline,
    Inlines,
    Item,
    ListBlock,
    Note,
    NoteRef,
    PageMark,
    PageNote,
    Paragraph,
    Picture,
    Run,
    Table,
    TableCell,
    text_of,
)
from app.export.document import PageMarks
from app.export.markup import element, empty, escaped

_ELEMENTS = {"italic": "em", "bold": "strong", "superscript": "sup", "subscript": "sub"}
_CLASSES = {"small_caps": "small-caps", "letter_spaced": "spaced"}
STYLE = """\
body { max-width: 40em; margin: 1em auto; padding: 0 1em; line-height: 1.5; }
.small-caps { font-variant: small-caps; }
.spaced { letter-spacing: 0.15em; }
.page { color: #666; font-size: 0.8em; }
.page.break { break-before: page; page-break-before: always; }
.printed { list-style: none; padding-left: 1.5em; }
.note { font-size: 0.9em; margin: 0.5em 0 0.5em 1.5em; }
.page-note { color: #666; font-size: 0.8em; }
.running-head, .page-number, .footer { color: #666; text-align: center; }
.doubt { border-bottom: 1px dotted; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid #999; padding: 0.2em 0.5em; vertical-align: top; }
"""


class WebText:
    """Writes blocks; remembers which places have been named, as a name may stand once only."""

    def __init__(
        self,
        marks: PageMarks,
        *,
        direction: str = "",
        is_epub: bool = False,
        keep_picture: Callable[[Picture], str] | None = None,
    ) -> None:
        """Take how pages are shown.

        Args:
            marks: what stands where a page begins.
            direction: of the whole book; "" lets each block say its own.
            is_epub: whether the words of EPUB are added.
            keep_picture: puts a picture somewhere and gives its address; None: in the text itself.
        """
        self._keep_picture = keep_picture or _in_the_text
        self._marks: PageMarks = marks
        self._direction = direction
        self._is_epub = is_epub
        self._named: set[str] = set()
        self._is_first_page = True

    def block(self, block: Block) -> str:
        """A block with the line end after it."""
        match block:
            case PageMark():
                return f"{self._page_mark(block, 'div')}\n"
            case Heading():
                content = self.inlines(block.inlines)
                return f"{element(f'h{block.level}', content, self._way(block.inlines))}\n"
            case Paragraph():
                return f"{self._paragraph(block)}\n"
            case ListBlock():
                items = "".join(f"{self._item(item)}\n" for item in block.items)
                return element("ul", f"\n{items}", {"class": "printed"}) + "\n"
            case Table():
                return f"{self._table(block)}\n"
            case Note():
                return f"{self._note(block)}\n"
            case PageNote():
                said = element("p", escaped(wording.page_note(block)))
                return element("aside", said, {"class": "page-note", "role": "note"}) + "\n"
            case Figure():
                return f"{self._figure(block)}\n"

    def inlines(self, inlines: Inlines) -> str:
        """Inlines as they stand within a block."""
        return "".join(map(self._inline, inlines))

    def _inline(self, inline: Inline) -> str:
        match inline:
            case Run():
                return _run(inline)
            case NoteRef():
                return self._reference(inline)
            case Editorial():
                return f' <span class="editorial">{escaped(wording.editorial(inline))}</span>'
            case PageMark():
                space = " " if wording.page_mark(inline, self._marks) else ""
                return f"{space}{self._page_mark(inline, 'span')}"

    def _paragraph(self, paragraph: Paragraph) -> str:
        role = "" if paragraph.role == "text" else paragraph.role.replace("_", "-")
        given = {"class": role, **self._way(paragraph.inlines)}
        return element("p", self.inlines(paragraph.inlines), given)

    def _page_mark(self, mark: PageMark, name: str) -> str:
        is_break = self._marks == "breaks" and name == "div" and not self._is_first_page
        self._is_first_page = False
        number = str(mark.number + 1)
        given = {"class": "page break" if is_break else "page", "id": mark.anchor}
        if self._is_epub:
            given |= {"epub:type": "pagebreak", "role": "doc-pagebreak"}
            given |= {"aria-label": mark.label or number}
        else:
            given |= {"data-scan": number, "data-label": mark.label}
        return element(name, escaped(wording.page_mark(mark, self._marks)), given)

    def _reference(self, ref: NoteRef) -> str:
        given = {
            "class": "mark",
            "id": self._name_once(f"r-{ref.note}"),
            "href": f"#n-{ref.note}",
            "role": "doc-noteref",
            **self._epub("noteref"),
        }
        return element("a", element("sup", escaped(ref.mark or "*")), given)

    def _note(self, note: Note) -> str:
        text = self.inlines(note.inlines)
        given = {"class": "note", "id": f"n-{note.id}"}
        if note.is_linked:
            back = {"class": "mark", "href": f"#r-{note.id}", "role": "doc-backlink"}
            text = f"{element('a', escaped(note.mark or '*'), back)} {text}"
            given |= {"role": "doc-footnote", **self._epub("footnote")}
        else:  # not a footnote to readers: they show those only where a mark leads to them
            text = f"{escaped(wording.loose_note(note))} {text}"
        return element("aside", element("p", text, self._way(note.inlines)), given)

    def _item(self, item: Item) -> str:
        mark = f"{escaped(item.mark)} " if item.mark else ""
        return element("li", f"{mark}{self.inlines(item.inlines)}", self._way(item.inlines))

    def _table(self, table: Table) -> str:
        rows = (element("tr", "".join(map(self._cell, row))) for row in table.rows)
        return element("table", "\n" + "".join(f"{row}\n" for row in rows))

    def _cell(self, cell: TableCell) -> str:
        given = {
            "rowspan": str(cell.row_span) if cell.row_span > 1 else "",
            "colspan": str(cell.column_span) if cell.column_span > 1 else "",
            **self._way(cell.inlines),
        }
        return element("th" if cell.is_heading else "td", self.inlines(cell.inlines), given)

    def _figure(self, figure: Figure) -> str:
        read = self.inlines(figure.inlines)
        if figure.picture is None:
            content = element("p", f"{escaped(wording.figure())} {read}".rstrip())
        else:
            content = self._picture(figure.picture, figure)
            content += element("p", read) if read else ""
        if figure.caption:
            content += element("figcaption", self.inlines(figure.caption))
        return element("figure", content)

    def _picture(self, picture: Picture, figure: Figure) -> str:
        said = " ".join(text_of(figure.caption or figure.inlines).split())
        given = {
            "src": self._keep_picture(picture),
            "alt": said or wording.figure(),
            "width": str(picture.width_px),
            "height": str(picture.height_px),
        }
        return empty("img", given)

    def _way(self, inlines: Inlines) -> dict[str, str]:
        """Where the text runs to the left and the book as a whole does not say so."""
        is_left = not self._direction and runs_left(text_of(inlines))
        return {"dir": "rtl"} if is_left else {}

    def _epub(self, kind: str) -> dict[str, str]:
        return {"epub:type": kind} if self._is_epub else {}

    def _name_once(self, name: str) -> str:
        is_new = name not in self._named
        self._named.add(name)
        return name if is_new else ""


def runs_left(text: str) -> bool:
    """Whether the first letter that has a direction is of a script that runs to the left."""
    ways: Callable[[str], str] = unicodedata.bidirectional
    return next((way in {"R", "AL"} for way in map(ways, text) if way in {"L", "R", "AL"}), False)


def _in_the_text(picture: Picture) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(picture.jpeg).decode()}"


def _run(run: Run) -> str:
    text = escaped(run.text).replace("\n", "<br/>")
    for name, tag in _ELEMENTS.items():
        if name in run.styles:
            text = element(tag, text)
    classes = " ".join(each for name, each in _CLASSES.items() if name in run.styles)
    if classes:
        text = element("span", text, {"class": classes})
    if run.doubt is not None:
        text = element("span", text, {"class": "doubt", "title": wording.doubt(run.doubt)})
    return text
