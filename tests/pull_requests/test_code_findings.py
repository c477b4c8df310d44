"""Findings for code hosts: SARIF as its schema says, Code Quality as GitLab's page says; hostile words stay words."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from comment_kit import HOSTILE
from jsonschema_rs import Draft202012Validator
from pull_requests.test_pull_request_comment import proposal, report

from memsuggest.core.model import Edit
from memsuggest.customizations.diff import line_change
from memsuggest.pull_requests.code_findings import render_code_quality, render_sarif
from memsuggest.pull_requests.comment_text import PullRequestReport, ReviewProposal

SCHEMA = Path(__file__).parent.parent / "schemas/sarif-2.1.0.schema.json"


@pytest.fixture(scope="module", name="sarif_schema")
def _sarif_schema() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def edited(before: str | None, after: str, *, path: str = "AGENTS.md", **fields: Any) -> ReviewProposal:
    one = proposal()
    edit = Edit(path=path, before=before, after=after)
    suggestion = replace(one.suggestion, edit=edit, target_uri=path, **fields)
    return replace(one, suggestion=suggestion, change=line_change(edit))


def results(made: PullRequestReport) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(render_sarif(made))["runs"][0]["results"]
    return found


def fixed(before: str, result: dict[str, Any]) -> str:
    """The text once a tool applied the fix: lines and columns from 1, a last line without a column up to its end."""
    ((change,),) = [fix["artifactChanges"] for fix in result["fixes"]]
    (replacement,) = change["replacements"]
    region, text = replacement["deletedRegion"], replacement["insertedContent"]["text"]
    lines = io.StringIO(before, newline="").readlines()
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    first = starts[region["startLine"] - 1] + region.get("startColumn", 1) - 1
    if "endColumn" in region:
        last = starts[region["endLine"] - 1] + region["endColumn"] - 1
    else:
        last = starts[region["endLine"] - 1] + len(lines[region["endLine"] - 1].rstrip("\r\n"))
    return before[:first] + text + before[last:]


REPORTS = {
    "nothing": report(),
    "several": report(proposal(), proposal(name="cd34", executable=True), proposal(name="ef56", in_diff=True)),
    "new file": report(edited(None, "# Shop\n", path="docs/a b%20ü.md")),
    "replaces": report(edited("- Use npm.\n", "- Use pnpm.\n", replaces="- Use npm.")),
    **{text[:20]: report(proposal(text)) for text in HOSTILE},
}


@cases("name", REPORTS)
def test_sarif_is_what_its_schema_says(name: str, sarif_schema: Draft202012Validator) -> None:
    """Whatever is told, and however hostile its words are."""
    log = json.loads(render_sarif(REPORTS[name]))
    assert [error.message for error in sarif_schema.iter_errors(log)] == []
    (run,) = log["runs"]
    assert len(run["results"]) == len(REPORTS[name].proposals)
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


TEXTS = [
    ("# Shop\n\n- Use npm.\n", "# Shop\n\n- Use npm.\n- Mock nothing.\n"),
    ("# Shop\r\n\r\n- Use npm.\r\n", "# Shop\r\n\r\n- Use npm.\r\n- Mock nothing.\r\n"),
    ("# Shop\n\n- Use npm.\n- Mock all.\n\nEnd\n", "# Shop\n\n- Use pnpm.\n\nEnd\n"),
    ("# Shop\n- a\n- b\n- c\n", "# Shop\n- a\n- c\n"),
]


@cases("before, after", TEXTS, ids=["added", "crlf", "replaced", "removed"])
def test_a_fix_makes_the_text_of_the_suggestion(before: str, after: str) -> None:
    """A tool that applies it gets what `apply` writes, byte for byte."""
    (result,) = results(report(edited(before, after)))
    assert fixed(before, result) == after


def test_no_fix_for_what_runs_or_hides() -> None:
    """Hooks are written by hand, and no click writes what nobody sees."""
    made = results(report(proposal(executable=True), edited("- a\n", "- a\n- x\u202ey\n")))
    assert ["fixes" in result for result in made] == [False, False]


def test_levels_and_places() -> None:
    """A line that says something else is a warning; paths are of the root, and percent-encoded."""
    replaced, new = results(report(edited("- a\n", "- b\n", replaces="- a"), edited(None, "# x\n", path="docs/a b.md")))
    assert (replaced["level"], new["level"]) == ("warning", "note")
    place = new["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "docs/a%20b.md", "uriBaseId": "%SRCROOT%"}}
    assert replaced["ruleId"] == "memsuggest/fact"


def test_fingerprints_hold_while_lines_move() -> None:
    """A finding is the same one above which lines came in; another rule, or another file, is another."""
    here, moved = edited("- a\n", "- a\n- b\n"), edited("x\ny\n- a\n", "x\ny\n- a\n- b\n")
    other, elsewhere = proposal(name="cd34"), edited("- a\n", "- a\n- b\n", path="CLAUDE.md")
    made = results(report(here, moved, other, elsewhere))
    marks = [result["partialFingerprints"]["memsuggestRule/v1"] for result in made]
    assert marks[0] == marks[1]
    assert len(set(marks)) == 3
    quality = json.loads(render_code_quality(report(here, moved, other, elsewhere)))
    assert [load["fingerprint"] for load in quality] == marks


def test_no_link_in_a_message() -> None:
    """What would be read as a link of SARIF's own is not one."""
    (result,) = results(report(proposal("see [here](https://x.example) and a[0]")))
    assert "see \\[here](" in result["message"]["text"]
    assert "a[0]" in result["message"]["text"]


def test_code_quality() -> None:
    """Every finding has what GitLab needs of it; a new file's is at its first line."""
    text = render_code_quality(report(proposal(), edited(None, "# x\n", path="docs/new.md", replaces="")))
    first, second = json.loads(text)
    assert first == {
        "description": "Never mock the database. (in the team's facts)",
        "check_name": "memsuggest/fact",
        "fingerprint": first["fingerprint"],
        "severity": "info",
        "location": {"path": "AGENTS.md", "lines": {"begin": 3}},
    }
    assert second["location"] == {"path": "docs/new.md", "lines": {"begin": 1}}
    assert text.isascii()
