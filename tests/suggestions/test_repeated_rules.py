"""What a file says twice is found, and what only looks like it is left."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.existing.repeated_rules import repeats

RULE = "Every public function of the payment package needs a docstring with an example"

TWICE = [
    pytest.param(f"- {RULE}.", f"- {RULE}", id="the same words"),
    pytest.param(f"- {RULE}.", f"* **{RULE}**", id="other marks"),
]
ONCE = [
    pytest.param(f"- {RULE}.", "- Every public function of the payment package needs a type hint", id="other subject"),
    pytest.param(f"- {RULE}.", f"- Never: {RULE}", id="turned round"),
    pytest.param(
        "- Retry a failed upload 3 times in CI jobs", "- Retry a failed upload 5 times in CI jobs", id="number"
    ),
    pytest.param("- Run `pytest`", "- Run `pytest`", id="too short to be no chance"),
    pytest.param(f"- {RULE}.", f"## Examples\n\n- {RULE}.", id="an example"),
    pytest.param(f"- {RULE}.", f"1. {RULE}.", id="a step"),
    pytest.param(f"- {RULE}.", f"- {RULE}:\n  - in its first line", id="with more below it"),
]


@cases(("first", "second"), TWICE)
def test_twice(first: str, second: str) -> None:
    """The later of two like items is needless."""
    (found,) = repeats(target_from("AGENTS.md", f"# A\n\n{first}\n\n## B\n\n- Something else\n{second}\n"))
    assert (found.kept.start, found.needless.start) == (2, 7)


def test_the_fuller_one_is_kept() -> None:
    """Of two items the one that says more stays, wherever it stands."""
    (found,) = repeats(target_from("AGENTS.md", f"# A\n\n- {RULE}\n\n## B\n\n- {RULE} and a doctest\n"))
    assert found.kept.start == 6


@cases(("first", "second"), ONCE)
def test_once(first: str, second: str) -> None:
    """Another rule, a short one, a step and an example are no repetition."""
    assert repeats(target_from("AGENTS.md", f"# A\n\n{first}\n\n## B\n\n{second}\n")) == []
