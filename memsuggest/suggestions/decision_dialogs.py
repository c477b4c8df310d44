"""Asking the person before `apply`, in `edit` and in `move`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.dialog import edited_text, is_interactive
from memsuggest.cli.keys import END, Keys, ask, single_keys
from memsuggest.cli.progress_line import working
from memsuggest.cli.run import Run
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.suggestions.review_steps import why_own

if TYPE_CHECKING:
    from memsuggest.suggestions.decision_reports import PlaceChoice, Shown

_KEYS = "y  apply · n  leave pending · q  leave this and the rest pending"
_NEIGHBOURS = 20
"""Lines of the diff that the editor shows beside a rule."""


def _require_person(run: Run, done: str, hint: Callable[[], str]) -> None:
    """Raise MemsuggestError where nobody can be asked, with what works without."""
    if not is_interactive() or run.format == "json":
        why = "`--format json` does not prompt" if run.format == "json" else "not running in a terminal"
        raise MemsuggestError(f"nothing was {done}: {why}", hint=hint())


def _hint_to_apply(run: Run, ids: Sequence[str], words: str) -> str:
    """Return the command that applies without asking; `words` are those typed."""
    from memsuggest.suggestions.review import find_planned

    context = run.look()
    own = [found.id[:7] for found in (find_planned(context, name) for name in ids) if found.executable]
    if own:
        return f"run `memsuggest apply {own[0]}` in a terminal; suggestions that run a command must be confirmed there"
    look = f"`memsuggest show {ids[0]}`" if ids else "`memsuggest list`"
    return f"check the suggestion with {look}, then run `memsuggest apply {words} --yes`"


def _hint_to_edit(run: Run, prefix: str, *, patch: bool) -> str:
    from memsuggest.suggestions.review import find_planned

    is_worded = find_planned(run.look(), prefix).fact is not None and not patch
    return f'run `memsuggest memory edit {prefix} --content "…"`' if is_worded else "run the command in a terminal"


def apply_asking(run: Run, *, ids: list[str], every: bool, similar: str | None, yes: bool) -> int:
    """Show what would be written, ask unless told not to, write it; 1 where all of it is skipped."""
    from memsuggest.suggestions.apply_and_undo import apply, choose
    from memsuggest.suggestions.decision_reports import Applied
    from memsuggest.suggestions.marker_files import reviewing

    if not yes:
        words = "--all" if every else f"--similar {similar}" if similar else " ".join(ids)
        _require_person(run, "applied", lambda: _hint_to_apply(run, ids, words))
    context = run.context()
    with context.exclusive() if yes else reviewing(context):  # a person may take their time, and others go on meanwhile
        choice = choose(context, ids=ids, every=every, like=similar, is_unasked=yes)
        if yes:
            _warn(run, choice.shown)
        answers = (("y" if yes else _answer(run, shown), shown.suggestion) for shown in choice.shown)
        kept = takewhile(lambda pair: pair[0] != "q", answers)  # `q` leaves it and those after it
        confirmed = [suggestion for answer, suggestion in kept if answer == "y"]
        report = apply(context, confirmed, held_back=choice.held_back, is_unasked=yes) if confirmed else None
    if choice.shown and not confirmed:
        run.say("nothing was applied")
    run.emit(report or Applied(suggestions=(), held_back=choice.held_back))
    return 1 if choice.held_back and not choice.shown else 0


def is_confirmed(run: Run, shown: Shown) -> bool:
    """Show a suggestion and ask; what runs a command or weakens safety needs more than one key."""
    return _answer(run, shown) == "y"


def _answer(run: Run, shown: Shown) -> str:
    """Show a suggestion, and return `y`, `n` or `q`."""
    from memsuggest.suggestions.dangerous_rules import with_danger

    shown = with_danger(shown)
    run.emit(shown)
    typer.echo()
    if shown.suggestion.executable or shown.danger:
        anyway = "" if shown.suggestion.executable else " anyway"
        answer: str = typer.prompt(
            f"{why_own(shown)}; type `yes` to write the file{anyway}", default="no", show_default=False
        )
        return "y" if answer.strip().lower() == "yes" else "n"
    with single_keys() as keys:  # as in a review; the end of input leaves everything
        while True:
            key = ask(keys, "Apply? [y]es [n]o [q]uit [?] ").lower()
            if key == END:
                raise typer.Abort
            if key in {"y", "n", "q"}:
                return key
            typer.echo(_KEYS)


def _warn(run: Run, shown: Sequence[Shown]) -> None:
    """Say what is dangerous about suggestions that are written unasked, as they were named."""
    for each in shown:
        if each.danger:
            run.say(f"warning: {each.suggestion.id[:7]} {each.suggestion.content}: this rule {each.danger}")


def edit_asking(run: Run, prefix: str, *, patch: bool, yes: bool) -> None:
    """Open the editor on a suggestion's text or on the file as it would be; show the new diff, ask, write it."""
    from memsuggest.suggestions.apply_and_undo import apply, require_harmless
    from memsuggest.suggestions.dangerous_rules import with_danger
    from memsuggest.suggestions.decision_reports import Applied, Shown
    from memsuggest.suggestions.review import show_suggestion

    if not yes:
        _require_person(run, "changed", lambda: _hint_to_edit(run, prefix, patch=patch))
    context = run.context()
    shown = show_suggestion(context, prefix)
    if yes:
        require_harmless(shown)
    changed = edited(context, shown.suggestion, patch=patch)
    if changed is None:
        if run.format == "json":
            run.emit(Applied(suggestions=()))
        run.say("nothing was changed")
        return
    if yes:
        _warn(run, [with_danger(Shown(suggestion=changed))])
    if yes or is_confirmed(run, Shown(suggestion=changed)):
        run.emit(apply(context, [changed]))


def edited(context: Context, suggestion: MemorySuggestion, *, patch: bool) -> MemorySuggestion | None:
    """Return the suggestion as the person leaves it in the editor; None when they change nothing."""
    text = text_of_editor(suggestion, patch=patch)
    return None if text is None else with_new_text(context, suggestion, text, patch=patch)


def text_of_editor(suggestion: MemorySuggestion, *, patch: bool) -> str | None:
    """Open the editor on the words of a suggestion, or on its whole file, and return the text; None for the same."""
    from memsuggest.suggestions.listed import as_written

    if patch or suggestion.maintenance:
        edit = suggestion.edit
        after = edited_text(edit.after or "", suffix=PurePosixPath(edit.path).suffix)
        return None if after in (edit.before, edit.after) else after
    shown = as_written(suggestion)
    rows = edited_text(f"{shown}\n{_comments(suggestion)}", suffix=".md").splitlines(keepends=True)
    words = "".join(row for row in rows if row.rstrip() != "#" and not row.startswith("# ")).strip()
    return None if words == shown else words


def with_new_text(context: Context, suggestion: MemorySuggestion, text: str, *, patch: bool) -> MemorySuggestion:
    """Return a suggestion with a text that came from the editor; raises MemsuggestError for words that cannot be."""
    from memsuggest.suggestions.apply_and_undo import reworded, with_text

    is_file = patch or suggestion.maintenance
    return with_text(suggestion, text) if is_file else reworded(context, suggestion, text)


def _comments(suggestion: MemorySuggestion) -> str:
    """Return what a person wants to see while they word a rule, as lines that are left out again, as git does."""
    from memsuggest.core.render.safe_output import one_line
    from memsuggest.customizations.diff import unified
    from memsuggest.suggestions.listed import where

    said = [f"You said: “{one_line(citation.quote)}”" for citation in suggestion.citations[:3]]
    hunks = unified(suggestion.edit).partition("\n@@")[2].splitlines()[1:_NEIGHBOURS]
    rows = [
        "",
        "Edit the rule on the first line. Lines that begin with # are ignored.",
        f"Target: {where(suggestion)}",
        *said,
    ]
    return "".join(f"# {row}".rstrip() + "\n" for row in (*rows, "", *map(one_line, hunks)))


_TYPED = "  t  type a file, a heading or both, for example `AGENTS.md#Testing`"


def list_places(run: Run, prefix: str) -> None:
    """Print where else a suggestion could go."""
    from memsuggest.suggestions.apply_and_undo import find_movable
    from memsuggest.suggestions.decision_reports import Places
    from memsuggest.suggestions.move import other_places

    context = run.look().dry()
    suggestion = find_movable(context, prefix)
    run.emit(Places(suggestion=suggestion, places=tuple(other_places(suggestion, context.workspace_index))))


def move_asking(run: Run, prefix: str, *, file: str, heading: str, makes: bool) -> None:
    """Move a suggestion to the place that was named, or to one that is asked for; print what came of it."""
    from memsuggest.suggestions.apply_and_undo import find_movable
    from memsuggest.suggestions.move import move, named_place, what_is_new

    is_asked = is_interactive() and run.format != "json"
    if not (file or heading or is_asked):
        raise MemsuggestError(
            "nothing was moved: not running in a terminal",
            hint=f"name the target, for example `memsuggest move {prefix} AGENTS.md --heading Testing`",
        )
    context = run.context()
    with working("finding the suggestion"):
        suggestion = find_movable(context, prefix)
    place: PlaceChoice | None
    if not (file or heading):
        place = _chosen(run, context, suggestion)
    else:
        with working("finding the target"):
            place = replace(named_place(context, suggestion, file=file, heading=heading), makes=makes)
        if is_asked and not makes:
            with single_keys() as keys:
                place = _agreed(run, context, keys, suggestion, place)
        elif not makes and (missing := what_is_new(context, suggestion, place)):
            raise MemsuggestError(f"not moved: {missing}", hint="add `--make` to create the file or heading")
    if place is None:
        run.say("nothing was moved")
        return
    with working("moving the suggestion"):
        moved = move(context, suggestion, place)
    run.emit(moved)


def _chosen(run: Run, context: Context, suggestion: MemorySuggestion) -> PlaceChoice | None:
    from memsuggest.core.plain_reports import Talk
    from memsuggest.suggestions.listed import as_written, where
    from memsuggest.suggestions.marker_files import reviewing
    from memsuggest.suggestions.move import other_places

    with working("finding other targets"):
        places = other_places(suggestion, context.workspace_index)
    run.emit(Talk(rows=(as_written(suggestion), f"target: {where(suggestion)}; other targets:")))
    with reviewing(context), single_keys() as keys:
        return pick_place(run, context, keys, suggestion, places, known=list(context.workspace_index.by_uri))


def pick_place(
    run: Run,
    context: Context,
    keys: Keys,
    suggestion: MemorySuggestion,
    places: Sequence[PlaceChoice],
    *,
    known: Sequence[str],
) -> PlaceChoice | None:
    """Offer places by number, or take one that is typed; None for neither. `known` are the files that there are."""
    from memsuggest.core.plain_reports import Talk

    run.emit(Talk(rows=(*(f"  {number}  {_name(place)}" for number, place in enumerate(places, 1)), _TYPED)))
    key = ask(keys, f"move where? [1-{len(places)}, t, or any other key to stop] " if places else "type a target? [t] ")
    if key.isdecimal() and 0 < int(key) <= len(places):
        return places[int(key) - 1]
    if key not in {"t", "T"}:
        return None
    from memsuggest.suggestions.move import typed_place

    with keys.away():
        text: str = typer.prompt("place", default="", show_default=False)
    if not text.strip():
        return None
    return _agreed(run, context, keys, suggestion, typed_place(text, here=suggestion.edit.path, known=known))


def _agreed(
    run: Run, context: Context, keys: Keys, suggestion: MemorySuggestion, place: PlaceChoice
) -> PlaceChoice | None:
    """Return a place; one that is not there yet, only if the person agrees that it is made."""
    from memsuggest.core.plain_reports import Talk
    from memsuggest.suggestions.move import what_is_new

    missing = what_is_new(context, suggestion, place)
    if not missing:
        return place
    run.emit(Talk(rows=(missing,)))
    is_wanted = ask(keys, "create the target? [y/N] ") in {"y", "Y"}
    return replace(place, makes=True) if is_wanted else None


def _name(place: PlaceChoice) -> str:
    return f"{place.uri} › {place.heading}" if place.heading else place.uri
