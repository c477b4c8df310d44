"""Messages as Cline and Roo Code send them to a model: which part of them the person typed, what the assistant did.

In the person's role stand mostly tool results, in the same text as the person's words. Words count only where Cline
itself puts them: behind one of its own sentences, in its own tags, and not in the result of a tool that hands on
foreign text as it is, for such a text could forge all of that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.transcripts.parsing.elements import outside
from memsuggest.transcripts.typed_text import typed_in

if TYPE_CHECKING:
    from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder

_RESULT = "] Result:"
_HEADER_LIMIT = 4_000  # characters of a result's header; it may quote a question
_TOOL = re.compile(r"\[(\w{1,60})")
_OPENING = re.compile(
    r"\s*"
    r"(?P<denied>The user denied this operation(?:\.\s*\n| and provided the following feedback:\n))?"
    r"(?:\[The user has switched to ACT MODE[^\n\]]{0,200}\]\s*)?"
    r"(?:The conversation was restored to a checkpoint[^\n<]{0,300}\s*)?"
    r"(?:(?:The user (?:(?:has|also) provided|provided|approved this operation)|You seem to be having trouble)"
    r"[^\n<]{0,200}\n)?"
    r"(?P<resumed>(?:\[TASK RESUMPTION\](?:[^<]|<(?!user_message>)){0,3000}?)?"
    r"New (?:instructions|message)[^\n<]{0,200}\n)?"
    r"<(?P<tag>task|feedback|user_message|answer)>"
)
_CLOSED_TOOLS = frozenset({
    "attempt_completion", "ask_followup_question", "plan_mode_respond", "plan_mode_response", "new_task", "condense",
    "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "new_rule",
    "execute_command", "browser_action", "switch_mode", "update_todo_list", "report_bug", "summarize_task",
})  # fmt: skip
"""Tools whose results begin with a sentence of Cline's own, never with a foreign text."""
_DETAILS = "environment_details"
_WORKSPACE = re.compile(r"# Current Working Directory \(([^)\n]{1,500})\)")
_LEFT_OUT = ("thinking", "content", "diff")
_PATH = re.compile(r"<(\w{1,60})>\s{0,20}<path>([^<\n]{1,500})</path>")


class TypedWords(NamedTuple):
    """The words that the person typed into a message."""

    tag: str
    text: str
    rejected_tool: str | None = None
    is_resumed: bool = False


class Header(NamedTuple):
    """The line before a tool's result, and the result."""

    tool: str | None
    """None for a text that is no tool's."""
    call: str
    rest: str


def header_of(block: str) -> Header | None:
    """Split the header off the result of a tool.

    >>> header_of("[write_to_file for 'a.py'] Result:\\nThe user denied this operation.").tool
    'write_to_file'
    """
    tool = _TOOL.match(block)
    end = block.find(_RESULT, 0, _HEADER_LIMIT)
    if not tool or end < 0:
        return None
    return Header(tool[1], block[1:end], block[end + len(_RESULT) :].lstrip())


def is_closed(tool: str | None) -> bool:
    """Tell whether what stands in a tool's result is Cline's own text."""
    return tool is None or tool in _CLOSED_TOOLS


def words_in(block: str, *, call: str | None = None) -> TypedWords | None:
    """Find the person's words at the beginning of a text of Cline's own.

    >>> words_in("<task>\\nuse tabs\\n</task>").text
    'use tabs'
    """
    opening = _OPENING.match(block)
    if not opening:
        return None
    inside = block[opening.end() :].partition(f"</{opening['tag']}>")[0]
    rejected = (call or "tool") if opening["denied"] else None
    return TypedWords(opening["tag"], typed_in(inside).text, rejected, bool(opening["resumed"]))


def words_in_export(block: str) -> list[TypedWords]:
    """Find the person's words in a message of a Markdown export, where all its parts have run together."""
    found = []
    for piece in outside(block, _DETAILS):
        header = header_of(piece.lstrip())
        if header and not is_closed(header.tool):
            break
        words = words_in(header.rest if header else piece, call=header.call if header else None)
        found.append(words)
    return [words for words in found if words]


def workspace_in(text: str) -> str:
    """Read the folder that Cline works in from a message's environment details, if it is there."""
    found = _WORKSPACE.search(text)
    return found[1] if found else ""


def take_answer(builder: TranscriptBuilder, text: str) -> None:
    """Take what the assistant said, with the tool calls that stand in it as elements."""
    for tool, path in _PATH.findall(text):
        builder.use(tool, {"path": path})
    for name in _LEFT_OUT:
        text = "".join(outside(text, name))
    builder.activity.say(text)
