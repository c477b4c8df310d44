"""OpenAI Codex sessions: `rollout-*.jsonl`, in all three generations of the format.

A prompt may stand in a file up to three times: as a completed item, as an event, as the model's input. The last of
these is only looked at in files without the others, for much was put there by programs.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memsuggest.model import hash_of
from memsuggest.transcripts.commands import files_patched, files_read
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.json_records import (
    decode,
    fields_of,
    first_objects,
    instant,
    items_of,
    outline,
    records,
    text_of,
)
from memsuggest.transcripts.prefilter import is_other_than, objects
from memsuggest.transcripts.source import BEGINNING
from memsuggest.transcripts.typed import typed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import Transcript
    from memsuggest.transcripts.source import Source

NAME = "codex"

_INPUT = "input"  # the prompts that the model was sent, among much that programs wrote
_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_LEGACY_KEYS = frozenset({"id", "timestamp", "instructions"})
_RECORD_HEAD = 512  # bytes within which even the longest first line names its kind
_ARGUMENTS_LIMIT = 200_000  # characters of a tool call's arguments that are looked into
_REJECTIONS = ("exec command rejected by user", "patch rejected by user")
_IDE_PREFIXES = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Response annotations:")
_REQUEST = "## My request for Codex:"
_IDE_FILE = re.compile(r"^## (?:Active file: |[^\n:]{1,200}: (?=[/~.]|[A-Za-z]:[\\/]))([^\n]{1,400})$", re.MULTILINE)
_RULES = re.compile(r"# AGENTS\.md instructions for ([^\n]{1,400})\n")
_IMAGE_TAG = re.compile(r"</?image(?:\s[^<>\n]*)?>")

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
    first = next(iter(first_objects(head)), None)
    if first:
        return _is_envelope(first) or _is_legacy_header(first)
    return outline(head).keys.keys() >= {"timestamp", "type", "payload"} and b'"session_meta"' in head[:_RECORD_HEAD]


def _is_envelope(fields: dict[str, Any]) -> bool:
    return text_of(fields.get("type")) in _ENVELOPES and isinstance(fields.get("payload"), dict)


def _is_legacy_header(fields: dict[str, Any]) -> bool:
    return fields.keys() >= _LEGACY_KEYS and not fields.keys() & {"type", "payload", "role", "messages", "uuid"}


def read(source: Source) -> Transcript:
    """Read one rollout; a sub-agent's has no turns of a person."""
    draft = Draft(source, name=NAME)
    first = next(records(replace(source, start=BEGINNING), []), None)
    header = first.fields if first else {}
    rollout = _Rollout(draft)
    if header.get("type") == "session_meta" or _is_legacy_header(header):
        if _is_subagent(_payload(header)):
            draft.skip("a sub-agent's session: no person typed in it")
            return draft.finished()
        rollout.begin(_payload(header))
    for fields in objects(source, draft.skipped, is_wanted=is_wanted):
        rollout.take(fields)
    rollout.end()
    return draft.finished()


def _payload(fields: dict[str, Any]) -> dict[str, Any]:
    return fields_of(fields.get("payload")) if "payload" in fields else fields


def _is_subagent(meta: dict[str, Any]) -> bool:
    thread = meta.get("thread_source")
    return isinstance(meta.get("source"), dict) or (isinstance(thread, str) and thread not in {"", "user"})


class _Rollout:
    """Takes records in the order of the file."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._seen: set[str] = set()
        self._source_of_last = _INPUT
        """Where the last prompt stood."""
        self._has_events = False
        """Whether prompts stand in events: then those in the model's input do not count."""
        self._is_unfinished = False
        self._last_said = ""

    def begin(self, meta: dict[str, Any]) -> None:
        """Take the file's own header; later ones are copied from the sessions that this one goes on from."""
        draft = self._draft
        draft.session_id = text_of(meta.get("id"))
        draft.workspace = draft.cwd = text_of(meta.get("cwd")) or draft.workspace
        draft.branch = text_of(fields_of(meta.get("git")).get("branch")) or None

    def take(self, fields: dict[str, Any]) -> None:
        payload = _payload(fields)
        self._is_unfinished = payload is not fields and payload.get("role") == "user"
        kind = "response_item" if payload is fields else fields.get("type")
        at = fields.get("timestamp")
        if kind == "turn_context":
            self._draft.cwd = text_of(payload.get("cwd")) or self._draft.cwd
            self._draft.model = text_of(payload.get("model")) or self._draft.model
        elif kind == "event_msg":
            self._take_event(payload, at)
        elif kind == "response_item":
            self._take_item(payload, at)

    def end(self) -> None:
        """Leave out a prompt of the model's input whose event is not written yet."""
        if self._is_unfinished and not self._has_events:
            self._draft.rewind(1)

    def _take_event(self, event: dict[str, Any], at: object) -> None:
        kind = text_of(event.get("type"))
        item = fields_of(event.get("item"))
        if kind == "user_message" and event.get("kind", "plain") == "plain":
            self._hear(kind, [text_of(event.get("message"))], at)
        elif kind == "item_completed" and text_of(item.get("type")) in {"UserMessage", "user_message"}:
            self._hear(kind, _texts(item.get("content")), at)
        elif kind == "item_completed" and text_of(item.get("type")) in {"AgentMessage", "agent_message"}:
            self._say("\n".join(_texts(item.get("content"))), at)
        elif kind == "agent_message":
            self._say(text_of(event.get("message")), at)
        elif kind == "turn_aborted" and event.get("reason", "interrupted") == "interrupted":
            self._draft.hint(after_interruption=True)
        elif kind == "thread_rolled_back":
            self._draft.rewind(event.get("num_turns"))

    def _take_item(self, item: dict[str, Any], at: object) -> None:
        kind = text_of(item.get("type"))
        if kind == "message" and item.get("role") == "user":
            self._hear(_INPUT, _texts(item.get("content")), at)
        elif kind == "message" and item.get("role") == "assistant":
            self._say("\n".join(_texts(item.get("content"))), at)
        elif kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            self._use(item)
        elif kind in {"function_call_output", "custom_tool_call_output"}:
            self._take_output(item)

    def _hear(self, source: str, messages: list[str], at: object) -> None:
        """Take a prompt, once, however often it stands in the file."""
        if source == _INPUT:
            self._note_rules(messages)
            if self._has_events:
                return
        text = "\n".join(filter(None, map(_typed, messages)))
        key = hash_of(NAME, str(at), text)
        if source != _INPUT and not self._has_events:
            self._has_events = True
            self._draft.withdraw()
        elif key in self._seen or (source != self._source_of_last and text == self._draft.last_typed):
            return
        self._seen.add(key)
        self._source_of_last = source
        paths = (path for message in messages for path in _attached(message))
        self._draft.type(text, at=instant(at), key=key if at else "", paths=paths)

    def _note_rules(self, messages: list[str]) -> None:
        for message in messages:
            if found := _RULES.match(message):
                self._draft.customizations[f"{found[1]}/AGENTS.md"] = None

    def _say(self, text: str, at: object) -> None:
        if text == self._last_said:
            return  # the event and the model's own record of it
        self._last_said = text
        self._draft.activity.say(text)
        self._draft.at = instant(at)

    def _use(self, item: dict[str, Any]) -> None:
        given = _arguments(item)
        command = _command(given)
        patch = command or text_of(given.get("input"))
        told = {**given, "command": command} if command else given
        self._draft.use(text_of(item.get("name")) or "shell", told, call_id=text_of(item.get("call_id")))
        patched = files_patched(patch) if "\n*** " in patch else ()
        for path in patched:
            self._draft.activity.touch(path, is_written=True)
        for path in () if patched else files_read(command):
            self._draft.activity.touch(path)

    def _take_output(self, item: dict[str, Any]) -> None:
        output = item.get("output")
        said = text_of(output) or text_of(fields_of(output).get("content"))
        if any(rejection in said[:200] for rejection in _REJECTIONS):
            self._draft.reject(text_of(item.get("call_id")))


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text for part in items_of(content) if (text := text_of(fields_of(part).get("text")))]


def _typed(message: str) -> str:
    """Take out what editors and prompt files put around the request."""
    if message.startswith(_IDE_PREFIXES) and _REQUEST not in message:
        return ""
    text = typed_in(_IMAGE_TAG.sub("", message)).text
    return "" if text == "$ARGUMENTS" else text


def _attached(message: str) -> Iterator[str]:
    """Name the files that the editor says were open or mentioned."""
    if message.startswith(_IDE_PREFIXES):
        yield from _IDE_FILE.findall(message.rpartition(_REQUEST)[0])


def _arguments(item: dict[str, Any]) -> dict[str, Any]:
    """Read a tool call's arguments, which are JSON in a string, a plain text, or an object."""
    if item.get("type") == "local_shell_call":
        return fields_of(item.get("action"))
    given = item.get("arguments", item.get("input"))
    if isinstance(given, str) and given.startswith("{") and len(given) <= _ARGUMENTS_LIMIT:
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
