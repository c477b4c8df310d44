"""The report on notes: its values, and the shape of its JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from memsuggest.json_shape import Hidden, Key, or_null
from memsuggest.model import Scope, Skipped, Trust
from memsuggest.notes.note import Verdict
from memsuggest.text.when import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRow:
    """A rule of a note, and what became of it."""

    JSON_NAME = "NoteRule"
    content: Annotated[str, "The rule, in the note's own words, without private things."]
    scope: Annotated[Scope, "`user`: offered for the person's own file alone."]
    quote: Annotated[str, "What the person typed before it was noted; empty where that was not found."] = ""
    is_theirs: Annotated[bool, "Whether the typed words say the rule.", Key("isTyped")] = False
    line: Annotated[int, "From 1, in the note."]
    verdict: Verdict
    what: Annotated[
        str, "The `FILE:LINE` that says it or contradicts it, or what is gone; else empty.", Key("where")
    ] = ""
    text: Annotated[str, "The words of that line."] = ""
    why: Annotated[str, "Why it is offered for the person's own file alone; else empty."] = ""
    twin: Annotated[str, "The note of another assistant that keeps the same.", Key("sameAs"), or_null] = ""
    is_double: Hidden[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A note that an assistant keeps."""

    JSON_NAME = "Note"
    id: Annotated[str, "What `notes show` takes."]
    assistant: Annotated[str, "The name of its reader."]
    path: str
    type: Annotated[str, "What the assistant calls it; empty where it says nothing."]
    title: str
    at: Annotated[int, "When it was written, as ISO 8601.", iso]
    trust: Annotated[Trust, "`claimed`: it came with the repo, so anybody may have written it."]
    verdict: Annotated[Verdict, "What became of it."]
    rules: tuple[RuleRow, ...] = ()
    private: Annotated[tuple[str, ...], "What private things it holds; none of them stands in a rule."] = ()
    drop: Annotated[str, "What to tell the assistant where a file says the note now; else empty."] = ""
    label: Hidden[str]
    """The assistant, for people."""
    shown: Hidden[str]
    """The path, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRows:
    """The notes that assistants keep about this workspace, newest first."""

    JSON_NAME = "Notes"
    notes: tuple[NoteRow, ...]
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteShown:
    """One note, whole."""

    note: NoteRow
    text: Annotated[str, "All of it, without secrets."]
