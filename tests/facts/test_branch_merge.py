"""Merging the shared file of two branches: nothing lost, doubled or brought back, whichever side is ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.facts.branch_merge import merge, settled
from memsuggest.facts.codec import Document, parse, render
from memsuggest.facts.facts_file import contents_of

IDS = [f"f{number:02}" for number in range(12)]


def entry(name: str, content: str = "", **more: object) -> dict[str, object]:
    return {"id": name, "content": content or f"Rule {name}", "status": "active", **more}


def document(*entries: Mapping[str, object], stones: tuple[str, ...] = (), **more: object) -> Document:
    held = {str(one["id"]): one for one in entries}
    return Document(
        facts=held, tombstones={name: {"id": name, "words": "w", "evidence": []} for name in stones}, **more
    )


BASE = document(entry("a"), entry("b"))


def both_ways(base: Document, ours: Document, theirs: Document) -> Document:
    """Merge, and make sure that it does not matter who merges."""
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert render(one.document) == render(other.document)
    assert one.parted == other.parted
    assert parse(render(one.document), name="merged")
    return one.document


def test_both_add() -> None:
    """What either side added is there, sorted, once."""
    found = both_ways(BASE, document(*BASE.facts.values(), entry("d")), document(*BASE.facts.values(), entry("c")))
    assert sorted(found.facts) == ["a", "b", "c", "d"]


def test_forgotten() -> None:
    """Forgetting wins over leaving it, retiring it and adding the same again."""
    for there in (entry("a"), entry("a", status="inactive"), entry("a", mood="blue")):
        found = both_ways(BASE, document(entry("b"), stones=("a",)), document(there, entry("b")))
        assert list(found.facts) == ["b"]
        assert list(found.tombstones) == ["a"]


def test_forgotten_here_and_reworded_there() -> None:
    """It is shown: the new wording and the tombstone are both there, until somebody decides; nothing is lost."""
    ours = document(entry("b"), stones=("a",))
    theirs = document(entry("a", "Rule a, better"), entry("b"))
    merged = merge(BASE, ours, theirs)
    assert merged.contested == ("a",)
    found = both_ways(BASE, ours, theirs)
    assert (sorted(found.facts), list(found.tombstones)) == (["a", "b"], ["a"])
    assert found.contested == ("a",)
    assert [fact.content for fact in contents_of(found).facts] == ["Rule a, better", "Rule b"]
    assert (sorted(settled(merged).document.facts), dict(settled(merged).document.tombstones)) == (["a", "b"], {})
    again = both_ways(found, found, document(entry("b"), stones=("a",)))
    assert list(again.facts) == ["b"]


def test_brought_back() -> None:
    """A fact that one side brought back on purpose is back."""
    base = document(entry("b"), stones=("a",))
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
    assert both_ways(BASE, ours, document(entry("b"), stones=("a",))).decisions == {}


@st.composite
def histories(draw: st.DrawFn) -> tuple[Document, Document, Document]:
    """A base and two branches of it that add, reword, retire and forget."""
    names = draw(st.lists(st.sampled_from(IDS[:8]), unique=True))
    base = document(*(entry(name) for name in names))
    return base, draw(branches(base, "x")), draw(branches(base, "y"))


@st.composite
def branches(draw: st.DrawFn, base: Document, mark: str) -> Document:
    facts, stones = dict(base.facts), set()
    for name in draw(st.lists(st.sampled_from(IDS), unique=True, max_size=6)):
        match draw(st.sampled_from(["add", "reword", "retire", "forget"])):
            case "add" if name not in facts:
                facts[name] = entry(name)
            case "reword" if name in facts:
                facts[name] = {**facts[name], "content": f"{name} as {mark} says"}
            case "retire" if name in facts:
                facts[name] = {**facts[name], "status": "inactive"}
            case "forget" if name in facts:
                del facts[name]
                stones.add(name)
    return document(*facts.values(), stones=tuple(stones))


@given(histories())
def test_nothing_is_lost_doubled_or_brought_back(history: tuple[Document, Document, Document]) -> None:
    """Every fact of a side is there unless a side forgot it; every new wording is there; every tombstone stays.

    What one side forgot and the other reworded is there too, and told.
    """
    base, ours, theirs = history
    found = both_ways(base, ours, theirs)
    stones = {*ours.tombstones, *theirs.tombstones}
    assert set(found.tombstones) == stones
    contents = {fact["content"] for fact in found.facts.values()}
    assert {*ours.facts, *theirs.facts} - stones <= set(found.facts)
    assert stones & set(found.facts) == set(merge(base, ours, theirs).contested)
    for side in (ours, theirs):
        for name, one in side.facts.items():
            is_reworded = one["content"] != base.facts.get(name, {}).get("content")
            assert not is_reworded or (name in stones and name not in base.facts) or one["content"] in contents
            if one["status"] == "inactive" and name not in stones:
                assert found.facts[name]["status"] == "inactive"
    assert render(merge(found, found, found).document) == render(found)


@given(histories(), st.permutations([0, 1, 2]))
def test_three_branches_in_any_order(history: tuple[Document, Document, Document], order: list[int]) -> None:
    """Three branches with disjoint changes give the same bytes in whatever order they are merged."""
    base, one, other = history
    third = document(*base.facts.values(), entry("zz"))
    sides = [one, other, third]
    if _touched(base, one) & _touched(base, other):
        return
    first = merge(base, merge(base, sides[0], sides[1]).document, sides[2]).document
    again = merge(base, merge(base, sides[order[0]], sides[order[1]]).document, sides[order[2]]).document
    assert render(first) == render(again)


def _touched(base: Document, side: Document) -> set[str]:
    return {name for name in {*base.facts, *side.facts} if base.facts.get(name) != side.facts.get(name)}
