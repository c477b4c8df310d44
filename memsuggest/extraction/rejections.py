"""Rejections: "no, pnpm" said while refusing `npm install`, or on changing it, is "Use pnpm instead of npm".

Pure. Reads a bare name together with the command that the person refused, or changed before it ran; the command's own
name comes from what the assistant was about to do, so that such a rule is `confirmed`, not typed alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.extraction.statements import without_opening
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from memsuggest.model import Turn

_SHELL = "terminal: "
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


def choice_in(turn: Turn, before: Turn | None) -> tuple[str, str] | None:
    """Return the rule in a bare name that refused a command or changed it, and the command's name."""
    if turn.quoted or turn.doubtful or not turn.typed:
        return None
    edited = edited_in(before)
    found = choice_of(turn.typed, turn.signals.rejected_tool)
    if not found[0] and edited:
        found = choice_on_editing(turn.typed, edited)
    return found if found[0] else None


class Edited(NamedTuple):
    """A command line as the assistant proposed it, and as the person ran it."""

    proposed: str
    edited: str

    def names(self) -> tuple[str, str]:
        """Return the program that the person chose and the one that it took the place of; empty where none did.

        >>> Edited("npm install left-pad", "pnpm add left-pad").names()
        ('pnpm', 'npm')
        >>> Edited("npm test", "npm test -- --run").names()
        ('', '')
        """
        chosen, left = _COMMAND.match(self.edited), _COMMAND.match(self.proposed)
        if not chosen or not left or chosen["name"] == left["name"] or left["name"] in _words(self.edited):
            return "", ""
        is_same_work = not _words(self.proposed[left.end() :]).isdisjoint(_words(self.edited[chosen.end() :]))
        is_bare = not self.proposed[left.end() :].strip() or not self.edited[chosen.end() :].strip()
        return (chosen["name"], left["name"]) if is_same_work or is_bare else ("", "")


def edited_in(turn: Turn | None) -> Edited | None:
    """Return the command that the person changed in a turn of the assistant, if any."""
    signals = turn.signals if turn else None
    if not signals or not signals.edited_command or not signals.proposed_command:
        return None
    return Edited(signals.proposed_command, signals.edited_command)


def choice_on_editing(text: str, edited: Edited) -> tuple[str, str]:
    """Return the same as `choice_of` for a name said right after it took another's place in a command.

    >>> choice_on_editing("pnpm please", Edited("npm i", "pnpm i"))
    ('Use pnpm instead of npm.', 'npm')
    """
    chosen, left = edited.names()
    if not chosen or chosen not in _words(text.lower()):
        return "", ""
    return choice_of(text, f"{_SHELL}{left}")


def _words(line: str) -> set[str]:
    return {word.strip("`'\"(),.;:!") for word in line.split()} - {""}


def choice_of(text: str, rejected: str | None) -> tuple[str, str]:
    """Return the rule and the refused command's name; empty where the text is no bare name or nothing was refused.

    >>> choice_of("no, pnpm", "Bash: npm install left-pad")
    ('Use pnpm instead of npm.', 'npm')
    """
    if not rejected or not (shell := _SHELLS.match(rejected)):
        return "", ""
    command = _COMMAND.match(rejected[shell.end() :])
    wanted = _NAME.match(without_opening(plain(text)))
    if not command or not wanted or wanted["name"].lower() in {*_NO_NAMES, command["name"]}:
        return "", ""
    return f"Use {wanted['name']} instead of {command['name']}.", command["name"]
