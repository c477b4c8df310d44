"""Another place for a suggestion: the next best ones, one that the person names, or that of a line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.errors import MemsuggestError, OutsideWorkspace
from memsuggest.core.model import Decision, MemoryFact, MemorySuggestion, Scope, Section, SuggestionStatus, Target
from memsuggest.customizations.discovery import target_from
from memsuggest.files.journal import MOVED, About
from memsuggest.suggestions.decision_reports import Moved, PlaceChoice
from memsuggest.suggestions.existing_rules import ExistingRule, ExistingRules, existing_rules_of
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.pending_suggestions import Move, load_moves, note_move, save_pending, text_of
from memsuggest.suggestions.placement.line_format import as_rule
from memsuggest.suggestions.placement.new_file import in_new_file, pattern_of
from memsuggest.suggestions.placement.place import (
    Replacement,
    find_contradictions,
    named_section,
    put_beside,
    put_in_place,
)
from memsuggest.suggestions.ranking.match import Ranked
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import places_for
from memsuggest.suggestions.target_paths import HOME, below_root, current_text

OFFERED = 8
"""Places that are offered to choose among."""
HEADINGS = 4
"""Headings of the suggestion's own file among them."""
_YOURS = "you chose this place"
_LINE = "you chose to replace this line"
_LISTS_FILES = "run `memsuggest targets` to list the files"


def other_places(suggestion: MemorySuggestion, workspace_index: WorkspaceIndex) -> list[PlaceChoice]:
    """Return the next best places: other headings of the suggestion's file, then other files, best first."""
    fact = suggestion.fact
    if fact is None:
        return []
    _, found = places_for(fact, workspace_index, decided=())
    here = PlaceChoice(uri=suggestion.edit.path, heading=suggestion.heading)
    files = [place.located for place in found[: OFFERED + 1]]
    ranked = [
        PlaceChoice(uri=file.target.uri, heading=(file.section and file.section.heading) or None) for file in files
    ]
    own = workspace_index.by_uri.get(here.uri)
    sections = own.sections if own else ()
    headings = [PlaceChoice(uri=here.uri, heading=section.heading) for section in sections if section.heading]
    first = [place for place in ranked if place.uri == here.uri]
    offered = dict.fromkeys((*first, *headings[:HEADINGS], *ranked))

    def is_here(place: PlaceChoice) -> bool:
        if own is None or place.uri != own.uri or own.text != suggestion.edit.before:
            return place == here
        made = _beside(fact, own, place)
        return place == here or (made is not None and made.edit == suggestion.edit)

    return [place for place in offered if not is_here(place)][:OFFERED]


def typed_place(text: str, *, here: str, known: Iterable[str]) -> PlaceChoice:
    """Return the place that a person typed: a file, or a file and a heading after `#` or `›`, in whatever case.

    A file may be named by its end, where only one of those `known` ends so; without a file it is the one `here`.
    """
    file, sign, heading = text.partition("›") if "›" in text else text.partition("#")
    name, title = file.strip().removeprefix("./"), heading.strip("# \t")
    if (sign and not title) or not (name or title):
        raise MemsuggestError(
            "invalid place", hint="specify a file, a heading, or both: `AGENTS.md`, `#Testing`, `AGENTS.md#Testing`"
        )
    uris, wanted = list(known), name.casefold()
    found = [uri for uri in uris if uri.casefold() == wanted]
    found = found or [uri for uri in uris if uri.casefold().endswith(f"/{wanted}")]
    meant = found[0] if name not in uris and len(found) == 1 else name
    return PlaceChoice(uri=meant if name else here, heading=title or None)


def named_place(context: Context, suggestion: MemorySuggestion, *, file: str, heading: str) -> PlaceChoice:
    """Return the place that was named: a file, a heading, or both; raises MemsuggestError for what is no place.

    A file is named as from the root or from the current folder, by its whole path, or by how its name ends.
    """
    known = list(context.workspace_index.by_uri)
    name, sign, title = file.partition("#")
    path, home = Path(name), context.folders.home
    if name and name not in known and not name.startswith(HOME):
        if path.is_relative_to(home) and not path.is_relative_to(context.root):  # a shell made it of `~/…`
            name = HOME + path.relative_to(home).as_posix()
        elif path.is_absolute() or os.path.lexists(path):
            name = below_root(context, path)
    return typed_place(
        f"{name}{sign}{title}" + (f"#{heading}" if heading else ""), here=suggestion.edit.path, known=known
    )


def what_is_new(context: Context, suggestion: MemorySuggestion, place: PlaceChoice) -> str:
    """Say what would have to be made at a place, empty where all is there; raises MemsuggestError for a refused one."""
    target = _target(context, place.uri, scope=_said(suggestion).scope)
    if target is None:
        _at(context, _said(suggestion), replace(place, makes=True))
        return f"file `{place.uri}` does not exist"
    if place.heading and _section_of(target, place.heading) is None:
        return f"`{place.uri}` has no heading `{place.heading}`"
    return ""


def move(context: Context, suggestion: MemorySuggestion, place: PlaceChoice) -> Moved:
    """Move a suggestion, keep that, and return it as it would be written there; raises MemsuggestError.

    Where it would be written just so already, it stays, and there is nothing to keep.
    """
    fact = _said(suggestion)
    made = replace(_at(context, fact, place), weakens=suggestion.weakens)
    if made.edit == suggestion.edit:
        return Moved(suggestion=suggestion, stays=True)
    heading = made.heading if place.heading else None  # as the file writes it, whatever was typed
    chosen = Move(fact_id=fact.id, uri=place.uri, heading=heading, makes=place.makes)
    return Moved(suggestion=_record_move(context, suggestion, made, chosen))


def colliding_line(context: Context, suggestion: MemorySuggestion, workspace_index: WorkspaceIndex) -> ExistingRule:
    """Return the line that a rule collides with most: it contradicts it, or is most like it.

    Lines of the suggestion's own file come first. Raises MemsuggestError where none is near.
    """
    content = as_rule(_said(suggestion).content)
    text = current_text(context, suggestion.edit.path)
    own = [target_from(suggestion.edit.path, text)] if text is not None else []
    for existing_rules in (ExistingRules(own), workspace_index.existing_rules[_said(suggestion).scope]):
        likes = [
            like
            for like in existing_rules.like(content)
            for line in [like.existing_rule]
            if line.is_replaceable
            and line.uri not in workspace_index.closed
            and line.lines.rstrip("\r\n") != suggestion.replaces
            and line.lines in (current_text(context, line.uri) or "")
        ]
        if likes:
            clash = next(iter(find_contradictions(content, likes)), None)
            return clash.existing_rule if clash else likes[0].existing_rule
    raise MemsuggestError("no line in your files is similar to this rule", hint="press `m` to move the rule")


def sharpen(context: Context, suggestion: MemorySuggestion, existing_rule: ExistingRule) -> MemorySuggestion:
    """Let a rule stand in the place of a line, keep that, and return it as it would be written; MemsuggestError."""
    fact = _said(suggestion)
    made = _in_place(context, fact, existing_rule.uri, existing_rule.lines.rstrip("\r\n"))
    chosen = Move(fact_id=fact.id, uri=existing_rule.uri, replaces=made.replaces)
    return _record_move(context, suggestion, replace(made, weakens=suggestion.weakens), chosen)


def with_moves(
    context: Context, suggestions: Iterable[MemorySuggestion], decisions: Iterable[Decision]
) -> tuple[MemorySuggestion, ...]:
    """Return suggestions, those that the user moved at the places that they chose, as far as that can still be."""
    moves = load_moves(context.state, context.place.worktree_key)
    for decision in decisions:
        move = moves.get(decision.fact_id)
        if move and decision.status is SuggestionStatus.DISMISSED and decision.target == move.uri:
            del moves[decision.fact_id]  # dismissed there since
    return tuple(
        _moved(context, suggestion, moves[suggestion.id]) if suggestion.id in moves else suggestion
        for suggestion in suggestions
    )


def _moved(context: Context, suggestion: MemorySuggestion, chosen: Move) -> MemorySuggestion:
    try:
        fact = _said(suggestion)
        if chosen.replaces is not None:
            made = _in_place(context, fact, chosen.uri, chosen.replaces)
        else:
            made = _at(context, fact, PlaceChoice(uri=chosen.uri, heading=chosen.heading, makes=chosen.makes))
    except MemsuggestError:  # the file, or the line, is gone: then our own place is better than none
        return suggestion
    return replace(made, weakens=suggestion.weakens)


def _said(suggestion: MemorySuggestion) -> MemoryFact:
    if suggestion.fact is None or suggestion.executable:
        raise MemsuggestError(
            "this suggestion cannot be moved", hint="press `y` to apply the suggestion or `n` to leave it pending"
        )
    return suggestion.fact


def _target(context: Context, uri: str, *, scope: Scope) -> Target | None:
    """Return a file as it is now, None where there is none; raises OutsideWorkspace for what may never be a target."""
    if uri.startswith(HOME) and scope is Scope.WORKSPACE:
        raise OutsideWorkspace(
            "this rule belongs to the repo, but the chosen file is personal", hint="choose a file in the repo"
        )
    text = current_text(context, uri)
    return None if text is None else target_from(uri, text)


def _section_of(target: Target, heading: str) -> Section | None:
    wanted = heading.casefold()
    same = (section for section in target.sections if section.heading.casefold() == wanted)
    return named_section(target, heading) or next(same, None)


def _at(context: Context, fact: MemoryFact, place: PlaceChoice) -> MemorySuggestion:
    target, uri = _target(context, place.uri, scope=fact.scope), place.uri
    if target is None:
        pattern, why = pattern_of(fact.cited_paths), _YOURS
        is_ours_to_say = uri.endswith((".instructions.md", ".mdc"))
        if pattern and (is_ours_to_say or uri.startswith(".claude/rules/")):
            why += f"; the file is loaded for `{pattern}`, because you mentioned matching files"
        elif is_ours_to_say:
            why += "; the new file is loaded for all files, because you mentioned none"
        made = in_new_file(_as_rule(fact), uri, heading=place.heading, why=why) if place.makes else None
        if made is None:
            hint = "create the file first: memsuggest creates only instruction files" if place.makes else _LISTS_FILES
            raise MemsuggestError(f"file `{uri}` does not exist", hint=hint)
        return replace(made, fact=fact)
    if place.heading and not place.makes and _section_of(target, place.heading) is None:
        known = ", ".join(f"`{section.heading}`" for section in target.sections if section.heading)
        hint = f"headings in this file: {known or 'none'}"
        raise MemsuggestError(f"`{uri}` has no heading `{place.heading}`", hint=hint)
    made = _beside(fact, target, place)
    if made is None:
        message = f"no rule can be added safely at the chosen place in `{uri}`"
        raise MemsuggestError(message, hint="choose another place")
    return replace(made, fact=fact)


def _as_rule(fact: MemoryFact) -> MemoryFact:
    return replace(fact, content=as_rule(fact.content))


def _beside(fact: MemoryFact, target: Target, place: PlaceChoice) -> MemorySuggestion | None:
    section = _section_of(target, place.heading) if place.heading else None
    ranked = Ranked(target=target, section=section, score=1.0, why=_YOURS)
    return put_beside(_as_rule(fact), ranked, new_heading=place.heading if section is None else None)


def _in_place(context: Context, fact: MemoryFact, uri: str, line: str) -> MemorySuggestion:
    target = _target(context, uri, scope=fact.scope)
    if target is None:
        raise MemsuggestError(f"file `{uri}` does not exist", hint=_LISTS_FILES)
    lines = (existing for existing in existing_rules_of(target) if existing.is_replaceable)
    found = next((existing for existing in lines if existing.lines.rstrip("\r\n") == line), None)
    made = put_in_place(_as_rule(fact), target, Replacement(found, _LINE)) if found else None
    if made is None:
        raise MemsuggestError("the line cannot be replaced safely", hint="press `m` to move the rule instead")
    return replace(made, fact=fact)


def _record_move(context: Context, before: MemorySuggestion, after: MemorySuggestion, chosen: Move) -> MemorySuggestion:
    """Write a move down, with what `undo` needs, and let the suggestion be pending at its new place."""
    with context.exclusive():
        about = [About(id=after.id, content=after.content)]
        with transaction(context.state):
            number = context.journal.begin((), now=context.now(), verb=MOVED, about=about)
            note_move(context.state, context.place.worktree_key, chosen, entry=number)
            context.journal.note_waited(number, text_of([before]))
            pending = [after if suggestion.id == after.id else suggestion for suggestion in load(context)]
            save_pending(context.state, context.place.worktree_key, pending)
            context.journal.finish(number)
    return after
