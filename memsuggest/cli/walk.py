"""`review`: going through what is pending, one by one, with single keys."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

import typer

from memsuggest.cli.conversation import edited, is_confirmed, is_interactive
from memsuggest.cli.run import tell
from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.cli.run import Run
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.deciding import Shown
    from memsuggest.workflows.desk import Desk

HELP = """y  apply it
n  leave it pending
e  edit the words, then decide
d  dismiss it: silence this fact
h  dismiss it here: silence it for this file only
s  stop here, leave the rest pending (q does the same)
u  undo the last apply
?  this help"""


Planner: TypeAlias = "Callable[[Desk, str], Shown | None]"
"""Returns what has an id as it would be written now, or nothing when what was decided before settled it too."""


class Next(Enum):
    """What comes after a key."""

    SUGGESTION = auto()
    AGAIN = auto()
    STOP = auto()


def walk_through(run: Run) -> None:
    """Go through the pending suggestions with single keys; at the end offer what is kept aside."""
    from memsuggest.workflows.marks import note_seen, reviewing
    from memsuggest.workflows.review import list_suggestions
    from memsuggest.workflows.stores import waiting_maybes

    _require_terminal("list")
    desk = run.desk()
    waiting = list_suggestions(desk, status="pending")
    pending = (*waiting.suggestions, *waiting.care)
    with reviewing(desk):
        note_seen(desk, [one.id for one in waiting.suggestions])
        is_stopped = _go_through(run, desk, [one.id for one in pending], _planned)
        maybes = [] if is_stopped else [maybe.id for maybe in waiting_maybes(desk)]
        if maybes and _key(f"{len(maybes)} maybe{'s' * (len(maybes) > 1)}: look at them? [y/N] ") == "y":
            _go_through(run, desk, maybes, _planned_maybe)
    run.emit(list_suggestions(desk, status="pending"))


def walk_through_maybes(run: Run) -> None:
    """Go through what is kept aside with single keys."""
    from memsuggest.workflows.marks import reviewing
    from memsuggest.workflows.maybes import list_maybes
    from memsuggest.workflows.stores import waiting_maybes

    _require_terminal("list --maybe")
    desk = run.desk()
    with reviewing(desk):
        _go_through(run, desk, [maybe.id for maybe in waiting_maybes(desk)], _planned_maybe)
    run.emit(list_maybes(desk))


def _require_terminal(command: str) -> None:
    if not is_interactive():
        raise MemsuggestError(
            "`review` needs a terminal", hint=f"`memsuggest {command}` and `memsuggest show ID` work without"
        )


def _go_through(run: Run, desk: Desk, names: Sequence[str], plan: Planner) -> bool:
    """Ask about each; whether the person stopped before the end."""
    for number, name in enumerate(names, 1):
        typer.echo(f"\n({number} of {len(names)})")
        if _decide(run, desk, name, plan) is Next.STOP:
            return True
    return False


def _decide(run: Run, desk: Desk, name: str, plan: Planner) -> Next:
    """Show one suggestion and do what the person says, until it is settled or they stop."""
    after = Next.AGAIN
    while after is Next.AGAIN:
        try:
            shown = plan(desk, name)
        except MemsuggestError as error:  # its file cannot be read now, or no file takes it
            tell(error)
            return Next.SUGGESTION
        if shown is None:  # what was decided before settled it too
            return Next.SUGGESTION
        run.emit(shown)
        try:
            after = _act(run, desk, shown)
        except MemsuggestError as error:
            tell(error)
    return after


def _planned(desk: Desk, name: str) -> Shown | None:
    from memsuggest.workflows.danger import with_danger
    from memsuggest.workflows.pending import replanned
    from memsuggest.workflows.waiting import load_all

    found = [one for one in load_all(desk) if one.id == name]
    return with_danger(replanned(desk, found[0])) if found else None


def _planned_maybe(desk: Desk, name: str) -> Shown | None:
    from memsuggest.reports.deciding import Shown
    from memsuggest.workflows.danger import with_danger
    from memsuggest.workflows.maybes import plan_maybe
    from memsuggest.workflows.stores import waiting_maybes

    found = [maybe for maybe in waiting_maybes(desk) if maybe.id == name]
    return with_danger(Shown(suggestion=plan_maybe(desk, found[0]))) if found else None


def _act(run: Run, desk: Desk, shown: Shown) -> Next:
    from memsuggest.workflows.maybes import is_as_said

    question = "apply this? [y,n,e,d,h,s,u,?] "
    if is_as_said(shown.suggestion):  # a sentence out of a chat is seldom a rule as it stands
        question = "edit this, or apply it as it is? [e,y,n,d,h,s,u,?] "
    while True:
        act = _ACTS.get(_key(question))
        if act is not None:
            return act(run, desk, shown)
        typer.echo(HELP)


def _apply(run: Run, desk: Desk, shown: Shown) -> Next:
    needs_own = shown.suggestion.executable or shown.danger
    if not needs_own or is_confirmed(run, shown):
        _write(run, desk, [shown.suggestion])
    return Next.SUGGESTION


def _edit(run: Run, desk: Desk, shown: Shown) -> Next:
    changed = edited(desk, shown.suggestion, patch=False)
    if changed is None or not is_confirmed(run, type(shown)(suggestion=changed)):
        return Next.AGAIN
    _write(run, desk, [changed])
    return Next.SUGGESTION


def _write(run: Run, desk: Desk, suggestions: Sequence[MemorySuggestion]) -> None:
    from memsuggest.workflows.apply import apply

    run.emit(replace(apply(desk, suggestions), similar=()))  # those come by themselves


def _dismiss(run: Run, desk: Desk, shown: Shown) -> Next:
    from memsuggest.workflows.dismiss import dismiss

    run.emit(dismiss(desk, [shown.suggestion.id], only_here=False))
    return Next.SUGGESTION


def _dismiss_here(run: Run, desk: Desk, shown: Shown) -> Next:
    from memsuggest.workflows.dismiss import dismiss

    run.emit(dismiss(desk, [shown.suggestion.id], only_here=True))
    return Next.SUGGESTION


def _undo(run: Run, desk: Desk, _shown: Shown) -> Next:
    from memsuggest.workflows.undo import undo

    run.emit(undo(desk))
    return Next.AGAIN


_ACTS: dict[str, Callable[[Run, Desk, Shown], Next]] = {
    "y": _apply,
    "n": lambda _run, _desk, _shown: Next.SUGGESTION,
    "e": _edit,
    "d": _dismiss,
    "h": _dismiss_here,
    "u": _undo,
    "s": lambda _run, _desk, _shown: Next.STOP,
    "q": lambda _run, _desk, _shown: Next.STOP,
}


def _key(prompt: str) -> str:
    """Read one key; the end of input stops, as `s` does."""
    typer.echo(prompt, nl=False)
    try:
        key = typer.getchar()
    except EOFError:
        key = "s"
    typer.echo(key if key.isprintable() else "")
    return key.lower()
