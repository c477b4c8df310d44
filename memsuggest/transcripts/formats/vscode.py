"""VS Code's chat: exported `chat.json`, stored sessions `.json` (versions 1 to 3) and their append log `.jsonl`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.core.model import Transcript, hash_of
from memsuggest.transcripts.parsing.activity import Activity
from memsuggest.transcripts.parsing.json_records import decode, fields_of, instant, items_of, outline, path_of, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.program_text import is_from_program
from memsuggest.transcripts.storage.source import Source
from memsuggest.transcripts.typed_text import typed_in

NAME = "vscode-chat"

_SESSION_KEYS = frozenset({"requests", "sessionId", "responderUsername", "initialLocation", "creationDate"})


def sniff(head: bytes, _name: str) -> bool:
    shape = outline(head)
    if shape.keys.get("kind") == "0" and shape.keys.get("v") == "{":
        return len(shape.inner & _SESSION_KEYS) > 1 or "requests" in shape.inner
    if shape.keys.get("requests") != "[":
        return False
    return not shape.keys.keys().isdisjoint({"responderUsername", "sessionId"}) or "requestId" in shape.innermost


def read(source: Source) -> Transcript:
    builder = TranscriptBuilder(source, name=NAME)
    session = _session(source, builder.skipped)
    requests = list(map(fields_of, items_of(session.get("requests"))))
    parts = (fields_of(part) for request in requests for part in items_of(request.get("response")))
    bases = (path_of(part["baseUri"]) for part in parts if part.get("baseUri"))  # that its answers' links start from
    folder = path_of(session.get("workingDirectory")) or next(bases, "").rstrip("/")
    builder.branch = text_of(fields_of(session.get("repoData")).get("localBranch")) or None
    builder.workspace = builder.cwd = source.workspace or folder or None
    first = text_of(requests[0].get("requestId")) if requests else ""
    builder.session_id = text_of(session.get("sessionId")) or hash_of(NAME, first or source.name)
    last_typed = ""
    for request in requests:
        if not request.get("shouldBeRemovedOnSend"):  # one that was undone or replaced leaves nothing
            last_typed = _take(builder, request, last_typed)
    return builder.finished()


def _session(source: Source, skipped: list[Skipped]) -> dict[str, Any]:
    """Decode the session, or replay its log, of which a last line that is still being written waits."""
    content = source.whole()
    if outline(source.head()).keys.get("kind") == "0":
        lines = content.split(b"\n")
        try:
            decode(lines[-1] or b"0")
        except ValueError:
            skipped.append(source.skip(len(lines), "the last line is incomplete"))
            lines.pop()
        try:
            return _replayed(lines)
        except TranscriptError as error:
            raise TranscriptError(f"{source.name}: {error.message}", hint=error.hint) from error
    try:
        session = decode(content)
    except ValueError as error:
        raise TranscriptError(
            f"{source.name} is truncated or damaged: {error}", hint="export the chat again"
        ) from error
    if not isinstance(session, dict):
        raise TranscriptError(f"{source.name} contains no chat session")
    return session


_NOT_HUMAN = (
    "isSystemInitiated",
    "requestSource",
    "hiddenFromTranscript",
    "requestHiddenFromTranscript",
    "isHidden",
    "origin",
    "confirmation",
)
_FOLLOW = re.compile(r"\AFollow instructions in \[([^\]\n]{1,200})\]\([^)\n]{1,1000}\)\.?\s*")
_CANCELLED = 2


def _take(builder: TranscriptBuilder, request: dict[str, Any], last_typed: str) -> str:
    """Take a request with its response; return what was typed last: asked again with `Try Again`, it is the same."""
    at, message = instant(request.get("timestamp")), request.get("message")
    mode = fields_of(request.get("modeInfo"))
    instructions = fields_of(mode.get("modeInstructions"))
    attached: list[str] = []
    used: list[str] = []  # instruction files, prompts and agents
    for variable in map(fields_of, items_of(fields_of(request.get("variableData")).get("variables"))):
        if variable.get("kind") == "promptFile" or text_of(variable.get("id")).startswith("vscode.prompt."):
            used.append(path_of(variable.get("value")))
        elif variable.get("kind") in ("file", "directory", "implicit", None):
            attached.append(path_of(variable.get("value")) or path_of(variable.get("uri")))
    used.append(path_of(instructions.get("uri")) or text_of(instructions.get("name")))
    customizations = tuple(dict.fromkeys(filter(None, used)))
    text = text_of(message) or _without_tokens(fields_of(message))
    followed = _FOLLOW.match(text)
    typed = typed_in(text[followed.end() :] if followed else text).text
    is_button = is_from_program(text_of(fields_of(message).get("text")))  # `@agent` is one of its marks
    if is_button or any(map(request.get, _NOT_HUMAN)):
        typed = ""
    if typed and typed != last_typed:
        builder.type(
            typed,
            at=at,
            key=text_of(request.get("requestId")),
            paths=filter(None, attached),
            is_doubtful=bool(followed),  # behind a prompt file stand its arguments, or its own words
            customizations=(followed[1], *customizations) if followed else customizations,
        )
    agent = text_of(instructions.get("name")) or text_of(fields_of(request.get("agent")).get("id"))
    for name, value in (
        ("model", text_of(request.get("modelId")).rpartition("/")[2]),
        ("agent", agent or text_of(mode.get("kind"))),
        ("customizations", customizations),
    ):
        if value:
            builder.activity.signal(**{name: value})
    answers, rejected = _take_parts(request, builder.activity)
    builder.at = at
    builder.end_activity(key=text_of(request.get("responseId")))
    was_stopped = bool(request.get("isCanceled")) or fields_of(request.get("modelState")).get("value") == _CANCELLED
    builder.hint(after_interruption=was_stopped, rejected_tool=rejected)
    builder.type(answers, at=at)
    return typed or last_typed


_TOKENS = frozenset({"agent", "subcommand", "slash", "prompt"})
_WORDS = frozenset({"", "text"})
"""Kinds of parts that the person typed; the others are names of files, tools and the like."""


def _without_tokens(message: dict[str, Any]) -> str:
    """Cut out of a message what the editor put there: `@agent`, `/command`, and references of more than one word."""
    text = text_of(message.get("text"))
    for part in reversed([fields_of(part) for part in items_of(message.get("parts"))]):
        place = fields_of(part.get("range"))
        start, end = place.get("start"), place.get("endExclusive")
        if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
            continue
        kind = text_of(part.get("kind"))
        is_name = kind not in _WORDS and len(text[start:end].split()) == 1 and "<" not in text[start:end]
        if kind in _TOKENS or not (kind in _WORDS or is_name):
            text = text[:start] + text[end:].removeprefix(" ")
    return text


_EMPTY_LINK = re.compile(r"\[\]\(([^)\s]{1,1000})\)")
_WRITES = re.compile(r"\A(?:Creat|Edit|Replac|Appl|Writ|Insert|Updat)", re.IGNORECASE)
_REFUSED = (0, 5)  # denied, skipped
_REACTIONS = {1: {"kept": True}, 2: {"undone": True}, 3: {"changed": True}}
"""What the person did about an edit, by the kind of its event."""
_EDITS = frozenset({"textEditGroup", "notebookEditGroup", "codeblockUri", "externalEdit"})


def _raw(message: object) -> str:
    return text_of(message) or text_of(fields_of(message).get("value"))


def _reference(part: dict[str, Any]) -> str:
    reference = part.get("inlineReference")
    name = text_of(part.get("name")) or text_of(fields_of(reference).get("name"))
    return f"`{name or path_of(reference).rpartition('/')[2]}`"


_SPOKEN: dict[str, Callable[[dict[str, Any]], str]] = {
    "": lambda part: _raw(part.get("value")) or _raw(part),
    "inlineReference": _reference,
    "markdownVuln": lambda part: _raw(part.get("content")),
}


def _take_parts(request: dict[str, Any], activity: Activity) -> tuple[str, str | None]:
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
        elif kind == "questionCarousel":
            typed += _free_answers(fields)
        elif kind == "planReview":
            typed.append(text_of(fields_of(fields.get("data")).get("feedback")))
        elif kind in _EDITS and (path := path_of(fields.get("uri"))):
            activity.touch(path, is_written=kind != "codeblockUri" or bool(fields.get("isEdit")))
    activity.say("".join(said))
    vote = {1: 1, 0: -1}.get(request["vote"]) if isinstance(request.get("vote"), int) else None
    if vote:
        activity.signal(vote=vote)
    for event in map(fields_of, items_of(request.get("editedFileEvents"))):
        if path := path_of(event.get("uri")):
            activity.touch(path, is_written=True)
        if (reaction := event.get("eventKind")) in (1, 2, 3):
            activity.signal(**_REACTIONS[reaction])
    for reference in map(fields_of, items_of(request.get("contentReferences"))):
        if path := path_of(fields_of(reference.get("reference"))):
            activity.touch(path)
    return "\n\n".join(filter(None, typed)), rejected


def _take_tool(part: dict[str, Any], activity: Activity) -> str | None:
    """Note a tool call; return it where the person refused it."""
    messages = _raw(part.get("pastTenseMessage")), _raw(part.get("invocationMessage"))
    command = fields_of(fields_of(part.get("toolSpecificData")).get("commandLine"))
    edited = text_of(command.get("userEdited"))
    proposed = text_of(command.get("toolEdited")) or text_of(command.get("original"))
    line = edited or proposed
    call = (
        f"terminal: {line}"
        if line
        else _EMPTY_LINK.sub(lambda link: path_of(link[1]).rpartition("/")[2] or link[1], messages[0] or messages[1])
    )
    for uri in _EMPTY_LINK.findall(messages[1]):
        if path := path_of(uri):
            activity.touch(path, is_written=bool(_WRITES.match(call)))
    if edited:
        activity.signal(edited_command=edited, proposed_command=proposed or None)
    call = activity.note(call or text_of(part.get("toolId")))
    confirmed = part.get("isConfirmed")
    kind = confirmed.get("type") if isinstance(confirmed, dict) else None
    return call if confirmed is False or (kind in _REFUSED and not isinstance(kind, bool)) else None


def _free_answers(carousel: dict[str, Any]) -> list[str]:
    """Return the free answers to an agent's questions; offered options are the agent's words."""
    answers = []
    given = fields_of(carousel.get("data"))
    for question in map(fields_of, items_of(carousel.get("questions"))):
        options = [fields_of(option) for option in items_of(question.get("options"))]
        offered = {text_of(option.get(key)) for option in options for key in ("id", "label", "value")}
        answer = given.get(text_of(question.get("id")))
        free = text_of(answer) or text_of(fields_of(answer).get("freeformValue"))
        if free not in offered:
            answers.append(free)
    return answers


_INITIAL, _SET, _PUSH, _DELETE = range(4)
_INDEX_LIMIT = 1_000_000  # a damaged index must not make an array of gigabytes
_NOTHING: Any = object()  # JavaScript's undefined: a value that is not there


def replay(text: str) -> dict[str, Any]:
    """Return the session that a log's entries add up to; TranscriptError where the writer itself would fail."""
    return _replayed(line.encode("utf-8", "surrogatepass") for line in text.split("\n"))


def _replayed(lines: Iterable[bytes]) -> dict[str, Any]:
    state: Any = _NOTHING
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            state = _applied(state, decode(line))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise TranscriptError(f"line {number} of the session log cannot be replayed: {error}") from error
    if state is _NOTHING:
        raise TranscriptError("the session log is empty", hint="specify a transcript that contains messages")
    if not isinstance(state, dict):
        raise TranscriptError("the session log contains no session data")
    return state


def _applied(state: Any, entry: Any) -> Any:
    kind = entry["kind"]
    if kind == _INITIAL:
        return entry["v"]
    if state is _NOTHING:
        raise ValueError("the first entry does not start the session")
    if kind not in (_SET, _PUSH, _DELETE):
        raise ValueError(f"unknown entry kind {kind!r}")
    parent, path = state, entry["k"]
    if not path and kind != _PUSH:
        return state
    for key in path[:-1]:
        parent = _member(parent, key)
    if kind != _PUSH:
        _assign(parent, path[-1], entry.get("v", _NOTHING) if kind == _SET else _NOTHING)
        return state
    key = path[-1] if path else "undefined"
    array, length = _member(parent, key), entry.get("i")
    if array is _NOTHING or not array:
        array = []
    if length is not None:  # cut or fill it
        if not 0 <= length <= _INDEX_LIMIT:
            raise ValueError(f"invalid array length {length}")
        array[length:] = [None] * (length - len(array))
    array.extend(entry.get("v") or [])
    _assign(parent, key, array)
    return state


def _member(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(str(key), _NOTHING)
    if isinstance(value, list):
        index = _index(key)
        return value[index] if index is not None and index < len(value) else _NOTHING
    if value is None or value is _NOTHING:
        raise TypeError(f"cannot read {key!r} of a missing value")
    return _NOTHING


def _assign(parent: Any, key: Any, value: Any) -> None:
    """Set a member; a hole and a deleted item of an array read as null, and a key that is no index is lost in JSON."""
    if isinstance(parent, dict):
        if value is _NOTHING:
            parent.pop(str(key), None)
        else:
            parent[str(key)] = value
    elif not isinstance(parent, list):
        raise TypeError(f"cannot set {key!r} of a missing value")
    elif (index := _index(key)) is not None:
        if index > _INDEX_LIMIT:
            raise ValueError(f"invalid array index {index}")
        parent.extend([None] * (index + 1 - len(parent)))
        parent[index] = None if value is _NOTHING else value


def _index(key: Any) -> int | None:
    if isinstance(key, int) and not isinstance(key, bool):
        return key if key >= 0 else None
    return int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else None
