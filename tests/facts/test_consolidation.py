"""What goes by rule from what is remembered, and above all what does not."""

from __future__ import annotations

import pytest

from memsuggest.core.model import Citation, FactStatus, MemoryFact, Scope, Trust, fact_id
from memsuggest.facts.consolidate import Tier, find_merges, size_of, tier_of


def fact(content: str, *, trust: Trust = Trust.TYPED, at: int = 1, **fields: object) -> MemoryFact:
    usual: dict[str, object] = {
        "id": fact_id("workspace", content),
        "content": content,
        "confidence": 0.8,
        "citations": (Citation(session_id="s", turn=1, quote=content, trust=trust),),
        "timestamp": at,
    }
    return MemoryFact(**(usual | fields))  # type: ignore[arg-type]


CENTS, CENTS_TOO = fact("Keep prices in cents."), fact("Keep all the prices in cents.", at=2)
OTHERS = [
    fact(f"The {name} service is deployed from its own branch.") for name in ("lamp", "boat", "kite", "drum", "fern")
]


def gone(*facts: MemoryFact, tier: Tier = Tier.GENEROUS) -> list[tuple[str, str]]:
    return [(merge.fact.content, merge.because.content) for merge in find_merges(facts, tier=tier)]


def test_tiers_follow_the_share_of_the_budget() -> None:
    """Under 30 % generous, to 50 % selective, above that a heavy cut; unknown is generous."""
    facts = [fact(f"Rule {number} is about a thing of its own and has a length.") for number in range(40)]
    size = size_of(facts)
    assert tier_of(facts, budget=None) is Tier.GENEROUS
    assert tier_of(facts, budget=size * 4) is Tier.GENEROUS
    assert tier_of(facts, budget=int(size / 0.4)) is Tier.SELECTIVE
    assert tier_of(facts, budget=size) is Tier.HEAVY_CUT


def test_what_says_the_same_goes() -> None:
    """Of two that say the same the later one goes; what nobody typed goes for what somebody did, however old it is."""
    assert gone(*OTHERS, CENTS_TOO, CENTS) == [(CENTS_TOO.content, CENTS.content)]
    claimed = fact(CENTS.content, trust=Trust.CLAIMED, id="c" * 16)
    assert gone(*OTHERS, claimed, CENTS_TOO) == [(CENTS.content, CENTS_TOO.content)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Always squash before merging.", "Never squash before merging.", id="a negation"),
        pytest.param("Retry the upload 3 times.", "Retry the upload 5 times.", id="a number"),
        pytest.param("Use pnpm for the client.", "Use npm for the client.", id="a name"),
        pytest.param("Keep prices in cents.", "Prices are whole cents everywhere.", id="other words"),
    ],
)
def test_what_differs_stays(one: str, other: str) -> None:
    """Rules that differ by more than small words stay apart."""
    assert gone(fact(one), fact(other, at=2), tier=Tier.HEAVY_CUT) == []


def test_scopes_stay_apart() -> None:
    """A fact of one scope is no reason to let go of one of the other."""
    assert gone(CENTS, fact(CENTS_TOO.content, scope=Scope.USER)) == []


def test_what_was_replaced_goes_when_room_is_short() -> None:
    """Only for a fact that is there and in force, and what a person said only for what a person said."""
    new = fact("Use pnpm.", at=5)
    claimed = fact("Use yarn.", trust=Trust.CLAIMED, at=6)
    old = fact("Use npm.", status=FactStatus.INACTIVE, superseded_by=new.id)
    older = fact("Use bower.", status=FactStatus.INACTIVE, superseded_by=claimed.id)
    lost = fact("Use jspm.", status=FactStatus.INACTIVE, superseded_by="f" * 16)
    assert gone(new, claimed, old, older, lost) == []
    assert gone(new, claimed, old, older, lost, tier=Tier.SELECTIVE) == [("Use npm.", "Use pnpm.")]


def test_more_than_a_fifth_needs_a_look() -> None:
    """Beyond a fifth of all facts, each is asked about."""
    twins = [fact(one.content.replace("its own", "its own,"), at=2, id=f"{n:016x}") for n, one in enumerate(OTHERS)]
    assert [merge.is_sure for merge in find_merges([*OTHERS, *twins])] == [True, True, False, False, False]
