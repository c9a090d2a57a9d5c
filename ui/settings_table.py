"""The one table of settings as the dialog shows them: page, name, one sentence, control."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QLocale

import resources
from app.engine_words import checkpoint_lack
from app.language import N_, _
from app.run_view import ENGINE_NAMES
from app.settings import Engine
from ui.rule_control import RuleControl
from ui.setting_controls import Choice, Control, Folder, Number, Switch, Text

GB = 2**30


class Setting(NamedTuple):
    """One row; `field` is the field of `Settings` that it shows."""

    field: str
    name: str
    says: str
    make: Callable[[str], Control]


class SettingsPage(NamedTuple):
    """Rows that stand together."""

    name: str
    rows: tuple[Setting, ...]


def _engine(name: str) -> Control:
    engines = (Engine.UNLIMITED_OCR, Engine.READER, Engine.LINE_READER)
    best = (None, _("The best that is there"))
    return Choice(name, [best, *((each, _(ENGINE_NAMES[each.value])) for each in engines)])


def _checkpoint(name: str) -> Control:
    return Folder(name, empty=_("None"), lack=checkpoint_lack)


def _theme(name: str) -> Control:
    return Choice(
        name, [("system", _("As the system")), ("light", _("Light")), ("dark", _("Dark"))]
    )


def _device(name: str) -> Control:
    return Choice(
        name,
        [
            ("auto", _("The best that is there")),
            ("cuda", _("Graphics card")),
            ("cpu", _("Processor")),
        ],
    )


def _mode(name: str) -> Control:
    return Choice(
        name,
        [
            (None, _("As the checkpoint reads best")),
            ("tiled", _("Side by side, small print enlarged")),
            ("parallel", _("Side by side")),
            ("continuous", _("One stream through the book")),
            ("request", _("Some pages at a time, as published")),
        ],
    )


def _language(name: str) -> Control:
    return Choice(
        name, [("", _("As the system")), *((code, _own_name(code)) for code in languages())]
    )


def languages() -> list[str]:
    """The languages there are catalogues for, and English."""
    folder = resources.path("translations")
    found = [path.name for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
    return sorted({"en", *found})


def _own_name(code: str) -> str:
    """A language as those who speak it call it."""
    name = QLocale(code).nativeLanguageName()
    return name[:1].upper() + name[1:] if name else code


PAGES = (
    SettingsPage(
        N_("Reading"),
        (
            Setting(
                "engine",
                N_("Engine"),
                N_("Who reads the next pages; it is named at the foot of the window."),
                _engine,
            ),
            Setting(
                "checkpoint",
                N_("Checkpoint folder"),
                N_("Where the weights of Unlimited-OCR lie; nothing is ever downloaded."),
                _checkpoint,
            ),
            Setting(
                "inhibit_sleep",
                N_("Sleep"),
                N_("A book can take hours; where the system allows it, it is read to its end."),
                lambda name: Switch(name, _("Keep the machine awake while it reads")),
            ),
        ),
    ),
    SettingsPage(
        N_("You"),
        (
            Setting(
                "person",
                N_("Your name"),
                N_("Stands beside your corrections in the book and its exports; may be empty."),
                lambda name: Text(name, empty=_("No name")),
            ),
        ),
    ),
    SettingsPage(
        N_("Characters"),
        (
            Setting(
                "favourite_characters",
                N_("Favourites"),
                N_("The signs that the list of characters shows first."),
                lambda name: Text(name, empty=_("None")),
            ),
            Setting(
                "compose_rules",
                N_("Compose rules"),
                N_("What Compose makes of the letters before the cursor, when you ask for it."),
                RuleControl,
            ),
        ),
    ),
    SettingsPage(
        N_("Looks"),
        (
            Setting("theme", N_("Colours"), N_("Light and dark can follow the system."), _theme),
            Setting(
                "text_scale",
                N_("Text size"),
                N_("Of the text pane alone, measured against the system's size."),
                lambda name: Number(name, lowest=60, highest=300, step=10, unit=_(" %"), scale=100),
            ),
            Setting(
                "language",
                N_("Language"),
                N_("Of this window; it changes when Incunable is started again."),
                _language,
            ),
        ),
    ),
    SettingsPage(
        N_("Expert details"),
        (
            Setting(
                "device",
                N_("Device"),
                N_("What Unlimited-OCR computes on; the line reader always uses the processor."),
                _device,
            ),
            Setting(
                "gpu_memory_limit_bytes",
                N_("Memory limit"),
                N_("The most that the engine may take of the graphics card, weights included."),
                lambda name: Number(
                    name,
                    lowest=0,
                    highest=1024,
                    step=1,
                    unit=_(" GB"),
                    scale=1 / GB,
                    none_text=_("No limit"),
                ),
            ),
            Setting(
                "mode",
                N_("Reading mode"),
                N_(
                    "How Unlimited-OCR goes through a book: many pages side by side is fastest; "
                    "one stream carries the text over from page to page."
                ),
                _mode,
            ),
            Setting(
                "window_size",
                N_("Window"),
                N_(
                    "Page images that one stream keeps in sight; memory grows with it, and no more."
                ),
                lambda name: Number(name, lowest=1, highest=1024, step=1, unit=_(" pages")),
            ),
            Setting(
                "sparsity_ratio",
                N_("Share read"),
                N_(
                    "How much of the window each step reads besides the page at hand; "
                    "100 % reads all of it, and takes longer."
                ),
                lambda name: Number(name, lowest=1, highest=100, step=1, unit=_(" %"), scale=100),
            ),
            Setting(
                "chunk_size",
                N_("Chunk"),
                N_("Pages that enter the window together, and leave it together."),
                lambda name: Number(name, lowest=1, highest=64, step=1, unit=_(" pages")),
            ),
            Setting(
                "max_pages",
                N_("Longest run"),
                N_("A run of more pages is not begun."),
                lambda name: Number(name, lowest=1, highest=100_000, step=1, unit=_(" pages")),
            ),
            Setting(
                "page_limit_megapixels",
                N_("Largest page"),
                N_("A page image beyond this is not decoded but marked as failed."),
                lambda name: Number(name, lowest=10, highest=2000, step=10, unit=_(" megapixels")),
            ),
        ),
    ),
)
