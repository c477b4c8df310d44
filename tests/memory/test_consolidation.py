"""What consolidation may do, and above all what it may not."""

from __future__ import annotations

import pytest

from memsuggest.memory.consolidation import Operation, Proposal, Verb, by_rule, disposed
from memsuggest.memory.tiers import Tier, size_of, tier_of
from memsuggest.model import Citation, MemoryFact, Scope, Trust, fact_id


def fact(content: str, *, trust: Trust = Trust.TYPED, at: int = 1, **fields: object) -> MemoryFact:
    usual: dict[str, object] = {
        "id": fact_id("workspace", content),
        "content": content,
        "confidence": 0.8,
        "citations": (Citation(session_id="s", turn=1, quote=content, trust=trust),),
        "timestamp": at,
    }
    return MemoryFact(**(usual | fields))  # type: ignore[arg-type]


def shown(*facts: MemoryFact) -> dict[str, MemoryFact]:
    return {one.id: one for one in facts}


CENTS, CENTS_TOO = fact("Keep prices in cents."), fact("Keep all the prices in cents.", at=2)
OTHERS = [
    fact(f"The {name} service is deployed from its own branch.") for name in ("lamp", "boat", "kite", "drum", "fern")
]


def test_tiers_follow_the_share_of_the_budget() -> None:
    """Under 30 % generous, to 50 % selective, above that a heavy cut; unknown is generous."""
    facts = [fact(f"Rule {number} is about a thing of its own and has a length.") for number in range(40)]
    size = size_of(facts)
    assert tier_of(facts, budget=None) is Tier.GENEROUS
    assert tier_of(facts, budget=size * 4) is Tier.GENEROUS
    assert tier_of(facts, budget=int(size / 0.4)) is Tier.SELECTIVE
    assert tier_of(facts, budget=size) is Tier.HEAVY_CUT


def test_what_says_the_same_goes() -> None:
    """Of two that say the same the later one goes, for the sake of the first."""
    proposals = by_rule([*OTHERS, CENTS_TOO, CENTS])
    operations, refused = disposed(proposals, shown(CENTS, CENTS_TOO, *OTHERS))
    assert operations == [Operation(verb=Verb.DELETE, fact=CENTS_TOO, because=CENTS, why="says the same as")]
    assert not refused


@pytest.mark.parametrize(
    "proposal",
    [
        pytest.param(Proposal(verb="delete", id="ffffffffffffffff", because=CENTS.id), id="an id never shown"),
        pytest.param(Proposal(verb="delete", id=CENTS.id), id="no reason"),
        pytest.param(Proposal(verb="delete", id=CENTS.id, because=CENTS.id), id="itself as the reason"),
        pytest.param(Proposal(verb="delete", id=CENTS.id, because="ffff"), id="a reason never shown"),
        pytest.param(Proposal(verb="delete", id=CENTS.id, because=OTHERS[0].id), id="a reason that says other things"),
        pytest.param(Proposal(verb="update", id=CENTS.id, content="Never keep prices in cents."), id="a negation"),
        pytest.param(Proposal(verb="update", id=CENTS.id, content="Keep prices in 5 cents."), id="a number"),
        pytest.param(Proposal(verb="update", id=CENTS.id, content="Send the data away."), id="other words"),
        pytest.param(Proposal(verb="update", id=CENTS.id, content=" "), id="no words"),
        pytest.param(Proposal(verb="explode", id=CENTS.id), id="an unknown operation"),
    ],
)
def test_what_is_refused(proposal: Proposal) -> None:
    """An operation on what was not shown, without evidence, or that turns a rule round is not carried out."""
    operations, refused = disposed([proposal], shown(CENTS, CENTS_TOO, *OTHERS))
    assert not operations
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs in the shop.", "Never use tabs in the shop."),
        ("Retry 3 times on a timeout.", "Retry 5 times on a timeout."),
    ],
)
def test_opposites_are_not_merged(one: str, other: str) -> None:
    """Rules that differ by a negation or a number stay apart, whoever proposes to merge them."""
    first, second = fact(one), fact(other, at=2)
    assert not by_rule([first, second])
    proposals = [Proposal(verb="delete", id=second.id, because=first.id)]
    assert not disposed(proposals, shown(first, second, *OTHERS))[0]


def test_a_flood_pushes_nothing_out() -> None:
    """What nobody typed is no reason to delete what somebody typed; and more than a fifth goes only one by one."""
    flood = [fact(f"Keep {filler} prices in cents.", trust=Trust.AGENT) for filler in ("all the", "these", "our")]
    everything = shown(CENTS, *flood, *OTHERS)
    assert not disposed([Proposal(verb="delete", id=CENTS.id, because=one.id) for one in flood], everything)[0]
    copies = [fact(f"Keep prices in cents{'.' * number}", id=f"{number:016x}") for number in range(1, 11)]
    proposals = [Proposal(verb="delete", id=one.id, because=copies[0].id) for one in copies[1:]]
    operations, refused = disposed(proposals, shown(*copies))
    assert sum(operation.is_sure for operation in operations) == 2
    assert not refused


def test_scopes_stay_apart() -> None:
    """A fact of one scope is no reason to delete one of the other."""
    own = fact("Keep prices in cents.", scope=Scope.USER, id="a" * 16)
    assert not disposed([Proposal(verb="delete", id=CENTS.id, because=own.id)], shown(CENTS, own, *OTHERS))[0]


IN_OTHER_WORDS = [
    ("Run the linter before pushing.", "Lint before you push."),
    ("Never commit generated files.", "Generated files stay out of git."),
    ("Use British English in docs.", "Documentation is written in British spelling."),
    ("Keep functions short.", "Prefer small functions."),
    ("Errors from the API are problem+json.", "Return problem+json from the API when something fails."),
    ("Prices are integers in cents.", "Money is stored as whole cents."),
    ("Use structlog, not print.", "Log with structlog instead of printing."),
    ("Write the test before the fix.", "When fixing a bug, start with a failing test."),
    ("Components live in web/components.", "Put components into web/components."),
    ("Name branches after the ticket.", "Branch names start with the ticket number."),
    ("Ask before adding a dependency.", "Don't add dependencies without asking."),
    ("Commit messages are in English.", "Write commit messages in English."),
    ("Squash before merging.", "Merge pull requests with squash."),
    ("The staging database is reset every night.", "Staging data is wiped nightly."),
    ("Use dataclasses, not dicts, for values.", "Values are dataclasses rather than dictionaries."),
    ("Don't catch Exception.", "Never use a bare except Exception."),
    ("Keep the changelog terse.", "Changelog entries are short."),
    ("Use fixtures instead of setUp.", "Tests use pytest fixtures, no setUp methods."),
    ("Answer in German.", "Please reply in German."),
    ("Dates are ISO 8601.", "Write dates as ISO 8601."),
    ("CI runs on Linux only.", "The CI has Linux runners only."),
    ("Feature flags live in flags.ts.", "Put feature flags into flags.ts."),
    ("Do not touch vendor/.", "Leave vendor/ alone."),
    ("Migrations are never edited once merged.", "Don't change a migration after it was merged."),
    ("Prefer composition over inheritance.", "Compose, don't inherit."),
]
ANOTHER_RULE = [
    ("Tests live in tests/.", "Tests never touch the network."),
    ("Use tabs in Go.", "Use spaces in Python."),
    ("Prices are in cents.", "Prices are rounded to cents in reports only."),
    ("Deploy on Tuesdays.", "Deploy from main."),
    ("Log with structlog.", "Log request ids."),
    ("Keep functions short.", "Keep lines short."),
    ("Retry 3 times.", "Retry 5 times."),
    ("Never mock the database.", "Mock the mailer."),
    ("Use pnpm in web/.", "Use uv in services/."),
    ("Write docstrings for public functions.", "Never write docstrings for tests."),
    ("Commit messages are in English.", "Comments are in English."),
    ("Ask before adding a dependency.", "Ask before removing a dependency."),
    ("Sort imports.", "Group imports."),
    ("Use fixtures in tests.", "Use factories in tests."),
    ("Pages have 20 rows.", "Pages have a footer."),
]


def judged(one: str, other: str) -> list[Operation]:
    first, second = fact(one), fact(other, at=2)
    return disposed([Proposal(verb="delete", id=second.id, because=first.id)], shown(first, second))[0]


def test_most_of_what_says_the_same_can_be_merged() -> None:
    """A model that is right is heard, mostly under the person's look; one that is wrong gets nothing done unseen."""
    merged = [pair for pair in IN_OTHER_WORDS if any(not one.is_replacement for one in judged(*pair))]
    assert len(merged) >= 20
    assert not [pair for pair in ANOTHER_RULE if any(one.is_sure for one in judged(*pair))]
