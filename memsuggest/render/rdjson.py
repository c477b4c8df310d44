"""What waits for a pull request in the Reviewdog Diagnostic Format, which other reviewers' tools read. Pure.

The schema is `reviewdog.rdf.DiagnosticResult` of reviewdog's `proto/rdf`; columns are left out: whole lines change.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.render.comment import evidence_line
from memsuggest.render.safe import one_line, safe

if TYPE_CHECKING:
    from memsuggest.reports.pull_request import Proposal, PullRequestReport


def render(report: PullRequestReport) -> str:
    """Return one JSON document, ASCII only, with a final newline."""
    found = {
        "source": {"name": "memsuggest"},
        "severity": "INFO",
        "diagnostics": [_diagnostic(proposal) for proposal in report.proposals],
    }
    return json.dumps(found, indent=2) + "\n"


def _diagnostic(proposal: Proposal) -> dict[str, Any]:
    suggestion = proposal.suggestion
    location: dict[str, Any] = {"path": suggestion.edit.path}
    found: dict[str, Any] = {
        "message": _message(proposal),
        "severity": "INFO",
        "code": {"value": suggestion.id},
        "location": location,
    }
    if proposal.change is not None:
        span = {"start": {"line": proposal.change.first}, "end": {"line": proposal.change.last}}
        location["range"] = span
        text = "\n".join(proposal.change.lines)
        if safe(text) == text and not suggestion.executable:
            found["suggestions"] = [{"range": span, "text": text}]
    return found


def _message(proposal: Proposal) -> str:
    suggestion = proposal.suggestion
    return f"{one_line(suggestion.content)} ({one_line(evidence_line(suggestion))})"
