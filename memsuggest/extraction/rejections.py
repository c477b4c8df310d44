"""Rejections: "no, pnpm" said while refusing `npm install`, or on changing it, is "Use pnpm instead of npm".

Pure. Reads a bare name together with the command that the person refused, or changed before it ran; the command's own
name comes from what the assistant was about to do, so that such a rule is `confirmed`, not typed alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.extraction.statements import without_opening
from memsuggest.text.words import plain, word_set

if TYPE_CHECKING:
    from memsuggest.model import Turn

_SHELL = "terminal: "
_SHELLS = re.compile(
    r"\A(?:bash|shell|terminal|run_in_terminal|execute_command|run_shell_command|exec|powershell)\b[^:]{0,40}:\s*",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"\A(?:(?:sudo|time|env|npx|\w+=\S+|cd \S+ &&) )*(?P<name>[a-z][\w.-]{1,30})\b")
_NAME = re.compile(
    r"\A(?:(?:use|try|with|take|run|do it with) )?`?(?P<name>[a-z][\w.-]{1,30})`?(?: instead)?(?:,? please)?[.!]?\Z",
    re.IGNORECASE,
)
_EDIT = re.compile(
    r"(?:edit|write|multiedit|replace_string_in_file|create_file|apply_patch|str_replace\w*|write_to_file)\b[^:]{0,40}:\s*"
    r"(?P<path>[\w@.+:/\\-]{1,200})\Z",
    re.IGNORECASE,
)
_POINTER = re.compile(r"\b(?:(?:this|that|the) file|it(?P<is>['\u2019]s)?|that|this)(?!\w)", re.IGNORECASE)
_NO_NAMES = word_set(
    "again cancel continue don't dont explain first instead it later never no nope not ok skip stop tests that this"
    " wait what why yes"
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


def refused_file(turn: Turn) -> str:
    """Return the file whose edit the person refused, as seen from the folder of the chat; empty where there is none.

    The assistant named it: what is no plain path might carry words of its own into the rule, and is left out.

    >>> refused_file(Turn(number=1, role=Role.USER, signals=Signals(rejected_tool="Edit: /w/a/b.ts"), cwd="/w"))
    'a/b.ts'
    """
    found = _EDIT.match(turn.signals.rejected_tool or "")
    if not found:
        return ""
    path = found["path"].replace("\\", "/")
    folder = (turn.cwd or "").replace("\\", "/").rstrip("/") + "/"
    inside = path.removeprefix(folder)
    is_inside = not inside.startswith(("/", "~")) and ".." not in inside.split("/") and ":" not in inside
    return inside if is_inside else ""


def with_its_name(text: str, path: str) -> str:
    """Return a sentence with a file's name in the place of what points at it; unchanged where nothing does.

    >>> with_its_name("never edit it by hand", "src/api.ts")
    'never edit `src/api.ts` by hand'
    """
    return _POINTER.sub(lambda found: f"`{path}`" + ("" if found["is"] is None else " is"), text, count=1)


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
