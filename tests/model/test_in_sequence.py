"""What goes over from one chunk of a run in sequence to the next; all but the run is scripted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import pytest

from model.api import PageRead, Stop
from model.decode import Token
from model.in_sequence import InSequence, Manner
from model.streams import Prompt

pytestmark = pytest.mark.model


class ScriptedStreams:
    """Every chunk is one token, the end; notes what each was begun with."""

    def __init__(self) -> None:
        self.begun: list[bool] = []

    def forget_all(self) -> None:
        pass

    def begin(self, prompts: Mapping[int, Prompt], *, ratio: float, carries: bool) -> None:
        self.begun.append(carries)

    def run(self) -> Mapping[int, Sequence[Token]]:
        return {0: [Token(1, 1.0, is_end=True)]}

    def turn_to(self, at: int, page: int) -> None:
        pass

    def end(self, at: int) -> None:
        pass


class ScriptedPages:
    """Three pages, then none."""

    def __init__(self) -> None:
        self._left = [0, 1, 2]

    def take(self, count: int) -> list[int]:
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def put_back(self, pages: Sequence[int]) -> None:
        pass

    def advance(self) -> None:
        pass

    def check(self) -> None:
        pass


class ScriptedReader:
    """Ends each page of a chunk once its tokens have ended."""

    def __init__(self, pages: Sequence[int]) -> None:
        self._pages = list(pages)

    def read(self, tokens: Iterator[Token], _stop: Stop) -> Iterator[PageRead]:
        assert next(tokens).is_end
        yield from (PageRead(page, ()) for page in self._pages)


@pytest.mark.parametrize("carries", [True, False])
def test_text_goes_over_only_where_the_checkpoint_knows_several_pages(carries: bool):
    streams: Any = ScriptedStreams()
    reader = InSequence(
        streams,
        cast("Any", ScriptedPages()),
        prompt=lambda _pages: Prompt([1], []),
        reader=cast("Any", ScriptedReader),
        manner=Manner(chunk_pages=1, carries=carries),
    )
    assert len(list(reader.read(Stop()))) == 3
    assert streams.begun == [False, carries, carries]
