"""Looking after facts by hand: add, confirm, edit, forget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError
from memsuggest.core.model import (
    BY_HAND,
    CONFIRMED,
    Candidate,
    FactStatus,
    Kind,
    MemoryFact,
    Scope,
    SuggestionStatus,
    Trust,
    hash_of,
    is_maybe,
)
from memsuggest.facts.accept import fact_from, forgetting, recognised, united
from memsuggest.facts.change_facts import by_hand, confirmed
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.fact_reports import FactChanged
from memsuggest.facts.fact_store import checked_words
from memsuggest.facts.forget_quotes import forget_quotes
from memsuggest.facts.look_at_facts import find_fact
from memsuggest.facts.store_journal import forget_changes
from memsuggest.facts.stores import (
    all_decisions,
    all_facts,
    all_tombstones,
    applied_ids,
    dismissed_ids,
    drop_decisions,
    known_facts,
    open_stores,
    revive_facts,
    share_facts,
    store_facts,
)
from memsuggest.files import journal
from memsuggest.judging.danger import danger_in
from memsuggest.suggestions.dangerous_rules import SHORT
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.place import find_contradictions as opposed_lines
from memsuggest.suggestions.suggesting import refresh_pending, said_where
from memsuggest.suggestions.writing import deciding


def add_fact(context: Context, text: str, *, is_users: bool, kind: str | None, paths: Sequence[str]) -> FactChanged:
    """Add a fact that the person states by hand, or take it as evidence of the known one of the same words."""
    content = checked_words(text)
    if kind and kind not in set(Kind):
        raise ConfigError(f"unknown kind `{kind}`", hint=f"use one of: {', '.join(Kind)}")
    stated = Candidate(
        content=content,
        kind=Kind(kind or Kind.FACT),
        scope=Scope.USER if is_users else Scope.WORKSPACE,
        confidence=1.0,
        citations=(by_hand(content, paths, now=context.now()),),
        found_by=BY_HAND,
        explicit=True,
    )
    with deciding(context) as note:
        others = [fact for fact in known_facts(context) if fact.scope is stated.scope]
        known = recognised(stated, others, all_tombstones(context))
        fact = united(known, stated, now=context.now()) if known else fact_from(stated, now=context.now())
        given = tuple(dict.fromkeys((*fact.paths, *paths)))
        kept = stated.kind if kind else fact.kind
        fact = replace(fact, paths=given, kind=kept, status=FactStatus.ACTIVE, superseded_by=None)
        note(journal.ADDED, [fact])
        _lift_dismissals(context, [fact], of_files=True)
        revive_facts(context, [fact])
        store_facts(context, added=[fact], updated=[fact] if known else [])
        notes = [f"already stored as “{known.content}”"] if known and not is_maybe(known) else []
        notes += _beside(context, fact)
    return FactChanged(verb="added", fact=fact, danger=danger_in(content), notes=tuple(notes))


def _beside(context: Context, fact: MemoryFact) -> list[str]:
    """Return a word on each known fact that cannot hold beside one, and on the line that says it or speaks against."""
    dismissed, parts = dismissed_ids(context), list[str]()
    for pair in find_contradictions([fact], among=[item for item in all_facts(context) if item.id not in dismissed]):
        other = pair.loser if pair.winner.id == fact.id else pair.winner
        parts.append(f"this fact contradicts fact {other.id[:SHORT]} “{other.content}”: {pair.why}")
    likes = context.workspace_index.existing_rules[fact.scope].like(fact.content)
    parts += [f"{line.existing_rule.uri}: {line.why}" for line in opposed_lines(fact.content, likes)]
    if why := why_forbidden(fact.content):
        harm = "which must not go into customization files, so the fact will not be suggested"
        parts.append(f"the fact contains {why}, {harm}")
    said = said_where(context, fact)
    return [*parts, f"{said.uri}:{said.line} already says this: “{said.text}”"] if said else parts


def confirm_facts(context: Context, prefixes: Iterable[str]) -> list[FactChanged]:
    """Take facts that others told, or that are kept aside, as the person's word, each named.

    Raises UnknownId before anything changes.
    """
    with deciding(context) as note:
        found = [confirmed(find_fact(context, prefix), now=context.now()) for prefix in dict.fromkeys(prefixes)]
        facts = [replace(fact, tags=tuple(dict.fromkeys((*fact.tags, CONFIRMED)))) for fact in found]
        note(journal.CONFIRMED, facts)
        _lift_dismissals(context, facts)
        store_facts(context, added=[], updated=facts)
    return [FactChanged(verb="confirmed", fact=fact) for fact in facts]


def _lift_dismissals(context: Context, facts: Iterable[MemoryFact], *, of_files: bool = False) -> None:
    """Make facts pending again that were dismissed for everywhere, or with `of_files` for single files too."""
    names = {fact.id for fact in facts}
    dismissed = (item for item in all_decisions(context) if item.status is SuggestionStatus.DISMISSED)
    drop_decisions(context, [item for item in dismissed if item.fact_id in names and (of_files or item.target is None)])


def edit_fact(context: Context, prefix: str, words: str) -> FactChanged:
    """Change the wording of a fact; its id and its evidence stay. Who words a maybe agrees with it."""
    with deciding(context) as note:
        before = find_fact(context, prefix)
        note(journal.EDITED, [before])
        fact = replace(before, content=checked_words(words))
        if is_maybe(fact):
            fact = confirmed(fact, now=context.now())
            _lift_dismissals(context, [fact])
        added = []
        if all(citation.trust is Trust.SHARED for citation in fact.citations):  # never a hook: others began it
            agreement = replace(by_hand(fact.content, (), now=context.now()), trust=Trust.CONFIRMED)
            added = [replace(fact, citations=(agreement,), source_session_id=hash_of("session", BY_HAND))]
        store_facts(context, added=added, updated=[fact])
    return FactChanged(verb="edited", fact=fact, danger=danger_in(fact.content))


def forget_facts(context: Context, prefixes: Iterable[str], *, for_good: bool = False) -> list[FactChanged]:
    """Forget facts: they do not come back from the same words; raises UnknownId before anything is forgotten.

    `undo` takes it back for some weeks, unless it is `for_good`: then no word of them is kept anywhere.
    """
    from memsuggest.graphiti.sync_server import forget_in_graph
    from memsuggest.held.note_store import forget_notes
    from memsuggest.judging.model_access import forget_answers
    from memsuggest.judging.verdicts.verdict import drop_verdicts
    from memsuggest.memory.apps import forget_words_in_apps
    from memsuggest.memory.change_memory import forget_in_journals

    with deciding(context) as note:
        facts = [find_fact(context, prefix) for prefix in dict.fromkeys(prefixes)]
        words = [text for fact in facts for text in (fact.content, *(citation.quote for citation in fact.citations))]
        ids, tombstones = [fact.id for fact in facts], [forgetting(fact) for fact in facts]
        applied = applied_ids(all_decisions(context))
        standing = {fact.id: said for fact in facts if fact.id in applied and (said := said_where(context, fact))}
        if not for_good:
            note(journal.FORGOT, facts)
        context.facts_file.forget(tombstones)
        context.profile.forget(tombstones)
        forget_quotes(context, words)
        context.profile.entries.forget_queries(words)
        drop_verdicts(context.state, ids)
        forget_notes(context, {citation.session_id for fact in facts for citation in fact.citations})
        if for_good:
            forget_changes(context.state, ids)
            forget_in_journals(context.folders, context, texts=words)
        forget_answers(context, words)
        forget_words_in_apps(context, words)
        context.report_path.unlink(missing_ok=True)  # it may still say it
    changes = []
    for fact in facts:  # a server may take its time, so nobody else is kept waiting for it
        notes = forget_in_graph(context, [fact])
        if line := standing.get(fact.id):  # files are the person's own
            still = f"`{line.uri}:{line.line}` still contains this rule; if the rule is wrong, remove the line by hand"
            notes = (still, *notes)
        changes.append(FactChanged(verb="forgot", fact=fact, notes=notes))
    return changes


@contextmanager
def changing(context: Context) -> Iterator[None]:
    """Open the stores before a change of many facts; look for what is to be suggested anew after it."""
    with context.exclusive():
        open_stores(context)
        yield
        share_facts(context)
        refresh_pending(context)
