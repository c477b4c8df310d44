"""The options that work with every command, before and after its name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from memsuggest.cli.help_pages import GLOBAL

FORMATS = ("text", "json")
RepoOption = Annotated[
    Path | None,
    typer.Option(
        "--repo", metavar="PATH", help="Run in this folder.", show_default="the nearest repo", rich_help_panel=GLOBAL
    ),
]


def format_option(formats: tuple[str, ...]) -> Any:
    return Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="|".join(formats),
            help="Output format.",
            show_default=formats[0],
            rich_help_panel=GLOBAL,
        ),
    ]


FormatOption = format_option(FORMATS)
OfflineOption = Annotated[bool, typer.Option("--offline", help="Never use the network.", rich_help_panel=GLOBAL)]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the report.", rich_help_panel=GLOBAL)]
