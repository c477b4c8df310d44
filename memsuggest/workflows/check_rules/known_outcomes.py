"""Outcomes of rules for pages about something else: a fact, a suggestion, a pull request. No chat is read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import is_ci
from memsuggest.errors import StoreError
from memsuggest.identity import normalised
from memsuggest.model import SuggestionStatus
from memsuggest.reports.held_report import HeldOutcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memsuggest.model import Decision, MemoryFact, Target
    from memsuggest.reports.decision_reports import Shown
    from memsuggest.reports.held_report import HeldRule
    from memsuggest.workflows.context import Context


def held_of_fact(context: Context, fact: MemoryFact, decisions: Iterable[Decision]) -> tuple[HeldRule, ...]:
    """Return what became of the lines that a fact was applied to."""
    uris = {one.target for one in decisions if one.status is SuggestionStatus.APPLIED and one.target}
    if not uris:
        return ()
    from memsuggest.workflows.check_rules.find_held import held_now  # noqa: PLC0415  (of few facts only)

    said = context.workspace_index.existing_rules[fact.scope].said(fact.content)
    lines = {(one.uri, one.line) for one in said if one.uri in uris}
    rules = held_now(context, only=uris).rules
    return tuple(rule for rule in rules if rule.fact_id == fact.id or (rule.uri, rule.line) in lines)


def with_held(context: Context, shown: Shown) -> Shown:
    """Say of a suggestion that puts a line in the place of another one whether that one holds."""
    suggestion = shown.suggestion
    if not suggestion.replaces or not suggestion.target_uri or suggestion.fact is None:
        return shown
    from memsuggest.workflows.check_rules.find_held import held_now  # noqa: PLC0415  (of few suggestions only)
    from memsuggest.workflows.check_rules.notes import rule_store  # noqa: PLC0415

    uri = suggestion.target_uri
    if not any(file == uri for file, _ in rule_store(context).matches()):
        return shown  # nobody said anything of it again, which is not worth a line
    gone = normalised(suggestion.replaces)
    found = [
        rule
        for rule in held_now(context, only={uri}).rules
        if rule.outcome is HeldOutcome.DOES_NOT_HOLD and normalised(rule.content) in gone
    ]
    return replace(shown, held=tuple(found))


def unheld_in(context: Context, targets: Iterable[Target], paths: Collection[str]) -> tuple[HeldRule, ...]:
    """Return the rules of changed files that do not hold, as far as this machine has notes of chats that say so.

    `targets` are the files as the change has them: what it rewrote or took out is settled.
    """
    changed = {target.uri: target for target in targets if target.uri in paths}
    if not changed or is_ci(context.machine.environ) or not context.state_path.exists():
        return ()
    from memsuggest.held.standing_rules import rule_lines_of  # noqa: PLC0415  (where there are notes)
    from memsuggest.workflows.check_rules.find_held import held_now  # noqa: PLC0415

    try:
        rules = held_now(context, only=changed.keys()).rules
    except StoreError:
        return ()  # what can be told without the notes is told all the same
    there = {rule.id for target in changed.values() for rule in rule_lines_of(target, keep=context.kept_index.of)}
    return tuple(rule for rule in rules if rule.outcome is HeldOutcome.DOES_NOT_HOLD and rule.id in there)
