"""Lints of hook files; nothing here is fixed by itself, since hooks run commands. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest import jsonc
from memsuggest.customizations.lint import Lint, Subject, Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAME = {
    "sessionstart": "sessionstart",
    "sessionend": "sessionend",
    "userpromptsubmitted": "userpromptsubmit",
    "userpromptsubmit": "userpromptsubmit",
    "userprompttransformed": "userprompttransformed",
    "pretooluse": "pretooluse",
    "posttooluse": "posttooluse",
    "posttoolusefailure": "posttoolusefailure",
    "precompact": "precompact",
    "agentstop": "stop",
    "stop": "stop",
    "subagentstart": "subagentstart",
    "subagentstop": "subagentstop",
    "erroroccurred": "erroroccurred",
    "permissionrequest": "permissionrequest",
    "notification": "notification",
}
"""Every event of VS Code and the Copilot command line, in small letters, and the one that it is the same as."""
_DOING = ("command", "bash", "powershell", "windows", "linux", "osx", "exec", "url", "prompt")


def _hooks(subject: Subject) -> dict[str, object]:
    try:
        values = jsonc.loads(subject.target.text)
    except ValueError:
        return {}
    hooks = values.get("hooks") if isinstance(values, dict) else None
    return hooks if isinstance(hooks, dict) else {}


def _line_of(subject: Subject, word: str) -> int:
    found = re.search(rf'"{re.escape(word)}"\s*:', subject.target.text)
    return subject.target.text.count("\n", 0, found.start()) if found else 0


def _not_json(subject: Subject) -> Iterator[Trouble]:
    try:
        values = jsonc.loads(subject.target.text)
    except ValueError as error:
        yield Trouble(detail=str(error))
        return
    if isinstance(values, dict) and "hooks" not in values and not _is_for_copilot(subject):
        return  # settings need no hooks
    if not isinstance(values, dict) or not isinstance(values.get("hooks"), dict):
        yield Trouble(detail="it has no map called `hooks`")


def _is_for_copilot(subject: Subject) -> bool:
    return "/.claude/" not in f"/{subject.target.uri}"


def _unknown_events(subject: Subject) -> Iterator[Trouble]:
    if _is_for_copilot(subject):
        for event in _hooks(subject):
            if event.lower() not in _SAME:
                yield Trouble(line=_line_of(subject, event), detail=f"`{event}`")


def _two_spellings(subject: Subject) -> Iterator[Trouble]:
    seen: dict[str, str] = {}
    for event in _hooks(subject):
        same = _SAME.get(event.lower(), event)
        if same in seen:
            yield Trouble(line=_line_of(subject, event), detail=f"`{seen[same]}` and `{event}`")
        seen.setdefault(same, event)


def _entries(value: object) -> Iterator[object]:
    """Return the entries of an event, also those within Claude's groups by matcher."""
    for entry in value if isinstance(value, list) else [value]:
        nested = entry.get("hooks") if isinstance(entry, dict) else None
        if isinstance(nested, list):
            yield from nested
        else:
            yield entry


def _without_command(subject: Subject) -> Iterator[Trouble]:
    for event, value in _hooks(subject).items():
        entries = list(_entries(value))
        if any(not isinstance(entry, dict) or not any(entry.get(key) for key in _DOING) for entry in entries):
            yield Trouble(line=_line_of(subject, event), detail=f"`{event}`")


LINTS = (
    Lint(id="hook-json", message="no host reads this file: {}", find=_not_json),
    Lint(id="hook-event", message="no host has this event: {}", find=_unknown_events),
    Lint(
        id="hook-twice",
        message="two spellings of one event, of which the later replaces the earlier: {}",
        find=_two_spellings,
    ),
    Lint(id="hook-command", message="an entry of {} has no command", find=_without_command),
)
