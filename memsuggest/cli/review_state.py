"""The state of a review: what is gone through, what was decided, what is made ready while the person reads."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from memsuggest.errors import MemsuggestError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.cli.keys import Keys
    from memsuggest.cli.run import Run
    from memsuggest.reports.decision_reports import Shown
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
    from memsuggest.workflows.context import Context

Planner: TypeAlias = "Callable[[Context, str], Shown | None]"
"""Returns what has an id as it would be written now, or nothing when what was decided before settled it too."""


class Prepared:
    """All customization files made ready in the background, while the person reads: for `m` and `s`."""

    def __init__(self, context: Context) -> None:
        self._context = context.dry()  # of its own: nothing is stored, and no database is touched
        self._is_ranked, self._is_read = threading.Event(), threading.Event()
        self._error: MemsuggestError | None = None
        self._worker = threading.Thread(target=self._prepare, daemon=True)

    def begin(self) -> None:
        """Begin, where that has not begun: once there is something to read, so that nobody waits for both."""
        if not self._worker.ident:
            self._worker.start()

    def ranked(self) -> WorkspaceIndex:
        """Return them as soon as they can be ranked; raises MemsuggestError for files that cannot be read."""
        return self._ready(self._is_ranked)

    def read(self) -> WorkspaceIndex:
        """Return them as soon as all that they say is known, too; raises MemsuggestError."""
        return self._ready(self._is_read)

    def _ready(self, event: threading.Event) -> WorkspaceIndex:
        self.begin()
        event.wait()
        if self._error is not None:
            raise self._error
        return self._context.workspace_index

    def _prepare(self) -> None:
        import memsuggest.workflows.decide.apply
        import memsuggest.workflows.decide.move  # noqa: F401  (the first key does not wait for them)

        try:
            workspace_index = self._context.workspace_index
            _ = workspace_index.closed, workspace_index.indexes
            self._is_ranked.set()
            _ = workspace_index.existing_rules
        except MemsuggestError as error:
            self._error = error
        finally:
            self._is_ranked.set()
            self._is_read.set()


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
    met: set[str] = field(default_factory=set)
    """Ids of what was on the screen."""

    def show(self, shown: Shown, *, notes: Sequence[str] = ()) -> None:
        """Put a suggestion on the screen, below what is to be said first."""
        from memsuggest.reports.review_report import Screen

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
        """Tell whether the person stopped before the end."""
        return self.place > len(self.names)
