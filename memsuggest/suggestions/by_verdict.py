"""A verdict carried out: the line that says a rule, the line that it replaces, or the place that was chosen. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.judging.verdict import NEW_FILE, Becomes
from memsuggest.model import MemorySuggestion, Skipped
from memsuggest.suggestions.existing_rules import line_named
from memsuggest.suggestions.placement.plan import Replacement, named_section, put_beside, put_in_place
from memsuggest.suggestions.ranking.fact_places import AlreadySaid, founded, ranked_for
from memsuggest.suggestions.ranking.match import Ranked

if TYPE_CHECKING:
    from memsuggest.judging.verdict import Verdict
    from memsuggest.model import MemoryFact, Target
    from memsuggest.suggestions.existing_rules import ExistingRule
    from memsuggest.suggestions.ranking.fact_places import Case

CHOSEN = "a model chose it among the places that fit"
FILE_CHOSEN = "a model chose the file among those that fit"
NO_RULE = "it is no rule for a file, as the model says that judged it"
_SHOWN = 90  # characters of the old words that a reason shows


def judged(case: Case, verdict: Verdict) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Return what comes of a fact by its verdict; None where our own rules have to say it."""
    if verdict.becomes is Becomes.NOWHERE:
        return Skipped(what=case.fact.content[:80], why=NO_RULE)
    if verdict.line:
        return _at_line(case, verdict)
    if verdict.uri == NEW_FILE:
        return founded(case)
    chosen = next((one for one in ranked_for(case) if one.target.uri == verdict.uri), None)
    return _beside(case.fact, chosen.located, verdict) if chosen and verdict.uri not in case.shut else None


def replanned(suggestion: MemorySuggestion, verdict: Verdict, target: Target) -> MemorySuggestion | None:
    """Return a suggestion for its file as it is now, as its verdict wants it; None where that cannot be."""
    fact = suggestion.fact
    if fact is None or verdict.uri != target.uri:
        return None
    if verdict.line:
        line = line_named(target, verdict.line)
        return _in_place(fact, target, line, verdict) if line else None
    here = Ranked(target=target, section=named_section(target, suggestion.heading), score=1.0, why=suggestion.why)
    made = put_beside(_worded(fact, verdict), here) if here.section else None
    return made and replace(made, fact=fact)


def _at_line(case: Case, verdict: Verdict) -> MemorySuggestion | AlreadySaid | Skipped | None:
    target = case.workspace_index.by_uri.get(verdict.uri or "")
    line = line_named(target, verdict.line) if target else None
    if target is None or line is None:
        return None
    if verdict.becomes is Becomes.SAID:
        return AlreadySaid(uri=line.uri, line=line.line, text=line.raw)
    is_free = line.is_replaceable and line.uri not in case.shut
    made = _in_place(case.fact, target, line, verdict) if is_free else None
    if made is None and verdict.becomes is Becomes.CONTRADICTS:
        return Skipped(
            what=case.fact.content[:80], why=f"it contradicts {_told(line)}, which only you can change: decide by hand"
        )
    return made


def _in_place(fact: MemoryFact, target: Target, line: ExistingRule, verdict: Verdict) -> MemorySuggestion | None:
    is_against = verdict.becomes is Becomes.CONTRADICTS
    why = f"it {'contradicts' if is_against else 'says more than'} {_told(line)}"
    made = put_in_place(_worded(fact, verdict), target, Replacement(existing_rule=line, why=why))
    return made and replace(made, fact=fact, contradicts=is_against)


def _beside(fact: MemoryFact, located: Ranked, verdict: Verdict) -> MemorySuggestion | None:
    named = named_section(located.target, verdict.heading) if verdict.heading else None
    here = located
    chose = CHOSEN if named else FILE_CHOSEN
    here = replace(here, section=named or here.section, why="; ".join(filter(None, (chose, here.why))))
    made = put_beside(_worded(fact, verdict), here)
    return made and replace(made, fact=fact)


def _worded(fact: MemoryFact, verdict: Verdict) -> MemoryFact:
    return replace(fact, content=verdict.content) if verdict.content else fact


def _told(line: ExistingRule) -> str:
    words = line.raw if len(line.raw) <= _SHOWN else f"{line.raw[:_SHOWN].rstrip()} …"
    return f"line {line.line} of {line.uri} (“{words}”)"
