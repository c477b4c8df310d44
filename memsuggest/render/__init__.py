"""Reports as text: one module per format, each a table from the kind of report to its function."""

from __future__ import annotations

import json
import re
import sys


def emit(report: object, *, format: str, quiet: bool = False) -> None:
    """Print a report on stdout as `text` or `json`, or as `jsonl`: one of many, on a line."""
    if format in {"json", "jsonl"}:
        from memsuggest.json_shape import render  # noqa: PLC0415

        text = render(report, indent=2 if format == "json" else None)
        sys.stdout.write(text if _takes(text) else _in_ascii(text))
    else:
        from memsuggest.render.terminal import show  # noqa: PLC0415

        show(report, quiet=quiet)
    sys.stdout.flush()


def _takes(text: str) -> bool:
    """Tell whether stdout has a sign for everything in a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _in_ascii(text: str) -> str:
    """Return JSON with its letters beyond ASCII escaped: they stand in strings alone."""
    return re.sub(r"[^\x00-\x7f]+", lambda found: json.dumps(found[0])[1:-1], text)
