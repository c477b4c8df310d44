"""The outcomes of rules, and coverage, as JSON."""

from __future__ import annotations

from typing import Annotated, TypedDict

from memsuggest.model import Scope
from memsuggest.render.as_json.filling import From, iso_time, or_null
from memsuggest.render.as_json.shared_shapes import CitationJson, SkippedJson
from memsuggest.render.when import iso
from memsuggest.reports.held_report import HeldOutcome, RemedyKind, SinceFrom


class ChatRowJson(TypedDict):
    """A chat that counted."""

    sessionId: Annotated[str, "The chat's own id."]
    at: Annotated[str | None, "When it began, as ISO 8601.", From(to=iso)]
    assistant: Annotated[str, "Its name; empty where it is not known."]
    path: Annotated[str, "The transcript."]


class SaidAgainJson(TypedDict):
    """Something that the person typed and that says a rule."""

    sessionId: Annotated[str, "The chat's own id."]
    turn: Annotated[int, "The number of the message in the chat, from 1."]
    quote: Annotated[str, "The words, without secrets."]
    at: Annotated[str | None, "When it was said, as ISO 8601.", From(to=iso_time)]
    assistant: Annotated[str, "Whom it was said to; empty where that is not known."]
    isCorrection: Annotated[bool, "Whether it was said of what the assistant had done."]


class NotReadByJson(TypedDict):
    """Chats in which a rule mattered and whose assistant had not read it."""

    assistant: str
    chats: int
    why: str


class RemedyJson(TypedDict):
    """A remedy for a rule."""

    kind: Annotated[RemedyKind, "What sort of remedy it is."]
    what: str
    why: str
    text: Annotated[str, "The line as it could stand; empty where there is none to offer."]
    uri: Annotated[str, "The file that it would stand in; empty for that of the rule."]


class HeldRuleJson(TypedDict):
    """One rule of one file, and what became of it."""

    id: Annotated[str, "What `held` takes: identity of the file and of the rule's words."]
    uri: Annotated[str, "The file, relative to the root, or `~/…`."]
    line: Annotated[int, "From 1."]
    lastLine: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    heading: Annotated[str, "The heading that it stands under; empty for none."]
    factId: Annotated[str | None, "The fact that was applied there.", From(to=or_null)]
    since: Annotated[str | None, "When it came into force, as ISO 8601.", From(to=iso)]
    sinceFrom: Annotated[SinceFrom, "How that is known."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in a sentence."]
    chats: Annotated[int, "Chats that began since."]
    chatsSaidAgain: Annotated[int, "In how many of `exposed` it was said again."]
    exposed: Annotated[list[ChatRowJson], "Chats since in which it mattered, and whose assistant had read it."]
    saidAgain: Annotated[list[SaidAgainJson], "What was said of it in those."]
    notRead: list[NotReadByJson]
    saidUnread: Annotated[list[SaidAgainJson], "What was said of it where the assistant had not read it."]
    exposedBefore: Annotated[list[ChatRowJson], "Chats before in which it mattered, but the one that said it first."]
    saidBefore: list[SaidAgainJson]
    atMost: Annotated[float, "The highest share of chats in which it may be said again, with 95 % certainty."]
    difference: Annotated[str, "What changed against before; empty where that cannot be told."]
    remedies: Annotated[list[RemedyJson], "Best first."]


class HeldJson(TypedDict):
    """The outcomes of the files' rules."""

    chats: Annotated[int, "Chats that were looked at."]
    since: Annotated[str | None, "Only chats that began since then count; null: all.", From(to=iso)]
    firstChat: Annotated[str | None, "When the oldest of them began, as ISO 8601.", From(to=iso)]
    undated: Annotated[int, "Chats that do not say when they began, and count for nothing."]
    unknownAssistant: Annotated[int, "Chats of which it is not known what their assistant reads."]
    gone: Annotated[int, "Rules that were applied and stand in no file any more."]
    rules: Annotated[list[HeldRuleJson], "What does not hold first."]
    skipped: list[SkippedJson]


class CoveringJson(TypedDict):
    """A line of a file that says something already."""

    uri: str
    line: Annotated[int, "From 1."]
    text: str


class MatterJson(TypedDict):
    """One thing that was said in several chats, or by several people."""

    factIds: Annotated[list[str], "The facts about it, the one with the most evidence first."]
    content: Annotated[str, "The words of that one."]
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person, everywhere."]
    times: Annotated[int, "How often it was said."]
    chats: Annotated[int, "In how many chats."]
    others: Annotated[int, "How many of those are chats of other people."]
    price: Annotated[int, "Times said × chats."]
    first: Annotated[str | None, "When it was said first, as ISO 8601.", From(to=iso)]
    last: Annotated[str | None, From(to=iso)]
    coveredBy: Annotated[list[CoveringJson], "The lines that say it; empty: a gap."]
    suggestionId: Annotated[str | None, "What waits to put it into a file.", From(to=or_null)]
    citations: Annotated[list[CitationJson], "The person's own words, oldest first."]


class FileUseJson(TypedDict):
    """A customization file, and whether chats used it."""

    uri: str
    tokens: Annotated[int, "What it costs whenever it is loaded."]
    rules: int
    loaded: Annotated[int, "Of the last chats, those whose assistant loaded it."]
    touched: Annotated[int, "Of the last chats, those that read or changed it."]
    lastUsed: Annotated[str | None, "When the last chat began that used it, as ISO 8601; null: none.", From(to=iso)]
    idle: Annotated[bool, "Whether none of the last chats used it.", From("is_idle")]
    known: Annotated[bool, "Whether chats tell if it was used.", From("is_known")]
    why: Annotated[str, "Why none of the last chats loaded it; else empty."]


class CoverageJson(TypedDict):
    """Coverage: what people keep saying, the file that says it, and files that nothing uses."""

    chats: Annotated[int, "Chats that were looked at."]
    last: Annotated[int, "How many of them, the newest, count for the use of files."]
    unlearned: Annotated[int, "Chats that nothing was learned from yet: `reconcile` does."]
    gaps: Annotated[list[MatterJson], "What no file says, the dearest first."]
    covered: Annotated[list[MatterJson], "What a file says."]
    files: Annotated[list[FileUseJson], "The customization files, those that nothing used first."]
    idleTokens: Annotated[int, "What the idle files cost together."]
    skipped: list[SkippedJson]
