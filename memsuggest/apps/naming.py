"""The app that a conversation was with: one of the repo's or the person's agents, else the assistant. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import Role, Scope, TargetType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Target, Transcript

_NAME = re.compile(r"\w[\w@+-]*(?:[. ][\w@+-]+)*")
_LONGEST = 80
_ENDINGS = re.compile(r"(?:\.agent|\.chatmode)?\.(?:md|markdown|toml|ya?ml)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A custom agent: its names, and the app that it is."""

    app_id: str
    names: frozenset[str]


def is_app_id(text: str) -> bool:
    """Tell whether a text can name an app: a word or a few, without anything that leads elsewhere.

    >>> is_app_id("claude-code"), is_app_id("reviewer@shop"), is_app_id("../etc"), is_app_id("a/b")
    (True, True, False, False)
    """
    is_plain = all(char.isalpha() or char.isdecimal() or char in "_@+-. " for char in text)
    return is_plain and len(text) <= _LONGEST and bool(_NAME.fullmatch(text))


def agents_of(targets: Iterable[Target], *, place: str) -> tuple[Agent, ...]:
    """Return the custom agents among customization files; one of the repo is an app of that repo, `name@place`."""
    found = []
    for target in targets:
        if target.type is not TargetType.AGENT:
            continue
        stem = _ENDINGS.sub("", target.uri.rpartition("/")[2])
        names = frozenset(_folded(name) for name in (stem, target.title) if name)
        own = stem if target.scope is Scope.USER else f"{stem}@{place}"
        if is_app_id(own):
            found.append(Agent(app_id=own, names=names))
    return tuple(found)


def app_of(transcript: Transcript, agents: Iterable[Agent]) -> str:
    """Return the app of a conversation: the custom agent that answered most of it, else the assistant."""
    told = (turn.signals.agent for turn in transcript.turns if turn.role is Role.ASSISTANT)
    answered = Counter(_folded(_ENDINGS.sub("", agent.rpartition("/")[2])) for agent in told if agent)
    by_name = {name: agent.app_id for agent in agents for name in agent.names}
    known = [(times, name) for name, times in answered.items() if name in by_name]
    if not known or 2 * max(known)[0] < answered.total():
        return transcript.format
    return by_name[max(known)[1]]


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", name.strip().casefold())
