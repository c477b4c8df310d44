"""Help as plain text: sections for commands and options, no box around them, and no library that takes time to load."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

GLOBAL = "Global options"
"""The section of the options that every command has, and that stand before or after its name."""


@cache
def help_table() -> dict[str, list[str]]:
    """Return the rows of `help.txt` by section: the panels of the first page, the other commands, and examples.

    Of a command with several examples, the first stands first.
    """
    sections = Path(__file__).with_name("help.txt").read_text(encoding="utf-8").removeprefix("[").split("\n[")
    return {name: rows.strip().split("\n") for name, _, rows in (section.partition("]\n") for section in sections)}


_MORE, _EXAMPLES = "More", "Examples"
RARE: Mapping[str, frozenset[str]] = {
    "reconcile": frozenset({"person", "consent"}),
    "extract": frozenset({"person", "consent"}),
}
"""By command, the parameters that its help only names; `memsuggest help COMMAND` describes them."""
CHECKING = {
    "reconcile": "`--check` found pending suggestions",
    "list": "`--check` found pending suggestions",
    "doctor": "`doctor` found a problem",
    "clean": "facts.json has a problem",
}
"""Commands that end with 3, and when."""

FORMER: Mapping[str, str] = {
    "facts list": "memory list --facts", "facts search": "memory list --facts", "facts add": "remember",
    "facts export": "memory export --facts", "facts import": "memory import --facts", "facts": "memory",
    "identity show": "memory show identity", "identity edit": "memory edit identity",
    "identity add": "memory add --identity", "identity": "memory",
    "apps list": "memory list --apps", "apps remember": "memory add --app", "apps forget": "memory forget --app",
    "apps": "memory", "memory browse": "memory list", "coverage": "held",
    "consolidate": "memory clean --only=merge", "memory prune": "memory clean --only=prune",
    "memory tidy": "memory clean --only=tidy", "memory check": "memory clean --check",
    "facts prune": "memory clean --only=prune", "facts tidy": "memory clean --only=tidy",
    "facts check": "memory clean --check",
}  # fmt: skip
"""Former names of commands, each with the command that does the same now."""


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
    return sys.stderr.isatty()


_MOST_EXAMPLES = 3
_TYPE = re.compile(r" <([^>]*)>")
"""The type that Typer puts behind a name: `ID <list[str]>`."""
_METAVARS = {"int": "NUMBER", "float": "NUMBER", "Path": "PATH"}
_TOLD_DEFAULT = re.compile(r"(\[default: )\((.*)\)")
"""A default in words, which Typer puts into brackets of its own."""
_RANGE = re.compile(r"(\d+)<=x<=(\d+)")
is_whole = False
"""True while `help COMMAND` prints, which describes every option."""
_LONG = 1000  # characters of a summary: all of it is shown
WIDTH = 100
"""Columns of help, where the terminal has as many."""


class HelpCommand(TyperCommand):
    """A command whose help has sections: arguments, options, and a line about the options that every command has."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.upper() for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_options(self, ctx, formatter)


class HelpGroup(TyperGroup):
    """A group of commands; the first page shows the commands of every day with one line each, and names the rest."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command of a command line, by its former name, too: then the new one is said."""
        words = as_called_now(args) if ctx.parent is None else args
        if words != args and is_read_by_a_person():
            now = " ".join(words[: len(words) - len(args) + 2])
            typer.echo(f"`memsuggest {' '.join(args[:2])}` is now `memsuggest {now}`", err=True)
        return super().resolve_command(ctx, words)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        if ctx.parent is None:
            for panel, rows in help_table().items():
                if panel == _MORE and not is_whole:
                    _write_text(formatter, panel, [f"`memsuggest help --all` shows the other {len(rows)} commands."])
                elif panel != _EXAMPLES:
                    _write(formatter, panel, (tuple(row.split(": ", 1)) for row in rows))
        else:
            shown = ((name, command) for name, command in self.commands.items() if not command.hidden)
            _write(formatter, "Commands", ((name, command.get_short_help_str(_LONG)) for name, command in shown))
        _write_options(self, ctx, formatter)


def _write_options(command: TyperCommand | TyperGroup, ctx: Any, formatter: Any) -> None:
    is_first, path, above = ctx.parent is None, "", ctx
    while above.parent is not None:
        path, above = f"{above.info_name} {path}".strip(), above.parent
    rare = RARE.get(path, frozenset()) if not is_whole else frozenset()
    sections: dict[str, list[tuple[str, str]]] = {}
    everywhere, named = [], []
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        is_argument = parameter.param_type_name == "argument"
        kind = "".join(_TYPE.findall(record[0])).rpartition("[")[2].rstrip("]")
        usual = _METAVARS.get(kind) or parameter.opts[-1].rpartition("-")[2].upper()
        name = _TYPE.sub("", record[0]).upper() if is_argument else _TYPE.sub(f" {usual}", record[0])
        if getattr(parameter, "rich_help_panel", None) == GLOBAL and not is_first:
            everywhere.append(name.rpartition(", ")[2])
        elif parameter.name in rare:
            named.append(parameter.opts[0])
        else:
            section = "Arguments" if is_argument else GLOBAL if is_first else "Options"
            remark = _RANGE.sub(r"\1 to \2", _TOLD_DEFAULT.sub(r"\1\2", record[1]))
            sections.setdefault(section, []).append((name, remark))
    for section in sorted(sections, key=("Arguments", "Options", GLOBAL).index):
        _write(formatter, section, sections[section])
    if named:
        _write_line(formatter, f"More options: {', '.join(named)} (see `memsuggest help {path}`)")
    if everywhere:
        _write_line(formatter, f"{GLOBAL}: {', '.join(everywhere)}: `memsuggest --help`")
    if reason := CHECKING.get(ctx.info_name or ""):
        _write_line(formatter, f"Exit codes: 0 success · 1 failure with a hint · 2 usage error · 3 {reason}")
    lines = [line for line in help_table()[_EXAMPLES] if not path or f"{line} ".startswith(f"{path} ")]
    if lines:
        _write_text(formatter, _EXAMPLES, [f"memsuggest {line}" for line in lines[:_MOST_EXAMPLES]])


def _write(formatter: Any, title: str, rows: Iterable[Sequence[str]]) -> None:
    with formatter.section(title):
        formatter.write_dl(list(rows))


def _write_line(formatter: Any, text: str) -> None:
    formatter.write_paragraph()
    for line in textwrap.wrap(text, formatter.width, subsequent_indent="  ", break_on_hyphens=False):
        formatter.write(f"{line}\n")


def _write_text(formatter: Any, title: str, lines: Iterable[str]) -> None:
    with formatter.section(title):
        for line in lines:
            formatter.write(f"{'':{formatter.current_indent}}{line}\n")
