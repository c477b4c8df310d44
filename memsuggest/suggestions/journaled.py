"""Decisions that change no file of the repo, each written down so that `undo` takes it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.model import MemoryFact, MemorySuggestion
from memsuggest.facts.change_facts import change_between, side_of
from memsuggest.facts.store_journal import Side, note_change
from memsuggest.facts.stores import open_stores, share_facts
from memsuggest.files.journal import About
from memsuggest.suggestions.pending_suggestions import text_of
from memsuggest.suggestions.suggesting import open_facts, renew


class Note(Protocol):
    """Tells what is about to be done, and to what: before it is done."""

    def __call__(self, verb: str, subjects: Iterable[MemoryFact | MemorySuggestion], chats: Sequence[str] = ()) -> None:
        """Tell it; `chats` are those whose silence changes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A change that is about to be done, and the stores before it."""

    verb: str
    about: tuple[About, ...]
    chats: tuple[str, ...]
    before: Side


@contextmanager
def deciding(context: Context) -> Iterator[Note]:
    """Open the stores before a change; bring what waits up to date after it, and write down what `undo` needs.

    What is not told beforehand is done all the same, and cannot be taken back.
    """
    told: list[_Told] = []

    def note(verb: str, subjects: Iterable[MemoryFact | MemorySuggestion], chats: Sequence[str] = ()) -> None:
        about = tuple(About(id=subject.id, content=subject.content) for subject in subjects)
        before = side_of(context, {one.id for one in about}, chats)
        told.append(_Told(verb=verb, about=about, chats=tuple(chats), before=before))

    with context.exclusive():
        open_stores(context)
        known = open_facts(context)
        yield note
        share_facts(context)
        renewed = renew(context, known)
        if not told or context.is_dry:
            return
        one = told[-1]
        change = change_between(one.before, side_of(context, {each.id for each in one.about}, one.chats))
        if change is not None:
            with transaction(context.state):
                number = context.journal.begin((), now=context.now(), verb=one.verb, about=one.about)
                note_change(context.state, number, change)
                context.journal.note_waited(number, text_of(renewed.taken_away))
                context.journal.finish(number)
