"""What an empty window offers: the books opened before, and which engine will read."""

from __future__ import annotations

from pathlib import Path

from app.answers import EngineChosen, Post, RecentLoaded, Refused, ask
from app.change import NOTHING, Change
from app.language import _
from app.opening import Opener
from app.runs import engine_chooser
from app.settings import Settings
from app.store.library import RecentBook
from app.workers import Workers
from model.api import Engine, EngineChoice, EngineSource


class Welcome:
    """Belongs to the UI thread."""

    def __init__(self, opener: Opener, workers: Workers, post: Post, *, cache: Path) -> None:
        self._opener = opener
        self._workers = workers
        self._post = post
        self._cache = cache
        self.recent: tuple[RecentBook, ...] = ()
        self.missing: frozenset[Path] = frozenset()  # store paths of recent books without a scan
        self.engine: EngineChoice | None = None  # of the next run; None while it is not known

    @property
    def next_engine(self) -> EngineSource | None:
        """The engine of the next run as the status bar names it."""
        if self.engine is None:
            return None
        is_line_reader = self.engine.engine is Engine.LINE_READER
        device = "cpu" if is_line_reader or self.engine.device == "cpu" else _("card")
        return EngineSource(self.engine.engine.value, "", device=device)

    def load_recent(self) -> Change:
        """Fetch the books opened before; comes as `RecentLoaded`."""
        ask(
            self._workers.jobs,
            self._post,
            self._opener.recent,
            answer=lambda found: RecentLoaded(*found),
            refused=lambda error: Refused(error, "recent"),
        )
        return NOTHING

    def forget(self, store_path: Path) -> Change:
        """Take a book off the list; its text is kept."""
        self._workers.store.submit(self._opener.forget, store_path)
        return self.load_recent()

    def choose_engine(self, settings: Settings) -> Change:
        """Find out which engine the next run will use; comes as `EngineChosen`."""
        ask(
            self._workers.jobs,
            self._post,
            engine_chooser(settings, None, cache=self._cache),
            answer=EngineChosen,
            refused=lambda error: Refused(error, "engine"),
        )
        return NOTHING

    def store_of(self, paths: tuple[Path, ...]) -> Path | None:
        """The database of a recent book by the paths of its scan."""
        wanted = tuple(path.absolute() for path in paths)
        return next((book.store_path for book in self.recent if book.paths == wanted), None)

    def apply(self, answer: object) -> Change | None:
        """Take an answer in; None when it is about something else."""
        match answer:
            case RecentLoaded(books=books, missing=missing):
                self.recent, self.missing = books, missing
                return Change(recent=True)
            case EngineChosen(choice=choice):
                self.engine = choice
                return Change(engine=True)
            case _:
                return None
