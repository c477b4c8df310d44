"""Question two, asked: what becomes of each rule that nobody judged, and of a few maybes. What comes of it is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice

from memsuggest.core.context import Context
from memsuggest.core.identity import normalised
from memsuggest.core.model import (
    Decision,
    FactStatus,
    MemoryFact,
    MemorySuggestion,
    Role,
    Scope,
    Skipped,
    SuggestionStatus,
    Trust,
    is_maybe,
)
from memsuggest.core.redact import clean, redact
from memsuggest.facts.change_facts import rewrite_stores
from memsuggest.facts.revision import revision_of
from memsuggest.facts.stores import (
    OWN_WORDS,
    all_decisions,
    all_facts,
    closed_targets,
    dismissed_ids,
    known_facts,
    open_among,
    store_facts,
    waiting_maybes,
)
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.question import Question
from memsuggest.judging.by_model.session_text import around_quote
from memsuggest.judging.model_reports import Merge
from memsuggest.judging.safety import refused
from memsuggest.judging.verdicts.cases import (
    KNOWN,
    LINES,
    PLACES,
    PORTION,
    SPOTS,
    KnownFact,
    RuleCase,
    ShownLine,
    portions,
    question_about,
    spot_of,
)
from memsuggest.judging.verdicts.verdict import Becomes, Verdict, load_verdicts, save_verdicts
from memsuggest.judging.verdicts.verdict_wording import joined, read_verdicts, stems_of, written_verdicts
from memsuggest.suggestions.dangerous_rules import why_held_back
from memsuggest.suggestions.existing_rules import lines_of
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.place import put_beside
from memsuggest.suggestions.ranking.hosts import host_of, readers_of
from memsuggest.suggestions.ranking.match import Bm25
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.review_report import places_of, read_conversation
from memsuggest.suggestions.suggest import places_for, suggest


class RuleCases:
    """The files and the known rules, ready to say what is shown of a rule."""

    def __init__(
        self, workspace_index: WorkspaceIndex, known: Sequence[KnownFact] = (), *, own_words: Iterable[str] = ()
    ) -> None:
        """Take what there is; `own_words` are wordings that stand in files because we put them there."""
        self._index = workspace_index
        self._known = known
        self._own_words = frozenset(map(normalised, own_words))
        self._hosts = {host for known_fact in known if (host := host_of(known_fact.fact))}

    @cached_property
    def _lines(self) -> dict[Scope, tuple[list[ShownLine], Bm25]]:
        found = {scope: [line for target in self._index.of(scope) for line in lines_of(target)] for scope in Scope}
        return {
            scope: (lines, _ranked(f"{line.says or line.words} {line.under}" for line in lines))
            for scope, lines in found.items()
        }

    @cached_property
    def _facts(self) -> dict[Scope, tuple[list[KnownFact], Bm25]]:
        found = {scope: [known_fact for known_fact in self._known if known_fact.fact.scope is scope] for scope in Scope}
        return {scope: (facts, _ranked(known.fact.content for known in facts)) for scope, facts in found.items()}

    def of(
        self, fact: MemoryFact, *, decided: Collection[str] = (), is_maybe: bool = False, is_bare: bool = False
    ) -> RuleCase:
        """Return what is shown of a fact; `decided` are the files that are closed to it.

        A bare one lacks the lines beside which the fact would stand: its basis is the same, and it is made faster.
        """
        files, ranked = places_for(fact, self._index, decided=decided)
        hosts = self._hosts | ({host} if (host := host_of(fact)) else set())
        readers = {place.target.uri: readers_of(place.target.uri) for place in ranked}
        # an assistant that the person uses reads it, as far as is known
        is_read = {uri: not hosts or not who or bool(hosts.intersection(who)) for uri, who in readers.items()}
        read = [place for place in ranked if is_read[place.target.uri]] or ranked
        places = tuple(place.target for place in read[:PLACES])
        made = (put_beside(fact, place.located) for place in ([] if is_bare else read[:SPOTS]))
        facts, by_words = self._facts[fact.scope]
        near = (facts[number] for number in _nearest(by_words, fact))
        lines, by_line = self._lines[fact.scope]
        found: dict[str, ShownLine] = {}  # of lines with the same words, one
        for line in (lines[number] for number in _nearest(by_line, fact)):
            found.setdefault(normalised(line.words), line)
            if len(found) == LINES:
                break
        return RuleCase(
            fact=fact,
            is_maybe=is_maybe,
            files=files,
            places=places,
            readers={target.uri: tuple(map(str, readers[target.uri])) for target in places},
            spots=tuple(spot_of(spot, target) if spot else None for spot, target in zip(made, places, strict=False)),
            lines=tuple(found.values()),
            known=tuple(islice((known for known in near if known.fact.id != fact.id), KNOWN)),
            own_words=self._own_words,
        )


def _ranked(texts: Iterable[str]) -> Bm25:
    return Bm25([Counter(stems_of(text)) for text in texts], length_matters=0.5)


def _nearest(texts: Bm25, fact: MemoryFact) -> list[int]:
    scores = texts.scores(texts.weighed(dict.fromkeys(stems_of(fact.content), 1.0)))
    return sorted(scores, key=lambda number: (-scores[number], number))


MAYBES = 20
"""Maybes that are asked about in a run, those first that were said most often."""
_OF_NO_USE = "the model's answer was unusable, so the offline rules place this fact"
RAISED = 0.7
"""Confidence of a maybe that a model takes for a rule."""


@dataclass(slots=True, kw_only=True)
class Judged:
    """The outcome of asking."""

    verdicts: list[Verdict] = field(default_factory=list)
    joined: int = 0
    """Facts that went into others."""
    raised: int = 0
    """Maybes that are suggested now."""
    unusable: list[Skipped] = field(default_factory=list)
    """Rules whose verdict was of no use, and why."""


def judge_rules(context: Context, asks: Asks, found: Judged) -> None:
    """Ask about every rule that has no verdict, keep what comes of it, and do what it says to the facts.

    Raises ModelError and ConsentError; what was answered by then is kept, and in `found`.
    """
    for cases, question in questions(context):
        verdicts = asks.ask(
            question,
            partial(read_verdicts, cases=cases, check=why_not_words),
            sift=partial(written_verdicts, cases=cases),
        )
        take_verdicts(context, verdicts, cases, found)


def questions(context: Context, *, most: int = PORTION) -> Iterator[tuple[list[RuleCase], Question]]:
    """Yield what is to be asked now, in questions of so many tokens, with the rules that each is about."""
    cases = (_with_surroundings(context, case) for case in unjudged(context))
    for portion in portions(cases, most=most):
        yield portion, question_about(portion, about=str(context.root))


def unjudged(context: Context) -> list[RuleCase]:
    """Return the rules to be suggested, and a few maybes, of which nothing was said, or by now something else."""
    decisions = all_decisions(context)
    verdicts = load_verdicts(context.state, context.place.worktree_key)
    cases = _cases_at(context, decisions)
    rules = open_among(all_facts(context), decisions, threshold=context.settings.threshold)
    maybes = (
        fact
        for fact in waiting_maybes(context)
        if any(citation.trust is not Trust.DOUBTFUL for citation in fact.citations) and not why_forbidden(fact.content)
    )

    def asked(facts: Iterable[MemoryFact], *, are_maybes: bool) -> Iterator[RuleCase]:
        for fact in facts:
            decided = closed_targets(fact, decisions)
            known = verdicts.get(fact.id)
            if known and known.basis == cases.of(fact, decided=decided, is_bare=True).basis:
                continue
            is_rule = not are_maybes and not why_held_back(fact)
            made = suggest(fact, context.workspace_index, decided=decided) if is_rule else None
            # of a rule that our own rules would write into no file, there is nothing to ask
            if are_maybes or (isinstance(made, MemorySuggestion) and not made.executable):
                case = cases.of(fact, decided=decided, is_maybe=are_maybes)
                if case.is_worth_asking:
                    yield case

    return [*asked(rules, are_maybes=False), *islice(asked(maybes, are_maybes=True), MAYBES)]


def _with_surroundings(context: Context, case: RuleCase) -> RuleCase:
    """Show of a maybe what was said around it, where its chat is there still: few words seldom say what for."""
    typed = next((citation for citation in case.fact.citations if citation.trust in OWN_WORDS), None)
    if typed is None or not case.is_maybe:
        return case
    turns = read_conversation(places_of(context, typed), typed).turns
    said = next((turn for turn in turns if turn.number == typed.turn and turn.typed), None)
    if said is None:
        return case
    asked = [turn for turn in turns if turn.role is Role.ASSISTANT and turn.number < said.number]
    around, before = around_quote(said, asked[-1] if asked else None, typed.quote)
    return replace(case, around=around, before=before)


def _cases_at(context: Context, decisions: Sequence[Decision]) -> RuleCases:
    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    dismissed = dismissed_ids(context)
    known = [
        KnownFact(fact=fact, state="applied" if fact.id in applied else "maybe" if is_maybe(fact) else "pending")
        for fact in known_facts(context)
        if fact.status is FactStatus.ACTIVE
        and fact.id not in dismissed
        and any(citation.trust in OWN_WORDS for citation in fact.citations)
    ]
    verdicts = load_verdicts(context.state, context.place.worktree_key).values()
    contents = [known_fact.fact.content for known_fact in known]
    own = [*contents, *(verdict.content for verdict in verdicts if verdict.content)]
    return RuleCases(context.workspace_index, known, own_words=own)


def why_not_words(words: str) -> str:
    """Say why a model's words may stand in no file; nothing when they may."""
    if redact(clean(words)).text != words:
        return "the text contains a secret, personal data or invisible characters"
    return refused(words) or (why_forbidden(words) or "")


def take_verdicts(context: Context, verdicts: Sequence[Verdict], cases: Sequence[RuleCase], found: Judged) -> None:
    """Keep verdicts; unite the facts that are one, and raise the maybes that are rules."""
    contents = {case.fact.id: case.fact.content for case in cases}
    found.verdicts += verdicts
    found.unusable += [
        Skipped(what=contents[verdict.fact_id][:80], why=f"{_OF_NO_USE}: {verdict.why}")
        for verdict in verdicts
        if verdict.becomes is Becomes.UNUSABLE
    ]
    with context.exclusive():
        save_verdicts(context.state, context.place.worktree_key, verdicts)
        _unite(context, verdicts, found)
        sure = {case.fact.id: case.fact.confidence for case in cases}
        _raise(context, [verdict.fact_id for verdict in verdicts if verdict.raises(sure[verdict.fact_id])], found)


def _unite(context: Context, verdicts: Sequence[Verdict], found: Judged) -> None:
    facts = {fact.id: fact for fact in known_facts(context) if fact.status is FactStatus.ACTIVE}
    decisions = all_decisions(context)
    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    groups = joined(verdicts, facts, applied=applied)
    if not groups:
        return
    merges = [Merge(fact=fact, because=group.stays) for group in groups for fact in group.gone]
    reworded = [replace(group.stays, content=group.content) for group in groups if group.content != group.stays.content]
    rewrite_stores(context, revision_of(merges, decisions=decisions, reworded=reworded))
    found.joined += sum(len(group.gone) for group in groups)
    _raise(context, [group.stays.id for group in groups], found)
    # Where the one rule goes rests on what would be shown of it now.
    decisions = all_decisions(context)
    cases = _cases_at(context, decisions)
    facts = {fact.id: fact for fact in known_facts(context)}
    kept = [
        replace(group.verdict, basis=cases.of(fact, decided=closed_targets(fact, decisions)).basis)
        for group in groups
        if (fact := facts.get(group.stays.id))
    ]
    save_verdicts(context.state, context.place.worktree_key, kept)


def _raise(context: Context, ids: Sequence[str], found: Judged) -> None:
    maybes = [fact for fact in known_facts(context) if fact.id in ids and is_maybe(fact)]
    raised = [replace(fact, confidence=max(fact.confidence, RAISED)) for fact in maybes]
    raised = [fact for fact in raised if not is_maybe(fact)]
    if raised:
        store_facts(context, added=(), updated=raised)
        found.raised += len(raised)
