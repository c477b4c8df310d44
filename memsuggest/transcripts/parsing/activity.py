"""An assistant's words and deeds between two messages of the person, gathered into one turn.

Extraction looks at it to understand corrections; so it is kept short: the beginning and, above all, the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from memsuggest.core.model import NO_SIGNALS, Role, Signals, Turn

TEXT_LIMIT = 1000  # characters of an assistant's turn
_BEGINNING = 300  # of them, how many show how it began
_ARGUMENT_LIMIT = 120
_PATHS_LIMIT = 200
_PIECES = 30  # texts and calls; more do not fit into a turn's text
_CUT = " […] "

_ARGUMENTS = (
    "file_path", "filePath", "path", "notebook_path", "command", "cmd", "pattern", "query", "url", "skill",
    "description", "prompt", "question", "input",
)  # fmt: skip
"""Which argument tells most about a tool call; the first that is there."""

_PATH_ARGUMENTS = ("file_path", "filePath", "path", "notebook_path", "target_file", "relativeWorkspacePath")

WRITING_TOOLS = frozenset({
    "write", "edit", "multiedit", "notebookedit", "str_replace_editor", "str_replace_based_edit_tool", "create",
    "write_file", "write_to_file", "create_file", "edit_file", "edit_existing_file", "create_new_file", "replace",
    "replace_in_file", "apply_diff", "insert_content", "replace_string_in_file", "insert_edit_into_file",
    "multi_replace_string_in_file", "copilot_createfile", "copilot_replacestring", "copilot_insertedit",
    "copilot_multireplacestring", "search_replace",
})  # fmt: skip
"""Names of tools that write the file they name, lower case."""


class Activity:
    """Gathers what the assistant does until the person speaks again."""

    def __init__(self) -> None:
        self.paths: dict[str, None] = {}
        self.written: dict[str, None] = {}
        self.signals: Signals = NO_SIGNALS
        self._said: list[str] = []

    @property
    def is_empty(self) -> bool:
        return not self._said and not self.paths and self.signals is NO_SIGNALS

    def say(self, text: str) -> None:
        if text and not text.isspace():
            self._add(shortened(text.strip(), 2 * TEXT_LIMIT))

    def use(self, tool: str, arguments: object) -> str:
        """Add a tool call; return it in one short line, such as `Bash: npm test`."""
        given = arguments if isinstance(arguments, dict) else {}
        for key in _PATH_ARGUMENTS:
            if key in given and isinstance(given[key], str):
                self.touch(given[key], is_written=tool.lower() in WRITING_TOOLS)
                break
        call = tool_call(tool, given)
        self._add(f"[{call}]")
        return call

    def note(self, call: str) -> str:
        """Add a tool call that is described already; return it in one short line."""
        line = clipped(call, 2 * _ARGUMENT_LIMIT)
        self._add(f"[{line}]")
        return line

    def _add(self, piece: str) -> None:
        self._said.append(piece)
        if len(self._said) > 2 * _PIECES:
            del self._said[2:-_PIECES]

    def touch(self, path: str, *, is_written: bool = False) -> None:
        if len(self.paths) < _PATHS_LIMIT:
            self.paths[path] = None
        if is_written:
            self.written[path] = None

    def signal(self, **changes: object) -> None:
        self.signals = changed(self.signals, **changes)

    def as_turn(
        self,
        number: int,
        *,
        cwd: str | None = None,
        branch: str | None = None,
        at: datetime | None = None,
        key: str = "",
    ) -> Turn | None:
        """Make the assistant's turn; None when it neither said nor did anything."""
        if self.is_empty:
            return None
        return Turn(
            number=number,
            role=Role.ASSISTANT,
            text=shortened("\n".join(self._said)),
            paths=tuple(self.paths),
            cwd=cwd,
            branch=branch,
            signals=self.signals,
            at=at,
            key=key,
        )


@lru_cache(maxsize=1024)
def changed(signals: Signals, **changes: object) -> Signals:
    """Return signals with some of them changed; the same ones come again in turn after turn."""
    return replace(signals, **changes)  # type: ignore[arg-type]


def tool_call(tool: str, arguments: Mapping[str, object]) -> str:
    """Name a tool call in one short line.

    >>> tool_call("Bash", {"command": "npm test", "timeout": 5})
    'Bash: npm test'
    """
    for key in _ARGUMENTS:
        argument = arguments.get(key)
        if isinstance(argument, str) and argument:
            return f"{tool}: {clipped(argument, _ARGUMENT_LIMIT)}"
    return tool


def clipped(text: str, limit: int) -> str:
    """Make one line of at most `limit` characters, cut between words so that no half of a secret survives."""
    line = " ".join(text[: 2 * limit].split())
    if len(line) <= limit and len(text) <= 2 * limit:
        return line
    return line[:limit].rpartition(" ")[0] + " …"


def shortened(text: str, limit: int = TEXT_LIMIT) -> str:
    """Cut the middle out of a long text, between words."""
    if len(text) <= limit:
        return text
    before = text[:_BEGINNING].rsplit(maxsplit=1)
    after = text[-(limit - _BEGINNING - len(_CUT)) :].split(maxsplit=1)
    return (before[0] if len(before) > 1 else "") + _CUT + (after[1] if len(after) > 1 else "")
