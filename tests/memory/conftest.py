"""A profile with a memory in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memsuggest.facts.profile import Profile, open_profile
from memsuggest.memory.entry import Entry, EntryStatus, Layer, Source, entry_id
from memsuggest.memory.turns import SaidTurn

NOW = 1_790_000_000_000
DAY = 86_400_000


def entry(
    content: str,
    *,
    layer: Layer = Layer.KNOWLEDGE,
    source: Source = Source.USER,
    status: EntryStatus = EntryStatus.ACTIVE,
    project: str = "shop",
    days: int = 1,
    tags: tuple[str, ...] = (),
    section: str = "",
    task: str = "",
    correction: bool = False,
) -> Entry:
    """An entry, so many days old."""
    at = NOW - days * DAY
    return Entry(
        id=entry_id(layer, project, content),
        layer=layer,
        content=content,
        source=source,
        status=status,
        created_at=at,
        updated_at=at,
        project=project,
        tags=tags,
        section=section,
        task=task,
        is_correction=correction,
    )


def chat(profile: Profile, title: str, *said: tuple[str, str], at: int = NOW - DAY) -> Entry:
    """A chat in the archive, with who said what from then on."""
    made = entry(title, layer=Layer.ARCHIVE, source=Source.SYSTEM)._replace(created_at=at, updated_at=at)
    profile.entries.add([made])
    profile.entries.keep_turns(
        made, [SaidTurn(number, by, at + number, text) for number, (by, text) in enumerate(said)]
    )
    return made


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    """The profile as the workspace `shop` sees it."""
    found = open_profile(tmp_path / "profile.db", workspace="shop")
    yield found
    found.close()


@pytest.fixture
def told(profile: Profile) -> Callable[..., Profile]:
    """Add entries, or texts as the person's knowledge."""

    def add(*entries: Entry | str) -> Profile:
        profile.entries.add(entry(one) if isinstance(one, str) else one for one in entries)
        return profile

    return add
