"""What a model is shown of a rule, and when it is asked anew."""

from __future__ import annotations

import json

from builders import fake_token
from judging_kit import AGENTS, RULE, TESTS, TESTS_FILE, case, fact, files

from memsuggest.core.model import Citation
from memsuggest.judging.verdicts.cases import KNOWN, LINES, KnownFact, portions, question_about
from memsuggest.suggestions.judge_rules import RuleCases
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


def told(of):
    """The objects of a question, by their names."""
    lines = [json.loads(line) for line in question_about([of], about="").data.split("\n")]
    return {line.get("place") or line.get("line") or line["rule"]: line for line in lines}


def test_places_lines_and_known_rules_are_shown() -> None:
    """The nearest of each, every name that the rule gives among them."""
    one = case(RULE, "we do not mock the harbour", "Ferries are blue")
    found = told(one)
    rule = found[one.name]
    assert {found[name]["path"] for name in rule["places"]} == {"AGENTS.md", TESTS_FILE}
    lines = [found[name] for name in rule["lines"]]
    assert {"at": f"{TESTS_FILE}:13", "under": "Doubles", "loaded": "tests/**"}.items() <= lines[0].items()
    assert [found[name]["says"] for name in rule["known"]] == ["we do not mock the harbour"]
    assert len(rule["lines"]) <= LINES and len(rule["known"]) <= KNOWN


def test_no_secret_is_shown() -> None:
    """Lines are redacted before they are cut."""
    secret = fake_token()
    text = TESTS.replace("mocks in a test\n", f"mocks in a test with {secret}\n")
    assert secret not in question_about([case(index=files(**{TESTS_FILE: text}))], about="").data


def test_a_file_of_a_folder_says_when_it_is_loaded() -> None:
    """An always-on file below the root is loaded for its folder alone."""
    found = told(case(index=files(**{"tests/AGENTS.md": "# Tests\n\n- Never mock the harbour\n"})))
    (nested,) = [one for one in found.values() if one.get("path") == "tests/AGENTS.md"]
    assert nested["applies_to"] == "tests/**"


def test_places_that_nobody_reads_are_not_shown() -> None:
    """A person who only ever talks to one assistant is offered the files that it reads, where there is one."""
    cited = Citation(session_id="s", turn=1, quote=RULE, format="claude-code")
    index = files(**{"CLAUDE.md": AGENTS})
    shown = RuleCases(index, [KnownFact(fact=fact(), state="pending")]).of(fact(citations=(cited,)))
    assert [place.uri for place in shown.places] == ["CLAUDE.md"]


def test_when_it_is_asked_anew() -> None:
    """Other words, or another line of the files next to the rule; not a line that we wrote, or a far one."""
    basis = case().basis
    assert case("Never mock the harbour database.").basis != basis
    said = "- The harbour database is never mocked in tests\n"
    assert case(index=files(**{TESTS_FILE: TESTS + said})).basis != basis
    own = ("The harbour database is never mocked in tests",)
    assert case(index=files(**{TESTS_FILE: TESTS + said}), own=own).basis == basis
    assert case(index=files(**{"AGENTS.md": AGENTS + "- Ferries are blue\n"})).basis == basis


def test_a_rule_alone_is_asked_about() -> None:
    """Where there is no file, line or other rule, a model says if a rule weakens safety; of a maybe nothing."""
    cases = RuleCases(WorkspaceIndex([], tracked_paths=(), root="/repo"), [])
    alone = cases.of(fact())
    assert not (alone.places or alone.lines or alone.known)
    assert alone.is_worth_asking
    assert not cases.of(fact(), is_maybe=True).is_worth_asking


def test_a_question_has_its_limit() -> None:
    """Many rules are asked about in several questions, none of them left out."""
    many = [case(f"Never mock the database of harbour {number}.") for number in range(40)]
    cut = list(portions(many, most=2_000))
    assert len(cut) > 1
    assert [one for portion in cut for one in portion] == many
