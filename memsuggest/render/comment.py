"""What waits for a pull request as one Markdown comment, in which nothing but our own words is Markdown. Pure.

Every word that comes from a fact, a file or a path stands inside a code fence longer than any run of its sign in it,
behind a word of ours, and free of what is invisible: no mention, reference, image, link, HTML, quick action or
workflow command can come of it (SECURITY.md T20).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.identity import former_suggestion_id
from memsuggest.render.safe import one_line, safe
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.whereabouts import has_new_heading
from memsuggest.suggestions.written import as_written

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.pull_request import Proposal, PullRequestReport

MARKER = "<!-- memsuggest:comment"
"""What the comment begins with, so that it is found again."""
LIMIT = 60_000
"""UTF-16 units of a body; GitHub takes 65,536 characters."""
PATCH_LIMIT = 20_000
"""UTF-16 units of one patch; a longer one is left to `memsuggest show`."""
WORDS_LIMIT = 1_000
SHORT = 10

_NAMES = re.compile(r"seen=([0-9a-f,]*) new=([0-9a-f,]*) -->")
_ID = re.compile(r"[0-9a-f]{16}")
_RUN = re.compile(r"`{3,}")
_NOTHING = "Nothing waits any more for the files of this pull request."
_NOTHING_YET = "Nothing waits for the files of this change."
_FOOT = "`memsuggest apply ID` writes it as shown, `memsuggest dismiss ID` silences it for the team."


def comment_body(report: PullRequestReport, previous: str | None = None) -> str | None:
    """Return the comment's text; None when there is nothing to say, and nothing was said (`previous`).

    What `previous` did not have is marked as new; when all is as it was, so is the text.
    """
    if not report.proposals and previous is None:
        return None
    shown = _fitting(report, with_blocks=True)
    ids = [_name(proposal.suggestion) for proposal in shown]
    new = _new_among(ids, previous)
    head = f"{MARKER} v1 seen={','.join(ids)} new={','.join(new)} -->\n"
    return head + _page(report, shown, new=new, with_blocks=True)


def _name(suggestion: MemorySuggestion) -> str:
    """Return a short id; of a fact whose id somebody made up, one that is made of nothing but our digits.

    `memsuggest apply` knows both.
    """
    name = (
        suggestion.id if _ID.fullmatch(suggestion.id) else former_suggestion_id(suggestion.about, suggestion.edit.path)
    )
    return name[:SHORT]


def page(report: PullRequestReport) -> str:
    """Return the same without the marker, for other places than GitHub: no suggestion blocks, patches instead."""
    text = _page(report, _fitting(report, with_blocks=False), new=(), with_blocks=False)
    return text.replace(_NOTHING, _NOTHING_YET)


def _new_among(ids: Sequence[str], previous: str | None) -> list[str]:
    """Return what the previous comment did not have; what was new in it, while nothing came since."""
    found = _NAMES.search((previous or "").split("\n", 1)[0])
    if found is None:
        return []
    seen, were_new = set(found[1].split(",")), set(found[2].split(","))
    return [name for name in ids if name not in seen] or [name for name in ids if name in were_new]


def _fitting(report: PullRequestReport, *, with_blocks: bool) -> list[Proposal]:
    """Return the first suggestions, as many as fit."""
    left = LIMIT
    fitting = []
    for number, proposal in enumerate(report.proposals, start=1):
        left -= _units(_item(number, proposal, is_new=True, with_blocks=with_blocks)) + 2 * (SHORT + 1)
        if left < 0:
            break
        fitting.append(proposal)
    return fitting


def _page(report: PullRequestReport, shown: Sequence[Proposal], *, new: Collection[str], with_blocks: bool) -> str:
    items = (
        _item(number, one, is_new=_name(one.suggestion) in new, with_blocks=with_blocks)
        for number, one in enumerate(shown, start=1)
    )
    return "\n".join([_opening(report), *items, *_closing(report, left=len(report.proposals) - len(shown))])


def _opening(report: PullRequestReport) -> str:
    if not report.proposals:
        return f"### memsuggest\n\n{_NOTHING}\n"
    total = len(report.proposals)
    title = "1 suggestion" if total == 1 else f"{total} suggestions"
    lead = "What people of this repository told their coding assistants, and where it belongs."
    return f"### memsuggest: {title} for the files of this pull request\n\n{lead}\n"


def _closing(report: PullRequestReport, *, left: int) -> Iterable[str]:
    notes = []
    if left:
        notes.append(f"{left} more did not fit in here: `memsuggest list` shows them.")
    if report.elsewhere:
        notes.append(f"{report.elsewhere} more {'waits' if report.elsewhere == 1 else 'wait'} for other files.")
    if report.unmerged:
        what = "fact that this change adds counts" if report.unmerged == 1 else "facts that this change adds count"
        notes.append(f"{report.unmerged} {what} once it is merged.")
    if report.proposals:
        notes.append(_FOOT)
    return ["---", "", " ".join(notes), ""] if notes else []


def _item(number: int, proposal: Proposal, *, is_new: bool, with_blocks: bool) -> str:
    suggestion = proposal.suggestion
    title = f"#### {number} · `{_name(suggestion)}`{' · **new**' if is_new else ''}\n"
    parts = [title, fenced("text", _told(proposal))]
    if suggestion.executable:
        parts.append("Assistants run this by themselves. Read it well before you apply it, by hand.\n")
    block = _block(proposal) if with_blocks else None
    parts.append(block or _patch(proposal))
    return "\n".join(parts)


def _told(proposal: Proposal) -> str:
    """Return rule, place, reason and evidence, a line each; no line begins with a word that is not ours."""
    suggestion, fact = proposal.suggestion, proposal.suggestion.fact
    change = proposal.change
    lines = "" if change is None else f", line {change.last}"
    new = "the new heading " if has_new_heading(suggestion) else ""
    under = f", below {new}“{suggestion.heading}”" if suggestion.heading else ""
    file = suggestion.target_uri or f"{suggestion.suggested_file_name} (new)"
    rows = {
        "rule": as_written(suggestion),
        "goes to": f"{file}{lines}{under}",
        "replaces": suggestion.replaces or "",
        "why there": suggestion.why,
        "why now": proposal.why_here,
        "because": fact.reason if fact else "",
        "evidence": evidence_line(suggestion),
    }
    return "\n".join(f"{name:<10} {one_line(text, limit=WORDS_LIMIT)}" for name, text in rows.items() if text)


def evidence_line(suggestion: MemorySuggestion) -> str:
    """Return in how many chats a fact was said, and about which files; who said what stays with them."""
    chats = len({citation.session_id for citation in suggestion.citations})
    said = f"said in {chats} {'chat' if chats == 1 else 'chats'}" if chats else "in the team's facts"
    files = ", ".join(suggestion.fact.cited_paths[:5]) if suggestion.fact else ""
    return f"{said}, about {files}" if files else said


def _block(proposal: Proposal) -> str | None:
    """Return a suggestion block; None where the lines are not in the diff, or would not be what they look like."""
    change = proposal.change
    if change is None or not proposal.is_in_diff or proposal.suggestion.executable:
        return None
    text = "\n".join(change.lines)
    return fenced("suggestion", text) if safe(text) == text else None


def _patch(proposal: Proposal) -> str:
    patch = safe(unified(proposal.suggestion.edit))
    if _units(patch) > PATCH_LIMIT:
        return f"The patch is long: `memsuggest show {_name(proposal.suggestion)}` shows it.\n"
    return f"<details><summary>Patch</summary>\n\n{fenced('diff', patch)}\n</details>\n"


def fenced(language: str, text: str) -> str:
    """Return text in a code fence that it cannot close."""
    longest = max((len(run) for run in _RUN.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}\n"


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "replace")) // 2
