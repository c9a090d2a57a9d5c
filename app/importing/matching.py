"""Which page of the book a found page is of: by the image that it names, its file, its number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PureWindowsPath
from urllib.parse import unquote

from app.book import Page
from app.importing.found import FoundPage

_PAGE_OF = re.compile(r"#page=(\d+)$")
_LAST_NUMBER = re.compile(r"(\d+)\D*$")


class Matcher:
    """Knows the names of a book's pages; each page is given away once."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._count = len(pages)
        self._by_name: defaultdict[str, list[int]] = defaultdict(list)
        for page in pages:
            if page.name:
                self._by_name[_stem(page.name)].append(page.number)
        self._has_names = bool(self._by_name)
        self._taken: set[int] = set()

    def page_of(self, found: FoundPage, path: Path, *, place: int, alone: bool) -> int | None:
        """The page that this is of, from 0; None if no page fits, or it has been given away.

        Args:
            found: as its file says.
            path: of that file.
            place: which page of the file it is, from 0.
            alone: the file holds no other page, so that its name may say which.
        """
        names = [*found.images, *([path.name] if alone else [])]
        for number in self._candidates(found, names, path, place=place, alone=alone):
            if number not in self._taken and 0 <= number < self._count:
                self._taken.add(number)
                return number
            return None
        return None

    def _candidates(
        self, found: FoundPage, names: Iterable[str], path: Path, *, place: int, alone: bool
    ) -> Iterable[int]:
        for name in names:
            counted = _PAGE_OF.search(name)
            if counted:
                yield int(counted[1]) - 1
            same = self._by_name.get(_stem(name), [])
            if found.number in same:
                yield found.number
            elif same:  # both halves of a spread have the name of its image
                yield next((each for each in same if each not in self._taken), same[0])
        if self._has_names and any(map(_stem, found.images)):
            return  # it names an image, and the book's images are called otherwise
        if found.number is not None:
            yield found.number
        if not alone:
            yield place
        elif not self._has_names:
            number = _LAST_NUMBER.search(path.stem)
            if number:
                yield int(number[1][-9:]) - 1


def _stem(name: str) -> str:
    """What two names of one image have in common: no folder, no suffix, no case."""
    stem = PureWindowsPath(unquote(name)).stem
    return stem.removesuffix(".gt").casefold()
