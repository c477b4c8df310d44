"""Applying: choose, plan for the files as they are, write exactly what was shown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.core.errors import EditConflict, FileError, MemsuggestError, OutsideWorkspace
from memsuggest.core.model import Decision, Edit, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, Trust
from memsuggest.facts.stores import known_facts
from memsuggest.facts.typed_words import checked_words
from memsuggest.files.journal import About
from memsuggest.suggestions.contradicting import with_contradictions
from memsuggest.suggestions.dangerous_rules import danger_of, with_danger
from memsuggest.suggestions.decision_reports import Applied, Choice, Shown
from memsuggest.suggestions.file_readers import readers
from memsuggest.suggestions.listed import similar
from memsuggest.suggestions.maybes import find_planned
from memsuggest.suggestions.pending import load, pending_maintenance
from memsuggest.suggestions.suggesting import replan_now, replan_on, replanned, similar_to
from memsuggest.suggestions.writing import FileChange, carry_out, settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.core.context import Context

NEEDS_OWN = "executable configuration must be confirmed on its own: run `memsuggest apply {id}` in a terminal"
NEEDS_LOOK = "you did not type it in your own chat: check it with `memsuggest show {id}`, then apply it on its own"

NEEDS_MAINTENANCE = "the rule {danger}: check it with `memsuggest show {id}`, then apply it on its own"
"""Of a rule that weakens safety."""

NOBODY_SAID = "not from a chat: run `memsuggest review` to go through it"


def choose(context: Context, *, ids: Sequence[str], every: bool, like: str | None, is_unasked: bool) -> Choice:
    """Return what an apply is about to write, each planned for the files as they are now.

    `every` and `like` take all that are pending, or like one, and hold back what needs its own look; of `ids`, the
    same raises MemsuggestError. `is_unasked`: nobody confirms one by one what is chosen.
    """
    with context.exclusive():
        settle(context)
    pending = load(context)
    if every:
        return _with_maintenance(context, _bulk(context, pending, is_unasked=is_unasked), is_unasked=is_unasked)
    if like:
        return _bulk(context, similar_to(context, like, pending), is_unasked=is_unasked)
    shown = tuple(_looked_at(context, find_planned(context, prefix)) for prefix in dict.fromkeys(ids))
    if is_unasked and len(shown) > 1:
        for one in shown:
            _require_own_yes(one.suggestion)
    if is_unasked:
        for one in shown:
            require_harmless(one)
    return Choice(shown=shown)


def _looked_at(context: Context, suggestion: MemorySuggestion) -> Shown:
    shown = with_contradictions(context, with_danger(replanned(context, suggestion)))
    return replace(shown, readers=readers(context, shown.suggestion.edit.path))


def _require_own_yes(suggestion: MemorySuggestion) -> None:
    """Raise MemsuggestError for what an assistant noted: one yes is not for several of them."""
    if suggestion.fact and suggestion.fact.is_noted:
        name = suggestion.id[:7]
        raise MemsuggestError(
            f"`{name}` comes from an assistant's note and must be applied on its own",
            hint=f"check it with `memsuggest show {name}`, then run `memsuggest apply {name}`",
        )


def require_harmless(shown: Shown) -> None:
    """Raise MemsuggestError for what may not be written without a person looking at it first."""
    suggestion = shown.suggestion
    if suggestion.executable:
        raise MemsuggestError(
            f"`{suggestion.id[:7]}` is executable configuration and must be confirmed on its own",
            hint=f"run `memsuggest apply {suggestion.id[:7]}` in a terminal, without `--yes`",
        )
    if shown.differs:
        raise EditConflict(
            f"`{suggestion.edit.path}` has changed, and so has the edit",
            hint=f"check it with `memsuggest show {suggestion.id[:7]}`, then run `memsuggest reconcile`",
        )


def _bulk(context: Context, suggestions: Iterable[MemorySuggestion], *, is_unasked: bool) -> Choice:
    shown: list[Shown] = []
    held: list[Skipped] = []
    for suggestion in suggestions:
        why = why_not_in_bulk(suggestion)
        try:
            planned = None if why else replanned(context, suggestion)
            if planned and is_unasked:
                require_harmless(planned)
        except (EditConflict, FileError, OutsideWorkspace) as error:
            planned, why = None, error.message
        if planned:
            shown.append(planned)
        else:
            held.append(Skipped(what=f"{suggestion.id[:7]} {suggestion.content}", why=why or ""))
    return Choice(shown=tuple(shown), held_back=tuple(held))


def _with_maintenance(context: Context, choice: Choice, *, is_unasked: bool) -> Choice:
    """Add what files need by themselves, where somebody looks at each; else say that it waits."""
    maintenance = pending_maintenance(context)
    if is_unasked:
        held = [Skipped(what=f"maintenance ({len(maintenance)})", why=NOBODY_SAID)] if maintenance else []
        return replace(choice, held_back=(*choice.held_back, *held))
    more = _bulk(context, maintenance, is_unasked=False)
    return Choice(shown=(*choice.shown, *more.shown), held_back=(*choice.held_back, *more.held_back))


def of_file(context: Context, suggestion: MemorySuggestion) -> list[MemorySuggestion]:
    """Return what goes to the file of a suggestion, each as it would be written now; what no longer fits is left."""
    found = []
    for one in load(context):
        if one.edit.path == suggestion.edit.path:
            with suppress(EditConflict, FileError, OutsideWorkspace):
                found.append(replanned(context, one).suggestion)
    return found


def why_not_in_bulk(suggestion: MemorySuggestion) -> str | None:
    """Say why a suggestion needs the person's own look, if it does."""
    name = suggestion.id[:7]
    if suggestion.executable:
        return NEEDS_OWN.format(id=name)
    citations = suggestion.citations
    safe = {Trust.TYPED, Trust.CONFIRMED, Trust.SHARED}
    if citations and not any(citation.trust in safe for citation in citations):
        return NEEDS_LOOK.format(id=name)
    danger = danger_of(suggestion)
    return NEEDS_MAINTENANCE.format(danger=danger, id=name) if danger else None


def apply(context: Context, suggestions: Sequence[MemorySuggestion], *, held_back: Sequence[Skipped] = ()) -> Applied:
    """Write suggestions as one entry of the journal, all or nothing; raises EditConflict, FileError and StoreError."""
    with context.exclusive():
        settle(context)
        done = _composed(context, suggestions)
        decisions = [Decision(fact_id=one.about, target=one.edit.path, status=SuggestionStatus.APPLIED) for one in done]
        change = FileChange(
            edits=_merged(done),
            decisions=tuple(decisions),
            reworded=_reworded(context, done),
            about=tuple(About(id=one.id, content=one.content) for one in done),
        )
        pending = carry_out(context, change).suggestions
    alike = {other.id: other for one in done for other in similar(one, pending) if not why_not_in_bulk(other)}
    return Applied(suggestions=tuple(done), similar=tuple(alike.values()), held_back=tuple(held_back))


def _reworded(context: Context, suggestions: Sequence[MemorySuggestion]) -> tuple[MemoryFact, ...]:
    """Return the facts that the person put into other words before applying them."""
    stored = {fact.id: fact.content for fact in known_facts(context)}
    facts = (one.fact for one in suggestions if one.fact)
    return tuple(fact for fact in facts if stored.get(fact.id, fact.content) != fact.content)


def _composed(context: Context, suggestions: Sequence[MemorySuggestion]) -> list[MemorySuggestion]:
    """Plan each suggestion on top of those before it that go to the same file."""
    texts: dict[str, str | None] = {}
    done = []
    for suggestion in suggestions:
        path = suggestion.edit.path
        planned = replan_on(context, suggestion, texts[path]) if path in texts else suggestion
        texts[path] = planned.edit.after
        done.append(planned)
    return done


def _merged(suggestions: Sequence[MemorySuggestion]) -> tuple[Edit, ...]:
    """One edit per file: from its text before the first suggestion to its text after the last."""
    edits: dict[str, Edit] = {}
    for suggestion in suggestions:
        edit = suggestion.edit
        first = edits.get(edit.path)
        edits[edit.path] = replace(first, after=edit.after) if first else edit
    return tuple(edits.values())


def reworded(context: Context, suggestion: MemorySuggestion, words: str) -> MemorySuggestion:
    """Return the suggestion for the same fact in other words, planned anew for the same file.

    Raises MemsuggestError for words that may not be remembered.
    """
    if suggestion.fact is None:
        raise MemsuggestError(
            "this suggestion is not from a chat, so it has no text to edit",
            hint=f"run `memsuggest edit {suggestion.id[:7]} --patch` to edit the file",
        )
    fact = replace(suggestion.fact, content=checked_words(words))
    return replan_now(context, replace(suggestion, fact=fact)).suggestion


def with_text(suggestion: MemorySuggestion, after: str) -> MemorySuggestion:
    """Return the suggestion with the whole file as the person wrote it."""
    return replace(suggestion, edit=replace(suggestion.edit, after=after))
