"""Suggestions for a pull request as other tools read them: SARIF, Code Quality, Reviewdog's; YAML of requests. Pure.

A finding keeps its fingerprint while its lines move: it is made of the rule and its file alone.
https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
Reviewdog: `reviewdog.rdf.DiagnosticResult` of its `proto/rdf`; columns are left out, since whole lines change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import yaml

from memsuggest import __version__
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Kind, LineChange, MemorySuggestion
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.pull_requests.comment_text import PullRequestReport, ReviewProposal, evidence_line, meet

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_RULES = {
    Kind.CORRECTION: "A correction given to an assistant",
    Kind.CONVENTION: "A convention of this repository",
    Kind.PREFERENCE: "A preference of the team",
    Kind.PROCEDURE: "A procedure of this repository",
    Kind.TERMINOLOGY: "A term used in this repository",
    Kind.FACT: "A fact about this repository",
    Kind.SKILL: "Instructions for a task",
    Kind.OBSERVATION: "An observation",
    "care": "A customization file that needs maintenance",
}
_LINK = re.compile(r"\[(?=[^\]]*\]\()")  # the beginning of what SARIF reads as a link within a message


def render_sarif(report: PullRequestReport) -> str:
    """Return one SARIF log, ASCII only, with a final newline."""
    rules = [
        {
            "id": f"memsuggest/{kind}",
            "shortDescription": {"text": f"{text}."},
            "defaultConfiguration": {"level": "note"},
        }
        for kind, text in _RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "memsuggest", "version": __version__, "rules": rules}},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": [_result(proposal) for proposal in report.proposals],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _result(proposal: ReviewProposal) -> dict[str, Any]:
    suggestion, change = proposal.suggestion, proposal.change
    kind = _kind_of(suggestion)
    artifact = {"uri": quote(suggestion.edit.path), "uriBaseId": _ROOT}
    place: dict[str, Any] = {"artifactLocation": artifact}
    found: dict[str, Any] = {
        "ruleId": f"memsuggest/{kind}",
        "ruleIndex": list(_RULES).index(kind),
        "level": "warning" if suggestion.replaces else "note",  # a line of the file says something else
        "message": {"text": _LINK.sub(r"\\[", _message(suggestion))},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"memsuggestRule/v1": _fingerprint(suggestion)},
    }
    if change is None:
        return found
    region = place["region"] = {"startLine": change.first, "endLine": change.last}
    # nothing that runs by itself is written with one click, and no line that hides something
    if not suggestion.executable and _is_plain(change):
        end = "\r\n" if "\r\n" in (suggestion.edit.before or "") else "\n"
        if not change.lines:  # a region of whole lines ends before the end of its last one
            region = {"startLine": change.first, "startColumn": 1, "endLine": change.last + 1, "endColumn": 1}
        replacement = {"deletedRegion": region, "insertedContent": {"text": end.join(change.lines)}}
        changed = {"artifactLocation": artifact, "replacements": [replacement]}
        found["fixes"] = [{"description": {"text": "Add the rule."}, "artifactChanges": [changed]}]
    return found


def render_code_quality(report: PullRequestReport) -> str:
    """Return one array of GitLab's Code Quality findings, ASCII only, with a final newline."""
    found = [
        {
            "description": _message(suggestion),
            "check_name": f"memsuggest/{_kind_of(suggestion)}",
            "fingerprint": _fingerprint(suggestion),
            "severity": "minor" if suggestion.replaces else "info",
            "location": {"path": suggestion.edit.path, "lines": {"begin": change.last if change else 1}},
        }
        for suggestion, change in ((proposal.suggestion, proposal.change) for proposal in report.proposals)
    ]
    return json.dumps(found, indent=2) + "\n"


def render_rdjson(report: PullRequestReport) -> str:
    """Return one JSON document, ASCII only, with a final newline."""
    diagnostics = [_diagnostic(block.proposals, block.change, has_text=True) for block in report.blocks]
    in_block = {proposal.suggestion.id for block in report.blocks for proposal in block.proposals}
    for proposal in report.proposals:
        if proposal.suggestion.id not in in_block:
            change = proposal.change
            taken = [block.change for block in report.blocks if block.path == proposal.suggestion.edit.path]
            is_free = change is not None and not any(meet(change, other) for other in taken)
            diagnostics.append(_diagnostic([proposal], change, has_text=is_free))
    found = {"source": {"name": "memsuggest"}, "severity": "INFO", "diagnostics": diagnostics}
    return json.dumps(found, indent=2) + "\n"


def _diagnostic(proposals: Sequence[ReviewProposal], change: LineChange | None, *, has_text: bool) -> dict[str, Any]:
    """Return the rules for one place as one diagnostic: a reviewer's tool takes one suggestion for a line."""
    first = proposals[0].suggestion
    found: dict[str, Any] = {
        "message": " · ".join(_message(proposal.suggestion) for proposal in proposals),
        "severity": "INFO",
        "code": {"value": first.id},
        "location": {"path": first.edit.path},
    }
    if change is not None:
        span = {"start": {"line": change.first}, "end": {"line": change.last}}
        found["location"]["range"] = span
        if has_text and not first.executable and _is_plain(change):
            found["suggestions"] = [{"range": span, "text": "\n".join(change.lines)}]
    return found


def _is_plain(change: LineChange) -> bool:
    text = "\n".join(change.lines)
    return safe(text) == text


def _kind_of(suggestion: MemorySuggestion) -> str:
    return suggestion.fact.kind.value if suggestion.fact else "care"


def _fingerprint(suggestion: MemorySuggestion) -> str:
    return hash_of("finding", suggestion.about, suggestion.edit.path)


def _message(suggestion: MemorySuggestion) -> str:
    return f"{one_line(suggestion.content)} ({one_line(evidence_line(suggestion))})"


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as such."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


def render_requests(requests: Iterable[Mapping[str, Any]]) -> str:
    """Return a stream of YAML documents."""
    return yaml.dump_all(
        map(dict, requests), Dumper=_Dumper, allow_unicode=True, sort_keys=False, explicit_start=True, width=1_000_000
    )
