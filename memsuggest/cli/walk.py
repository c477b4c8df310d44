"""`review`: going through what is pending, one by one, with single keys."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

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


class Next(Enum):
    """What comes after a key."""

    SUGGESTION = auto()
    AGAIN = auto()
    STOP = auto()


def walk_through(run: Run) -> None:
    """Go through the pending suggestions with single keys."""
    from memsuggest.workflows.marks import note_seen, reviewing
    from memsuggest.workflows.review import list_suggestions

    if not is_interactive():
        raise MemsuggestError(
            "`review` needs a terminal", hint="`memsuggest list` and `memsuggest show ID` work without"
        )
    desk = run.desk()
    waiting = list_suggestions(desk, status="pending")
    pending = (*waiting.suggestions, *waiting.care)
    with reviewing(desk):
        note_seen(desk, [one.id for one in waiting.suggestions])
        for number, suggestion in enumerate(pending, 1):
            typer.echo(f"\n({number} of {len(pending)})")
            if _decide(run, desk, suggestion.id) is Next.STOP:
                break
    run.emit(list_suggestions(desk, status="pending"))


def _decide(run: Run, desk: Desk, suggestion: str) -> Next:
    """Show one suggestion and do what the person says, until it is settled or they stop."""
    after = Next.AGAIN
    while after is Next.AGAIN:
        try:
            shown = _planned(desk, suggestion)
        except MemsuggestError as error:  # its file cannot be read now
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


def _planned(desk: Desk, suggestion: str) -> Shown | None:
    from memsuggest.workflows.pending import replanned
    from memsuggest.workflows.waiting import load_all

    found = [one for one in load_all(desk) if one.id == suggestion]
    return replanned(desk, found[0]) if found else None


def _act(run: Run, desk: Desk, shown: Shown) -> Next:
    while True:
        act = _ACTS.get(_key("apply this? [y,n,e,d,h,s,u,?] "))
        if act is not None:
            return act(run, desk, shown)
        typer.echo(HELP)


def _apply(run: Run, desk: Desk, shown: Shown) -> Next:
    if not shown.suggestion.executable or is_confirmed(run, shown):
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
