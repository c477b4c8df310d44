"""The first page of help: every command stands on it once, and its words are those of everyday work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from cases import cases
from cli.conftest import invoke
from typer.main import get_command
from typer.testing import CliRunner

from memsuggest.cli.app import build_app
from memsuggest.cli.help_pages import MORE, PANELS

SHOWN = [name for panel in PANELS.values() for name in panel]


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
    if "Options:" in page and name != "demo":
        own, _, everywhere = page.partition("Global options:") if "Global options:" in page else (page, "", "")
        assert "--repo" not in own
        assert not everywhere or "--repo" in everywhere


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
