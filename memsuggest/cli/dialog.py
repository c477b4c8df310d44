"""Asking the person: before an apply, in `edit`, and over an imported file."""

from __future__ import annotations

import sys
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.editor import edited_text
from memsuggest.cli.keys import END, ask, single_keys
from memsuggest.cli.review_steps import why_own
from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.run import Run
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.decision_reports import Shown
    from memsuggest.reports.fact_reports import Importable
    from memsuggest.workflows.context import Context


_KEYS = "y  apply it · n  leave it pending · q  leave it and all after it"
_NEIGHBOURS = 20
"""Lines of the diff that the editor shows beside a rule."""


def is_interactive() -> bool:
    """Return whether a person is there to read and to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _require_answer(run: Run, ids: Sequence[str], words: str) -> None:
    """Raise MemsuggestError where nobody can be asked, with the command that works without; `words` are those typed."""
    if is_interactive() and run.format != "json":
        return
    from memsuggest.workflows.suggest.maybes import find_planned

    context = run.look()
    own = [one.id[:7] for one in (find_planned(context, name) for name in ids) if one.executable]
    look = f"`memsuggest show {ids[0]}`" if ids else "`memsuggest list`"
    hint = f"`memsuggest apply {own[0]}` on a terminal: what runs a command is written only there" if own else ""
    raise MemsuggestError(
        "nothing was applied: " + _why_unasked(run, "ask"),
        hint=hint or f"look with {look}, then run `memsuggest apply {words} --yes`",
    )


def _require_editor(run: Run, prefix: str, *, patch: bool) -> None:
    """Raise MemsuggestError where nobody can be asked what the words are to be, with the command that takes them."""
    if is_interactive() and run.format != "json":
        return
    from memsuggest.workflows.suggest.maybes import find_planned

    found = find_planned(run.look(), prefix)
    is_worded = found.fact is not None and not patch
    way = f'`memsuggest facts edit {prefix} --content "…"` takes the words' if is_worded else "run it on a terminal"
    raise MemsuggestError("nothing was changed: " + _why_unasked(run, "edit"), hint=way)


def _why_unasked(run: Run, verb: str) -> str:
    is_json = run.format == "json"
    return "`--format json` prints one report, and asks nothing" if is_json else f"there is no terminal to {verb} on"


def apply_asking(run: Run, *, ids: list[str], every: bool, similar: str | None, yes: bool) -> None:
    """Show what would be written, ask unless told not to, write it."""
    from memsuggest.reports.decision_reports import Applied
    from memsuggest.workflows.decide.apply import apply, choose
    from memsuggest.workflows.marker_files import reviewing

    if not yes:
        _require_answer(run, ids, "--all" if every else f"--similar {similar}" if similar else " ".join(ids))
    context = run.context()
    with context.exclusive() if yes else reviewing(context):  # a person may take their time, and others go on meanwhile
        choice = choose(context, ids=ids, every=every, like=similar, is_unasked=yes)
        if yes:
            _warn(run, choice.shown)
        confirmed = [shown.suggestion for shown in choice.shown] if yes else _agreed_to(run, choice.shown)
        report = apply(context, confirmed, held_back=choice.held_back) if confirmed else None
    if choice.shown and not confirmed:
        run.say("nothing was applied")
    run.emit(report or Applied(suggestions=(), held_back=choice.held_back))


def _agreed_to(run: Run, choice: Sequence[Shown]) -> list[MemorySuggestion]:
    """Ask about each; `q` leaves it and those after it."""
    agreed = []
    for shown in choice:
        answer = _answer(run, shown)
        if answer == "q":
            break
        agreed += [shown.suggestion] if answer == "y" else []
    return agreed


def is_confirmed(run: Run, shown: Shown) -> bool:
    """Show a suggestion and ask; what runs a command or weakens safety needs more than one key."""
    return _answer(run, shown) == "y"


def _answer(run: Run, shown: Shown) -> str:
    """Show a suggestion, and return `y`, `n` or `q`."""
    from memsuggest.workflows.decide.dangerous_rules import with_danger

    shown = with_danger(shown)
    run.emit(shown)
    typer.echo()
    if shown.suggestion.executable:
        return _typed_yes(f"{why_own(shown)}; type `yes` to write it")
    if shown.danger:
        return _typed_yes(f"{why_own(shown)}; type `yes` to write it all the same")
    return _pressed()


def _pressed() -> str:
    """Ask for a single key, as a review does; the end of input leaves everything."""
    with single_keys() as keys:
        while True:
            key = ask(keys, "apply this? [y,n,q,?] ").lower()
            if key == END:
                raise typer.Abort
            if key in {"y", "n", "q"}:
                return key
            typer.echo(_KEYS)


def _typed_yes(question: str) -> str:
    answer: str = typer.prompt(question, default="no", show_default=False)
    return "y" if answer.strip().lower() == "yes" else "n"


def _warn(run: Run, shown: Sequence[Shown]) -> None:
    """Say what is dangerous about suggestions that are written unasked, as they were named."""
    from memsuggest.workflows.decide.dangerous_rules import danger_of

    for one in shown:
        danger = danger_of(one.suggestion)
        if danger:
            run.say(f"warning: {one.suggestion.id[:7]} {one.suggestion.content}: this rule {danger}")


def edit_asking(run: Run, prefix: str, *, patch: bool, yes: bool) -> None:
    """Open the editor on a suggestion's text or on the file as it would be; show the new diff, ask, write it."""
    from memsuggest.reports.decision_reports import Applied, Shown
    from memsuggest.workflows.decide.apply import apply, require_harmless
    from memsuggest.workflows.decide.review import show_suggestion

    if not yes:
        _require_editor(run, prefix, patch=patch)
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
        _warn(run, [Shown(suggestion=changed)])
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
    words = without_comments(edited_text(f"{shown}\n{_comments(suggestion)}", suffix=".md")).strip()
    return None if words == shown else words


def with_new_text(context: Context, suggestion: MemorySuggestion, text: str, *, patch: bool) -> MemorySuggestion:
    """Return a suggestion with a text that came from the editor; raises MemsuggestError for words that cannot be."""
    from memsuggest.workflows.decide.apply import reworded, with_text

    is_file = patch or suggestion.maintenance
    return with_text(suggestion, text) if is_file else reworded(context, suggestion, text)


def _comments(suggestion: MemorySuggestion) -> str:
    """Return what a person wants to see while they word a rule, as lines that are left out again, as git does."""
    from memsuggest.render.safe_output import one_line
    from memsuggest.suggestions.diff import unified
    from memsuggest.suggestions.listed import where

    said = [f"You said: “{one_line(one.quote)}”" for one in suggestion.citations[:3]]
    hunks = unified(suggestion.edit).partition("\n@@")[2].splitlines()[1:_NEIGHBOURS]
    rows = [
        "",
        "The rule, in the first line. Lines that begin with # are left out.",
        f"It goes to: {where(suggestion)}",
        *said,
    ]
    return "".join(f"# {row}".rstrip() + "\n" for row in (*rows, "", *map(one_line, hunks)))


def without_comments(text: str) -> str:
    """Return a text without the lines that begin with `#` and a space, or are nothing but `#`."""
    return "".join(row for row in text.splitlines(keepends=True) if row.rstrip() != "#" and not row.startswith("# "))


def picked(run: Run, rows: Sequence[Importable]) -> list[Importable]:
    """Show entries one by one and return those that the person wants; `q` leaves the rest."""
    taken = []
    for number, row in enumerate(rows, 1):
        run.emit(row)
        answer: str = typer.prompt(f"take {number} of {len(rows)}? y, n or q", default="n", show_default=False)
        if answer.strip().lower() in {"q", "quit"}:
            break
        if answer.strip().lower() in {"y", "yes"}:
            taken.append(row)
    return taken
