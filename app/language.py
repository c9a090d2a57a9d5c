"""The language of the interface: stdlib gettext, catalogues in `resources/translations`.

`_` translates now; `N_` only marks a text for extraction, to be translated where it is shown. Until
`use()` was called every text stays English.
"""

from __future__ import annotations

import gettext

import resources

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use(language: str) -> None:
    """Show texts in this language (`"de"`, `"zh_CN"`), English where a catalogue lacks one."""
    global _catalogue  # noqa: PLW0603 - one language a process, set once at start
    _catalogue = gettext.translation(
        "incunable", resources.path("translations"), languages=[language], fallback=True
    )


def _(text: str) -> str:
    """Translate a text."""
    return _catalogue.gettext(text)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext tools look for
    """Mark a text for translation and return it as it is."""
    return text


def plural(one: str, many: str, count: int, **more: object) -> str:
    """Translate a text that depends on a number; both may hold {n}, and what else is named."""
    return _catalogue.ngettext(one, many, count).format(n=count, **more)
