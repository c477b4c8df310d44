"""Commands where teams meet it: `comment`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Run, add_command

PANEL = "Work in a team"
FORMATS = ("github", "markdown", "rdjson", "json")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    add_command(app, "comment", panel=PANEL, formats=FORMATS)(_comment)


def _comment(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="COMMIT",
            help="Compare the working tree with this commit, and take the team's facts from there.",
            show_default="the pull request's base in CI, else the default branch of origin",
        ),
    ] = None,
    pr: Annotated[
        int | None, typer.Option("--pr", metavar="NUMBER", min=1, help="Ask GitHub for the changed files instead.")
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(metavar="OWNER:BRANCH", help="The same for the one open pull request that comes from there."),
    ] = None,
    post: Annotated[
        bool,
        typer.Option(
            "--post", help="Post suggestions beside the lines they change, and one comment below for the rest."
        ),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print exactly what `--post` would send, as YAML.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Suggestions for files that did not change, too.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file to write.", show_default="stdout")
    ] = None,
) -> None:
    """Tell a pull request what waits for the files it changes.

    Works from the team's facts and the customization files alone: no chat is read, and nobody's own facts are in it.
    Lines that the pull request shows get their suggestion beside them, to commit with one click.
    The rest is in one comment below, and the next run keeps both up to date; without `--post`, nothing is written.
    Only `--pr` and `--head` use the network: GitHub's, with GITHUB_TOKEN and GITHUB_REPOSITORY from the environment.
    """
    from memsuggest.cli.comment_command import Wish, comment_on_github, comment_on_tree

    if (post or dry_run) and pr is None and head is None:
        raise typer.BadParameter("say on which, with `--pr NUMBER`", param_hint="--post" if post else "--dry-run")
    wish = Wish(
        base=base,
        pull_request=pr if pr is not None else head,
        post=post,
        dry_run=dry_run,
        every=every,
        output=output,
    )
    (comment_on_tree if wish.pull_request is None else comment_on_github)(run, wish)
