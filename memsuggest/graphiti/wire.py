"""Values on the wire: messages strictly, facts and episodes as tolerantly as can be. Pure.

A message never has a `uuid`: the server takes it for an episode that it should have, and its only worker dies. It
always has a `role`, without which the whole request is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

RoleType = Literal["user", "assistant", "system"]
_FIRST, _LAST = -62_135_596_800_000, 253_402_300_800_000
"""Milliseconds of the first year, and of the first that has five digits: beyond, there are no dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something that was said, as the server is told of it; it becomes one episode."""

    content: str
    role_type: RoleType
    at: int
    """When it was said, in milliseconds since the epoch."""
    role: str | None = None
    """A name for who said it."""
    name: str = ""
    """What the episode is called; stable, so that it can be found again."""
    source_description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An edge of the graph: what the server understood from episodes. Times are milliseconds since the epoch."""

    uuid: str
    fact: str
    name: str = ""
    valid_at: int | None = None
    invalid_at: int | None = None
    created_at: int | None = None
    expired_at: int | None = None
    episodes: tuple[str, ...] = ()
    """Ids of episodes that say so, where the server tells them."""

    def is_over(self, now: int) -> bool:
        """Tell whether it holds no more: it expired, or the time came from which on it is not true."""
        return any(end is not None and end <= now for end in (self.expired_at, self.invalid_at))


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A message that the server stored."""

    uuid: str
    name: str
    content: str
    group_id: str = ""
    source_description: str = ""
    valid_at: int | None = None
    created_at: int | None = None


def message_json(message: Message) -> dict[str, Any]:
    return {
        "content": message.content,
        "role_type": message.role_type,
        "role": message.role,
        "name": message.name,
        "timestamp": as_time(message.at),
        "source_description": message.source_description,
    }


def read_facts(loaded: object) -> tuple[Fact, ...]:
    """Return the facts in a reply to a search, without those that have no text; ValueError for another reply."""
    rows = loaded.get("facts") if isinstance(loaded, dict) else None
    if not isinstance(rows, list):
        raise ValueError("not a list of facts")  # noqa: TRY004  (a reply of another shape is a bad value)
    return tuple(fact for row in rows if (fact := _fact(row)))


def read_fact(loaded: object) -> Fact:
    """Return the fact in a reply that has one; ValueError for another reply."""
    found = _fact(loaded)
    if found is None:
        raise ValueError("not a fact")
    return found


def read_episodes(loaded: object) -> tuple[Episode, ...]:
    """Return the episodes in a reply, without those that have no id; ValueError for another reply."""
    if not isinstance(loaded, list):
        raise ValueError("not a list of episodes")  # noqa: TRY004  (as above)
    return tuple(_episodes(loaded))


def _episodes(rows: list[Any]) -> Iterator[Episode]:
    for row in rows:
        fields = row if isinstance(row, dict) else {}
        if uuid := _text(fields, "uuid"):
            yield Episode(
                uuid=uuid,
                name=_text(fields, "name"),
                content=_text(fields, "content"),
                group_id=_text(fields, "group_id"),
                source_description=_text(fields, "source_description"),
                valid_at=read_time(fields.get("valid_at")),
                created_at=read_time(fields.get("created_at")),
            )


def _fact(row: object) -> Fact | None:
    fields = row if isinstance(row, dict) else {}
    uuid, fact = _text(fields, "uuid"), _text(fields, "fact")
    if not uuid or not fact.strip():
        return None
    episodes = fields.get("episodes")
    return Fact(
        uuid=uuid,
        fact=fact,
        name=_text(fields, "name"),
        valid_at=read_time(fields.get("valid_at")),
        invalid_at=read_time(fields.get("invalid_at")),
        created_at=read_time(fields.get("created_at")),
        expired_at=read_time(fields.get("expired_at")),
        episodes=tuple(episode for episode in episodes if isinstance(episode, str))
        if isinstance(episodes, list)
        else (),
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def as_time(at: int) -> str:
    """Return milliseconds since the epoch as the server reads them.

    >>> as_time(1_700_000_000_123)
    '2023-11-14T22:13:20.123Z'
    """
    return datetime.fromtimestamp(at / 1000, tz=UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(value: object) -> int | None:
    """Return a time of the server in milliseconds since the epoch; None where there is none that can be read.

    >>> read_time("2023-11-14T22:13:20.123456Z"), read_time("2023-11-14T22:13:20"), read_time("soon")
    (1700000000123, 1700000000000, None)
    >>> read_time("9999-12-31T23:59:59-14:00")
    """
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        milliseconds = int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
    return milliseconds if _FIRST <= milliseconds < _LAST else None
