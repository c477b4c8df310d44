"""`review`: going through what is pending, one suggestion a screen, with single keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from memsuggest.cli.dialog import is_interactive
from memsuggest.cli.keys import END, ask, single_keys
from memsuggest.cli.progress_line import working
from memsuggest.cli.run import Run
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.plain_reports import Talk
from memsuggest.core.render.page import UNDO
from memsuggest.core.render.safe_output import one_line
from memsuggest.facts.stores import waiting_maybes
from memsuggest.suggestions.decision_dialogs import LineDialog, Prepared, finish, is_confirmed, text_of_editor
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.list_and_show import (
    is_as_said,
    list_maybes,
    note_met,
    planned,
    planned_maybe,
    seen_before,
    to_review,
)
from memsuggest.suggestions.marker_files import note_seen, reviewing
from memsuggest.suggestions.pending import load_all
from memsuggest.suggestions.review_report import Screen
from memsuggest.suggestions.status_report import CAUGHT_UP


@dataclass(slots=True)
class ReviewLoop(LineDialog):
    """One walk: what is gone through, where it stands, and what is to be said on the next screen."""

    names: list[str]
    plan: Callable[[Context, str], Shown | None]
    """Returns what has an id as it would be written now, or nothing when what was decided before settled it too."""
    prepared: Prepared
    seen: frozenset[str] = frozenset()
    """Ids of what was shown at an earlier look."""
    place: int = 0
    is_back: bool = False
    """It goes back: what is settled is passed over in that direction."""
    current: Shown | None = None
    notes: list[str] = field(default_factory=list)
    put_off: set[str] = field(default_factory=set)
    applied: int = 0
    met: set[str] = field(default_factory=set)
    """Ids of what was on the screen."""

    # --- what a key needs: see `Front` -----------------------------------------------------------------------------

    async def shown(self) -> Shown:
        assert self.current
        return self.current

    async def confirms(self, shown: Shown) -> bool:
        with self.keys.away():
            return is_confirmed(self.run, shown)

    async def edited_outside(self, suggestion: MemorySuggestion) -> str | None:
        with self.keys.away():
            return text_of_editor(suggestion, patch=False)

    async def show_edited(self, shown: Shown) -> None:
        self.show(shown, notes=("with your edits:",))

    def note(self, note: str) -> None:
        self.notes.append(note)

    def go_on(self, *notes: str, step: int = 1) -> None:
        self.notes += notes
        self.place, self.is_back = self.place + step, step < 0

    async def settle(self, ids: Collection[str], *notes: str, is_applied: bool = False) -> None:
        self.notes += notes
        self.applied += len(ids) if is_applied else 0
        if self.names[self.place] in ids:
            self.go_on()

    async def stay(self, note: str, ids: Sequence[str], *, is_back: bool = False) -> None:
        self.notes.append(note)
        if places := [self.names.index(name) for name in ids if name in self.names]:
            self.place, self.is_back = min(places), False

    def stop(self) -> None:
        self.place = len(self.names) + 1

    # --- the walk --------------------------------------------------------------------------------------------------

    def go_through(self) -> None:
        """Ask about each until all are settled or the user stops, and say at the end what was done last."""
        try:
            while 0 <= self.place < len(self.names):
                before = self.place
                self._decide()
                if self.place < 0:  # back before the first one
                    self.place, self.is_back = before, False
                    self.notes.append("this is the first undecided suggestion")
                    if self.plan(self.context, self.names[before]) is None:
                        undecided = (at for at, name in enumerate(self.names) if self.plan(self.context, name))
                        self.place = next(undecided, len(self.names))
        finally:
            note_met(self.context, self.met)
        self.run.emit(Talk(rows=tuple(map(one_line, self.notes))))

    def _decide(self) -> None:
        self.current = None
        try:
            with working("preparing the next suggestion"):
                self.current = self.plan(self.context, self.names[self.place])
        except MemsuggestError as error:  # its file cannot be read now, or no file takes it
            self.notes.append(f"error: {error.message}")
        if self.current is None:  # or what was decided before settled it too
            self.go_on(step=-1 if self.is_back else 1)
            return
        self.show(self.current, notes=self.notes)
        self.met.add(self.current.suggestion.id)
        self.notes.clear()
        try:
            self._act(self.current)
        except MemsuggestError as error:
            self.notes.append(f"error: {error.message}" + (f" ({error.hint})" if error.hint else ""))

    def show(self, shown: Shown, *, notes: Sequence[str]) -> None:
        is_new = bool(self.seen.intersection(self.names)) and shown.suggestion.id not in self.seen
        place = {"number": self.place + 1, "count": len(self.names), "applied": self.applied}
        self.run.emit(Screen(shown=shown, **place, is_new=is_new, notes=tuple(notes)))
        self.prepared.begin()

    def _act(self, shown: Shown) -> None:
        question = "Apply? [y]es [n]ext [d]ismiss [e]dit [?] "
        if is_as_said(shown.suggestion):  # a sentence out of a chat is seldom a rule as it stands
            question = "Edit, or apply as is? [e]dit [y]es [n]ext [d]ismiss [?] "
        pressed = ask(self.keys, question)
        from memsuggest.suggestions.review_steps import (
            HELP,
            KEYS,
        )  # with what decides, which `Prepared` loads meanwhile

        key = pressed if pressed in KEYS and KEYS[pressed].help else pressed.lower()
        about = KEYS["E" if key == "e" else key] if key in KEYS and KEYS[key].help else None
        if key in {"q", END}:
            self.stop()
        elif key == "n":
            self.put_off.add(shown.suggestion.id)
            self.go_on()
        elif key == "k":
            self.go_on(step=-1)
        elif key == "w":
            self.run.emit(shown)
            ask(self.keys, "press any key to go back ")
        elif key == "?":
            self.run.emit(Talk(rows=HELP))
            ask(self.keys, "press any key to return to the suggestion ")
        elif about and about.act:
            finish(about.act(self))
        elif pressed.isprintable():
            self.notes.append(f"`{pressed}` does nothing here: press `?` for help")
        else:
            self.notes.append("press `?` for help")


def review_each(run: Run, wanted: Sequence[str]) -> None:
    """Go through the pending suggestions, or those wanted, with single keys; at the end offer the others."""
    if not is_interactive():
        raise MemsuggestError("`review` needs a terminal", hint="use `memsuggest list` instead")
    context = run.context()
    with reviewing(context), single_keys() as keys:
        with working("loading suggestions"):
            pending, seen = to_review(context, wanted), seen_before(context)
        note_seen(context, [suggestion.id for suggestion in pending if suggestion.fact])
        decided = context.journal.last()
        names = [suggestion.id for suggestion in pending]
        loop = ReviewLoop(run, context, keys, names, planned, Prepared(context), seen=seen)
        loop.go_through()
        maybes = [] if loop.place > len(names) or wanted else [maybe.id for maybe in waiting_maybes(context)]
        if maybes and ask(keys, f"low-confidence suggestions: {len(maybes)}. Review now? [y/N] ") == "y":
            loop = ReviewLoop(run, context, keys, maybes, planned_maybe, Prepared(context))
            loop.go_through()
    run.emit(farewell(context, is_decided=context.journal.last() != decided, is_said=bool(loop.notes)))


def farewell(context: Context, *, is_decided: bool, is_said: bool = False) -> Talk:
    """Return how much is left, and how the last decision is undone; what it was, unless that was said."""
    pending = load_all(context)
    own = sum(suggestion.fact is not None for suggestion in pending)
    counts = [*([str(own)] if own else []), *([f"{len(pending) - own} for maintenance"] if own < len(pending) else [])]
    last = context.journal.last() if is_decided else None
    rows = [f"your last decision: {last.verb} “{last.about[0].content}”"] if last and last.about and not is_said else []
    said = f"{' and '.join(counts)} still pending: run `memsuggest list`" if pending else CAUGHT_UP
    return Talk(rows=(*rows, *([UNDO] if last else []), said))


def review_maybes(run: Run) -> None:
    if not is_interactive():
        raise MemsuggestError("`review` needs a terminal", hint="use `memsuggest list --maybe` instead")
    context = run.context()
    with reviewing(context), single_keys() as keys:
        names = [maybe.id for maybe in waiting_maybes(context)]
        ReviewLoop(run, context, keys, names, planned_maybe, Prepared(context)).go_through()
    run.emit(list_maybes(context))
