"""The command line: parse, call a workflow, emit its report, return the exit code. Nothing else happens here."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from memsuggest.cli.app import build_app
        from memsuggest.cli.run import guarded

        code = guarded(build_app(sys.argv[1:]))
    except KeyboardInterrupt:  # while it was being loaded, or was done already
        code = 130
    raise SystemExit(code)
