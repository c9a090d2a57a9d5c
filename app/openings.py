"""Openings of books that are under way: ordered, given up, failed. UI thread only.

What becomes of a book that is open now is the session's business.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

from app.answers import BookOpened, OpeningFailed, Post, ask
from app.errors import UserFacing
from app.opening import Opener, OpenOrder
from app.workers import Worker


class _Ordered(NamedTuple):
    order: OpenOrder
    future: Future[BookOpened]

    @property
    def has_faulted(self) -> bool:
        """Whether it ended by a fault of the program, which is told as one and has no answer."""
        error = self.future.exception() if self.future.done() else None
        return error is not None and not isinstance(error, UserFacing)


class Openings:
    """Belongs to the UI thread; answers come as `BookOpened` or `OpeningFailed`, in order.

    Args:
        opener: opens, on `worker`.
        worker: `jobs`, which takes one order after the other.
        post: takes the answers.
        page_limit_megapixels: how large a page may be, as the settings have it now.
    """

    def __init__(
        self,
        opener: Opener,
        worker: Worker,
        post: Post,
        *,
        page_limit_megapixels: Callable[[], int],
    ) -> None:
        self._opener = opener
        self._worker = worker
        self._post = post
        self._page_limit_megapixels = page_limit_megapixels
        self._unanswered: deque[_Ordered] = deque()
        self.order: OpenOrder | None = None  # the one under way whose book is to be shown
        self.failed: OpeningFailed | None = None  # the last that was not to be read only

    @property
    def is_under_way(self) -> bool:
        """Whether any book is being opened, to be shown or to be read."""
        return not all(each.has_faulted for each in self._unanswered)

    @property
    def name(self) -> str:
        """What is being opened to be shown; "" for nothing."""
        return self.order.paths[0].name if self.order is not None else ""

    @property
    def lost(self) -> OpeningFailed | None:
        """How the last opening failed, when that was since the scan is gone."""
        is_lost = self.failed is not None and self.failed.error.code == "source_missing"
        return self.failed if is_lost else None

    def begin(self, order: OpenOrder) -> None:
        """Open a book; one that was to be shown till now is given up for another."""
        if order.to_show:
            if self.order is not None:
                self.order.giving_up.ask()
            self.order = order
        limit = self._page_limit_megapixels()
        future = ask(
            self._worker,
            self._post,
            lambda: self._opener.open(order, page_limit_megapixels=limit),
            answer=lambda answer: answer,
            refused=lambda error: OpeningFailed(order.paths, error, to_show=order.to_show),
        )
        self._unanswered.append(_Ordered(order, future))

    def end(self, answer: BookOpened | OpeningFailed) -> None:
        """Take in that the oldest order has its answer."""
        while self._unanswered[0].has_faulted:
            self._unanswered.popleft()
        order = self._unanswered.popleft().order
        if order is self.order:
            self.order = None
        if isinstance(answer, OpeningFailed) and answer.to_show and not order.giving_up.asked:
            self.failed = answer

    def close(self) -> None:
        """Give up all that is under way."""
        for each in self._unanswered:
            each.order.giving_up.ask()
