"""Commands that look: `status`, `transcripts`, `targets`, `suggest`, `redact`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run, printing
from memsuggest.learning.commands import PersonOption

command = Commands()


@command("status")
def _status(
    run: Run,
    short: Annotated[
        bool, typer.Option("--short", help="Print a badge for a shell prompt, or nothing if nothing is pending.")
    ] = False,
    badge_file: Annotated[
        bool, typer.Option("--badge-file", help="Print the path of the file with the current badge.")
    ] = False,
) -> None:
    """Show the mode, the last run and the number of pending suggestions."""
    from memsuggest.suggestions.marker_files import read_status

    if badge_file:
        from memsuggest.core.plain_reports import Text
        from memsuggest.suggestions.marker_files import badge_path

        path = str(badge_path(run.context()))
        if run.format == "json":
            run.emit(Text(text=path, payload={"badgeFile": path}))
        else:
            run.print(f"{path}\n")
        return
    report = read_status(run.context())
    if short and (run.format or "text") == "text":
        run.print(report.badge + "\n")
    else:
        run.emit(report)


@command("suggest")
def _suggest(
    run: Run,
    content: Annotated[str, typer.Option("--content", help="The rule to place.")],
    path: Annotated[list[str] | None, typer.Option("--path", help="A file that the rule is about.")] = None,
) -> None:
    """Show the places where a rule could go, best match first, each with its diff."""
    from memsuggest.suggestions.rank_places import rank_places

    run.emit(rank_places(run.context(), content, paths=path or []))


@command("targets")
def _targets(
    run: Run,
    source: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="FILE",
            help="Show only the customization files that assistants load for FILE, with the matching pattern.",
        ),
    ] = None,
) -> None:
    """List the customization files with their token cost and any warnings."""
    from memsuggest.suggestions.rank_places import list_targets

    run.emit(list_targets(run.context(), source_file=source))


@command("transcripts")
def _transcripts(
    run: Run,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH",
            help="Files or folders to search; `show PATH` prints one transcript.",
            show_default="this workspace's chats",
        ),
    ] = None,
    person: PersonOption = None,
) -> None:
    """List your chats. `transcripts show PATH` prints what you typed in one chat."""
    from memsuggest.transcripts.look_at_transcripts import list_transcripts, show_transcript

    words = [str(path) for path in paths or []]
    if words[:1] != ["show"]:
        run.emit(list_transcripts(run.context(), paths=paths or []))
    elif len(words) == 2:
        run.emit(show_transcript(Path(words[1]), person=person))
    else:
        raise typer.BadParameter("specify exactly one transcript to show", param_hint="PATH")


@command("redact", formats=("text", "json", "jsonl"))
def _redact(
    run: Run,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The file to redact.", show_default="stdin")
    ] = None,
) -> None:
    """Redact secrets and personal data in a text file or stdin, the same way memsuggest redacts everything it reads."""
    from memsuggest.transcripts.look_at_transcripts import redact_stream

    with printing():
        redact_stream(file, format=run.format or "text", out=sys.stdout)
        sys.stdout.flush()
