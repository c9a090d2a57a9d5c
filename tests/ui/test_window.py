from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from app.answers import ExportEnded
from app.book import PageState
from tests.app.books import make_scan
from tests.ui.windows import close
from ui.details_dialog import DetailsDialog
from ui.export_dialog import ExportDialog
from ui.history_dialog import HistoryDialog
from ui.password_dialog import PasswordDialog
from ui.studio import Studio

pytestmark = pytest.mark.ui

Dialog = TypeVar("Dialog", bound=QDialog)


@pytest.fixture
def scan(tmp_path) -> Path:
    return make_scan(tmp_path / "scan", 5, blank=(3,))


@pytest.fixture
def studio(make_studio) -> Studio:
    return make_studio()


def open_book(qtbot, studio: Studio, path: Path, *, reads: bool = True) -> None:
    """Open a book and wait for its first page; no question is left open."""
    studio.opening.open([path], starts_reading=reads)
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)
    if reads:
        qtbot.waitUntil(lambda: is_read(studio), timeout=20_000)


def is_read(studio: Studio) -> bool:
    assert studio.session.book is not None
    done = all(page.state is not PageState.UNREAD for page in studio.session.book.pages)
    return done and studio.session.runs.run is None


def dialog(qtbot, kind: type[Dialog]) -> Dialog:
    def found():
        return [
            each
            for each in QApplication.topLevelWidgets()
            if isinstance(each, kind) and each.isVisible()
        ]

    qtbot.waitUntil(lambda: bool(found()), timeout=5_000)
    return found()[0]


def press(studio: Studio, command: str) -> None:
    action = studio.window.commands[command]
    assert action.isEnabled(), command
    action.trigger()


def test_without_a_book_the_window_offers_the_sample_and_a_place_to_drop_one(studio):
    assert studio.window.start.isVisible()
    assert not studio.window.commands["export"].isEnabled()


def test_a_book_is_opened_and_read_and_its_text_stands_beside_its_image(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    assert studio.window.text.isVisible()
    assert "leaf 1." in studio.window.text.editor.toPlainText().replace("\u2028", " ")
    assert "4 of 5" in studio.window.status.run_bar.sentence.text() or is_read(studio)


def test_turning_pages_by_key_and_number(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    press(studio, "next_page")
    assert studio.session.page == 1
    press(studio, "last_page")
    assert studio.session.page == 4
    studio.window.tools.number.setText("2")
    qtbot.keyClick(studio.window.tools.number, Qt.Key.Key_Return)
    assert studio.session.page == 1
    press(studio, "back")
    assert studio.session.page == 4


def test_text_streams_into_the_page_that_is_shown_and_cannot_be_typed_into_meanwhile(
    qtbot, make_studio, scan
):
    studio = make_studio(pieces_per_s=60)
    studio.opening.open([scan], starts_reading=True)
    text = studio.window.text
    qtbot.waitUntil(lambda: len(text.editor.toPlainText()) > 20, timeout=10_000)
    assert text.editor.isReadOnly()
    press(studio, "stop")
    qtbot.waitUntil(lambda: studio.session.runs.run is None, timeout=5_000)


def test_what_is_typed_is_saved_and_survives_another_window(qtbot, make_studio, scan):
    first = make_studio()
    open_book(qtbot, first, scan)
    first.window.text.set_cursor(2, 0)
    qtbot.keyClicks(first.window.text.editor, "Nota bene ")
    qtbot.waitUntil(lambda: first.session.book.pages[0].by_hand, timeout=3_000)
    close(first)
    second = make_studio()
    open_book(qtbot, second, scan, reads=False)
    qtbot.waitUntil(lambda: "Nota bene" in second.window.text.editor.toPlainText(), timeout=5_000)
    press(second, "undo")
    qtbot.waitUntil(
        lambda: "Nota bene" not in second.window.text.editor.toPlainText(), timeout=5_000
    )


def test_typing_is_told_before_the_page_is_turned(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    studio.window.text.set_cursor(2, 0)
    qtbot.keyClicks(studio.window.text.editor, "X")
    press(studio, "next_page")
    press(studio, "previous_page")
    qtbot.waitUntil(lambda: studio.session.reading(0).regions[2].text.startswith("X"))


def test_accepting_a_page_goes_on_to_the_next_unfinished_one(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    studio.orders.turn_to(2)
    qtbot.waitUntil(lambda: studio.window.commands["accept"].isEnabled())
    press(studio, "accept")
    qtbot.waitUntil(lambda: studio.session.book.pages[2].state is PageState.PROOFREAD)
    assert studio.session.page == 4  # 3 is blank


def test_a_dropped_file_is_opened(qtbot, studio, scan):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(scan))])
    event = QDropEvent(
        QPoint(10, 10),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    studio.window.dropEvent(event)
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)


def test_the_details_are_asked_for_once(qtbot, studio, scan):
    open_book(qtbot, studio, scan, reads=False)
    asked = dialog(qtbot, DetailsDialog)
    asked.lines["title"].setText("Vom Lesen")
    asked.save.click()
    qtbot.waitUntil(lambda: studio.session.book.details.title == "Vom Lesen")
    assert "Vom Lesen" in studio.window.windowTitle()
    press(studio, "close")
    open_book(qtbot, studio, scan, reads=False)
    qtbot.wait(200)
    assert not [
        each
        for each in QApplication.topLevelWidgets()
        if isinstance(each, DetailsDialog) and each.isVisible()
    ]


def test_an_encrypted_file_asks_for_its_password_until_it_is_right(qtbot, studio, shared):
    studio.opening.open([shared / "files" / "aes256-user-view-owner-master.pdf"])
    for word in ("wrong", "view"):
        asked = dialog(qtbot, PasswordDialog)
        asked.line.setText(word)
        asked.open_button.click()
        qtbot.waitUntil(lambda asked=asked: not asked.isVisible())
    qtbot.waitUntil(lambda: studio.session.book is not None, timeout=10_000)


def test_a_file_that_cannot_be_opened_is_told_at_the_foot_and_nothing_else_changes(
    qtbot, studio, tmp_path
):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing more")
    studio.opening.open([broken])
    qtbot.waitUntil(lambda: studio.window.notice.isVisible(), timeout=10_000)
    assert "broken.pdf" in studio.window.notice.text.text()
    assert studio.window.start.isVisible()


def test_a_transcript_is_written_in_the_background(qtbot, studio, scan, tmp_path):
    open_book(qtbot, studio, scan)
    press(studio, "export")
    form = dialog(qtbot, ExportDialog)
    target = tmp_path / "out.md"
    form.form.path.setText(str(target))
    form.export.click()
    qtbot.waitUntil(lambda: studio.session.exports.ended is not None, timeout=10_000)
    ended = studio.session.exports.ended
    assert isinstance(ended, ExportEnded)
    assert ended.report is not None
    assert ended.report.pages == 5
    assert target.exists()


def test_an_earlier_reading_can_be_taken_back(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    before = studio.session.reading(0).text
    studio.window.text.set_cursor(2, 0)
    qtbot.keyClicks(studio.window.text.editor, "Wrong ")
    qtbot.waitUntil(lambda: studio.session.book.pages[0].by_hand, timeout=3_000)
    press(studio, "history")
    history = dialog(qtbot, HistoryDialog)
    history.list.setCurrentRow(history.list.count() - 1)
    history.make_current.click()
    qtbot.waitUntil(lambda: studio.session.reading(0).text == before, timeout=5_000)


def test_a_word_is_found_on_the_page_and_in_the_book(qtbot, studio, scan):
    open_book(qtbot, studio, scan)
    press(studio, "find_book")
    qtbot.keyClicks(studio.window.find_bar._line, "leaf 5")
    qtbot.waitUntil(lambda: studio.session.finding.found is not None, timeout=5_000)
    assert [match.page for match in studio.session.finding.found.matches] == [4]


def test_view_page_and_splitters_are_remembered_for_each_book(qtbot, make_studio, scan):
    first = make_studio()
    open_book(qtbot, first, scan)
    first.orders.turn_to(3)
    first.window.show_page_list(is_shown=False)
    close(first)
    second = make_studio()
    open_book(qtbot, second, scan, reads=False)
    assert second.session.page == 3
    assert not second.window.pages.isVisible()


def test_closing_during_a_run_asks_once_and_the_run_can_go_on(qtbot, make_studio, scan):
    studio = make_studio(pieces_per_s=30)
    studio.opening.open([scan], starts_reading=True)
    qtbot.waitUntil(lambda: studio.session.runs.run is not None, timeout=10_000)
    studio.window.close()
    assert studio.window.isVisible()
    dialog(qtbot, QMessageBox).reject()
    assert studio.session.runs.run is not None


def test_every_command_of_the_table_does_something(studio):
    from ui.commands import COMMANDS

    switches = {name for name, command in COMMANDS.items() if command.is_switch}
    assert set(studio.orders._orders) | switches == set(COMMANDS)


def test_all_views_follow_a_switch_to_dark(qtbot, studio, scan):
    from dataclasses import replace

    open_book(qtbot, studio, scan)
    studio.signals.tell(studio.session.set_settings(replace(studio.session.settings, theme="dark")))
    assert studio.window.palette().window().color().lightness() < 128
