"""Reading pages side by side: one page a stream, each with its own prompt and ring.

A stream that has ended takes the next page at once. Steps come out in page order: the tokens of a
page whose turn has not come wait. Belongs to the thread that reads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from model.api import Step, Stop
from model.decode import Token
from model.guards import LoopGuard
from model.pages_ahead import Page, PagesAhead
from model.request import RequestReader
from model.streams import Prompt, Streams

AT_ONCE = 16  # pages prefilled in one go; more is no faster and takes memory


@dataclass
class _Turn:
    """A page in a stream, and what has come of it."""

    page: Page
    guard: LoopGuard
    stream: int
    most_tokens: int
    arrived: list[Token] = field(default_factory=lambda: list[Token]())  # and not yet read
    tokens: int = 0
    is_over: bool = False


class SideBySide:
    """Reads the pages of one order."""

    def __init__(
        self,
        streams: Streams,
        pages: PagesAhead,
        *,
        prompt: Callable[[Sequence[Page]], Prompt],
        reader: Callable[[Sequence[Page]], RequestReader],
        page_tokens: int,
        ngram: int,
    ) -> None:
        """Be ready.

        Args:
            streams: what decodes.
            pages: what to read.
            prompt: the prompt of one page.
            reader: makes pages of tokens.
            page_tokens: tokens after which a page is not decoded further.
            ngram: of the ban.
        """
        self._streams, self._pages = streams, pages
        self._prompt, self._reader = prompt, reader
        self._page_tokens, self._ngram = page_tokens, ngram
        self._turns: deque[_Turn] = deque()  # in page order

    @property
    def under_way(self) -> list[Page]:
        """Pages taken and not ended."""
        return [turn.page for turn in self._turns]

    def read(self, stop: Stop) -> Iterator[Step]:
        """Read until there are no more pages, or stop."""
        self._streams.forget_all()
        while not stop.asked and (self._turns or self._fill()):
            turn = self._turns[0]
            yield from self._reader([turn.page]).read_runs(self._runs_of(turn, stop), stop)
            self._end(turn)
            self._turns.popleft()
        if not stop.asked:
            self._pages.check()

    def _runs_of(self, turn: _Turn, stop: Stop) -> Iterator[Sequence[Token]]:
        """The tokens of a page as they arrive."""
        while not stop.asked:
            if turn.arrived:
                run, turn.arrived = turn.arrived, []
                yield run
            elif turn.is_over:
                return
            else:
                self._pump()

    def _pump(self) -> None:
        """Run one burst, give each page its tokens, and let idle streams take pages."""
        turns = {turn.stream: turn for turn in self._turns if not turn.is_over}
        for stream, tokens in self._streams.run().items():
            self._take(turns[stream], tokens)
        self._pages.advance()
        self._fill()

    def _take(self, turn: _Turn, tokens: Sequence[Token]) -> None:
        turn.arrived.extend(tokens)
        turn.tokens += len(tokens)
        for token in tokens:
            turn.guard.add(is_overruled=token.is_overruled)
        is_caught = turn.guard.loop_start is not None or turn.tokens >= turn.most_tokens
        if is_caught or any(token.is_end for token in tokens):
            self._end(turn)

    def _end(self, turn: _Turn) -> None:
        if not turn.is_over:
            turn.is_over = True
            self._streams.end(turn.stream)

    def _fill(self) -> bool:
        """Give idle streams pages; whether any page is under way."""
        busy = {turn.stream for turn in self._turns if not turn.is_over}
        idle = [at for at in range(self._streams.kv.streams) if at not in busy]
        waits = len(self._turns) >= 2 * self._streams.kv.streams  # read, but not yet told
        if idle and not waits:
            self._begin(idle, self._next_pages(min(len(idle), AT_ONCE), is_first=not busy))
        return bool(self._turns)

    def _next_pages(self, most: int, *, is_first: bool) -> Sequence[Page]:
        """Pages for idle streams; while others decode only those that need not be waited for."""
        return self._pages.take(1 if is_first else min(most, self._pages.ready))

    def _begin(self, idle: Sequence[int], pages: Sequence[Page]) -> None:
        by_length: dict[int, dict[int, Prompt]] = {}
        for at, page in zip(idle, pages, strict=False):
            self._streams.forget(at)
            prompt = self._prompt([page])
            by_length.setdefault(len(prompt.ids), {})[at] = prompt
            most = min(prompt.most_tokens, self._page_tokens + 1)
            self._turns.append(_Turn(page, LoopGuard(self._ngram), at, most))
        for prompts in by_length.values():
            self._streams.begin(prompts)
