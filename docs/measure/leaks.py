"""Prints how many secrets planted in chats get out of them: into stores, files, logs, outputs. Run by hand:

    python docs/measure/leaks.py [NUMBER OF SECRETS A CHAT]

Every format carries secrets in what the person typed and in everything else that it knows; the chats are reconciled in
a repo and a home of their own, every command is run, and all bytes printed or written are searched.
"""

# ruff: noqa: E501  (tables)
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from poison.event import CARRIERS, Event
from poison.formats import FORMATS
from secret_frames import given_away
from secret_samples import Maker
from typer.testing import CliRunner

from memsuggest.cli.app import build_app
from memsuggest.core.redact import redact

RULES = ("From now on always {}", "remember: {}", "no, never do that: {}", "{}", "decision: we keep this, {}")
COMMANDS = (
    ("list",), ("list", "--format", "json"), ("status",), ("memory", "list", "--facts"), ("memory", "list", "--facts", "--format", "json"), ("memory", "export", "--facts"),
    ("memory", "export", "--facts", "--format", "markdown"), ("memory", "check"), ("consolidate",), ("usage",), ("config", "show"), ("targets",), ("hook",),
)  # fmt: skip


def run(*words: str) -> str:
    """Return all that a command prints, and its traceback where it ends with one."""
    result = CliRunner().invoke(build_app(words), list(words), input="{}")
    told = repr(result.exception) if result.exception and not isinstance(result.exception, SystemExit) else ""
    return f"{result.stdout}{result.stderr}{told}"


def chat(kind: str, maker: Maker, count: int) -> tuple[str | None, list[str]]:
    """Write a chat of that format with secrets wherever it can carry text; return the secrets too."""
    rows = [(text, secret) for _, text, secret in given_away(maker, count) if secret not in redact(text).text]
    carriers = [one for one in CARRIERS if FORMATS[kind]([Event("typed", "x"), Event(one, "y")])]
    events = [Event("typed", "have a look at the importer")]
    for place, (text, _) in enumerate(rows):
        is_typed = place % 2 == 0 or not carriers
        said = RULES[place % len(RULES)].format(text)
        events.append(Event("typed", said) if is_typed else Event(carriers[place // 2 % len(carriers)], text))
        events.append(Event("said", "Done."))
    return FORMATS[kind](events), [secret for _, secret in rows]


def leaked(kind: str, folder: Path, maker: Maker, count: int) -> tuple[int, list[str]]:
    """Return how many secrets were planted, and those found again."""
    written, secrets = chat(kind, maker, count)
    if written is None:
        return 0, []
    repo, chats = folder / kind, folder / f"{kind}-chats"
    for path in (repo, chats):
        path.mkdir()
    (repo / "AGENTS.md").write_text("# Rules\n")
    path = chats / ("chat.md" if kind in ("specstory", "aider", "cline-export") else "chat.jsonl")
    path.write_text(written, encoding="utf-8")
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    os.chdir(repo)
    person = (
        ["--person", {"copilot-copy": "ada-l", "dialogue": "User"}[kind]]
        if kind in ("copilot-copy", "dialogue")
        else []
    )
    told = [run("reconcile", str(path), *person), run("reconcile", str(path), *person, "--format", "json")]
    told += [run("extract", str(path), "--explain", *person), run("transcripts", "show", str(path), *person)]
    told += [run(*words) for words in COMMANDS]
    shown = json.loads(run("list", "--format", "json") or "{}").get("suggestions", [])
    told += [run("show", one["id"]) for one in shown[:5]]
    told += [run("apply", "--all", "--yes"), run("undo")]
    kept = [file.read_bytes().decode("utf-8", "replace") for file in _files(folder) if chats not in file.parents]
    everything = "\n".join([*told, *kept])
    return len(secrets), [secret for secret in secrets if secret in everything]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]


def main(arguments: list[str]) -> None:
    """Print the figures by format."""
    count = int(arguments[0]) if arguments else 60
    maker, planted, found = Maker(31), 0, 0
    for kind in FORMATS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "home").mkdir()
            os.environ.update(HOME=str(folder / "home"), NO_COLOR="1", TERM="dumb", COLUMNS="120")
            number, out = leaked(kind, folder, maker, count)
            os.chdir("/")
        planted, found = planted + number, found + len(out)
        if out:
            sys.stdout.write(f"    {kind}: {len(out)} of {number} found again: {out[:5]}\n")
    sys.stdout.write(f"S8 secrets found again: {found} of {planted} planted in {len(FORMATS)} formats\n")


if __name__ == "__main__":
    main(sys.argv[1:])
