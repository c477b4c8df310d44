"""Commands where teams meet it: `comment`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.core.extensions import extensions

FORMATS = (
    "github",
    "markdown",
    "rdjson",
    "sarif",
    "gitlab",
    "json",
    *(output.NAME for output in extensions("outputs")),
)

BaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="COMMIT",
        help="Compare the working tree with this commit, and take the team's facts from there.",
        show_default="the pull request's base in CI, else the default branch of origin",
    ),
]
PullRequestOption = Annotated[
    int | None, typer.Option("--pr", metavar="NUMBER", min=1, help="Ask GitHub for the changed files instead.")
]
MergeRequestOption = Annotated[
    int | None, typer.Option("--mr", metavar="NUMBER", min=1, help="The same for a merge request on GitLab.")
]
HeadOption = Annotated[
    str | None,
    typer.Option(
        metavar="OWNER:BRANCH", help="The same for the one open pull request on GitHub that comes from there."
    ),
]
PostOption = Annotated[
    bool,
    typer.Option("--post", help="Post suggestions beside the lines they change, and one comment below for the rest."),
]


command = Commands()


@command("comment", formats=FORMATS)
def _comment(  # noqa: PLR0913, PLR0917  (a command's options)
    run: Run,
    base: BaseOption = None,
    pr: PullRequestOption = None,
    mr: MergeRequestOption = None,
    head: HeadOption = None,
    post: PostOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print exactly what `--post` would send, as YAML.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Suggestions for files that did not change, too.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A new file to write.", show_default="stdout")
    ] = None,
) -> None:
    """Comment on a pull request: what is pending for the files it changes.

    Works from the team's facts and the files; no chat is read. Rules that you had to say again are named in numbers.
    Lines that the pull request shows get their suggestion beside them, to commit with one click.
    The rest is in one comment below, and the next run keeps both up to date; without `--post`, nothing is written.
    Only `--pr` and `--head` (GitHub: GITHUB_TOKEN, GITHUB_REPOSITORY) and `--mr` (GitLab: GITLAB_TOKEN, since
    CI_JOB_TOKEN may not write notes, CI_PROJECT_ID, CI_API_V4_URL) use the network.
    """
    from memsuggest.pull_requests.comment_command import Wish, comment_on_host, comment_on_tree

    is_local = pr is None and head is None and mr is None
    if (post or dry_run) and is_local:
        hint = "--post" if post else "--dry-run"
        raise typer.BadParameter("say on which, with `--pr NUMBER` or `--mr NUMBER`", param_hint=hint)
    if mr is not None and (pr is not None or head is not None):
        raise typer.BadParameter(
            "a merge request is on GitLab, and `--pr` and `--head` are of GitHub", param_hint="--mr"
        )
    wish = Wish(
        base=base,
        pull_request=pr if pr is not None else head,
        merge_request=mr,
        post=post,
        dry_run=dry_run,
        every=every,
        output=output,
    )
    (comment_on_tree if is_local else comment_on_host)(run, wish)
