"""The program's entry: a command of the command line, or the window with all that it needs.

Qt is imported for the window only, so that the command line runs where Qt's libraries are missing.
What takes a moment to import is imported within `main`, where Ctrl+C ends the program quietly.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

HELP = {"-h", "--help", "--version"}
INTERRUPTED = 130
"""As `app.commands.Exit` has it, which may not be imported yet."""


def main() -> int:
    """Run the program; the exit code."""
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    from app import commands
    from app.language import _
    from app.there import is_there

    first = arguments[0] if arguments else ""
    if first == "sample" and len(arguments) == 1:
        return read_sample()
    if first in commands.NAMES or first in HELP or first.startswith("-"):
        return commands.main(arguments)
    if re.fullmatch(r"[a-z-]+", first) and not is_there(Path(first)):
        told = _("'{word}' is neither a command nor a file that is there; see incunable --help")
        sys.stderr.write(f"{told.format(word=first)}\n")
        return commands.Exit.USAGE
    return show([Path(argument) for argument in arguments])


def read_sample() -> int:
    """Open the sample book and read it: in the window, or where there is none, without."""
    import resources
    from app import commands
    from app.language import _

    why_not = why_no_window(os.environ)
    if not why_not:
        return show([resources.path("sample/book.pdf")], starts_reading=True)
    sys.stderr.write(f"{why_not}\n{_('The sample book is read on the command line instead.')}\n")
    return commands.main(["sample"])


def show(paths: Sequence[Path], *, starts_reading: bool = False) -> int:
    """Open the window; returns when it is closed."""
    from app import commands
    from app.language import _

    why_not = why_no_window(os.environ)
    if why_not:
        sys.stderr.write(f"{why_not}\n{_('The command line works: incunable --help')}\n")
        return commands.Exit.ERROR
    from ui.studio import run_window

    return run_window(paths, starts_reading=starts_reading)


def why_no_window(environment: Mapping[str, str]) -> str:
    """Why no window can be opened here, in plain words; "" when one can."""
    from app.language import _
    from app.system_check import missing_for_window

    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform == "linux" and not any(environment.get(name) for name in names):
        return _("There is no display here.")
    packages = missing_for_window(environment)
    if packages:
        install = f"sudo apt-get install {' '.join(packages)}"
        return _("The window needs libraries that are not installed: {install}").format(
            install=install
        )
    return ""


if __name__ == "__main__":
    sys.exit(main())
