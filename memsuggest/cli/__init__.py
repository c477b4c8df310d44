"""The command line: parse, call a workflow, emit its report, return the exit code. Nothing else happens here."""

from __future__ import annotations

import gc
import os
import sys

COLLECTED = (50_000, 20, 50)
"""When Python looks for cycles: nearly all we make are values without any, and looking took a tenth of long runs."""


CALLED = "MEMSUGGEST_CALLED"
"""The environment variable with the name under which we were called, where that is another one: `memsuggest demo`."""


def _print_anything() -> None:
    """Let what a terminal's old encoding cannot show come out as `?`, not as a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and (stream.encoding or "").lower().replace("-", "") != "utf8":
            reconfigure(errors="replace")


def main() -> None:
    """Run the command line."""
    gc.set_threshold(*COLLECTED)
    _print_anything()
    try:
        from memsuggest.cli.app import build_app
        from memsuggest.cli.run import guarded

        app = build_app(sys.argv[1:])
        code = guarded(lambda: app(prog_name=os.environ.get(CALLED) or "memsuggest"))
    except KeyboardInterrupt:  # while it was being loaded, or was done already
        code = 130
    raise SystemExit(code)
