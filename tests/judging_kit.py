"""Rules, files and answers for the tests of question two."""

from __future__ import annotations

import json
from typing import Any

from memsuggest.core.model import Citation, Kind, MemoryFact, Scope, fact_id
from memsuggest.customizations.discovery import target_from
from memsuggest.judging.verdicts.cases import KnownFact, RuleCase, headings_of, place_name, rule_name
from memsuggest.suggestions.judge_rules import RuleCases
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

AGENTS = (
    "# Ferries\n\n## Commands\n\n- Run `make test` before a commit\n- Build with at most 4 jobs\n\n"
    "## Style\n\n- Tests read like sentences\n- Log in English only\n"
)
TESTS = (
    '---\ndescription: "How tests are written"\napplyTo: "tests/**"\n---\n# Tests\n\n## Data\n\n'
    "- Build data in the test\n\n## Doubles\n\n- Prefer fakes to mocks in a test\n"
)
TESTS_FILE = ".github/instructions/tests.instructions.md"
RULE = "Never mock the harbour database in tests."


def fact(content: str = RULE, **more: Any) -> MemoryFact:
    citation = Citation(session_id="s", turn=1, quote=content, paths=("tests/test_orders.py",))
    known = {"kind": Kind.CONVENTION, "confidence": 0.9, "citations": (citation,), "timestamp": 1}
    return MemoryFact(id=fact_id(Scope.WORKSPACE, content), content=content, **{**known, **more})


def files(**more: str) -> WorkspaceIndex:
    texts = {"AGENTS.md": AGENTS, TESTS_FILE: TESTS} | more
    targets = [found for path, text in texts.items() if (found := target_from(path, text))]
    return WorkspaceIndex(targets, tracked_paths=("tests/test_orders.py", "src/orders.py"), root="/repo")


def case(content: str = RULE, *known: str, index: WorkspaceIndex | None = None, own: tuple[str, ...] = ()) -> RuleCase:
    """A rule with what is shown of it, some known rules among it."""
    others = [KnownFact(fact=fact(text), state="maybe") for text in known]
    return RuleCases(index or files(), others, own_words=own).of(fact(content))


def entry(of: RuleCase, becomes: str = "new", **said: Any) -> dict[str, Any]:
    """An entry of an answer; `place`, `heading`, `line` and `joins` are given by what they name."""
    places = {place.uri: place for place in of.places}
    target = places.get(said.get("place", ""))
    headings = {heading: name for name, heading in headings_of(target).items()} if target else {}
    lines = {line.words: line.name for line in of.lines}
    rules = {one.fact.content: rule_name(one.fact) for one in of.known}
    return {
        "rule": of.name,
        "becomes": becomes,
        "line": lines.get(said.get("line", ""), said.get("line", "")),
        "joins": [rules.get(one, one) for one in said.get("joins", [])],
        "place": place_name(target) if target else said.get("place", ""),
        "heading": headings.get(said.get("heading", ""), said.get("heading", "")),
        "also": [place_name(places[uri]) if uri in places else uri for uri in said.get("also", [])],
        "wording": said.get("wording", ""),
        "weakens": said.get("weakens", False),
    }


def verdicts_on(told: str, **said: Any) -> dict[str, Any]:
    """An answer to a whole question as it was sent: every rule goes to its first place, or becomes what is `said`.

    A rule without a place gets a file of its own.
    """
    found = []
    for line in told.split("\n"):
        shown = json.loads(line) if line.startswith('{"rule"') else {}
        if "places" in shown:
            nothing = {"becomes": "new", "line": "", "joins": [], "heading": "", "also": [], "wording": ""}
            found.append(
                nothing | {"rule": shown["rule"], "place": [*shown["places"], "new"][0], "weakens": False} | said
            )
    return {"verdicts": found}


def answer(*entries: dict[str, Any]) -> str:
    return json.dumps({"verdicts": list(entries)})


def proposed(content: str, quote: str, *, turn: int = 1, **fields: Any) -> dict[str, Any]:
    """A rule as a model says that it found it in a chat."""
    usual: dict[str, Any] = {
        "content": content,
        "reason": "",
        "kind": "convention",
        "scope": "workspace",
        "confidence": "high",
        "citations": [{"turn": turn, "file": "", "quote": quote}],
        "replaces": "",
    }
    return usual | fields


def reply(*found: dict[str, Any]) -> str:
    """A model's answer to what a chat holds."""
    return json.dumps({"facts": list(found), "injections": []})
