"""What becomes a hook; an entry more in a hook file, and nothing else touched."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from cases import cases

from memsuggest.core import json_edit as jsonc
from memsuggest.core.model import Citation, MemoryFact, Trust
from memsuggest.suggestions.hook_wishes import HookWish, first_file, has_entry, wish_of, with_entry


def wish(command: str = "make lint", event: str = "PostToolUse") -> HookWish:
    return HookWish(event=event, command=command)


PLAIN = """{
  "version": 1,
  "hooks": {
    "PostToolUse": [
      { "type": "command", "command": "a" }
    ]
  }
}
"""
FILES = [
    PLAIN,
    '{"hooks": {"PostToolUse": []}}',
    '{\n\t"hooks": {}\n}\n',
    '{\r\n  "hooks": {\r\n    "Stop": [{"command": "b"}]\r\n  },\r\n  "x": [1, 2]\r\n}\r\n',
    '{"x": "\\"hooks\\": {", "hooks": {"PostToolUse": [{"command": "]}"}]}}',
]


SETTINGS = [
    '{\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n',
    "{}\n",
    '{"model": "x"}',
    '{\r\n\t"a": {"b": []}\r\n}\r\n',
]


@cases("text", SETTINGS)
def test_settings_without_hooks(text: str) -> None:
    """Claude Code's settings get their first hooks at their end, in a group; all else stays."""
    added = with_entry(text, wish(), is_grouped=True)
    assert added is not None
    before = cast("dict[str, Any]", jsonc.loads(text))
    entry = {"hooks": [{"type": "command", "command": "make lint"}]}
    assert jsonc.loads(added[0]) == before | {"hooks": {"PostToolUse": [entry]}}
    assert list(cast("dict[str, Any]", jsonc.loads(added[0])))[-1] == "hooks"
    assert ("\r\n" in added[0]) == ("\r\n" in text)
    again = with_entry(added[0], wish("make test"), is_grouped=True)
    assert again is not None and has_entry(again[0], wish("make test"))
    assert with_entry(text, wish()) is None


@cases("text", ['{"hooks": null}', '{"hooks": []}', "[]", '{ // mine\n"a": 1}'])
def test_settings_in_another_form(text: str) -> None:
    """Settings whose hooks are odd, or with comments, are left to their owner."""
    assert with_entry(text, wish(), is_grouped=True) is None


@cases("text", FILES)
@cases("command", ["make lint", 'echo "}]"', "a\\b", "ünï", "<!-- x -->", "${x}"])
def test_an_entry_is_added_and_nothing_else(text: str, command: str) -> None:
    """The file reads as before but for one entry more, and every old line is there still."""
    added = with_entry(text, wish(command))
    assert added is not None
    before, after = (cast("dict[str, Any]", jsonc.loads(one)) for one in (text, added[0]))
    entries = before["hooks"].get("PostToolUse", [])
    before["hooks"]["PostToolUse"] = [*entries, {"type": "command", "command": command}]
    assert after == before
    assert added[1].strip() in added[0]
    assert ("\r\n" in added[0]) == ("\r\n" in text)


@cases(
    "text",
    [
        "",
        "[]",
        "{",
        '{"hooks": []}',
        '{"hooks": {"PostToolUse": {}}}',
        '{"hooks": {"PostToolUse": [/* x */]}}',
    ],
)
def test_files_in_another_form_are_left_alone(text: str) -> None:
    """Where the form is not plain, the person writes it themselves."""
    assert with_entry(text, wish()) is None


SPREAD = """{
    "hooks": {
        "Stop": [
            {
                "command": "a"
            }
        ]
    }
}
"""


def test_the_file_s_own_layout() -> None:
    """Entries over several lines get another one over several lines, with the file's indent."""
    added = with_entry(SPREAD, wish("b", "Stop"))
    assert added is not None
    entry = """            {
                "type": "command",
                "command": "b"
            }"""
    assert added == (SPREAD.replace("            }\n        ]", f"            }},\n{entry}\n        ]"), entry)


@cases(
    ("keys", "event", "key"),
    [
        ("postToolUse", "PostToolUse", "postToolUse"),
        ("agentStop", "Stop", "agentStop"),
        ("sessionStart", "PostToolUse", "postToolUse"),
        ("sessionStart", "Stop", "agentStop"),
        ("Stop", "PostToolUse", "PostToolUse"),
    ],
)
def test_one_spelling_in_a_file(keys: str, event: str, key: str) -> None:
    """Of two spellings of an event the later would hide the earlier, so the file's own is used."""
    added = with_entry(json.dumps({"hooks": {keys: []}}), wish("x", event))
    assert added is not None
    assert key in json.loads(added[0])["hooks"]


@cases(
    ("entries", "found"),
    [
        ({"PostToolUse": [{"command": "make lint"}]}, True),
        ({"postToolUse": [{"bash": "make lint"}]}, True),
        ({"PostToolUse": [{"matcher": "Edit", "hooks": [{"command": "make lint"}]}]}, True),
        ({"Stop": [{"command": "make lint"}]}, False),
        ({"PostToolUse": [{"command": "make lint-all"}]}, False),
        ({"PostToolUse": "make lint"}, False),
    ],
)
def test_what_runs_already(entries: dict[str, object], *, found: bool) -> None:
    """The same command at the same event, in any host's form."""
    assert has_entry(json.dumps({"hooks": entries}), wish()) is found


@cases("indent", [None, 2])
def test_a_group_for_claude(indent: int | None) -> None:
    """Claude Code reads groups of hooks only; what is there stays."""
    there = {
        "permissions": {"deny": ["Bash(rm)"]},
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]},
    }
    text = json.dumps(there, indent=indent)
    for event in ("Stop", "PostToolUse"):
        added = with_entry(text, wish("b", event), is_grouped=True)
        assert added is not None
        hooks = json.loads(added[0])["hooks"]
        assert hooks[event][-1] == {"hooks": [{"type": "command", "command": "b"}]}
        assert hooks["Stop"][0] == there["hooks"]["Stop"][0]
        assert has_entry(added[0], wish("b", event))


def test_the_first_file() -> None:
    """A new file is in the hosts' shared form."""
    made = json.loads(first_file(wish("x", "Stop")))
    assert made == {"version": 1, "hooks": {"Stop": [{"type": "command", "command": "x"}]}}


def fact(content: str, quote: str | None = None, *, trust: Trust = Trust.TYPED) -> MemoryFact:
    citation = Citation(session_id="s", turn=1, quote=content if quote is None else quote, trust=trust)
    return MemoryFact(id="f", content=content, confidence=0.9, citations=(citation,), timestamp=1)


@cases(
    ("content", "event", "command"),
    [
        ("Every time you edit a Go file, run `gofmt -w .`", "PostToolUse", "gofmt -w ."),
        ("After every change automatically run `make lint`.", "PostToolUse", "make lint"),
        ("Every time you change a test run `npm run lint` and tell me", "PostToolUse", "npm run lint"),
        ("After every edit run `go vet ./...` please", "PostToolUse", "go vet ./..."),
        ("After every edit run the tests with `a && b`", "PostToolUse", "a && b"),
        ("Before you finish, automatically run `npm test`", "Stop", "npm test"),
        ("At the end of every turn automatically run `make check`", "Stop", "make check"),
        ("Automatically run `./setup.sh` at session start", "SessionStart", "./setup.sh"),
        ("Before every edit, run `git stash list`", "PreToolUse", "git stash list"),
        ("Automatically run `save-notes` before you compact", "PreCompact", "save-notes"),
        ("Nach jeder Änderung automatisch: führe `make lint` aus", "PostToolUse", "make lint"),
    ],
)
def test_wishes(content: str, event: str, command: str) -> None:
    """What is to be run automatically, and when."""
    assert wish_of(fact(content)) == HookWish(event=event, command=command)


@cases(
    "content",
    [
        pytest.param("Run `make lint` before committing", id="a habit"),
        pytest.param("Use `pnpm`", id="a tool"),
        pytest.param("Every time you edit, run the linter", id="prose is no command"),
        pytest.param("Every time you edit, run scripts/check.sh", id="no code span"),
        pytest.param("Always run tests", id="no event"),
        pytest.param("Whenever we deploy, run `make smoke`", id="no event of an assistant"),
        pytest.param("After every release run `make notes`", id="nothing that a host knows of"),
        pytest.param("Every time you edit, run `use [REDACTED:secret]`", id="a secret was in it"),
        pytest.param("Every time you edit, run `a\u200bb`", id="an invisible character"),
    ],
)
def test_what_is_no_hook(content: str) -> None:
    """A habit is a rule, and nothing is a command without a code span."""
    assert wish_of(fact(content)) is None


@cases("trust", [trust for trust in Trust if trust is not Trust.TYPED])
def test_only_what_was_typed_runs(trust: Trust) -> None:
    """No command comes from an assistant, a page, a shared file or a transcript of somebody else's."""
    assert wish_of(fact("Every time you edit, run `make lint`", trust=trust)) is None


@cases(
    "quote",
    [
        pytest.param("every time you edit, run the linter", id="not there"),
        pytest.param("every time you edit, run make lint-all", id="a part of a longer word"),
        pytest.param("every time you edit, run ./make lint", id="the end of a path"),
        pytest.param("", id="nothing"),
    ],
)
def test_a_command_that_was_not_typed_is_none(quote: str) -> None:
    """The command must stand in the person's own words as it is."""
    assert wish_of(fact("Every time you edit, run `make lint`", quote)) is None


def test_a_plain_command_may_be_put_into_a_code_span() -> None:
    """What was typed without marks is the same command with them."""
    wish = wish_of(fact("Every time you edit, run `make lint`.", "every time you edit run make lint, ok?"))
    assert wish == HookWish(event="PostToolUse", command="make lint")


def test_a_fact_without_quotes_runs_nothing() -> None:
    """The shared file holds no quotes: from there comes no hook."""
    shared = MemoryFact(id="f", content="Every time you edit, run `make lint`", confidence=1.0, timestamp=1)
    assert wish_of(shared) is None


@cases("pump", ["run ", "a/", "every time edit ", "`x", "run `", "-x "])
def test_long_texts_take_linear_time(pump: str) -> None:
    """A text of 100 KB is read in well under a second."""
    wish_of(fact("every time you edit run " + pump * (100_000 // len(pump)), "x"))
