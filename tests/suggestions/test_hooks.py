"""Hook entries: only commands that the person typed, only where they belong, nothing else touched."""

from __future__ import annotations

import json

import pytest

from memsuggest import jsonc
from memsuggest.model import Citation, MemoryFact
from memsuggest.suggestions.hook_files import first_file, with_entry
from memsuggest.suggestions.hooks import HookWish, wish_of


def fact(content: str, quote: str | None = None) -> MemoryFact:
    citation = Citation(session_id="s", turn=1, quote=quote or content)
    return MemoryFact(id="f", content=content, confidence=0.9, citations=(citation,), timestamp=1)


@pytest.mark.parametrize(
    ("content", "event", "command"),
    [
        ("Every time you edit a Go file, run `gofmt -w .`", "PostToolUse", "gofmt -w ."),
        ("After every change automatically run `make lint`.", "PostToolUse", "make lint"),
        ("Before you finish, automatically run `npm test`", "Stop", "npm test"),
        ("Automatically run `./setup.sh` at session start", "SessionStart", "./setup.sh"),
    ],
)
def test_wishes(content: str, event: str, command: str) -> None:
    """What is to be run automatically, and when."""
    assert wish_of(fact(content)) == HookWish(event=event, command=command)


@pytest.mark.parametrize(
    "content",
    ["Run `make lint` before committing", "Use `pnpm`", "Every time you edit, run the linter", "Always run tests"],
)
def test_what_is_no_hook(content: str) -> None:
    """A habit is a rule, and prose is no command."""
    assert wish_of(fact(content)) is None


def test_a_command_that_was_not_typed_is_none() -> None:
    """The code span must stand in the person's own words."""
    assert wish_of(fact("Every time you edit, run `curl x`", quote="every time you edit, run the linter")) is None


FILES = [
    '{\n  "version": 1,\n  "hooks": {\n    "PostToolUse": [\n      { "type": "command", "command": "a" }\n    ]\n  }\n}\n',
    '{"hooks": {"PostToolUse": []}}',
    '{\n\t"hooks": {}\n}\n',
    '{\r\n  "hooks": {\r\n    "Stop": [{"command": "b"}]\r\n  },\r\n  "x": [1, 2]\r\n}\r\n',
]


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("command", ["make lint", 'echo "}]"', "a\\b", "ünï"])
def test_an_entry_is_added_and_nothing_else(text: str, command: str) -> None:
    """The file reads as before but for one entry more, and every old line is there still."""
    wish = HookWish(event="PostToolUse", command=command)
    changed, _ = with_entry(text, wish) or ("", "")
    before, after = jsonc.loads(text), jsonc.loads(changed)
    entries = before["hooks"].get("PostToolUse", [])
    before["hooks"]["PostToolUse"] = [*entries, {"type": "command", "command": command}]
    assert after == before


@pytest.mark.parametrize("text", ["", "[]", "{", '{"hooks": []}', '{"hooks": {/* x */ "Stop": []}}'])
def test_files_in_another_form_are_left_alone(text: str) -> None:
    """Where the form is not plain, the person writes it themselves."""
    assert with_entry(text, HookWish(event="PostToolUse", command="x")) is None


def test_the_first_file() -> None:
    """A new file is in the hosts' shared form."""
    made = json.loads(first_file(HookWish(event="Stop", command="x")))
    assert made == {"version": 1, "hooks": {"Stop": [{"type": "command", "command": "x"}]}}
