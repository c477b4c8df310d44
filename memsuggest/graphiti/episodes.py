"""The episodes that are sent: the messages of a chat, and what a person promotes. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator
from enum import StrEnum
from html import escape

from memsuggest.core.identity import hash_of, session_hash
from memsuggest.core.model import Kind, Role, Transcript, Turn
from memsuggest.graphiti.profile_tables import USER, WORKSPACE

QUOTE_ROOM = 300  # characters of a quotation or a paste that are told
_CUT = "[…]"


def escaped(text: str) -> str:
    return escape(" ".join(text.split()), quote=False)


def name_of(session: str, turn: int, role: str) -> str:
    """Return the name of a message; `session` is the hash of the chat's id.

    >>> name_of("0f", 3, "user")
    '0f:3:user'
    """
    return f"{session}:{turn}:{role}"


def turns_to_tell(
    transcript: Transcript, *, new: Container[int], sent: Container[str], is_under_way: bool
) -> Iterator[tuple[str, Turn]]:
    """Yield the turns that are to be told, each with its name.

    Of the person's those with a number in `new`, of the assistant's those that answer one of these, or one that was
    `told` before. An answer that the assistant is still at has to wait: its name could not be used again.
    """
    session = session_hash(transcript.session_id)
    is_told = False
    for turn in transcript.turns:
        name = name_of(session, turn.number, turn.role)
        if turn.role is Role.USER:
            if turn.typed.strip():
                is_told = turn.number in new or name in sent
                if turn.number in new:
                    yield name, turn
            continue
        is_last = turn is transcript.turns[-1]
        if is_told and turn.text.strip() and not (is_last and is_under_way):
            yield name, turn


def said_in(turn: Turn) -> str:
    """Return what was said in a turn, without long quotations and pastes."""
    if turn.role is not Role.USER:
        return turn.text
    said, at = [], 0
    for start, end in sorted((*turn.quoted, *turn.doubtful)):
        quoted = turn.typed[start:end]
        said += [turn.typed[at:start], quoted if len(quoted) <= QUOTE_ROOM else f"{quoted[: QUOTE_ROOM // 3]} {_CUT}"]
        at = end
    return "".join((*said, turn.typed[at:])).strip()


CONTENT_LIMIT = 1_000  # characters of what is promoted
OWNERSHIP = "ownership_context"


class EpisodeKind(StrEnum):
    """The sorts of things that are promoted."""

    DECISION = "decision"
    LESSON_LEARNED = "lesson_learned"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    TASK_UPDATE = "task_update"
    TERMINOLOGY = "terminology"


KINDS = {
    Kind.CORRECTION: EpisodeKind.LESSON_LEARNED,
    Kind.CONVENTION: EpisodeKind.DECISION,
    Kind.PREFERENCE: EpisodeKind.PREFERENCE,
    Kind.PROCEDURE: EpisodeKind.PROCEDURE,
    Kind.TERMINOLOGY: EpisodeKind.TERMINOLOGY,
    Kind.FACT: EpisodeKind.LESSON_LEARNED,
    Kind.SKILL: EpisodeKind.PROCEDURE,
    Kind.OBSERVATION: EpisodeKind.TASK_UPDATE,
}
"""As what sort of episode a fact is promoted, unless the person says."""
_LABELS = {
    EpisodeKind.DECISION: "decided",
    EpisodeKind.LESSON_LEARNED: "learned",
    EpisodeKind.PREFERENCE: "preferred",
    EpisodeKind.PROCEDURE: "how it is done",
    EpisodeKind.TASK_UPDATE: "where the task stands",
    EpisodeKind.TERMINOLOGY: "what a word means",
}


def promoted_name(kind: EpisodeKind, content: str) -> str:
    return f"memsuggest:{kind}:{hash_of('promoted', kind, content)}"


def promoted_text(kind: EpisodeKind, content: str, *, scope: str, person: str) -> str:
    """Return a promoted episode.

    >>> print(promoted_text(EpisodeKind.DECISION, "Use <b>pnpm</b>.", scope="workspace", person="person-1a"))
    <graphiti_episode kind="decision">
    scope: workspace (this project, for everybody who works on it)
    stated by: person-1a
    decided: Use &lt;b&gt;pnpm&lt;/b&gt;.
    </graphiti_episode>
    """
    about = {
        WORKSPACE: "workspace (this project, for everybody who works on it)",
        USER: f"user ({person}, in all projects)",
    }[scope]
    lines = (f"scope: {about}", f"stated by: {person}", f"{_LABELS[kind]}: {escaped(content)}")
    return _episode(kind, lines)


def ownership_name(person: str) -> str:
    """Return the name of a person's ownership message; a group has one of each person who writes to it."""
    return f"memsuggest:{OWNERSHIP}:{person}"


def ownership_text(*, scope: str, person: str, project: str, branch: str) -> str:
    """Return the message that says whose a group is."""
    about = {
        "session": f"this chat of {person} with an assistant, about the project {escaped(project)}",
        WORKSPACE: f"the project {escaped(project)}, on which {person} works",
        USER: f"what {person} prefers and knows, in all projects",
    }[scope]
    lines = [f"scope: {scope}", f"owner: {person}", f"this conversation is about: {about}"]
    if branch:
        lines.append(f"branch: {escaped(branch)}")
    return _episode(OWNERSHIP, lines)


def _episode(kind: str, lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join((f'<graphiti_episode kind="{kind}">', *lines, "</graphiti_episode>"))
