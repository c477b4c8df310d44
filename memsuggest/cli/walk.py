"""`review`: going through what is pending, one suggestion a screen, with single keys."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import typer

from memsuggest.cli.conversation import is_interactive
from memsuggest.cli.keys import END, Keys, single_keys
from memsuggest.cli.progress import working
from memsuggest.errors import MemsuggestError
from memsuggest.render.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.cli.run import Run
    from memsuggest.reports.deciding import Shown
    from memsuggest.suggestions.bench import Bench
    from memsuggest.workflows.desk import Desk

Planner: TypeAlias = "Callable[[Desk, str], Shown | None]"
"""Returns what has an id as it would be written now, or nothing when what was decided before settled it too."""


class Prepared:
    """All customization files made ready in the background, while the person reads: for `m` and `s`."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk.dry()  # of its own: nothing is stored, and no database is touched
        self._is_ranked, self._is_read = threading.Event(), threading.Event()
        self._error: MemsuggestError | None = None
        self._worker = threading.Thread(target=self._prepare, daemon=True)

    def begin(self) -> None:
        """Begin, where that has not begun: once there is something to read, so that nobody waits for both."""
        if not self._worker.ident:
            self._worker.start()

    def ranked(self) -> Bench:
        """Return them as soon as they can be ranked; raises MemsuggestError for files that cannot be read."""
        return self._ready(self._is_ranked)

    def read(self) -> Bench:
        """Return them as soon as all that they say is known, too; raises MemsuggestError."""
        return self._ready(self._is_read)

    def _ready(self, event: threading.Event) -> Bench:
        self.begin()
        event.wait()
        if self._error is not None:
            raise self._error
        return self._desk.bench

    def _prepare(self) -> None:
        import memsuggest.workflows.apply
        import memsuggest.workflows.moving  # noqa: F401  (the first key does not wait for them)

        try:
            bench = self._desk.bench
            _ = bench.closed, bench.shelves
            self._is_ranked.set()
            _ = bench.sayings
        except MemsuggestError as error:
            self._error = error
        finally:
            self._is_ranked.set()
            self._is_read.set()


@dataclass(slots=True)
class Walk:
    """One walk: what is gone through, where it stands, and what is to be said on the next screen."""

    run: Run
    desk: Desk
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
    met: set[str] = field(default_factory=set)
    """Ids of what was on the screen."""

    def show(self, shown: Shown, *, notes: Sequence[str] = ()) -> None:
        """Put a suggestion on the screen, below what is to be said first."""
        from memsuggest.reports.deciding import Screen

        is_new = bool(self.seen.intersection(self.names)) and shown.suggestion.id not in self.seen
        place = {"number": self.place + 1, "count": len(self.names)}
        self.run.emit(Screen(shown=shown, **place, is_new=is_new, notes=tuple(notes)))
        self.prepared.begin()

    def tell(self, *rows: str) -> None:
        """Say something below the screen."""
        from memsuggest.reports.plain import Talk

        self.run.emit(Talk(rows=rows))

    def go_on(self, step: int = 1) -> None:
        """Go to the next one, or to the one before."""
        self.place, self.is_back = self.place + step, step < 0

    def go_to(self, names: Sequence[str]) -> None:
        """Go to the first of some, where one of them is gone through."""
        places = [self.names.index(name) for name in names if name in self.names]
        if places:
            self.place, self.is_back = min(places), False

    def stop(self) -> None:
        """Go past the last one."""
        self.place = len(self.names) + 1

    @property
    def is_stopped(self) -> bool:
        """Whether the person stopped before the end."""
        return self.place > len(self.names)


def walk_through(run: Run, wanted: Sequence[str]) -> None:
    """Go through the pending suggestions, or those wanted, with single keys; at the end offer what is kept aside."""
    from memsuggest.workflows.marks import note_seen, reviewing
    from memsuggest.workflows.news import note_met, seen_before
    from memsuggest.workflows.review import to_review
    from memsuggest.workflows.stores import waiting_maybes

    _require_terminal("list")
    desk = run.desk()
    with reviewing(desk), single_keys() as keys:
        with working("looking at what waits"):
            pending, seen = to_review(desk, wanted), seen_before(desk)
        note_seen(desk, [one.id for one in pending if one.fact])
        walk = _go_through(run, desk, keys, [one.id for one in pending], _planned, seen=seen)
        note_met(desk, walk.met)
        maybes = [] if walk.is_stopped or wanted else [maybe.id for maybe in waiting_maybes(desk)]
        if maybes and ask(keys, f"{len(maybes)} maybe{'s' * (len(maybes) > 1)}: look at them? [y/N] ") == "y":
            _go_through(run, desk, keys, maybes, _planned_maybe)
    _tell_what_waits(run, desk)


def _tell_what_waits(run: Run, desk: Desk) -> None:
    """Say at the end how much is left."""
    from memsuggest.reports.plain import Talk
    from memsuggest.workflows.waiting import load_all

    left = len(load_all(desk))
    said = f"{left} still {'waits' if left == 1 else 'wait'}: `memsuggest list`" if left else "All caught up! ✓"
    run.emit(Talk(rows=(said,)))


def walk_through_maybes(run: Run) -> None:
    """Go through what is kept aside with single keys."""
    from memsuggest.workflows.marks import reviewing
    from memsuggest.workflows.maybes import list_maybes
    from memsuggest.workflows.stores import waiting_maybes

    _require_terminal("list --maybe")
    desk = run.desk()
    with reviewing(desk), single_keys() as keys:
        _go_through(run, desk, keys, [maybe.id for maybe in waiting_maybes(desk)], _planned_maybe)
    run.emit(list_maybes(desk))


def _require_terminal(command: str) -> None:
    if not is_interactive():
        raise MemsuggestError("`review` needs a terminal", hint=f"`memsuggest {command}` works without one")


def _go_through(
    run: Run, desk: Desk, keys: Keys, names: list[str], plan: Planner, seen: frozenset[str] = frozenset()
) -> Walk:
    """Ask about each, until all are settled or the person stops."""
    walk = Walk(run=run, desk=desk, keys=keys, names=names, plan=plan, prepared=Prepared(desk), seen=seen)
    while 0 <= walk.place < len(walk.names):
        before = walk.place
        _decide(walk)
        if walk.place < 0:  # back before the first one
            walk.place, walk.is_back = before, False
            walk.notes.append("this is the first one that is not decided")
            if walk.plan(desk, walk.names[before]) is None:
                walk.place = next((n for n, name in enumerate(names) if walk.plan(desk, name)), len(names))
    for note in walk.notes:
        run.print(f"{one_line(note)}\n")
    return walk


def _decide(walk: Walk) -> None:
    """Show one suggestion and do what the person says."""
    from memsuggest.cli.walk_keys import act

    try:
        with working("getting the next one ready"):
            shown = walk.plan(walk.desk, walk.names[walk.place])
    except MemsuggestError as error:  # its file cannot be read now, or no file takes it
        walk.notes.append(f"error: {error.message}")
        walk.go_on(-1 if walk.is_back else 1)
        return
    if shown is None:  # what was decided before settled it too
        walk.go_on(-1 if walk.is_back else 1)
        return
    walk.show(shown, notes=walk.notes)
    walk.met.add(shown.suggestion.id)
    walk.notes.clear()
    try:
        act(walk, shown)
    except MemsuggestError as error:
        walk.notes.append(f"error: {error.message}" + (f" ({error.hint})" if error.hint else ""))


def _planned(desk: Desk, name: str) -> Shown | None:
    from memsuggest.workflows.clashes import with_contradictions
    from memsuggest.workflows.danger import with_danger
    from memsuggest.workflows.pending import replanned
    from memsuggest.workflows.waiting import load_all

    found = [one for one in load_all(desk) if one.id == name]
    return with_contradictions(desk, with_danger(replanned(desk, found[0]))) if found else None


def _planned_maybe(desk: Desk, name: str) -> Shown | None:
    from memsuggest.reports.deciding import Shown
    from memsuggest.workflows.danger import with_danger
    from memsuggest.workflows.maybes import plan_maybe
    from memsuggest.workflows.stores import waiting_maybes

    found = [maybe for maybe in waiting_maybes(desk) if maybe.id == name]
    return with_danger(Shown(suggestion=plan_maybe(desk, found[0]))) if found else None


def ask(keys: Keys, prompt: str) -> str:
    """Ask for one key, and show it; the end of input is `END`."""
    typer.echo(prompt, nl=False)
    key = keys.read()
    typer.echo(key if key.isprintable() and key != END else "")
    return key
