"""The evidence of a fact: how sure it is, who said it, where and when; and what only documents say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import NOTED, PERSONS, Trust, is_maybe
from memsuggest.render.safe_output import in_quotes, one_line
from memsuggest.render.terminal.page import FAINT, Page

if TYPE_CHECKING:
    from memsuggest.model import Citation, MemoryFact


def facts_line(fact: MemoryFact) -> str:
    """Return what sort of fact it is, how sure, and in how many chats it was said."""
    parts = [str(fact.kind), str(fact.scope), f"confidence {fact.confidence:.2f}"]
    if is_maybe(fact):
        parts.append("a maybe")
    if fact.is_noted:
        parts.append("noted by an assistant")
    elif fact.is_only_written:
        parts.append("only in a document that an assistant wrote")
    said = [one for one in fact.citations if one.trust in PERSONS and not one.is_by_hand]  # a file may name any number
    chats = len({citation.session_id for citation in said})
    if chats > 1:
        parts.append(f"said in {chats} chats")
    repos = [tag.removeprefix("repo:") for tag in fact.tags if tag.startswith("repo:")]
    if repos:
        parts.append(f"in the repos {', '.join(map(one_line, repos))}")
    return " · ".join(parts)


def show_evidence(page: Page, fact: MemoryFact) -> None:
    """Print the reason and the quotes of a fact."""
    if fact.reason:
        # Of a fact that only the team's file tells, nobody here knows who gave the reason.
        is_theirs = fact.is_shared and all(one.trust is Trust.SHARED for one in fact.citations)
        told = in_quotes(fact.reason) if is_theirs else one_line(fact.reason)
        page.line(("  the file gives as its reason " if is_theirs else "  because ", FAINT), told, hang=10)
    if not fact.citations:
        page.line(("  evidence: with the person who said it (this fact comes from the shared file)", FAINT))
    for citation in fact.citations:
        page.line(*quoted(citation), hang=3)
        page.line(("    " + source_line(citation), FAINT), hang=4)
    if fact.is_noted and all(citation.is_note for citation in fact.citations):
        page.line(("  no quote found: nothing that you typed was found behind it", FAINT))


def quoted(citation: Citation) -> tuple[str, ...]:
    """Return what was said, in quotes; or that its words are not here."""
    if not citation.quote:
        return ("  its words are with the person who said them",)
    return ("  ", in_quotes(citation.quote))


def source_line(citation: Citation) -> str:
    """Return who said something, and where."""
    who = {"typed": "you typed", "claimed": "claimed by a file in the repo", "confirmed": "you agreed to it"}
    who["shared"] = "shared by the team in facts.json"
    who["doubtful"] = "you typed or pasted"
    who["agent"] = f"an assistant wrote it, {place_written(citation)}"
    who["quoted"] = "you typed it before an assistant noted the rule"
    if citation.is_note:
        when = f" on {citation.at:%-d %b}" if citation.at else ""
        by = f"noted by {citation.format.removesuffix(f' {NOTED}')}{when}, {place_written(citation)}"
        return by if citation.trust is Trust.AGENT else f"{by} · claimed by a file in the repo"
    told = who.get(str(citation.trust), str(citation.trust))
    if citation.is_by_hand:
        parts = [f"{told} on the command line"]
    else:
        parts = [told, f"turn {citation.turn}", f"chat {citation.session_id[:8]}", citation.format]
    if citation.at:
        parts.append(citation.at.strftime("%Y-%m-%d %H:%M"))
    return " · ".join(filter(None, parts))


def place_written(citation: Citation) -> str:
    """Return the document and the line that a citation stands in."""
    return one_line(citation.paths[0].replace("#L", ":")) if citation.paths else ""
