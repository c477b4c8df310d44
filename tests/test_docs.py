"""What can be typed is documented, and what is documented can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cases import cases
from typer.main import get_command
from typer.testing import CliRunner

from memsuggest.cli.app import build_app
from memsuggest.core.config import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
PAGES = {page: page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
COMMANDS = PAGES[ROOT / "docs/commands.md"]


def commands(group: Any, *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *above, name)
        else:
            yield (*above, name), command


ALL = list(commands(get_command(build_app([]))))


@cases(("words", "command"), ALL, ids=[" ".join(words) for words, _ in ALL])
def test_every_command_is_documented_and_has_help(words: tuple[str, ...], command: Any) -> None:
    """A command has one sentence of help, each option too, and its name stands on the page of commands."""
    assert command.help
    assert all(re.search(rf"`[^`\n]*\b{word}\b", COMMANDS) for word in words)
    for parameter in command.params:
        assert getattr(parameter, "help", None) or parameter.name == "help", parameter.name


def test_options_that_work_everywhere_are_on_every_command() -> None:
    """`--repo`, `--format`, `--offline` and `--quiet` follow any command's name."""
    for words, command in ALL:
        if words not in (("demo",), ("help",)):
            assert {"repo", "format", "offline", "quiet"} <= {parameter.name for parameter in command.params}, words


def test_help_names_the_formats_that_a_command_has() -> None:
    """Each format that `--help` names is taken, and no other one but `text`, which every command takes."""
    for words, command in ALL:
        if words in (("demo",), ("help",)):
            continue
        option = next(parameter for parameter in command.params if parameter.name == "format")
        usual, *others = option.metavar.split("|")
        assert option.show_default == usual, words
        outcome = CliRunner().invoke(build_app(words), [*words, "--format", "odd"])
        assert outcome.exit_code == 2, words
        if "not one of" in outcome.output:  # else a missing argument was told first
            told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", outcome.output).split())
            assert f"is not one of: {', '.join((usual, *others))}" in told, told


@cases("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_exists(page: Path) -> None:
    """Each command line in a block of shell, and each in backticks, is a command with the options that it has."""
    text = PAGES[page]
    blocks = "\n".join(re.findall(r"^```sh\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE))
    lines = [*re.findall(r"^memsuggest ([^#\n]+)", blocks, re.MULTILINE), *re.findall(r"`memsuggest ([^`]+)`", text)]
    for line in lines:
        words = line.replace("\n", " ").split()
        words = words[1:] or ["demo"] if words[0] == "demo" else words
        named = [(name, command) for name, command in ALL if tuple(words[: len(name)]) == name]
        is_group = any(name[: len(words)] == tuple(words) for name, _ in ALL)
        assert named or is_group or words[0].startswith("-") or words == ["COMMAND", "--help"], line
        known = {option for _, command in named for one in command.params for option in one.opts} | {"--help"}
        if named and words[0] != "demo":
            assert {word for word in words if word.startswith("--")} <= known, line


@cases("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    """What a page links to in this repo is there."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", PAGES[page]):
        assert "://" in target or (page.parent / target).is_file(), target


def test_every_setting_stands_on_its_page() -> None:
    """The page of settings has a row for each, with what is allowed and what a repo may set."""
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name, setting in SETTINGS.items():
        row = next(row for row in page.splitlines() if row.startswith(f"| `{name}`"))
        assert setting.allowed in row and (" * |" in row) is (setting.is_quieter is not None)
