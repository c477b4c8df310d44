"""The first page of help: every command stands on it once, and its words are those of everyday work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    assert "Exit codes: 0 success" in page and "Examples:" in page


def test_the_other_commands_are_one_option_away() -> None:
    """The first page is short; `help --all` has a line for every command, `help COMMAND` describes every option."""
    short, whole = invoke("--help").out, invoke("help", "--all").out
    assert "`memsuggest help --all`" in short
    assert not any(f"  {name} " in short for name in MORE)
    assert all(f"  {name} " in whole for name in (*SHOWN, *MORE))
    brief, full = invoke("reconcile", "--help").out, invoke("help", "reconcile").out
    assert len(brief.splitlines()) <= 36
    assert "--person NAME" in full and "--person NAME" not in brief and "--person" in brief
    assert "3 `--check` found" in " ".join(brief.split())


def test_every_help_has_an_example_and_one_form_of_names() -> None:
    """Examples are commands that are there; names of values are in capitals, defaults in no brackets of their own."""
    for words, command in all_commands():
        page = invoke(*words, "--help").out if words != ("demo",) else ""
        assert words == ("demo",) or f"Examples:\n  memsuggest {' '.join(words)}" in page, words
        assert "<" not in page.partition("Examples:")[0] and "[default: (" not in page and "╭" not in page, words
        own, _, everywhere = page.partition("Global options:")
        assert "--repo" not in own and (not everywhere or "--repo" in everywhere), words
        assert command.help, words
