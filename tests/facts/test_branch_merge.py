"""Merging the shared file of two branches: nothing lost, doubled or brought back, whichever side is ours."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cases import cases

from memsuggest.facts.accept import words_digest
from memsuggest.facts.branch_merge import merge, saved, settled
from memsuggest.facts.codec import Document, parse, render
from memsuggest.facts.facts_file import contents_of

IDS = [f"{number * 11_400_714_819_323_198_485 % 2**64:016x}" for number in range(60)]
WAYS = [(), ("--diff3",), ("--zdiff3",)]


def entry(name: str, content: str = "", **more: object) -> dict[str, object]:
    return {"id": name, "content": content or f"Rule {name}", "status": "active", **more}


def document(*entries: Mapping[str, object], tombstones: tuple[str, ...] = (), **more: object) -> Document:
    held = {str(one["id"]): one for one in entries}
    return Document(
        facts=held, tombstones={name: {"id": name, "words": "w", "evidence": []} for name in tombstones}, **more
    )


BASE = document(entry("a"), entry("b"))


def both_ways(base: Document, ours: Document, theirs: Document) -> Document:
    """Merge, and make sure that it does not matter who merges."""
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert render(one.document) == render(other.document)
    assert one.parted == other.parted
    assert parse(render(one.document), name="merged")
    return one.document


def test_forgotten() -> None:
    """Forgetting wins over leaving it, retiring it and adding the same again."""
    for there in (entry("a"), entry("a", status="inactive"), entry("a", mood="blue")):
        found = both_ways(BASE, document(entry("b"), tombstones=("a",)), document(there, entry("b")))
        assert list(found.facts) == ["b"]
        assert list(found.tombstones) == ["a"]


def test_forgotten_here_and_reworded_there() -> None:
    """It is shown: the new wording and the tombstone are both there, until somebody decides; nothing is lost."""
    ours = document(entry("b"), tombstones=("a",))
    theirs = document(entry("a", "Rule a, better"), entry("b"))
    merged = merge(BASE, ours, theirs)
    assert merged.contested == ("a",)
    found = both_ways(BASE, ours, theirs)
    assert (sorted(found.facts), list(found.tombstones)) == (["a", "b"], ["a"])
    assert found.contested == ("a",)
    assert [fact.content for fact in contents_of(found).facts] == ["Rule a, better", "Rule b"]
    assert (sorted(settled(merged).facts), dict(settled(merged).tombstones)) == (["a", "b"], {})
    again = both_ways(found, found, document(entry("b"), tombstones=("a",)))
    assert list(again.facts) == ["b"]


def test_brought_back() -> None:
    """A fact that one side brought back on purpose is back."""
    base = document(entry("b"), tombstones=("a",))
    found = both_ways(base, document(entry("a"), entry("b")), base)
    assert (sorted(found.facts), dict(found.tombstones)) == (["a", "b"], {})


def test_different_keys() -> None:
    """Wording changed here and retired there: both hold; keys that nobody knows stay."""
    ours = document(entry("a", "Rule a, better", mood="blue"), entry("b"))
    theirs = document({**entry("a"), "status": "inactive", "supersededBy": "b"}, entry("b"))
    merged = both_ways(BASE, ours, theirs).facts["a"]
    assert (merged["content"], merged["status"], merged["supersededBy"], merged["mood"]) == (
        "Rule a, better",
        "inactive",
        "b",
        "blue",
    )


def test_both_reword() -> None:
    """Two new wordings of one fact are two facts: a contradiction to resolve, no lost update."""
    ours, theirs = (document(entry("a", f"Rule a, {side}"), entry("b")) for side in ("mine", "yours"))
    found = merge(BASE, ours, theirs)
    assert {fact["content"] for fact in found.document.facts.values()} == {"Rule a, mine", "Rule a, yours", "Rule b"}
    ((kept, other),) = found.parted
    assert kept == "a"
    assert other in found.document.facts
    both_ways(BASE, ours, theirs)


@cases("status", ["applied", "dismissed"])
def test_decisions(status: str) -> None:
    """Of two decisions applied counts first; a decision about a forgotten fact goes with it."""
    held = {"a\0": {"factId": "a", "status": status}}
    ours = replace(BASE, decisions=held)
    theirs = replace(BASE, decisions={"a\0": {"factId": "a", "status": "dismissed"}})
    assert both_ways(BASE, ours, theirs).decisions["a\0"]["status"] == status
    assert both_ways(BASE, ours, document(entry("b"), tombstones=("a",))).decisions == {}


def begun(chance: random.Random) -> Document:
    """A file that both branches begin with."""
    names = chance.sample(IDS, chance.choice((0, 2, 10, 30, 45)))
    return document(*(entry(name, f"Rule {name[:6]}") for name in names))


def gone_on(base: Document, names: list[str], mark: str, chance: random.Random) -> Document:
    """Change what these ids name; what is added is the same on every branch, now and then in other words."""
    facts, tombstones, decisions = dict(base.facts), dict(base.tombstones), dict(base.decisions)
    for name in names:
        if name not in facts:
            is_other, at = chance.random() < 0.2, chance.randrange(9) if chance.random() < 0.3 else 0
            facts[name] = entry(name, f"{name[:6]}, {mark}" if is_other else f"New {name[:6]}", timestamp=at)
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
                tombstones[name] = {"id": name, "words": words_digest(str(gone["content"])), "evidence": []}
                decisions = {key: one for key, one in decisions.items() if one["factId"] != name}
    return replace(base, facts=facts, tombstones=tombstones, decisions=decisions)


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


def test_nothing_is_lost_doubled_or_brought_back() -> None:
    """Of two branches or three, whoever merges first; what is forgotten comes back only reworded, and is told."""
    chance = random.Random(11)
    for _ in range(400):
        base, ours, theirs = branches(chance)
        found, tombstones = both_ways(base, ours, theirs), {*ours.tombstones, *theirs.tombstones}
        assert not lost(base, (ours, theirs), found)
        retired = {key for side in (ours, theirs) for key, one in side.facts.items() if one["status"] == "inactive"}
        assert {found.facts[key]["status"] for key in retired - tombstones} <= {"inactive"}
        assert tombstones & set(found.facts) == set(merge(base, ours, theirs).contested)
        assert render(merge(found, found, found).document) == render(found)
        third = document(*base.facts.values(), entry("zz"))
        apart = [{name for name in {*base.facts, *side.facts} if base.facts.get(name) != side.facts.get(name)}
                 for side in (ours, theirs)]  # fmt: skip
        if not apart[0] & apart[1]:
            first = merge(base, merge(base, ours, theirs).document, third).document
            assert render(first) == render(merge(base, merge(base, third, theirs).document, ours).document)


def test_what_git_merges_by_itself(tmp_path: Path) -> None:
    """Without our driver a clean merge is read, with all that either side said, and a conflict can be saved."""
    chance, told = random.Random(16), Counter[str]()
    for _ in range(200):
        base, ours, theirs = branches(chance)
        for name, side in (("base", base), ("ours", ours), ("theirs", theirs)):
            (tmp_path / name).write_bytes(render(side).encode())
        words = ["git", "merge-file", "-p", *chance.choice(WAYS), "ours", "base", "theirs"]
        text = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False).stdout.decode()
        is_conflict = "<<<<<<<" in text
        found = saved(text, name="it") if is_conflict else parse(text, name="it")
        told.update(["clean"] * (not is_conflict) + ["mended"] * bool(found.repairs))
        assert not lost(base, (ours, theirs), found), text
        assert parse(render(found), name="it").repairs == ()
        if not is_conflict and not found.repairs:
            resolved = merge(base, ours, theirs).document.facts
            assert {key: one["content"] for key, one in found.facts.items()} == {
                key: one["content"] for key, one in resolved.items()
            }
    assert told["clean"] > 10
    assert told["mended"] < 4
