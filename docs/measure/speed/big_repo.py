"""What everyday commands cost in a repository with many customization files, in multiples of an empty Typer app.

    python docs/measure/speed/big_repo.py [--repo FOLDER] [--chats N] [--memsuggest PROGRAM …]

Without a folder it makes a repo of 250 customization files. Of a folder, a copy with a history of one commit is used;
nothing is written to it. Whole processes, processor seconds of them and of what they start; each program is measured in
the same run, in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from sessions import chat, prose

EMPTY = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None:\n    pass\napp()\n"
RULE = "remember: the {0} of the {1} is released with make {0}-{2}"
WORDS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")
COMMANDS = (
    ("--help",),
    ("status",),
    ("reconcile",),
    ("list",),
    ("show", "ID"),
    ("apply", "ID", "--yes"),
    ("undo",),
    ("held",),
    ("comment", "--base", "HEAD"),
)


def make_repo(root: Path, files: int) -> None:
    """Write customization files: each for its own folder, sections with a list of rules."""
    chance = random.Random(1)
    for number in range(files):
        path = root / f".github/instructions/part{number}.instructions.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [f'---\napplyTo: "src/part{number}/**"\n---\n', f"# {WORDS[number % 10]} {number}\n"]
        for heading in ("Conventions", "Tests", "Releases", "Errors"):
            rows.append(f"\n## {heading}\n\n")
            rows += [f"- {prose(chance, 12)}\n" for _ in range(24)]
        path.write_text("".join(rows))


def lay_out(folder: Path, repo: Path | None, chats: int) -> tuple[Path, dict[str, str]]:
    """Lay out a repo, a home and its chats; return the repo and the environment."""
    root, home = folder / "work", folder / "home"
    if repo:
        shutil.copytree(repo, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    else:
        make_repo(root, 250)
    environ = os.environ | {"HOME": str(home), "NO_COLOR": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed has its bytecode
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        environ[f"MEMSUGGEST_{name}_DIR"] = str(folder / name.lower())
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@localhost"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], check=True, env=environ)
    place = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root))
    place.mkdir(parents=True)
    for number in range(chats):
        lines = chat(number, root).splitlines()
        first = json.loads(lines[0])
        first["message"]["content"] = RULE.format(WORDS[number % 10], WORDS[number // 10 % 10], number)
        (place / f"{number:06}.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
    return root, environ


def cost(command: list[str], root: Path, environ: dict[str, str]) -> tuple[float, str]:
    """Return processor seconds of a command with all that it starts, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command, check=False, cwd=root, env=environ, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 3):
        sys.stderr.write(f"{' '.join(command[-3:])}: exit {done.returncode}: {done.stderr[-200:]}\n")
    return seconds, done.stdout


def main() -> None:
    """Print a row for each command, a column for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path)
    parser.add_argument("--chats", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memsuggest", nargs="+", default=[str(Path(sys.executable).with_name("memsuggest"))])
    given = parser.parse_args()
    rows: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty.py")
        empty.write_text(EMPTY)
        for number, program in enumerate(given.memsuggest):
            root, environ = lay_out(Path(folder, str(number)), given.repo, given.chats)
            python = str(Path(program).with_name("python"))
            floor = statistics.median(cost([python, str(empty)], root, environ)[0] for _ in range(5))
            first, _ = cost([program, "reconcile"], root, environ)
            rows.setdefault("reconcile, first", []).append(first / floor)
            for words in COMMANDS:
                listed = json.loads(cost([program, "list", "--format", "json"], root, environ)[1])["suggestions"]
                ids = [each["id"] for each in listed]
                filled = [program, *((ids[0] if ids else "none") if word == "ID" else word for word in words)]
                rounds = 1 if words[0] in {"apply", "undo"} else given.rounds
                seconds = statistics.median(cost(filled, root, environ)[0] for _ in range(rounds))
                rows.setdefault(" ".join(words), []).append(seconds / floor)
            rows.setdefault("(an empty app, seconds)", []).append(floor)
    for name, values in rows.items():
        sys.stdout.write(f"{name:26}" + "".join(f"{value:9.2f}" for value in values) + "\n")


if __name__ == "__main__":
    main()
