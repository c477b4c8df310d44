"""Branches of a facts.json by chance: two people who add, reword, retire, forget and decide, often the same."""

from __future__ import annotations

import random
from dataclasses import replace

from memsuggest.facts.accept import words_digest
from memsuggest.facts.codec import Document

IDS = [f"{number * 11_400_714_819_323_198_485 % 2**64:016x}" for number in range(60)]


def entry(name: str, content: str, **more: object) -> dict[str, object]:
    """A fact as it stands in the file."""
    return {
        "id": name, "content": content, "reason": "", "kind": "fact", "scope": "workspace", "confidence": 0.9,
        "citations": [f"chat:{name[:6]}#1"], "timestamp": 1_772_409_600_000, "sourceSessionId": name[:6], **more,
        "status": "active",
    }  # fmt: skip


def begun(chance: random.Random) -> Document:
    """A file that both branches begin with."""
    names = chance.sample(IDS, chance.choice((0, 2, 10, 30, 45)))
    return Document(facts={name: entry(name, f"Rule {name[:6]}") for name in names})


def gone_on(base: Document, names: list[str], mark: str, chance: random.Random) -> Document:
    """Change what these ids name; what is added is the same on every branch, now and then in other words."""
    facts, stones, decisions = dict(base.facts), dict(base.tombstones), dict(base.decisions)
    for name in names:
        if name not in facts:
            is_other = chance.random() < 0.2
            when = 1_772_409_600_000 + (chance.randrange(9) if chance.random() < 0.3 else 0)
            facts[name] = entry(name, f"{name[:6]}, {mark}" if is_other else f"New {name[:6]}", timestamp=when)
            continue
        match chance.randrange(4):
            case 0:
                facts[name] = {**facts[name], "content": f"{name[:6]} as {mark} says"}
            case 1:
                facts[name] = {**facts[name], "status": "inactive"}
            case 2:
                decisions[f"{name}\0AGENTS.md"] = {"factId": name, "target": "AGENTS.md", "status": "applied"}
            case _:
                gone = facts.pop(name)
                stones[name] = {"id": name, "words": words_digest(str(gone["content"])), "evidence": []}
                decisions = {key: one for key, one in decisions.items() if one["factId"] != name}
    return replace(base, facts=facts, tombstones=stones, decisions=decisions)


def branches(chance: random.Random) -> tuple[Document, Document, Document]:
    """A base and two branches of it that have some changes in the same facts."""
    base = begun(chance)
    own, shared = chance.choice((0, 1, 1, 2, 5)), chance.choice((0, 1, 1, 2, 4))
    names = chance.sample(IDS, 2 * own + shared)
    ours, theirs = names[: own + shared], names[own:]
    return base, gone_on(base, ours, "one", chance), gone_on(base, theirs, "two", chance)


def lost(base: Document, sides: tuple[Document, ...], found: Document) -> list[str]:
    """What a merge of branches must not lose, and has lost."""
    contents = {str(fact["content"]) for fact in found.facts.values()}
    told = []
    for side in sides:
        for name, one in side.facts.items():
            before = base.facts.get(name)
            is_new = before is None or before["content"] != one["content"]
            is_forgotten = any(name in other.tombstones for other in sides)
            if is_new and one["content"] not in contents:
                told.append(f"the words of {name}")
            if not is_new and not is_forgotten and name not in found.facts:
                told.append(name)
        told += [
            f"the tombstone of {name}" for name in side.tombstones if name not in {*found.tombstones, *found.facts}
        ]
    return told
