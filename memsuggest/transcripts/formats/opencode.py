"""OpenCode's sessions: as `opencode export` prints them, which is how stored ones are handed to us too."""

from __future__ import annotations

from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

NAME = "opencode"

_TEMPLATES = (
    "Please analyze this codebase and create an AGENTS.md file",
    "Create or update `AGENTS.md` for this repository",
    "You are a code reviewer. Your job is to review code changes",
)
"""Beginnings of what the built-in commands put into a message of the person's."""
_BUILT_IN_AGENTS = frozenset({"", "build", "plan", "general", "explore"})
_OWN_TOOLS = frozenset({
    "apply_patch", "bash", "batch", "codesearch", "edit", "glob", "grep", "list", "lsp", "multiedit", "patch", "read",
    "skill", "task", "todoread", "todowrite", "webfetch", "websearch", "write",
})  # fmt: skip
"""Tools whose errors OpenCode words itself; those of others are their servers' words, which may pretend anything."""
_REFUSED = "The user rejected permission to use this specific tool call"
_FEEDBACK = " with the following feedback: "


def sniff(head: bytes, _name: str) -> bool:
    keys = outline(head).keys
    return keys.get("info") == "{" and b'"ses_' in head[:1024] and keys.keys() <= {"info", "messages"}


def read(source: Source) -> Transcript:
    """Read one exported session; a child session has no turns of a person."""
    export = fields_of(whole(source, hint="run `opencode export` again"))
    builder = TranscriptBuilder(source, name=NAME)
    info = fields_of(export.get("info"))
    builder.session_id = text_of(info.get("id"))
    builder.workspace = builder.cwd = text_of(info.get("directory")) or builder.workspace
    if info.get("parentID"):
        builder.skip("subagent session without typed messages")
        return builder.finished()
    undone = text_of(fields_of(info.get("revert")).get("messageID"))
    for message in map(fields_of, items_of(export.get("messages"))):
        if lost := text_of(message.get("unreadable")):
            builder.skip(f"{lost} cannot be read")
        if undone and fields_of(message.get("info")).get("id") == undone:
            break
        _take(builder, fields_of(message.get("info")), [fields_of(part) for part in items_of(message.get("parts"))])
    return builder.finished()


def _take(builder: TranscriptBuilder, info: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    builder.cwd = text_of(fields_of(info.get("path")).get("cwd")) or builder.cwd
    at = instant(fields_of(info.get("time")).get("created"))
    agent = text_of(info.get("agent")) or text_of(info.get("mode"))
    builder.agent = agent or builder.agent
    if agent not in _BUILT_IN_AGENTS:
        builder.customizations[agent] = None
    if info.get("role") == "user":
        own = [part for part in parts if not (part.get("synthetic") or part.get("ignored"))]
        texts = (text_of(part.get("text")) for part in own if part.get("type") == "text")
        message = "\n".join(text for text in texts if not text.startswith(_TEMPLATES))
        files = [part for part in own if part.get("type") == "file"]
        paths = (text_of(fields_of(file.get("source")).get("path")) or text_of(file.get("filename")) for file in files)
        builder.listen(message, at=at, key=text_of(info.get("id")), paths=filter(None, paths))
    elif info.get("role") == "assistant":
        builder.say("", at=at, model=info.get("modelID"))
        for part in parts:
            _take_part(builder, part)
        if fields_of(info.get("error")).get("name") == "MessageAbortedError":
            builder.hint(after_interruption=True)


def _take_part(builder: TranscriptBuilder, part: dict[str, Any]) -> None:
    kind = part.get("type")
    if kind == "text" and not part.get("synthetic"):
        builder.activity.say(text_of(part.get("text")))
    elif kind == "patch":
        for path in filter(None, map(text_of, items_of(part.get("files")))):
            builder.activity.touch(path, is_written=True)
    if kind != "tool":
        return
    tool, state = text_of(part.get("tool")), fields_of(part.get("state"))
    given = fields_of(state.get("input"))
    builder.use(tool, given)
    if tool == "question":
        questions = [fields_of(question) for question in items_of(given.get("questions"))]
        options = [fields_of(option) for question in questions for option in items_of(question.get("options"))]
        offered = {"", *(text_of(option.get("label")) for option in options)}
        answers = items_of(fields_of(state.get("metadata")).get("answers"))
        free = (text_of(answer) for several in answers for answer in items_of(several))
        builder.type("\n".join(answer for answer in free if answer not in offered), at=builder.at)
    error = text_of(state.get("error"))
    if error.startswith(_REFUSED):
        builder.reject("")  # the call just taken
        if tool in _OWN_TOOLS:
            builder.listen(error.partition(_FEEDBACK)[2], at=builder.at)
