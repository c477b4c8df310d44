"""The command line: parse, call a workflow, emit its report, return the exit code. Nothing else happens here."""

from __future__ import annotations

import gc
import sys

COLLECTED = (50_000, 20, 50)
"""When Python looks for cycles: nearly all we make are values without any, and looking took a tenth of long runs."""


def main() -> None:
    """Run the command line."""
    gc.set_threshold(*COLLECTED)
    try:
        from memsuggest.cli.app import build_app
        from memsuggest.cli.run import guarded

        code = guarded(build_app(sys.argv[1:]))
    except KeyboardInterrupt:  # while it was being loaded, or was done already
        code = 130
    raise SystemExit(code)
