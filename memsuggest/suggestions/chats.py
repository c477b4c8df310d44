"""Deciding about a whole chat: what waits from it, and whether it is ever read again."""

from __future__ import annotations

from collections.abc import Sequence

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import Decision, MemorySuggestion, SuggestionStatus
from memsuggest.facts.stores import store_decisions
from memsuggest.files.journal import DISMISSED, SILENCED
from memsuggest.held.kept_notes import forget_notes
from memsuggest.suggestions.decision_reports import Dismissed
from memsuggest.suggestions.journaled import deciding
from memsuggest.suggestions.pending import load


def chats_of(suggestion: MemorySuggestion) -> list[str]:
    """Return the chats that a suggestion was said in, first that of its first quote; raises MemsuggestError."""
    said = [citation.session_id for citation in suggestion.citations if not citation.is_by_hand]
    if not said:
        raise MemsuggestError("this suggestion does not come from your chats", hint="press `d` to dismiss it")
    return list(dict.fromkeys(said))


def of_chat(pending: Sequence[MemorySuggestion], session: str) -> list[MemorySuggestion]:
    """Return what was said in one chat and in no other."""
    return [suggestion for suggestion in pending if {cited.session_id for cited in suggestion.citations} == {session}]


def dismiss_chat(context: Context, suggestion: MemorySuggestion, *, never_again: bool) -> Dismissed:
    """Dismiss what waits from the chat of a suggestion and from no other; `never_again` is it read then."""
    session = chats_of(suggestion)[0]
    with deciding(context) as note:
        found = of_chat(load(context), session)
        silenced = (session,) if never_again else ()
        note(SILENCED if never_again else DISMISSED, found, silenced)
        if never_again and not context.is_dry:
            context.profile.silence(silenced)
            forget_notes(context, silenced)
        store_decisions(
            context, [Decision(fact_id=one.id, target=None, status=SuggestionStatus.DISMISSED) for one in found]
        )
    return Dismissed(suggestions=tuple(found), only_here=False, silenced=silenced)
