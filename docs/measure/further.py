"""Question two about what question one found in chats: the maybes that both would keep are suggested, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from packets import read_index, sessions_in
from replaying import findings_of, found_of, read_answers
from scoring import Found
from verdict_packets import Asked, read_questions, write_questions

from memsuggest.core.errors import ModelError
from memsuggest.core.model import SUGGEST_FROM, Candidate, MemoryFact, Transcript, fact_id
from memsuggest.judging.by_model.session_text import around_quote, shown_turns
from memsuggest.judging.verdicts.cases import KnownFact, RuleCase
from memsuggest.judging.verdicts.verdict_wording import read_verdicts
from memsuggest.suggestions.judge_rules import RuleCases
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

RAISED = 0.7


def write_further(packets: Path, answers: Path, out: Path) -> int:
    """Write the questions about all that was found, a repository at a time, its files unknown; return how many."""
    by_repo: dict[str, list[tuple[Transcript, Candidate]]] = defaultdict(list)
    for session, candidate in _candidates(packets, answers):
        by_repo[Path(session.origin).name.split("-", 1)[-1].rsplit("-", 1)[0]].append((session, candidate))
    asked = []
    for repo, found in by_repo.items():
        facts = {fact.id: (session, fact) for session, one in found for fact in [_fact(one)]}
        known = [
            KnownFact(fact=fact, state="pending" if fact.confidence >= SUGGEST_FROM else "maybe")
            for _, fact in facts.values()
        ]
        cases = RuleCases(WorkspaceIndex([], tracked_paths=(), root="/repo"), known)
        shown = [_shown(session, fact, cases) for session, fact in facts.values()]
        asked.append(Asked(cases=shown, labels=dict.fromkeys(facts, ""), about=repo))
    return write_questions(asked, out, start="f")


def judged_twice(packets: Path, answers: Path, further: Path, verdicts: Path) -> dict[str, list[Found]]:
    """Return what was found, by file, with the confidence that it has after both questions."""
    raised: set[str] = set()
    for name, cases, _ in read_questions(further):
        path = verdicts / f"{name}.json"
        try:
            said = read_verdicts(path.read_text(encoding="utf-8"), cases, check=lambda _words: "")
        except (OSError, ModelError) as error:
            print(f"trouble: {name}: {error}")
            continue
        raised |= {case.fact.id for case, one in zip(cases, said, strict=True) if one.raises(case.fact.confidence)}
    found: dict[str, list[Found]] = {Path(part.file).name: [] for one in read_index(packets) for part in one.parts}
    for session, one in _candidates(packets, answers):
        sure = max(one.confidence, RAISED) if _fact(one).id in raised else one.confidence
        found[Path(session.origin).name].append(replace(found_of(one), confidence=sure))
    return found


def _candidates(packets: Path, answers: Path) -> Iterator[tuple[Transcript, Candidate]]:
    requests = read_index(packets)
    replies = read_answers(requests, answers).replies
    for session in sessions_in(dict.fromkeys(Path(file) for file in replies)):
        for candidate in findings_of(session, replies[session.origin]).candidates:
            yield session, candidate


def _fact(one: Candidate) -> MemoryFact:
    return MemoryFact(
        id=fact_id(one.scope, one.content),
        content=one.content,
        kind=one.kind,
        scope=one.scope,
        confidence=one.confidence,
        citations=one.citations,
        timestamp=1,
    )


def _shown(session: Transcript, fact: MemoryFact, cases: RuleCases) -> RuleCase:
    is_maybe = fact.confidence < SUGGEST_FROM
    case = cases.of(fact, is_maybe=is_maybe)
    cited = fact.citations[0]
    told = next((turn for turn in shown_turns(session) if turn.turn.number == cited.turn), None)
    if told is None or not is_maybe:
        return case
    around, before = around_quote(told.turn, told.before, cited.quote)
    return replace(case, around=around, before=before)
