"""VS Code's chat: exported `chat.json`, stored sessions `.json` (versions 1 to 3) and their append log `.jsonl`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.model import Transcript, hash_of
from memsuggest.transcripts.formats.vscode.append_log import replay, replay_lines
from memsuggest.transcripts.formats.vscode.requests import Conversation
from memsuggest.transcripts.formats.vscode.uris import path_of
from memsuggest.transcripts.parsing.json_records import decode, fields_of, items_of, outline, text_of

if TYPE_CHECKING:
    from memsuggest.model import Skipped
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
    """Read one session."""
    skipped: list[Skipped] = []
    session = _session(source, skipped)
    branch = text_of(fields_of(session.get("repoData")).get("localBranch")) or None
    conversation = Conversation(cwd=source.workspace or _folder(session), branch=branch)
    for request in items_of(session.get("requests")):
        conversation.take(fields_of(request))
    first = fields_of(next(iter(items_of(session.get("requests"))), None))
    return Transcript(
        session_id=text_of(session.get("sessionId")) or hash_of(NAME, text_of(first.get("requestId")) or source.name),
        format=NAME,
        origin=source.name,
        workspace=conversation.cwd,
        turns=tuple(conversation.turns),
        files_written=tuple(conversation.written),
        skipped=tuple(skipped),
    )


def _session(source: Source, skipped: list[Skipped]) -> dict[str, Any]:
    """Decode the session, or replay its log."""
    if outline(source.head()).keys.get("kind") == "0":
        return _replayed(source, skipped)
    try:
        session = decode(source.whole())
    except ValueError as error:
        raise TranscriptError(f"{source.name} is cut off or damaged: {error}", hint="export the chat again") from error
    if not isinstance(session, dict):
        raise TranscriptError(f"{source.name} does not hold a chat session")
    return session


def _replayed(source: Source, skipped: list[Skipped]) -> dict[str, Any]:
    """Replay a log; a last line that is still being written waits for the next time."""
    lines = source.whole().split(b"\n")
    if lines[-1]:
        try:
            decode(lines[-1])
        except ValueError:
            skipped.append(source.skip(len(lines), "the last line is not complete"))
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
