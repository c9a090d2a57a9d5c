"""What `incunable doctor --compare` finds: asks for leave, runs, compares, says what it means."""

from __future__ import annotations

import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import resources
from app.comparing.own_code import OwnCodeFailed, run
from app.comparing.permission import PERMISSIONS_NAME, Permissions
from app.doctor import Finding
from app.language import _
from app.pages import open_pages
from app.places import Places
from app.runs import VERDICTS_NAME
from app.sheets import Sheets
from app.sources.walls import are_whole
from model import api

if TYPE_CHECKING:
    from model.api import OwnCode, PageImage, Verdict

PAGES = (1, 2, 3)
"""Of the sample book, from 0: prose, each of another look."""


def examine(folder: Path, where: Places, *, is_allowed_now: bool = False) -> Finding:
    """Compare a checkpoint with its own code, if it has to be and its code may run.

    Args:
        folder: of the checkpoint.
        where: the folders of permissions and verdicts.
        is_allowed_now: the person says with this order that the code may run; kept.
    """
    try:
        api.verify(folder)
        if api.is_second_version(folder):
            return _asked(folder, where, is_allowed_now=is_allowed_now)
    except api.ModelError as error:
        advice = _("Copy the checkpoint again. If it is whole, it is one that is not known here.")
        return _off(str(error), advice)
    except OSError as error:
        return _off(str(error), _("See that this file can be read, or written."))
    return _well(
        _(
            "not asked for: config.json names no part of Unlimited-OCR-2 by a name known here; "
            "weights that the first version lacks are named when they are loaded"
        )
    )


def forbid(folder: Path, where: Places) -> Finding:
    """Take back what was allowed."""
    Permissions(where.config / PERMISSIONS_NAME).forbid(folder)
    return _well(_("its own code may not run"))


def _asked(folder: Path, where: Places, *, is_allowed_now: bool) -> Finding:
    """Ask for leave, and compare once it was given."""
    code = api.own_code(folder)
    if code is None:
        return _off(
            _("it brings no code of its own to compare with"),
            _("Get its .py files from where the weights come from."),
        )
    permissions = Permissions(where.config / PERMISSIONS_NAME)
    if is_allowed_now:
        permissions.allow(folder, code.sum)
    if not permissions.is_allowed(folder, code.sum):
        return _off(meaning(code), _("To allow it: {command}").format(command=_order(folder)))
    return _compared(folder, code, verdicts=where.cache / VERDICTS_NAME)


def meaning(code: OwnCode) -> str:
    """What it means to allow this code, here."""
    said = _(
        "its own code ({files}) was not run. Allowed, it runs on this machine for this comparison "
        "alone, until one of these files changes, and can read whatever you can read"
    ).format(files=", ".join(sorted(code.files)))
    if are_whole():
        return said + _("; the system keeps it from the network and from changing any file.")
    return said + _(
        "; this system cannot hold it back: it could change your files and use the network, too."
    )


def _compared(folder: Path, code: OwnCode, *, verdicts: Path) -> Finding:
    images = _images()
    try:
        theirs = run(folder, code, images)
    except OwnCodeFailed as error:
        return _off(
            _("its own code did not run here: {detail}").format(detail=error),
            _("Nothing can be compared here; read with another engine."),
        )
    verdict = api.compare(folder, code, images, theirs, verdicts=verdicts)
    if verdict.difference is None:
        return _well(
            _(
                "{places} tokens are those of its own code, no logit further off than {largest:.1e}"
            ).format(places=verdict.places, largest=verdict.largest)
        )
    return _off(_where(verdict), _("Please report this line; read with another engine."))


def _images() -> list[PageImage]:
    with closing(open_pages([resources.path("sample") / "book.pdf"])) as pages:
        return [Sheets(pages, (page,)).fetch(page).image for page in PAGES]


def _where(verdict: Verdict) -> str:
    """The first place that differs, in words."""
    found = verdict.difference
    assert found is not None, "it differs"
    pages = 1 if found.request == 0 else len(PAGES)
    return _(
        "with {pages} pages in the prompt, {what} of token {token} differ: its code has {theirs:g},"
        " we have {ours:g}"
    ).format(
        pages=pages,
        what=_("the logits") if found.what == "logits" else _("the ids"),
        token=found.token + 1,
        theirs=found.theirs,
        ours=found.ours,
    )


def _well(text: str) -> Finding:
    return Finding(_("own code"), True, text)


def _off(text: str, advice: str) -> Finding:
    return Finding(
        _("own code"), False, f"{text}\n{'':<19}{_('Unlimited-OCR-2 stays off.')}", advice
    )


def _order(folder: Path) -> str:
    return f"incunable doctor --allow-code --model {shlex.quote(str(folder))}"
