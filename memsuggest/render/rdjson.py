"""Suggestions for a pull request in the Reviewdog Diagnostic Format, which other review tools read. Pure.

The schema is `reviewdog.rdf.DiagnosticResult` of reviewdog's `proto/rdf`; columns are left out: whole lines change.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.render.pull_request_comment import evidence_line
from memsuggest.render.safe_output import one_line, safe

if TYPE_CHECKING:
    from memsuggest.model import LineChange
    from memsuggest.reports.pull_request import Block, PullRequestReport, ReviewProposal


def render(report: PullRequestReport) -> str:
    """Return one JSON document, ASCII only, with a final newline."""
    in_block = {proposal.suggestion.id for block in report.blocks for proposal in block.proposals}
    rest = [proposal for proposal in report.proposals if proposal.suggestion.id not in in_block]
    found = {
        "source": {"name": "memsuggest"},
        "severity": "INFO",
        "diagnostics": [*map(_of_block, report.blocks), *(_diagnostic(one, report) for one in rest)],
    }
    return json.dumps(found, indent=2) + "\n"


def _of_block(block: Block) -> dict[str, Any]:
    """Return the rules for one place as one diagnostic: a reviewer's tool takes one suggestion for a line."""
    first = block.proposals[0]
    return _found(
        " · ".join(map(_message, block.proposals)), first, block.change, has_text=not first.suggestion.executable
    )


def _diagnostic(proposal: ReviewProposal, report: PullRequestReport) -> dict[str, Any]:
    change, suggestion = proposal.change, proposal.suggestion
    taken = [block.change for block in report.blocks if block.path == suggestion.edit.path]
    is_free = change is not None and not any(change.first <= one.last and one.first <= change.last for one in taken)
    return _found(_message(proposal), proposal, change, has_text=is_free and not suggestion.executable)


def _found(message: str, proposal: ReviewProposal, change: LineChange | None, *, has_text: bool) -> dict[str, Any]:
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


def _message(proposal: ReviewProposal) -> str:
    suggestion = proposal.suggestion
    return f"{one_line(suggestion.content)} ({one_line(evidence_line(suggestion))})"
