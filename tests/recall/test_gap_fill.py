"""What the person said and nobody wrote down: told from orders, questions, reports and the moment."""

from __future__ import annotations

import pytest

from memsuggest.model import Role, Scope, Transcript, Trust, Turn
from memsuggest.recall.gap_fill import Gap, gaps_in


def chat(*said: str, quoted: tuple[tuple[int, int], ...] = (), trust: Trust = Trust.TYPED) -> Transcript:
    turns: list[Turn] = []
    for number, text in enumerate(said):
        turns.append(Turn(number=2 * number + 1, role=Role.ASSISTANT, text="Done."))
        turns.append(Turn(number=2 * number + 2, role=Role.USER, typed=text, quoted=quoted))
    return Transcript(session_id="s", format="claude-code", origin="x", turns=tuple(turns), trust=trust)


def contents(*said: str) -> list[str]:
    return [gap.content for gap in gaps_in(chat(*said))]


@pytest.mark.parametrize(
    "said",
    [
        "The staging database is on db-staging-2 and is wiped every Sunday.",
        "Tomas approves the infrastructure budget.",
        "CI runs on self-hosted runners in Frankfurt.",
        "my timezone is Europe/Lisbon",
        "The feature flags live in config/flags.yaml",
        "a hold on a table expires after 20 minutes in the booking API",
        "harbour masters log in with Keycloak, the others with a mail link",
        "Unsere Testdatenbank liegt auf db-test-3.",
        "wir nutzen Keycloak für die Anmeldung",
    ],
)
def test_what_is_stated(said: str) -> None:
    """How something is with the team, the person or their things."""
    (gap,) = gaps_in(chat(said))
    assert gap.content.casefold() == said.casefold()
    assert gap.is_verbatim
    assert not gap.is_correction


@pytest.mark.parametrize(
    "said",
    [
        "The test is failing again on CI",
        "Check if the bookmarks are filtered by user id",
        "It is in src/app.ts",
        "The button is blue but should be green",
        "Is the staging database on db-staging-2?",
        "can you make the header of index.html sticky",
        "Fix the bug where the user is logged out of the API",
        "The problem is in auth.ts",
        "I have a file at src/x.ts",
        "the page is now broken in Safari",
        "The bundle of web/app is 2 mb, find out why",
        "Die Validierung ist zu optimistisch in CI, da stimmt was nicht",
        "der Test ist jetzt wieder rot in CI",
        "thanks!",
    ],
)
def test_what_is_not(said: str) -> None:
    """Orders, questions, reports, and what holds for the moment."""
    assert contents(said) == []


def test_a_correction_comes_first() -> None:
    """With the words that it is made of, and without the no."""
    gaps = gaps_in(chat("The mobile app uses the v2 API", "no, our API rate limit is 100 requests per minute, not 60."))
    assert [(gap.content, gap.is_correction) for gap in gaps] == [
        ("Our API rate limit is 100 requests per minute, not 60.", True),
        ("The mobile app uses the v2 API", False),
    ]


def test_whose_it_is() -> None:
    """What is about the person goes with them."""
    scopes = [gap.scope for gap in gaps_in(chat("my timezone is Europe/Lisbon", "our CI is on Buildkite"))]
    assert scopes == [Scope.USER, Scope.WORKSPACE]


def test_only_what_was_typed() -> None:
    """Neither what was quoted or pasted, nor what somebody else's transcript claims."""
    said = "The staging database is on db-staging-2."
    assert gaps_in(chat(said, quoted=((0, len(said)),))) == []
    assert gaps_in(chat(said, trust=Trust.CLAIMED)) == []


def test_what_became_a_rule_is_no_gap() -> None:
    """Extraction has it already."""
    assert contents("From now on the team always uses uv, never pip.") == []


def test_whether_words_are_the_persons() -> None:
    """A wording of ours is not."""
    gap = Gap(content="Use pnpm instead of npm.", quote="no, pnpm", scope=Scope.WORKSPACE, is_correction=True)
    assert not gap.is_verbatim
