"""A section that shares nothing with a rule is no place for it."""

from __future__ import annotations

import pytest

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.placement.section_veto import is_place_for, settled
from memsuggest.suggestions.ranking.match import Ranked

TEXT = (
    "# App\n\n## Deployment\n\n- Roll out on Mondays\n\n## Working rules\n\n- One\n\n"
    "## Map\n\n- [Queries](docs/queries.md)\n- [Importer](docs/importer.md)\n\n## Examples\n\n- queries\n\n"
    "## Writing tests\n\n- Be brief\n"
)


@pytest.mark.parametrize(
    ("rule", "heading", "is_place"),
    [
        pytest.param("A tenant is an organisation", "Deployment", False, id="nothing shared"),
        pytest.param("Mondays are for rolling out", "Deployment", True, id="words shared"),
        pytest.param("A tenant is an organisation", "Working rules", True, id="rules of all sorts"),
        pytest.param("Keep queries in one file", "Map", False, id="a list of links"),
        pytest.param("[Queries of old](docs/old.md) are frozen", "Map", True, id="one more link"),
        pytest.param("Keep queries in one file", "Examples", False, id="examples"),
        pytest.param("Never mock the clock", "Writing tests", True, id="the same topic"),
    ],
)
def test_is_place_for(rule: str, heading: str, is_place: bool) -> None:
    """What a section shares with a rule makes it a place, and so does a heading that takes every rule."""
    target = target_from("AGENTS.md", TEXT)
    section = next(one for one in target.sections if one.heading == heading)
    assert is_place_for(rule, section, target.text) is is_place


def test_a_section_that_is_dropped_is_no_reason() -> None:
    """The reason does not name a section that the rule does not go to."""
    target = target_from("AGENTS.md", TEXT)
    section = next(one for one in target.sections if one.heading == "Deployment")
    why = "it is always loaded, and its section “Deployment” speaks of “keep” and “a, b”"
    done = settled(Ranked(target=target, section=section, score=0.5, why=why), "A tenant is an organisation")
    assert (done.section, done.why) == (None, "it is always loaded")
