"""The one bridge between session and Qt: events in from any thread, changes out to the views."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.change import Change
from app.session import Session


class SessionSignals(QObject):
    """Lives in the UI thread. `post` may be called from any thread, everything else from this one.

    The session is handed in after it was built with `post`, by `attach`.
    """

    changed = Signal(object)  # Change
    event_taken = Signal(object, object)  # the event or answer, and the Change it made

    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._awaited: list[tuple[tuple[type, ...], asyncio.Future[object]]] = []
        self._posted.connect(self._on_posted, Qt.ConnectionType.QueuedConnection)

    def attach(self, session: Session) -> None:
        """Deliver from now on to this session."""
        self._session = session

    def post(self, event: object) -> None:
        """Bring an event or answer into the UI thread, in order."""
        self._posted.emit(event)

    def tell(self, change: Change) -> None:
        """Let the views see what an order touched; silent when that is nothing."""
        if change:
            self.changed.emit(change)

    def answer(self, *kinds: type) -> asyncio.Future[object]:
        """The next event or answer of one of these kinds, to be awaited; already taken in.

        Each is for one who waits: answers come in the order of the orders.
        """
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._awaited.append((kinds, future))
        return future

    @Slot(object)
    def _on_posted(self, event: object) -> None:
        if self._session is None:
            return
        change = self._session.apply(event)
        if change:
            self.event_taken.emit(event, change)
            self.changed.emit(change)
        self._give(event)

    def _give(self, event: object) -> None:
        """Hand an event to who waits for its kind."""
        for kinds, future in list(self._awaited):
            if isinstance(event, kinds):
                self._awaited.remove((kinds, future))
                if not future.done():
                    future.set_result(event)
                    return
