"""Suggestions that customization files need by themselves: found, the few that are shown chosen, kept, planned anew.

Lints put right, rules that a file past its budget gives twice, lines about what is gone, rules that do not hold, and
bridges. Nobody said any of it, so it comes after what was said, few at a time, and what is dismissed stays so for these
words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.identity import normalised
from memsuggest.core.model import Cause, Decision, MemorySuggestion, Scope, SuggestionStatus, Target, TargetType
from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import Passage, passages
from memsuggest.customizations.lints import Finding, lint
from memsuggest.customizations.loading import cost_of
from memsuggest.facts.stores import Known, all_decisions, read_known
from memsuggest.held.suggest_remedies import unheld_key, unheld_suggestions
from memsuggest.suggestions.bridges import bridge, is_taken_in
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.pending_suggestions import save_held, save_maintenance
from memsuggest.suggestions.placement.place import maintained
from memsuggest.suggestions.ranking.hosts import unread_by
from memsuggest.suggestions.stale_search import stale_suggestions
from memsuggest.suggestions.target_paths import current_text

LIMIT, PER_FILE = 5, 3
"""Suggestions of care that are shown at a time, and of these those of one file."""
_FEWEST_WORDS = 6  # of an item that is no repetition by chance
_SHOWN = 60  # characters of a line that a sentence quotes
_WHY = {
    "description-missing": "assistants choose files by their descriptions; this description was taken from the file",
    "apply-to-dialect": (
        "assistants interpret this pattern differently; the new pattern means the same thing to all of them"
    ),
}
_READ_OTHERWISE = "assistants do not interpret this file as intended"
_ORDER = (Cause.UNREAD, Cause.UNHELD, Cause.LINT, Cause.STALE, Cause.BUDGET)
"""The gravest first."""


def of_lints(target: Target) -> Iterator[MemorySuggestion]:
    """Suggest what puts a file's lints right, where that is safe; one edit that mends several counts once."""
    by_text: dict[str, list[Finding]] = {}
    for finding in lint(target):
        is_moot = finding.lint == "apply-to-dialect" and not finding.message.startswith("`*.")
        if finding.fix and finding.fix.after and not is_moot:
            by_text.setdefault(finding.fix.after, []).append(finding)
    for after, findings in sorted(by_text.items()):
        messages = "; ".join(dict.fromkeys(finding.message for finding in findings))
        yield maintained(
            target,
            cause=Cause.LINT,
            name=" ".join(sorted({finding.lint for finding in findings})),
            content=messages[:1].upper() + messages[1:],
            why=_WHY.get(findings[0].lint, _READ_OTHERWISE),
            after=after,
        )


def of_budget(target: Target) -> Iterator[MemorySuggestion]:
    """Suggest taking out of a file past its budget the items that an earlier one says in the same words."""
    cost = cost_of(target)
    if not cost.is_over or target.type is not TargetType.INSTRUCTIONS:
        return  # steps and prompts say things again where they are needed
    lines = split_lines(target.text)
    first: dict[str, Passage] = {}
    for item in passages(target.text):
        words = normalised(item.text)
        if item.kind is not BlockKind.ITEM or not item.is_whole or len(words.split()) < _FEWEST_WORDS:
            continue
        earlier = first.setdefault(words, item)
        if earlier is item:
            continue
        short = earlier.text if len(earlier.text) <= _SHOWN else f"{earlier.text[:_SHOWN].rstrip()} …"
        yield maintained(
            target,
            cause=Cause.BUDGET,
            name="twice",
            content=f"Repeats line {earlier.start + 1}: “{short}”",
            why=f"the file costs about {cost.tokens:,} tokens, but its budget is {cost.budget:,}",
            after="".join(lines[: item.start] + lines[item.end :]),
        )


class Chosen(NamedTuple):
    """The care that is shown, and how much is pending behind it."""

    shown: tuple[MemorySuggestion, ...]
    held: Mapping[str, int]
    """By the path of a file, how many more there are."""


def chosen(found: Iterable[MemorySuggestion], decisions: Iterable[Decision]) -> Chosen:
    """Choose the few that are shown: none that was dismissed, the gravest first, not all of one file."""
    silenced = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.DISMISSED}
    kept: list[MemorySuggestion] = []
    held: Counter[str] = Counter()

    def gravest_first(need: MemorySuggestion) -> tuple[int, str, str]:
        return _ORDER.index(need.maintenance.cause) if need.maintenance else 0, need.edit.path, need.id

    for need in sorted(found, key=gravest_first):
        if need.about in silenced:
            continue
        silenced.add(need.about)  # the same words once more wait until these are settled
        if sum(other.edit.path == need.edit.path for other in kept) < PER_FILE and len(kept) < LIMIT:
            kept.append(need)
        else:
            held[need.edit.path] += 1
    return Chosen(tuple(kept), dict(held))


def find_bridges(
    context: Context, known: Known | None = None, suggestions: Iterable[MemorySuggestion] | None = None
) -> list[MemorySuggestion]:
    """Return a bridge for every assistant that was corrected and does not read the file of the rule.

    One for an assistant and a file, whatever the number of rules; it is decided once for the repo. `known` and
    `suggestions` are what is known and pending, if at hand.
    """
    known = known or read_known(context)
    pending = load(context, known.facts) if suggestions is None else suggestions
    facts = {fact.id: fact for fact in known.facts}
    rules = [(suggestion.edit.path, suggestion.fact) for suggestion in pending]
    rules += [
        (decision.target, facts.get(decision.fact_id))
        for decision in known.decisions
        if decision.status is SuggestionStatus.APPLIED and decision.target
    ]
    ours = [(uri, fact) for uri, fact in rules if fact and fact.scope is Scope.WORKSPACE]
    pairs = {(host, uri) for uri, fact in ours if (host := unread_by(uri, fact))}

    def text_of(uri: str) -> str | None:
        with suppress(MemsuggestError):
            return current_text(context, uri)
        return None

    found = (bridge(host, uri, text_of) for host, uri in sorted(pairs) if not is_taken_in(context, host, uri))
    return [made for made in found if made]


def refresh_maintenance(context: Context, suggestions: Iterable[MemorySuggestion] | None = None) -> Chosen:
    """Look for what the files need, and keep the few that are shown; `suggestions` are what is pending, if at hand."""
    found = Chosen((), {})
    if context.settings.values["care"].value:
        ours = _ours(context)
        bridges = find_bridges(context, suggestions=suggestions)
        bridged = {(need.edit.path, need.edit.after) for need in bridges}
        look = partial(unheld_suggestions, context, ours)
        of_chats = _unless_clean(context, "unheld", "", unheld_key(context, ours), look)
        others = (need for need in of_chats if (need.edit.path, need.edit.after) not in bridged)
        found = chosen([*bridges, *_of_files(context, ours), *others], all_decisions(context))
    if not context.is_dry:
        save_maintenance(context.state, context.place.worktree_key, found.shown)
        save_held(context.state, context.place.worktree_key, found.held)
    return found


def dismissed_maintenance(context: Context) -> tuple[MemorySuggestion, ...]:
    decisions = all_decisions(context)
    silenced = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.DISMISSED}
    ours = _ours(context)
    found = (*find_bridges(context), *_of_files(context, ours), *unheld_suggestions(context, ours))
    return tuple(need for need in found if need.about in silenced)


def maintenance_now(context: Context, suggestion: MemorySuggestion, target: Target) -> MemorySuggestion | None:
    """Plan care anew for its file as it is now; None when the file has no need of it any more."""
    cause = suggestion.maintenance.cause if suggestion.maintenance else None
    found: Iterable[MemorySuggestion]
    if cause is Cause.UNREAD:
        found = find_bridges(context)
    elif cause is Cause.UNHELD:
        found = unheld_suggestions(context, list({file.uri: file for file in [*_ours(context), target]}.values()))
    else:
        found = chain(of_lints(target), of_budget(target), stale_suggestions(context, [target]))
    return next((need for need in found if need.about == suggestion.about), None)


def _ours(context: Context) -> list[Target]:
    closed = context.workspace_index.closed
    found = context.targets.targets
    return [target for target in found if target.scope is Scope.WORKSPACE and target.uri not in closed]


def _of_files(context: Context, ours: Sequence[Target]) -> Iterator[MemorySuggestion]:
    for target in ours:
        look = partial(chain, of_lints(target), of_budget(target))
        yield from _unless_clean(context, "lints", target.uri, target.digest, look)
    yield from stale_suggestions(context, ours, keep=context.kept_index.of)


def _unless_clean(
    context: Context, part: str, uri: str, key: str, look: Callable[[], Iterable[MemorySuggestion]]
) -> list[MemorySuggestion]:
    """Look for what is needed, unless nothing was when the same was looked at before."""
    found: list[MemorySuggestion] = []

    def is_clean() -> bool:
        found.extend(look())
        return not found

    is_known = context.kept_index.of(part, uri, key, is_clean)
    return found if is_known or found else list(look())
