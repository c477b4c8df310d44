"""The first page of help: every command stands on it once, and its words are those of everyday work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cases import cases
from cli.conftest import invoke
from typer.main import get_command
from typer.testing import CliRunner

from memsuggest.cli.app import build_app
from memsuggest.cli.help_pages import help_table


def all_commands() -> list[tuple[tuple[str, ...], Any]]:
    """Every command that is no group, by its words."""

    def below(group: Any, *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from below(command, *above, name)
            elif not command.hidden:
                yield (*above, name), command

    return list(below(get_command(build_app([]))))


NAMES = {panel: [row.partition(":")[0] for row in rows] for panel, rows in help_table().items() if panel != "Examples"}
MORE = NAMES.pop("More")
SHOWN = [name for names in NAMES.values() for name in names]


def test_every_command_stands_on_the_first_page_once() -> None:
    named = [*SHOWN, *MORE]
    commands = get_command(build_app([])).commands  # type: ignore[attr-defined]
    assert sorted(named) == sorted(name for name, command in commands.items() if not command.hidden)


def test_the_first_page_needs_no_command_loaded() -> None:
    page = CliRunner().invoke(build_app([], is_help=True), ["--help"]).output
    assert all(f"  {name} " in page for name in SHOWN)
    assert "Exit codes: 0 fine" in page and "Examples:" in page


@cases("name", SHOWN)
def test_help_of_a_command_has_its_options_apart_from_the_global_ones(name: str) -> None:
    page = invoke(name, "--help").out
    assert "╭" not in page and "<bool>" not in page
    own, _, everywhere = page.partition("Global options:")
    assert "--repo" not in own
    assert not everywhere or "--repo" in everywhere


def test_the_other_commands_are_one_option_away() -> None:
    """The first page is short; `help --all` has a line for every command, `help COMMAND` describes every option."""
    short, whole = invoke("--help").out, invoke("help", "--all").out
    assert "`memsuggest help --all`" in short
    assert not any(f"  {name} " in short for name in MORE)
    assert all(f"  {name} " in whole for name in (*SHOWN, *MORE))
    brief, full = invoke("reconcile", "--help").out, invoke("help", "reconcile").out
    assert len(brief.splitlines()) <= 36
    assert "--person NAME" in full and "--person NAME" not in brief and "--person" in brief
    assert "3 `--check` found" in brief


def test_every_help_has_an_example_and_one_form_of_names() -> None:
    """Examples are commands that are there; names of values are in capitals, defaults in no brackets of their own."""
    for words, command in all_commands():
        page = invoke(*words, "--help").out if words != ("demo",) else ""
        assert words == ("demo",) or f"Examples:\n  memsuggest {' '.join(words)}" in page, words
        assert "<" not in page.partition("Examples:")[0], words
        assert "[default: (" not in page, words
        assert command.help, words


@cases("words", [("reconcile",), ("list", "--format", "json"), ("held",)])
def test_who_asks_nobody_loads_no_client_of_a_model(words: tuple[str, ...], git_repo: Path) -> None:
    """The libraries that take a second to load are loaded by what needs them; JSON does without those for pages."""
    code = (
        f"import sys; sys.argv = ['memsuggest', *{words!r}]\n"
        "from memsuggest.cli import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=git_repo, capture_output=True, text=True, check=True)
    heavy = {"anthropic", "httpx2", "textual", "mcp", "jinja2", "watchfiles"}
    heavy |= {"rich.console"} if "json" in words else set()
    assert not heavy & set(done.stderr.split())
