"""OpenAI Codex sessions: `rollout-*.jsonl`, in all three generations of the format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from memsuggest.core.identity import hash_of
from memsuggest.transcripts.parsing.continuing import Continued, Restart, whole_reader
from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    decode,
    fields_in,
    fields_of,
    files_patched,
    first_objects,
    instant,
    items_of,
    outline,
    text_of,
)
from memsuggest.transcripts.parsing.prefilter import is_other_than, objects, payload_kind
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import BEGINNING, Source, decoded
from memsuggest.transcripts.typed_text import typed_in

NAME = "codex"

_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_LEGACY_KEYS = frozenset({"id", "timestamp", "instructions"})
_RECORD_HEAD = 512  # bytes within which even the longest first line names its kind
_OUTPUTS = frozenset({b"function_call_output", b"custom_tool_call_output"})


def _is_rejection(kind: bytes, data: bytes, start: int, end: int) -> bool:
    return kind in _OUTPUTS and data.find(b"rejected by user", start, min(start + 1024, end)) >= 0


is_wanted = is_other_than(
    "reasoning", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "token_count",
    "compacted", "web_search_call", "ghost_snapshot", "exec_command_begin", "exec_command_end", "mcp_tool_call_end",
    "patch_apply_begin", "patch_apply_end", "turn_diff", "task_started", "task_complete", "function_call_output",
    "custom_tool_call_output", unless=_is_rejection,
)  # fmt: skip


def sniff(head: bytes, _name: str) -> bool:
    """Recognise records in envelopes, or the bare header of the first generation."""
    first = next(first_objects(head), None)
    if first:
        return _is_envelope(first) or _is_legacy_header(first)
    return outline(head).keys.keys() >= {"timestamp", "type", "payload"} and b'"session_meta"' in head[:_RECORD_HEAD]


def _is_envelope(fields: dict[str, Any]) -> bool:
    return text_of(fields.get("type")) in _ENVELOPES and isinstance(fields.get("payload"), dict)


def _is_legacy_header(fields: dict[str, Any]) -> bool:
    return fields.keys() >= _LEGACY_KEYS and not fields.keys() & {"type", "payload", "role", "messages", "uuid"}


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    header = next(objects(replace(source, start=BEGINNING), []), {})
    rollout = Rollout(builder, notes)
    if not notes and (header.get("type") == "session_meta" or _is_legacy_header(header)):
        if _is_subagent(payload_of(header)):
            builder.skip("subagent session without typed messages")
            return builder.continued()
        rollout.begin(payload_of(header))
    for line in source.lines(builder.skipped, is_wanted=is_wanted):
        builder.stand(line)
        if not rollout.take_raw(line.data) and (fields := decoded(line, source, builder.skipped)):
            rollout.take(fields)
    rollout.end()
    done = builder.continued()
    return done._replace(notes=lambda restart: done.notes(restart) | rollout.notes(restart))


read = whole_reader(read_on)


def _is_subagent(meta: dict[str, Any]) -> bool:
    thread = meta.get("thread_source")
    return isinstance(meta.get("source"), dict) or (isinstance(thread, str) and thread not in {"", "user"})


_INPUT = "input"  # the prompts that the model was sent, among much that programs wrote
_REJECTIONS = ("exec command rejected by user", "patch rejected by user")
_IDE_PREFIXES = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Response annotations:")
_REQUEST = "## My request for Codex:"
_IDE_FILE = re.compile(r"^## (?:Active file: |[^\n:]{1,200}: (?=[/~.]|[A-Za-z]:[\\/]))([^\n]{1,400})$", re.MULTILINE)
_RULES = re.compile(r"# AGENTS\.md instructions for ([^\n]{1,400})\n")
_HEAD = 256  # bytes of a line in which its kind stands
_COPY = re.compile(rb'"type": ?"message", ?"role": ?"user"')
_MAY_BE_COPIES = frozenset({b"", b"message"})
_IMAGE_TAG = re.compile(r"</?image(?:\s[^<>\n]*)?>")


def payload_of(fields: dict[str, Any]) -> dict[str, Any]:
    """Take a record out of its envelope; the first generation had none."""
    return fields_of(fields.get("payload")) if "payload" in fields else fields


class Rollout:
    """Takes records in the order of the file."""

    def __init__(self, builder: TranscriptBuilder, notes: dict[str, Any] | None = None) -> None:
        notes = notes or {}
        self._builder = builder
        self._replies = Replies(builder, has_events=bool(notes.get("spoken")))
        self._seen: dict[str, int] = dict.fromkeys(items_of(notes.get("seen")), -1)
        """Prompt, hashed → bytes before it."""
        self._source_of_last = text_of(notes.get("source")) or _INPUT
        """Where the last prompt stood."""
        self._has_events = bool(notes.get("events"))
        """Whether prompts stand in events: then those in the model's input do not count."""
        self._is_unfinished = False
        builder.besides = lambda: {
            "source": self._source_of_last,
            "events": self._has_events,
            "spoken": self._replies.has_events,
        }

    def begin(self, meta: dict[str, Any]) -> None:
        """Take the file's own header; later ones are copied from the sessions that this one goes on from."""
        builder = self._builder
        builder.session_id = text_of(meta.get("id"))
        builder.workspace = builder.cwd = text_of(meta.get("cwd")) or builder.workspace
        builder.branch = text_of(fields_of(meta.get("git")).get("branch")) or None

    def take_raw(self, line: bytes) -> bool:
        """Take a raw line if it need not be decoded: the assistant's, or a copy of a prompt that is known already."""
        kind = payload_kind(line, 0, len(line))
        if self._has_events and kind in _MAY_BE_COPIES and _COPY.search(line, 0, _HEAD):
            return True
        is_taken = self._replies.take(line, kind)
        self._is_unfinished = self._is_unfinished and not is_taken
        return is_taken

    def take(self, fields: dict[str, Any]) -> None:
        payload = payload_of(fields)
        self._is_unfinished = payload is not fields and payload.get("role") == "user"
        kind = "response_item" if payload is fields else fields.get("type")
        at = fields.get("timestamp")
        if kind == "turn_context":
            self._builder.cwd = text_of(payload.get("cwd")) or self._builder.cwd
            self._builder.model = text_of(payload.get("model")) or self._builder.model
        elif kind == "event_msg":
            self._take_event(payload, at)
        elif kind == "response_item":
            self._take_item(payload, at)

    def end(self) -> None:
        """Take what the assistant did last; leave out a prompt of the model's input whose event is not written yet."""
        self._replies.tell()
        if self._is_unfinished and not self._has_events:
            self._builder.rewind(1)

    def notes(self, restart: Restart) -> dict[str, Any]:
        """Return what is needed to go on at a prompt, besides what the draft knows."""
        return {"seen": [prompt for prompt, offset in self._seen.items() if offset < restart.place.offset]}

    def _take_event(self, event: dict[str, Any], at: object) -> None:
        kind = text_of(event.get("type"))
        item = fields_of(event.get("item"))
        if kind == "user_message" and event.get("kind", "plain") == "plain":
            self._hear(kind, [text_of(event.get("message"))], at)
        elif kind == "item_completed" and text_of(item.get("type")) in {"UserMessage", "user_message"}:
            self._hear(kind, texts(item.get("content")), at)
        elif kind == "agent_message" or (kind == "item_completed" and text_of(item.get("type")) == "AgentMessage"):
            self._replies.say(event, at)
        elif kind == "turn_aborted" and event.get("reason", "interrupted") == "interrupted":
            self._builder.hint(after_interruption=True)
        elif kind == "thread_rolled_back":
            self._replies.tell()
            self._builder.rewind(event.get("num_turns"))

    def _take_item(self, item: dict[str, Any], at: object) -> None:
        kind = text_of(item.get("type"))
        if kind == "message" and item.get("role") == "user":
            self._hear(_INPUT, texts(item.get("content")), at)
        elif item.get("role") == "assistant" or kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            self._replies.say(item, at)
        elif kind in {"function_call_output", "custom_tool_call_output"}:
            self._take_output(item)

    def _hear(self, source: str, messages: list[str], at: object) -> None:
        """Take a prompt, once, however often it stands in the file."""
        if source == _INPUT:
            self._note_rules(messages)
            if self._has_events:
                return
        text = "\n".join(filter(None, map(_typed, messages)))
        key = hash_of("codex", str(at), text)
        self._replies.tell()
        if source != _INPUT and not self._has_events:
            self._has_events = True
            self._builder.withdraw()
            self._seen.clear()
        elif key in self._seen or (source != self._source_of_last and self._builder.is_repeated(text)):
            return
        self._seen.setdefault(key, self._builder.place.offset)
        self._source_of_last = source
        paths = (path for message in messages for path in _attached(message))
        self._builder.type(text, at=instant(at), key=key if at else "", paths=paths)

    def _note_rules(self, messages: list[str]) -> None:
        for message in messages:
            if found := _RULES.match(message):
                self._builder.customizations[f"{found[1]}/AGENTS.md"] = None

    def _take_output(self, item: dict[str, Any]) -> None:
        output = item.get("output")
        said = text_of(output) or text_of(fields_of(output).get("content"))
        if any(rejection in said[:200] for rejection in _REJECTIONS):
            self._replies.tell()
            self._builder.reject(text_of(item.get("call_id")))


def _typed(message: str) -> str:
    if message.startswith(_IDE_PREFIXES) and _REQUEST not in message:
        return ""
    text = typed_in(_IMAGE_TAG.sub("", message)).text
    return "" if text == "$ARGUMENTS" else text


def _attached(message: str) -> Iterator[str]:
    if message.startswith(_IDE_PREFIXES):
        yield from _IDE_FILE.findall(message.rpartition(_REQUEST)[0])


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
        kind = text_of(payload.get("type"))
        if kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            self._use(payload)
            return
        item = fields_of(payload.get("item"))
        text = text_of(payload.get("message")) or "\n".join(texts(item.get("content") or payload.get("content")))
        if text and text != self._last_said:  # an event, and the model's own record of it
            self._last_said = text
            self._builder.say(text, at=instant(at))

    def _use(self, call: dict[str, Any]) -> None:
        given = _arguments(call)
        command = _command(given)
        told = {**given, "command": command} if command else given
        self._builder.use(text_of(call.get("name")) or "shell", told, call_id=text_of(call.get("call_id")))
        for path in files_patched(command):
            self._builder.activity.touch(path, is_written=True)


def texts(content: object) -> list[str]:
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
