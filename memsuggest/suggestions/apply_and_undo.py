"""Applying: choose, plan for the files as they are, write exactly what was shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.errors import EditConflict, FileError, MemsuggestError, OutsideWorkspace
from memsuggest.core.model import Decision, Edit, MemorySuggestion, Skipped, SuggestionStatus, Trust
from memsuggest.facts.fact_store import checked_words
from memsuggest.facts.stores import all_facts, read_known, store_decisions
from memsuggest.files.journal import DISMISSED, FORGOT, SETUP, SILENCED, About, Entry
from memsuggest.held.note_store import forget_notes
from memsuggest.judging.engine_offers import withdraw
from memsuggest.judging.verdicts.verdict import Becomes
from memsuggest.suggestions.dangerous_rules import danger_of, is_plain, with_danger
from memsuggest.suggestions.decision_reports import (
    Applied,
    Choice,
    Dismissed,
    Shown,
    Taken,
    TakenRows,
    Undone,
)
from memsuggest.suggestions.list_and_show import find_pending_or_maybe, find_planned
from memsuggest.suggestions.listed import similar, where
from memsuggest.suggestions.pending import load, pending_maintenance
from memsuggest.suggestions.suggesting import (
    looked_at,
    replan_now,
    replan_on,
    replanned,
    similar_to,
    verdicts_of,
)
from memsuggest.suggestions.suggestion_lines import chat_of
from memsuggest.suggestions.target_paths import HOST
from memsuggest.suggestions.writing import FileChange, carry_back, carry_out, deciding, settle


def find_movable(context: Context, prefix: str) -> MemorySuggestion:
    """Return what is to be moved, as it would be written now; raises MemsuggestError for what has one place only."""
    if not context.is_dry:
        with context.exclusive():
            settle(context)
    found = find_planned(context, prefix)
    if found.executable or found.fact is None:
        what = "a hook" if found.executable else "this suggestion changes a line in its own file and"
        shown = "hook" if found.executable else "change"
        raise MemsuggestError(f"{what} cannot be moved", hint=f"run `memsuggest show {prefix}` to see the {shown}")
    return replanned(context, found).suggestion


LISTED = 20
"""Decisions that `undo --list` shows."""
FORGOTTEN_DAYS = 30
"""How long the words of forgotten facts are kept for `undo`."""
_DAY = 86_400_000


def undo(context: Context) -> Undone:
    """Undo the last decision in this working tree, whatever it was; raises EditConflict when that no longer fits.

    What nobody else has changed since is the same again, byte for byte.
    """
    with context.exclusive():
        _settle_and_forget(context)
        entry = context.journal.last()
        if entry is None:
            raise MemsuggestError(
                "there is nothing to undo", hint="run `memsuggest list --status applied` to see applied suggestions"
            )
        known = {fact.content for fact in all_facts(context)}
        engines = (about.id.partition(" ") for about in entry.about if entry.verb == SETUP)
        for engine in (name for kind, _, name in engines if kind == "engine"):
            withdraw(context, engine)
        renewed, back_in_memory = carry_back(context, entry)
        again = set(back_in_memory)
        with suppress(MemsuggestError):  # it is done, whether or not it can be shown
            again |= {fact.content for fact in all_facts(context)} - known
    back = {about.id for about in entry.about} | {decision.fact_id for decision in entry.decisions}
    pending = [suggestion for suggestion in (*renewed.suggestions, *renewed.maintenance) if suggestion.about in back]
    return Undone(
        taken=_taken(entry),
        paths=tuple(edit.path.removeprefix(HOST) for edit in entry.edits),
        contents=tuple(suggestion.content for suggestion in pending),
        places=tuple(where(suggestion) for suggestion in pending),
        facts=tuple(sorted(again)),
        removed=frozenset(edit.path.removeprefix(HOST) for edit in entry.edits if edit.before is None),
    )


def list_decisions(context: Context) -> TakenRows:
    """Return the last decisions, the last one first: `undo` takes them back in this order."""
    with context.exclusive():
        _settle_and_forget(context)
    return TakenRows(rows=tuple(map(_taken, context.journal.newest(LISTED))))


def _settle_and_forget(context: Context) -> None:
    settle(context)
    if not context.is_dry:
        context.journal.forget_old(FORGOT, before=context.now() - FORGOTTEN_DAYS * _DAY)


def _taken(entry: Entry) -> Taken:
    return Taken(
        at=entry.at,
        verb=entry.verb,
        ids=tuple(about.id for about in entry.about),
        contents=tuple(about.content for about in entry.about),
        paths=tuple(edit.path.removeprefix(HOST) for edit in entry.edits),
    )


def chats_of(suggestion: MemorySuggestion) -> dict[str, str]:
    """Return the chats that a suggestion was said in with their names, first that of its first quote.

    Raises MemsuggestError.
    """
    said = [citation for citation in reversed(suggestion.citations) if not citation.is_by_hand]
    if not said:
        raise MemsuggestError("this suggestion is not from your chats", hint="press `d` to dismiss the suggestion")
    names = {citation.session_id: chat_of(citation) for citation in said}
    return dict(reversed(names.items()))


def of_chat(pending: Sequence[MemorySuggestion], session: str) -> list[MemorySuggestion]:
    """Return what was said in one chat and in no other."""
    return [suggestion for suggestion in pending if {cited.session_id for cited in suggestion.citations} == {session}]


def dismiss_chat(context: Context, suggestion: MemorySuggestion, *, never_again: bool) -> list[MemorySuggestion]:
    """Dismiss the suggestions from the chat of one and from no other, and return them; `never_again` is it read."""
    session = next(iter(chats_of(suggestion)))
    with deciding(context) as note:
        found = of_chat(load(context), session)
        silenced = (session,) if never_again else ()
        note(SILENCED if never_again else DISMISSED, found, silenced)
        if never_again and not context.is_dry:
            context.profile.silence(silenced)
            forget_notes(context, silenced)
        store_decisions(context, [_dismissal(chosen.id) for chosen in found])
    return found


def dismiss(context: Context, prefixes: Sequence[str], *, only_here: bool) -> Dismissed:
    """Dismiss suggestions, also of low confidence; raises UnknownId before anything is stored."""
    with deciding(context) as note:
        find = find_planned if only_here else find_pending_or_maybe
        found = [find(context, prefix) for prefix in dict.fromkeys(prefixes)]
        chosen = [suggestion for suggestion in found if isinstance(suggestion, MemorySuggestion)]
        maybes = [suggestion for suggestion in found if not isinstance(suggestion, MemorySuggestion)]
        note(DISMISSED, found)
        decisions = [_dismissal(suggestion.about, suggestion.edit.path if only_here else None) for suggestion in chosen]
        store_decisions(context, [*decisions, *(_dismissal(maybe.id) for maybe in maybes)])
    ids = {suggestion.id for suggestion in chosen}
    elsewhere = tuple(suggestion for suggestion in load(context) if suggestion.id in ids) if only_here else ()
    return Dismissed(suggestions=tuple(chosen), only_here=only_here, maybes=tuple(maybes), elsewhere=elsewhere)


def _dismissal(name: str, target: str | None = None) -> Decision:
    return Decision(fact_id=name, target=target, status=SuggestionStatus.DISMISSED)


def choose(context: Context, *, ids: Sequence[str], every: bool, like: str | None, is_unasked: bool) -> Choice:
    """Return what an apply is about to write, each planned for the files as they are now.

    `every` and `like` take all that are pending, or like one, and hold back what needs its own look; of `ids`, the
    same raises MemsuggestError. `is_unasked`: nobody confirms one by one what is chosen; several are then written only
    where a model checked them, or they are plainly harmless.
    """
    with context.exclusive():
        settle(context)
        known = read_known(context).facts
    if every:
        said, needed = load(context, known), pending_maintenance(context)
        choice = _bulk(context, said if is_unasked else [*said, *needed], is_unasked=is_unasked)
        why = "this suggestion is not from a chat: decide on it with `memsuggest review`"
        left = [Skipped(what=f"maintenance ({len(needed)})", why=why)] if needed and is_unasked else []
        return replace(choice, held_back=(*choice.held_back, *left))
    if like:
        return _bulk(context, similar_to(context, like, load(context, known)), is_unasked=is_unasked)
    found = [find_planned(context, prefix, known) for prefix in dict.fromkeys(ids)]
    if not is_unasked:
        return Choice(shown=tuple(looked_at(context, suggestion) for suggestion in found))
    shown = [_planned(context, suggestion) for suggestion in found]
    for planned in shown:
        require_harmless(planned, is_alone=len(shown) == 1)
    checked = [(planned, len(shown) > 1 and _why_unchecked(context, planned.suggestion)) for planned in shown]
    return Choice(
        shown=tuple(planned for planned, why in checked if not why),
        held_back=tuple(_skip(planned.suggestion, why) for planned, why in checked if why),
    )


def _planned(context: Context, suggestion: MemorySuggestion) -> Shown:
    return with_danger(replanned(context, suggestion), context.kept_index.of)


def require_harmless(shown: Shown, *, is_alone: bool = True) -> None:
    """Raise MemsuggestError for what may not be written without a person looking at it first.

    One yes is not for several notes of an assistant.
    """
    suggestion, name = shown.suggestion, shown.suggestion.id[:7]
    if suggestion.fact and suggestion.fact.is_noted and not is_alone:
        raise MemsuggestError(
            f"`{name}` comes from an assistant's note and must be applied individually",
            hint=f"check the rule with `memsuggest show {name}`, then run `memsuggest apply {name}`",
        )
    if suggestion.executable:
        raise MemsuggestError(
            f"`{name}` is executable configuration and must be confirmed individually",
            hint=f"run `memsuggest apply {name}` in a terminal, without `--yes`",
        )
    if shown.differs:
        raise EditConflict(
            f"`{suggestion.edit.path}` has changed, and so has the suggested edit",
            hint=f"check the suggestion with `memsuggest show {name}`, then run `memsuggest reconcile`",
        )


def _bulk(context: Context, suggestions: Iterable[MemorySuggestion], *, is_unasked: bool) -> Choice:
    shown: list[Shown] = []
    held: list[Skipped] = []
    for suggestion in suggestions:
        why = why_not_in_bulk(context, suggestion) or (is_unasked and _why_unchecked(context, suggestion))
        try:
            planned = None if why else _planned(context, suggestion)
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
    return Skipped(what=f"{suggestion.id[:7]} {suggestion.content.rstrip('.')}", why=why)


def _why_unchecked(context: Context, suggestion: MemorySuggestion) -> str:
    """Say why a rule is not written without a look: it weakens safety, or might, and no model checked that."""
    keep = context.kept_index.of
    if danger := danger_of(suggestion, keep):
        return _needs_look(suggestion, f"the rule {danger}")
    if suggestion.fact is None or is_plain(suggestion, keep):
        return ""
    verdict = verdicts_of(context).get(suggestion.about)
    if verdict is not None and verdict.becomes is not Becomes.UNUSABLE:
        return ""
    apply = f"`memsuggest apply {suggestion.id[:7]}`"
    return f"not plainly harmless, and no model checked the rule: to apply it, run {apply}"


def _needs_look(suggestion: MemorySuggestion, why: str) -> str:
    return f"{why}: check it with `memsuggest show {suggestion.id[:7]}`, then apply it individually"


def of_file(context: Context, suggestion: MemorySuggestion) -> list[MemorySuggestion]:
    """Return what goes to the file of a suggestion, each as it would be written now; what no longer fits is left."""
    found = []
    for other in load(context):
        if other.edit.path == suggestion.edit.path:
            with suppress(EditConflict, FileError, OutsideWorkspace):
                found.append(replanned(context, other).suggestion)
    return found


def why_not_in_bulk(context: Context, suggestion: MemorySuggestion) -> str | None:
    """Say why a suggestion needs the person's own look, if it does."""
    if suggestion.executable:
        apply = f"`memsuggest apply {suggestion.id[:7]}`"
        return f"executable configuration must be confirmed individually: run {apply} in a terminal"
    safe, citations = {Trust.TYPED, Trust.CONFIRMED, Trust.SHARED}, suggestion.citations
    if citations and not any(citation.trust in safe for citation in citations):
        return _needs_look(suggestion, "you did not type this rule in a chat")
    danger = danger_of(suggestion, context.kept_index.of)
    return _needs_look(suggestion, f"the rule {danger}") if danger else None


def apply(
    context: Context,
    suggestions: Sequence[MemorySuggestion],
    *,
    held_back: Sequence[Skipped] = (),
    is_unasked: bool = False,
) -> Applied:
    """Write suggestions as one entry of the journal, all or nothing; raises EditConflict, FileError and StoreError.

    Similar ones are named where the same command would write them; `is_unasked`: it asks nobody.
    """
    with context.exclusive():
        settle(context)
        edits: dict[str, Edit] = {}  # by file: from its text before the first suggestion to that after the last
        done = []
        for suggestion in suggestions:
            path = suggestion.edit.path
            planned = replan_on(context, suggestion, edits[path].after) if path in edits else suggestion
            edits[path] = replace(edits.get(path, planned.edit), after=planned.edit.after)
            done.append(planned)
        change = FileChange(
            edits=tuple(edits.values()),
            decisions=tuple(
                Decision(fact_id=suggestion.about, target=suggestion.edit.path, status=SuggestionStatus.APPLIED)
                for suggestion in done
            ),
            facts=tuple(suggestion.fact for suggestion in done if suggestion.fact),
            about=tuple(About(id=suggestion.id, content=suggestion.content) for suggestion in done),
        )
        pending = carry_out(context, change).suggestions
    alike = {
        other.id: other
        for suggestion in done
        for other in similar(suggestion, pending)
        if not (why_not_in_bulk(context, other) or (is_unasked and _why_unchecked(context, other)))
    }
    return Applied(suggestions=tuple(done), similar=tuple(alike.values()), held_back=tuple(held_back))


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
