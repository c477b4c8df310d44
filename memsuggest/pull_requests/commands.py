"""The command `comment`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run
from memsuggest.core.extensions import extensions

FORMATS = (
    *("github", "markdown", "rdjson", "sarif", "gitlab", "json"),
    *(output.NAME for output in extensions("outputs")),
)

BaseOption = Annotated[
    str | None,
    typer.Option(
        metavar="COMMIT",
        help="Compare the working tree with this commit, and read the team's facts from it.",
        show_default="the pull request's base in CI, otherwise origin's default branch",
    ),
]
PullRequestOption = Annotated[
    int | None,
    typer.Option("--pr", metavar="NUMBER", min=1, help="Get the changed files from this GitHub pull request."),
]
MergeRequestOption = Annotated[
    int | None,
    typer.Option("--mr", metavar="NUMBER", min=1, help="Get the changed files from this GitLab merge request."),
]
HeadOption = Annotated[
    str | None,
    typer.Option(metavar="OWNER:BRANCH", help="Use the open GitHub pull request from this branch."),
]
PostOption = Annotated[
    bool,
    typer.Option("--post", help="Post suggestions on the lines they change, and all others in one comment."),
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
    every: Annotated[bool, typer.Option("--all", help="Include suggestions for unchanged files.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to a new file.", show_default="stdout")
    ] = None,
) -> None:
    """Comment on a pull request with the pending suggestions for the files it changes.

    The command uses only the team's facts and the repo's files; it reads no chats. The comment also lists rules in
    these files that had to be repeated. Suggestions for lines in the pull request's diff are posted on those lines
    and can be committed with one click. All other suggestions go into one comment. The next run updates these
    comments. Without `--post`, nothing is posted. Only `--pr`, `--head` (GitHub) and `--mr` (GitLab) use the network.
    GitHub needs GITHUB_TOKEN and GITHUB_REPOSITORY; GitLab needs GITLAB_TOKEN (CI_JOB_TOKEN cannot write notes),
    CI_PROJECT_ID and CI_API_V4_URL.
    """
    from memsuggest.pull_requests.comment_command import comment_on_host, comment_on_tree

    request = next((given for given in (mr, pr, head) if given is not None), None)
    if (post or dry_run) and request is None:
        hint = "--post" if post else "--dry-run"
        raise typer.BadParameter("choose a target with `--pr NUMBER` or `--mr NUMBER`", param_hint=hint)
    if mr is not None and (pr is not None or head is not None):
        raise typer.BadParameter(
            "`--mr` is for GitLab and cannot be combined with `--pr` or `--head`, which are for GitHub",
            param_hint="--mr",
        )
    if request is None:
        comment_on_tree(run, base=base, every=every, output=output)
    else:
        is_gitlab = mr is not None
        comment_on_host(
            run, request=request, is_gitlab=is_gitlab, post=post, dry_run=dry_run, every=every, output=output
        )
