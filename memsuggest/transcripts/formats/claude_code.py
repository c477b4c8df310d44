"""Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl`, one record a line.

Most lines are tool results, progress and thinking: they are told apart by their first bytes and never decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from memsuggest.core.model import NO_SIGNALS, Role, Skipped, Transcript, Turn, hash_of
from memsuggest.transcripts.formats import claude_code_results as answers
from memsuggest.transcripts.formats.claude_code_results import BEGINNINGS, QUESTION_TOOL
from memsuggest.transcripts.parsing.activity import WRITING_TOOLS, Activity, changed, tool_call
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
from memsuggest.transcripts.storage.source import BEGINNING, Position, Source, decoded
from memsuggest.transcripts.typed_text import Typed, joined, typed_in

NAME = "claude-code"

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
_SAID = tuple(beginning.encode() for beginning in BEGINNINGS)
_SPEAKERS = frozenset({b'user","m', b"assistan"})
_SKIPPED = frozenset({b"progress", b"file-his", b'summary"', b'system",', b"last-pro", b"custom-t", b'mode","m'})
"""First letters of kinds of lines, eight of each."""
_WANTED_ATTACHMENTS = (b'"type":"queued_command"', b'"type":"nested_memory"', b'"type":"file"')
_OTHER_KINDS = frozenset({"file-history-snapshot", "queue-operation", "custom-title", "mode", "last-prompt", "summary"})
_MESSAGE_KINDS = frozenset({"user", "assistant", "system", "attachment", "progress"})


def sniff(head: bytes, _name: str) -> bool:
    return any(_is_record(fields) for fields in first_objects(head))


def _is_record(fields: dict[str, Any]) -> bool:
    kind = text_of(fields.get("type"))
    if kind in _MESSAGE_KINDS:
        return "uuid" in fields and ("parentUuid" in fields or "isSidechain" in fields)
    return kind in _OTHER_KINDS and not fields.keys().isdisjoint({"sessionId", "leafUuid", "snapshot"})


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    skipped: list[Skipped] = []
    session = Session(notes)
    for line in source.lines(skipped, is_wanted=is_wanted):
        if line.data.find(_ASSISTANT, 0, _HEAD) >= 0:
            session.take_answer(fields_in(line.data))
            continue
        session.place = Position(line.start, line.number - 1)
        fields = decoded(line, source, skipped)
        if fields.get("type") != "assistant":
            session.take(fields)
        elif not fields.get("isSidechain"):  # a record that another program wrote out again, with blanks
            session.take_answer(fields)
    transcript = Transcript(
        turns=session.turns(),
        session_id=session.session_id or source.name,
        format=NAME,
        origin=source.name,
        workspace=session.workspace,
        files_written=tuple(session.written),
        skipped=tuple(skipped),
    )
    return Continued(transcript, session.restarts(), session.notes, is_whole=not session.reaches_back())


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
        return _may_be_said(data, kind, end)
    if find(b'"attachment":{', start, head) >= 0:
        return any(find(each, start, head) >= 0 for each in _WANTED_ATTACHMENTS)
    return True


def _may_be_said(data: bytes, kind: int, end: int) -> bool:
    """Tell of a tool's result whether the person's words can be in it or beside it."""
    find = data.find
    if data.startswith(_PLAIN_RESULT, kind):
        is_said = data.startswith(_SAID, kind + len(_PLAIN_RESULT))
    else:
        head = min(kind + _RESULT_HEAD, end)
        is_said = find(b"doesn't want to ", kind, head) >= 0 or find(b" answered", kind, head) >= 0
    if is_said:
        return True
    text = find(_TEXT, kind, end)
    return text >= 0 and not data.startswith(_OF_FILE, text + len(_TEXT))


_NOT_TYPED = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "sourceToolUseID")
_PROGRAMS = frozenset({"sdk", "system"})
"""Sources of prompts that a program sent …"""
_APPS = "claude-"
"""… unless it is one of Claude Code's own apps, in which a person types."""
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


_CALLS_LIMIT = 200


class Call(NamedTuple):
    """A tool call; of questions with their arguments."""

    tool: str = ""
    told: str = ""
    """The call in one short line."""
    arguments: dict[str, Any] | None = None


class Session:
    """Takes records in the order of the file; `turns` are what came of them."""

    def __init__(self, notes: dict[str, Any] | None = None) -> None:
        notes = notes or {}
        self.session_id = text_of(notes.get("session"))
        self.workspace: str | None = text_of(notes.get("workspace")) or None
        self.written: dict[str, None] = {}
        self._activity = Activity()
        self._last: dict[str, Any] = {}
        """The assistant's last record."""
        self._calls: dict[str, Call] = {}
        self.place = BEGINNING
        """Of the line that is being read."""
        self._restarts: list[Restart] = []
        self.number = self._begun = int(notes.get("number", 0))
        """Of the last turn."""
        self.rewound: list[tuple[int, int]] = []
        """Numbers of first and last turns that the person took back by rewinding."""
        self._prompts: dict[str, int] = dict(fields_of(notes.get("prompts")))
        """Record before a prompt, hashed → number of the prompt's turn; two prompts after one are a rewinding."""
        self._order = [(-1, record, number) for record, number in self._prompts.items()]
        """The same as it came, with the bytes before it."""
        self._turns: list[Turn] = []
        self._queued: dict[str, int] = {}
        self._queued_before = set(items_of(notes.get("queued")))
        self._seen: dict[str, int] = {}
        """Record → bytes before it."""
        self._seen_before = frozenset(items_of(notes.get("seen")))
        """Records before the notes, hashed."""
        self._signals = NO_SIGNALS
        self._cwd: str | None = text_of(notes.get("cwd")) or self.workspace
        self._branch: str | None = text_of(notes.get("branch")) or None

    def take(self, fields: dict[str, Any]) -> None:
        kind = fields.get("type")
        self.session_id = self.session_id or text_of(fields.get("sessionId"))
        if kind in ("user", "attachment"):
            if fields.get("isSidechain") or self._is_copy(fields):
                return
            self._cwd = text_of(fields.get("cwd")) or self._cwd
            self._branch = text_of(fields.get("gitBranch")) or self._branch
            self.workspace = self.workspace or self._cwd
        if kind == "user":
            self._take_user(fields)
        elif kind == "attachment":
            self._take_attachment(fields)
        elif kind == "queue-operation":
            self._take_queued(fields)

    def take_answer(self, fields: dict[str, Any]) -> None:
        """Take a record of the assistant's."""
        message = fields_of(fields.get("message"))
        if not message or fields.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            return
        self._last = fields
        for block in map(fields_of, items_of(message.get("content"))):
            if block.get("type") == "text":
                self._activity.say(text_of(block.get("text")))
            elif block.get("type") == "tool_use":
                self._use(text_of(block.get("id")), text_of(block.get("name")), fields_of(block.get("input")))

    def _use(self, call_id: str, tool: str, given: dict[str, Any]) -> None:
        if len(self._calls) >= _CALLS_LIMIT:
            del self._calls[next(iter(self._calls))]
        if path := text_of(given.get("file_path") or given.get("notebook_path")):
            self._activity.touch(path, is_written=tool.lower() in WRITING_TOOLS)
        told = self._activity.note(tool_call(tool, given))
        self._calls[call_id] = Call(tool, told, given if tool == QUESTION_TOOL else None)
        if tool == QUESTION_TOOL:
            self._activity.say(answers.questions_asked(given))
        elif tool == "Skill":
            self._note_customization(text_of(given.get("skill") or given.get("command")))

    def _note_customization(self, name: str) -> None:
        used = self._activity.signals.customizations
        if name and name not in used:
            self._activity.signal(customizations=(*used, name))

    def turns(self) -> tuple[Turn, ...]:
        """Close the session; leave out what was taken back."""
        self._close_reply(None)
        gone = set(self._withdrawn())
        return tuple(turn for turn in self._turns if turn.number not in gone)

    def restarts(self) -> list[Restart]:
        """Return where reading could go on: at prompts that were not taken back."""
        gone = set(self._withdrawn())
        return [restart for restart in self._restarts if restart.number not in gone]

    def notes(self, restart: Restart) -> dict[str, Any]:
        """Return what is needed to go on at a prompt; nothing in it was typed or said."""
        return restart.kept | {
            "session": self.session_id,
            "workspace": self.workspace,
            "number": restart.number - 1,
            "prompts": {record: number for offset, record, number in self._order if offset < restart.place.offset},
            "seen": sorted([*self._seen_before, *self._seen_until(restart.place.offset)]),
        }

    def reaches_back(self) -> bool:
        return any(first <= self._begun for first, _ in self.rewound)

    def _withdrawn(self) -> Iterator[int]:
        for first, last in self.rewound:
            yield from range(first, last + 1)

    def _is_copy(self, fields: dict[str, Any]) -> bool:
        uuid = text_of(fields.get("uuid"))
        if uuid in self._seen or (self._seen_before and hash_of(uuid) in self._seen_before):
            return True
        if uuid:
            self._seen[uuid] = self.place.offset
        return False

    def _seen_until(self, offset: int) -> list[str]:
        return [hash_of(record) for record, place in self._seen.items() if place < offset]

    def _take_user(self, fields: dict[str, Any]) -> None:
        if any(map(fields.get, _NOT_TYPED)) or _is_from_program(fields):
            return
        typed = []
        is_answer = False
        for block in blocks_of(fields_of(fields.get("message")).get("content")):
            if block.get("type") == "tool_result":
                typed.append(self._typed_in_result(block, fields))
                is_answer = True
            elif block.get("type") == "text":
                typed.append(self._typed_in_text(text_of(block.get("text"))))
        self._say(joined(typed), fields, parent=None if is_answer else text_of(fields.get("parentUuid")))

    def _typed_in_text(self, text: str) -> Typed:
        typed = typed_in(text)
        if typed.is_interruption:
            self._signals = changed(self._signals, after_interruption=True)
        if typed.command and typed.command not in _BUILT_IN:
            self._note_customization(f"/{typed.command}")
        return typed

    def _typed_in_result(self, block: dict[str, Any], fields: dict[str, Any]) -> Typed:
        text = answers.result_text(block)
        if not answers.may_be_said(text):
            return Typed()
        call = self._calls.get(text_of(block.get("tool_use_id")), Call())
        if call.tool == QUESTION_TOOL and not block.get("is_error"):
            return Typed(text=answers.free_answers(fields.get("toolUseResult"), text, call.arguments or {}))
        if answers.is_rejection(block, tool=call.tool, denial=fields.get("toolDenialKind")):
            self._signals = changed(self._signals, rejected_tool=call.told or "a tool call")
            return Typed(text=answers.words_of_rejection(text))
        return Typed()

    def _take_queued(self, fields: dict[str, Any]) -> None:
        content, operation = text_of(fields.get("content")), fields.get("operation")
        if operation == "enqueue" and not content.lstrip().startswith(_NOT_PROMPTS):
            self._say(typed_in(content), fields, parent=None, is_queued=True)
        elif operation == "popAll":
            for text, number in list(self._queued.items()):
                if _is_among(text, content):
                    del self._queued[text]
                    self.rewound.append((number, number))

    def _take_attachment(self, fields: dict[str, Any]) -> None:
        attachment = fields_of(fields.get("attachment"))
        kind = attachment.get("type")
        if kind == "queued_command":
            self._take_queued_command(attachment, fields)
        elif kind == "nested_memory":
            self._note_customization(text_of(attachment.get("path")))
        elif kind == "file" and self._turns and self._turns[-1].role is Role.USER:
            last = self._turns[-1]
            self._turns[-1] = replace(last, paths=(*last.paths, text_of(attachment.get("filename"))))

    def _take_queued_command(self, attachment: dict[str, Any], fields: dict[str, Any]) -> None:
        origin = fields_of(attachment.get("origin")).get("kind", "human")
        if origin != "human" or attachment.get("commandMode", "prompt") != "prompt":
            return
        prompt = attachment.get("prompt")
        parts = [prompt] if isinstance(prompt, str) else [fields_of(part).get("text") for part in items_of(prompt)]
        self._say(joined(typed_in(text_of(part)) for part in parts), fields, parent=None)

    def _say(self, typed: Typed, fields: dict[str, Any], *, parent: str | None, is_queued: bool = False) -> None:
        """Make a turn of what the person typed; a queued prompt that comes by again is the same one."""
        if not typed.text or self._was_queued(typed.text):
            return
        at = instant(fields.get("timestamp"))
        self._close_reply(parent)
        self.number += 1
        if parent and self._signals == NO_SIGNALS:
            self._note_restart()
        if is_queued:
            self._queued[typed.text] = self.number
        self._turns.append(
            Turn(
                number=self.number,
                role=Role.USER,
                typed=typed.text,
                paths=_in_focus(fields),
                cwd=self._cwd,
                branch=self._branch,
                signals=changed(self._signals, remember=True) if typed.remember else self._signals,
                at=at,
                key=text_of(fields.get("uuid")),
            )
        )
        self._signals = NO_SIGNALS

    def _note_restart(self) -> None:
        queued = sorted({*map(hash_of, self._queued), *self._queued_before})
        kept = {"cwd": self._cwd, "branch": self._branch, "queued": queued}
        self._restarts.append(Restart(self.place, self.number, kept))

    def _was_queued(self, text: str) -> bool:
        """Tell whether a prompt consists of prompts that were queued before, and forget these."""
        if hash_of(text) in self._queued_before:
            self._queued_before.remove(hash_of(text))
            return True
        waiting = [queued for queued in self._queued if _is_among(queued, text)]
        if sum(map(len, waiting)) + len(waiting) - 1 < len(text) or not waiting:
            return False
        for queued in waiting:
            del self._queued[queued]
        return True

    def _close_reply(self, parent: str | None) -> None:
        """Make a turn of what the assistant did; note a rewinding when a prompt follows this record already."""
        last = self._last
        if model := text_of(fields_of(last.get("message")).get("model")):
            self._activity.signal(model=model)
        turn = self._activity.as_turn(
            self.number + 1,
            cwd=text_of(last.get("cwd")) or self._cwd,
            branch=text_of(last.get("gitBranch")) or self._branch,
            at=instant(last.get("timestamp")),
            key=text_of(last.get("uuid")),
        )
        self.written |= self._activity.written
        self.session_id = self.session_id or text_of(last.get("sessionId"))
        self._activity, self._last = Activity(), {}
        if turn:
            self.number += 1
            self._turns.append(turn)
        if parent:
            self._calls.clear()
            record = hash_of(parent)
            if record in self._prompts:
                self.rewound.append((self._prompts[record], self.number))
            self._prompts[record] = self.number + 1
            self._order.append((self.place.offset, record, self.number + 1))


def _is_from_program(fields: dict[str, Any]) -> bool:
    if origin := text_of(fields_of(fields.get("origin")).get("kind")):
        return origin != "human"
    is_app = text_of(fields.get("entrypoint")).startswith(_APPS)
    return text_of(fields.get("promptSource")) in _PROGRAMS and not is_app


def _is_among(text: str, longer: str) -> bool:
    return f"\n{text}\n" in f"\n{longer.strip()}\n"


def _in_focus(fields: dict[str, Any]) -> tuple[str, ...]:
    blocks = blocks_of(fields_of(fields.get("message")).get("content"))
    named = (text for block in blocks if "<ide_" in (text := text_of(block.get("text"))))
    found = (match for text in named for match in _IN_FOCUS.finditer(text))
    return tuple(match["opened"] or match["selected"] for match in found)
