"""Facts out of documents: our own exports, other JSON, Markdown lists."""

from __future__ import annotations

import json

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.errors import StoreError
from memsuggest.core.model import Citation, FactStatus, Kind, MemoryFact, Scope, Trust, fact_id
from memsuggest.facts.imports import ITEMS_LIMIT, read_document
from memsuggest.facts.look_at_facts import to_json, to_markdown


def fact(content: str, *, scope: Scope = Scope.WORKSPACE, **given: object) -> MemoryFact:
    fields: dict[str, object] = {"confidence": 0.7, "timestamp": 1_700_000_000_000} | given
    return MemoryFact(id=fact_id(scope, content), content=content, scope=scope, **fields)  # type: ignore[arg-type]


def contents(text: str) -> list[str]:
    return [candidate.content for candidate in read_document(text, name="file")[0]]


@cases(
    ("text", "expected"),
    [
        pytest.param('["use pnpm", "use tabs"]', ["use pnpm", "use tabs"], id="texts"),
        pytest.param('{"memories": [{"memory": "use pnpm"}]}', ["use pnpm"], id="another tool's"),
        pytest.param('\ufeff {"facts": [{"text": "use pnpm"}]}', ["use pnpm"], id="a mark at the start"),
        pytest.param('["use pnpm", "use pnpm"]', ["use pnpm"], id="the same twice"),
        pytest.param("# Rules\n\n* use pnpm\n+ use\n  tabs\n", ["use pnpm", "use tabs"], id="bullets, wrapped"),
        pytest.param("1. use `pnpm`\n2. **never** npm\n", ["use `pnpm`", "**never** npm"], id="numbered, with marks"),
        pytest.param("- tests:\n  - use pytest\n", ["tests:", "use pytest"], id="bullets below a bullet"),
        pytest.param("text\n\n```\n- no\n```\n\n- yes\n", ["yes"], id="code is no list"),
        pytest.param("- files are named in kebab-case\n", ["files are named in kebab-case"], id="a word of ours"),
    ],
)
def test_reads(text: str, expected: list[str]) -> None:
    """Every entry of a list is a rule, whoever wrote the file."""
    assert contents(text) == expected


def test_all_of_it_is_confirmed_at_most() -> None:
    """A file cannot say of itself that its words were typed."""
    text = json.dumps([{"content": "use pnpm", "confidence": 1, "citations": [{"trust": "typed", "quote": "x"}]}])
    (found,) = read_document(text, name="file")[0]
    assert [citation.trust for citation in found.citations] == [Trust.CONFIRMED]
    assert found.citations[0].quote == "use pnpm"


SECRET = "ghp" + "_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@cases(
    ("entry", "why"),
    [
        pytest.param("use\u200b pnpm", "invisible", id="hidden characters"),
        pytest.param(f"the token is {SECRET}", "a secret", id="a secret"),
        pytest.param("x " * 400, "longer than", id="a document"),
        pytest.param("  ", "no words", id="nothing"),
        pytest.param(7, "no words", id="a number"),
        pytest.param({"content": "use npm", "status": "inactive"}, "replaced", id="retired"),
    ],
)
def test_skips(entry: object, why: str) -> None:
    """What cannot be a fact is said, with its place; the rest is read."""
    candidates, (skip,) = read_document(json.dumps([entry, "use pnpm"]), name="file")
    assert [candidate.content for candidate in candidates] == ["use pnpm"]
    assert skip.what == "entry 1"
    assert why in skip.why


@cases(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("no list at all\n", id="prose"),
        pytest.param("{", id="cut off"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"facts": {}}', id="not a list of facts"),
        pytest.param(json.dumps(["x"] * (ITEMS_LIMIT + 1)), id="too many"),
    ],
)
def test_refuses(text: str) -> None:
    """A file without facts is an error that names it."""
    with pytest.raises(StoreError, match="file"):
        read_document(text, name="file")


FACTS = [
    fact("use pnpm, not npm", kind=Kind.CONVENTION, reason="the lock file", paths=("web/package.json",)),
    fact(
        "answer in English",
        scope=Scope.USER,
        kind=Kind.PREFERENCE,
        citations=(Citation(session_id="s", turn=1, quote="say it in English"),),
    ),
    fact("use yarn", status=FactStatus.INACTIVE),
]


@cases("export", [to_json, to_markdown])
def test_takes_back_what_was_exported(export) -> None:  # type: ignore[no-untyped-def]
    """Words, reason, kind, scope and files come back from both exports; retired facts stay retired."""
    candidates, skipped = read_document(export(FACTS), name="file")
    found = {candidate.content: candidate for candidate in candidates}
    assert set(found) == {"use pnpm, not npm", "answer in English"}
    pnpm, english = found["use pnpm, not npm"], found["answer in English"]
    assert (pnpm.reason, pnpm.kind, pnpm.scope) == ("the lock file", Kind.CONVENTION, Scope.WORKSPACE)
    assert pnpm.citations[0].paths == ("web/package.json",)
    assert (english.kind, english.scope) == (Kind.PREFERENCE, Scope.USER)
    assert [skip.why for skip in skipped] == ["replaced by another fact"]


@given(st.text())
def test_takes_anything(text: str) -> None:
    """Any text is read, or refused with an error of ours."""
    try:
        candidates, _ = read_document(text, name="file")
    except StoreError:
        return
    assert all(candidate.content and "\n" not in candidate.content for candidate in candidates)
