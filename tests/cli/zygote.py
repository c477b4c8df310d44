"""Runs commands on terminals, each in a fork of one process that has everything loaded: a start in milliseconds.

Reads a request a line from stdin, as JSON, and answers each with the command's exit code.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import sys
import time
from typing import Any

import memsuggest
from memsuggest.cli import main

_OTHERS_WANTED = ("memsuggest.tui", "memsuggest.assistants.mcp_", "memsuggest.report.report_page")
"""What loads the libraries of extras, which few commands need."""


def load_everything() -> None:
    """Import our modules here, once: commands import what they need, and each fork would do it anew."""
    for module in pkgutil.walk_packages(memsuggest.__path__, "memsuggest.", onerror=lambda _name: None):
        if not module.name.startswith(_OTHERS_WANTED) and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()  # what is looked through by a fork is copied to it


def slow_down(ending: str, seconds: float) -> None:
    """Let every opening of a file with such an ending really take so long, as on a slow disk."""

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str) and given[0].endswith(ending):
            time.sleep(seconds)

    sys.addaudithook(hook)


def run(request: dict[str, Any]) -> None:
    """Become the command: a session of its own with that terminal, which Ctrl-C then comes from."""
    os.setsid()
    terminal = os.open(request["terminal"], os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(terminal, descriptor)
    os.environ.clear()
    os.environ.update(request["environ"])
    os.chdir(request["folder"])
    sys.argv = ["memsuggest", *request["words"]]
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    if request["slow"]:
        slow_down(*request["slow"])
    main()


def serve() -> None:
    answers = os.fdopen(os.dup(1), "w")
    for line in os.fdopen(os.dup(0)):
        child = os.fork()
        if child == 0:
            run(json.loads(line))
        answers.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        answers.flush()


if __name__ == "__main__":
    load_everything()
    serve()
