"""Run by `killing`: reads, corrects, exports or migrates a book, and says what is on the disk."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from app.answers import CorrectionStored, ExportEnded
from app.events import PageFinished, Started
from app.exporting import ExportOrder
from app.store.database import BookStore
from model.fake import FakeRecogniser
from tests.app.desk import Desk


def say(*words: object) -> None:
    print(*words, flush=True)


def read(scan: Path) -> None:
    with Desk(lambda: FakeRecogniser(pieces_per_s=400)) as desk:
        desk.open(scan)
        desk.session.runs.start()
        desk.wait_for(Started)
        while True:
            finished = desk.wait_for(PageFinished)
            say("page", finished.page.number, len(finished.reading.text))


def correct(scan: Path) -> None:
    with Desk(FakeRecogniser) as desk:
        desk.open(scan)
        desk.read(0)
        desk.session.turn_to(0)
        for count in itertools.count():
            desk.session.proofs.correct(0, 2, f"correction {count}")
            desk.wait_for(CorrectionStored)
            say("correction", count)


def export(scan: Path) -> None:
    with Desk(FakeRecogniser) as desk:
        desk.open(scan)
        desk.read()
        order = ExportOrder(scan.parent / "out.md", "markdown", replace=True)
        for count in itertools.count():
            desk.session.exports.begin(order)
            desk.wait_for(ExportEnded)
            say("export", count)


def migrate(path: Path) -> None:
    say("begun")
    with BookStore.open(path) as store:
        say("migrated", len(store.book().pages))


if __name__ == "__main__":
    what = {"read": read, "correct": correct, "export": export, "migrate": migrate}
    what[sys.argv[1]](Path(sys.argv[2]))
