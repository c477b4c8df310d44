"""Rejections: "no, pnpm" said while refusing `npm install` is "Use pnpm instead of npm".

Pure. Reads a bare name together with the command that the person refused; the command's own name comes from what the
assistant was about to do, so that such a rule is `confirmed`, not typed alone.
"""

from __future__ import annotations

import re

from memsuggest.extraction.residue import without_residue

_SHELLS = re.compile(
    r"\A(?:bash|shell|terminal|run_in_terminal|execute_command|run_shell_command|exec|powershell)\b[^:]{0,40}:\s*",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"\A(?:(?:sudo|time|env|npx|\w+=\S+|cd \S+ &&) )*(?P<name>[a-z][\w.-]{1,30})\b")
_NAME = re.compile(
    r"\A(?:(?:use|try|with|take|run|do it with) )?`?(?P<name>[a-z][\w.-]{1,30})`?(?: instead)?[.!]?\Z", re.IGNORECASE
)
_NO_NAMES = frozenset(
    [
        "no",
        "stop",
        "wait",
        "don't",
        "dont",
        "nope",
        "ok",
        "yes",
        "later",
        "why",
        "what",
        "instead",
        "again",
        "continue",
        "skip",
        "cancel",
        "never",
        "not",
        "this",
        "that",
        "it",
        "tests",
        "first",
        "explain",
    ]
)


def choice_of(text: str, rejected: str | None) -> tuple[str, str]:
    """Return the rule and the refused command's name; empty where the text is no bare name or nothing was refused.

    >>> choice_of("no, pnpm", "Bash: npm install left-pad")
    ('Use pnpm instead of npm.', 'npm')
    """
    if not rejected or not (shell := _SHELLS.match(rejected)):
        return "", ""
    command = _COMMAND.match(rejected[shell.end() :])
    wanted = _NAME.match(without_residue(text))
    if not command or not wanted or wanted["name"].lower() in {*_NO_NAMES, command["name"]}:
        return "", ""
    return f"Use {wanted['name']} instead of {command['name']}.", command["name"]
