"""Rules that weaken safety, whoever wrote them: never applied in bulk, and only after a warning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from memsuggest.core.identity import hash_of
from memsuggest.core.model import MemoryFact, MemorySuggestion, Trust
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.judging.danger import danger_of_rule
from memsuggest.suggestions.decision_reports import Shown

MARK = "[REDACTED"
"""What redaction leaves in the place of a secret begins like this."""
WEAKENS = "weakens safety, according to the model that evaluated it"
SHORT = 7
"""Characters of an id, as they are shown."""


def danger_of(suggestion: MemorySuggestion, keep: Keep = made_anew) -> str:
    """Say why a suggestion needs its own word: its rule weakens safety, or contradicts a line; or nothing.

    `keep` has what was said of the same words before, which spares a list the loading of all patterns.
    """
    against = f"contradicts “{suggestion.replaces or ''}”" if suggestion.contradicts else ""
    unsafe = WEAKENS if suggestion.weakens else ""
    if suggestion.fact and not unsafe:
        unsafe = danger_of_rule(suggestion.content, suggestion.citations, keep)
    return " and ".join(filter(None, (against, unsafe)))


def is_plain(suggestion: MemorySuggestion, keep: Keep = made_anew) -> bool:
    """Tell whether a rule is plainly harmless: only such a rule is written without a model's or the person's look."""
    from memsuggest.judging.safety import plainly_harmless

    content = suggestion.content
    return bool(keep("plain", hash_of(content), "", lambda: plainly_harmless(content)))


def dangerous_among(suggestions: Iterable[MemorySuggestion], keep: Keep) -> frozenset[str]:
    return frozenset(suggestion.id for suggestion in suggestions if danger_of(suggestion, keep))


def why_held_back(fact: MemoryFact) -> str:
    """Say why a fact that only the team's file tells may be suggested nowhere, or nothing: nobody here said it."""
    if not fact.is_shared or any(citation.trust is not Trust.SHARED for citation in fact.citations):
        return ""
    if MARK in fact.content:
        return "the team's file contains a secret or personal data: run `memsuggest memory clean --check` for details"
    why = _why_unsafe(fact.content)
    confirm = f"run `memsuggest memory confirm {fact.id[:SHORT]}` to confirm the rule"
    return f"this rule from the team's file {why}, and you never stated it yourself: {confirm}" if why else ""


@lru_cache(maxsize=4096)
def _why_unsafe(content: str) -> str:
    from memsuggest.judging.safety import disguised, refused, weakens_safety

    return refused(content) or disguised(content) or weakens_safety(content)


def with_danger(shown: Shown, keep: Keep = made_anew) -> Shown:
    """Return a suggestion, as it is shown, with what is dangerous about it."""
    return replace(shown, danger=danger_of(shown.suggestion, keep))
