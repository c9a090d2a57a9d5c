"""One request as it is decoded: tokens in, pieces out, and one `PageRead` at the end of each page.

The output is counted in sections; `<PAGE>` begins one (the first may lack it). A section is a page:

- another `<PAGE>` ends a page: done;
- more sections than pages: the last page ends there, `SECTIONS`, what follows is not read;
- an end with fewer sections: the last section's page and those without one are `SECTIONS`, since it
  cannot be told which page was passed over;
- a page too long is `CAP`, one that goes round in circles `LOOP` and cut back to where it began to.
  The request ends there, for what its network would write next is not to be trusted; pages after it
  are left for a new request;
- stop ends the page under way, `STOPPED`, and the request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from model.api import PageEnd, PageRead, Step, Stop
from model.decode import Token
from model.guards import SAME_BLOCKS, LoopGuard, count_repeats
from model.markup import Event, Markup, PageStart
from model.page_writer import ImageSize, PageWriter
from model.tokens import TextStream


class RequestReader:
    """Reads the pages of one request."""

    def __init__(
        self,
        pages: Sequence[ImageSize],
        *,
        text: TextStream,
        first_page: int,
        page_tokens: int,
        ngram: int,
    ) -> None:
        """Be ready for the first token.

        Args:
            pages: sizes of the images given, in pixels; one at least.
            text: makes text of tokens.
            first_page: number of the first of them, in the steps.
            page_tokens: tokens after which a page is too long.
            ngram: tokens in a row that the decoder lets come only once.
        """
        self._pages = pages
        self._text = text
        self._first_page = first_page
        self._page_tokens = page_tokens
        self._ngram = ngram
        self._markup = Markup()
        self._score = 1.0  # of the last token
        self._steps: list[Step] = []  # not yet given
        self._is_given_up = False
        self.pages_done = 0
        self._begin_page()

    @property
    def is_over(self) -> bool:
        """Whether nothing more of this request is read."""
        return self._is_given_up or self.pages_done == len(self._pages)

    def read(self, tokens: Iterable[Token], stop: Stop) -> Iterator[Step]:
        """Read until the request is over; `pages_done` then tells how many pages ended."""
        return self.read_runs(([token] for token in tokens), stop)

    def read_runs(self, runs: Iterable[Sequence[Token]], stop: Stop) -> Iterator[Step]:
        """Read tokens that come several at a time; the pages are the same, the pieces fewer."""
        token: Token | None = None
        for run in runs:
            self._take_run(run)
            yield from self._tell()
            if self.is_over:
                return
            token = run[-1]
        self._write_rest()
        if not self.is_over:
            self._end(is_ended=token is not None and token.is_end, stop=stop)
        yield from self._tell()

    def _tell(self) -> list[Step]:
        """The steps since the last time."""
        steps, self._steps = [*self._steps, *self._writer.news()], []
        return steps

    def _begin_page(self) -> None:
        number = self.pages_done
        self._writer = PageWriter(self._first_page + number, self._pages[number])
        self._guard = LoopGuard(self._ngram)
        self._has_section = False

    def _take_run(self, run: Sequence[Token]) -> None:
        """Take tokens; no more at a time than the page has room for, its rest being the last's."""
        while run and not self.is_over:
            room = max(1, self._page_tokens - self._writer.tokens)
            self._take(run[:room])
            run = run[room:]

    def _take(self, tokens: Sequence[Token]) -> None:
        for token, (settled, new) in zip(tokens, self._spell(tokens), strict=True):
            if settled:
                self._write(self._markup.feed(settled), is_rest=True)
                if self.is_over:
                    return
            self._score = token.probability
            self._write(self._markup.feed(new))
            self._guard.add(is_overruled=token.is_overruled)
            if not (self.is_over or token.is_end):
                self._mind_limits()
            if self.is_over:
                return

    def _spell(self, tokens: Sequence[Token]) -> Iterable[tuple[str, str]]:
        """What each token settles of the text before it, and what it adds.

        Its last letter counts as its own where the next token is known. The end of a tag alone
        always waits for that token, so that pages have the same tokens however they come.
        """
        rests, texts = list[str](), list[str]()
        for token in tokens:
            settled, new = (self._text.end(), "") if token.is_end else self._text.add(token.id)
            if texts and not settled.startswith(">"):
                texts[-1] += settled
                settled = ""
            rests.append(settled)
            texts.append(new)
        return zip(rests, texts, strict=True)

    def _mind_limits(self) -> None:
        """End a page that goes round in circles or is too long."""
        if self._cut_loop():
            self._give_up(PageEnd.LOOP)
        elif self._writer.tokens >= self._page_tokens:
            self._write_rest()
            if not self.is_over:
                self._give_up(PageEnd.CAP)

    def _write(self, events: list[Event], *, is_rest: bool = False) -> None:
        """Write what one token brought; a `<PAGE>` in it ends one page and begins another."""
        waiting: list[Event] = []
        for event in events:
            if isinstance(event, PageStart):
                self._writer.add_rest(waiting, self._score)
                waiting = []
                self._turn_page()
                if self.is_over:
                    return
            else:
                self._has_section = True
                waiting.append(event)
        add = self._writer.add_rest if is_rest else self._writer.add
        add(waiting, self._score)

    def _write_rest(self) -> None:
        """Write what was held back until it was clear that nothing follows."""
        rest = [*self._markup.feed(self._text.end()), *self._markup.end()]
        self._write(rest, is_rest=True)

    def _turn_page(self) -> None:
        if self._has_section and self.pages_done + 1 == len(self._pages):
            self._give_up(PageEnd.SECTIONS)
        elif self._has_section:
            self._end_page(PageEnd.DONE)
            self._begin_page()
        self._has_section = True

    def _cut_loop(self) -> bool:
        """Whether the page goes round in circles; then it is cut back to where it began to."""
        kept_tokens = self._guard.loop_start
        if kept_tokens is not None:
            self._steps += self._writer.news()
            self._writer.cut_tokens(kept_tokens)
            return True
        repeats = count_repeats(self._writer.last_texts(SAME_BLOCKS))
        if repeats:
            self._steps += self._writer.news()
            self._writer.drop_blocks(repeats)
        return repeats > 0

    def _end(self, *, is_ended: bool, stop: Stop) -> None:
        """End the last page: the network ended it, or stop did, or there is no room for more."""
        if not is_ended:
            self._give_up(PageEnd.STOPPED if stop.asked else PageEnd.CAP)
            return
        is_complete = self.pages_done + 1 == len(self._pages)
        self._end_page(PageEnd.DONE if is_complete else PageEnd.SECTIONS)
        while not self.is_over:
            self._begin_page()
            self._end_page(PageEnd.SECTIONS)

    def _give_up(self, end: PageEnd) -> None:
        """End the page and, with it, the request."""
        self._is_given_up = True
        self._end_page(end)

    def _end_page(self, end: PageEnd) -> None:
        self.pages_done += 1
        writer = self._writer
        self._steps += writer.news()
        self._steps.append(PageRead(writer.page, writer.blocks(), end, writer.tokens))
