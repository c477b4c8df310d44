"""Taking the last decision back, and telling which those were."""

from __future__ import annotations

from contextlib import suppress

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.facts.stores import all_facts
from memsuggest.files.journal import FORGOT, SETUP, Entry
from memsuggest.suggestions.decision_reports import Taken, TakenRows, Undone
from memsuggest.suggestions.listed import where
from memsuggest.suggestions.target_paths import HOST
from memsuggest.suggestions.writing import carry_back, settle

LISTED = 20
"""Decisions that `undo --list` shows."""
FORGOTTEN_DAYS = 30
"""How long the words of forgotten facts are kept for `undo`."""
_DAY = 86_400_000


def undo(context: Context) -> Undone:
    """Take back the last decision in this working tree, whatever it was; raises EditConflict when that no longer fits.

    What nobody else has changed since is the same again, byte for byte.
    """
    with context.exclusive():
        settle(context)
        _let_go(context)
        entry = context.journal.last()
        if entry is None:
            raise MemsuggestError(
                "there is nothing to undo", hint="run `memsuggest list --status applied` to see applied suggestions"
            )
        known = _contents(context)
        if entry.verb == SETUP:
            _withdraw(context, entry)
        renewed, back_in_memory = carry_back(context, entry)
        again = set(back_in_memory)
        with suppress(MemsuggestError):  # it is done, whether or not it can be told
            again |= _contents(context) - known
    back = {one.id for one in entry.about} | {decision.fact_id for decision in entry.decisions}
    waiting = [one for one in (*renewed.suggestions, *renewed.maintenance) if one.about in back]
    return Undone(
        taken=_taken(entry),
        paths=tuple(edit.path.removeprefix(HOST) for edit in entry.edits),
        contents=tuple(one.content for one in waiting),
        places=tuple(where(one) for one in waiting),
        facts=tuple(sorted(again)),
        removed=frozenset(edit.path.removeprefix(HOST) for edit in entry.edits if edit.before is None),
    )


def list_decisions(context: Context, *, limit: int = LISTED) -> TakenRows:
    """Return the last decisions, the last one first: `undo` takes them back in this order."""
    with context.exclusive():
        settle(context)
        _let_go(context)
    return TakenRows(rows=tuple(map(_taken, context.journal.newest(limit))))


def _let_go(context: Context) -> None:
    if not context.is_dry:
        context.journal.forget_old(FORGOT, before=context.now() - FORGOTTEN_DAYS * _DAY)


def _withdraw(context: Context, entry: Entry) -> None:
    from memsuggest.judging.engine_offers import withdraw

    for one in entry.about:
        kind, _, engine = one.id.partition(" ")
        if kind == "engine":
            withdraw(context, engine)


def _taken(entry: Entry) -> Taken:
    return Taken(
        at=entry.at,
        verb=entry.verb,
        ids=tuple(one.id for one in entry.about),
        contents=tuple(one.content for one in entry.about),
        paths=tuple(edit.path.removeprefix(HOST) for edit in entry.edits),
    )


def _contents(context: Context) -> set[str]:
    return {fact.content for fact in all_facts(context)}
