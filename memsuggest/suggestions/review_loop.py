"""`review`: going through what is pending, one suggestion a screen, with single keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.keys import END, Keys, ask, single_keys
from memsuggest.cli.progress_line import working
from memsuggest.cli.run import Run
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.plain_reports import Talk
from memsuggest.core.render.page import UNDO
from memsuggest.core.render.safe_output import one_line
from memsuggest.facts.stores import waiting_maybes
from memsuggest.suggestions.decision_dialogs import edited, is_confirmed, pick_place
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.listed import where
from memsuggest.suggestions.pending import load_all
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.review_steps import (
    of_same_chat,
    of_same_file,
    planned,
    planned_maybe,
    silence,
    silence_chat,
    take_back,
    why_own,
    write,
)
from memsuggest.suggestions.status_report import CAUGHT_UP

Planner: TypeAlias = "Callable[[Context, str], Shown | None]"
"""Returns what has an id as it would be written now, or nothing when what was decided before settled it too."""


class Prepared:
    """All customization files made ready in the background, while the user reads: for `m` and `s`."""

    def __init__(self, context: Context) -> None:
        self._context = context.dry()  # of its own: nothing is stored, and no database is touched
        self._ranked: Future[WorkspaceIndex] = Future()
        self._read: Future[WorkspaceIndex] = Future()
        self._worker = threading.Thread(target=self._prepare, daemon=True)

    def begin(self) -> None:
        """Begin, where that has not begun: once there is something to read, so that nobody waits for both."""
        if not self._worker.ident:
            self._worker.start()

    def ranked(self) -> WorkspaceIndex:
        """Return them as soon as they can be ranked; raises MemsuggestError for files that cannot be read."""
        self.begin()
        return self._ranked.result()

    def read(self) -> WorkspaceIndex:
        """Return them as soon as all that they say is known, too; raises MemsuggestError."""
        self.begin()
        return self._read.result()

    def _prepare(self) -> None:
        import memsuggest.suggestions.apply_and_undo
        import memsuggest.suggestions.move  # noqa: F401  (the first key does not wait for them)

        try:
            index = self._context.workspace_index
            _ = index.closed, index.indexes
            self._ranked.set_result(index)
            _ = index.existing_rules
            self._read.set_result(index)
        except Exception as error:  # noqa: BLE001  (whoever asks for them gets it)
            for future in (self._ranked, self._read):
                if not future.done():
                    future.set_exception(error)


@dataclass(slots=True)
class ReviewLoop:
    """One walk: what is gone through, where it stands, and what is to be said on the next screen."""

    run: Run
    context: Context
    keys: Keys
    names: list[str]
    plan: Planner
    prepared: Prepared
    place: int = 0
    is_back: bool = False
    """It goes back: what is settled is passed over in that direction."""
    notes: list[str] = field(default_factory=list)
    put_off: set[str] = field(default_factory=set)
    """Ids of what was answered with `n`: no key for many takes them."""
    seen: frozenset[str] = frozenset()
    """Ids of what was shown at an earlier look."""
    applied: int = 0
    """How many were applied in this walk."""
    met: set[str] = field(default_factory=set)
    """Ids of what was on the screen."""

    def show(self, shown: Shown, *, notes: Sequence[str] = ()) -> None:
        from memsuggest.suggestions.review_report import Screen

        is_new = bool(self.seen.intersection(self.names)) and shown.suggestion.id not in self.seen
        place = {"number": self.place + 1, "count": len(self.names), "applied": self.applied}
        self.run.emit(Screen(shown=shown, **place, is_new=is_new, notes=tuple(notes)))
        self.prepared.begin()

    def tell(self, *rows: str) -> None:
        self.run.emit(Talk(rows=rows))

    def go_on(self, step: int = 1) -> None:
        self.place, self.is_back = self.place + step, step < 0

    def go_to(self, names: Sequence[str]) -> None:
        places = [self.names.index(name) for name in names if name in self.names]
        if places:
            self.place, self.is_back = min(places), False

    def stop(self) -> None:
        self.place = len(self.names) + 1

    @property
    def is_stopped(self) -> bool:
        return self.place > len(self.names)


def review_each(run: Run, wanted: Sequence[str]) -> None:
    """Go through the pending suggestions, or those wanted, with single keys; at the end offer the others."""
    from memsuggest.suggestions.marker_files import note_seen, reviewing
    from memsuggest.suggestions.review import seen_before, to_review

    _require_terminal("list")
    context = run.context()
    with reviewing(context), single_keys() as keys:
        with working("loading suggestions"):
            pending, seen = to_review(context, wanted), seen_before(context)
        note_seen(context, [suggestion.id for suggestion in pending if suggestion.fact])
        decided = context.journal.last()
        loop = _go_through(run, context, keys, [suggestion.id for suggestion in pending], planned, seen=seen)
        maybes = [] if loop.is_stopped or wanted else [maybe.id for maybe in waiting_maybes(context)]
        if maybes and ask(keys, f"low-confidence suggestions: {len(maybes)}. Review now? [y/N] ") == "y":
            loop = _go_through(run, context, keys, maybes, planned_maybe)
    run.emit(farewell(context, is_decided=context.journal.last() != decided, is_told=bool(loop.notes)))


def farewell(context: Context, *, is_decided: bool, is_told: bool = False) -> Talk:
    """Return how much is left, and how the last decision is undone; what it was, unless that was said."""
    pending = load_all(context)
    own = sum(suggestion.fact is not None for suggestion in pending)
    counts = [*([str(own)] if own else []), *([f"{len(pending) - own} for maintenance"] if own < len(pending) else [])]
    last = context.journal.last() if is_decided else None
    rows = [f"your last decision: {last.verb} “{last.about[0].content}”"] if last and last.about and not is_told else []
    said = f"{' and '.join(counts)} still pending: run `memsuggest list`" if pending else CAUGHT_UP
    return Talk(rows=(*rows, *([UNDO] if last else []), said))


def review_maybes(run: Run) -> None:
    """Go through the low-confidence suggestions with single keys."""
    from memsuggest.suggestions.marker_files import reviewing
    from memsuggest.suggestions.review import list_maybes

    _require_terminal("list --maybe")
    context = run.context()
    with reviewing(context), single_keys() as keys:
        _go_through(run, context, keys, [maybe.id for maybe in waiting_maybes(context)], planned_maybe)
    run.emit(list_maybes(context))


def _require_terminal(command: str) -> None:
    if not is_interactive():
        raise MemsuggestError("`review` needs a terminal", hint=f"use `memsuggest {command}` instead")


def _go_through(
    run: Run, context: Context, keys: Keys, names: list[str], plan: Planner, seen: frozenset[str] = frozenset()
) -> ReviewLoop:
    """Ask about each of these until all are settled or the user stops, and say at the end what was done last."""
    from memsuggest.suggestions.review import note_met

    prepared = Prepared(context)
    loop = ReviewLoop(run=run, context=context, keys=keys, names=names, plan=plan, prepared=prepared, seen=seen)
    try:
        while 0 <= loop.place < len(names):
            before = loop.place
            _decide(loop)
            if loop.place < 0:  # back before the first one
                loop.place, loop.is_back = before, False
                loop.notes.append("this is the first undecided suggestion")
                if plan(context, names[before]) is None:
                    loop.place = next((n for n, name in enumerate(names) if plan(context, name)), len(names))
    finally:
        note_met(context, loop.met)
    loop.tell(*map(one_line, loop.notes))
    return loop


def _decide(loop: ReviewLoop) -> None:
    shown = None
    try:
        with working("preparing the next suggestion"):
            shown = loop.plan(loop.context, loop.names[loop.place])
    except MemsuggestError as error:  # its file cannot be read now, or no file takes it
        loop.notes.append(f"error: {error.message}")
    if shown is None:  # or what was decided before settled it too
        loop.go_on(-1 if loop.is_back else 1)
        return
    loop.show(shown, notes=loop.notes)
    loop.met.add(shown.suggestion.id)
    loop.notes.clear()
    try:
        act(loop, shown)
    except MemsuggestError as error:
        loop.notes.append(f"error: {error.message}" + (f" ({error.hint})" if error.hint else ""))


HELP = """y  apply the suggestion
n  not now: leave it pending and go to the next
d  dismiss it everywhere
h  dismiss it for this file only
e  edit the text in your editor, then decide
m  move it to another file or heading
s  swap: replace the line that it contradicts or repeats
w  why: all evidence, the reasons and the full diff
k  go back to the previous suggestion
a  apply all suggestions for this file
D  dismiss all suggestions that come only from this chat
x  dismiss them and never read this chat again
u  undo the last decision
q  quit and leave the rest pending
?  this help
Unlike in `git add -p`, `d` dismisses and `s` swaps."""


def act(loop: ReviewLoop, shown: Shown) -> None:
    from memsuggest.suggestions.review import is_as_said

    question = "Apply? [y]es [n]ext [d]ismiss [e]dit [?] "
    if is_as_said(shown.suggestion):  # a sentence out of a chat is seldom a rule as it stands
        question = "Edit, or apply as is? [e]dit [y]es [n]ext [d]ismiss [?] "
    key = ask(loop.keys, question)
    chosen = _ACTS.get(key) or _ACTS.get(key.lower())
    if chosen is not None:
        chosen(loop, shown)
    else:
        loop.notes.append(
            f"`{key}` does nothing here: press `?` for help" if key.isprintable() else "press `?` for help"
        )


def _help(loop: ReviewLoop, _shown: Shown) -> None:
    loop.tell(*HELP.splitlines())
    ask(loop.keys, "press any key to return to the suggestion ")


def _apply(loop: ReviewLoop, shown: Shown) -> None:
    if not why_own(shown) or _agreed(loop, shown):
        _write(loop, [shown.suggestion])
    loop.go_on()


def _agreed(loop: ReviewLoop, shown: Shown) -> bool:
    with loop.keys.away():
        return is_confirmed(loop.run, shown)


def _edit(loop: ReviewLoop, shown: Shown) -> None:
    from memsuggest.suggestions.dangerous_rules import with_danger

    changed: MemorySuggestion | None = None
    key = "e"
    while key == "e":
        with loop.keys.away():
            changed = edited(loop.context, changed or shown.suggestion, patch=False) or changed
        if changed is None:
            loop.notes.append("nothing was changed")
            return
        looked = with_danger(type(shown)(suggestion=changed))
        if why_own(looked):
            key = "y" if _agreed(loop, looked) else "n"
        else:
            loop.show(looked, notes=("with your edits:",))
            key = ask(loop.keys, "apply this version? [y, e: edit again, n: discard the edits] ").lower()
    if key == "y" and changed:
        _write(loop, [changed])
        loop.go_on()
    elif key in {"q", END}:
        loop.stop()
    else:
        loop.notes.append("not applied: the text is unchanged")


def _write(loop: ReviewLoop, suggestions: Sequence[MemorySuggestion]) -> None:
    with working("writing"):
        loop.notes += write(loop.context, suggestions)
    loop.applied += len(suggestions)


def _apply_file(loop: ReviewLoop, shown: Shown) -> None:
    with working("collecting suggestions for this file"):
        many = of_same_file(loop.context, shown.suggestion, loop.put_off)
    loop.run.emit(many)
    if many.remark:
        loop.tell(f"  {many.remark}")
    if not many.question:
        loop.notes.append("no suggestions for this file can be applied together: review each one")
    elif ask(loop.keys, f"{many.question} [y/N] ") in {"y", "Y"}:
        _write(loop, many.chosen)
        loop.go_on()


def _why(loop: ReviewLoop, shown: Shown) -> None:
    loop.run.emit(shown)
    ask(loop.keys, "press any key to go back ")


def _silence(loop: ReviewLoop, shown: Shown, *, only_here: bool) -> None:
    """Dismiss it; where that is for one file only, and it waits for another one now, that is shown next."""
    with working("finding another place" if only_here else "dismissing"):
        done = silence(loop.context, shown.suggestion, only_here=only_here)
    loop.notes.append(done.note)
    if not done.stays:
        loop.go_on()


def _silence_chat(loop: ReviewLoop, shown: Shown, *, never_again: bool) -> None:
    many = of_same_chat(loop.context, shown.suggestion, never_again=never_again)
    if many.chosen:
        loop.tell(many.title)
        loop.run.emit(many)
    if many.remark:
        loop.tell(many.remark)
    if ask(loop.keys, f"{many.question} [y/N] ") not in {"y", "Y"}:
        return
    with working("dismissing"):
        loop.notes.append(silence_chat(loop.context, shown.suggestion, never_again=never_again))
    if many.is_among:
        loop.go_on()


def _put_off(loop: ReviewLoop, shown: Shown) -> None:
    loop.put_off.add(shown.suggestion.id)
    loop.go_on()


def _undo(loop: ReviewLoop, _shown: Shown) -> None:
    """Take the last decision back, and go to what it was about."""
    with working("undoing"):
        done = take_back(loop.context)
    loop.notes.append(done.note)
    loop.go_to(done.ids)


def choose_place(loop: ReviewLoop, shown: Shown) -> None:
    with working("searching your files for other places"):
        from memsuggest.suggestions.move import move, other_places

        index = loop.prepared.ranked()
        places = other_places(shown.suggestion, index)
    chosen = pick_place(loop.run, loop.context, loop.keys, shown.suggestion, places, known=list(index.by_uri))
    if chosen is None:
        loop.notes.append("not moved")
        return
    with working("moving"):
        moved = move(loop.context, shown.suggestion, chosen)
    loop.notes.append(f"{'already at' if moved.stays else 'moved to'} {where(moved.suggestion)}")


def replace_line(loop: ReviewLoop, shown: Shown) -> None:
    with working("searching your files for the line"):
        from memsuggest.suggestions.move import colliding_line, sharpen

        line = colliding_line(loop.context, shown.suggestion, loop.prepared.read())
    loop.tell(f"  {line.uri}:{line.line}  {line.raw.strip()}")
    if ask(loop.keys, "replace this line with the rule? [y/N] ") not in {"y", "Y"}:
        loop.notes.append("not replaced")
        return
    with working("replacing the line"):
        made = sharpen(loop.context, shown.suggestion, line)
    loop.notes.append(f"the rule now replaces line {line.line} of {made.edit.path}")


_ACTS: dict[str, Callable[[ReviewLoop, Shown], None]] = {
    "y": _apply,
    "n": _put_off,
    "d": partial(_silence, only_here=False),
    "h": partial(_silence, only_here=True),
    "e": _edit,
    "m": choose_place,
    "s": replace_line,
    "w": _why,
    "k": lambda loop, _shown: loop.go_on(-1),
    "a": _apply_file,
    "D": partial(_silence_chat, never_again=False),
    "x": partial(_silence_chat, never_again=True),
    "u": _undo,
    "?": _help,
    "q": lambda loop, _shown: loop.stop(),
    END: lambda loop, _shown: loop.stop(),
}
