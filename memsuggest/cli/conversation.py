"""Asking the person: before an apply, in `edit`, and one by one in `review`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from memsuggest.cli.editor import edited_text
from memsuggest.errors import EditConflict, MemsuggestError

if TYPE_CHECKING:
    from memsuggest.cli.run import Run
    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.deciding import Choice, Shown
    from memsuggest.workflows.desk import Desk

KEYS = """y  apply it
n  leave it pending
e  edit the words, then decide
d  dismiss it: silence this fact
h  dismiss it here: silence it for this file only
s  stop here, leave the rest pending
u  undo the last apply
?  this help"""


def is_interactive() -> bool:
    """Whether somebody sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def apply_asking(run: Run, *, ids: list[str], every: bool, similar: str | None, yes: bool) -> int:
    """Show what would be written, ask unless told not to, write it."""
    from memsuggest.reports.deciding import Applied
    from memsuggest.workflows.apply import apply, choose

    desk = run.desk()
    choice = choose(desk, ids=ids, every=every, like=similar)
    if yes:
        _require_as_shown(choice)
        confirmed = [shown.suggestion for shown in choice.shown if not shown.suggestion.executable]
        held = [shown.suggestion for shown in choice.shown if shown.suggestion.executable]
        report = apply(desk, confirmed, held_back=choice.held_back, unconfirmed=held)
    elif is_interactive():
        confirmed = [shown.suggestion for shown in choice.shown if _confirm(run, shown)]
        report = apply(desk, confirmed, held_back=choice.held_back) if confirmed else Applied(suggestions=())
    else:
        raise MemsuggestError(
            "nothing was applied: there is no terminal to ask on",
            hint="look with `memsuggest show ID`, then apply with `--yes`",
        )
    run.emit(report)
    return 0 if report.suggestions or not choice.shown or not yes else 1


def _require_as_shown(choice: Choice) -> None:
    """Refuse to write unasked what nobody has seen: the file changed so that the edit is another one."""
    for shown in choice.shown:
        if shown.differs:
            raise EditConflict(
                f"`{shown.suggestion.edit.path}` changed, and the edit is another one now",
                hint=f"look at it with `memsuggest show {shown.suggestion.id[:7]}`, then run `memsuggest reconcile`",
            )


def _confirm(run: Run, shown: Shown) -> bool:
    run.emit(shown)
    if shown.suggestion.executable:
        typer.echo()
        answer: str = typer.prompt("this runs a command; type `yes` to write it", default="no", show_default=False)
        return answer.strip().lower() == "yes"
    return typer.confirm("apply?", default=True)


def edit_asking(run: Run, prefix: str, *, patch: bool) -> int:
    """Open the editor on a suggestion's text or on the file as it would be; show the new diff, ask, write it."""
    from memsuggest.workflows.apply import apply
    from memsuggest.workflows.review import show_suggestion

    desk = run.desk()
    changed = _edited(desk, show_suggestion(desk, prefix).suggestion, patch=patch)
    if changed is None:
        run.say("nothing was changed")
        return 0
    if is_interactive():
        from memsuggest.reports.deciding import Shown

        if not _confirm(run, Shown(suggestion=changed)):
            return 0
    run.emit(apply(desk, [changed]))
    return 0


def _edited(desk: Desk, suggestion: MemorySuggestion, *, patch: bool) -> MemorySuggestion | None:
    from memsuggest.workflows.apply import reworded, with_text

    if patch:
        before = suggestion.edit.after or ""
        after = edited_text(before, suffix=".md")
        return None if after == before else with_text(suggestion, after)
    words = edited_text(suggestion.fact.content + "\n", suffix=".md").strip()
    return None if words == suggestion.fact.content else reworded(desk, suggestion, words)


def walk_through(run: Run) -> int:
    """Go through the pending suggestions with single keys."""
    from memsuggest.workflows.review import list_suggestions

    if not is_interactive():
        raise MemsuggestError(
            "`review` needs a terminal", hint="`memsuggest list` and `memsuggest show ID` work without"
        )
    desk = run.desk()
    listing = list_suggestions(desk, status="pending")
    if not listing.suggestions:
        run.emit(listing)
        return 0
    for number, suggestion in enumerate(listing.suggestions, 1):
        typer.echo(f"\n({number} of {len(listing.suggestions)})")
        if not _review_one(run, desk, suggestion.id):
            break
    run.emit(list_suggestions(desk, status="pending"))
    return 0


def _review_one(run: Run, desk: Desk, prefix: str) -> bool:
    """Ask about one suggestion until it is settled; return False to stop."""
    from memsuggest.errors import UnknownId
    from memsuggest.workflows.apply import apply, undo
    from memsuggest.workflows.dismiss import dismiss
    from memsuggest.workflows.review import show_suggestion

    try:
        shown = show_suggestion(desk, prefix)
    except UnknownId:  # what was applied before settled it too
        return True
    run.emit(shown)
    while True:
        key = _key("apply this? [y,n,e,d,h,s,u,?] ")
        if key == "y":
            if not shown.suggestion.executable or _confirm(run, shown):
                run.emit(apply(desk, [shown.suggestion]))
            return True
        if key == "e":
            changed = _edited(desk, shown.suggestion, patch=False)
            if changed is not None and _confirm(run, type(shown)(suggestion=changed)):
                run.emit(apply(desk, [changed]))
                return True
        elif key in {"d", "h"}:
            run.emit(dismiss(desk, [shown.suggestion.id], only_here=key == "h"))
            return True
        elif key == "u":
            run.emit(undo(desk))
        elif key == "n":
            return True
        elif key in {"s", "q", ""}:
            return False
        else:
            typer.echo(KEYS)


def _key(prompt: str) -> str:
    """Read one key; end of input and Ctrl-C stop."""
    typer.echo(prompt, nl=False)
    try:
        key = typer.getchar()
    except (EOFError, KeyboardInterrupt):
        key = ""
    typer.echo(key if key.isprintable() else "")
    return key.lower() if key.isprintable() else ""
