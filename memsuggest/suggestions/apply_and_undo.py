"""Applying: choose, plan for the files as they are, write exactly what was shown."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.errors import EditConflict, FileError, MemsuggestError, OutsideWorkspace
from memsuggest.core.model import Decision, Edit, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, Trust
from memsuggest.facts.stores import all_facts, known_facts, store_decisions
from memsuggest.facts.typed_words import checked_words
from memsuggest.files.journal import DISMISSED, FORGOT, SETUP, SILENCED, About, Entry
from memsuggest.held.note_store import forget_notes
from memsuggest.judging.verdicts.verdict import Becomes
from memsuggest.suggestions.dangerous_rules import danger_of, is_plain, with_danger
from memsuggest.suggestions.decision_reports import (
    Applied,
    Choice,
    Dismissed,
    PlaceChoice,
    Places,
    Shown,
    Taken,
    TakenRows,
    Undone,
)
from memsuggest.suggestions.journaled import deciding
from memsuggest.suggestions.listed import similar, where
from memsuggest.suggestions.move import other_places, typed_place, what_is_new
from memsuggest.suggestions.pending import load, pending_maintenance
from memsuggest.suggestions.review import find_pending_or_maybe, find_planned
from memsuggest.suggestions.suggesting import (
    replan_now,
    replan_on,
    replanned,
    similar_to,
    verdicts_of,
    with_contradictions,
)
from memsuggest.suggestions.target_paths import HOME, HOST, below_root
from memsuggest.suggestions.unread_files import readers
from memsuggest.suggestions.writing import FileChange, carry_back, carry_out, settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def find_movable(context: Context, prefix: str) -> MemorySuggestion:
    """Return what is to be moved, as it would be written now; raises MemsuggestError for what has one place only."""
    if not context.is_dry:
        with context.exclusive():
            settle(context)
    found = find_planned(context, prefix)
    if found.executable:
        raise MemsuggestError("a hook cannot be moved", hint=f"run `memsuggest show {prefix}` to see it")
    if found.fact is None:
        raise MemsuggestError(
            "this suggestion changes a line of its own file and cannot be moved",
            hint=f"run `memsuggest show {prefix}` to see it",
        )
    return replanned(context, found).suggestion


def best_places(context: Context, suggestion: MemorySuggestion) -> Places:
    """Return where else a suggestion could go, best first."""
    return Places(suggestion=suggestion, places=tuple(other_places(suggestion, context.workspace_index)))


def named_place(context: Context, suggestion: MemorySuggestion, *, file: str, heading: str) -> PlaceChoice:
    """Return the place that was named: a file, a heading, or both; raises MemsuggestError for what is no place.

    A file is named as from the root or from the current folder, by its whole path, or by how its name ends.
    """
    known = list(context.workspace_index.by_uri)
    name, sign, title = file.partition("#")
    text = f"{_as_uri(context, name, known)}{sign}{title}" + (f"#{heading}" if heading else "")
    return typed_place(text, here=suggestion.edit.path, known=known)


def _as_uri(context: Context, name: str, known: Iterable[str]) -> str:
    """Return a file's name as targets have it; one that a shell made of `~/…` begins so again."""
    if not name or name in known or name.startswith(HOME):
        return name
    path, home = Path(name), context.folders.home
    if not path.is_absolute():
        return below_root(context, path) if os.path.lexists(path) else name
    if path.is_relative_to(home) and not path.is_relative_to(context.root):
        return HOME + path.relative_to(home).as_posix()
    return below_root(context, path)


def require_place(context: Context, suggestion: MemorySuggestion, place: PlaceChoice) -> None:
    """Raise MemsuggestError where a place is not there yet, and is not to be made, with how it is."""
    missing = not place.makes and what_is_new(context, suggestion, place)
    if missing:
        raise MemsuggestError(f"not moved: {missing}", hint="add `--make` to create it")


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
        contents=tuple(suggestion.content for suggestion in waiting),
        places=tuple(where(suggestion) for suggestion in waiting),
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


def chats_of(suggestion: MemorySuggestion) -> list[str]:
    """Return the chats that a suggestion was said in, first that of its first quote; raises MemsuggestError."""
    said = [citation.session_id for citation in suggestion.citations if not citation.is_by_hand]
    if not said:
        raise MemsuggestError("this suggestion does not come from your chats", hint="press `d` to dismiss it")
    return list(dict.fromkeys(said))


def of_chat(pending: Sequence[MemorySuggestion], session: str) -> list[MemorySuggestion]:
    """Return what was said in one chat and in no other."""
    return [suggestion for suggestion in pending if {cited.session_id for cited in suggestion.citations} == {session}]


def dismiss_chat(context: Context, suggestion: MemorySuggestion, *, never_again: bool) -> Dismissed:
    """Dismiss what waits from the chat of a suggestion and from no other; `never_again` is it read then."""
    session = chats_of(suggestion)[0]
    with deciding(context) as note:
        found = of_chat(load(context), session)
        silenced = (session,) if never_again else ()
        note(SILENCED if never_again else DISMISSED, found, silenced)
        if never_again and not context.is_dry:
            context.profile.silence(silenced)
            forget_notes(context, silenced)
        store_decisions(
            context, [Decision(fact_id=one.id, target=None, status=SuggestionStatus.DISMISSED) for one in found]
        )
    return Dismissed(suggestions=tuple(found), only_here=False, silenced=silenced)


def dismiss(context: Context, prefixes: Sequence[str], *, only_here: bool) -> Dismissed:
    """Dismiss suggestions and maybes; raises UnknownId before anything is stored."""
    with deciding(context) as note:
        find = find_planned if only_here else find_pending_or_maybe
        found = [find(context, prefix) for prefix in dict.fromkeys(prefixes)]
        chosen = [one for one in found if isinstance(one, MemorySuggestion)]
        maybes = [one for one in found if not isinstance(one, MemorySuggestion)]
        note(DISMISSED, found)
        store_decisions(context, [_dismissal(suggestion, only_here=only_here) for suggestion in chosen])
        store_decisions(context, [_silence(maybe) for maybe in maybes])
    ids = {one.id for one in chosen} if only_here else set()
    elsewhere = tuple(one for one in load(context) if one.id in ids) if ids else ()
    return Dismissed(suggestions=tuple(chosen), only_here=only_here, maybes=tuple(maybes), elsewhere=elsewhere)


def _silence(maybe: MemoryFact) -> Decision:
    return Decision(fact_id=maybe.id, target=None, status=SuggestionStatus.DISMISSED)


def _dismissal(suggestion: MemorySuggestion, *, only_here: bool) -> Decision:
    target = suggestion.edit.path if only_here else None
    return Decision(fact_id=suggestion.about, target=target, status=SuggestionStatus.DISMISSED)


NEEDS_OWN = "executable configuration must be confirmed on its own: run `memsuggest apply {id}` in a terminal"
NEEDS_LOOK = "you did not type it in your own chat: check it with `memsuggest show {id}`, then apply it on its own"

NEEDS_MAINTENANCE = "the rule {danger}: check it with `memsuggest show {id}`, then apply it on its own"
"""Of a rule that weakens safety."""

NEEDS_CHECK = "no model checked this rule: run `memsuggest apply {id}` to apply it on its own"
"""Of a rule that is not plainly harmless, where nobody looks at it."""

NOBODY_SAID = "not from a chat: run `memsuggest review` to go through it"


def choose(context: Context, *, ids: Sequence[str], every: bool, like: str | None, is_unasked: bool) -> Choice:
    """Return what an apply is about to write, each planned for the files as they are now.

    `every` and `like` take all that are pending, or like one, and hold back what needs its own look; of `ids`, the
    same raises MemsuggestError. `is_unasked`: nobody confirms one by one what is chosen; several are then written only
    where a model checked them, or they are plainly harmless.
    """
    with context.exclusive():
        settle(context)
    pending = load(context)
    if every:
        return _with_maintenance(context, _bulk(context, pending, is_unasked=is_unasked), is_unasked=is_unasked)
    if like:
        return _bulk(context, similar_to(context, like, pending), is_unasked=is_unasked)
    shown = tuple(_looked_at(context, find_planned(context, prefix)) for prefix in dict.fromkeys(ids))
    if not is_unasked:
        return Choice(shown=shown)
    if len(shown) > 1:
        for one in shown:
            _require_own_yes(one.suggestion)
    for one in shown:
        require_harmless(one)
    if len(shown) == 1:
        return Choice(shown=shown)
    held = {one.suggestion.id: why for one in shown if (why := _why_unchecked(context, one.suggestion))}
    return Choice(
        shown=tuple(one for one in shown if one.suggestion.id not in held),
        held_back=tuple(_skip(one.suggestion, held[one.suggestion.id]) for one in shown if one.suggestion.id in held),
    )


def _looked_at(context: Context, suggestion: MemorySuggestion) -> Shown:
    shown = with_contradictions(context, with_danger(replanned(context, suggestion), context.kept_index.of))
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
        why = why_not_in_bulk(context, suggestion) or (is_unasked and _why_unchecked(context, suggestion))
        try:
            planned = None if why else with_danger(replanned(context, suggestion), context.kept_index.of)
            if planned and is_unasked:
                require_harmless(planned)
        except (EditConflict, FileError, OutsideWorkspace) as error:
            planned, why = None, error.message
        if planned:
            shown.append(planned)
        else:
            held.append(_skip(suggestion, why or ""))
    return Choice(shown=tuple(shown), held_back=tuple(held))


def _skip(suggestion: MemorySuggestion, why: str) -> Skipped:
    return Skipped(what=f"{suggestion.id[:7]} {suggestion.content}", why=why)


def _why_unchecked(context: Context, suggestion: MemorySuggestion) -> str:
    """Say why a rule is not written without a look: it weakens safety, or might, and no model checked that."""
    name, keep = suggestion.id[:7], context.kept_index.of
    if danger := danger_of(suggestion, keep):
        return NEEDS_MAINTENANCE.format(danger=danger, id=name)
    if suggestion.fact is None or is_plain(suggestion, keep):
        return ""
    verdict = verdicts_of(context).get(suggestion.about)
    is_checked = verdict is not None and verdict.becomes is not Becomes.UNUSABLE
    return "" if is_checked else NEEDS_CHECK.format(id=name)


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


def why_not_in_bulk(context: Context, suggestion: MemorySuggestion) -> str | None:
    """Say why a suggestion needs the person's own look, if it does."""
    name = suggestion.id[:7]
    if suggestion.executable:
        return NEEDS_OWN.format(id=name)
    citations = suggestion.citations
    safe = {Trust.TYPED, Trust.CONFIRMED, Trust.SHARED}
    if citations and not any(citation.trust in safe for citation in citations):
        return NEEDS_LOOK.format(id=name)
    danger = danger_of(suggestion, context.kept_index.of)
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
    alike = {other.id: other for one in done for other in similar(one, pending) if not why_not_in_bulk(context, other)}
    return Applied(suggestions=tuple(done), similar=tuple(alike.values()), held_back=tuple(held_back))


def _reworded(context: Context, suggestions: Sequence[MemorySuggestion]) -> tuple[MemoryFact, ...]:
    """Return the facts that the person put into other words before applying them."""
    stored = {fact.id: fact.content for fact in known_facts(context)}
    facts = (suggestion.fact for suggestion in suggestions if suggestion.fact)
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
