"""Suggestions for a pull request as other tools read them: SARIF, Code Quality, Reviewdog's; YAML of requests. Pure.

A finding keeps its fingerprint while its lines move: it is made of the rule and its file alone.
https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
Reviewdog: `reviewdog.rdf.DiagnosticResult` of its `proto/rdf`; columns are left out, since whole lines change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

import yaml

from memsuggest import __version__
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Kind, LineChange, MemorySuggestion
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.pull_requests.comment_text import Block, PullRequestReport, ReviewProposal, evidence_line

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "memsuggestRule/v1"
_RULES = {
    Kind.CORRECTION: "A correction given to an assistant",
    Kind.CONVENTION: "A convention of this repository",
    Kind.PREFERENCE: "A preference of the team",
    Kind.PROCEDURE: "A procedure of this repository",
    Kind.TERMINOLOGY: "A term used in this repository",
    Kind.FACT: "A fact about this repository",
    Kind.SKILL: "Instructions for a task",
    Kind.OBSERVATION: "An observation",
}
_CARE = ("care", "A customization file that needs maintenance")
_LINK = re.compile(r"\[(?=[^\]]*\]\()")
"""The beginning of what SARIF reads as a link within a message."""


def render_sarif(report: PullRequestReport) -> str:
    """Return one SARIF log, ASCII only, with a final newline."""
    names = [*(kind.value for kind in _RULES), _CARE[0]]
    run = {
        "tool": {"driver": {"name": "memsuggest", "version": __version__, "rules": _rules()}},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": [_result(proposal, names.index(_kind_of(proposal.suggestion))) for proposal in report.proposals],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def render_code_quality(report: PullRequestReport) -> str:
    """Return one array of GitLab's Code Quality findings, ASCII only, with a final newline."""
    return json.dumps([_quality_finding(proposal) for proposal in report.proposals], indent=2) + "\n"


def _quality_finding(proposal: ReviewProposal) -> dict[str, Any]:
    suggestion, change = proposal.suggestion, proposal.change
    return {
        "description": _message(suggestion),
        "check_name": _rule_id(_kind_of(suggestion)),
        "fingerprint": _fingerprint(suggestion),
        "severity": "minor" if suggestion.replaces else "info",
        "location": {"path": suggestion.edit.path, "lines": {"begin": change.last if change else 1}},
    }


def _rules() -> list[dict[str, Any]]:
    parts = [*((kind.value, text) for kind, text in _RULES.items()), _CARE]
    return [
        {"id": _rule_id(name), "shortDescription": {"text": f"{text}."}, "defaultConfiguration": {"level": "note"}}
        for name, text in parts
    ]


def _result(proposal: ReviewProposal, rule: int) -> dict[str, Any]:
    suggestion, change = proposal.suggestion, proposal.change
    place: dict[str, Any] = {"artifactLocation": _artifact(suggestion.edit.path)}
    if change is not None:
        place["region"] = _region(change)
    found: dict[str, Any] = {
        "ruleId": _rule_id(_kind_of(suggestion)),
        "ruleIndex": rule,
        "level": "warning" if suggestion.replaces else "note",  # a line of the file says something else
        "message": {"text": _LINK.sub(r"\\[", _message(suggestion))},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {_FINGERPRINT: _fingerprint(suggestion)},
    }
    if change is not None and _may_be_fix(suggestion, change):
        found["fixes"] = [_fix(suggestion, change)]
    return found


def _may_be_fix(suggestion: MemorySuggestion, change: LineChange) -> bool:
    """Tell if a tool may write it with one click: nothing that runs by itself, and no line that hides something."""
    text = "\n".join(change.lines)
    return not suggestion.executable and safe(text) == text


def _fix(suggestion: MemorySuggestion, change: LineChange) -> dict[str, Any]:
    """Return the lines to write; a region of whole lines ends before the end of its last one."""
    region, text = _region(change), _end_of(suggestion.edit.before or "").join(change.lines)
    if not change.lines:
        region = {"startLine": change.first, "startColumn": 1, "endLine": change.last + 1, "endColumn": 1}
    replacement = {"deletedRegion": region, "insertedContent": {"text": text}}
    changed = {"artifactLocation": _artifact(suggestion.edit.path), "replacements": [replacement]}
    return {"description": {"text": "Add the rule."}, "artifactChanges": [changed]}


def _end_of(text: str) -> str:
    """Return how the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def _region(change: LineChange) -> dict[str, int]:
    return {"startLine": change.first, "endLine": change.last}


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path), "uriBaseId": _ROOT}


def _kind_of(suggestion: MemorySuggestion) -> str:
    return suggestion.fact.kind.value if suggestion.fact else _CARE[0]


def _rule_id(kind: str) -> str:
    return f"memsuggest/{kind}"


def _fingerprint(suggestion: MemorySuggestion) -> str:
    return hash_of("finding", suggestion.about, suggestion.edit.path)


def _message(suggestion: MemorySuggestion) -> str:
    return f"{one_line(suggestion.content)} ({one_line(evidence_line(suggestion))})"


def render_rdjson(report: PullRequestReport) -> str:
    """Return one JSON document, ASCII only, with a final newline."""
    in_block = {proposal.suggestion.id for block in report.blocks for proposal in block.proposals}
    rest = [proposal for proposal in report.proposals if proposal.suggestion.id not in in_block]
    found = {
        "source": {"name": "memsuggest"},
        "severity": "INFO",
        "diagnostics": [*map(_of_block, report.blocks), *(_diagnostic(proposal, report) for proposal in rest)],
    }
    return json.dumps(found, indent=2) + "\n"


def _of_block(block: Block) -> dict[str, Any]:
    """Return the rules for one place as one diagnostic: a reviewer's tool takes one suggestion for a line."""
    first, said = block.proposals[0], " · ".join(_message(proposal.suggestion) for proposal in block.proposals)
    return _diagnostic_of(said, first, block.change, has_text=not first.suggestion.executable)


def _diagnostic(proposal: ReviewProposal, report: PullRequestReport) -> dict[str, Any]:
    change, suggestion = proposal.change, proposal.suggestion
    taken = [block.change for block in report.blocks if block.path == suggestion.edit.path]
    is_free = change is not None and not any(
        change.first <= other.last and other.first <= change.last for other in taken
    )
    return _diagnostic_of(_message(suggestion), proposal, change, has_text=is_free and not suggestion.executable)


def _diagnostic_of(
    message: str, proposal: ReviewProposal, change: LineChange | None, *, has_text: bool
) -> dict[str, Any]:
    location: dict[str, Any] = {"path": proposal.suggestion.edit.path}
    found: dict[str, Any] = {
        "message": message,
        "severity": "INFO",
        "code": {"value": proposal.suggestion.id},
        "location": location,
    }
    if change is not None:
        span = {"start": {"line": change.first}, "end": {"line": change.last}}
        location["range"] = span
        text = "\n".join(change.lines)
        if has_text and safe(text) == text:
            found["suggestions"] = [{"range": span, "text": text}]
    return found


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as such."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def render_requests(requests: Iterable[Mapping[str, Any]]) -> str:
    """Return a stream of YAML documents."""
    return yaml.dump_all(
        map(dict, requests), Dumper=_Dumper, allow_unicode=True, sort_keys=False, explicit_start=True, width=1_000_000
    )
