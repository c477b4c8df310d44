"""A search for what people keep saying and no file says; what a person means by a rule, a file or a time."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memsuggest.core.config import ALL, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, Skipped, UnknownId, beginning
from memsuggest.core.identity import session_hash
from memsuggest.core.model import (
    Citation,
    Decision,
    FactStatus,
    MemoryFact,
    SuggestionStatus,
    TargetType,
    Trust,
)
from memsuggest.facts.accept import sessions_of, times_said
from memsuggest.facts.contradictions import KnownFacts, last_said
from memsuggest.facts.stores import OWN_WORDS, all_decisions, known_facts
from memsuggest.held.coverage_report import CoverageReport, Covering, Matter
from memsuggest.held.find_held import (
    RulesInForce,
    noted_chats,
    standing_rules,
    take_notes,
)
from memsuggest.held.held_report import HeldReport, HeldRule
from memsuggest.held.rule_outcome import RuleLine
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.review import below_root
from memsuggest.transcripts.find_transcripts import find, not_too_old

_OWN = (Trust.TYPED, Trust.CONFIRMED)
_LEAST = 2
"""Chats in which something must have been said, the person's or others'."""


def find_coverage(
    context: Context, *, since: int | None = None, progress: Callable[[int, int, str], None]
) -> CoverageReport:
    """Say what people repeat, and whether a file says it; in the mode `off`, nothing.

    `since`: only what was said, and only chats that began, then or later.
    """
    if context.settings.mode is Mode.OFF:
        return CoverageReport(matters=(), chats=0)
    skipped = take_notes(context, progress=progress)
    found = not_too_old(context, find(context, ()).transcripts)
    unlearned = len(context.progress.changed([transcript for transcript in found if transcript.trust is Trust.TYPED]))
    return replace(coverage_now(context, since=since, skipped=skipped), unlearned=unlearned)


def coverage_now(context: Context, *, since: int | None = None, skipped: Sequence[Skipped] = ()) -> CoverageReport:
    """Do the same by the notes that are there; no chat is read."""
    dated = [chat.begun for chat in noted_chats(context) if chat.begun is not None]
    return CoverageReport(
        matters=tuple(_matters(context, since)),
        chats=sum(since is None or begun >= since for begun in dated),
        skipped=tuple(skipped),
    )


def _matters(context: Context, since: int | None) -> list[Matter]:
    """Return what was said in several chats or by several people, the dearest first."""
    decisions = all_decisions(context)
    dismissed = {
        decision.fact_id
        for decision in decisions
        if decision.status is SuggestionStatus.DISMISSED and decision.target is None
    }
    facts = [
        fact
        for fact in known_facts(context)
        if fact.status is FactStatus.ACTIVE and fact.id not in dismissed and not fact.is_only_written
    ]
    others, waiting = (
        _sessions_of_others(context),
        {suggestion.fact.id: suggestion.id for suggestion in load(context) if suggestion.fact},
    )
    found = []
    for group in _alike(sorted(facts, key=lambda fact: (-times_said(fact), -last_said(fact), fact.id))):
        names = [fact.id for fact in group]
        foreign = len(frozenset[str]().union(*(others.get(name, ()) for name in names))) if since is None else 0
        cited = _own_citations(group, since)
        chats = len(sessions_of(cited)) + foreign
        if chats < _LEAST or not cited:
            continue
        told = [round(citation.at.timestamp() * 1000) for citation in cited if citation.at]
        found.append(
            Matter(
                fact_ids=tuple(names),
                content=group[0].content,
                scope=group[0].scope,
                times=len({(citation.session_id, citation.turn) for citation in cited}) + foreign,
                chats=chats,
                others=foreign,
                first=min(told, default=None),
                last=max(told, default=None),
                covered_by=tuple(_covering(context, group, decisions)),
                suggestion_id=next((waiting[name] for name in names if name in waiting), ""),
                citations=tuple(cited),
            )
        )
    return sorted(found, key=lambda one: (-one.price, -(one.last or 0), one.content))


def _alike(facts: Iterable[MemoryFact]) -> list[list[MemoryFact]]:
    """Put together what says nearly the same, of one scope."""
    groups: dict[str, list[MemoryFact]] = {}
    known = KnownFacts()
    for fact in facts:
        same = known.same_as(fact.content, fact.scope)
        if same is None:
            known.add(fact)
        groups.setdefault((same or fact).id, []).append(fact)
    return list(groups.values())


def _own_citations(facts: Iterable[MemoryFact], since: int | None) -> list[Citation]:
    found: dict[str, Citation] = {}
    for cited in (one for fact in facts for one in fact.citations):
        is_late = since is None or (cited.at is not None and cited.at.timestamp() * 1000 >= since)
        if cited.trust in _OWN and not cited.is_by_hand and is_late:
            found.setdefault(cited.evidence_key, cited)
    return sorted(found.values(), key=lambda one: (one.at.timestamp() if one.at else 0.0, one.session_id, one.turn))


def _sessions_of_others(context: Context) -> Mapping[str, frozenset[str]]:
    """Return by the ids of shared facts the chats of other people, as far as the team's file cites them."""
    own = {
        session_hash(citation.session_id)
        for fact in context.profile.contents().facts
        for citation in fact.citations
        if citation.trust in OWN_WORDS
    }
    return {
        fact.id: frozenset(one.session_id for one in fact.citations if one.session_id) - own
        for fact in context.facts_file.contents().facts
    }


def _covering(context: Context, facts: Sequence[MemoryFact], decisions: Sequence[Decision]) -> list[Covering]:
    """Return the lines that say one of some facts, and the files of hooks that one was applied to."""
    found: dict[tuple[str, int], Covering] = {}
    by_uri = context.workspace_index.by_uri
    for fact in facts:
        for line in context.workspace_index.existing_rules[fact.scope].said(fact.content):
            found[line.uri, line.line] = Covering(uri=line.uri, line=line.line, text=line.raw)
        for decision in decisions:
            target = by_uri.get(decision.target or "")
            is_hook = target is not None and target.type is TargetType.HOOK
            if decision.fact_id == fact.id and decision.status is SuggestionStatus.APPLIED and target and is_hook:
                found[target.uri, 1] = Covering(uri=target.uri, line=1, text="")
    return list(found.values())


_LINE = re.compile(r"(?P<file>.+?):(?P<line>\d{1,7})\Z")
_DAYS = re.compile(r"(?P<days>\d{1,5})(?:\s*d(?:ays?)?)?\Z")
_SHOWN_BY = "`memsuggest held`"


def chats_since(word: str | None, *, now: int) -> int | None:
    """Return the time that a person means, in milliseconds; None for all time. Raises ConfigError."""
    if word is None or word.strip().lower() == ALL:
        return None
    told = word.strip()
    try:
        if days := _DAYS.fullmatch(told):
            at = datetime.fromtimestamp(now / 1000, UTC) - timedelta(days=int(days["days"]))
        else:
            at = datetime.fromisoformat(told)
            at = at if at.tzinfo else at.astimezone()
        return round(at.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            f"`{word}` is not a valid time", hint="use a number of days (`30`), a date (`2026-03-01`) or `all`"
        ) from None


def files_of(context: Context, word: str) -> frozenset[str]:
    """Return the files in which a rule may stand that a person names by its file, its line, its id or its fact's."""
    targets = [target for target in context.targets.targets if target.type is not TargetType.HOOK]
    if name := _file_in(word, {target.uri for target in targets}):
        return frozenset((name if any(target.uri == name for target in targets) else below_root(context, Path(name)),))
    by_rule = {uri for uri, rules in standing_rules(context, targets).items() if _beginning(word, rules)}
    return RulesInForce(context).written | by_rule


def _file_in(word: str, uris: Collection[str]) -> str:
    """Return the file that somebody names, with a line or without; empty where it is none."""
    line = _LINE.fullmatch(word)
    return word if os.path.lexists(word) or word in uris else line["file"] if line else ""


def _beginning(word: str, rules: Iterable[RuleLine]) -> bool:
    return any(rule.id.startswith(word.strip().lower()) for rule in rules)


def only_rules(report: HeldReport, word: str, files: Collection[str]) -> HeldReport:
    """Return the report for one rule, by its id or the id of its fact, or for a file or a line of it.

    `files` are those of `files_of`, all of whose rules are in the report. Raises UnknownId where there is none.
    """
    if _file_in(word, files):
        return _of_file(report, word)
    wanted = beginning(word, report.rules, shown_by=_SHOWN_BY)
    found = [rule for rule in report.rules if rule.id.startswith(wanted)]
    found = found or [rule for rule in report.rules if rule.fact_id and rule.fact_id.startswith(wanted)]
    if not found:
        raise UnknownId(f"no rule has the id `{word}`", hint=f"{_SHOWN_BY} lists the ids; a file name also works")
    if len(found) > 1 and len({rule.fact_id for rule in found}) > 1:
        ids = ", ".join(f"`{rule.id[:12]}`" for rule in found[:5])
        raise UnknownId(f"`{word}` matches several rules: {ids}", hint="use more characters of the id")
    return replace(report, rules=tuple(found), is_one=True)


def _of_file(report: HeldReport, word: str) -> HeldReport:
    line = None if os.path.lexists(word) else _LINE.fullmatch(word)
    name = line["file"] if line else word
    if not report.rules:
        raise UnknownId(
            f"`{name}` is not a customization file with rules",
            hint="`memsuggest targets` lists the customization files",
        )
    if line is None:
        return replace(report, is_file=True)
    number = int(line["line"])
    found = [rule for rule in report.rules if rule.line == number] or _nearest_above(report.rules, number)
    if not found:
        known = ", ".join(str(one) for one in sorted(rule.line for rule in report.rules)[:10])
        raise UnknownId(f"no rule starts on line {number} of `{name}`", hint=f"rules start on lines {known}")
    return replace(report, rules=tuple(found), is_one=True)


def _nearest_above(rules: Iterable[HeldRule], number: int) -> list[HeldRule]:
    return [rule for rule in rules if rule.line < number <= rule.last_line]
