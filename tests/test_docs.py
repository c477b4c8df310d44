"""What can be typed is documented, and what is documented can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from memsuggest.cli.app import build_app
from memsuggest.config import SETTINGS

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


def commands(group: Any, *above: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *above, name)
        else:
            yield (*above, name), command


ALL = list(commands(get_command(build_app([]))))


@pytest.mark.parametrize(("words", "command"), ALL, ids=[" ".join(words) for words, _ in ALL])
def test_every_command_is_in_the_readme_and_has_help(words: tuple[str, ...], command: Any) -> None:
    """A command has one sentence of help, each option too, and its name stands in the README."""
    assert command.help
    assert all(re.search(rf"`[^`\n]*\b{word}\b", README) for word in words)
    for parameter in command.params:
        assert getattr(parameter, "help", None) or parameter.name == "help", parameter.name


def test_options_that_work_everywhere_are_on_every_command() -> None:
    """`--repo`, `--format`, `--offline` and `--quiet` follow any command's name."""
    for words, command in ALL:
        if words != ("demo",):
            assert {"repo", "format", "offline", "quiet"} <= {parameter.name for parameter in command.params}, words


def test_help_names_the_formats_that_a_command_has() -> None:
    """Each format that `--help` names is taken, and no other one but `text`, which every command takes."""
    for words, command in ALL:
        if words == ("demo",):
            continue
        option = next(parameter for parameter in command.params if parameter.name == "format")
        usual, *others = option.metavar.split("|")
        assert option.show_default == usual and "json" in others, words
        outcome = CliRunner().invoke(build_app(words), [*words, "--format", "odd"])
        assert outcome.exit_code == 2, words
        if "not one of" in outcome.output:  # else a missing argument was told first
            told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", outcome.output).split())
            assert f"is not one of: {', '.join((usual, *others))}" in told, told


def test_every_command_of_the_readme_exists() -> None:
    """Each `memsuggest WORD` in the README is a command."""
    names = {words[0] for words, _ in ALL}
    used = set(re.findall(r"memsuggest ([a-z]+)\b", README)) - {"reads", "stands", "keeps", "demo"}
    assert used <= names, used - names


def test_every_setting_says_what_it_is() -> None:
    """A setting has a sentence and says what is allowed."""
    assert all(setting.about and setting.allowed for setting in SETTINGS.values())
