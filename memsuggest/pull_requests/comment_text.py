"""Suggestions for a pull request as Markdown comments; nothing but our own words is Markdown. Pure.

The one below has patches. Beside lines stands what is committed with one click from a suggestion block, which is
written out as it stands: what is committed is what the block shows.

Every word that comes from a fact, a file or a path stands inside a code fence longer than any run of its sign in it,
behind a word of ours, and free of what is invisible: no mention, reference, image, link, HTML, quick action or
workflow command can come of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypedDict, cast

from memsuggest.core.identity import former_suggestion_id
from memsuggest.core.json_shape import Also, From, Key, fill
from memsuggest.core.model import LineChange, MemorySuggestion, Skipped
from memsuggest.core.render.safe_output import in_quotes, one_line, safe
from memsuggest.customizations.diff import unified
from memsuggest.held.held_report import HeldRule, RemedyKind
from memsuggest.suggestions.listed import as_written, has_new_heading
from memsuggest.suggestions.suggestion_lines import SuggestionJson


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProposal:
    """One suggestion beside a change."""

    suggestion: MemorySuggestion
    why_here: str  # the suggestion's relation to the change
    change: LineChange | None
    """The lines that it puts in the place of others; None for a new file."""
    is_in_diff: bool
    """Whether a review tool can attach it to those lines; never so for executable configuration."""


class BesideJson(TypedDict):
    """The relation of a suggestion to a change."""

    whyHere: Annotated[str, "The suggestion's relation to the change."]
    lines: Annotated[
        LineChange | None, "The suggestion's edit to the changed file; null for a new file.", From("change")
    ]
    inDiff: Annotated[bool, "Whether a review tool can attach the suggestion to the changed lines.", From("is_in_diff")]


class ProposalJson(SuggestionJson, BesideJson):
    """A suggestion beside a change."""


def _proposals(proposals: Iterable[ReviewProposal]) -> list[ProposalJson]:
    return [
        cast("ProposalJson", fill(SuggestionJson, proposal.suggestion) | fill(BesideJson, proposal))
        for proposal in proposals
    ]


def _ids(proposals: Iterable[ReviewProposal]) -> list[str]:
    return [proposal.suggestion.id for proposal in proposals]


def text_of(change: LineChange) -> str:
    return "".join(f"{line}\n" for line in change.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Suggestions for one place, as one block that can be committed."""

    path: Annotated[str, "The file."]
    start: ClassVar = Also("change.first", int, "The first line to replace, starting at 1.")
    end: ClassVar = Also("change.last", int, "The last line to replace, starting at 1.")
    change: Annotated[LineChange, "The new lines, with line endings.", Key("text"), text_of]
    proposals: Annotated[tuple[ReviewProposal, ...], "The IDs of the block's suggestions.", Key("suggestions"), _ids]


def meet(one: LineChange, other: LineChange) -> bool:
    return one.first <= other.last and other.first <= one.last


_PUBLIC = (RemedyKind.OTHER_FILE, RemedyKind.EXAMPLE)  # remedies without anybody's words


def public_remedy(rule: HeldRule) -> str:
    """Return the first remedy that tells nothing of what was said; empty for none."""
    return next((remedy.what for remedy in rule.remedies if remedy.kind in _PUBLIC), "")


class UnheldJson(TypedDict):
    """A rule in a changed file that does not hold, without quotes from chats."""

    uri: Annotated[str, "The file."]
    line: Annotated[int, "The number of the rule's first line, starting at 1."]
    content: Annotated[str, "The rule's text in the file."]
    why: Annotated[str, "The number of chats in which the rule was repeated."]
    remedy: Annotated[str, "A suggested fix; empty if none is known.", From(".", public_remedy)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestReport:
    """Suggestions for the files of a pull request."""

    JSON_NAME = "Comment"
    base: Annotated[str, "The commit that the change is compared with and that the facts are read from."]
    proposals: Annotated[tuple[ReviewProposal, ...], "Suggestions, best first.", Key("suggestions"), _proposals]
    blocks: Annotated[
        tuple[Block, ...], "Suggestion blocks that can be committed from the diff, one for each place."
    ] = ()
    elsewhere: Annotated[int, "The number of suggestions for unchanged files."] = 0
    unheld: Annotated[
        tuple[Annotated[HeldRule, UnheldJson], ...], "Rules in the changed files that had to be repeated."
    ] = ()
    unmerged: Annotated[int, "The number of new facts in the change; they take effect once the change is merged."] = 0
    skipped: tuple[Skipped, ...] = ()


MARKER = "<!-- memsuggest:comment"  # what the comment begins with, so that it is found again
LIMIT = 60_000  # UTF-16 units of a body; GitHub takes 65,536 characters
PATCH_LIMIT = 20_000  # UTF-16 units of one patch; a longer one is left to `memsuggest show`
WORDS_LIMIT = 1_000
UNHELD = 5  # rules that do not hold that are named
SHORT = 10

_ID = re.compile(r"[0-9a-f]{16}")
_RUN = re.compile(r"`{3,}")
NOUN = "pull request"
_NOTHING = "Nothing is pending any more for the files in this {noun}."
_NOTHING_YET = "Nothing is pending for the files in this change."
LEAD = "Rules that contributors gave their coding assistants, and where each rule belongs."
FOOT = "`memsuggest apply ID` writes a suggestion as shown; `memsuggest dismiss ID` dismisses it for the team."


def comment_body(
    report: PullRequestReport, previous: str | None = None, *, beside: Collection[Block] = (), noun: str = NOUN
) -> str | None:
    """Return the comment's text; None when there is nothing to say, and nothing was said (`previous`).

    The blocks that stand `beside` their lines are only counted. `noun` is what the host calls the change.
    """
    elsewhere = [name_of(proposal.suggestion) for block in beside for proposal in block.proposals]
    rest = [proposal for proposal in report.proposals if name_of(proposal.suggestion) not in elsewhere]
    if not rest and not report.unheld and previous is None:
        return None
    return f"{MARKER} v1 -->\n{_page(report, rest, noun=noun)}"


def page(report: PullRequestReport) -> str:
    """Return the same without the marker, for other places than GitHub: no suggestion blocks, patches instead."""
    return _page(report, report.proposals).replace(_NOTHING.format(noun=NOUN), _NOTHING_YET)


def _page(report: PullRequestReport, rest: Sequence[ReviewProposal], *, noun: str = NOUN) -> str:
    left, items = LIMIT, []
    for number, proposal in enumerate(rest, start=1):
        item = _item(number, proposal)
        left -= units(item) + SHORT + 1
        if left < 0:
            break
        items.append(item)
    shown = len(items)
    beside, total = len(report.proposals) - len(rest), len(report.proposals)
    lead = LEAD
    if beside:
        them = "The suggestion is" if total == 1 else f"{beside} of the {total} suggestions {_is(beside)}"
        lead += f" {them} posted on the lines to change, ready to commit."
    title = "1 suggestion" if total == 1 else f"{total} suggestions"
    opening = f"### memsuggest: {title} for the files in this {noun}\n\n{lead}\n"
    if not total:
        opening = "### memsuggest\n" if report.unheld else f"### memsuggest\n\n{_NOTHING.format(noun=noun)}\n"
    if report.unheld:  # how often, and what to do; never what was said
        items.append("#### Rules in these files that had to be repeated\n")
    for rule in report.unheld[:UNHELD]:
        file = f"{rule.uri}, line {rule.line}"
        items.append(_rows({"rule": rule.content, "file": file, "outcome": rule.why, "try": public_remedy(rule)}))
    if len(report.unheld) > UNHELD:
        items.append(f"Run `memsuggest held` to see {len(report.unheld) - UNHELD} more.\n")
    notes = []
    if number_left := len(rest) - shown:
        notes.append(f"{number_left} more did not fit; run `memsuggest list` to see all of them.")
    if report.elsewhere:
        notes.append(f"For other files, {report.elsewhere} more {_is(report.elsewhere)} pending.")
    if report.unmerged:
        what = "fact in this change takes" if report.unmerged == 1 else "facts in this change take"
        notes.append(f"{report.unmerged} {what} effect after the merge.")
    if report.proposals:
        notes.append(FOOT)
    return "\n".join([opening, *items, *(["---", "", " ".join(notes), ""] if notes else [])])


def _rows(rows: Mapping[str, str]) -> str:
    """Return named texts, a line each, in a code fence; no line begins with a word that is not ours."""
    text = "\n".join(f"{name:<10} {one_line(words, limit=WORDS_LIMIT)}" for name, words in rows.items() if words)
    return fenced("text", text)


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def name_of(suggestion: MemorySuggestion) -> str:
    """Return a short id; of a fact whose id somebody made up, one that is made of nothing but our digits.

    `memsuggest apply` knows both.
    """
    is_ours = _ID.fullmatch(suggestion.id)
    return (suggestion.id if is_ours else former_suggestion_id(suggestion.about, suggestion.edit.path))[:SHORT]


def _item(number: int, proposal: ReviewProposal) -> str:
    suggestion = proposal.suggestion
    parts = [f"#### {number} · `{name_of(suggestion)}`\n", rows_of(proposal)]
    if suggestion.executable:
        parts.append("Assistants run this file automatically. Read the suggestion carefully before you apply it.\n")
    patch = safe(unified(suggestion.edit))
    if units(patch) > PATCH_LIMIT:
        parts.append(f"The patch is too long to show here: run `memsuggest show {name_of(suggestion)}`.\n")
    else:
        parts.append(f"<details><summary>Patch</summary>\n\n{fenced('diff', patch)}\n</details>\n")
    return "\n".join(parts)


def rows_of(proposal: ReviewProposal) -> str:
    suggestion, fact, change = proposal.suggestion, proposal.suggestion.fact, proposal.change
    file = suggestion.target_uri or f"{suggestion.suggested_file_name} (new)"
    lines = "" if change is None else f", line {change.last}"
    new = "the new heading " if has_new_heading(suggestion) else ""
    under = f", below {new}“{suggestion.heading}”" if suggestion.heading else ""
    return _rows(
        {
            "rule": as_written(suggestion),
            "goes to": f"{file}{lines}{under}",
            "replaces": suggestion.replaces or "",
            "why here": suggestion.why,
            "why now": proposal.why_here,
            "reason": in_quotes(fact.reason, limit=WORDS_LIMIT) if fact and fact.reason else "",
            "evidence": evidence_line(suggestion),
        }
    )


def evidence_line(suggestion: MemorySuggestion) -> str:
    """Return what a fact names as evidence; what nobody confirmed yet is not called the team's."""
    fact, chats = suggestion.fact, len({citation.session_id for citation in suggestion.citations})
    named = [f"{chats} {'chat' if chats == 1 else 'chats'}"] if chats else []
    named += fact.cited_paths[:5] if fact else ()
    if fact and not fact.is_confirmed:
        return f"learned from {', '.join(named)}; not confirmed yet"
    return f"in the team's facts, with evidence from {', '.join(named)}" if named else "in the team's facts"


def fenced(language: str, text: str) -> str:
    fence = fence_for(text)
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}\n"


def fence_for(text: str) -> str:
    return "`" * (max((len(run) for run in _RUN.findall(text)), default=2) + 1)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "replace")) // 2


BLOCK_MARKER = "<!-- memsuggest:block"  # what a comment beside lines begins with, so that it is found again
PAST_MARKER = f"{BLOCK_MARKER} past"  # what one begins with that is out of date
MOST_ABOVE = 100  # lines above its own that a block of GitLab's may change
OPENING = "memsuggest: rules that contributors gave their coding assistants. Commit the ones you want."
"""The words of the review that brings them."""

_BLOCK_NAMES = re.compile(re.escape(BLOCK_MARKER) + r" (?:past|v1) ids=([0-9a-f,]{0,2000}) -->\n")
_PAST = "Outdated: the lines changed, a file already contains the rule, or someone has already decided on it."


def block_body(block: Block, *, is_ranged: bool = False) -> str | None:
    """Return the comment of a block; None where its lines would not be what they look like, or it is too long.

    `is_ranged`: beside the last of its lines, the block itself says how many above belong to it, as GitLab has it.
    """
    above = block.change.last - block.change.first
    text = text_of(block.change)
    if (is_ranged and above > MOST_ABOVE) or safe(text) != text:
        return None
    names = [name_of(proposal.suggestion) for proposal in block.proposals]
    body = f"{BLOCK_MARKER} v1 ids={','.join(names)} -->\n"
    for name, proposal in zip(names, block.proposals, strict=True):
        body += f"**memsuggest** · `{name}`\n\n{rows_of(proposal)}\n"
    fence = fence_for(text)
    body += f"{fence}suggestion{f':-{above}+0' if is_ranged else ''}\n{text}{fence}\n\n{FOOT}\n"
    return body if units(body) <= LIMIT else None


def past_body(body: str) -> str:
    """Return what a comment says once it is out of date: nothing is left in it to commit."""
    found = _BLOCK_NAMES.match(body)
    names = [name for name in found[1].split(",") if name] if found else []
    shown = " ".join(f"`{name}`" for name in names)
    return f"{PAST_MARKER} ids={','.join(names)} -->\n**memsuggest** · {shown}\n\n{_PAST}\n"
