"""What an operation touched: each method of `Session` that changes state returns one."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Change:
    """Views read it and decide for themselves what to draw anew. Falsy when nothing changed."""

    book: bool = False  # another book is shown, or none
    details: bool = False
    current_page: bool = False
    pages: frozenset[int] = frozenset()  # state, label, size of these pages
    readings: frozenset[int] = frozenset()  # the current text of these pages
    text_added: frozenset[int] = frozenset()  # text streamed into these pages
    run: bool = False  # started, stage, progress, paused, ended
    memory: bool = False
    queue: bool = False  # books waiting to be read
    settings: bool = False
    notice: bool = False  # something to tell, see `Session.notices`
    saved: bool = False  # the store wrote; `Proofs.saved_at`
    found: bool = False  # matches in the book
    history: bool = False  # earlier readings of a page arrived
    export: bool = False  # progress, end
    recent: bool = False  # books opened before
    engine: bool = False  # which engine the next run will use
    preparing: bool = False  # what is found and decided about page images
    images: frozenset[int] = frozenset()  # what is shown of these pages
    doubts: bool = False  # the doubt queue, or where one stands in it
    letters: bool = False  # the letter test
    work: bool = False  # how far proofreading is
    opening_failed: bool = False
    fetch: bool = False  # a book is fetched from a server
    concerns: bool = False  # what speaks against the text of a page came
    second: bool = False  # a second reading, or what is compared with the text
    hyphens: bool = False  # the hyphen ledger was listed, or decided on

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))

    def __or__(self, other: Change) -> Change:
        """Both changes as one."""
        return Change(
            **{
                each.name: getattr(self, each.name) | getattr(other, each.name)
                for each in fields(self)
            }
        )


NOTHING = Change()
