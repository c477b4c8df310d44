"""The judgement of one rule: who had read it where it mattered, and was it said again. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.held.chat_note import NotedSentence
from memsuggest.held.chat_table import ChatTable, words_of_rule
from memsuggest.held.file_reading import FileReading
from memsuggest.held.held_report import (
    ChatRow,
    HeldOutcome,
    HeldRule,
    NotReadBy,
    SaidAgain,
    SinceFrom,
)
from memsuggest.held.statistics import ENOUGH, HARDLY, at_most

if TYPE_CHECKING:
    from memsuggest.held.standing_rules import RuleLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Force:
    """The time since when a rule is in force, and how that is known."""

    since: int
    """Milliseconds since the epoch."""
    source: SinceFrom
    fact_id: str = ""
    """Of the fact that was applied there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCase:
    """All that is known of one rule."""

    rule: RuleLine
    force: Force
    reading: FileReading
    said: Sequence[tuple[int, NotedSentence]]
    """What says it, each with the place of its chat, in any order."""
    earliest: int | None = None
    """Chats that began before this do not count; milliseconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """Sets of chats."""

    since: int
    exposed: int
    unread: int
    """In which it mattered, and whose assistant had not read it."""
    before: int


def judge(case: RuleCase, table: ChatTable) -> HeldRule:
    """Say what became of a rule."""
    said = sorted(case.said, key=lambda one: (table.chats[one[0]].begun or 0, one[1].turn))
    counted = _counted(case, table, said)
    again = [one for one in said if counted.exposed >> one[0] & 1]
    unread = [one for one in said if counted.unread >> one[0] & 1]
    earlier = [one for one in said if _is_before(table, one[0], case)]
    not_read = _not_read(case, table, counted.unread)
    chats, times = counted.exposed.bit_count(), len({place for place, _ in again})
    outcome = _outcome(case, counted, said_in=times, is_said_unread=bool(unread))
    return HeldRule(
        id=case.rule.id,
        uri=case.rule.uri,
        line=case.rule.line,
        last_line=case.rule.last,
        content=case.rule.raw,
        heading=case.rule.heading,
        fact_id=case.force.fact_id,
        since=case.force.since,
        since_from=case.force.source,
        outcome=outcome,
        why=_why(
            outcome,
            chats=chats,
            said_in=times,
            counted=counted,
            known=table.known,
            not_read=not_read,
            is_said_unread=bool(unread),
        ),
        chats=(counted.since & table.known).bit_count(),
        exposed=_rows(table, counted.exposed),
        said_again=_as_said(table, again),
        not_read=not_read,
        said_unread=_as_said(table, unread),
        exposed_before=_rows(table, counted.before),
        said_before=_as_said(table, earlier),
        at_most=round(at_most(times, chats), 3) if chats else 1.0,
    )


def _counted(case: RuleCase, table: ChatTable, said: Sequence[tuple[int, NotedSentence]]) -> _Counted:
    """Tell the chats apart: since and before it was in force, exposed or not."""
    reading = case.reading
    told = table.of(place for place, _ in said)
    about = table.of(reading.concerned) if reading.is_narrow else table.about(words_of_rule(case.rule.text))
    matters = (about | told) & table.known
    counting = table.begun_since(case.earliest) if case.earliest is not None else table.all
    since = table.begun_since(case.force.since) & counting
    first = told & -told  # the chat in which it was said first is why the rule exists, and says nothing of how often
    read = table.of(reading.read)
    return _Counted(
        since=since,
        exposed=matters & since & read,
        unread=matters & since & ~read,
        before=matters & counting & ~table.begun_since(case.force.since) & ~first,
    )


def _is_before(table: ChatTable, place: int, case: RuleCase) -> bool:
    begun = table.chats[place].begun
    return begun is not None and begun < case.force.since


def _outcome(case: RuleCase, counted: _Counted, *, said_in: int, is_said_unread: bool) -> HeldOutcome:
    """Return the outcome; a rule that nobody was exposed to never fails to hold."""
    chats = counted.exposed.bit_count()
    if said_in:
        is_rare = at_most(said_in, chats) <= HARDLY
        return HeldOutcome.HOLDS if is_rare else HeldOutcome.DOES_NOT_HOLD
    if chats >= ENOUGH:
        return HeldOutcome.HOLDS
    is_unread = counted.unread and (not chats or is_said_unread)
    return HeldOutcome.NOT_LOADED if is_unread else HeldOutcome.UNTESTED


def _why(  # noqa: PLR0913  (what a sentence is made of)
    outcome: HeldOutcome,
    *,
    chats: int,
    said_in: int,
    counted: _Counted,
    known: int,
    not_read: Sequence[NotReadBy],
    is_said_unread: bool,
) -> str:
    """Say the outcome in a sentence."""
    mattered = f"{chats} {'chat' if chats == 1 else 'chats'}"
    if outcome is HeldOutcome.DOES_NOT_HOLD:
        share = f"{said_in} of the {mattered}" if chats > 1 else "the only chat"
        return f"said again in {share} where it was relevant and had been read"
    if outcome is HeldOutcome.HOLDS:
        told = f"said again in only {said_in} of the" if said_in else "not said again in"
        sure = f"95 % confidence: fewer than {_percent(at_most(said_in, chats))} of such chats"
        return f"{told} {mattered} where it was relevant and had been read ({sure})"
    if outcome is HeldOutcome.NOT_LOADED:
        missed = counted.unread.bit_count()
        again = ", and you said it again there" if is_said_unread else ""
        whys = "; ".join(dict.fromkeys(one.why for one in not_read))
        return (
            f"relevant in {missed} {'chat' if missed == 1 else 'chats'} whose assistant had not read it{again}: {whys}"
        )
    if not counted.since:
        return "no chats have started since it came into force"
    if not chats and not counted.since & known:
        return "it is unknown what the assistants in the chats since then read"
    if not chats:
        return "no chat since then shows that it was relevant"
    return f"not said again, but relevant in only {mattered} that had read it; at least {ENOUGH} are needed"


def _percent(share: float) -> str:
    return f"{-(-share * 100 // 1):.0f} %"


def _not_read(case: RuleCase, table: ChatTable, unread: int) -> tuple[NotReadBy, ...]:
    """Count by assistant the chats that had not read it."""
    counts: dict[str, int] = {}
    for place in table.places(unread):
        name = table.chats[place].assistant
        counts[name] = counts.get(name, 0) + 1
    by_count = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    unknown = "it was not loaded there"
    return tuple(
        NotReadBy(assistant=name, chats=chats, why=case.reading.why_not.get(name, unknown)) for name, chats in by_count
    )


def _rows(table: ChatTable, chats: int) -> tuple[ChatRow, ...]:
    return tuple(
        ChatRow(session_id=one.session_id, at=one.begun or 0, assistant=one.assistant, path=one.place)
        for one in (table.chats[place] for place in table.places(chats))
    )


def _as_said(table: ChatTable, said: Sequence[tuple[int, NotedSentence]]) -> tuple[SaidAgain, ...]:
    return tuple(
        SaidAgain(
            session_id=table.chats[place].session_id,
            turn=one.turn,
            quote=one.quote,
            rule=one.rule,
            at=datetime.fromtimestamp(one.at / 1000, tz=UTC) if one.at is not None else None,
            assistant=table.chats[place].assistant,
            is_correction=one.is_correction,
        )
        for place, one in said
    )
