"""What consolidation may do, and above all what it may not."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.memory.consolidation import Operation, Proposal, Verb, disposed
from memsuggest.memory.proposing import Tier, by_rule, size_of, tier_of
from memsuggest.model import Citation, MemoryFact, Scope, Trust, fact_id
from memsuggest.workflows.facts.proposals import why_not_words


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


@cases(
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


@cases(
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
    assert len(merged) >= 19
    assert not [pair for pair in ANOTHER_RULE if any(one.is_sure for one in judged(*pair))]


FLOATS = fact("Prices are never floats.", at=2)
MERGED = "Keep prices in cents, never floats."


def with_merge(content: str, *merged: MemoryFact) -> list[Proposal]:
    """What a model proposes to merge facts into a new wording of the first one."""
    deletes = [Proposal(verb="delete", id=one.id, because=CENTS.id) for one in merged]
    return [*deletes, Proposal(verb="update", id=CENTS.id, content=content)]


def test_a_merge_is_done_with_its_wording() -> None:
    """What goes into a new wording goes with it, and is shown after it."""
    operations, refused = disposed(with_merge(MERGED, FLOATS), shown(CENTS, FLOATS, *OTHERS))
    assert not refused
    assert [(one.verb, one.fact, one.needs_update) for one in operations] == [
        (Verb.UPDATE, CENTS, False),
        (Verb.DELETE, FLOATS, True),
    ]
    assert len({one.is_sure for one in operations}) == 1, "a merge is as sure as its wording"


@cases(
    "content",
    [
        pytest.param("Keep prices in 5 cents, never floats.", id="a number nobody said"),
        pytest.param("Keep prices in floats, never cents.", id="turned round"),
        pytest.param("Keep prices in cents, never floats. " * 9, id="too long"),
        pytest.param("Keep prices in cents, or send them to the shop of my friend, never floats.", id="nobody said"),
        pytest.param("Keep all prices in cents.", id="the merged one left out"),
    ],
)
def test_a_merge_falls_with_its_wording(content: str) -> None:
    """Where no wording says a fact, it stays, even one that looks like the other."""
    proposals = with_merge(content, FLOATS)
    operations, refused = disposed(proposals, shown(CENTS, FLOATS, *OTHERS), check=why_not_words)
    assert not [one for one in operations if one.verb is Verb.DELETE]
    assert any("new wording" in one.why for one in refused)


def test_a_merge_falls_with_the_wording_of_an_applied_fact() -> None:
    """What stands in a file keeps its words, and so nothing can be merged into it."""
    operations, _ = disposed(with_merge(MERGED, FLOATS), shown(CENTS, FLOATS, *OTHERS), applied={CENTS.id})
    assert not operations


def test_one_of_two_may_be_merged() -> None:
    """Of two facts the one that the new wording says goes; the other one stays."""
    other = fact("Prices are rounded down in every report.", at=3)
    operations, refused = disposed(with_merge(MERGED, FLOATS, other), shown(CENTS, FLOATS, other, *OTHERS))
    assert [one.fact for one in operations] == [CENTS, FLOATS]
    assert len(refused) == 1


def test_a_wording_that_changes_nothing_merges_as_before() -> None:
    """An update to the same words is none: what says the same still goes."""
    operations, refused = disposed(with_merge(CENTS.content, CENTS_TOO), shown(CENTS, CENTS_TOO, *OTHERS))
    assert [(one.verb, one.fact) for one in operations] == [(Verb.DELETE, CENTS_TOO)]
    assert [one.why for one in refused] == ["it changes nothing"]


@cases(
    ("old", "new"),
    [
        ("Use pnpm for installs.", "Install packages with bun from now on."),
        ("Use pnpm.", "We use bun now."),
        ("Unit tests run with jest.", "Vitest is our runner."),
        ("Indent with tabs.", "Two spaces from now on, please."),
    ],
)
def test_another_choice_is_offered(old: str, new: str) -> None:
    """What the person chose later may replace what they chose before, after a look; never the other way round."""
    first, second = fact(old), fact(new, at=2)
    everything = shown(first, second, *OTHERS)
    (operation,), _ = disposed([Proposal(verb="delete", id=first.id, because=second.id)], everything)
    assert operation.is_replacement
    assert not operation.is_sure
    assert not disposed([Proposal(verb="delete", id=second.id, because=first.id)], everything)[0]


@cases(
    ("one", "other"),
    [
        ("Never commit generated files.", "Generierte Dateien nie einchecken."),
        ("Write error messages in plain words.", "Fehlermeldungen immer verständlich schreiben."),
        ("Prices are integers in cents.", "Money is stored as whole cents."),
    ],
)
def test_the_same_in_other_words_or_languages_is_offered(one: str, other: str) -> None:
    """A look decides where code cannot compare the words."""
    assert [found.is_sure for found in judged(one, other)] == [False]
    assert [found.is_replacement for found in judged(one, other)] == [False]


@cases(
    ("one", "other"),
    [
        ("Never commit generated files.", "Generierte Dateien immer einchecken."),
        ("Retry 3 times.", "Bei einem Fehler 5 Mal wiederholen."),
        ("Use tabs in Go.", "In Python nur Leerzeichen nutzen."),
    ],
)
def test_the_contrary_in_another_language_is_not_the_same(one: str, other: str) -> None:
    """Another sign, number or limit keeps rules apart in any language that is read."""
    assert not [found for found in judged(one, other) if not found.is_replacement]


def test_many_loose_reasons_are_no_answer() -> None:
    """An answer that would have everything go for facts that share hardly a word is not gone through one by one."""
    english = fact("Write every message to the customer in plain words.")
    nouns = ("Handbuch", "Kochbuch", "Logbuch", "Fahrtenbuch", "Tagebuch")
    german = [fact(f"Das {noun} ist für alle gedacht.", at=3) for noun in nouns]
    everything = shown(english, *german, *OTHERS)
    proposals = [Proposal(verb="delete", id=one.id, because=english.id) for one in german]
    assert len(disposed(proposals[:3], everything)[0]) == 3
    assert not disposed(proposals, everything)[0]
