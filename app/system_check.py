"""Names what the system lacks, together with the Debian or Ubuntu package that brings it.

Needs nothing but the standard library: the Makefile runs it before anything is installed, as
`python3 -I app/system_check.py venv|window|tests`; exit code 1 when something needed is missing. A
window without its libraries is only told of: the command line works without them.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Mapping

OLDEST_PYTHON = (3, 11)

# What PySide6 links against or opens at start on Linux; library: package.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
}
X11_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def missing_for_window(environment: Mapping[str, str]) -> list[str]:
    """Packages that the window lacks here; those of X11 only where X11 draws it."""
    if sys.platform != "linux":
        return []
    platform = environment.get("QT_QPA_PLATFORM", "")
    draws_x11 = platform == "xcb" or (not platform and not environment.get("WAYLAND_DISPLAY"))
    return missing(QT_LIBRARIES | X11_LIBRARIES if draws_x11 else QT_LIBRARIES)


def missing(libraries: Mapping[str, str]) -> list[str]:
    """Packages whose library cannot be opened."""
    packages: list[str] = []
    for library, package in libraries.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            packages.append(package)
    return packages


def tell(what: str, packages: list[str]) -> None:
    """Say what is missing and the one command that brings it."""
    sys.stderr.write(f"{what}\n    sudo apt-get install {' '.join(packages)}\n")


def check_venv() -> int:
    """Can a virtual environment be made with this Python?"""
    if sys.version_info < OLDEST_PYTHON:
        have = ".".join(map(str, sys.version_info[:3]))
        tell(f"Incunable needs Python 3.11 or newer, this is {have}.", ["python3.11-venv"])
        return 1
    if importlib.util.find_spec("ensurepip") is None:
        tell("Python cannot make virtual environments here:", ["python3-venv"])
        return 1
    return 0


def check_window() -> int:
    """Say what the window lacks; that is no failure."""
    packages = missing_for_window(os.environ)
    if packages:
        tell("The window needs libraries that are not installed:", packages)
    return 0


def check_tests() -> int:
    """Are the libraries there that Qt needs without a screen?"""
    packages = missing(QT_LIBRARIES) if sys.platform == "linux" else []
    if packages:
        tell("Testing the window needs libraries that are not installed:", packages)
    return 1 if packages else 0


def main() -> int:
    """Check what the argument names."""
    match sys.argv[1:]:
        case ["venv"]:
            return check_venv()
        case ["window"]:
            return check_window()
        case ["tests"]:
            return check_tests()
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2


if __name__ == "__main__":
    sys.exit(main())
