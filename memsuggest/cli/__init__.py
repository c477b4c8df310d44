"""The command line: parse, call a workflow, emit its report, return the exit code. Nothing else happens here."""

from __future__ import annotations

import gc
import os
import re
import sys
from typing import Any, TextIO, cast

COLLECTED = (50_000, 20, 50)
"""Thresholds for looking for cycles: nearly all we make are values without any; looking took a tenth of long runs."""


CALLED = "MEMSUGGEST_CALLED"
"""The environment variable with the name under which we were called, where that is another one: `memsuggest demo`."""


class _Naming:
    """A stream whose hints name the command as it was called: `memsuggest demo show ID`."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._own = re.compile(rf"`memsuggest (?!{re.escape(name.removeprefix('memsuggest '))}\s)")

    def write(self, text: str) -> int:
        return self._stream.write(self.named(text))

    def named(self, text: str) -> str:
        """Name the command as it was called; whoever breaks lines asks before, for the name is a longer one."""
        return self._own.sub(f"`{self._name} ", text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def main() -> None:
    """Run the command line."""
    gc.set_threshold(*COLLECTED)
    if sys.argv[1:2] == ["hook"]:
        from memsuggest.assistants.fast_hook import is_quick, run_quickly

        if is_quick(sys.argv[1:]):
            run_quickly(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):  # whatever characters a text has, it is printed
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and (stream.encoding or "").lower().replace("-", "") != "utf8":
            reconfigure(errors="replace")
    if name := os.environ.get(CALLED):
        sys.stdout = cast("TextIO", _Naming(sys.stdout, name))
        sys.stderr = cast("TextIO", _Naming(sys.stderr, name))
    try:
        from memsuggest.cli.app import build_app
        from memsuggest.cli.run import guarded

        is_completing = "_MEMSUGGEST_COMPLETE" in os.environ
        app = build_app(
            sys.argv[1:], is_help=sys.argv[1:] in ([], ["-h"], ["--help"], ["--version"]) and not is_completing
        )
        code = guarded(lambda: app(prog_name=name or "memsuggest"))
    except KeyboardInterrupt:  # while it was being loaded, or was done already
        code = 130
    raise SystemExit(code)
