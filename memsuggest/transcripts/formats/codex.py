"""OpenAI Codex sessions: `rollout-*.jsonl`, in all three generations of the format."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from memsuggest.core.identity import hash_of
from memsuggest.transcripts.parsing.continuing import Continued, whole_reader
from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    decode,
    fields_of,
    files_patched,
    first_objects,
    instant,
    items_of,
    outline,
    text_of,
)
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import BEGINNING, Source, decoded, is_other_than, objects, payload_kind
from memsuggest.transcripts.typed_text import EDITOR, REQUEST, typed_in

NAME = "codex"

_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_LEGACY_KEYS = frozenset({"id", "timestamp", "instructions"})
_RECORD_HEAD = 512  # bytes within which even the longest first line names its kind
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_RAW_OUTPUTS = frozenset(kind.encode() for kind in _OUTPUTS)

is_wanted = is_other_than(
    "reasoning", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "token_count",
    "compacted", "web_search_call", "ghost_snapshot", "exec_command_begin", "exec_command_end", "mcp_tool_call_end",
    "patch_apply_begin", "patch_apply_end", "turn_diff", "task_started", "task_complete", "function_call_output",
    "custom_tool_call_output",
    unless=lambda kind, data, start, end: (
        kind in _RAW_OUTPUTS and data.find(b"rejected by user", start, min(start + 1024, end)) >= 0
    ),
)  # fmt: skip


def sniff(head: bytes, _name: str) -> bool:
    if first := next(first_objects(head), None):
        is_envelope = text_of(first.get("type")) in _ENVELOPES and isinstance(first.get("payload"), dict)
        return is_envelope or _is_legacy_header(first)
    return outline(head).keys.keys() >= {"timestamp", "type", "payload"} and b'"session_meta"' in head[:_RECORD_HEAD]


def _is_legacy_header(fields: dict[str, Any]) -> bool:
    return fields.keys() >= _LEGACY_KEYS and not fields.keys() & {"type", "payload", "role", "messages", "uuid"}


def payload_of(fields: dict[str, Any]) -> dict[str, Any]:
    """Take a record out of its envelope; the first generation had none."""
    return fields_of(fields.get("payload")) if "payload" in fields else fields


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    rollout = _Rollout(builder, notes)
    header = next(objects(replace(source, start=BEGINNING), []), {})
    if not notes and (header.get("type") == "session_meta" or _is_legacy_header(header)):
        # Later headers are copied from the sessions that this one goes on from.
        meta = payload_of(header)
        if isinstance(meta.get("source"), dict) or text_of(meta.get("thread_source")) not in {"", "user"}:
            builder.skip("subagent session without typed messages")
            return builder.continued()
        builder.session_id = text_of(meta.get("id"))
        builder.workspace = builder.cwd = text_of(meta.get("cwd")) or builder.workspace
        builder.branch = text_of(fields_of(meta.get("git")).get("branch")) or None
    for line in source.lines(builder.skipped, is_wanted=is_wanted):
        builder.stand(line)
        if not rollout.is_known(line.data) and (fields := decoded(line, source, builder.skipped)):
            rollout.take(fields)
    if rollout.is_unfinished and not rollout.has_events:  # a prompt of the model's input whose event is still to come
        builder.rewind(1)
    done = builder.continued()
    return done._replace(
        notes=lambda restart: done.notes(restart) | {"seen": rollout.seen_before(restart.place.offset)}
    )


read = whole_reader(read_on)

_INPUT = "input"  # the prompts that the model was sent, among much that programs wrote
_REJECTIONS = ("exec command rejected by user", "patch rejected by user")
_IDE_FILE = re.compile(r"^## (?:Active file: |[^\n:]{1,200}: (?=[/~.]|[A-Za-z]:[\\/]))([^\n]{1,400})$", re.MULTILINE)
_RULES = re.compile(r"# AGENTS\.md instructions for ([^\n]{1,400})\n")
_HEAD = 256  # bytes of a line in which its kind stands
_COPY = re.compile(rb'"type": ?"message", ?"role": ?"(user|assistant)"')
_MAY_BE_COPIES = frozenset({b"", b"message"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_IMAGE_TAG = re.compile(r"</?image(?:\s[^<>\n]*)?>")


class _Rollout:
    """Takes records in the order of the file."""

    def __init__(self, builder: TranscriptBuilder, notes: dict[str, Any]) -> None:
        self._builder = builder
        self._is_spoken = bool(notes.get("spoken"))
        """Whether what the assistant says stands in events, of which the model's record is a copy."""
        self._last_said = ""
        self._seen: dict[str, int] = dict.fromkeys(items_of(notes.get("seen")), -1)
        """Prompt, hashed → bytes before it."""
        self._source_of_last = text_of(notes.get("source")) or _INPUT
        self.has_events = bool(notes.get("events"))
        """Whether prompts stand in events: then those in the model's input do not count."""
        self.is_unfinished = False
        builder.besides = lambda: {
            "source": self._source_of_last,
            "events": self.has_events,
            "spoken": self._is_spoken,
        }

    def is_known(self, line: bytes) -> bool:
        """Tell whether a raw line is the model's copy of what stands in events; it need not be decoded."""
        if not (self.has_events or self._is_spoken) or payload_kind(line, 0, len(line)) not in _MAY_BE_COPIES:
            return False
        copy = _COPY.search(line, 0, _HEAD)
        if copy is None or not (self.has_events if copy[1] == b"user" else self._is_spoken):
            return False
        self.is_unfinished = self.is_unfinished and copy[1] == b"user"
        return True

    def seen_before(self, offset: int) -> list[str]:
        return [prompt for prompt, place in self._seen.items() if place < offset]

    def take(self, fields: dict[str, Any]) -> None:
        payload, at = payload_of(fields), fields.get("timestamp")
        self.is_unfinished = payload is not fields and payload.get("role") == "user"
        kind = "response_item" if payload is fields else fields.get("type")
        if kind == "turn_context":
            self._builder.cwd = text_of(payload.get("cwd")) or self._builder.cwd
            self._builder.model = text_of(payload.get("model")) or self._builder.model
        elif kind == "event_msg":
            self._take_event(payload, at)
        elif kind == "response_item":
            self._take_item(payload, at)

    def _take_event(self, event: dict[str, Any], at: object) -> None:
        kind, item = text_of(event.get("type")), fields_of(event.get("item"))
        completed = text_of(item.get("type")) if kind == "item_completed" else ""
        if kind == "user_message" and event.get("kind", "plain") == "plain":
            self._hear(kind, [text_of(event.get("message"))], at)
        elif completed in {"UserMessage", "user_message"}:
            self._hear(kind, _texts(item), at)
        elif kind == "agent_message" or completed == "AgentMessage":
            self._is_spoken = True
            self._say(text_of(event.get("message")) or "\n".join(_texts(item)), at)
        elif kind == "turn_aborted" and event.get("reason", "interrupted") == "interrupted":
            self._builder.hint(after_interruption=True)
        elif kind == "thread_rolled_back":
            self._builder.rewind(event.get("num_turns"))

    def _take_item(self, item: dict[str, Any], at: object) -> None:
        kind = text_of(item.get("type"))
        if kind == "message" and item.get("role") == "user":
            self._hear(_INPUT, _texts(item), at)
        elif kind in _CALLS:
            self._use(item)
        elif item.get("role") == "assistant" and not self._is_spoken:
            self._say("\n".join(_texts(item)), at)
        elif kind in _OUTPUTS:
            output = item.get("output")
            said = text_of(output) or text_of(fields_of(output).get("content"))
            if any(rejection in said[:200] for rejection in _REJECTIONS):
                self._builder.reject(text_of(item.get("call_id")))

    def _hear(self, source: str, messages: list[str], at: object) -> None:
        """Take a prompt, once, however often it stands in the file."""
        builder = self._builder
        if source == _INPUT:
            for rules in filter(None, map(_RULES.match, messages)):
                builder.customizations[f"{rules[1]}/AGENTS.md"] = None
            if self.has_events:
                return
        texts, paths = list[str](), list[str]()
        for message in messages:
            is_editors = message.startswith(EDITOR)
            typed = "" if is_editors and REQUEST not in message else typed_in(_IMAGE_TAG.sub("", message)).text
            texts += [typed] if typed and typed != "$ARGUMENTS" else []
            paths += _IDE_FILE.findall(message.rpartition(REQUEST)[0]) if is_editors else []
        text = "\n".join(texts)
        key = hash_of("codex", str(at), text)
        if source != _INPUT and not self.has_events:
            self.has_events = True
            builder.withdraw()
            self._seen.clear()
        elif key in self._seen or (source != self._source_of_last and builder.is_repeated(text)):
            return
        self._seen.setdefault(key, builder.place.offset)
        self._source_of_last = source
        self._last_said = ""  # the same answer to another prompt is no copy
        builder.type(text, at=instant(at), key=key if at else "", paths=paths)

    def _say(self, text: str, at: object) -> None:
        if text and text != self._last_said:  # an event, and the model's own record of it
            self._last_said = text
            self._builder.say(text, at=instant(at))

    def _use(self, call: dict[str, Any]) -> None:
        given, call_id = _arguments(call), text_of(call.get("call_id"))
        command = given.get("command", given.get("cmd"))
        if isinstance(command, list):
            words = [word for word in command if isinstance(word, str)]
            command = words[-1] if words[1:2] == ["-lc"] else " ".join(words)
        command = text_of(command)
        if paths := files_patched(command or text_of(given.get("input"))):
            for path in paths:
                self._builder.activity.touch(path, is_written=True)
            self._builder.know(call_id, self._builder.activity.note(f"apply_patch: {' '.join(paths)}"))
            return
        arguments = {**given, "command": command} if command else given
        self._builder.use(text_of(call.get("name")) or "shell", arguments, call_id=call_id)


def _texts(item: dict[str, Any]) -> list[str]:
    return [text for part in blocks_of(item.get("content")) if (text := text_of(part.get("text")))]


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
