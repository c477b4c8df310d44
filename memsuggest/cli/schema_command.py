"""The command `schema`: what programs can rely on in our JSON."""

from __future__ import annotations

from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run

command = Commands()


def _commands() -> set[str]:
    """Return the names of all commands."""
    from memsuggest.cli.app import COMMANDS

    return {name for names in COMMANDS.values() for name in names}


@command("schema")
def _schema(
    run: Run,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            help="A command, as `list` or `facts show`; or facts.json, the file itself.",
            show_default="lists them all",
        ),
    ] = None,
) -> None:
    """Print the JSON Schema (2020-12) of what a command prints with `--format json`.

    Without COMMAND it says which commands do; with `--format json` then, all schemas in one document.
    """
    import json

    from memsuggest.workflows.json_schemas import every_schema, find_schema, list_schemas

    if words:
        run.print(json.dumps(find_schema(" ".join(words), silent=_commands()), indent=2) + "\n")
    elif run.format == "json":
        run.print(json.dumps(every_schema(), indent=2) + "\n")
    else:
        rows = list_schemas()
        width = max(len(command) for command, _ in rows)
        run.print("".join(f"{command:<{width}}  {sentence}\n" for command, sentence in rows))
