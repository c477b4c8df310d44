"""The parts of a VS Code chat response: what the agent said and did, and what the person did about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.formats.vscode.uris import path_of
from memsuggest.transcripts.parsing.json_records import fields_of, items_of, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.transcripts.parsing.activity import Activity

_EMPTY_LINK = re.compile(r"\[\]\(([^)\s]{1,1000})\)")
_WRITES = re.compile(r"\A(?:Creat|Edit|Replac|Appl|Writ|Insert|Updat)", re.IGNORECASE)
_DENIED, _SKIPPED = 0, 5
_REACTIONS = {1: {"kept": True}, 2: {"undone": True}, 3: {"changed": True}}
"""What the person did about an edit, by the kind of its event."""


def take_parts(request: dict[str, Any], activity: Activity) -> tuple[list[str], str | None]:
    """Gather a response; return what the person typed into its forms, and the tool call that they rejected."""
    typed: list[str] = []
    rejected: str | None = None
    said: list[str] = []  # Markdown comes in pieces, with references between them
    for part in items_of(request.get("response")):
        fields = {"value": part} if isinstance(part, str) else fields_of(part)
        kind = text_of(fields.get("kind"))
        if kind in _SPOKEN:
            said.append(_SPOKEN[kind](fields))
            continue
        activity.say("".join(said))
        said.clear()
        if kind == "toolInvocationSerialized":
            rejected = _take_tool(fields, activity) or rejected
        elif kind in _FORMS:
            typed.extend(_FORMS[kind](fields))
        elif kind in _EDITS and (path := path_of(fields.get("uri"))):
            activity.touch(path, is_written=kind != "codeblockUri" or bool(fields.get("isEdit")))
    activity.say("".join(said))
    _take_feedback(request, activity)
    return typed, rejected


def _take_feedback(request: dict[str, Any], activity: Activity) -> None:
    """Note votes, edits kept or undone, and the references of the answer."""
    vote = {1: 1, 0: -1}.get(request["vote"]) if isinstance(request.get("vote"), int) else None
    if vote:
        activity.signal(vote=vote)
    for event in map(fields_of, items_of(request.get("editedFileEvents"))):
        if path := path_of(event.get("uri")):
            activity.touch(path, is_written=True)
        if (kind := event.get("eventKind")) in (1, 2, 3):
            activity.signal(**_REACTIONS[kind])
    for reference in map(fields_of, items_of(request.get("contentReferences"))):
        if path := path_of(fields_of(reference.get("reference"))):
            activity.touch(path)


def _take_tool(part: dict[str, Any], activity: Activity) -> str | None:
    """Note a tool call; return it where the person refused it."""
    told = _markdown(part.get("pastTenseMessage")) or _markdown(part.get("invocationMessage"))
    command = fields_of(fields_of(part.get("toolSpecificData")).get("commandLine"))
    edited = text_of(command.get("userEdited"))
    proposed = text_of(command.get("toolEdited")) or text_of(command.get("original"))
    if line := edited or proposed:
        told = f"terminal: {line}"
    for uri in _EMPTY_LINK.findall(_raw(part.get("invocationMessage"))):
        if path := path_of(uri):
            activity.touch(path, is_written=bool(_WRITES.match(told)))
    if edited:
        activity.signal(edited_command=edited, proposed_command=proposed or None)
    call = activity.note(told or text_of(part.get("toolId")))
    return call if _was_refused(part.get("isConfirmed")) else None


def _was_refused(confirmed: object) -> bool:
    if isinstance(confirmed, dict):
        return confirmed.get("type") in (_DENIED, _SKIPPED) and not isinstance(confirmed.get("type"), bool)
    return confirmed is False


def _raw(message: object) -> str:
    return text_of(message) or text_of(fields_of(message).get("value"))


def _markdown(message: object) -> str:
    """The text of a message, its links without label filled in."""
    return _EMPTY_LINK.sub(lambda link: path_of(link[1]).rpartition("/")[2] or link[1], _raw(message))


def _reference(part: dict[str, Any]) -> str:
    reference = part.get("inlineReference")
    name = text_of(part.get("name")) or text_of(fields_of(reference).get("name"))
    return f"`{name or path_of(reference).rpartition('/')[2]}`"


def _carousel(part: dict[str, Any]) -> list[str]:
    """The free answers to an agent's questions; offered options are the agent's words."""
    answers = []
    given = fields_of(part.get("data"))
    for question in map(fields_of, items_of(part.get("questions"))):
        answer = given.get(text_of(question.get("id")))
        options = [fields_of(option) for option in items_of(question.get("options"))]
        offered = {text_of(option.get(key)) for option in options for key in ("id", "label", "value")}
        free = text_of(answer) or text_of(fields_of(answer).get("freeformValue"))
        if free and free not in offered:
            answers.append(free)
    return answers


def _plan_review(part: dict[str, Any]) -> list[str]:
    feedback = text_of(fields_of(part.get("data")).get("feedback"))
    return [feedback] if feedback else []


_SPOKEN: dict[str, Callable[[dict[str, Any]], str]] = {
    "": lambda part: _raw(part.get("value")) or _raw(part),
    "inlineReference": _reference,
    "markdownVuln": lambda part: _raw(part.get("content")),
}
_FORMS: dict[str, Callable[[dict[str, Any]], list[str]]] = {"questionCarousel": _carousel, "planReview": _plan_review}
_EDITS = frozenset({"textEditGroup", "notebookEditGroup", "codeblockUri", "externalEdit"})
