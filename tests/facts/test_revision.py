"""What consolidation does to the stores, and that the way back leads to the same place."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from memsuggest.core.model import Citation, Decision, MemoryFact, Scope, SuggestionStatus, Trust, fact_id
from memsuggest.facts.profile import Profile, open_profile
from memsuggest.facts.revision import restored, restored_decisions, revision_of
from memsuggest.judging.model_reports import Merge

RULES = [f"The {noun} service is deployed from its own branch." for noun in ("lamp", "boat", "kite", "drum", "fern")]


def fact(content: str, *, day: int = 1, trust: Trust = Trust.TYPED, scope: Scope = Scope.WORKSPACE) -> MemoryFact:
    at = datetime(2026, 3, day, tzinfo=UTC)
    return MemoryFact(
        id=fact_id(scope, content),
        content=content,
        scope=scope,
        confidence=0.5 + day / 100,
        citations=(Citation(session_id=f"s{day}", turn=1, quote=content, trust=trust, at=at),),
        timestamp=int(at.timestamp() * 1000),
        source_session_id=f"h{day}",
        tags=(f"t{day}",),
    )


OLD, NEW = fact(RULES[0], day=3), fact(RULES[1], day=9)


def test_a_merge_gives_everything_to_the_one_that_stays() -> None:
    """Evidence earliest first, the surer confidence, the stronger decision; the tombstone knows where it went."""
    decisions = [
        Decision(fact_id=OLD.id, target="AGENTS.md", status=SuggestionStatus.APPLIED),
        Decision(fact_id=NEW.id, target="AGENTS.md", status=SuggestionStatus.DISMISSED),
        Decision(fact_id="x", target=None, status=SuggestionStatus.DISMISSED),
    ]
    found = revision_of([Merge(fact=OLD, because=NEW)], decisions=decisions)
    (kept,), (tombstone,) = found.facts, found.gone
    assert [citation.session_id for citation in kept.citations] == ["s3", "s9"]
    assert (kept.confidence, kept.timestamp, kept.source_session_id) == (NEW.confidence, OLD.timestamp, "h3")
    assert kept.tags == ("t9", "t3")
    assert (tombstone.fact_id, tombstone.into, tombstone.evidence) == (OLD.id, NEW.id, ())
    assert found.decisions == (Decision(fact_id=NEW.id, target="AGENTS.md", status=SuggestionStatus.APPLIED),)


def test_a_replacement_gives_nothing() -> None:
    """What another fact took the place of leaves its evidence in the tombstone, and decides nothing about that one."""
    decisions = [Decision(fact_id=OLD.id, target="AGENTS.md", status=SuggestionStatus.APPLIED)]
    found = revision_of([Merge(fact=OLD, because=NEW, is_replacement=True)], decisions=decisions)
    assert (found.facts, found.decisions) == ((), ())
    assert (found.gone[0].words, found.gone[0].evidence) == ("", (OLD.citations[0].evidence_key,))


def test_what_changed_since_stays() -> None:
    """Taking a change back leaves what the person did after it."""
    after = fact(RULES[0], day=3)
    said_again = Citation(session_id="later", turn=2, quote="as I said")
    now = MemoryFact(
        **{name: getattr(after, name) for name in after.__slots__ if name not in {"citations", "content"}},
        content="Reworded since.",
        citations=(*after.citations, said_again),
    )
    back = restored(now, after=after, before=OLD)
    assert back.content == "Reworded since."
    assert back.citations == (*OLD.citations, said_again)


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[Merge], list[MemoryFact]]:
    """Any merges that could be carried out, into facts that stay, and new wordings of those."""
    facts = [fact(rule, day=day) for day, rule in enumerate(RULES, start=1)]
    staying = draw(st.lists(st.sampled_from(facts), min_size=1, max_size=3, unique_by=lambda one: one.id))
    going = [one for one in facts if one not in staying and draw(st.booleans())]
    merges = [
        Merge(fact=one, because=draw(st.sampled_from(staying)), is_replacement=draw(st.booleans())) for one in going
    ]
    return merges, [replace(one, content=draw(st.sampled_from("ABC"))) for one in staying if draw(st.booleans())]


def contents(profile: Profile) -> tuple[object, ...]:
    held = profile.contents()
    return held.facts, set(held.decisions), held.tombstones


@settings(max_examples=25, deadline=None)
@given(plans(), st.sets(st.sampled_from(range(5))))
def test_there_and_back_is_the_same_place(plan: tuple[list[Merge], list[MemoryFact]], decided: set[int]) -> None:
    """In a real profile: facts with their evidence, decisions and tombstones are as they were."""
    facts = [fact(rule, day=day) for day, rule in enumerate(RULES, start=1)]
    decisions = [Decision(fact_id=facts[at].id, target=None, status=SuggestionStatus.DISMISSED) for at in decided]
    with TemporaryDirectory() as folder:
        profile = open_profile(Path(folder) / "profile.db", workspace="w")
        profile.add(facts)
        profile.decide(decisions)
        start = contents(profile)
        before = {one.id: one for one in profile.contents().facts}
        revision = revision_of(plan[0], decisions=decisions, reworded=plan[1])
        profile.rewrite(gone=revision.gone, facts=revision.facts, decisions=revision.decisions)
        gone = {tombstone.fact_id for tombstone in revision.gone}
        assert {one.id for one in profile.contents().facts} == before.keys() - gone
        kept = {one.id: one for one in revision.facts}
        now = {one.id: one for one in profile.contents().facts}
        back = [restored(now[key], after=kept[key], before=before[key]) for key in kept]
        touched = gone | kept.keys()
        profile.rewrite(
            gone=(),
            facts=[*back, *(before[key] for key in gone)],
            decisions=restored_decisions(
                [decision for decision in profile.contents().decisions if decision.fact_id in touched],
                after=revision.decisions,
                before=[decision for decision in decisions if decision.fact_id in touched],
            ),
        )
        assert contents(profile) == start
        profile.close()
