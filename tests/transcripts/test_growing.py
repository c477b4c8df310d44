"""A chat that grows teaches the same whether it is read on or read whole each time, wherever it is cut."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cases import cases
from growing_kit import GROWING
from reader_kit import jsonl

from memsuggest.core.context import open_context
from memsuggest.core.database import transaction
from memsuggest.core.model import SUGGEST_FROM
from memsuggest.core.workspace import Machine
from memsuggest.facts.stores import all_facts
from memsuggest.learning.reconcile import learn
from memsuggest.transcripts.discovery import find_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memsuggest.core.context import Context

RULES = (
    "always run ruff before you push",
    "no, we use pnpm here and not npm",
    "please never mock the database in these tests",
    "from now on write the changelog by hand",
    "remember: staging is reset every night",
    "error messages should never end with a full stop",
    "always name the ticket in commit messages",
    "decision: retries back off exponentially",
)
TALK = ("can you look at this again?", "why does it fail?", "forget that", "yes", "show me the log", "next one please")
STEPS = ("prompt", "prompt", "prompt", "work", "say", "again", "stop", "reject", "skill")


def said(chance: random.Random) -> dict[int, str]:
    """What the person says at each step: rules, now and then once more, and talk."""
    return {number: chance.choice(RULES if chance.random() < 0.4 else TALK) for number in range(200)}


@contextmanager
def desk_at(folder: Path) -> Iterator[Context]:
    """Open a context whose every store lies in the folder."""
    root = folder / "repo"
    root.mkdir(parents=True, exist_ok=True)
    (folder / "home").mkdir(exist_ok=True)
    environ = {"HOME": str(folder / "home"), "MEMSUGGEST_ENGINE": "offline"}
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        environ[f"MEMSUGGEST_{name}_DIR"] = str(folder / name.lower())
    machine = Machine(environ=environ, platform="linux", now=lambda: 1_772_355_600_000)
    context = open_context(start=root, given=True, machine=machine, flags={})
    try:
        yield context
    finally:
        context.close()


def learn_from(folder: Path, path: Path, *, forgets: bool) -> int:
    """Run once over a chat; with `forgets` as if nobody knew where to go on. Return how many turns were read."""
    with desk_at(folder) as context:
        if forgets:
            with transaction(context.state):
                context.state.execute("UPDATE transcripts SET checkpoint = ''")
        changed = context.progress.changed(find_named([path]).transcripts)
        before = context.progress.checkpoint(changed[0]) if changed else None
        learn(context, changed, person=None, progress=lambda _done, _all, _name: None)
        return before.number if before else 0


def known(folder: Path) -> dict[str, Any]:
    """What is remembered: each fact with its evidence."""
    with desk_at(folder) as context:
        return {
            fact.content: (fact.kind, fact.scope, fact.status, fact.confidence, fact.citations)
            for fact in all_facts(context)
        }


def turns(folder: Path) -> list[tuple[Any, ...]]:
    """Which turns count as learned from."""
    with desk_at(folder) as context:
        return sorted(tuple(row) for row in context.state.execute("SELECT turn, trust, path FROM turns"))


def grow(tmp_path: Path, cuts: Sequence[int], lines: Sequence[Any]) -> int:
    """Let a chat grow, and learn at each cut: once reading on, once reading whole. Return where the last one began."""
    path = tmp_path / "chat.jsonl"
    begun = 0
    for end in [*cuts, len(lines)]:
        path.write_text(jsonl(*lines[:end]), encoding="utf-8")
        begun = learn_from(tmp_path / "on", path, forgets=False)
        learn_from(tmp_path / "whole", path, forgets=True)
    return begun


@cases("name", GROWING)
def test_same_facts(tmp_path: Path, name: str) -> None:
    """Cut anywhere, the facts, their evidence and the turns that count as learned from are the same."""
    chance = random.Random(name)
    texts = said(chance)
    lines = GROWING[name](["prompt", *chance.choices(STEPS, k=150)], texts.__getitem__)
    cuts = sorted(chance.sample(range(2, len(lines)), 4))
    begun = grow(tmp_path, cuts, lines)

    assert begun > 0
    assert turns(tmp_path / "on") == turns(tmp_path / "whole")
    assert len(known(tmp_path / "whole")) > 2
    assert known(tmp_path / "on") == known(tmp_path / "whole")


def test_said_again_much_later(tmp_path: Path) -> None:
    """A rule that comes again when its first time is not read any more is the same fact, with both as evidence."""
    texts = dict.fromkeys(range(200), "show me the log")
    texts[0] = texts[90] = "always run ruff before you push"
    lines = GROWING["claude-code"](["prompt"] * 91, texts.__getitem__)
    begun = grow(tmp_path, [60, 90], lines)

    assert begun > 1
    [(_, _, _, confidence, citations)] = known(tmp_path / "on").values()
    assert [citation.turn for citation in citations] == [1, 91]
    assert confidence >= SUGGEST_FROM
