"""Examines the machine, the engines and the folders, and reads a page as a test of the whole."""

from __future__ import annotations

import os
import platform
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import resources
from app.accuracy import score
from app.engine_words import choice_text
from app.language import _
from app.measure import read_text
from app.pages import open_pages
from app.places import places
from app.runs import VERDICTS_NAME
from app.settings import SETTINGS_NAME, load_settings
from app.sheets import Sheets
from app.system_check import missing_for_window
from model import api

SAMPLE_PAGE = 2
"""A page of plain text in the sample book, from 0."""

WELL_BELOW = 0.03  # character error of the test page
ROOM_BYTES = 1 << 30  # less than this free and a book may not fit


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    is_well: bool
    text: str
    advice: str = ""  # what to do, if it is not well


def examine(*, checkpoint: Path | None = None) -> Iterator[Finding]:
    """Look at everything that reading a book needs, one thing after the other.

    Args:
        checkpoint: an Unlimited-OCR folder; None takes that of the settings.
    """
    yield _program()
    yield from _folders()
    yield _fonts()
    yield _window()
    yield from _cards_and_torch()
    folder = checkpoint or load_settings(places().config / SETTINGS_NAME).checkpoint
    if folder is not None:
        yield _checkpoint(folder)
    yield _engine(folder)
    yield _test_page()


def line(finding: Finding) -> str:
    """A finding in one line, or two where there is something to do."""
    mark = _("well") if finding.is_well else _("look")
    text = f"{mark:<5} {finding.name:<12} {finding.text}"
    return f"{text}\n{'':<19}{finding.advice}" if finding.advice else text


def _program() -> Finding:
    version = f"Incunable {metadata.version('incunable')}, Python {platform.python_version()}"
    return Finding(_("program"), True, f"{version}, {platform.platform()}")


def _folders() -> Iterator[Finding]:
    for name, folder in places()._asdict().items():
        free = shutil.disk_usage(folder).free
        room = _("{gib:.1f} GiB free").format(gib=free / (1 << 30))
        advice = "" if free >= ROOM_BYTES else _("Make room on this disk.")
        yield Finding(name, free >= ROOM_BYTES, f"{folder} ({room})", advice)


def _fonts() -> Finding:
    found = sorted(path.name for path in resources.path("fonts").glob("*.[ot]tf"))
    advice = "" if found else _("Install Incunable again: its reading face is missing.")
    return Finding(_("fonts"), bool(found), ", ".join(found), advice)


def _window() -> Finding:
    packages = missing_for_window(os.environ)
    if not packages:
        return Finding(_("window"), True, _("the libraries of Qt are there"))
    text = _("libraries are missing; the command line works without them")
    return Finding(_("window"), False, text, f"sudo apt-get install {' '.join(packages)}")


def _cards_and_torch() -> Iterator[Finding]:
    cards = api.cards()
    for card in cards:
        gib = card.total_bytes / (1 << 30)
        yield Finding(_("card"), True, f"{card.name}, {gib:.0f} GiB, driver {card.driver}")
    if not cards:
        yield Finding(_("card"), True, _("none: the processor reads"))
    try:
        torch = api.torch_facts()
    except ImportError as error:
        yield Finding("torch", False, str(error), _("Run 'make run' once more."))
        return
    build = torch.cuda_build or _("none")
    yield _torch(torch, f"torch {torch.version}, CUDA build {build}", has_card=bool(cards))


def _torch(torch: api.TorchFacts, text: str, *, has_card: bool) -> Finding:
    if not has_card:
        return Finding("torch", True, text)
    if not torch.cuda_build:
        advice = _("This torch cannot use the card: pip install torch brings the CUDA build.")
        return Finding("torch", False, text, advice)
    if torch.device == "cpu":
        advice = _("The driver is too old for this CUDA build, or the card is in use.")
        return Finding("torch", False, text, advice)
    return Finding("torch", True, f"{text}, bf16 {'yes' if torch.has_bf16 else 'no: fp32'}")


def _checkpoint(folder: Path) -> Finding:
    try:
        found = api.verify(folder)
        api.check_compared(folder, found, verdicts=places().cache / VERDICTS_NAME)
    except api.NotCompared as error:
        text = _("{folder}: Unlimited-OCR-2 stays off: {why}").format(folder=folder, why=error)
        return Finding(_("checkpoint"), False, text, _("Run 'incunable doctor --compare'."))
    except api.ModelError as error:
        return Finding(_("checkpoint"), False, str(error), _("Copy the checkpoint again."))
    return Finding(
        _("checkpoint"), True, _("{folder}: sound, {id}").format(folder=folder, id=found)
    )


def _engine(checkpoint: Path | None) -> Finding:
    return Finding(_("engine"), True, choice_text(api.choose(checkpoint)))


def _test_page() -> Finding:
    """Read a page of the sample book with the engine that needs no weights."""
    sample = resources.path("sample")
    began_s = time.monotonic()
    with (
        closing(open_pages([sample / "book.pdf"])) as images,
        api.load(api.choose(None, api.Engine.LINE_READER)) as recogniser,
    ):
        text = read_text(recogniser, Sheets(images, (SAMPLE_PAGE,)).fetch(SAMPLE_PAGE))
    truth = (sample / "book.gt.txt").read_text(encoding="utf-8").split("\f")[SAMPLE_PAGE]
    error = score(text, truth).loose.rate
    said = _("line reader: {error:.2%} of letters wrong, {seconds:.1f} s").format(
        error=error, seconds=time.monotonic() - began_s
    )
    advice = "" if error < WELL_BELOW else _("The engine reads badly here; please report this.")
    return Finding(_("test page"), error < WELL_BELOW, said, advice)
