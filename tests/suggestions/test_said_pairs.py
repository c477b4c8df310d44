"""Whether a file says a rule already, however it is put; and what only looks like it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cases import cases
from edit_kit import fact_of

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import AlreadySaid, suggest

FOLDER = Path(__file__).with_name("said_pairs")
FILE = "# Shop\n\n## Overview\n\n- Carts expire.\n\n## Conventions\n\n- Prices have a currency.\n- {line}\n"
LEAST_OF_UNREAD = 23
"""Of 25 rules of the half that was measured once, those that were recognised then; two are still added."""


class Pair(NamedTuple):
    """A rule and a line."""

    is_said: bool
    style: str
    rule: str
    line: str

    @property
    def is_recognised(self) -> bool:
        """Whether the rule comes to nothing because of the line."""
        workspace_index = WorkspaceIndex([target_from("AGENTS.md", FILE.replace("{line}", self.line))])
        return isinstance(suggest(fact_of(self.rule), workspace_index), AlreadySaid)


def pairs_of(name: str, *, is_said: bool) -> list[Pair]:
    rows = [row.split(" | ") for row in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")]
    pairs = [Pair(row[0] == "said", *row[1:]) for row in rows if len(row) == 4]
    return [pair for pair in pairs if pair.is_said is is_said]


@cases("pair", pairs_of("tuned", is_said=True), ids=lambda pair: f"{pair.style}: {pair.rule}")
def test_said_in_other_words(pair: Pair) -> None:
    """Shorter, longer, in another order, mistyped, in German: what a line says is not said again."""
    assert pair.is_recognised


@cases(
    "pair",
    [*pairs_of("tuned", is_said=False), *pairs_of("once", is_said=False)],
    ids=lambda pair: f"{pair.style}: {pair.rule}",
)
def test_looks_alike(pair: Pair) -> None:
    """What has the words of a line and says something else is never swallowed."""
    assert not pair.is_recognised


def test_said_in_words_that_nobody_tuned_for() -> None:
    """The other half of the pairs is recognised as well, but for a few."""
    pairs = pairs_of("once", is_said=True)
    assert len(pairs) == 25
    assert sum(pair.is_recognised for pair in pairs) >= LEAST_OF_UNREAD
