"""Outcomes of rules as a team may see them: the rules of its own files, and counts of chats. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.redact import redact
from memsuggest.reports.held_report import (
    ChatRow,
    HeldOutcome,
    HeldReport,
    HeldRule,
    NotReadBy,
    Remedy,
    RemedyKind,
    SaidAgain,
    SinceFrom,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

WHY = {
    HeldOutcome.HOLDS: "it mattered, and was not said again, or hardly ever",
    HeldOutcome.DOES_NOT_HOLD: "it was said again to an assistant that had read it",
    HeldOutcome.UNTESTED: "it mattered in too few chats to tell",
    HeldOutcome.NOT_LOADED: "it mattered, and no assistant had read the file",
}
"""Each outcome in words that name nobody."""
_REMEDIES = {
    RemedyKind.SHARPER: "say it more sharply",
    RemedyKind.EXAMPLE: "put an example beside it",
    RemedyKind.OTHER_FILE: "put it into a file that is read",
    RemedyKind.ENFORCE: "let a hook or a linter enforce it",
    RemedyKind.REMOVE: "take it out",
}


def rules_for_team(held: HeldReport, *, own_lines: Mapping[str, Collection[int]], facts: Collection[str]) -> HeldReport:
    """Return what became of the committed rules, by counts alone; `facts` are ids that the team shares.

    `own_lines`: the committed files, each with the numbers of its lines that are not committed.
    """
    shared = (
        one
        for one in held.rules
        if one.uri in own_lines and not set(range(one.line, one.last_line + 1)).intersection(own_lines[one.uri])
    )
    rules = tuple(_rule(one, is_fact_shared=one.fact_id in facts) for one in shared)
    return HeldReport(rules=rules, chats=held.chats, since=held.since)


def _rule(rule: HeldRule, *, is_fact_shared: bool) -> HeldRule:
    names: dict[str, str] = {}
    is_dated = (
        rule.since_from is SinceFrom.GIT
    )  # anybody can look that up; when somebody applied it is their own affair
    return HeldRule(
        id=rule.id,
        uri=rule.uri,
        line=rule.line,
        last_line=rule.last_line,
        content=redact(rule.content).text,
        heading=redact(rule.heading).text,
        fact_id=rule.fact_id if is_fact_shared else "",
        since=rule.since if is_dated else 0,
        since_from=rule.since_from if is_dated else SinceFrom.SEEN,
        outcome=rule.outcome,
        why=WHY[rule.outcome],
        chats=rule.chats,
        exposed=_chats(rule.exposed, names),
        said_again=_said(rule.said_again, names),
        not_read=_not_read(rule.not_read),
        said_unread=_said(rule.said_unread, names),
        exposed_before=_chats(rule.exposed_before, names),
        said_before=_said(rule.said_before, names),
        at_most=rule.at_most,
        remedies=tuple(Remedy(kind=kind, what=_REMEDIES[kind], why="") for kind in _kinds(rule.remedies)),
    )


def _kinds(remedies: Iterable[Remedy]) -> tuple[RemedyKind, ...]:
    return tuple(dict.fromkeys(one.kind for one in remedies))


def _number(session: str, names: dict[str, str]) -> str:
    """Return a chat's number among those of one rule: enough to count it, and to find nothing by."""
    return names.setdefault(session, str(len(names) + 1))


def _chats(rows: Iterable[ChatRow], names: dict[str, str]) -> tuple[ChatRow, ...]:
    return tuple(ChatRow(session_id=_number(row.session_id, names), at=0, assistant="", path="") for row in rows)


def _said(rows: Iterable[SaidAgain], names: dict[str, str]) -> tuple[SaidAgain, ...]:
    return tuple(
        SaidAgain(
            session_id=_number(row.session_id, names),
            turn=0,
            quote="",
            rule="",
            at=None,
            assistant="",
            is_correction=row.is_correction,
        )
        for row in rows
    )


def _not_read(rows: Iterable[NotReadBy]) -> tuple[NotReadBy, ...]:
    chats = sum(row.chats for row in rows)
    return (NotReadBy(assistant="", chats=chats, why=""),) if chats else ()
