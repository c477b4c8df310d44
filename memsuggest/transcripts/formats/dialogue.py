"""Plain text of the form `Name: what was said`; who is the person is said by `--person`, or plain from the names.

Only what the person says counts; everybody else stands where the assistant does, a colleague too.
"""

from __future__ import annotations

import re

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.plain_text import Fences, doubtful_turns, fence_language
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "dialogue"

_PERSONS = ("user", "human", "me", "you", "developer", "dev")
_ASSISTANTS = frozenset({
    "assistant", "ai", "agent", "bot", "model", "copilot", "github copilot", "claude", "claude code", "chatgpt", "gpt",
    "gpt-4", "gpt-5", "gemini", "cursor", "codex", "cline", "roo", "roo code", "aider", "cascade", "windsurf",
    "opencode", "llm", "haiku", "sonnet", "opus",
})  # fmt: skip
_NO_NAMES = frozenset({
    "note", "notes", "remember", "important", "warning", "error", "example", "examples", "todo", "fixme", "hint", "tip",
    "preference", "pref", "convention", "decision", "correction", "lesson", "procedure", "howto", "steps", "rule",
    "rules", "terminology", "term", "naming", "fact", "skill", "observation", "task", "summary", "question", "answer",
    "ps", "edit", "update", "input", "output", "result", "results", "expected", "actual", "file", "files", "path",
    "http", "https", "also", "first", "second", "third", "then", "finally", "no", "yes", "ok",
})  # fmt: skip
"""Words before a colon that begin a remark rather than a speaker's turn."""
_SPEAKER = re.compile(
    r"(?:\[[^\]\n]{1,40}\]\s{0,4})?(?P<bold>\*\*)?(?P<name>[^\W\d_][\w .'@()-]{0,38}?)"
    r"(?:(?(bold)\*\*:|:)|(?(bold):\*\*|(?!)))(?:[ \t]+(?P<said>[^\n]*))?$"
)
_SNIFFED_LINES = 400


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a text that begins with a speaker and names two, or one that is plainly between a person and a machine.

    A title may come before the first speaker only in the latter case.
    """
    lines = [line.removesuffix("\r") for line in head.decode("utf-8", "replace").split("\n")[:_SNIFFED_LINES]]
    names = _names(lines)
    is_plain = any(name in _PERSONS for name in names) and any(name in _ASSISTANTS for name in names)
    if not _speaker(lines[0]):
        return is_plain
    return len(names) > 1 or any(name in _PERSONS for name in names)


def read(source: Source) -> Transcript:
    """Read one dialogue; TranscriptError when nobody knows which name is the person's."""
    builder = TranscriptBuilder(source, name=NAME)
    lines = [line for _, line in source.text_lines(builder.skipped)]
    names = _names(lines)
    person = _person(list(names), source)
    turns: list[tuple[str, list[str]]] = []
    last_mark = max((place for place, line in enumerate(lines) if fence_language(line) == ""), default=-1)
    fences = Fences()
    for place, line in enumerate(lines):
        is_code = fences.take(line) and place <= last_mark  # a fence that nothing closes is none
        if not is_code and (found := _speaker(line)) and found[0] in names:
            turns.append((found[0], [found[1]]))
            fences = Fences()
            fences.take(found[1])
        elif turns:
            turns[-1][1].append(line)
    doubted = doubtful_turns([speaker == person for speaker, _ in turns])
    for place, (speaker, said) in enumerate(turns):
        text = "\n".join(said).strip()
        if speaker == person:
            builder.listen(text, is_doubtful=place in doubted)
        else:
            builder.activity.say(text)
    return builder.finished()


def _speaker(line: str) -> tuple[str, str] | None:
    """Split a line into a speaker's name, case folded, and what is said, if it begins with a name."""
    found = _SPEAKER.match(line)
    if not found:
        return None
    written = found["name"].strip()
    name = written.casefold()
    is_role = name in _ASSISTANTS or name in _PERSONS
    if name in _NO_NAMES or not (is_role or written[0].isupper()) or len(written.split()) > 3:
        return None
    return name, found["said"] or ""


def _names(lines: list[str]) -> dict[str, None]:
    """Collect the speakers in their order.

    Any capitalised name at the beginning of a line is one: better a remark of the person's is lost than that somebody
    else's words count as theirs.
    """
    fences = Fences()
    found = (_speaker(line) for line in lines if not fences.take(line))
    return dict.fromkeys(speaker[0] for speaker in found if speaker)


def _person(names: list[str], source: Source) -> str:
    """Choose the person's name: the one given, a name that says so, or the only one that is no assistant's."""
    hint = f"pass `--person NAME`; the speakers are: {', '.join(names[:8])}"
    if source.person:
        if source.person.casefold() not in names:
            raise TranscriptError(f"{source.name} has no speaker named {source.person}", hint=hint)
        return source.person.casefold()
    persons = [name for name in names if name in _PERSONS]
    others = [name for name in names if name not in _ASSISTANTS]
    if len(persons) == 1:
        return persons[0]
    if not persons and len(others) == 1 and len(names) > 1:
        return others[0]
    raise TranscriptError(f"cannot tell which speaker in {source.name} is you", hint=hint)
