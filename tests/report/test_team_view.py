"""What a team may see: nothing of a person, whichever field it stood in."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from itertools import count
from typing import Any

from memsuggest.core.json_shape import render
from memsuggest.core.model import (
    Cause,
    Citation,
    Decision,
    Edit,
    Maintenance,
    MemoryFact,
    MemorySuggestion,
    Scope,
    Skipped,
    SuggestionStatus,
    TargetType,
)
from memsuggest.facts.fact_store import Contents
from memsuggest.held.held_report import (
    ChatRow,
    Covering,
    HeldOutcome,
    HeldReport,
    HeldRule,
    Matter,
    NotReadBy,
    Remedy,
    RemedyKind,
    SaidAgain,
    SinceFrom,
)
from memsuggest.report.gather import Shared, for_team
from memsuggest.report.report_data import (
    FileCost,
    Learned,
    LoadedWhen,
    WorkspaceReport,
)
from memsuggest.report.report_page import page

_numbers = count(1)
DAY = datetime(1987, 6, 5, tzinfo=UTC)
"""A day on which nothing public happened."""
MOMENT = round(DAY.timestamp() * 1000)
PUBLIC_DAY = 1_700_000_000_000


def private() -> str:
    """A word that must not reach the team; each is another one."""
    return f"PRIVATE{next(_numbers)}"


def cited() -> Citation:
    return Citation(session_id=private(), turn=3, quote=private(), paths=(private(),), at=DAY, format=private())


def fact(name: str, content: str, *, scope: Scope = Scope.WORKSPACE) -> MemoryFact:
    return MemoryFact(
        id=name,
        content=content,
        reason=private(),
        scope=scope,
        confidence=0.9,
        citations=(cited(), cited()),
        timestamp=MOMENT,
        source_session_id=private(),
        tags=(private(),),
        paths=(private(),),
    )


def suggestion(about: MemoryFact, uri: str) -> MemorySuggestion:
    return MemorySuggestion(
        id=f"s-{about.id}",
        fact=about,
        target_type=TargetType.INSTRUCTIONS,
        target_uri=uri,
        suggested_merge_content=private(),
        heading=private(),
        replaces=private(),
        why=private(),
        edit=Edit(path=uri, before=private(), after=private()),
    )


def rule(uri: str, content: str) -> HeldRule:
    chat = ChatRow(session_id=private(), at=MOMENT, assistant=private(), path=private())
    said = SaidAgain(session_id=chat.session_id, turn=2, quote=private(), rule=private(), at=DAY, assistant=private())
    return HeldRule(
        id=f"rule-{uri}",
        uri=uri,
        line=4,
        last_line=4,
        content=content,
        heading="Public heading",
        fact_id=private(),
        since=MOMENT,
        since_from=SinceFrom.APPLIED,
        outcome=HeldOutcome.DOES_NOT_HOLD,
        why=private(),
        chats=9,
        exposed=(chat, replace(chat, session_id=private())),
        said_again=(said,),
        not_read=(NotReadBy(assistant=private(), chats=3, why=private()),),
        said_unread=(replace(said, session_id=private()),),
        exposed_before=(replace(chat, session_id=private()),),
        said_before=(said,),
        remedies=(Remedy(kind=RemedyKind.EXAMPLE, what=private(), why=private(), text=private(), uri=private()),),
    )


def cost(uri: str, scope: Scope = Scope.WORKSPACE) -> FileCost:
    return FileCost(
        uri=uri,
        type=TargetType.INSTRUCTIONS,
        scope=scope,
        tokens=100,
        budget=4_000,
        when=LoadedWhen.ALWAYS,
        applies_to="**",
        assistants=("Codex",),
        warnings=(f"it repeats `{OWN}`",),
    )


OWN, LOCAL, COMMITTED = "~/.claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"
SHARED_FACT = MemoryFact(
    id="shared", content="Use integers for money.", confidence=0.8, timestamp=PUBLIC_DAY, is_shared=True
)


def whole() -> WorkspaceReport:
    """A report in which everything that is a person's own is marked."""
    known = replace(fact("shared", private()), timestamp=MOMENT)
    mine, users = fact("mine", private()), fact("users", private(), scope=Scope.USER)
    care = MemorySuggestion(
        id="care",
        maintenance=Maintenance(id="m", cause=Cause.STALE, content=private()),
        target_type=TargetType.INSTRUCTIONS,
        target_uri=COMMITTED,
        suggested_merge_content=private(),
        edit=Edit(path=COMMITTED, before=private(), after=private()),
    )
    matter = Matter(
        fact_ids=("mine", "shared"),
        content=private(),
        scope=Scope.WORKSPACE,
        times=4,
        chats=3,
        first=MOMENT,
        last=MOMENT,
        covered_by=(Covering(uri=OWN, line=1, text=private()),),
        suggestion_id=private(),
        citations=(cited(),),
    )
    return WorkspaceReport(
        name=private(),
        made_at=PUBLIC_DAY,
        since=None,
        is_team=False,
        learned=tuple(Learned(fact=one, applied_to=(OWN, private())) for one in (known, mine, users)),
        pending=(suggestion(known, COMMITTED), suggestion(known, OWN), suggestion(mine, COMMITTED)),
        maintenance=(care, replace(care, target_uri=LOCAL), replace(care, target_uri=OWN)),
        maybes=4711,
        held=HeldReport(
            rules=(rule(COMMITTED, "Never use floats."), rule(OWN, private()), rule(LOCAL, private())),
            chats=9,
            first_chat=MOMENT,
            skipped=(Skipped(what=private(), why=private()),),
            matters=(matter, replace(matter, fact_ids=("mine",))),
        ),
        files=(cost(COMMITTED), cost(OWN, Scope.USER), cost(LOCAL)),
        assistants=(),
        on_web={OWN, LOCAL},
        commits={MOMENT: private()},
        skipped=(Skipped(what=private(), why=private()),),
    )


def shared() -> Shared:
    contents = Contents(
        facts=(SHARED_FACT, replace(fact("users", private(), scope=Scope.USER), is_shared=True)),
        decisions=(
            Decision(fact_id="shared", target=OWN, status=SuggestionStatus.APPLIED),
            Decision(fact_id="shared", target=COMMITTED, status=SuggestionStatus.APPLIED),
        ),
    )
    return Shared(name="shop", contents=contents, uris={COMMITTED}, local={OWN, LOCAL})


def texts(value: Any) -> list[str]:
    """Every text and number in a value, however deep."""
    if is_dataclass(value) and not isinstance(value, type):
        return [text for field in fields(value) for text in texts(getattr(value, field.name))]
    if isinstance(value, tuple | list | set | frozenset):
        return [text for one in value for text in texts(one)]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts(one)]
    return [str(value.value if isinstance(value, Enum) else value)]


SECRETS = ("PRIVATE", "4711", "4,711", str(MOMENT), "1987", OWN, LOCAL)


def test_no_field_of_a_persons_own_reaches_the_team() -> None:
    """Of quotes, names, paths, days, chats and a person's own facts nothing is in the value, the page or the JSON."""
    seen = for_team(whole(), shared())
    for told in ("\n".join(texts(seen)), page(seen), render(seen)):
        found = [secret for secret in SECRETS if secret in told]
        assert not found, (found, told)


def test_every_mark_is_in_the_whole_report() -> None:
    """The test above looks for what is there."""
    told = page(whole())
    assert all(secret in told for secret in ("PRIVATE", "1987", OWN))


def test_every_cause_of_care_is_told_in_words_that_name_nobody() -> None:
    """A team's report is made whatever the files need."""
    report = whole()
    needs = [Maintenance(id=f"care-{cause}", cause=cause, content=private()) for cause in Cause]
    waiting = [replace(report.maintenance[0], id=need.id, maintenance=need) for need in needs]
    told = for_team(replace(report, maintenance=tuple(waiting)), shared()).maintenance
    assert len({one.content for one in told}) == len(Cause)


def test_what_the_shared_files_say_is_told() -> None:
    """The team's own wording, the rules of committed files, and counts of chats."""
    seen = for_team(whole(), shared())
    assert [learned.fact.content for learned in seen.learned] == ["Use integers for money."]
    assert [learned.applied_to for learned in seen.learned] == [(COMMITTED,)]
    assert [one.content for one in seen.pending] == ["Use integers for money."]
    assert [(one.uri, one.content) for one in seen.held.rules] == [(COMMITTED, "Never use floats.")]
    (held,) = seen.held.rules
    assert (len(held.exposed), held.chats_said_again, held.not_read[0].chats) == (2, 1, 3)
    assert [file.uri for file in seen.files] == [COMMITTED]
    assert [one.content for one in seen.maintenance] == ["the file refers to something that no longer exists"]
    assert "Never use floats." in page(seen)


def test_what_only_an_own_file_covers_is_a_gap_for_the_team() -> None:
    """A line in somebody's own file is read by nobody else."""
    seen = for_team(whole(), shared())
    assert [(gap.content, gap.times, gap.covered_by) for gap in seen.held.gaps] == [("Use integers for money.", 4, ())]


def test_personal_data_in_shared_files_is_redacted_once_more() -> None:
    """A committed line with somebody's address is shown without it."""
    report = whole()
    line = rule(COMMITTED, "Ask ada.lovelace@example.org about it.")
    seen = for_team(replace(report, held=replace(report.held, rules=(line,))), shared())
    assert "ada.lovelace" not in page(seen)
