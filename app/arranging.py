"""An order about the pages of a book carried out in its store; on the worker `store`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from app.book import Page
from app.page_orders import Order
from app.store.arranging import Arrangement, Placed
from app.store.database import BookStore
from app.store.rows import treatment_from_json


def carry_out(store: BookStore, order: Order) -> tuple[tuple[Page, ...], Arrangement]:
    """Arrange a book anew: its pages as they are then, and how they were arranged before."""
    before, pages = store.arrangement(), store.book().pages
    placed = order(before, pages)
    return store.arrange(_with_readings(placed, before, pages, store)), before


def _with_readings(
    placed: Sequence[Placed], before: Arrangement, pages: Sequence[Page], store: BookStore
) -> Sequence[Placed]:
    """The two pages of a spread that was read as one take over what stands on each."""
    by_row = {each.page_id: page for each, page in zip(before, pages, strict=True)}
    given = list(placed)
    for at, (first, second) in enumerate(pairwise(placed)):
        if first.like and first.like == second.like:
            given[at : at + 2] = _divided(first, second, by_row[first.like], store)
    return given


def _divided(first: Placed, second: Placed, whole: Page, store: BookStore) -> tuple[Placed, Placed]:
    from app.prepare.dividing import divided

    reading = store.current(whole.number)
    if reading is None or whole.size is None:
        return first, second
    both = divided(reading, whole.size, treatment_from_json(first.treatment))
    if both is None:
        return first, second
    return replace(first, reading=both[0]), replace(second, reading=both[1])
