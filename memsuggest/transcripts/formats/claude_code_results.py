"""The person's words inside tool results of Claude Code: rejections, answers to questions. Pure."""

from __future__ import annotations

from typing import Any

from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    fields_of,
    items_of,
    text_of,
)

QUESTION_TOOL = "AskUserQuestion"

_REJECTED = "The user doesn't want to "
_SAID = "the user said:\n"
_GENERATED = "The user wants to clarify these questions."
_NOTES = ("\n\nNote: The user's next message",)
_ANSWERED = ("User has answered your questions:", "Your questions have been answered:")
BEGINNINGS = (_REJECTED, *_ANSWERED)
"""How tools' results begin that carry the person's words."""


def result_text(block: dict[str, Any]) -> str:
    return "\n".join(text_of(part.get("text")) for part in blocks_of(block.get("content")))


def may_be_said(text: str) -> bool:
    return text.startswith(BEGINNINGS)


def is_rejection(block: dict[str, Any], *, tool: str, denial: object) -> bool:
    """Tell whether the person rejected the call.

    Errors of MCP tools are the server's own words, so for these, and for a call that is not in the file, only Claude
    Code's own mark counts.
    """
    if denial:
        return denial == "user-rejected"
    is_own = bool(tool) and not tool.startswith("mcp__")
    return is_own and bool(block.get("is_error")) and result_text(block).startswith(_REJECTED)


def words_of_rejection(text: str) -> str:
    """Return the words of a rejected call; empty where only the generated sentences are."""
    said = text.partition(_SAID)[2]
    for note in _NOTES:
        said = said.partition(note)[0]
    return "" if said.startswith(_GENERATED) else said.strip()


def questions_asked(arguments: dict[str, Any]) -> str:
    asked = [fields_of(question) for question in items_of(arguments.get("questions"))]
    return "\n".join(f"{text_of(each.get('question'))} ({' / '.join(_labels(each))})" for each in asked)


def free_answers(result: object, text: str, arguments: dict[str, Any]) -> str:
    """Return the person's own answers, without the options that the assistant had worded."""
    if not text.startswith(_ANSWERED):
        return ""
    asked = [fields_of(question) for question in items_of(arguments.get("questions"))]
    given = fields_of(fields_of(result).get("answers")) or _answers_in(text, asked)
    notes = fields_of(fields_of(result).get("annotations"))
    answers = [
        answer
        for question in asked
        for answer in (
            text_of(given.get(text_of(question.get("question")))),
            text_of(fields_of(notes.get(text_of(question.get("question")))).get("notes")),
        )
        if answer and not _is_chosen(answer, _labels(question))
    ]
    return "\n\n".join(dict.fromkeys(answers))


def _labels(question: dict[str, Any]) -> list[str]:
    return [text_of(fields_of(option).get("label")) for option in items_of(question.get("options"))]


def _is_chosen(answer: str, labels: list[str]) -> bool:
    """Tell whether an answer consists of offered labels only (several are joined by commas)."""
    for label in sorted(filter(None, labels), key=len, reverse=True):
        answer = answer.replace(label, "")
    return not answer.strip(" ,")


def _answers_in(text: str, asked: list[dict[str, Any]]) -> dict[str, str]:
    found = {}
    for question in filter(None, (text_of(each.get("question")) for each in asked)):
        rest = text.partition(f'"{question}"="')[2]
        ends = [end for mark in ('", "', '". You can now') if (end := rest.find(mark)) >= 0]
        found[question] = rest[: min(ends)] if ends else rest.removesuffix('"')
    return found
