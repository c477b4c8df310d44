"""What could be a rule: kept aside, raised by a model or the person, and bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases
from facts.fakes import MONDAY, citation, fact

from memsuggest.core.identity import hash_of
from memsuggest.core.model import (
    SUGGEST_FROM,
    Candidate,
    Citation,
    Decision,
    FactStatus,
    MemoryFact,
    Outcome,
    SuggestionStatus,
    Trust,
    is_maybe,
)
from memsuggest.facts.accept import SESSION_QUOTA, Acceptance, accept, forgetting
from memsuggest.facts.stores import MOST_MAYBES, maybes_beyond_bound, most_repeated_first

NOW = MONDAY + 90 * 86_400_000
SAID = "so lets go with pnpm for this then"


def maybe(content: str = SAID, *citations: Citation, **more: object) -> Candidate:
    """A candidate that is not sure enough to be suggested."""
    known: dict[str, object] = {"content": content, "confidence": 0.4, "found_by": "test"}
    return Candidate(**{**known, "citations": citations or (citation(content),), **more})


def clear(content: str, *citations: Citation, **more: object) -> Candidate:
    return maybe(content, *citations, **{"confidence": 0.8, **more})


def taken(*candidates: Candidate, known: tuple[MemoryFact, ...] = (), **more: object) -> Acceptance:
    return accept(candidates, known=known, now=NOW, **more)  # type: ignore[arg-type]


def kept(*candidates: Candidate) -> MemoryFact:
    """The one maybe that candidates come to."""
    (found,) = taken(*candidates).added
    assert is_maybe(found)
    return found


@cases(
    ("confidence", "trust", "outcome"),
    [
        pytest.param(SUGGEST_FROM, Trust.TYPED, Outcome.SUGGEST, id="from the bound on"),
        pytest.param(0.59, Trust.TYPED, Outcome.MAYBE, id="below it"),
        pytest.param(0.95, Trust.DOUBTFUL, Outcome.MAYBE, id="doubtful words"),
    ],
)
def test_outcome(confidence: float, trust: Trust, outcome: Outcome) -> None:
    """Confidence decides; what rests on doubtful words alone is never a suggestion, and its fact neither."""
    said = clear("Use pnpm", citation(trust=trust), confidence=confidence)
    assert said.outcome is outcome
    assert [one.outcome for one in taken(said).added] == [outcome]


@cases("trust", [Trust.TYPED, Trust.DOUBTFUL, Trust.CLAIMED, Trust.AGENT])
def test_said_again_in_other_sessions(trust: Trust) -> None:
    """A question that is asked in forty chats is no rule: repetition moves it up among the maybes, and no further."""
    known = kept(maybe())
    for number in range(2, 42):
        result = taken(
            maybe(f"{SAID}!", citation(SAID, session=f"s{number % 20 + 2}", turn=number, trust=trust)), known=(known,)
        )
        assert (result.raised, result.added) == ((), ())
        known = result.updated[0] if result.updated else known
        assert is_maybe(known)
    assert (known.confidence, len(known.citations) > 9) == (0.4, trust is not Trust.CLAIMED)
    assert most_repeated_first([kept(maybe("so maybe tabs")), known])[0] == known or trust is Trust.CLAIMED


def test_a_clear_statement_raises_it() -> None:
    """It takes over the clearer words and keeps the id, so that it is one fact."""
    known = kept(maybe())
    (raised,) = taken(clear(f"{SAID}.", citation(session="s2"), explicit=True), known=(known,)).raised
    assert (raised.id, raised.content, raised.confidence) == (known.id, f"{SAID}.", 0.84)


def test_a_model_agrees() -> None:
    """A model that makes a rule of the same words, cut otherwise, raises the maybe; a second rule is another fact."""
    quote = "so lets go with pnpm for this then, and no yarn"
    known = kept(maybe(quote, citation(quote)))
    told = (
        clear("Use pnpm.", citation("lets go with pnpm for this")),
        clear("Do not use yarn.", citation("and no yarn")),
    )
    result = taken(*told, known=(known,))
    assert [(one.id, one.content) for one in result.raised] == [(known.id, "Use pnpm.")]
    assert [one.content for one in result.added] == ["Do not use yarn."]
    same_quote = taken(clear("Use pnpm.", citation(quote)), known=(known,))
    assert [one.content for one in same_quote.raised] == ["Use pnpm."]


def test_a_dismissed_one_stays_away() -> None:
    """Other weak words do not bring it back, a clear statement does."""
    known = kept(maybe())
    dismissed = [Decision(fact_id=known.id, target=None, status=SuggestionStatus.DISMISSED)]
    again = taken(maybe(SAID, citation(SAID, session="s2")), known=(known,), decisions=dismissed)
    assert again == Acceptance()
    told = taken(clear(SAID, citation(SAID, session="s3")), known=(known,), decisions=dismissed)
    assert [decision.status for decision in told.lifted] == [SuggestionStatus.PENDING]
    assert len(told.raised) == 1


def test_a_forgotten_one_stays_away() -> None:
    """Neither the same words of another day nor another cut of its quote come back, and nobody is told."""
    known = kept(maybe())
    tombstones = [forgetting(known)]
    assert taken(maybe(SAID, citation(SAID, session="s2")), tombstones=tombstones) == Acceptance()
    assert taken(maybe("Go with pnpm", citation(SAID)), tombstones=tombstones) == Acceptance()
    pasted = clear(SAID, citation(SAID, session="s2", trust=Trust.DOUBTFUL), explicit=True)
    assert taken(pasted, tombstones=tombstones) == Acceptance()


def test_it_changes_nothing_that_counts() -> None:
    """It ends no fact, contradicts none, lifts no dismissal and brings nothing back that was replaced."""
    tabs = fact("Use tabs", citations=(citation("Use tabs"),))
    spaces = maybe("Do not use tabs", citation("hm, no tabs", session="s5"), tags=("update",))
    result = taken(spaces, known=(tabs,))
    assert (result.retired, result.updated) == ((), ())
    decisions = [Decision(fact_id=tabs.id, target=None, status=SuggestionStatus.DISMISSED)]
    again = maybe("Use tabs", citation("tabs i guess", session="s5"))
    assert taken(again, known=(tabs,), decisions=decisions).lifted == ()
    old = replace(tabs, status=FactStatus.INACTIVE, superseded_by="x")
    assert all(one.status is FactStatus.INACTIVE for one in taken(again, known=(old,)).updated)


def test_what_others_say_weakly_is_nothing() -> None:
    """Of a transcript that may be anybody's, only what is said outright is kept, as a claim."""
    assert taken(maybe(SAID, citation(SAID, trust=Trust.CLAIMED))) == Acceptance()
    assert len(taken(clear(SAID, citation(SAID, trust=Trust.CLAIMED))).added) == 1


def test_it_takes_no_room_of_facts() -> None:
    """A session full of maybes leaves room for its rules, and has a bound of its own, without a word."""
    many = [maybe(hash_of(str(turn)), citation(turn=turn)) for turn in range(1, SESSION_QUOTA + 20)]
    result = taken(*many, clear("Use uv", citation("Use uv", turn=90)))
    assert sum(map(is_maybe, result.added)) == SESSION_QUOTA
    assert [one.content for one in result.added if not is_maybe(one)] == ["Use uv"]
    assert result.refused == ()


def numbered(number: int, *, turns: int = 1) -> MemoryFact:
    """A maybe that is the younger the higher its number is."""
    said = tuple(citation(session="s1", turn=turn, at=None) for turn in range(turns))
    return fact(f"maybe {number}", confidence=0.4, citations=said, timestamp=MONDAY + number)


def test_the_bound() -> None:
    """The oldest go that were said once; what was dismissed stays known, what counts is not touched."""
    maybes = [numbered(0, turns=2), *(numbered(number) for number in range(1, MOST_MAYBES + 4))]
    assert [one.content for one in maybes_beyond_bound(maybes, dismissed={maybes[1].id})] == [
        "maybe 4",
        "maybe 3",
        "maybe 2",
    ]
    assert maybes_beyond_bound([replace(one, confidence=0.7) for one in maybes], dismissed=()) == []
