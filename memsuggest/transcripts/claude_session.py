"""The records of one Claude Code session, folded into turns.

Owns what counts as typed in them: prompts, queued prompts, words said while rejecting a tool call, free answers to
questions; and what does not: meta lines, side chains, summaries, plans handed over, prompts taken back by rewinding.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from memsuggest.model import NO_SIGNALS, Role, Turn
from memsuggest.transcripts import claude_answers as answers
from memsuggest.transcripts.activity import Activity
from memsuggest.transcripts.json_records import fields_of, instant, items_of, text_of
from memsuggest.transcripts.typed import Typed, typed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOT_TYPED = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "sourceToolUseID")
_NOT_PROMPTS = ("<", "/", '{"task_id"')  # beginnings of queued texts that are commands and notifications
_BUILT_IN = frozenset({
    "add-dir", "agents", "bug", "clear", "compact", "config", "context", "copy", "cost", "doctor", "effort", "exit",
    "export", "fast", "feedback", "help", "hooks", "ide", "install-github-app", "login", "logout", "mcp", "memory",
    "mobile", "model", "output-style", "permissions", "plan", "plugin", "plugins", "privacy-settings", "quit",
    "release-notes", "rename", "resume", "rewind", "sandbox", "skills", "status", "statusline", "tasks",
    "terminal-setup", "theme", "todos", "upgrade", "usage", "vim", "voice",
})  # fmt: skip
"""Commands of Claude Code itself; all others are somebody's customization."""
_CALLS_LIMIT = 1000
_IN_FOCUS = re.compile(
    r"<ide_opened_file>The user opened the file (?P<opened>[^\n<]{1,500}?) in the IDE"
    r"|<ide_selection>The user selected the lines? [\d to]{1,30} from (?P<selected>[^\n<]{1,500}?):?\n"
)


class _Call(NamedTuple):
    """A tool call whose result is awaited."""

    tool: str
    told: str
    arguments: dict[str, Any]
    """Kept for questions only."""


class Session:
    """Takes records in the order of the file; `turns` are what came of them."""

    def __init__(self, *, number: int = 0) -> None:
        self.session_id = ""
        self.workspace: str | None = None
        self.written: dict[str, None] = {}
        self.number = number
        """Of the last turn."""
        self.rewound: list[tuple[int, int]] = []
        """Numbers of first and last turns that the person took back by rewinding."""
        self.prompts: dict[str, int] = {}
        """Record before a prompt → number of the prompt's turn; two prompts after one record are a rewinding."""
        self._turns: list[Turn] = []
        self._activity = Activity()
        self._calls: dict[str, _Call] = {}
        self._queued: dict[str, int] = {}
        self._seen: set[str] = set()
        self._signals = NO_SIGNALS
        self._cwd: str | None = None
        self._branch: str | None = None

    def take(self, fields: dict[str, Any]) -> None:
        """Take the next record."""
        kind = fields.get("type")
        self.session_id = self.session_id or text_of(fields.get("sessionId"))
        if kind in ("user", "assistant", "attachment"):
            if fields.get("isSidechain") or self._is_copy(fields):
                return
            self._cwd = text_of(fields.get("cwd")) or self._cwd
            self._branch = text_of(fields.get("gitBranch")) or self._branch
            self.workspace = self.workspace or self._cwd
        if kind == "assistant":
            self._take_assistant(fields)
        elif kind == "user":
            self._take_user(fields)
        elif kind == "attachment":
            self._take_attachment(fields)
        elif kind == "queue-operation":
            self._take_queued(fields)

    def turns(self) -> tuple[Turn, ...]:
        """Close the session; leave out what was taken back."""
        self._close_activity(None)
        gone = set(self._withdrawn())
        return tuple(turn for turn in self._turns if turn.number not in gone)

    def _withdrawn(self) -> Iterator[int]:
        for first, last in self.rewound:
            yield from range(first, last + 1)

    def _is_copy(self, fields: dict[str, Any]) -> bool:
        uuid = text_of(fields.get("uuid"))
        if not uuid or fields.get("type") == "assistant":
            return False
        is_known = uuid in self._seen
        self._seen.add(uuid)
        return is_known

    def _take_assistant(self, fields: dict[str, Any]) -> None:
        message = fields_of(fields.get("message"))
        model = text_of(message.get("model"))
        if fields.get("isApiErrorMessage") or model == "<synthetic>":
            return
        if model and model != self._activity.signals.model:
            self._activity.signal(model=model)
        for block in map(fields_of, items_of(message.get("content"))):
            if block.get("type") == "text":
                self._activity.say(text_of(block.get("text")))
            elif block.get("type") == "tool_use":
                self._take_call(text_of(block.get("id")), text_of(block.get("name")), fields_of(block.get("input")))

    def _take_call(self, call_id: str, tool: str, arguments: dict[str, Any]) -> None:
        told = self._activity.use(tool, arguments)
        is_question = tool == answers.QUESTION_TOOL
        if is_question:
            self._activity.say(answers.questions_asked(arguments))
        elif tool == "Skill":
            self._note_customization(text_of(arguments.get("skill") or arguments.get("command")))
        if len(self._calls) < _CALLS_LIMIT:
            self._calls[call_id] = _Call(tool, told, arguments if is_question else {})

    def _note_customization(self, name: str) -> None:
        used = self._activity.signals.customizations
        if name and name not in used:
            self._activity.signal(customizations=(*used, name))

    def _take_user(self, fields: dict[str, Any]) -> None:
        origin = fields_of(fields.get("origin")).get("kind", "human")
        if origin != "human" or any(fields.get(mark) for mark in _NOT_TYPED):
            return
        content = fields_of(fields.get("message")).get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else map(fields_of, items_of(content))
        typed = []
        is_answer = False
        for block in blocks:
            if block.get("type") == "tool_result":
                typed.append(self._typed_in_result(block, fields))
                is_answer = True
            elif block.get("type") == "text":
                typed.append(self._typed_in_text(text_of(block.get("text"))))
        self._say(_joined(typed), fields, parent=None if is_answer else text_of(fields.get("parentUuid")))

    def _typed_in_text(self, text: str) -> Typed:
        typed = typed_in(text)
        if typed.is_interruption:
            self._signals = replace(self._signals, after_interruption=True)
        if typed.command and typed.command not in _BUILT_IN:
            self._note_customization(f"/{typed.command}")
        return typed

    def _typed_in_result(self, block: dict[str, Any], fields: dict[str, Any]) -> Typed:
        call = self._calls.pop(text_of(block.get("tool_use_id")), _Call("", "", {}))
        text = answers.result_text(block)
        if call.tool == answers.QUESTION_TOOL and not block.get("is_error"):
            return Typed(text=answers.free_answers(fields.get("toolUseResult"), text, call.arguments))
        if answers.is_rejection(block, tool=call.tool, denial=fields.get("toolDenialKind")):
            self._signals = replace(self._signals, rejected_tool=call.told or "a tool call")
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
        self._say(_joined([typed_in(text_of(part)) for part in parts]), fields, parent=None)

    def _say(self, typed: Typed, fields: dict[str, Any], *, parent: str | None, is_queued: bool = False) -> None:
        """Make a turn of what the person typed; a queued prompt that comes by again is the same one."""
        if not typed.text or self._was_queued(typed.text):
            return
        at = instant(fields.get("timestamp"))
        self._close_activity(parent)
        self.number += 1
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
                signals=replace(self._signals, remember=typed.remember),
                at=at,
                key=text_of(fields.get("uuid")),
            )
        )
        self._signals = NO_SIGNALS

    def _was_queued(self, text: str) -> bool:
        """Tell whether a prompt consists of prompts that were queued before, and forget these."""
        waiting = [queued for queued in self._queued if _is_among(queued, text)]
        if sum(map(len, waiting)) + len(waiting) - 1 < len(text) or not waiting:
            return False
        for queued in waiting:
            del self._queued[queued]
        return True

    def _close_activity(self, parent: str | None) -> None:
        """Make a turn of what the assistant did; note a rewinding when a prompt follows this record already."""
        turn = self._activity.as_turn(self.number + 1, cwd=self._cwd, branch=self._branch)
        self.written.update(self._activity.written)
        if turn:
            self.number += 1
            self._turns.append(turn)
        self._activity = Activity()
        if parent:
            self._calls.clear()
            if parent in self.prompts:
                self.rewound.append((self.prompts[parent], self.number))
            self.prompts[parent] = self.number + 1


def _joined(parts: list[Typed]) -> Typed:
    text = "\n".join(part.text for part in parts if part.text)
    return Typed(text=text, remember=any(part.remember for part in parts))


def _is_among(text: str, longer: str) -> bool:
    """Tell whether a text is one, or several whole lines, of a longer one."""
    return f"\n{text}\n" in f"\n{longer.strip()}\n"


def _in_focus(fields: dict[str, Any]) -> tuple[str, ...]:
    """Files that the IDE says were open or selected while the person typed."""
    content = fields_of(fields.get("message")).get("content")
    texts = [content] if isinstance(content, str) else [fields_of(part).get("text") for part in items_of(content)]
    found = (match for text in texts for match in _IN_FOCUS.finditer(text_of(text)))
    return tuple(match["opened"] or match["selected"] for match in found)
