"""Codex's words and deeds between two messages of the person, from lines that mostly stay undecoded.

Of a long run of tool calls only the first line and the last few are worth a turn's text; of the others only the files
that they patch are used, and those can be told from the raw bytes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from memsuggest.transcripts.parsing.json_records import blocks_of, decode, fields_in, fields_of, instant, text_of
from memsuggest.transcripts.parsing.shell_commands import files_patched, files_read

if TYPE_CHECKING:
    from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder

_HEAD = 256  # bytes of a line in which its kind stands
_KEPT = 5  # last lines that a turn's text is made of
_LONG = 128 * 1024  # bytes of a line that is not kept for its text
_KIND = re.compile(
    rb'"type": ?"(function_call|custom_tool_call|local_shell_call|agent_message|AgentMessage)"|"role": ?"(assistant)"'
)
_SPOKEN = frozenset({b"agent_message", b"AgentMessage"})
_CALLS = frozenset({b"function_call", b"custom_tool_call", b"local_shell_call"})
_MAY_BE_SPOKEN = _SPOKEN | {b"", b"message", b"item_completed"}
_CALL_ID = re.compile(rb'"call_id": ?"([^"\\]{1,100})"')
_PATCHED = re.compile(rb"\*\*\* (?:Add File|Update File|Delete File|Move to): ([^\\\"\n]{1,400})")


class _Patch(NamedTuple):
    """A call that patches files."""

    call_id: str
    call: str


class Replies:
    """Takes the assistant's lines; `tell` hands what they come to to the draft."""

    def __init__(self, builder: TranscriptBuilder, *, has_events: bool = False) -> None:
        self._builder = builder
        self._lines: list[bytes | _Patch] = []
        self.has_events = has_events
        """Whether what the assistant says stands in events, of which the model's record is a copy."""
        self._last_said = ""

    def take(self, line: bytes, kind: bytes = b"") -> bool:
        """Take a raw line, of this kind if it is known, if it is the assistant's."""
        if kind not in _CALLS:
            found = _KIND.search(line, 0, _HEAD) if kind in _MAY_BE_SPOKEN else None
            if not found:
                return False
            kind = found[1] or b""
        self.has_events = self.has_events or kind in _SPOKEN
        if not kind and self.has_events:
            return True
        if kind in _CALLS and b"*** " in line and (paths := _PATCHED.findall(line)):
            self._lines.append(self._patch(line, [path.decode("utf-8", "replace").strip() for path in paths]))
        elif len(line) < _LONG:
            self._lines.append(line)
        if len(self._lines) > 2 * _KEPT:
            del self._lines[1:-_KEPT]
        return True

    def _patch(self, line: bytes, paths: list[str]) -> _Patch:
        for path in paths:
            self._builder.activity.touch(path, is_written=True)
        call_id = _CALL_ID.match(line, max(line.rfind(b'"call_id"'), 0))
        return _Patch(call_id[1].decode("utf-8", "replace") if call_id else "", f"apply_patch: {' '.join(paths)}")

    def tell(self) -> None:
        """Tell the draft what was said and done since the last time."""
        kept = self._lines if len(self._lines) <= _KEPT else [self._lines[0], *self._lines[-_KEPT:]]
        self._lines, self._last_said = [], ""
        for line in kept:
            if isinstance(line, _Patch):
                self._builder.know(line.call_id, self._builder.activity.note(line.call))
                continue
            fields = fields_in(line)
            payload = fields_of(fields.get("payload")) or fields
            self.say(payload, fields.get("timestamp"))

    def say(self, payload: dict[str, Any], at: object) -> None:
        """Take one decoded record of the assistant's."""
        kind = text_of(payload.get("type"))
        if kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            self._use(payload)
            return
        item = fields_of(payload.get("item"))
        text = text_of(payload.get("message")) or "\n".join(texts(item.get("content") or payload.get("content")))
        if text and text != self._last_said:  # an event, and the model's own record of it
            self._last_said = text
            self._builder.activity.say(text)
            self._builder.at = instant(at)

    def _use(self, call: dict[str, Any]) -> None:
        given = _arguments(call)
        command = _command(given)
        patch = command or text_of(given.get("input"))
        told = {**given, "command": command} if command else given
        self._builder.use(text_of(call.get("name")) or "shell", told, call_id=text_of(call.get("call_id")))
        if "\n*** " in patch:
            for path in files_patched(patch):
                self._builder.activity.touch(path, is_written=True)
        else:
            for path in files_read(command):
                self._builder.activity.touch(path)


def texts(content: object) -> list[str]:
    """Give the texts of a message."""
    return [text for part in blocks_of(content) if (text := text_of(part.get("text")))]


def _arguments(call: dict[str, Any]) -> dict[str, Any]:
    """Read a tool call's arguments, which are JSON in a string, a plain text, or an object."""
    if call.get("type") == "local_shell_call":
        return fields_of(call.get("action"))
    given = call.get("arguments", call.get("input"))
    if isinstance(given, str) and given.startswith("{"):
        try:
            return fields_of(decode(given.encode("utf-8", "replace")))
        except ValueError:
            pass
    return fields_of(given) or {"input": text_of(given)}


def _command(given: dict[str, Any]) -> str:
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        return words[-1] if words[1:2] == ["-lc"] else " ".join(words)
    return text_of(command)
