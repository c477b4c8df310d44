"""The bundled example: a copy of its own, with a home of its own, to try every command on."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import string
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from textwrap import TextWrapper

import typer

from memsuggest import __version__
from memsuggest.cli import CALLED
from memsuggest.core.errors import WorkspaceError
from memsuggest.core.git import run_git
from memsuggest.core.workspace import find_folders

MARK = "made-by-memsuggest-demo"  # the file that says a folder is ours to remove
_COMMITTED = "2026-09-01T09:00:00Z"  # before the first of the chats, so that `held` can tell what came of the rules
_OURS = ("MEMSUGGEST_", "XDG_", "CLAUDE_", "CODEX_", "COPILOT_", "GEMINI_", "VSCODE_", "ANTHROPIC_", "GIT_")


def run_demo(words: list[str]) -> int:
    """Run a command in the example; with no command, start the example afresh and reconcile it."""
    folder = find_folders(os.environ).cache / "demo"
    if words and words[0] in {"-h", "--help"}:
        typer.echo(_HELP)
        return 0
    values = {place + 1 for place, word in enumerate(words) if word == "--format"}
    rest = [word for place, word in enumerate(words) if place not in values]
    options = {"--format", "--offline", "--quiet", "-q"}
    is_first = all(word in options or word.startswith("--format=") for word in rest)
    if is_first or not (folder / MARK).exists():
        lay_out(folder)
    if words == ["--path"]:
        typer.echo(folder / "repo")
        return 0
    code = _run(folder, ["reconcile", *words] if is_first else words)
    if is_first and not {"-q", "--quiet"} & set(words):
        wrapped = TextWrapper(shutil.get_terminal_size().columns, break_on_hyphens=False, break_long_words=False)
        following = "next: `memsuggest demo review`, or `memsuggest demo show ID`"
        rows = ("", f"the example is in {folder / 'repo'}", following)
        typer.echo("\n".join(map(wrapped.fill, rows)), err=True)
    return code


_HELP = """usage: memsuggest demo [COMMAND ...]

Try everything on a bundled example: a small repo with customization files, and the chats of three assistants about
it. `demo` alone makes a fresh copy and runs `reconcile` on it; `demo COMMAND ...` runs any command on the example;
`demo --path` prints the folder of the copy. The example has its own home folder: your files are not read or written."""


def lay_out(folder: Path) -> None:
    """Copy the example afresh, with the copy's own paths and a fake secret made up now, as a repo of its own."""
    package = Path(os.path.realpath(__file__)).parent.parent
    places = (package / "example", package.parent / "fixtures")
    source = next((place for place in places if (place / "repo").is_dir()), None)
    if source is None:
        raise WorkspaceError("the bundled example is missing", hint="reinstall memsuggest")
    if folder.exists():
        if not (folder / MARK).exists():
            raise WorkspaceError(f"{folder} is not a memsuggest demo", hint="move the folder out of the way")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / MARK).write_text(__version__, encoding="utf-8")
    repo, home = folder / "repo", folder / "home"
    # Not with the times of the files: an example that was installed months ago would be too old to be read.
    shutil.copytree(source / "repo", repo, copy_function=shutil.copy)
    shutil.copytree(source / "home", home, copy_function=shutil.copy)
    token = "".join(["gh", "p_", *(secrets.choice(string.ascii_letters + string.digits) for _ in range(36))])
    values = {"{{REPO}}": repo.as_posix(), "{{HOME}}": home.as_posix(), "{{FAKE_TOKEN}}": token}
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    for path in sorted(folder.rglob("*"), key=lambda path: len(path.parts), reverse=True):
        if path.is_file():
            filled = data = path.read_bytes()
            for name, value in values.items():
                filled = filled.replace(name.encode(), value.encode())
            if filled != data:
                path.write_bytes(filled)
        if "{{SLUG}}" in path.name:
            path.rename(path.with_name(path.name.replace("{{SLUG}}", slug)))
    _commit(repo)


def _commit(repo: Path) -> None:
    who = ("-c", "user.name=Example", "-c", "user.email=example@localhost", "-c", "commit.gpgsign=false")
    if run_git(repo, "init", "-q", "-b", "main") is not None:
        run_git(repo, "-c", "core.autocrlf=false", "add", "-A")
        day = {"GIT_AUTHOR_DATE": _COMMITTED, "GIT_COMMITTER_DATE": _COMMITTED}
        run_git(repo, *who, "commit", "-q", "-m", "The example", environ=day)


def _run(folder: Path, words: list[str]) -> int:
    home = folder / "home"
    environ = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    environ |= {"HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home / ".config")}
    roots = {"CONFIG": ".config", "DATA": ".local/share", "STATE": ".local/state", "CACHE": ".cache"}
    environ |= {f"XDG_{name}_HOME": str(home / place) for name, place in roots.items()}
    environ |= {f"MEMSUGGEST_{name}_DIR": str(home / place / "memsuggest") for name, place in roots.items()}
    environ[CALLED] = "memsuggest demo"
    command = [sys.executable, "-P", "-m", "memsuggest", "--repo", str(folder / "repo"), *words]
    with subprocess.Popen(command, env=environ) as running:
        with suppress(KeyboardInterrupt):  # it got the same signal, and says so itself
            running.wait()
        return running.wait()
