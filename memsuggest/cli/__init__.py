"""The command line: parse, call a workflow, emit its report, return the exit code. Nothing else happens here."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    from memsuggest.cli.app import build_app
    from memsuggest.cli.run import guarded

    raise SystemExit(guarded(build_app(sys.argv[1:])))
