"""The episodes that a person promotes, and the one that says to whom a group belongs: their kinds and their text. Pure.

An episode is a message of a fixed form, so that the graph takes from it what is meant: whose it is, and what sort of
thing. Whatever is written into it cannot end it.
"""

from __future__ import annotations

from enum import StrEnum

from memsuggest.graphiti.group_ids import USER, WORKSPACE
from memsuggest.identity import hash_of
from memsuggest.model import Kind
from memsuggest.recall.context_block import escaped

CONTENT_LIMIT = 1_000
"""Characters of what is promoted."""
OWNERSHIP = "ownership_context"


class EpisodeKind(StrEnum):
    """The sorts of things that are promoted."""

    DECISION = "decision"
    LESSON_LEARNED = "lesson_learned"
    PREFERENCE = "preference"
    PROCEDURE = "procedure"
    TASK_UPDATE = "task_update"
    TERMINOLOGY = "terminology"


_KINDS: dict[Kind, EpisodeKind] = {
    Kind.CORRECTION: EpisodeKind.LESSON_LEARNED,
    Kind.CONVENTION: EpisodeKind.DECISION,
    Kind.PREFERENCE: EpisodeKind.PREFERENCE,
    Kind.PROCEDURE: EpisodeKind.PROCEDURE,
    Kind.TERMINOLOGY: EpisodeKind.TERMINOLOGY,
    Kind.FACT: EpisodeKind.LESSON_LEARNED,
    Kind.SKILL: EpisodeKind.PROCEDURE,
    Kind.OBSERVATION: EpisodeKind.TASK_UPDATE,
}
_LABELS: dict[EpisodeKind, str] = {
    EpisodeKind.DECISION: "decided",
    EpisodeKind.LESSON_LEARNED: "learned",
    EpisodeKind.PREFERENCE: "preferred",
    EpisodeKind.PROCEDURE: "how it is done",
    EpisodeKind.TASK_UPDATE: "where the task stands",
    EpisodeKind.TERMINOLOGY: "what a word means",
}


def kind_of(kind: Kind) -> EpisodeKind:
    """Return as what sort of episode a fact is promoted, unless the person says."""
    return _KINDS[kind]


def promoted_name(kind: EpisodeKind, content: str) -> str:
    """Return the name of what is promoted: the same for the same words, so that nothing is promoted twice."""
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
    lines = [f"scope: {scope}", f"owner: {person}", f"what is told here is about: {about}"]
    if branch:
        lines.append(f"branch: {escaped(branch)}")
    return _episode(OWNERSHIP, lines)


def _episode(kind: str, lines: tuple[str, ...] | list[str]) -> str:
    return "\n".join((f'<graphiti_episode kind="{kind}">', *lines, "</graphiti_episode>"))
