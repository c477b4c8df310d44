"""What would be suggested if all were learned from now: nothing is stored, and no model is asked."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.config import OFFLINE, Value
from memsuggest.workflows.desk import Desk
from memsuggest.workflows.learning import learn
from memsuggest.workflows.pending import refresh_pending

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.model import MemorySuggestion
    from memsuggest.transcripts.discovery import FoundTranscript


def foreseen(
    desk: Desk, changed: Sequence[FoundTranscript], *, progress: Callable[[int, int, str], None]
) -> Sequence[MemorySuggestion]:
    """Return the suggestions that these transcripts and what is known already would come to."""
    offline = {**desk.settings.values, "engine": Value(value=OFFLINE, source="watch")}
    with ExitStack() as opened:
        dry = Desk(
            place=desk.place,
            folders=desk.folders,
            settings=replace(desk.settings, values=offline),
            machine=desk.machine,
            opened=opened,
            is_dry=True,
        )
        dry.targets, dry.bench = desk.targets, desk.bench
        learn(dry, changed, person=None, progress=progress)
        return refresh_pending(dry).suggestions
