"""The command `trust`: which of the repo's transcripts are this person's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

command = Commands()


@command("trust")
def _trust(
    run: Run,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="PATH", help="Transcripts, or folders of them.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="Say what is trusted.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take trust back.")] = False,
) -> None:
    """Say that transcripts in the repo are your own.

    Committed transcripts may be anybody's, so nothing is suggested from them until you trust them, as they are now. A
    file that changes afterwards, other than here, has to be trusted again.
    """
    from memsuggest.workflows import trust

    if list_ or not paths:
        run.emit(trust.list_trusted(run.context()))
    elif revoke:
        run.emit(trust.revoke(run.context(), paths))
    else:
        run.emit(trust.trust(run.context(), paths))
