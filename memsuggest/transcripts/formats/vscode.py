"""VS Code's chat: exported `chat.json`, stored sessions `.json` (versions 1 to 3) and their append log `.jsonl`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Transcript, hash_of
from memsuggest.transcripts.parsing.activity import Activity
from memsuggest.transcripts.parsing.json_records import decode, fields_of, instant, items_of, outline, path_of, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.program_text import is_from_program
from memsuggest.transcripts.typed_text import typed_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memsuggest.core.model import Skipped
    from memsuggest.transcripts.storage.source import Source

__all__ = ["NAME", "read", "replay", "sniff"]

NAME = "vscode-chat"

_SESSION_KEYS = frozenset({"requests", "sessionId", "responderUsername", "initialLocation", "creationDate"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a session with requests, or a log whose first entry is one."""
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
    builder.branch = text_of(fields_of(session.get("repoData")).get("localBranch")) or None
    builder.workspace = builder.cwd = source.workspace or _folder(session)
    first = text_of(requests[0].get("requestId")) if requests else ""
    builder.session_id = text_of(session.get("sessionId")) or hash_of(NAME, first or source.name)
    last_typed = ""
    for request in requests:
        if not request.get("shouldBeRemovedOnSend"):  # one that was undone or replaced leaves nothing
            last_typed = _take(builder, request, last_typed)
    return builder.finished()


def _take(builder: TranscriptBuilder, request: dict[str, Any], last_typed: str) -> str:
    """Take a request with its response; return what was typed last: asked again with `Try Again`, it is the same."""
    at = instant(request.get("timestamp"))
    typed, used, is_followed = _typed_in_request(request)
    if typed and typed != last_typed:
        builder.type(
            typed,
            at=at,
            key=text_of(request.get("requestId")),
            paths=_attached(request),
            is_doubtful=is_followed,  # behind a prompt file stand its arguments, or its own words
            customizations=used,
        )
    mode = fields_of(request.get("modeInfo"))
    custom = text_of(fields_of(mode.get("modeInstructions")).get("name"))
    for name, value in (
        ("model", text_of(request.get("modelId")).rpartition("/")[2]),
        ("agent", custom or text_of(fields_of(request.get("agent")).get("id")) or text_of(mode.get("kind"))),
        ("customizations", _customizations(request)),
    ):
        if value:
            builder.activity.signal(**{name: value})
    answers, rejected = take_parts(request, builder.activity)
    builder.at = at
    builder.end_activity(key=text_of(request.get("responseId")))
    was_stopped = bool(request.get("isCanceled")) or fields_of(request.get("modelState")).get("value") == _CANCELLED
    builder.hint(after_interruption=was_stopped, rejected_tool=rejected)
    builder.type("\n\n".join(answers), at=at)
    return typed or last_typed


def _session(source: Source, skipped: list[Skipped]) -> dict[str, Any]:
    """Decode the session, or replay its log."""
    if outline(source.head()).keys.get("kind") == "0":
        return _replayed(source, skipped)
    try:
        session = decode(source.whole())
    except ValueError as error:
        raise TranscriptError(
            f"{source.name} is truncated or damaged: {error}", hint="export the chat again"
        ) from error
    if not isinstance(session, dict):
        raise TranscriptError(f"{source.name} contains no chat session")
    return session


def _replayed(source: Source, skipped: list[Skipped]) -> dict[str, Any]:
    """Replay a log; a last line that is still being written waits for the next time."""
    lines = source.whole().split(b"\n")
    if lines[-1]:
        try:
            decode(lines[-1])
        except ValueError:
            skipped.append(source.skip(len(lines), "the last line is incomplete"))
            lines.pop()
    try:
        return replay_lines(lines)
    except TranscriptError as error:
        raise TranscriptError(f"{source.name}: {error.message}", hint=error.hint) from error


def _folder(session: dict[str, Any]) -> str | None:
    """The folder that the session says it worked in, or that its answers' links start from."""
    bases = (
        path_of(fields_of(part).get("baseUri"))
        for request in items_of(session.get("requests"))
        for part in items_of(fields_of(request).get("response"))
        if fields_of(part).get("baseUri")
    )
    return path_of(session.get("workingDirectory")) or next(bases, "").rstrip("/") or None


_NOT_HUMAN = (
    "isSystemInitiated",
    "requestSource",
    "hiddenFromTranscript",
    "requestHiddenFromTranscript",
    "isHidden",
    "origin",
    "confirmation",
)
_TOKENS = frozenset({"agent", "subcommand", "slash", "prompt"})
_WORDS = frozenset({"", "text"})
"""Kinds of parts that the person typed; the others are names of files, tools and the like."""
_FOLLOW = re.compile(r"\AFollow instructions in \[([^\]\n]{1,200})\]\([^)\n]{1,1000}\)\.?\s*")
_CANCELLED = 2


def _typed_in_request(request: dict[str, Any]) -> tuple[str, tuple[str, ...], bool]:
    """Return what the person typed, the customizations in use, and whether the text points to one of these."""
    message = request.get("message")
    text = text_of(message) or _without_tokens(fields_of(message))
    is_button = is_from_program(text_of(fields_of(message).get("text")))  # `@agent` is one of its marks
    followed = _FOLLOW.match(text)
    typed = typed_in(text[followed.end() :] if followed else text).text
    if is_button or any(request.get(mark) for mark in _NOT_HUMAN):
        typed = ""
    used = _customizations(request)
    return typed, (followed[1], *used) if followed else used, bool(followed)


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


def _variables(request: dict[str, Any]) -> list[dict[str, Any]]:
    return [fields_of(each) for each in items_of(fields_of(request.get("variableData")).get("variables"))]


def _is_customization(variable: dict[str, Any]) -> bool:
    return variable.get("kind") == "promptFile" or text_of(variable.get("id")).startswith("vscode.prompt.")


def _attached(request: dict[str, Any]) -> tuple[str, ...]:
    """Files that the person attached or had open."""
    files = (
        path_of(variable.get("value")) or path_of(variable.get("uri"))
        for variable in _variables(request)
        if variable.get("kind") in ("file", "directory", "implicit", None) and not _is_customization(variable)
    )
    return tuple(dict.fromkeys(filter(None, files)))


def _customizations(request: dict[str, Any]) -> tuple[str, ...]:
    """Instruction files, prompts and agents that were in use."""
    mode = fields_of(fields_of(request.get("modeInfo")).get("modeInstructions"))
    used = [path_of(variable.get("value")) for variable in _variables(request) if _is_customization(variable)]
    used.append(path_of(mode.get("uri")) or text_of(mode.get("name")))
    return tuple(dict.fromkeys(filter(None, used)))


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
            typed.extend(filter(None, _FORMS[kind](fields)))
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
    confirmed = part.get("isConfirmed")
    kind = confirmed.get("type") if isinstance(confirmed, dict) else None
    is_refused = confirmed is False or (kind in (_DENIED, _SKIPPED) and not isinstance(kind, bool))
    return call if is_refused else None


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


_SPOKEN: dict[str, Callable[[dict[str, Any]], str]] = {
    "": lambda part: _raw(part.get("value")) or _raw(part),
    "inlineReference": _reference,
    "markdownVuln": lambda part: _raw(part.get("content")),
}
_FORMS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "questionCarousel": _carousel,
    "planReview": lambda part: [text_of(fields_of(part.get("data")).get("feedback"))],
}
_EDITS = frozenset({"textEditGroup", "notebookEditGroup", "codeblockUri", "externalEdit"})


_INITIAL, _SET, _PUSH, _DELETE = range(4)
_INDEX_LIMIT = 1_000_000  # a damaged index must not make an array of gigabytes


class _Nothing:
    """JavaScript's undefined: a value that is not there."""


_NOTHING = _Nothing()


def replay(text: str) -> dict[str, Any]:
    """Return the session that a log's entries add up to; TranscriptError where the writer itself would fail."""
    return replay_lines(line.encode("utf-8", "surrogatepass") for line in text.split("\n"))


def replay_lines(lines: Iterable[bytes]) -> dict[str, Any]:
    """Return the session that the lines of a log add up to."""
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
    if kind == _SET:
        _set(state, entry["k"], entry.get("v", _NOTHING))
    elif kind == _PUSH:
        _push(state, entry["k"], entry.get("v") or [], entry.get("i"))
    elif kind == _DELETE:
        _set(state, entry["k"], _NOTHING)
    else:
        raise ValueError(f"unknown entry kind {kind!r}")
    return state


def _set(state: Any, path: list[Any], value: Any) -> None:
    if path:
        _assign(_parent(state, path), path[-1], value)


def _push(state: Any, path: list[Any], values: list[Any], length: int | None) -> None:
    """Cut or fill the array at `path` to `length`, then append `values`."""
    key = path[-1] if path else "undefined"
    parent = _parent(state, path)
    array = _member(parent, key)
    if array is _NOTHING or not array:
        array = []
    if length is not None:
        if not 0 <= length <= _INDEX_LIMIT:
            raise ValueError(f"invalid array length {length}")
        array[length:] = [None] * (length - len(array))
    array.extend(values)
    _assign(parent, key, array)


def _parent(state: Any, path: list[Any]) -> Any:
    for key in path[:-1]:
        state = _member(state, key)
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
    if isinstance(parent, dict):
        if value is _NOTHING:
            parent.pop(str(key), None)
        else:
            parent[str(key)] = value
    elif isinstance(parent, list):
        _assign_item(parent, key, value)
    else:
        raise TypeError(f"cannot set {key!r} of a missing value")


def _assign_item(array: list[Any], key: Any, value: Any) -> None:
    """Set an item; a hole and a deleted item read as null, and a key that is no index is lost in JSON."""
    index = _index(key)
    if index is None:
        return
    if index > _INDEX_LIMIT:
        raise ValueError(f"invalid array index {index}")
    array.extend([None] * (index + 1 - len(array)))
    array[index] = None if value is _NOTHING else value


def _index(key: Any) -> int | None:
    if isinstance(key, int) and not isinstance(key, bool):
        return key if key >= 0 else None
    return int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else None
