"""Books fetched from a server: looked at, fetched when ordered, stopped. Belongs to the UI thread.

Has a worker of its own: a book takes minutes, and exports and searches do not wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from app.answers import Post, Refused, ask
from app.change import NOTHING, Change
from app.errors import UserFacing
from app.fetching.fetch import fetch, folder_for, look_at
from app.fetching.manifest import Manifest
from app.workers import Worker
from model.api import Stop

FOLDER = "fetched"
"""In the folder `Places.data`."""


@dataclass(frozen=True)
class Looked:
    """A manifest was read; nothing of the book is fetched yet."""

    address: str
    manifest: Manifest


@dataclass(frozen=True)
class Progressed:
    """So many images are there."""

    done: int
    images: int


@dataclass(frozen=True)
class Ended:
    """The book is there, or (None) the fetch was stopped."""

    record: Path | None


class Fetches:
    """One fetch at a time."""

    def __init__(self, post: Post, data: Path) -> None:
        self._post = post
        self._below = data / FOLDER
        self._worker: Worker | None = None
        self._stop: Stop | None = None
        self.looked: Looked | None = None
        self.progress: Progressed | None = None
        self.ended: Ended | UserFacing | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is asked of a server."""
        return self._stop is not None

    def look(self, address: str) -> Change:
        """Read a manifest; comes as `Looked` or `Refused`."""
        if self.is_busy:
            return NOTHING
        self._stop = Stop()
        self.looked = self.progress = self.ended = None
        ask(
            self._ready(),
            self._post,
            lambda: look_at(address),
            answer=partial(Looked, address),
            refused=partial(Refused, order="fetch"),
        )
        return Change(fetch=True)

    def begin(self) -> Change:
        """Fetch the book that was looked at; comes as `Progressed`, then `Ended` or `Refused`."""
        looked = self.looked
        if self.is_busy or looked is None:
            return NOTHING
        stop = self._stop = Stop()
        self.progress, self.ended = Progressed(0, len(looked.manifest.canvases)), None
        folder = folder_for(looked.manifest, looked.address, below=self._below)
        ask(
            self._ready(),
            self._post,
            lambda: fetch(
                looked.manifest,
                folder,
                tell=lambda done, images: self._post(Progressed(done, images)),
                stop=stop,
            ),
            answer=Ended,
            refused=partial(Refused, order="fetch"),
        )
        return Change(fetch=True)

    def forget(self) -> None:
        """Nothing is looked at any more; one that is under way goes on."""
        if not self.is_busy:
            self.looked = self.progress = self.ended = None

    def stop(self) -> Change:
        """Give up; what has arrived stays for the next time."""
        if self._stop is not None:
            self._stop.ask()
        return NOTHING

    def close(self) -> bool:
        """Give up and wait for the worker; False when a server kept it waiting."""
        self.stop()
        return self._worker is None or self._worker.close()

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is not about a fetch."""
        match answer:
            case Looked():
                self._stop, self.looked = None, answer
            case Progressed():
                self.progress = answer
            case Ended():
                self._stop, self.progress, self.ended = None, None, answer
            case Refused(error=error, order="fetch"):
                self._stop, self.progress, self.ended = None, None, error
            case _:
                return None
        return Change(fetch=True)

    def _ready(self) -> Worker:
        if self._worker is None:
            self._worker = Worker("fetch")
        return self._worker
