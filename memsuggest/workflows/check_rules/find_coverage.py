"""A search for what people keep saying and no file says, and for files that no chat used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.customizations.lint.budget import cost_of
from memsuggest.held.chat_assistants import CLAUDE, COPILOT_CLI, VS_CODE
from memsuggest.held.chat_table import ChatTable
from memsuggest.held.file_reading import reading_of
from memsuggest.held.matters import SaidMatter, matters_among
from memsuggest.identity import session_hash
from memsuggest.model import FactStatus, Scope, SuggestionStatus, TargetType, Trust
from memsuggest.reports.coverage_report import CoverageReport, Covering, FileUse, Matter
from memsuggest.workflows.check_rules.find_held import noted_chats, standing_rules, surroundings, take_notes
from memsuggest.workflows.facts.stores import OWN_WORDS, all_decisions, known_facts
from memsuggest.workflows.find_transcripts import find, not_too_old
from memsuggest.workflows.suggest.pending import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memsuggest.held.file_reading import FileReading
    from memsuggest.model import Decision, MemoryFact, Skipped, Target
    from memsuggest.workflows.context import Context

_TELLING = (CLAUDE, VS_CODE, COPILOT_CLI)
"""Assistants whose chats tell which skills, agents and prompts were used."""


def find_coverage(
    context: Context, *, last: int, since: int | None = None, progress: Callable[[int, int, str], None]
) -> CoverageReport:
    """Say what no file says, and which files none of the last chats used; in the mode `off`, nothing.

    `since`: only what was said, and only chats that began, then or later.
    """
    if context.settings.mode is Mode.OFF:
        return CoverageReport(matters=(), files=(), chats=0, last=0)
    skipped = take_notes(context, progress=progress)
    found = not_too_old(context, find(context, ()).transcripts)
    unlearned = len(context.progress.changed([one for one in found if one.trust is Trust.TYPED]))
    return replace(coverage_now(context, last=last, since=since, skipped=skipped), unlearned=unlearned)


def coverage_now(
    context: Context, *, last: int, since: int | None = None, skipped: Sequence[Skipped] = ()
) -> CoverageReport:
    """Do the same by the notes that are there; no chat is read."""
    table = ChatTable(noted_chats(context), words=())
    counting = [chat for chat in table.chats if since is None or (chat.begun or 0) >= since]
    return CoverageReport(
        matters=tuple(_matters(context, since)),
        files=tuple(_files(context, ChatTable(counting, words=()), last)),
        chats=len(counting),
        last=min(last, len(counting)),
        skipped=tuple(skipped),
    )


def _matters(context: Context, since: int | None) -> list[Matter]:
    """Return what was said in several chats or by several people, the dearest first."""
    decisions = all_decisions(context)
    dismissed = {one.fact_id for one in decisions if one.status is SuggestionStatus.DISMISSED and one.target is None}
    facts = [
        fact
        for fact in known_facts(context)
        if fact.status is FactStatus.ACTIVE and fact.id not in dismissed and not fact.is_only_written
    ]
    waiting = {one.fact.id: one.id for one in load(context) if one.fact}
    found = [
        _matter(context, one, decisions, waiting)
        for one in matters_among(facts, others=_sessions_of_others(context), since=since)
    ]
    return sorted(found, key=lambda one: (-one.price, -(one.last or 0), one.content))


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


def _matter(context: Context, said: SaidMatter, decisions: Sequence[Decision], waiting: Mapping[str, str]) -> Matter:
    return Matter(
        fact_ids=tuple(fact.id for fact in said.facts),
        content=said.facts[0].content,
        scope=said.facts[0].scope,
        times=said.times,
        chats=said.chats,
        others=said.others,
        first=said.first,
        last=said.last,
        covered_by=tuple(_covering(context, said.facts, decisions)),
        suggestion_id=next((waiting[fact.id] for fact in said.facts if fact.id in waiting), ""),
        citations=said.citations,
    )


def _covering(context: Context, facts: Sequence[MemoryFact], decisions: Sequence[Decision]) -> list[Covering]:
    """Return the lines that say one of some facts, and the files of hooks that one was applied to."""
    found: dict[tuple[str, int], Covering] = {}
    by_uri = context.workspace_index.by_uri
    for fact in facts:
        for line in context.workspace_index.existing_rules[fact.scope].said(fact.content):
            found[line.uri, line.line] = Covering(uri=line.uri, line=line.line, text=line.raw)
        for one in decisions:
            target = by_uri.get(one.target or "")
            is_hook = target is not None and target.type is TargetType.HOOK
            if one.fact_id == fact.id and one.status is SuggestionStatus.APPLIED and target and is_hook:
                found[target.uri, 1] = Covering(uri=target.uri, line=1, text="")
    return list(found.values())


def _files(context: Context, table: ChatTable, last: int) -> list[FileUse]:
    """Return the repo's files with their use, those that nothing used first, the dearest of them first."""
    targets = [one for one in context.targets.targets if one.type is not TargetType.HOOK]
    around = surroundings(context, targets, table.chats)
    own = [one for one in targets if one.scope is Scope.WORKSPACE]
    rules = standing_rules(context, own)
    found = [
        _use(target, reading_of(target, table.chats, around), table, last, rules=len(rules[target.uri]))
        for target in own
    ]
    return sorted(found, key=lambda one: (not one.is_idle, -one.tokens, one.uri))


def _use(target: Target, reading: FileReading, table: ChatTable, last: int, *, rules: int) -> FileUse:
    chats = table.chats
    touched = {place for place, chat in enumerate(chats) if target.uri in chat.touched}
    recent = range(max(0, len(chats) - last), len(chats))
    loaded = reading.read.intersection(recent)
    known = [place for place in recent if chats[place].assistant]
    tells = target.type is TargetType.INSTRUCTIONS or any(chats[place].assistant in _TELLING for place in known)
    used = [*touched, *reading.read]
    return FileUse(
        uri=target.uri,
        tokens=cost_of(target).tokens,
        rules=rules,
        loaded=len(loaded),
        touched=len(touched.intersection(recent)),
        last_used=chats[max(used)].begun if used else None,
        why="" if loaded else _why_idle(reading, {chats[place].assistant for place in known}),
        is_known=bool(known) and tells,
    )


def _why_idle(reading: FileReading, assistants: set[str]) -> str:
    whys = (why for name, why in sorted(reading.why_not.items()) if name in assistants)
    return "; ".join(dict.fromkeys(whys))
