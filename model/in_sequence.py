"""Reading pages in sequence: one stream through the book, chunk after chunk of pages.

In `continuous` mode earlier pages stay in the window and the ring goes over from chunk to chunk; in
`request` mode every chunk begins anew, as the published v1 runs. Belongs to the thread that reads.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import NamedTuple

from model.api import PageEnd, PageRead, Step, Stop
from model.decode import Token
from model.pages_ahead import Page, PagesAhead
from model.request import RequestReader
from model.streams import Prompt, Streams


class Manner(NamedTuple):
    """How chunks follow each other."""

    chunk_pages: int
    ratio: float = 1.0  # share of the resident blocks that a step reads
    goes_on: bool = True  # the window goes over from one chunk to the next
    carries: bool = True  # the ring does, too; not with a checkpoint that knows one page a prompt


class InSequence:
    """Reads the pages of one order."""

    def __init__(
        self,
        streams: Streams,
        pages: PagesAhead,
        *,
        prompt: Callable[[Sequence[Page]], Prompt],
        reader: Callable[[Sequence[Page]], RequestReader],
        manner: Manner,
    ) -> None:
        """Be ready.

        Args:
            streams: what decodes; its first stream is used.
            pages: what to read.
            prompt: the prompt of some pages.
            reader: makes pages of tokens.
            manner: see there.
        """
        self._streams, self._pages, self._manner = streams, pages, manner
        self._prompt, self._reader = prompt, reader
        self._numbers = 0  # given to pages as they become resident; one read again has two
        self._has_ended = False  # the text, with the token that ends it
        self.under_way: list[Page] = []

    def read(self, stop: Stop) -> Iterator[Step]:
        """Read until there are no more pages, or stop."""
        self._streams.forget_all()
        carries = False
        while not stop.asked:
            self.under_way = self._pages.take(self._manner.chunk_pages)
            if not self.under_way:
                self._pages.check()
                return
            carries = yield from self._read_chunk(stop, carries=carries)

    def _read_chunk(self, stop: Stop, *, carries: bool) -> Generator[Step, None, bool]:
        """Read one chunk; what it leaves unread begins the next."""
        prompt = self._prompt(self.under_way)._replace(first_page=self._numbers)
        self._numbers += len(self.under_way)
        if not self._manner.goes_on:
            self._streams.forget(0)
        self._streams.begin({0: prompt}, ratio=self._manner.ratio, carries=carries)
        chunk, is_sound = self._reader(self.under_way), True
        for step in chunk.read(self._tokens(prompt.most_tokens, stop), stop):
            if isinstance(step, PageRead):
                del self.under_way[:1]
                self._streams.turn_to(0, self._numbers - len(self.under_way))
                is_sound = is_sound and step.end is PageEnd.DONE
            yield step
        self._pages.put_back(self.under_way)
        self.under_way = []
        if is_sound and self._has_ended and self._manner.goes_on and self._manner.carries:
            return True
        self._streams.end(0)
        return False

    def _tokens(self, room: int, stop: Stop) -> Iterator[Token]:
        self._has_ended = False
        while not stop.asked and (tokens := self._streams.run().get(0)):
            self._pages.advance()
            for token in tokens:
                self._has_ended = token.is_end
                yield token
                room -= 1
                if room == 0 or stop.asked:
                    return
