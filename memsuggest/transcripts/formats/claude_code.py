"""Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl`, one record a line.

Most lines are tool results, progress and thinking: they are told apart by their first bytes and never decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from memsuggest.core.model import hash_of
from memsuggest.transcripts.parsing.activity import WRITING_TOOLS, tool_call
from memsuggest.transcripts.parsing.continuing import Continued, Restart, whole_reader
from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    fields_in,
    fields_of,
    first_objects,
    instant,
    items_of,
    text_of,
)
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, decoded
from memsuggest.transcripts.typed_text import Typed, joined, typed_in

NAME = "claude-code"

_REJECTED = "The user doesn't want to "
_ANSWERED = ("User has answered your questions:", "Your questions have been answered:")
_BEGINNINGS = (_REJECTED, *_ANSWERED)
"""How tools' results begin that carry the person's words."""
_HEAD = 1024  # bytes of a line that tell its kind
_SIDE_HEAD = 400  # bytes in which side chains say so
_RESULT_HEAD = 2048  # bytes of a tool's result that tell whether the person's words are in it
_ASSISTANT = b'"role":"assistant"'
_TYPE, _SIDE = b'"type":"', b'"isSidechain":true'
_MAIN = b',"isSidechain":false'
_PARENT = len('{"parentUuid":"01234567-89ab-cdef-0123-456789abcdef"')
"""Bytes before `_MAIN` in most lines; where it stands, nobody has to look for `_SIDE`."""
_TEXT, _OF_FILE = b'"type":"text"', b',"file"'  # the latter: a file that was read, not a block of the message
_PLAIN_RESULT = b'tool_result","content":"'
_SAID = tuple(beginning.encode() for beginning in _BEGINNINGS)
_SPEAKERS = frozenset({b'user","m', b"assistan"})
_SKIPPED = frozenset({b"progress", b"file-his", b'summary"', b'system",', b"last-pro", b"custom-t", b'mode","m'})
"""First letters of kinds of lines, eight of each."""
_WANTED_ATTACHMENTS = (b'"type":"queued_command"', b'"type":"nested_memory"', b'"type":"file"')
_OTHER_KINDS = frozenset({"file-history-snapshot", "queue-operation", "custom-title", "mode", "last-prompt", "summary"})
_MESSAGE_KINDS = frozenset({"user", "assistant", "system", "attachment", "progress"})


def sniff(head: bytes, _name: str) -> bool:
    for fields in first_objects(head):
        kind = text_of(fields.get("type"))
        if kind in _MESSAGE_KINDS and "uuid" in fields and ("parentUuid" in fields or "isSidechain" in fields):
            return True
        if kind in _OTHER_KINDS and not fields.keys().isdisjoint({"sessionId", "leafUuid", "snapshot"}):
            return True
    return False


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    session = _Session(builder, notes)
    for line in source.lines(builder.skipped, is_wanted=is_wanted):
        if line.data.find(_ASSISTANT, 0, _HEAD) >= 0:
            session.take_answer(fields_in(line.data))
            continue
        builder.stand(line)
        fields = decoded(line, source, builder.skipped)
        if fields.get("type") != "assistant":
            session.take(fields)
        elif not fields.get("isSidechain"):  # a record that another program wrote out again, with blanks
            session.take_answer(fields)
    return session.continued(source)


read = whole_reader(read_on)


def is_wanted(data: bytes, start: int, end: int) -> bool:
    """Tell from a line's raw bytes whether it can hold the person's words or a signal; in doubt it does.

    A quotation mark inside a string is escaped, so these bytes are keys and values, never text. This is asked of every
    line, so it looks as little as it can.
    """
    find, starts = data.find, data.startswith
    head = start + _HEAD if end - start > _HEAD else end
    kind = find(_TYPE, start, head) + 8
    if kind < 8:
        return find(_SIDE, start, head) < 0
    letters = data[kind : kind + 8]
    if letters in _SKIPPED or not (starts(_MAIN, start + _PARENT) or find(_SIDE, start, start + _SIDE_HEAD) < 0):
        return False
    if letters in _SPEAKERS:
        kind = find(_TYPE, kind, head) + 8
    if starts(b'message"', kind):  # the assistant's
        is_thought = starts(b'thinking"', (block := find(_TYPE, kind, head) + 8))
        return not is_thought or find(b'"type":"t', block, end) >= 0  # a text or a tool's call behind it
    if starts(b'tool_result"', kind):
        if starts(_PLAIN_RESULT, kind):
            is_said = starts(_SAID, kind + len(_PLAIN_RESULT))
        else:
            head = min(kind + _RESULT_HEAD, end)
            is_said = find(b"doesn't want to ", kind, head) >= 0 or find(b" answered", kind, head) >= 0
        if is_said:
            return True
        text = find(_TEXT, kind, end)  # the person's words beside the result
        return text >= 0 and not starts(_OF_FILE, text + len(_TEXT))
    if find(b'"attachment":{', start, head) >= 0:
        return any(find(kind_of, start, head) >= 0 for kind_of in _WANTED_ATTACHMENTS)
    return True


_NOT_TYPED = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "sourceToolUseID")
_PROGRAMS = frozenset({"sdk", "system"})
"""Sources of prompts that a program sent, unless it is one of Claude Code's own apps, in which a person types."""
_NOT_PROMPTS = ("<", "/", '{"task_id"')  # beginnings of queued texts that are commands and notifications
_BUILT_IN = frozenset({
    "add-dir", "agents", "bug", "clear", "compact", "config", "context", "copy", "cost", "doctor", "effort", "exit",
    "export", "fast", "feedback", "help", "hooks", "ide", "install-github-app", "login", "logout", "mcp", "memory",
    "mobile", "model", "output-style", "permissions", "plan", "plugin", "plugins", "privacy-settings", "quit",
    "release-notes", "rename", "resume", "rewind", "sandbox", "skills", "status", "statusline", "tasks",
    "terminal-setup", "theme", "todos", "upgrade", "usage", "vim", "voice",
})  # fmt: skip
"""Commands of Claude Code itself; all others are somebody's customization."""
_IN_FOCUS = re.compile(
    r"<ide_opened_file>The user opened the file (?P<opened>[^\n<]{1,500}?) in the IDE"
    r"|<ide_selection>The user selected the lines? [\d to]{1,30} from (?P<selected>[^\n<]{1,500}?):?\n"
)
_QUESTION_TOOL = "AskUserQuestion"
_CALLS_LIMIT = 200


class _Call(NamedTuple):
    """A tool call, in one short line; of questions with their arguments."""

    tool: str = ""
    line: str = ""
    arguments: dict[str, Any] | None = None


class _Session:
    """Takes records in the order of the file."""

    def __init__(self, builder: TranscriptBuilder, notes: dict[str, Any]) -> None:
        self._builder = builder
        builder.workspace = text_of(notes.get("workspace")) or None
        builder.cwd = builder.cwd or builder.workspace
        self._begun = builder.next_number
        self._last_answer: dict[str, Any] = {}
        self._calls: dict[str, _Call] = {}
        self._rewound: list[tuple[int, int]] = []
        """Numbers of first and last turns that the person took back by rewinding."""
        self._prompts: dict[str, int] = dict(fields_of(notes.get("prompts")))
        """Record before a prompt, hashed → number of the prompt's turn; two prompts after one are a rewinding."""
        self._order = [(-1, record, number) for record, number in self._prompts.items()]
        """The same as it came, with the bytes before it."""
        self._queued: dict[str, int] = {}
        self._queued_before = set(items_of(notes.get("queued")))
        builder.besides = lambda: {"queued": sorted({*map(hash_of, self._queued), *self._queued_before})}
        self._seen: dict[str, int] = {}
        """Record → bytes before it."""
        self._seen_before = frozenset(items_of(notes.get("seen")))
        """Records before the notes, hashed."""

    def take(self, fields: dict[str, Any]) -> None:
        kind, builder = fields.get("type"), self._builder
        builder.session_id = builder.session_id or text_of(fields.get("sessionId"))
        if kind == "queue-operation":
            self._take_queued(fields)
        elif kind in ("user", "attachment"):
            uuid = text_of(fields.get("uuid"))
            is_copy = uuid in self._seen or (self._seen_before and hash_of(uuid) in self._seen_before)
            if fields.get("isSidechain") or is_copy:
                return
            if uuid:
                self._seen[uuid] = builder.place.offset
            builder.cwd = text_of(fields.get("cwd")) or builder.cwd
            builder.branch = text_of(fields.get("gitBranch")) or builder.branch
            builder.workspace = builder.workspace or builder.cwd
            if kind == "user":
                self._take_user(fields)
            else:
                self._take_attachment(fields_of(fields.get("attachment")), fields)

    def take_answer(self, fields: dict[str, Any]) -> None:
        message = fields_of(fields.get("message"))
        if not message or fields.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            return
        self._last_answer = fields
        for block in map(fields_of, items_of(message.get("content"))):
            if block.get("type") == "text":
                self._builder.activity.say(text_of(block.get("text")))
            elif block.get("type") == "tool_use":
                self._use(text_of(block.get("id")), text_of(block.get("name")), fields_of(block.get("input")))

    def _use(self, call_id: str, tool: str, given: dict[str, Any]) -> None:
        if len(self._calls) >= _CALLS_LIMIT:
            del self._calls[next(iter(self._calls))]
        if path := text_of(given.get("file_path") or given.get("notebook_path")):
            self._builder.activity.touch(path, is_written=tool.lower() in WRITING_TOOLS)
        line = self._builder.activity.note(tool_call(tool, given))
        self._calls[call_id] = _Call(tool, line, given if tool == _QUESTION_TOOL else None)
        if tool == _QUESTION_TOOL:
            asked = (f"{question} ({' / '.join(labels)})" for question, labels in _questions(given))
            self._builder.activity.say("\n".join(asked))
        elif tool == "Skill":
            self._note_customization(text_of(given.get("skill") or given.get("command")))

    def _note_customization(self, name: str) -> None:
        used = self._builder.activity.signals.customizations
        if name and name not in used:
            self._builder.activity.signal(customizations=(*used, name))

    def _take_user(self, fields: dict[str, Any]) -> None:
        origin = text_of(fields_of(fields.get("origin")).get("kind"))
        is_app = text_of(fields.get("entrypoint")).startswith("claude-")
        is_sent = text_of(fields.get("promptSource")) in _PROGRAMS and not is_app
        if any(map(fields.get, _NOT_TYPED)) or (origin != "human" if origin else is_sent):
            return
        parts: list[Typed] = []
        parent = text_of(fields.get("parentUuid"))
        for block in blocks_of(fields_of(fields.get("message")).get("content")):
            if block.get("type") == "tool_result":
                parts.append(Typed(text=self._typed_in_result(block, fields)))
                parent = ""
            elif block.get("type") == "text":
                typed = typed_in(text_of(block.get("text")))
                parts.append(typed)
                if typed.is_interruption:
                    self._builder.hint(after_interruption=True)
                if typed.command and typed.command not in _BUILT_IN:
                    self._note_customization(f"/{typed.command}")
        self._say(joined(parts), fields, parent=parent)

    def _typed_in_result(self, block: dict[str, Any], fields: dict[str, Any]) -> str:
        """Return the person's words in a tool's result: answers to questions, the reason for a rejection."""
        text = "\n".join(text_of(part.get("text")) for part in blocks_of(block.get("content")))
        if not text.startswith(_BEGINNINGS):
            return ""
        call = self._calls.get(text_of(block.get("tool_use_id")), _Call())
        if call.tool == _QUESTION_TOOL and not block.get("is_error"):
            return _free_answers(fields_of(fields.get("toolUseResult")), text, call.arguments or {})
        # Errors of MCP tools are the server's own words, so for these, and for a call that is not in the file, only
        # Claude Code's own mark counts.
        is_own = call.tool and not call.tool.startswith("mcp__")
        is_rejection = is_own and block.get("is_error") and text.startswith(_REJECTED)
        if denial := fields.get("toolDenialKind"):
            is_rejection = denial == "user-rejected"
        if not is_rejection:
            return ""
        self._builder.hint(rejected_tool=call.line or "a tool call")
        said = text.partition("the user said:\n")[2].partition("\n\nNote: The user's next message")[0]
        return "" if said.startswith("The user wants to clarify these questions.") else said.strip()

    def _take_queued(self, fields: dict[str, Any]) -> None:
        content, operation = text_of(fields.get("content")), fields.get("operation")
        if operation == "enqueue" and not content.lstrip().startswith(_NOT_PROMPTS):
            self._say(typed_in(content), fields, is_queued=True)
        elif operation == "popAll":
            for text in [text for text in self._queued if _is_among(text, content)]:
                number = self._queued.pop(text)
                self._rewound.append((number, number))

    def _take_attachment(self, attachment: dict[str, Any], fields: dict[str, Any]) -> None:
        kind = attachment.get("type")
        if kind == "queued_command":
            origin = fields_of(attachment.get("origin")).get("kind", "human")
            if origin == "human" and attachment.get("commandMode", "prompt") == "prompt":
                parts = blocks_of(attachment.get("prompt"))
                self._say(joined(typed_in(text_of(part.get("text"))) for part in parts), fields)
        elif kind == "nested_memory":
            self._note_customization(text_of(attachment.get("path")))
        elif kind == "file":
            self._builder.attach(text_of(attachment.get("filename")))

    def _say(self, typed: Typed, fields: dict[str, Any], *, parent: str = "", is_queued: bool = False) -> None:
        """Make a turn of what the person typed; a queued prompt that comes by again is the same one."""
        if not typed.text:
            return
        if (name := hash_of(typed.text)) in self._queued_before:
            self._queued_before.remove(name)
            return
        # A prompt may consist of several that were queued before.
        parts = [queued for queued in self._queued if _is_among(queued, typed.text)]
        if parts and len("\n".join(parts)) >= len(typed.text):
            for queued in parts:
                del self._queued[queued]
            return
        self._close_reply(parent)
        number = self._builder.next_number
        texts = (text_of(block.get("text")) for block in blocks_of(fields_of(fields.get("message")).get("content")))
        in_focus = [match for text in texts if "<ide_" in text for match in _IN_FOCUS.finditer(text)]
        self._builder.type(
            typed.text,
            at=instant(fields.get("timestamp")),
            key=text_of(fields.get("uuid")),
            paths=(match["opened"] or match["selected"] for match in in_focus),
            **({"remember": True} if typed.remember else {}),
        )
        if is_queued:
            self._queued[typed.text] = number

    def _close_reply(self, parent: str) -> None:
        """Make a turn of what the assistant did; note a rewinding when a prompt follows this record already."""
        builder, last = self._builder, self._last_answer
        self._last_answer = {}
        if model := text_of(fields_of(last.get("message")).get("model")):
            builder.activity.signal(model=model)
        builder.at = instant(last.get("timestamp"))
        builder.session_id = builder.session_id or text_of(last.get("sessionId"))
        cwd, branch, key = (text_of(last.get(name)) for name in ("cwd", "gitBranch", "uuid"))
        builder.end_activity(cwd=cwd, branch=branch, key=key)
        if parent:
            self._calls.clear()
            record, number = hash_of(parent), builder.next_number
            if record in self._prompts:
                self._rewound.append((self._prompts[record], number - 1))
            self._prompts[record] = number
            self._order.append((builder.place.offset, record, number))

    def continued(self, source: Source) -> Continued:
        self._close_reply("")
        builder = self._builder
        session, builder.session_id = builder.session_id, builder.session_id or source.name
        done = builder.continued()
        gone = {number for first, last in self._rewound for number in range(first, last + 1)}
        prompts = {number for *_, number in self._order} - gone
        kept = tuple(turn for turn in done.transcript.turns if turn.number not in gone)

        def notes(restart: Restart) -> dict[str, Any]:
            """Return what is needed to go on at a prompt; nothing in it was typed or said."""
            end = restart.place.offset
            return {
                **{name: restart.kept[name] for name in ("cwd", "branch", "queued")},
                "session": session,
                "workspace": builder.workspace,
                "number": restart.number - 1,
                "prompts": {record: number for offset, record, number in self._order if offset < end},
                "seen": sorted([*self._seen_before, *(hash_of(name) for name, at in self._seen.items() if at < end)]),
            }

        return Continued(
            replace(done.transcript, turns=kept),
            [restart for restart in done.restarts if restart.number in prompts],
            notes,
            is_whole=all(first >= self._begun for first, _ in self._rewound),
        )


def _is_among(text: str, longer: str) -> bool:
    return f"\n{text}\n" in f"\n{longer.strip()}\n"


def _questions(arguments: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield the questions of a call, each with the options that the assistant offered."""
    for question in map(fields_of, items_of(arguments.get("questions"))):
        labels = [text_of(fields_of(option).get("label")) for option in items_of(question.get("options"))]
        yield text_of(question.get("question")), labels


def _free_answers(result: dict[str, Any], text: str, arguments: dict[str, Any]) -> str:
    """Return the person's own answers, without those that consist of offered options only."""
    if not text.startswith(_ANSWERED):
        return ""
    given, remarks = fields_of(result.get("answers")), fields_of(result.get("annotations"))
    found: dict[str, None] = {}
    for question, labels in _questions(arguments):
        answer = text_of(given.get(question))
        if question and not given:  # older versions only have it in the text
            rest = text.partition(f'"{question}"="')[2]
            ends = [end for mark in ('", "', '". You can now') if (end := rest.find(mark)) >= 0]
            answer = rest[: min(ends)] if ends else rest.removesuffix('"')
        for said in (answer, text_of(fields_of(remarks.get(question)).get("notes"))):
            own = said
            for label in sorted(labels, key=len, reverse=True):
                own = own.replace(label, "")
            if own.strip(" ,"):  # several labels are joined by commas
                found[said] = None
    return "\n\n".join(found)
