"""`review`: going through what is pending, one suggestion a screen, with single keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.keys import Keys, ask, single_keys
from memsuggest.cli.progress_line import working
from memsuggest.cli.review_state import Planner, Prepared, ReviewLoop
from memsuggest.cli.review_steps import planned, planned_maybe
from memsuggest.errors import MemsuggestError
from memsuggest.render.safe_output import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.cli.run import Run
    from memsuggest.reports.plain import Talk
    from memsuggest.workflows.context import Context


def review_each(run: Run, wanted: Sequence[str]) -> None:
    """Go through the pending suggestions, or those wanted, with single keys; at the end offer what is kept aside."""
    from memsuggest.workflows.decide.review import to_review
    from memsuggest.workflows.facts.stores import waiting_maybes
    from memsuggest.workflows.marker_files import note_seen, reviewing
    from memsuggest.workflows.suggest.new_suggestions import seen_before

    _require_terminal("list")
    context = run.context()
    with reviewing(context), single_keys() as keys:
        with working("looking at what waits"):
            pending, seen = to_review(context, wanted), seen_before(context)
        note_seen(context, [one.id for one in pending if one.fact])
        decided = context.journal.last()
        loop = _go_through(run, context, keys, [one.id for one in pending], planned, seen=seen)
        maybes = [] if loop.is_stopped or wanted else [maybe.id for maybe in waiting_maybes(context)]
        if maybes and ask(keys, f"{len(maybes)} maybe{'s' * (len(maybes) > 1)}: look at them? [y/N] ") == "y":
            loop = _go_through(run, context, keys, maybes, planned_maybe)
    run.emit(farewell(context, is_decided=context.journal.last() != decided, is_told=bool(loop.notes)))


def farewell(context: Context, *, is_decided: bool, is_told: bool = False) -> Talk:
    """Return how much is left, and how the last decision is taken back; what it was, unless that is told."""
    from memsuggest.render.page import UNDO
    from memsuggest.reports.plain import Talk
    from memsuggest.workflows.suggest.pending import load_all

    left = len(load_all(context))
    said = f"{left} still {'waits' if left == 1 else 'wait'}: `memsuggest list`" if left else "All caught up! ✓"
    last = context.journal.last() if is_decided else None
    rows = [f"your last decision: {last.verb} “{last.about[0].content}”"] if last and last.about and not is_told else []
    return Talk(rows=(*rows, *([UNDO] if last else []), said))


def review_maybes(run: Run) -> None:
    """Go through what is kept aside with single keys."""
    from memsuggest.workflows.facts.stores import waiting_maybes
    from memsuggest.workflows.marker_files import reviewing
    from memsuggest.workflows.suggest.maybes import list_maybes

    _require_terminal("list --maybe")
    context = run.context()
    with reviewing(context), single_keys() as keys:
        _go_through(run, context, keys, [maybe.id for maybe in waiting_maybes(context)], planned_maybe)
    run.emit(list_maybes(context))


def _require_terminal(command: str) -> None:
    if not is_interactive():
        raise MemsuggestError("`review` needs a terminal", hint=f"`memsuggest {command}` works without one")


def _go_through(
    run: Run, context: Context, keys: Keys, names: list[str], plan: Planner, seen: frozenset[str] = frozenset()
) -> ReviewLoop:
    """Go through what has these names, and say at the end what was done last."""
    loop = ReviewLoop(
        run=run, context=context, keys=keys, names=names, plan=plan, prepared=Prepared(context), seen=seen
    )
    from memsuggest.reports.plain import Talk
    from memsuggest.workflows.suggest.new_suggestions import note_met

    try:
        _go_to_the_end(loop)
    finally:
        note_met(context, loop.met)
    run.emit(Talk(rows=tuple(map(one_line, loop.notes))))
    return loop


def _go_to_the_end(loop: ReviewLoop) -> None:
    """Ask about each, until all are settled or the person stops."""
    names = loop.names
    while 0 <= loop.place < len(loop.names):
        before = loop.place
        _decide(loop)
        if loop.place < 0:  # back before the first one
            loop.place, loop.is_back = before, False
            loop.notes.append("this is the first one that is not decided")
            if loop.plan(loop.context, loop.names[before]) is None:
                loop.place = next((n for n, name in enumerate(names) if loop.plan(loop.context, name)), len(names))


def _decide(loop: ReviewLoop) -> None:
    """Show one suggestion and do what the person says."""
    from memsuggest.cli.review_keys import act

    try:
        with working("getting the next one ready"):
            shown = loop.plan(loop.context, loop.names[loop.place])
    except MemsuggestError as error:  # its file cannot be read now, or no file takes it
        loop.notes.append(f"error: {error.message}")
        loop.go_on(-1 if loop.is_back else 1)
        return
    if shown is None:  # what was decided before settled it too
        loop.go_on(-1 if loop.is_back else 1)
        return
    loop.show(shown, notes=loop.notes)
    loop.met.add(shown.suggestion.id)
    loop.notes.clear()
    try:
        act(loop, shown)
    except MemsuggestError as error:
        loop.notes.append(f"error: {error.message}" + (f" ({error.hint})" if error.hint else ""))
