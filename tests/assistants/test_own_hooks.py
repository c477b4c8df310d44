"""Our entries in files of hooks, and the payloads that come back."""

from __future__ import annotations

import json

import pytest
from cases import cases

from memsuggest.assistants.install_hooks import HOSTS, installed, is_ours, is_recalling, uninstalled
from memsuggest.core.hook_payloads import payload_of

MINE = '{\n  // mine\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      { "command": "make check" }\n    ]\n  }\n}\n'


def test_an_entry_in_a_group_with_others() -> None:
    """Only ours goes; the group of the others stays as it was."""
    group = '{"hooks": [{"command": "make check"}, {"command": "memsuggest hook"}], "matcher": "x"}'
    text = f'{{"hooks": {{"Stop": [{group}]}}}}'
    alone = '{"hooks": [{"command": "make check"}], "matcher": "x"}'
    assert uninstalled(text) == f'{{"hooks": {{"Stop": [{alone}]}}}}'


@cases(
    ("command", "ours"),
    [
        pytest.param("memsuggest hook", True, id="by-name"),
        pytest.param("/opt/x/bin/memsuggest hook", True, id="by-path"),
        pytest.param("memsuggest hook || exit 0", True, id="where-it-may-be-missing"),
        pytest.param("memsuggest hook --recall || exit 0", True, id="with-recall"),
        pytest.param("memsuggest hook --recall --all", False, id="with-another-option"),
        pytest.param("memsuggest hook || rm -r x", False, id="and-something-else"),
        pytest.param('"C:\\a b\\memsuggest.exe" hook', True, id="windows"),
        pytest.param("memsuggest hooks show", False, id="another-command"),
        pytest.param("not-memsuggest hook", False, id="another-program"),
        pytest.param(None, False, id="none"),
    ],
)
def test_which_commands_are_ours(command: object, ours: bool) -> None:
    """Only the one that we write."""
    assert is_ours(command) is ours


@cases(
    ("fields", "event"),
    [
        pytest.param({"hook_event_name": "Stop", "session_id": "x", "stop_hook_active": True}, "Stop", id="snake-case"),
        pytest.param({"hookEventName": "SessionStart", "source": "new"}, "SessionStart", id="camel-case"),
        pytest.param({"sessionId": "x", "timestamp": 1, "stopReason": "end_turn"}, "Stop", id="copilot-cli-stop"),
        pytest.param({"sessionId": "x", "reason": "complete"}, "SessionEnd", id="copilot-cli-end"),
        pytest.param(
            {"sessionId": "x", "source": "new", "initialPrompt": "hi"}, "SessionStart", id="copilot-cli-start"
        ),
        pytest.param({"sessionId": "x", "trigger": "auto"}, "PreCompact", id="copilot-cli-compact"),
        pytest.param({"hook_event_name": "UserPromptSubmit", "prompt": "x"}, "UserPromptSubmit", id="prompt"),
        pytest.param({"hookEventName": "userPromptSubmitted", "prompt": "x"}, "UserPromptSubmit", id="camel-prompt"),
        pytest.param({"sessionId": "x", "timestamp": 1, "prompt": "y"}, "UserPromptSubmit", id="copilot-cli-prompt"),
        pytest.param({"hook_event_name": "PreToolUse", "tool_name": "x"}, "", id="none-of-ours"),
    ],
)
def test_payloads(fields: dict[str, object], event: str) -> None:
    """Every spelling is understood."""
    found = payload_of(json.dumps(fields).encode())
    assert found is not None
    assert found.event == event


def test_the_prompt_of_a_payload() -> None:
    """In every spelling; what is no text is none."""
    prompts = [{"prompt": "a"}, {"initialPrompt": "a"}, {"prompt": ["a"]}, {"prompt": None}]
    found = [payload_of(json.dumps(prompt | {"sessionId": "s"}).encode()) for prompt in prompts]
    assert [one and (one.prompt, one.session) for one in found] == [("a", "s"), ("a", "s"), ("", "s"), ("", "s")]


def test_whose_entries_recall() -> None:
    """Only those that say so."""
    host = HOSTS["vscode"]
    assert not is_recalling(installed(None, host, "memsuggest hook || exit 0"))
    assert is_recalling(installed(MINE, host.with_recall(), "memsuggest hook --recall || exit 0"))
    assert not is_recalling('{"hooks": {"Stop": [{"command": "echo memsuggest hook --recall x"}]}}')


@cases("raw", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_what_is_no_payload(raw: bytes) -> None:
    """Nothing comes of it."""
    assert payload_of(raw) is None
