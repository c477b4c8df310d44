"""The shared file: one exact form, read strictly, changed in its own lines only."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from cases import cases
from facts.fakes import fact
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from memsuggest.core.errors import StoreError
from memsuggest.core.model import FactStatus, Kind, Scope, SuggestionStatus
from memsuggest.facts import codec, entries
from memsuggest.facts.codec import Document
from memsuggest.facts.entries import FIELDS, PARTS, Number

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EXAMPLE = """\
{
  "version": 1,
  "facts": [
    {"id": "0a1b", "content": "Use pnpm, not npm", "reason": "the lock file is pnpm's", "kind": "correction", "scope": "workspace", "confidence": 0.85, "citations": ["web/package.json#L3", "chat:5e55#4"], "timestamp": 1772409600000, "sourceSessionId": "5e55", "tags": ["tooling"], "status": "active"},
    {"id": "1c2d", "content": "Migrations live in `db/`", "reason": "", "kind": "fact", "scope": "workspace", "confidence": 0.70, "citations": [], "timestamp": 1772409600001, "sourceSessionId": "", "status": "active"}
  ],
  "decisions": [
    {"factId": "0a1b", "target": "AGENTS.md", "status": "applied"}
  ],
  "tombstones": [
  ]
}
"""  # noqa: E501


def parse(text: str) -> Document:
    return codec.parse(text, name="`facts.json`")


def document(*contents: str) -> Document:
    facts = [fact(content) for content in contents]
    return Document(facts={one.id: entries.entry_of(one) for one in facts})


def test_example_round_trip() -> None:
    """What we wrote is read and written again byte for byte."""
    assert codec.render(parse(EXAMPLE)) == EXAMPLE


def test_example_values() -> None:
    """An entry becomes a fact: anchors leave the paths, chats become citations without quotes."""
    found = entries.fact_of(parse(EXAMPLE).facts["0a1b"])
    assert (found.content, found.kind, found.scope) == ("Use pnpm, not npm", Kind.CORRECTION, Scope.WORKSPACE)
    assert (found.confidence, found.timestamp, found.status) == (0.85, 1_772_409_600_000, FactStatus.ACTIVE)
    assert found.paths == ("web/package.json",)
    assert [(citation.session_id, citation.turn, citation.quote) for citation in found.citations] == [("5e55", 4, "")]
    (decision,) = map(entries.decision_of, parse(EXAMPLE).decisions.values())
    assert (decision.fact_id, decision.target, decision.status) == ("0a1b", "AGENTS.md", SuggestionStatus.APPLIED)


@cases("added", [f"rule {number}" for number in range(8)])
def test_one_entry_more_only_adds_lines(added: str, tmp_path: Path) -> None:
    """An entry added first, last or between changes no other line, but for the comma that one before the last gets."""
    few = document("one", "two", "three")
    more = document("one", "two", "three", added)
    (tmp_path / "a").write_text(codec.render(few))
    (tmp_path / "b").write_text(codec.render(more))
    shown = ["git", "diff", "--no-index", "--unified=0", "a", "b"]
    diff = subprocess.run(shown, cwd=tmp_path, capture_output=True, text=True, check=False).stdout.splitlines()[4:]
    plus = [line[1:] for line in diff if line.startswith("+")]
    minus = [f"{line[1:]}," for line in diff if line.startswith("-")]
    assert len(plus) == 1 + len(minus) <= 2
    assert set(minus) <= set(plus)


UNKNOWN = """\
{
  "$schema": "https://localhost/schema.json",
  "version": 1,
  "facts": [
    {"id": "0a1b", "weight": 1.50, "content": "Use pnpm, not npm", "big": 123456789012345678901234567890, "status": "active", "nested": {"b": [1, 2.0, {"c": null}], "a": true}}
  ],
  "between": ["x"],
  "decisions": [
    {"factId": "0a1b", "by": "ada", "status": "dismissed"}
  ],
  "tombstones": [
    {"id": "9z", "why": {"x": 1e400}, "words": "", "evidence": []}
  ],
  "last": -0.0
}
"""  # noqa: E501


def test_unknown_keys_stay_in_place() -> None:
    """Keys and digits that this version does not know keep place and spelling, at every level."""
    assert codec.render(parse(UNKNOWN)) == UNKNOWN


def test_revising_keeps_unknown_keys() -> None:
    """A new wording and status change their own lines and nothing else of the entry."""
    entry = parse(UNKNOWN).facts["0a1b"]
    now = entries.fact_of(entry)
    changed = fact("x", id="0a1b", status=FactStatus.INACTIVE, superseded_by="ffff", reason=now.reason, kind=now.kind)
    revised = entries.revised(entry, changed)
    assert list(revised) == ["id", "weight", "content", "big", "supersededBy", "status", "nested"]
    assert (revised["content"], revised["status"], revised["supersededBy"]) == ("x", "inactive", "ffff")
    assert {key: revised[key] for key in ("weight", "big", "nested")} == {
        key: entry[key] for key in ("weight", "big", "nested")
    }
    assert entries.revised(entry, now) == entry


def test_written_by_hand() -> None:
    """An entry of only an id and a content is enough; other forms of whitespace do not matter."""
    found = entries.fact_of(parse('{"version":1,"facts":[{"id":"x","content":"Use\\nuv"}]}\r\n').facts["x"])
    assert (found.content, found.kind, found.status, found.confidence) == ("Use uv", Kind.FACT, FactStatus.ACTIVE, 0.8)


def test_paths_are_posix_and_relative() -> None:
    """Cited files are written with slashes; places outside the workspace are left out."""
    found = fact("x", paths=("src\\app.py", "/home/ada/x", "C:\\x", "~/x", "../x", "a/../x", "https://x", "b c.py"))
    assert entries.entry_of(found)["citations"][:2] == ["src/app.py", "b c.py"]  # type: ignore[index]


def test_quotes_stay_at_home() -> None:
    """What a person typed is written only when sharing quotes is asked for, and found again then."""
    found = fact("Use uv")
    assert "quotes" not in entries.entry_of(found)
    shared = entries.fact_of(entries.entry_of(found, share_quotes=True))
    assert [citation.quote for citation in shared.citations] == ["Use uv"]


def test_hidden_characters_are_shown() -> None:
    """What nobody sees in a value that we only pass on is written as an escape."""
    text = codec.render(
        Document(head={"version": 1, "facts": None, "x": "a\u202eb\u200bc\ud800 \u00e9 \U0001f468\u200d\U0001f469"})
    )
    assert '"a\\u202eb\\u200bc\\ud800 \u00e9 \U0001f468\u200d\U0001f469"' in text


HEAD = '{"version": 1, "facts": ['
FACT = '{"id": "x", "content": "c"%s}'
BAD = {
    "no json": ("{", "line 1, column 2"),
    "list": ("[]", "must be an object"),
    "no version": ('{"facts": []}', "`version` must be 1"),
    "version as text": ('{"version": "1", "facts": []}', "`version` must be 1"),
    "version true": ('{"version": true, "facts": []}', "`version` must be 1"),
    "no facts": ('{"version": 1}', "`facts` is missing"),
    "facts no list": ('{"version": 1, "facts": {}}', "`facts` must be a list"),
    "entry no object": ('{"version": 1, "facts": [3]}', r"facts\[0\]: the entry must be an object, not 3"),
    "no id": ('{"version": 1, "facts": [{"content": "c"}]}', r"facts\[0\]: `id` is missing"),
    "id with slash": ('{"version": 1, "facts": [{"id": "a/b", "content": "c"}]}', "`id` must be a short ID"),
    "no content": ('{"version": 1, "facts": [{"id": "x"}]}', r'facts\[0\] \("x"\): `content` is missing'),
    "empty content": ('{"version": 1, "facts": [{"id": "x", "content": "  "}]}', "`content` must be a string of 1"),
    "byte order mark": ("\ufeff" + EXAMPLE, "byte order mark"),
    "NaN": ('{"version": 1, "facts": [], "x": NaN}', "NaN is not a number"),
    "two keys of a value": (HEAD + FACT % ', "x": {"a": 1, "a": 2}' + "]}", r'has the duplicate key "a"'),
    "two keys of the file": ('{"version": 1, "facts": [], "facts": []}', r'has the duplicate key "facts"'),
    "deep": ('{"version": 1, "facts": [], "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    "rather deep": ('{"version": 1, "facts": [], "x": ' + "[" * 50 + "1" + "]" * 50 + "}", "nested too deeply"),
    "conflict": ("<<<<<<< HEAD\n" + EXAMPLE, "line 1 is a conflict marker"),
    "half a conflict": (EXAMPLE.replace('  "decisions"', '=======\n  "decisions"'), "line 7 is a conflict marker"),
    "half a character": ('{"version": 1, "facts": [{"id": "x", "content": "\\ud800"}]}', "hidden character U\\+D800"),
    "turned text": ('{"version": 1, "facts": [{"id": "x", "content": "a\u202eb"}]}', "hidden character U\\+202E"),
    "nul": ('{"version": 1, "facts": [{"id": "x", "content": "a\\u0000b"}]}', "hidden character U\\+0000"),
}  # fmt: skip
BAD |= {
    f"{key} {value}": (f'{{"version": 1, "facts": [{FACT % f", {json.dumps(key)}: {value}"}]}}', f"`{key}` must be ")
    for key, value in [
        ("reason", "1"),
        ("kind", '"whim"'),
        ("kind", "[]"),
        ("scope", '"user"'),
        ("confidence", "1.5"),
        ("confidence", "-1"),
        ("confidence", "true"),
        ("confidence", '"0.8"'),
        ("confidence", "1e999"),
        ("confidence", "9" * 5000),
        ("citations", '"a"'),
        ("citations", "[1]"),
        ("timestamp", "1.5"),
        ("timestamp", "-1"),
        ("timestamp", "9" * 5000),
        ("timestamp", "9007199254740993"),
        ("sourceSessionId", "null"),
        ("tags", "{}"),
        ("status", '"asleep"'),
        ("supersededBy", "3"),
    ]
}


@cases(("text", "why"), [pytest.param(*case, id=name[:40]) for name, case in BAD.items()])
def test_damage_is_named(text: str, why: str) -> None:
    """Whatever is wrong is refused with the file, the entry and the key."""
    with pytest.raises(StoreError, match=why) as caught:
        parse(text)
    assert caught.value.message.startswith("`facts.json` is damaged: ")
    assert caught.value.hint


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


def objects(part: str, required: Mapping[str, st.SearchStrategy[object]]) -> st.SearchStrategy[dict[str, object]]:
    known = FIELDS[part].keys()
    unknown = st.dictionaries(texts.filter(lambda key: key not in known), values, max_size=3)
    mixed = st.tuples(st.fixed_dictionaries(required), unknown)
    return mixed.flatmap(lambda both: st.permutations(list((both[0] | both[1]).items()))).map(dict)


ids = st.text("0123456789abcdef", min_size=4, max_size=8)
contents = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=40)
facts = st.lists(objects("facts", {"id": ids, "content": contents}), max_size=4, unique_by=lambda one: str(one["id"]))
tombstones = st.lists(
    objects("tombstones", {"id": ids, "evidence": st.lists(ids)}), max_size=3, unique_by=lambda one: str(one["id"])
)
heads = st.dictionaries(texts.filter(lambda key: key not in ("version", *PARTS)), values, max_size=3)


@given(heads, facts, tombstones)
def test_round_trip(head: dict[str, object], some: list[dict[str, object]], gone: list[dict[str, object]]) -> None:
    """Reading and writing keeps every key, its place and its value; writing twice gives the same bytes."""
    raw = {**head, "version": 1, "facts": some, "tombstones": gone}
    text = codec.render(parse(json.dumps(raw)))
    back = json.loads(text)
    assert [list(one) for one in back["facts"]] == [list(one) for one in sorted(some, key=lambda one: str(one["id"]))]
    by_id = lambda one: one["id"]  # noqa: E731
    assert {**back, "facts": sorted(back["facts"], key=by_id)} == {
        **raw,
        "facts": sorted(some, key=by_id),
        "tombstones": sorted(gone, key=by_id),
    }
    assert codec.render(parse(text)) == text


@given(st.text(), st.integers(0, len(EXAMPLE)), st.integers(0, 40))
def test_any_text_is_read_or_refused(noise: str, place: int, length: int) -> None:
    """Whatever stands in the file, it is read or refused; never a crash."""
    with suppress(StoreError):
        codec.render(parse(EXAMPLE[:place] + noise + EXAMPLE[place + length :]))


TWICE = {
    "the same": (FACT % "" + "," + FACT % "", {"x": "c"}),
    "one with more": (FACT % "" + "," + FACT % ', "mood": "blue"', {"x": "c"}),
    "run together": ('{"id": "x", "content": "c", "id": "y", "content": "d"}', {"x": "c", "y": "d"}),
    "the same key again": ('{"id": "x", "status": "active", "content": "c", "status": "inactive"}', {"x": "c"}),
}


@cases(("facts", "contents"), TWICE.values(), ids=TWICE)
def test_what_a_merge_left_twice_is_one(facts: str, contents: dict[str, str]) -> None:
    """Entries of one id are read as one, and told; written again, the file is whole."""
    found = parse(HEAD + facts + "]}")
    assert {key: one["content"] for key, one in found.facts.items()} == contents
    assert found.repairs
    again = parse(codec.render(found))
    assert (codec.render(again), again.repairs) == (codec.render(found), ())


def test_two_wordings_of_one_id_are_two_facts() -> None:
    """Neither is lost, whichever comes first; of two decisions applied counts."""
    one, two = (f'{{"id": "x", "content": "{word}"}}' for word in "cd")
    texts = [HEAD + ",".join(pair) + "]}" for pair in ((one, two), (two, one))]
    found, other = map(parse, texts)
    assert sorted(str(fact["content"]) for fact in found.facts.values()) == ["c", "d"]
    assert codec.render(found) == codec.render(other)
    decided = ['{"factId": "x", "status": "dismissed"}', '{"factId": "x", "status": "applied"}']
    held = parse(HEAD + '], "decisions": [' + ",".join(decided) + "]}").decisions
    assert [one["status"] for one in held.values()] == ["applied"]


@given(part=st.sampled_from(PARTS), data=st.data())
def test_schemas_allow_what_checks_allow(part: str, data: st.DataObject) -> None:
    """Per key, a value is fine for the schema just when it is for the check that reads the file."""
    key, field = data.draw(st.sampled_from(list(FIELDS[part].items())))
    samples = [*Kind, *FactStatus, *SuggestionStatus, "", " ", "a b", "x" * 81, "y" * 4001, 0, 1, 0.5, 1.5, -1, 2**54]
    text = json.dumps(data.draw(st.one_of(st.sampled_from(samples), st.lists(texts, max_size=3), values)))
    plain = json.loads(text)
    assume(not isinstance(plain, float) or not plain.is_integer())  # to a schema 1.0 is whole, to the file it is not
    assume(not isinstance(plain, str) or not plain.endswith("\n"))  # Python's `$` stands before it, other programs' not
    value = json.loads(text, parse_float=Number)
    assert Draft202012Validator(dict(field.schema)).is_valid(plain) == field.check(value), (key, plain)
