"""The text that Claude Code's `/export` writes: prompts behind `> `, wrapped at the terminal's width."""

from __future__ import annotations

import re
from itertools import pairwise

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "claude-export"

_PROMPTS = ("> ", "❯ ")
_ANSWERS = ("⏺ ", "● ")
_INDENT = "  "
_OWN_LINES = (*_PROMPTS, *_ANSWERS, _INDENT)
_RESULT = "⎿"
_BANNER = 4096  # bytes within which the welcome stands
_MIN_WIDTH = 40  # columns of the narrowest terminal
_SLACK = 3  # columns that may stay free at the end of a wrapped line
_FOLDER = re.compile(r"(?:cwd: |▘▘ ▝▝ {1,8})((?:~|/|[A-Za-z]:\\)[^\s│]{0,400})")
_CALL = re.compile(r"(?:⏺|●) (Read|Write|Create|Update|Edit|MultiEdit|NotebookEdit)\(([^()\n]{1,400})\)\s*$")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s")
_COMMAND = re.compile(r"\A/[A-Za-z][\w:-]{0,80}(?=\s|$)")
_INTERRUPTED = ("Interrupted", "[Request interrupted by user")


def sniff(head: bytes, _name: str) -> bool:
    start = head[:_BANNER].decode("utf-8", "replace")
    return "▐▛███▜▌" in start or ("╭" in start and "Welcome to Claude Code" in start)


def read(source: Source) -> Transcript:
    builder = TranscriptBuilder(source, name=NAME)
    head = source.head().decode("utf-8", "replace").split("\n")
    full = (line for line in head if line.startswith(_OWN_LINES) and not line.startswith("    "))
    width = max(map(len, full), default=0)
    prompt: list[str] | None = None
    for _, line in source.text_lines(builder.skipped):
        if line.startswith(_PROMPTS):
            _hear(builder, prompt, width=width)
            prompt = [line[2:]]
        elif prompt is not None and (line.startswith(_INDENT) or not line.strip()) and not _is_result(line):
            prompt.append(line[2:])
        else:
            _hear(builder, prompt, width=width, is_remembered=_is_result(line))
            prompt = None
            _take_line(builder, line)
    _hear(builder, prompt, width=width)
    return builder.finished(is_export=True)


def _is_result(line: str) -> bool:
    return line.lstrip().startswith(_RESULT)


def _take_line(builder: TranscriptBuilder, line: str) -> None:
    if call := _CALL.match(line):
        builder.use(call[1], {"path": call[2]})
        if call[1] == "Update":  # the only one whose name does not say so elsewhere
            builder.activity.touch(call[2], is_written=True)
    elif _is_result(line):
        if line.lstrip().removeprefix(_RESULT).lstrip().startswith(_INTERRUPTED):
            builder.hint(after_interruption=True)
    elif not builder.workspace and (folder := _FOLDER.search(line)):
        builder.workspace = builder.cwd = folder[1]
    elif line.startswith(_ANSWERS) or (line.startswith(_INDENT) and not line.startswith("    ") and builder.has_begun):
        builder.activity.say(line[2:])


def _hear(builder: TranscriptBuilder, prompt: list[str] | None, *, width: int, is_remembered: bool = False) -> None:
    """Take a prompt: a command's name was not typed as a text, shell commands are none."""
    if not prompt:
        return
    text = _joined(prompt, width)
    if is_remembered and text.startswith("# ") and "\n" not in text:
        builder.listen(text[2:], remember=True)
    elif not text.startswith("!"):
        builder.listen(_COMMAND.sub("", text))


def _joined(lines: list[str], width: int) -> str:
    """Put together again what was wrapped: a line that had no room for the next one's first word goes on there."""
    pieces = [lines[0].rstrip()]
    for before, line in pairwise(lines):
        word = line.lstrip().partition(" ")[0]
        needed = len(_INDENT) + len(before.rstrip()) + 1 + len(word)
        is_wrapped = word and before.strip() and not _ITEM.match(line) and needed > max(width, _MIN_WIDTH) - _SLACK
        pieces.append(f" {line.strip()}" if is_wrapped else f"\n{line.rstrip()}")
    return "".join(pieces).strip()
