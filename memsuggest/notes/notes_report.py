"""The report on notes: its values, and the shape of its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypedDict

from memsuggest.model import Scope, Skipped, Trust
from memsuggest.notes.note import Verdict
from memsuggest.render.as_json.filling import From, or_null
from memsuggest.render.as_json.shared_shapes import SkippedJson
from memsuggest.render.when import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """A rule of a note, and what became of it."""

    content: str
    scope: Scope
    line: int
    verdict: Verdict
    quote: str = ""
    is_theirs: bool = False
    what: str = ""
    text: str = ""
    why: str = ""
    twin: str = ""
    is_double: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A note, and what became of it."""

    id: str
    assistant: str
    label: str
    """The assistant, for people."""
    path: str
    shown: str
    """The path, for people."""
    type: str
    title: str
    at: int
    trust: Trust
    verdict: Verdict
    rules: tuple[RuleRow, ...] = ()
    private: tuple[str, ...] = ()
    drop: str = ""
    """What to tell the assistant, since a file says it now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRows:
    """The notes of this workspace, newest first."""

    notes: tuple[NoteRow, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteShown:
    """One note, whole."""

    note: NoteRow
    text: str
    """All of it, without secrets."""


class NoteRuleJson(TypedDict):
    """A rule of a note, and what became of it."""

    content: Annotated[str, "The rule, in the note's own words, without private things."]
    scope: Annotated[Scope, "`user`: offered for the person's own file alone."]
    quote: Annotated[str, "What the person typed before it was noted; empty where that was not found."]
    isTyped: Annotated[bool, "Whether the typed words say the rule.", From("is_theirs")]
    line: Annotated[int, "From 1, in the note."]
    verdict: Verdict
    where: Annotated[str, "The `FILE:LINE` that says it or contradicts it, or what is gone; else empty.", From("what")]
    text: Annotated[str, "The words of that line."]
    why: Annotated[str, "Why it is offered for the person's own file alone; else empty."]
    sameAs: Annotated[str | None, "The note of another assistant that keeps the same.", From("twin", or_null)]


class NoteJson(TypedDict):
    """A note that an assistant keeps."""

    id: Annotated[str, "What `notes show` takes."]
    assistant: Annotated[str, "The name of its reader."]
    path: str
    type: Annotated[str, "What the assistant calls it; empty where it says nothing."]
    title: str
    at: Annotated[str | None, "When it was written, as ISO 8601.", From(to=iso)]
    trust: Annotated[Trust, "`claimed`: it came with the repo, so anybody may have written it."]
    verdict: Annotated[Verdict, "What became of it."]
    rules: list[NoteRuleJson]
    private: Annotated[list[str], "What private things it holds; none of them stands in a rule."]
    drop: Annotated[str, "What to tell the assistant where a file says the note now; else empty."]


class NotesJson(TypedDict):
    """The notes that assistants keep about this workspace, newest first."""

    notes: list[NoteJson]
    skipped: list[SkippedJson]


class NoteShownJson(TypedDict):
    """One note, whole."""

    note: NoteJson
    text: Annotated[str, "All of it, without secrets."]


SHAPES: Mapping[type, type] = {NoteRows: NotesJson, NoteShown: NoteShownJson}
