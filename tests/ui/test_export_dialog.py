"""Exports are ordered whole, nothing is overwritten in silence, and how it goes is told."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.book import Book, Details, Page, PageState
from app.errors import ExportError
from app.export.document import ExportOptions
from app.export.formats import ExportReport
from app.export.survey import Survey
from app.exporting import ExportOrder
from tests.export.placed import export_paged
from ui.export_dialog import ExportDialog
from ui.numbers import whole

pytestmark = pytest.mark.ui

STATES = Counter({PageState.PROOFREAD: 3, PageState.READ: 2, PageState.UNREAD: 1})
BOOK = Book(
    "b",
    (Path("/books/nubis.pdf"),),
    "f",
    Details(title="Nubis: eine/Reise"),
    tuple(
        Page(number, label="iv" if number == 3 else "", state=state)
        for number, state in enumerate(STATES.elements())
    ),
)
LEFT = Qt.MouseButton.LeftButton
STAMP = re.compile(r"\d{4}-\d\d-\d\dT[^<\"]*")


@pytest.fixture
def folder(tmp_path):
    return tmp_path


@pytest.fixture
def dialog(folder, qtbot):
    dialog = ExportDialog(BOOK, folder=folder)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def ordered(dialog, qtbot) -> ExportOrder:
    with qtbot.waitSignal(dialog.ordered) as told:
        qtbot.mouseClick(dialog.export, LEFT)
    return told.args[0]


def test_the_summary_is_honest(dialog):
    assert dialog.summary.text() == "3 of 6 pages proofread, 2 read, 1 unread"


def test_the_defaults_export_the_whole_book_beside_its_title(dialog, folder, qtbot):
    assert ordered(dialog, qtbot) == ExportOrder(
        folder / "Nubis eine Reise.md", "markdown", ExportOptions()
    )


def test_all_choices_arrive_in_the_order(dialog, folder, qtbot):
    form = dialog.form
    form.format.setCurrentIndex(form.format.findData("docx"))
    qtbot.keyClicks(form.range, "1-2, iv")
    form.states[PageState.LOOK].click()
    form.running_heads.click()
    form.join_hyphens.click()
    form.doubts.click()
    form.page_notes.click()
    form.page_marks.setCurrentIndex(form.page_marks.findData("breaks"))
    form.level.setCurrentIndex(form.level.findData(2))
    order = ordered(dialog, qtbot)
    assert order.path == folder / "Nubis eine Reise.docx"
    assert order.options == ExportOptions(
        pages=(0, 1, 3),
        running_heads=True,
        page_marks="breaks",
        join_hyphens=False,
        doubts_as_comments=True,
        page_notes=False,
        level=2,
        states=frozenset({PageState.PROOFREAD, PageState.READ, PageState.BLANK}),
    )


def test_typing_a_range_chooses_it_and_says_what_it_is(dialog, qtbot):
    qtbot.keyClicks(dialog.form.range, "2-4")
    assert dialog.form.some_pages.isChecked()
    assert not dialog.form.all_pages.isChecked()
    assert dialog.form.range_message.text() == "3 pages"
    qtbot.keyClicks(dialog.form.range, "0")
    assert "'2-40' is not a range of pages of this book" in dialog.form.range_message.text()
    assert not dialog.export.isEnabled()
    dialog.form.all_pages.click()
    assert dialog.export.isEnabled()
    assert not dialog.form.range_message.isVisible()


def test_comments_are_offered_where_there_are_any(dialog):
    form = dialog.form
    assert not form.doubts.isEnabled()
    form.format.setCurrentIndex(form.format.findData("docx"))
    assert form.doubts.isEnabled()
    form.doubts.click()
    form.format.setCurrentIndex(form.format.findData("markdown"))
    order = form.order()
    assert order is not None
    assert order.options.doubts_as_comments is False


def test_the_name_follows_the_format_and_a_folder_has_no_ending(dialog):
    form = dialog.form
    form.path.setText("/tmp/Of St. John.md")
    for name, ending in (("alto", ""), ("pdf", ".pdf"), ("pdfa", ".pdf"), ("docx", ".docx")):
        form.format.setCurrentIndex(form.format.findData(name))
        assert form.path.text() == f"/tmp/Of St. John{ending}"
        assert form.running_heads.isEnabled() == (name == "docx")
        assert form.page_notes.isEnabled() == (name == "docx")


def test_what_a_format_has_no_use_for_is_grey_with_the_reason(dialog):
    form = dialog.form
    for name in ("page", "hocr"):
        form.format.setCurrentIndex(form.format.findData(name))
        assert not form.join_hyphens.isEnabled()
        assert form.join_hyphens.toolTip().endswith(": leaves words divided as they are printed.")
        assert form.join_hyphens.accessibleDescription() == form.join_hyphens.toolTip()
        assert "leaves words divided as they are printed" in form.format_message.text()
    form.format.setCurrentIndex(form.format.findData("alto"))  # its SUBS_CONTENT has the whole word
    assert form.join_hyphens.isEnabled()
    assert not form.join_hyphens.toolTip()
    assert "always keeps running heads" in form.format_message.text()
    form.format.setCurrentIndex(form.format.findData("html"))
    assert not form.format_message.isVisible()


@pytest.mark.parametrize("name", ["alto", "page", "hocr"])
def test_joining_is_offered_where_it_changes_a_file(name, folder, dialog):
    files: list[list[str]] = []
    for joins in (True, False):
        options = ExportOptions(join_hyphens=joins)
        path = folder / f"{name}-{joins}"
        assert export_paged(name, path, options=options)
        written = sorted(each for each in path.rglob("*.*ml" if name != "hocr" else "*.hocr"))
        files.append([STAMP.sub("", each.read_text(encoding="utf-8")) for each in written])
    assert files[0]
    dialog.form.format.setCurrentIndex(dialog.form.format.findData(name))
    assert dialog.form.join_hyphens.isEnabled() == (files[0] != files[1])


def test_an_unproved_promise_is_called_so(dialog):
    form = dialog.form
    assert "not validated" in form.format.itemText(form.format.findData("pdfa"))


def test_a_file_that_is_there_needs_a_word(dialog, folder, qtbot):
    (folder / "there.md").write_text("old")
    dialog.form.path.setText(str(folder / "there.md"))
    assert dialog.form.path_message.text() == "there.md is already there."
    assert not dialog.export.isEnabled()
    dialog.form.replace.click()
    assert ordered(dialog, qtbot).replace is True


def test_the_word_holds_for_that_file_only(dialog, folder):
    (folder / "there.md").write_text("old")
    dialog.form.path.setText(str(folder / "there.md"))
    dialog.form.replace.click()
    (folder / "other.md").write_text("old")
    dialog.form.path.setText(str(folder / "other.md"))
    assert dialog.form.order() is None
    dialog.form.path.setText(str(folder / "new.md"))
    order = dialog.form.order()
    assert order is not None
    assert order.replace is False


@pytest.mark.parametrize("path", ["", "/nowhere/at/all/book.md"])
def test_a_place_that_is_none_is_told_before(dialog, path):
    dialog.form.path.setText(path)
    assert dialog.form.path_message.isVisible()
    assert not dialog.export.isEnabled()


def test_at_least_one_kind_of_text_is_needed(dialog):
    for box in dialog.form.states.values():
        box.click()
    assert dialog.form.states_message.warns
    assert not dialog.export.isEnabled()


def test_while_it_runs_it_shows_progress_and_can_be_cancelled(dialog, qtbot):
    ordered(dialog, qtbot)
    dialog.show_progress(2, 6)
    assert (dialog.progress.value(), dialog.progress.maximum()) == (2, 6)
    assert dialog.message.text() == "Writing page 2 of 6"
    assert not dialog.form.isEnabled()
    assert not dialog.export.isEnabled()
    dialog.show_progress(6, 6)
    assert dialog.message.text() == "Reading the file back and comparing it"
    with qtbot.waitSignal(dialog.cancel_asked):
        qtbot.mouseClick(dialog.cancel, LEFT)
    dialog.show_report(None)
    assert dialog.message.text() == "Cancelled; nothing was written."
    assert dialog.export.isEnabled()


def test_the_end_says_what_was_found_in_the_file(dialog, folder, qtbot):
    ordered(dialog, qtbot)
    (folder / "Nubis eine Reise.md").write_text("x")
    provenance = Survey().provenance(6)
    dialog.show_report(ExportReport(folder / "Nubis eine Reise.md", 6, 91204, provenance))
    assert f"6 pages, {whole(91204)} words, read back and compared" in dialog.message.text()
    assert dialog.show_folder.isVisible()
    assert not dialog.cancel.isVisible()


def test_one_page_is_not_called_pages(folder, qtbot):
    one = replace(BOOK, pages=BOOK.pages[:1])
    dialog = ExportDialog(one, folder=folder)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.summary.text() == "1 of 1 page proofread"
    assert dialog.form.all_pages.text() == "The one page"
    dialog.show_report(ExportReport(folder / "x.md", 1, 188, Survey().provenance(1)))
    assert dialog.message.text().startswith("x.md is written: 1 page, 188 words,")


def test_the_end_says_what_a_level_changed(dialog, folder, qtbot):
    ordered(dialog, qtbot)
    provenance = replace(Survey().provenance(6), level=1, rules={"long s as s": 12})
    dialog.show_report(ExportReport(folder / "x.md", 6, 100, provenance))
    assert "OCR-D transcription level 1: long s as s 12." in dialog.message.text()


def test_the_first_page_is_looked_at_anew_after_each_change(dialog, qtbot):
    with qtbot.waitSignal(dialog.preview_asked) as first:
        pass
    assert first.args[0].format == "markdown"
    dialog.show_preview("Of the malt")
    assert dialog.preview.toPlainText() == "Of the malt"
    with qtbot.waitSignal(dialog.preview_asked) as second:
        dialog.form.level.setCurrentIndex(1)
    assert second.args[0].options.level == 1
    dialog.form.path.setText("/tmp/elsewhere.md")  # changes nothing of what is in the file
    with qtbot.assertNotEmitted(dialog.preview_asked, wait=400):
        pass


def test_an_error_says_what_to_do_next(dialog, qtbot):
    ordered(dialog, qtbot)
    dialog.show_error(ExportError("export_unwritable", name="x.md", detail="No space left"))
    assert "x.md cannot be written: No space left." in dialog.message.text()
    assert "make room on the disk" in dialog.message.text()
    assert dialog.message.warns
    assert dialog.export.isEnabled()


def test_the_last_choices_come_back(dialog, folder, qtbot):
    form = dialog.form
    form.format.setCurrentIndex(form.format.findData("docx"))
    qtbot.keyClicks(form.range, "1-2")
    form.states[PageState.LOOK].click()
    form.doubts.click()
    form.page_marks.setCurrentIndex(form.page_marks.findData("none"))
    form.level.setCurrentIndex(form.level.findData(1))
    kept = json.loads(json.dumps(dialog.choices))
    again = ExportDialog(BOOK, folder=Path("/nowhere"), last=kept)
    qtbot.addWidget(again)
    assert again.form.order() == form.order()


@pytest.mark.parametrize("last", [{}, {"format": "gone", "states": [], "folder": "/gone"}])
def test_choices_that_are_gone_have_their_defaults(folder, qtbot, last):
    dialog = ExportDialog(BOOK, folder=folder, last=last)
    qtbot.addWidget(dialog)
    order = dialog.form.order()
    assert order is not None
    assert order.options == ExportOptions()
    assert order.path.parent == folder
