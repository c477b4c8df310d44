"""Reports on stdout: as a page for people, or as JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memsuggest.core.render.page import Page


class Report(Protocol):
    """The result of a command: it has a page for people, and the keys of its class as JSON."""

    def show(self, page: Page) -> None:
        """Print it for people."""


def emit(report: Report, *, format: str, quiet: bool = False) -> None:
    """Print a report on stdout as `text` or `json`, or as `jsonl`: one of many, on a line."""
    if format in {"json", "jsonl"}:
        from memsuggest.core.json_shape import render

        sys.stdout.write(render(report, indent=2 if format == "json" else None))
    else:
        from memsuggest.core.render.page import Page

        report.show(Page(quiet=quiet))
    sys.stdout.flush()
