"""Makes the word lists: `python -m resources.dictionaries.make CORPUS` (`make dictionaries`).

CORPUS is a tar archive of plain texts whose names begin with the language (`de-...txt`). A list is
a file `LANGUAGE.txt.xz`: a line `CLASS` of one digit, then the words of that frequency class in
their order, each a line, then the next class. A word of class n occurs at least 2**n times. Words
are in small letters, the long s as s, without apostrophes and hyphens: those part words.
"""

from __future__ import annotations

import argparse
import lzma
import re
import tarfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent

HIGHEST_CLASS = 9

_NAME = re.compile(r"(?:.*/)?([a-z]{2})-[^/]*\.txt")
_WORD = re.compile(r"[^\W\d_]+")


def main() -> None:
    """Read the corpus and write a list for each of its languages."""
    parser = argparse.ArgumentParser(prog="python -m resources.dictionaries.make")
    parser.add_argument("corpus", type=Path)
    for language, counts in counted(parser.parse_args().corpus).items():
        path = HERE / f"{language}.txt.xz"
        path.write_bytes(packed(counts))
        print(f"{path.name}: {len(counts)} words, {path.stat().st_size} bytes")  # noqa: T201


def counted(corpus: Path) -> dict[str, Counter[str]]:
    """How often each word occurs, by language."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for language, text in _texts(corpus):
        small = unicodedata.normalize("NFC", text).replace("ſ", "s").lower()
        found[language].update(filter(str.isalpha, _WORD.findall(small)))
    return dict(found)


def packed(counts: Counter[str]) -> bytes:
    """A list as it stands in its file."""
    classes: defaultdict[int, list[str]] = defaultdict(list)
    for word, count in counts.items():
        classes[min(count.bit_length() - 1, HIGHEST_CLASS)].append(word)
    lines = (
        line
        for each in sorted(classes, reverse=True)
        for line in (str(each), *sorted(classes[each]))
    )
    return lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def _texts(corpus: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(corpus) as archive:
        for member in archive:
            name = _NAME.fullmatch(member.name)
            file = archive.extractfile(member) if name else None
            if name and file:
                yield name[1], file.read().decode("utf-8")


if __name__ == "__main__":
    main()
