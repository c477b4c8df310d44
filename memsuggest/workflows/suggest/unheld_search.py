"""Rules of the repo's customization files that had to be said again, by the notes that are there; no chat is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest import __version__
from memsuggest.config import Mode
from memsuggest.identity import hash_of
from memsuggest.suggestions.unheld_rules import of_unheld
from memsuggest.workflows.check_rules.compare import compare
from memsuggest.workflows.check_rules.notes import note_store, rule_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.model import MemorySuggestion, Target
    from memsuggest.workflows.context import Context


def unheld_key(context: Context, targets: Sequence[Target]) -> str:
    """Return what says whether looking again can find anything else: the notes, the files, and what was learned."""
    learned = context.profile.contents()
    counts = (len(learned.facts), len(learned.tombstones), *note_store(context).fingerprint())
    return hash_of("unheld", __version__, *map(str, counts), *(f"{one.uri} {one.digest}" for one in targets))


def unheld_suggestions(context: Context, targets: Sequence[Target]) -> Iterator[MemorySuggestion]:
    """Suggest what would make the rules of some files hold, worst first: those that were said again in a chat."""
    if context.settings.mode is Mode.OFF or context.is_dry:
        return  # comparing files with the notes is kept
    sentences = note_store(context).sentences()
    if not sentences:
        return
    store = rule_store(context)
    with context.exclusive():
        compare(store, targets, sentences)
    files = {target.uri: target for target in targets}
    said_again = {uri for uri, _ in store.matches() if uri in files}
    if said_again:
        from memsuggest.workflows.check_rules.find_held import held_now  # noqa: PLC0415  (of few repos only)

        everything = {one.uri: one for one in context.targets.targets} | files
        found = (of_unheld(rule, everything) for rule in held_now(context, only=said_again, is_said=True).rules)
        yield from (one for one in found if one)
