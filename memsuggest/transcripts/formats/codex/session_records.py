"""The records of one Codex session: what in them was typed, and the signals around it.

A prompt may stand in a file up to three times: as a completed item, as an event, as the model's input. The last of
these is only looked at in files without the others, for much was put there by programs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.model import hash_of
from memsuggest.transcripts.formats.codex.assistant_records import Replies, texts
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, text_of
from memsuggest.transcripts.parsing.prefilter import payload_kind
from memsuggest.transcripts.typed_text import typed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
    from memsuggest.transcripts.progress.continuing import Restart

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
        """Take the next record."""
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
    """Take out what editors and prompt files put around the request."""
    if message.startswith(_IDE_PREFIXES) and _REQUEST not in message:
        return ""
    text = typed_in(_IMAGE_TAG.sub("", message)).text
    return "" if text == "$ARGUMENTS" else text


def _attached(message: str) -> Iterator[str]:
    """Name the files that the editor says were open or mentioned."""
    if message.startswith(_IDE_PREFIXES):
        yield from _IDE_FILE.findall(message.rpartition(_REQUEST)[0])
