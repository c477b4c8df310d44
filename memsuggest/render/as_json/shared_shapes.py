"""Facts, their evidence, and what was skipped: the shapes that many reports share."""

from __future__ import annotations

from typing import Annotated, TypedDict

from memsuggest.model import FactStatus, Kind, Outcome, Scope, Trust
from memsuggest.render.as_json.filling import From, iso_time


class SkippedJson(TypedDict):
    """Something that was left out."""

    what: Annotated[str, "What was left out: a file, an entry, a sentence."]
    why: str


class CitationJson(TypedDict):
    """A person's words, verbatim, and their place."""

    sessionId: Annotated[str, "The chat's own id."]
    turn: Annotated[int, "The number of the message in the chat, from 1."]
    quote: Annotated[str, "The words, without secrets; at most 300 characters."]
    paths: Annotated[list[str], "Files mentioned nearby, relative to the repo's root where they lie in it."]
    trust: Annotated[Trust, "Where the words come from."]
    format: Annotated[str, "The format of the transcript; empty where nobody knows."]
    at: Annotated[str | None, "When it was said, as ISO 8601.", From(to=iso_time)]


class FactJson(TypedDict):
    """Something that is remembered."""

    id: Annotated[str, "Stays the same when the wording is edited."]
    content: Annotated[str, "The rule, in a line."]
    reason: Annotated[str, "Why it is so, if anybody said; else empty."]
    kind: Kind
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person, everywhere."]
    confidence: Annotated[float, "From 0 to 1."]
    outcome: Annotated[Outcome, "`suggest`: sure enough to be suggested; `maybe`: kept aside."]
    status: Annotated[FactStatus, "`inactive` facts were replaced, and are kept for the record."]
    supersededBy: Annotated[str | None, "The id of the fact that replaced it."]
    tags: list[str]
    timestamp: Annotated[int, "Of the earliest evidence, in milliseconds since 1970."]
    sourceSessionId: Annotated[str, "A hash of the chat of the earliest evidence."]
    citations: Annotated[list[CitationJson], "The evidence."]


class CandidateJson(TypedDict):
    """Something worth remembering in a transcript; nothing is stored yet, so it has no id."""

    content: Annotated[str, "The rule, in a line."]
    reason: Annotated[str, "Why it is so, if anybody said; else empty."]
    kind: Kind
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person, everywhere."]
    confidence: Annotated[float, "From 0 to 1.", From(to=lambda sure: round(sure, 3))]
    outcome: Annotated[Outcome, "`suggest`: sure enough to be suggested; `maybe`: kept aside."]
    foundBy: Annotated[str, "The rule or the model that found it."]
    explicit: Annotated[bool, "Whether it was a directive, such as `remember: …`."]
    tags: list[str]
    citations: Annotated[list[CitationJson], "The evidence."]


class SignalsJson(TypedDict, total=False):
    """The signals of a format about a message besides its text; only what there is."""

    vote: Annotated[int, "1 up, -1 down; on the assistant's message that was voted on."]
    afterInterruption: Annotated[bool, "The person stopped the assistant right before typing this."]
    rejectedTool: Annotated[str, "The tool call whose rejection this text explains."]
    remember: Annotated[bool, "The assistant's own command for remembering was used."]
    undone: Annotated[bool, "The edits of this message were undone."]
    kept: Annotated[bool, "The edits of this message were kept explicitly."]
    changed: Annotated[bool, "The edits of this message were changed before they were kept."]
    editedCommand: Annotated[str, "The command line as the person corrected it."]
    proposedCommand: Annotated[str, "The same as the assistant had proposed it."]
    customizations: Annotated[list[str], "Customization files, agents and skills in use."]
    model: str
    agent: Annotated[str, "Which agent, mode or participant of the assistant answered."]
