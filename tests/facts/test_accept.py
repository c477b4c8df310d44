"""What becomes of candidates: new facts, more evidence, nothing; and what they end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases
from facts.fakes import MONDAY, citation, fact
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.identity import session_hash
from memsuggest.core.model import (
    Candidate,
    Citation,
    Decision,
    FactStatus,
    MemoryFact,
    Scope,
    SuggestionStatus,
    Trust,
)
from memsuggest.facts import entries
from memsuggest.facts.accept import SESSION_QUOTA, Acceptance, accept, forgetting

NOW = MONDAY + 90 * 86_400_000


def candidate(content: str, *citations: Citation, **more: object) -> Candidate:
    """A candidate with one citation of its own words in session 1."""
    known: dict[str, object] = {
        "content": content,
        "confidence": 0.7,
        "citations": citations or (citation(content),),
        "found_by": "test",
    }
    return Candidate(**{**known, **more})


def taken(*candidates: Candidate, known: tuple[MemoryFact, ...] = (), **more: object) -> Acceptance:
    return accept(candidates, known=known, now=NOW, **more)  # type: ignore[arg-type]


def nothing(acceptance: Acceptance) -> bool:
    return acceptance == Acceptance(refused=acceptance.refused)


def test_new_fact() -> None:
    """A candidate becomes a fact dated by its earliest evidence, which comes first."""
    late, early = citation("later", session="s4"), citation("early", session="s2")
    (found,) = taken(candidate("Use uv", late, early, reason="it is fast", tags=("tooling",))).added
    assert (found.content, found.reason, found.tags) == ("Use uv", "it is fast", ("tooling",))
    assert [one.quote for one in found.citations] == ["early", "later"]
    assert found.source_session_id == session_hash("s2")
    assert early.at
    assert found.timestamp == int(early.at.timestamp() * 1000)


def test_no_time() -> None:
    """Evidence without a time is dated now, and is no news the next time."""
    first = taken(candidate("Use uv", citation(at=None)))
    assert first.added[0].timestamp == NOW
    again = accept([candidate("Use uv", citation(at=None))], known=first.added, now=NOW + 1)
    assert nothing(again)


@cases(
    ("content", "quote", "turn"),
    [
        pytest.param("Use uv", "Use uv", 1, id="the same again"),
        pytest.param("Always use uv!", "always use uv!", 1, id="another cut of the same turn"),
        pytest.param("Install tools with uv", "Use uv", 1, id="worded otherwise from the same words"),
    ],
)
def test_known(content: str, quote: str, turn: int) -> None:
    """What is known by id, words or evidence is no new fact."""
    known = taken(candidate("Use uv")).added
    found = taken(candidate(content, citation(quote, turn=turn)), known=known)
    assert found.added == ()
    assert {one.content for one in (*known, *found.updated)} == {"Use uv"}


def test_more_evidence() -> None:
    """Nearly the same words in another session add their evidence, the earliest first, and raise the confidence."""
    known = taken(candidate("Never mock the database in integration tests", citation("no mocks", session="s5"))).added
    again = candidate("Don't mock databases in integration tests", citation("don't mock", session="s2"))
    (found,) = taken(again, known=known).updated
    assert found.content == known[0].content
    assert [one.quote for one in found.citations] == ["don't mock", "no mocks"]
    assert found.source_session_id == session_hash("s2")
    assert found.confidence == pytest.approx(0.76)


def test_two_facts_of_one_sentence() -> None:
    """Two facts cut from the same words are two, the first time and again."""
    both = [
        candidate(content, citation("use uv and never push to main")) for content in ("Use uv", "Never push to main")
    ]
    known = taken(*both).added
    assert len(known) == 2
    assert nothing(taken(*both, known=known))


@cases("trust", [Trust.AGENT, Trust.CLAIMED])
def test_what_others_worded_is_worded_by_the_person(trust: Trust) -> None:
    """A fact that so far only a document or a claim tells gets the person's words with their evidence."""
    others = fact("Always keep amounts as integers in cents", citations=(citation("a document", trust=trust),))
    (found,) = taken(candidate("Keep amounts as integers in cents always"), known=(others,)).updated
    assert (found.id, found.content) == (others.id, "Keep amounts as integers in cents always")
    assert [one.trust for one in found.citations] == [trust, Trust.TYPED]


def test_confidence_counts_typed_sessions() -> None:
    """Repetition in one session, and what others wrote, raise nothing."""
    same = [candidate("Use uv", citation(f"uv {turn}", turn=turn), confidence=0.5) for turn in range(9)]
    assert taken(*same).added[0].confidence == 0.5
    claims = [citation(session=f"s{day}", trust=Trust.CLAIMED) for day in range(9)]
    assert taken(candidate("Use uv", *claims, confidence=0.99)).added[0].confidence == 0.5
    typed = [candidate("Use uv", citation(session=f"s{day}"), confidence=0.7) for day in range(4)]
    assert taken(*typed).added[0].confidence == pytest.approx(1 - 0.3 * 0.8**3, abs=0.002)


@cases("trust", [Trust.QUOTED, Trust.OUTSIDE])
def test_not_said(trust: Trust) -> None:
    """What was only quoted, pasted or read becomes nothing, and that is said."""
    found = taken(candidate("Use uv", citation(trust=trust)))
    assert nothing(found)
    assert [one.why for one in found.refused] == ["not your own statement; the text was only quoted or read"]


def test_forgotten() -> None:
    """A forgotten fact comes back neither by its evidence nor by its words."""
    (known,) = taken(candidate("Use uv")).added
    tombstones = [forgetting(known)]
    others = [
        candidate("Use uv"),
        candidate("Prefer uv over pip", citation("Use uv")),
        candidate("use  UV.", citation("use uv, really", session="s9")),
    ]
    found = taken(*others, tombstones=tombstones)
    assert nothing(found)
    assert [one.why for one in found.refused] == ["you asked memsuggest to forget this fact"] * 3


def test_asked_for_anew() -> None:
    """A directive typed after forgetting brings the fact back; reading the old one again does not."""
    (known,) = taken(candidate("Use uv", explicit=True)).added
    tombstones = [forgetting(known)]
    assert nothing(taken(candidate("Use uv", explicit=True), tombstones=tombstones))
    found = taken(candidate("Use uv", citation("remember: Use uv", session="s3"), explicit=True), tombstones=tombstones)
    assert found.added == found.revived
    assert [one.id for one in found.added] == [known.id]


def test_dismissed_until_said_again() -> None:
    """Only words of another turn lift a dismissal; an applied suggestion stays applied."""
    known = taken(candidate("Use uv")).added
    dismissed = Decision(fact_id=known[0].id, target=None, status=SuggestionStatus.DISMISSED)
    here = replace(dismissed, target="AGENTS.md")
    applied = replace(dismissed, target="x.md", status=SuggestionStatus.APPLIED)
    decisions = [dismissed, here, applied]
    same_turn = candidate("Use uv", citation("use uv!"))
    assert taken(same_turn, known=known, decisions=decisions).lifted == ()
    claimed = candidate("Use uv", citation(session="s2", trust=Trust.CLAIMED))
    assert taken(claimed, known=known, decisions=decisions).lifted == ()
    again = taken(candidate("Use uv", citation("use uv", session="s2")), known=known, decisions=decisions)
    assert [(decision.target, decision.status.value) for decision in again.lifted] == [
        (None, "pending"),
        ("AGENTS.md", "pending"),
    ]


def test_team_fact() -> None:
    """A fact that only the team had is taken in under its id and words; its first evidence is no news."""
    mine = taken(candidate("Use uv", citation("use uv", session="s2"))).added[0]
    team = entries.fact_of(entries.entry_of(replace(mine, id="f00d", content="Use uv for everything Python")))
    dismissed = Decision(fact_id="f00d", target=None, status=SuggestionStatus.DISMISSED)
    said = candidate("use uv for everything Python", citation("use uv", session="s2"))
    found = taken(said, known=(team,), decisions=[dismissed])
    assert [(one.id, one.content) for one in found.added] == [("f00d", "Use uv for everything Python")]
    assert [one.trust for one in found.added[0].citations] == [Trust.TYPED]
    assert found.lifted == ()
    other = taken(replace(said, citations=(citation(session="s7"),)), known=(team,), decisions=[dismissed])
    assert len(other.lifted) == 1


def test_scopes_are_apart() -> None:
    """The same words for the workspace and for the person are two facts."""
    known = taken(candidate("Use uv", scope=Scope.USER)).added
    found = taken(candidate("Use uv", citation("use uv", session="s2")), known=known)
    assert len(found.added) == 1


def test_update_retires() -> None:
    """What is said to change replaces the older rule, which keeps its evidence and points on."""
    old = taken(candidate("Prefix helpers with `x_`", citation("x_", session="s1"))).added
    new = candidate("Prefix helpers with `y_`", citation("from now on y_", session="s3"), tags=("update",))
    found = taken(new, known=old)
    (retired,) = found.retired
    assert (retired.id, retired.status, retired.superseded_by) == (old[0].id, FactStatus.INACTIVE, found.added[0].id)
    known = (*found.added, *found.retired)
    assert nothing(taken(candidate("Prefix helpers with `x_`", citation("x_", session="s1")), new, known=known))


def test_update_of_something_later() -> None:
    """An old chat that is read late retires nothing that was said since."""
    known = taken(candidate("Prefix helpers with `x_`", citation("x_", session="s5"))).added
    late = candidate("Prefix helpers with `y_`", citation("from now on y_", session="s3"), tags=("update",))
    found = taken(late, known=known)
    assert found.retired == ()


def test_claimed_update_retires_nothing() -> None:
    """What others wrote cannot end what the person said."""
    known = taken(candidate("Prefix helpers with `x_`")).added
    claim = citation("from now on y_", session="s3", trust=Trust.CLAIMED)
    assert taken(candidate("Prefix helpers with `y_`", claim, tags=("update",)), known=known).retired == ()


def test_back_again() -> None:
    """A retired rule that the person says again later is in force again."""
    tabs = candidate("Use tabs", citation("tabs", session="s1"))
    spaces = candidate("Use spaces", citation("from now on spaces", session="s2"), tags=("update",))
    first = taken(tabs, spaces)
    assert {one.content: one.status for one in first.added} == {
        "Use tabs": FactStatus.INACTIVE,
        "Use spaces": FactStatus.ACTIVE,
    }
    back = candidate("Use tabs", citation("tabs again from now on", session="s3"), tags=("update",))
    found = taken(back, known=first.added)
    assert [(one.content, one.status) for one in found.updated] == [("Use tabs", FactStatus.ACTIVE)]
    assert [one.content for one in found.retired] == ["Use spaces"]


def test_flood() -> None:
    """One session brings only so many new facts; directives and other sessions are not counted out."""
    flood = [candidate(f"Rule {number} is about thing{number}", citation(f"{number}")) for number in range(500)]
    asked = candidate("Remember me", citation("remember me"), explicit=True)
    other = candidate("Use uv", citation("use uv", session="s2"))
    found = taken(*flood, asked, other)
    assert len(found.added) == SESSION_QUOTA + 2
    assert len(found.refused) == 500 - SESSION_QUOTA
    again = taken(*flood, known=found.added)
    assert again.added == ()


contents = st.sampled_from(["Use uv", "Use tabs", "Use spaces", "use uv!", "Never use uv", "Keep lines below 80", "x"])
days = st.integers(1, 5).map(lambda day: f"s{day}")
drawn = st.builds(
    lambda content, session, turn, tags: candidate(content, citation(content, session=session, turn=turn), tags=tags),
    contents,
    days,
    st.integers(1, 3),
    st.sampled_from([(), ("update",)]),
)


@given(st.lists(drawn, max_size=12))
def test_reading_again_changes_nothing(candidates: list[Candidate]) -> None:
    """Whatever was taken in is no news when it comes again; nothing is ever lost."""
    known = {one.id: one for one in taken(*candidates).added}
    again = taken(*candidates, known=tuple(known.values()))
    known |= {one.id: one for one in (*again.updated, *again.retired)}
    assert again.added == taken(*candidates, known=tuple(known.values())).added == ()
    assert {one.evidence_key for each in candidates for one in each.citations} == {
        one.evidence_key for each in known.values() for one in each.citations
    }
