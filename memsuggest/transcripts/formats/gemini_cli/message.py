"""One message of a Gemini CLI session: what is needed of it, in all the forms that its files have had."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, text_of

if TYPE_CHECKING:
    from datetime import datetime

_REFERENCED, _END_OF_REFERENCED = "--- Content from referenced files ---", "--- End of content ---"
_STORED_ARGUMENT = 2_000  # characters of a tool's argument that are kept
_FILE_ARGUMENTS = {"absolute_path": "path", "dir_path": "path", "file_path": "file_path"}
_ARGUMENTS = frozenset({*_FILE_ARGUMENTS, "command", "path", "pattern", "query", "url"})


class ToolCall(NamedTuple):
    """A tool call."""

    tool: str
    arguments: dict[str, str]
    """The telling ones, shortened; paths by the names that other assistants give them."""
    is_cancelled: bool
    """The person refused it."""


class GeminiMessage(NamedTuple):
    """The needed part of one message."""

    kind: str
    text: str
    at: datetime | None = None
    key: str = ""
    model: str = ""
    calls: tuple[ToolCall, ...] = ()


def message(fields: dict[str, Any]) -> GeminiMessage:
    """Take what is needed out of a decoded message of any of the files."""
    kind = text_of(fields.get("type")) or text_of(fields.get("role"))
    shown = fields.get("displayContent") if kind == "user" else None
    content = next((fields[key] for key in ("content", "message", "parts") if key in fields), "")
    return GeminiMessage(
        kind,
        _text(content if shown is None else shown),
        instant(fields.get("timestamp")),
        text_of(fields.get("id")),
        text_of(fields.get("model")),
        tuple(_call(fields_of(call)) for call in items_of(fields.get("toolCalls"))),
    )


def _text(content: object) -> str:
    """Join the text of a message without what was read from files for it; a file's own text may be the end mark."""
    if isinstance(content, str):
        return content
    parts = [
        part if isinstance(part, str) else text_of(fields_of(part).get("text"))
        for part in items_of(content) or [content]
    ]
    marks = [part.strip() for part in parts]
    if _REFERENCED not in marks:
        return "".join(parts)
    begin = marks.index(_REFERENCED)
    ends = [place for place, mark in enumerate(marks) if mark == _END_OF_REFERENCED and place > begin]
    end = ends[-1] if ends else len(parts)
    return "".join([*parts[:begin], "\n", *parts[end + 1 :]])


def _call(call: dict[str, Any]) -> ToolCall:
    given = {
        _FILE_ARGUMENTS.get(name, name): value[:_STORED_ARGUMENT]
        for name, value in fields_of(call.get("args")).items()
        if isinstance(value, str) and name in _ARGUMENTS
    }
    return ToolCall(text_of(call.get("name")), given, call.get("status") == "cancelled")
