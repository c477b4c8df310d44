"""Decisions that change no file of the repo, each written down so that `undo` takes it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.model import MemoryFact, MemorySuggestion
from memsuggest.facts.change_facts import change_between, side_of
from memsuggest.facts.store_journal import Side, note_change
from memsuggest.facts.stores import open_stores, read_known, share_facts
from memsuggest.files.journal import About
from memsuggest.suggestions.pending_suggestions import text_of
from memsuggest.suggestions.suggesting import renew


@contextmanager
def deciding(context: Context) -> Iterator[Callable[..., None]]:
    """Open the stores before a change; bring what is pending up to date after it, and write down what `undo` needs.

    It hands over a function that notes what is about to be done, to what, and the chats whose silence changes. What is
    not noted beforehand is done all the same, and cannot be undone.
    """
    noted: list[tuple[str, tuple[About, ...], tuple[str, ...], Side]] = []

    def note(verb: str, subjects: Iterable[MemoryFact | MemorySuggestion], chats: Sequence[str] = ()) -> None:
        about = tuple(About(id=subject.id, content=subject.content) for subject in subjects)
        before = side_of(context, {subject.id for subject in about}, chats)
        noted.append((verb, about, tuple(chats), before))

    with context.exclusive():
        open_stores(context)
        known = read_known(context)
        yield note
        share_facts(context)
        renewed = renew(context, known)
        if not noted or context.is_dry:
            return
        verb, about, chats, before = noted[-1]
        change = change_between(before, side_of(context, {subject.id for subject in about}, chats))
        if change is not None:
            with transaction(context.state):
                number = context.journal.begin((), now=context.now(), verb=verb, about=about)
                note_change(context.state, number, change)
                context.journal.note_waited(number, text_of(renewed.taken_away))
                context.journal.finish(number)
