"""Running git in a repo that may be hostile: nothing that the repo's own configuration names is run, never a shell."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

# What a repo's own configuration could otherwise make git run.
_OFF = {
    "core.fsmonitor": "",
    "core.hooksPath": os.devnull,
    "log.showSignature": "false",  # runs gpg.program
    "diff.ignoreSubmodules": "all",  # a submodule's own configuration would count in there
    "grep.lineNumber": "false",  # what is printed would look otherwise
    "grep.column": "false",
    "grep.fullName": "false",
}
_SAFE = tuple(
    word
    for setting in ("core.fsmonitor=", f"core.hooksPath={os.devnull}", "core.quotePath=false")
    for word in ("-c", setting)
)
_DIFFING = ("diff", "diff-files", "diff-index", "diff-tree", "log", "show")
"""Commands that would run the programs of `diff.external`, `diff.<driver>.command` and `diff.<driver>.textconv`."""
_CONVERTING = ("add", "blame", "checkout", "commit", "diff", "diff-files", "diff-index", "hash-object", "status")
"""Commands that would run the programs of `filter.<driver>` on files of the working tree."""
_FILTER = ("clean", "smudge", "process")
_SECONDS = 20
NOTHING_MORE: Mapping[str, str] = MappingProxyType({})


def run_git(
    root: Path, *arguments: str, accept: tuple[int, ...] = (0,), environ: Mapping[str, str] = NOTHING_MORE
) -> bytes | None:
    """Return what git prints; None where git is missing, hangs, or ends with a code that is not accepted.

    `environ` comes on top of the environment.
    """
    words = list(arguments)
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in ("-c", "-C") else 1
    command = words[place] if place < len(words) else ""
    if command in _DIFFING:
        words[place + 1 : place + 1] = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]
    elif command == "status":
        words.insert(place + 1, "--ignore-submodules=all")
    elif command == "blame":
        words.insert(place + 1, "--no-ignore-revs-file")  # the person's settings may name one that is not in this repo
    settings = dict(_OFF)
    if command in _CONVERTING:
        printed = _run(root, ["config", "--null", "--name-only", "--get-regexp", r"^filter\."], _OFF, (0, 1))
        if printed is None:
            return None
        # Every filter is switched off.
        for name in filter(None, printed.decode("utf-8", "surrogateescape").split("\0")):
            found = name.rpartition(".")[0]
            settings |= {f"{found}.{kind}": "" for kind in _FILTER} | {f"{found}.required": "false"}
    return _run(root, words, settings, accept, environ)


def git_text(root: Path, *arguments: str, accept: tuple[int, ...] = (0,)) -> str:
    """Return what git prints, as text; empty where it prints nothing, or fails."""
    return (run_git(root, *arguments, accept=accept) or b"").decode("utf-8", "replace")


def _run(
    root: Path,
    words: list[str],
    settings: Mapping[str, str],
    accept: tuple[int, ...],
    environ: Mapping[str, str] = NOTHING_MORE,
) -> bytes | None:
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    first = int(count) if count.isdecimal() else 0  # what the person, or their CI, sets in this way holds as well
    env = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "",  # a partial clone would fetch, through programs that its configuration names
        "GIT_CONFIG_COUNT": str(first + len(settings)),
        "LC_ALL": "C",
    }
    for number, (name, value) in enumerate(settings.items(), start=first):  # `-c` would cut a name with `=` in it
        env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    try:
        done = subprocess.run(
            ["git", *_SAFE, "--no-optional-locks", "-C", str(root), *words],
            capture_output=True,
            check=False,
            env={**env, **environ},
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode in accept else None
