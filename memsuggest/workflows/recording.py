"""Decisions that change no file of the repo, each written down so that `undo` takes it back."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from memsuggest.database import transaction
from memsuggest.memory.store_journal import note_change
from memsuggest.suggestions.journal import About
from memsuggest.suggestions.pending import text_of
from memsuggest.workflows.renewing import open_facts, renew
from memsuggest.workflows.rewriting import change_between, side_of
from memsuggest.workflows.stores import open_stores, share_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memsuggest.model import MemoryFact, MemorySuggestion
    from memsuggest.workflows.desk import Desk

    Note = Callable[[str, Iterable[MemoryFact | MemorySuggestion]], None]
    """Tells what is about to be done, and to what: before it is done."""


@contextmanager
def deciding(desk: Desk) -> Iterator[Note]:
    """Open the stores before a change; bring what waits up to date after it, and write down what `undo` needs.

    What is not told beforehand is done all the same, and cannot be taken back.
    """
    told: list[tuple[str, tuple[About, ...]]] = []

    with desk.alone():
        open_stores(desk)
        known = open_facts(desk)
        sides = [side_of(desk, ())]

        def note(verb: str, subjects: Iterable[MemoryFact | MemorySuggestion]) -> None:
            told.append((verb, tuple(About(id=one.id, content=one.content) for one in subjects)))
            sides[0] = side_of(desk, {one.id for one in told[-1][1]})

        yield note
        share_facts(desk)
        renewed = renew(desk, known)
        if not told or desk.is_dry:
            return
        verb, about = told[-1]
        change = change_between(sides[0], side_of(desk, {one.id for one in about}))
        if change is not None:
            with transaction(desk.state):
                number = desk.journal.begin((), now=desk.now(), verb=verb, about=about)
                note_change(desk.state, number, change)
                desk.journal.note_waited(number, text_of(renewed.taken_away))
                desk.journal.finish(number)
