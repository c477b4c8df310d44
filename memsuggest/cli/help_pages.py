"""Help as plain text: sections for commands and options, no box around them, and no library that takes time to load."""

from __future__ import annotations

import re
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GLOBAL = "Global options"
"""The section of the options that every command has, and that stand before or after its name."""

PANELS: Mapping[str, Mapping[str, str]] = {
    "Every day": {
        "reconcile": "read new chats, learn from them, show what is worth writing down",
        "review": "go through the suggestions with single keys",
        "list": "show what is pending",
        "show": "show one suggestion: its evidence, its place, the diff",
        "apply": "write a suggestion into its file",
        "dismiss": "never suggest something again",
        "undo": "take back the last decision",
        "status": "mode, last run, how much is pending",
    },
    "Set up": {
        "setup": "find your assistants and connect them, one screen",
        "config": "show and change settings",
        "doctor": "what is found here, what is off, and why",
        "demo": "try any command on a bundled example",
    },
    "Memory": {
        "remember": "keep something by hand",
        "notes": "what your assistants noted for themselves, and what became of it",
        "recall": "find what was said or done",
        "memory": "look at, correct and forget all that is remembered",
    },
    "Team": {
        "comment": "post suggestions on a pull request",
        "report": "one page for a retrospective",
        "held": "whether applied rules are followed",
    },
}
"""The first page of help."""
MORE = (
    "answer", "ask", "consent", "consolidate", "coverage", "edit", "extract", "graphiti", "hooks", "mcp", "move",
    "redact", "schema", "serve", "suggest", "targets", "transcripts", "trust", "usage", "watch",
)  # fmt: skip
"""Commands that the first page only names."""

FORMER: Mapping[str, str] = {
    "facts list": "memory list --facts", "facts search": "memory list --facts", "facts add": "remember",
    "facts export": "memory export --facts", "facts import": "memory import --facts", "facts": "memory",
    "identity show": "memory show identity", "identity edit": "memory edit identity",
    "identity add": "memory add --identity", "identity": "memory",
    "apps list": "memory list --apps", "apps remember": "memory add --app", "apps forget": "memory forget --app",
    "apps": "memory", "memory browse": "memory list",
}  # fmt: skip
"""What commands were called before all that is remembered was one thing, and how the same is said now."""


def as_called_now(words: Sequence[str]) -> list[str]:
    """Return the words of a command line as commands are called now.

    >>> as_called_now(["facts", "list", "--all"]), as_called_now(["apps", "show", "claude-code"])
    (['memory', 'list', '--facts', '--all'], ['memory', 'show', 'claude-code'])
    """
    for count in (2, 1):
        if name := FORMER.get(" ".join(words[:count])):
            return [*name.split(), *words[count:]]
    return list(words)


def is_read_by_a_person() -> bool:
    """Tell whether stderr is a terminal: scripts that use a former name go on as they were."""
    return sys.stderr.isatty()


_EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "": ("memsuggest demo", "memsuggest reconcile", "memsuggest review"),
    "reconcile": (
        "memsuggest reconcile",
        "memsuggest reconcile --since 7d",
        "memsuggest reconcile ~/Downloads/chat.json",
    ),
    "review": ("memsuggest review",),
    "list": ("memsuggest list", "memsuggest list --maybe", "memsuggest list --status applied"),
    "show": ("memsuggest show 03b6e97",),
    "apply": ("memsuggest apply 03b6e97", "memsuggest apply --all --yes"),
    "dismiss": ("memsuggest dismiss 03b6e97", "memsuggest dismiss 03b6e97 --here"),
    "undo": ("memsuggest undo", "memsuggest undo --list"),
    "setup": (
        "memsuggest setup",
        "memsuggest setup --for claude-code --yes",
        "memsuggest setup --mcp --no-bridge --yes",
    ),
    "status": ("memsuggest status", "memsuggest status --short"),
    "config": ("memsuggest config show", "memsuggest config set mode eager"),
    "remember": ('memsuggest remember "the staging database is reset every night"',),
    "notes": ("memsuggest notes", "memsuggest notes show feedback_commits"),
    "recall": ('memsuggest recall "how do we deploy?"',),
    "memory": ("memsuggest memory list", "memsuggest memory show identity", "memsuggest memory forget 03b6e97"),
    "comment": ("memsuggest comment --base main",),
    "held": ("memsuggest held",),
}
_TYPE = re.compile(r" <([^>]*)>")
"""The type that Typer puts behind a name: `ID <list[str]>`."""
_METAVARS = {"int": "NUMBER", "float": "NUMBER", "Path": "PATH"}
_LONG = 1000
"""Characters of a summary: all of it is shown."""
WIDTH = 100
"""Columns of help, where the terminal has as many."""


class HelpCommand(TyperCommand):
    """A command whose help has sections: arguments, options, and once the options that every command has."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections."""
        _write_options(self, ctx, formatter)
        _write_examples(self.name or "", ctx, formatter)


class HelpGroup(TyperGroup):
    """A group of commands; the first page shows the commands of every day with one line each, and names the rest."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a command line, by its former name, too: then the new one is said."""
        words = as_called_now(args) if ctx.parent is None else args
        if words != args and is_read_by_a_person():
            now = " ".join(words[: len(words) - len(args) + 2])
            typer.echo(f"`memsuggest {' '.join(args[:2])}` is `memsuggest {now}` now", err=True)
        return super().resolve_command(ctx, words)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections."""
        if ctx.parent is None:
            for panel, summaries in PANELS.items():
                _write(formatter, panel, summaries.items())
            told = textwrap.fill(", ".join(MORE), WIDTH - 4)
            _write_text(formatter, "More", [*told.splitlines(), "`memsuggest COMMAND --help` describes each."])
        else:
            shown = ((name, command) for name, command in self.commands.items() if not command.hidden)
            _write(formatter, "Commands", ((name, command.get_short_help_str(_LONG)) for name, command in shown))
        _write_options(self, ctx, formatter)
        _write_examples("" if ctx.parent is None else self.name or "", ctx, formatter)


def _metavar(found: re.Match[str]) -> str:
    return f" {_METAVARS.get(found[1].rpartition('[')[2].rstrip(']'), 'TEXT')}"


def _write_options(command: TyperCommand | TyperGroup, ctx: Any, formatter: Any) -> None:
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        is_argument = parameter.param_type_name == "argument"
        is_global = getattr(parameter, "rich_help_panel", None) == GLOBAL or ctx.parent is None
        section = "Arguments" if is_argument else GLOBAL if is_global else "Options"
        name = _TYPE.sub("" if is_argument else _metavar, record[0])
        sections.setdefault(section, []).append((name, record[1]))
    for section in ("Arguments", "Options", GLOBAL):
        if section in sections:
            _write(formatter, section, sections[section])


def _write_examples(name: str, ctx: Any, formatter: Any) -> None:
    examples = _EXAMPLES.get(name if ctx.parent is None or ctx.parent.parent is None else "", ())
    if examples:
        _write_text(formatter, "Examples", examples)


def _write(formatter: Any, title: str, rows: Iterable[tuple[str, str]]) -> None:
    with formatter.section(title):
        formatter.write_dl(list(rows))


def _write_text(formatter: Any, title: str, lines: Iterable[str]) -> None:
    with formatter.section(title):
        for line in lines:
            formatter.write(f"{'':{formatter.current_indent}}{line}\n")
