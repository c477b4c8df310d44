"""A preview of what would be suggested if all were learned from now: nothing is stored, and no model is asked."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.core.config import OFFLINE, Value
from memsuggest.core.context import Context
from memsuggest.learning.learning import learn
from memsuggest.suggestions.suggesting import refresh_pending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.core.model import MemorySuggestion
    from memsuggest.core.show_progress import ShowProgress
    from memsuggest.transcripts.discovery import FoundTranscript


def foreseen(
    context: Context, changed: Sequence[FoundTranscript], *, progress: ShowProgress
) -> Sequence[MemorySuggestion]:
    """Return the suggestions that these transcripts and what is known already would come to."""
    offline = {**context.settings.values, "engine": Value(value=OFFLINE, source="watch")}
    with ExitStack() as opened:
        dry = Context(
            place=context.place,
            folders=context.folders,
            settings=replace(context.settings, values=offline),
            machine=context.machine,
            opened=opened,
            is_dry=True,
            is_offline=True,
        )
        dry.take_targets(context)
        learn(dry, changed, person=None, progress=progress)
        return refresh_pending(dry).suggestions
