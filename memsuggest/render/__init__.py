"""Reports as text: one module per format, each a table from the kind of report to its function."""

from __future__ import annotations

import sys


def emit(report: object, *, format: str, quiet: bool = False) -> None:
    """Print a report on stdout as `text` or `json`, or as `jsonl`: one of many, on a line."""
    if format in {"json", "jsonl"}:
        from memsuggest.render.as_json import render  # noqa: PLC0415

        sys.stdout.write(render(report, indent=2 if format == "json" else None))
    else:
        from memsuggest.render.terminal import show  # noqa: PLC0415

        show(report, quiet=quiet)
    sys.stdout.flush()
