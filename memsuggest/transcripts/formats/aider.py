"""aider's `.aider.chat.history.md`: all sessions of a repo in one file, prompts behind `#### `.

A heading of the fourth level in an answer looks almost the same: aider ends each line of a prompt with two blanks,
begins a prompt after an empty line, and never writes one inside an answer's code.
"""

from __future__ import annotations

import re
from datetime import datetime

from memsuggest.core.model import Transcript, hash_of
from memsuggest.transcripts.parsing.json_records import instant
from memsuggest.transcripts.parsing.plain_text import Fences, outside
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "aider"

_START = "# aider chat started at "
_STARTED = re.compile(rb"^# aider chat started at \d{4}-", re.MULTILINE)
_PROMPT = "####"
_TOOL = "> "
_COUNTED = "\n> Tokens: "
_MARK = "  "  # aider ends its own lines with it
_OWN_LINE = re.compile(r"^#### [^\n]*\S  $", re.MULTILINE)

_TALKING_COMMANDS = ("/ask", "/code", "/architect", "/context")
"""Commands whose arguments are a prompt."""
_COMMAND = re.compile(r"[/!][a-z]")
_ECHO_SIZE, _ECHO_SHARE = 40, 0.8
"""Characters from which on a prompt may be the assistant's own words, and the share of them that have to be."""
_REPLY_LINES = 20_000  # of an answer that are kept to recognise its echo
_FILE_COMMANDS = ("/add", "/read-only", "/read")
_GENERATED = (
    "I've written your instructions in comments in the code and marked them with",
    'Find the "AI" comments below (marked with █)',
    "<blank>",
)
"""Beginnings of prompts that aider's watch mode writes."""
_CONFIRMATION = re.compile(r"\(Y\)es/\(N\)o")
_ANSWERS = frozenset({"y", "n", "a", "s", "d", "yes", "no", "all", "skip"})
_USER_PROMPT = re.compile(r"</?UserPrompt>")  # editors that drive aider write it, behind a `<SystemPrompt>`
_FILE_NAME = re.compile(r"[\w./\\@+-]{1,300}\.\w{1,12}")

_ADDED = re.compile(r"Added (\S{1,400}) to the chat")
_APPLIED = re.compile(r"Applied edit to (\S{1,400})")
_MODEL = re.compile(r"(?:Main model|Model|Models): (\S{1,200})")
_CONVENTIONS = re.compile(r"(?:^|[/\\])(?:CONVENTIONS|AGENTS|CLAUDE|GEMINI)\.md$", re.IGNORECASE)
_INTERRUPTED = ("^C KeyboardInterrupt", "^C again to exit")


def sniff(head: bytes, name: str) -> bool:
    return bool(_STARTED.match(head)) or ("aider" in name and bool(_STARTED.search(head)))


def read(source: Source) -> Transcript:
    builder = TranscriptBuilder(source, name=NAME)
    if source.path:
        builder.workspace = builder.cwd = builder.workspace or str(source.path.parent)
    text = source.head().decode("utf-8", "replace").replace("\r\n", "\n")
    history = _History(builder, is_marked=bool(_OWN_LINE.search(text)), is_counted=_COUNTED in text)
    for _, line in source.text_lines(builder.skipped):
        history.take(line)
    history.end_prompt()
    return builder.finished()


class _History:
    def __init__(self, builder: TranscriptBuilder, *, is_marked: bool, is_counted: bool) -> None:
        self._builder = builder
        self._is_counted = is_counted
        """Whether aider told behind its answers what they cost: then no prompt comes right behind an answer."""
        self._is_marked = is_marked
        """Whether the two blanks at the end of a prompt's lines have survived; formatters strip them."""
        self._at: datetime | None = None
        self._prompt: list[str] = []
        self._attached: list[str] = []
        self._fences = Fences()
        self._is_after_blank = True
        self._is_code = False
        self._is_answer = False
        """Whether the last line that is not blank was the assistant's."""
        self._reply: set[str] = set()
        """Lines that the assistant has said since the last prompt; its architect's answer is logged as a prompt too."""

    def take(self, line: str) -> None:
        if line.startswith(_START):
            self._begin(line)
        elif self._is_prompt(line):
            self._is_answer = False
            words, prompt = line.removeprefix(_PROMPT).removeprefix(" ").rstrip(), self._prompt
            stands_alone = len(prompt) == 1 and (_COMMAND.match(prompt[0]) or _FILE_NAME.fullmatch(prompt[0]))
            if self._is_after_blank and prompt and (_COMMAND.match(words.strip()) or stands_alone):
                self.end_prompt()
            self._prompt.append(words)
        elif not line.strip():
            self._is_code = self._fences.take(line)
        elif line.startswith(_TOOL) and (line.endswith(_MARK) or not self._is_code):
            self.end_prompt()
            self._fences, self._is_code, self._is_answer = Fences(), False, False
            self._take_tool_line(line.removeprefix(_TOOL).strip())
        else:
            self.end_prompt()
            self._is_code = self._fences.take(line)
            self._is_answer = True
            self._builder.activity.say(line)
            if len(self._reply) < _REPLY_LINES:
                self._reply.add(line.strip())
        self._is_after_blank = not line.strip()

    def _is_prompt(self, line: str) -> bool:
        if not (line.startswith(_PROMPT + " ") or line.rstrip() == _PROMPT) or self._is_code:
            return False
        is_own = line.endswith(_MARK) if self._is_marked else not self._is_answer
        if self._is_counted and self._is_answer and not self._prompt:
            return False
        return is_own and (self._is_after_blank or bool(self._prompt))

    def end_prompt(self) -> None:
        prompt, self._prompt = self._prompt, []
        half = len(prompt) // 2
        if half and prompt[:half] == prompt[-half:] and not any(prompt[half:-half]):  # it was logged twice
            prompt = prompt[:half]
        text = "".join(outside("\n".join(prompt), "SystemPrompt")).strip()
        text = _USER_PROMPT.sub("", text).strip()
        if not text or text.startswith(_GENERATED) or text.casefold() in _ANSWERS or _CONFIRMATION.search(text):
            return
        lines = list(filter(None, map(str.strip, text.split("\n"))))
        size, echoed = sum(map(len, lines)), sum(len(line) for line in lines if line in self._reply)
        if size >= _ECHO_SIZE and echoed >= _ECHO_SHARE * size:
            return
        command, _, rest = text.partition(" ")
        if command in _FILE_COMMANDS:
            self._attached += rest.split()
        elif command == "/undo":
            self._builder.activity.signal(undone=True)
        elif _FILE_NAME.fullmatch(text):
            self._attached.append(text)
        elif command in _TALKING_COMMANDS or not _COMMAND.match(text):
            self._builder.listen(rest if command in _TALKING_COMMANDS else text, at=self._at, paths=self._attached)
            self._reply, self._attached = set(), []

    def _begin(self, line: str) -> None:
        """Begin a session, of which the one before tells nothing; the file is named by its first."""
        self.end_prompt()
        self._fences, self._is_code, self._is_answer = Fences(), False, False
        self._attached, self._builder.model = [], None
        self._builder.customizations.clear()
        self._builder.hint(after_interruption=False)
        self._at = instant(line.removeprefix(_START))
        self._builder.session_id = self._builder.session_id or hash_of(NAME, line.strip())

    def _take_tool_line(self, line: str) -> None:
        if added := _ADDED.match(line):
            self._builder.activity.touch(added[1])
            if _CONVENTIONS.search(added[1]):
                self._builder.customizations[added[1]] = None
        elif applied := _APPLIED.match(line):
            self._builder.activity.touch(applied[1], is_written=True)
        elif model := _MODEL.match(line):
            self._builder.model = model[1]
        elif line.startswith(_INTERRUPTED):
            self._builder.hint(after_interruption=True)
        self._builder.at = self._at
