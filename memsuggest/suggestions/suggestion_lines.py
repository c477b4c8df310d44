"""Suggestions and facts in reports: their keys as JSON, and rows of them, their evidence and what contradicts them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Literal, TypeAlias, TypedDict

from memsuggest.core.json_shape import From, constant
from memsuggest.core.model import (
    NOTED,
    PERSONS,
    Cause,
    Citation,
    Contradiction,
    FactStatus,
    Kind,
    MemoryFact,
    MemorySuggestion,
    Outcome,
    Scope,
    SuggestionStatus,
    TargetType,
    Trust,
    is_maybe,
)
from memsuggest.core.render.page import FAINT, HEAD, ID, INDENT, PATH, SHORT, WARN, Page, count
from memsuggest.core.render.safe_output import in_quotes, one_line
from memsuggest.customizations.diff import unified
from memsuggest.suggestions.listed import as_written, has_new_heading, in_order, where
from memsuggest.suggestions.ranking.hosts import bridge_id


class SuggestionJson(TypedDict):
    """A fact for a file, or maintenance of a file, with its diff."""

    id: Annotated[str, "ID for `show`, `apply` and `dismiss`, which also accept its first four characters."]
    factId: Annotated[str | None, "ID of the fact; null unless `cause` is `fact`.", From("fact.id")]
    content: Annotated[str, "The rule or, for maintenance, the problem in the file."]
    kind: Annotated[Kind | None, From("fact.kind")]
    cause: Annotated[
        Literal["fact"] | Cause,
        "`fact` if the suggestion comes from something you said; otherwise the kind of maintenance.",
        From("maintenance.cause", lambda cause: cause or "fact"),
    ]
    scope: Annotated[Scope | None, "Who the rule applies to.", From("fact.scope")]
    confidence: Annotated[float | None, "Confidence from 0 to 1.", From("fact.confidence")]
    outcome: Annotated[Outcome | None, From("fact.outcome")]
    citations: Annotated[list[Citation], "The evidence."]
    targetType: Annotated[TargetType, "The kind of target file."]
    targetUri: Annotated[str | None, "The file, relative to the root or as `~/…`; null for a new file."]
    suggestedFileName: Annotated[str | None, "Name of the new file."]
    suggestedMergeContent: Annotated[str, "The lines to be written to the file."]
    heading: Annotated[str | None, "The heading above the new lines."]
    newHeading: Annotated[bool, "Whether the heading is new.", From(".", has_new_heading)]
    replaces: Annotated[str | None, "The existing line to be replaced or merged."]
    executable: Annotated[
        bool,
        (
            "Whether the suggestion lets an assistant run something or changes permissions; if so, confirm it "
            "individually."
        ),
    ]
    contradicts: Annotated[bool, "Whether the rule contradicts the line it replaces; if so, confirm it individually."]
    weakens: Annotated[bool, "Whether a model flagged the rule as weakening safety; if so, confirm it individually."]
    why: Annotated[str, "Why this file and this place in it were chosen."]
    status: SuggestionStatus
    diff: Annotated[str, "The edit as a unified diff.", From("edit", unified)]


class MaybeJson(TypedDict):
    """A low-confidence suggestion; its place is planned when it is shown."""

    id: Annotated[str, "ID for `show`, `apply` and `dismiss`."]
    factId: Annotated[str, From("id")]
    content: Annotated[str, "The statement, on one line."]
    kind: Kind
    cause: Annotated[Literal["fact"], constant("fact")]
    scope: Annotated[Scope, "Who the rule applies to."]
    confidence: Annotated[float, "Confidence from 0 to 1."]
    outcome: Outcome
    citations: Annotated[list[Citation], "The evidence."]
    targetType: None
    targetUri: None
    suggestedFileName: None
    suggestedMergeContent: None
    heading: None
    newHeading: Annotated[bool, "Always false.", constant(False)]
    replaces: None
    executable: Annotated[bool, "Always false.", constant(False)]
    contradicts: Annotated[bool, "Always false.", constant(False)]
    weakens: Annotated[bool, "Always false.", constant(False)]
    why: Annotated[str, "Always empty.", constant("")]
    status: Annotated[Literal[SuggestionStatus.PENDING], constant(SuggestionStatus.PENDING)]
    diff: Annotated[str, "Always empty.", constant("")]


def ids_of(suggestions: Iterable[MemorySuggestion]) -> list[str]:
    return [suggestion.id for suggestion in suggestions]


SuggestionView: TypeAlias = Annotated[MemorySuggestion, SuggestionJson]
MaybeView: TypeAlias = Annotated[MemoryFact, MaybeJson]


Line = tuple[str | tuple[str, str], ...]
_MOST = 5
"""Pairs that are shown at a time."""


def show_contradictions(page: Page, pairs: Iterable[Contradiction]) -> None:
    """Print facts that contradict each other, with their evidence and the way out."""
    every = list(pairs)
    for pair in every[:_MOST]:
        page.line()
        page.line(("Contradiction", WARN), f": {one_line(pair.why)}" if pair.why else "")
        for mark, fact in (("newer", pair.winner), ("older", pair.loser)):
            page.line(f"  {mark}  ", (fact.id[:SHORT], ID), "  ", one_line(fact.content), hang=INDENT + 7)
            for citation in fact.citations[:1]:
                words = f"“{one_line(citation.quote, limit=100)}” " if citation.quote else ""
                page.line(f"         {words}", (source_line(citation), FAINT))
        older = pair.loser.id[:SHORT]
        if pair.loser.status is FactStatus.INACTIVE:
            page.faint(f"  the older fact was replaced; see `memsuggest memory show {older}`")
        else:
            page.faint(f"  to keep only the newer fact, run `memsuggest memory forget {older}`")
    if len(every) > _MOST:
        page.line()
        page.faint(f"further contradictions, shown once these are resolved: {len(every) - _MOST}")


def clash_lines(fact: MemoryFact, pairs: Iterable[Contradiction]) -> Iterator[Line]:
    """Return what contradicts a fact, two lines each: the other rule, and which of the two counts."""
    for pair in pairs:
        is_newer = pair.winner.id == fact.id
        other = pair.loser if is_newer else pair.winner
        yield ("  contradicts ", WARN), (other.id[:SHORT], ID), "  ", one_line(other.content)
        forget = f"`memsuggest memory forget {(other if is_newer else fact).id[:SHORT]}`"
        way = "older and not suggested" if is_newer else "newer, so this one is not suggested"
        yield ((f"    the other fact is {way}; {forget} removes {'it' if is_newer else 'this one'}", FAINT),)


def facts_line(fact: MemoryFact) -> str:
    """Return what sort of fact it is, how sure, and in how many chats it was said."""
    parts = [str(fact.kind), str(fact.scope), f"confidence {fact.confidence:.2f}"]
    if is_maybe(fact):
        parts.append("low confidence")
    if fact.is_noted:
        parts.append("noted by an assistant")
    elif fact.is_only_written:
        parts.append("only in a document written by an assistant")
    said = [
        citation for citation in fact.citations if citation.trust in PERSONS and not citation.is_by_hand
    ]  # a file may name any number
    chats = len({citation.session_id for citation in said})
    if chats > 1:
        parts.append(f"said in {chats} chats")
    repos = [tag.removeprefix("repo:") for tag in fact.tags if tag.startswith("repo:")]
    if repos:
        parts.append(f"in repos {', '.join(map(one_line, repos))}")
    return " · ".join(parts)


def show_evidence(page: Page, fact: MemoryFact) -> None:
    """Print the reason and the quotes of a fact."""
    if fact.reason:
        # Of a fact that only the team's file tells, nobody here knows who gave the reason.
        is_theirs = fact.is_shared and all(citation.trust is Trust.SHARED for citation in fact.citations)
        text = in_quotes(fact.reason) if is_theirs else one_line(fact.reason)
        page.line(("  reason given in the file: " if is_theirs else "  because ", FAINT), text, hang=10)
    if not fact.citations:
        page.faint("  no evidence here: this fact comes from the shared file")
    for citation in fact.citations:
        page.line(*quoted(citation), hang=3)
        page.faint("    " + source_line(citation), hang=4)
    if fact.is_noted and all(citation.is_note for citation in fact.citations):
        page.faint("  no quote: nothing you typed matches this note")


def quoted(citation: Citation) -> tuple[str, ...]:
    if not citation.quote:
        return ("  the quote is not shared",)
    return ("  ", in_quotes(citation.quote))


_WHO = {
    Trust.TYPED: "you typed",
    Trust.CLAIMED: "unverified file in the repo",
    Trust.CONFIRMED: "confirmed by you",
    Trust.SHARED: "shared by the team in facts.json",
    Trust.DOUBTFUL: "typed or pasted by you",
    Trust.OUTSIDE: "from outside the chat",
    Trust.QUOTED: "typed by you before an assistant noted the rule",
}


def source_line(citation: Citation) -> str:
    """Return who said something, and where."""
    if citation.is_note:
        when = f" on {citation.at:%-d %b}" if citation.at else ""
        by = f"noted by {citation.format.removesuffix(f' {NOTED}')}{when}, {place_written(citation)}"
        return by if citation.trust is Trust.AGENT else f"{by} · unverified file in the repo"
    is_written = citation.trust is Trust.AGENT
    who = f"written by an assistant, {place_written(citation)}" if is_written else _WHO.get(citation.trust, "")
    if citation.is_by_hand:
        return " · ".join(filter(None, (f"{who} on the command line", _day(citation))))
    return " · ".join(filter(None, (who, f"turn {citation.turn}", chat_of(citation), citation.format)))


def _day(citation: Citation) -> str:
    return citation.at.strftime("%Y-%m-%d %H:%M") if citation.at else ""


def chat_of(citation: Citation) -> str:
    """Return what a chat is called: by the time of what is quoted, else by its id."""
    day = _day(citation)
    return f"chat from {day}" if day else f"chat {one_line(citation.session_id)[:8]}"


def place_written(citation: Citation) -> str:
    """Return the document and the line that a citation stands in."""
    return one_line(citation.paths[0].replace("#L", ":")) if citation.paths else ""


def show_new(
    page: Page,
    suggestions: Sequence[MemorySuggestion],
    maintenance: Sequence[MemorySuggestion],
    *,
    seen: Collection[str],
    dangerous: Collection[str],
    unread: Mapping[str, str],
) -> tuple[list[MemorySuggestion], list[MemorySuggestion]]:
    """Print what was not shown at the last look, and how much that is where something was; return both kinds of it."""
    news = [suggestion for suggestion in suggestions if suggestion.id not in seen]
    needs = [need for need in maintenance if need.id not in seen]
    new = len(news) + len(needs)
    if seen:  # what is only new needs no word of it
        page.line((f"{new} new since your last review" if new else "Nothing new since your last review", HEAD))
    show_groups(page, news, dangerous=dangerous, unread=unread, maintenance=maintenance)
    return news, needs


def show_rest(
    page: Page,
    suggestions: Sequence[MemorySuggestion],
    maintenance: Sequence[MemorySuggestion],
    *,
    seen: Collection[str],
) -> None:
    """Print one line for what was shown before."""
    said, needed = (sum(suggestion.id in seen for suggestion in group) for group in (suggestions, maintenance))
    if said or needed:
        parts = [count(said, "suggestion", "suggestions")] if said else []
        parts += [f"{needed} for maintenance"] if needed else []
        page.line()
        page.faint(f"{' and '.join(parts)} already seen; `memsuggest list --all` shows all suggestions")


GROUPS = {
    TargetType.INSTRUCTIONS: "Instructions",
    TargetType.AGENT: "Agents",
    TargetType.SKILL: "Skills",
    TargetType.PROMPT: "Prompts",
    TargetType.HOOK: "Hooks",
    TargetType.NEW_FILE: "New files",
}
_MOST_SIMILAR = 5  # rows shown beside one that was asked for
_MOST_GONE = 20  # rows of facts beyond the limit
_MOST_HELD = 3  # files that a line names
MAINTENANCE = "maintenance: found in the file, not in a chat"


def show_groups(
    page: Page,
    suggestions: Sequence[MemorySuggestion],
    *,
    dangerous: Collection[str],
    unread: Mapping[str, str],
    maintenance: Sequence[MemorySuggestion] = (),
) -> None:
    """Print some suggestions in groups, by the kind of file that they go to.

    `maintenance`: among it, what makes an assistant read a file that it does not read.
    """
    offered = {need.id for need in maintenance}
    ranked = in_order(suggestions, seen=())
    for kind, group in groupby(ranked, key=lambda suggestion: suggestion.target_type):
        members = list(group)
        page.head(f"{GROUPS[kind]} ({len(members)})")
        for suggestion in members:
            show_row(page, suggestion, is_dangerous=suggestion.id in dangerous, is_unread=suggestion.id in unread)
        for host in dict.fromkeys(unread[member.id] for member in members if member.id in unread):
            paths = dict.fromkeys(member.edit.path for member in members if unread.get(member.id) == host)
            ids = [bridge_id(host, path)[:SHORT] for path in paths if bridge_id(host, path) in offered]
            files = f"{one_line(next(iter(paths)))}" if len(paths) == 1 else f"these {len(paths)} files"
            way = f"; `memsuggest apply {' '.join(ids)}` fixes this" if ids else ""
            page.line((f"  * from a chat with {host}, which does not read {files}{way}", WARN), hang=4)


def show_row(page: Page, suggestion: MemorySuggestion, *, is_dangerous: bool = False, is_unread: bool = False) -> None:
    """Print a suggestion, with what is odd about it, and where it goes."""
    marks = [("  needs its own confirmation", WARN)] if suggestion.executable else []
    if suggestion.contradicts:
        marks.append(("  contradicts an existing line", WARN))
    elif is_dangerous:
        marks.append(("  weakens safety, needs its own confirmation", WARN))
    if any(citation.trust == "claimed" for citation in suggestion.citations):
        marks.append(("  unverified", WARN))
    if suggestion.fact and suggestion.fact.is_noted:
        marks.append(("  noted by an assistant, must be applied individually", WARN))
    elif suggestion.fact and suggestion.fact.is_only_written:
        marks.append(("  written by an assistant", WARN))
    page.line("  ", (suggestion.id[:SHORT], ID), "  ", one_line(as_written(suggestion)), *marks, hang=INDENT)
    page.line(" " * INDENT + "→ ", (where(suggestion), PATH), (" *", WARN) if is_unread else "", hang=INDENT + 2)
    if suggestion.contradicts:
        page.faint(f"{' ' * INDENT}  existing line: {one_line(suggestion.replaces or '')}", hang=INDENT + 2)


def show_maintenance(page: Page, maintenance: Sequence[MemorySuggestion], *, held: Mapping[str, int]) -> None:
    """Print what files need by themselves, and how much more waits in which file."""
    if maintenance:
        page.head(f"Maintenance ({len(maintenance)})", " · found in your files, not in chats")
    for suggestion in maintenance:
        show_row(page, suggestion)
    if maintenance and held:
        most = sorted(held, key=lambda path: (-held[path], path))
        listed = [f"{one_line(path)} {held[path]}" for path in most[:_MOST_HELD]]
        listed += [count(len(most) - _MOST_HELD, "more file", "more files")] if len(most) > _MOST_HELD else []
        page.faint(f"  {sum(held.values())} more after you decide on these: {', '.join(listed)}")


def show_gone(page: Page, gone: Sequence[MemoryFact], *, verb: str) -> None:
    """Print facts that were too many, and how one comes back."""
    for fact in gone[:_MOST_GONE]:
        page.line((f"{verb}  ", WARN), (fact.id[:SHORT], ID), f"  {one_line(fact.content)}")
    if len(gone) > _MOST_GONE:
        page.faint(f"and {len(gone) - _MOST_GONE} more; see `memsuggest undo --list`")
    back = "`memsuggest undo` reverts this; " if verb == "pruned" else ""
    keeps = "to keep more facts, run `memsuggest config set maxWorkspaceFacts N`"
    page.faint(f"{count(len(gone), 'fact', 'facts')} beyond the limit; {back}{keeps}")


def show_similar(page: Page, similar: Sequence[MemorySuggestion]) -> None:
    if similar:
        page.head(f"Pending for the same place ({len(similar)})")
        for suggestion in similar[:_MOST_SIMILAR]:
            show_row(page, suggestion)
        if len(similar) > _MOST_SIMILAR:
            page.faint(f"  and {len(similar) - _MOST_SIMILAR} more in `memsuggest list`")
