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
        bool, typer.Option("--post", help="Create or update the one comment below the pull request.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Suggestions for files that did not change, too.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file to write.", show_default="stdout")
    ] = None,
) -> None:
    """Print what waits for the files of a pull request, or keep one comment below it that says so.

    Works from the team's facts and the customization files alone: no chat is read, and nobody's own facts are in it.
    Only `--pr` and `--head` use the network: GitHub's, with GITHUB_TOKEN and GITHUB_REPOSITORY from the environment.
    """
    from memsuggest.cli.commenting import Wish, comment_on_github, comment_on_tree

    if post and pr is None and head is None:
        raise typer.BadParameter("say on which pull request, with `--pr NUMBER`", param_hint="--post")
    wish = Wish(base=base, pull_request=pr if pr is not None else head, post=post, every=every, output=output)
    (comment_on_tree if wish.pull_request is None else comment_on_github)(run, wish)
