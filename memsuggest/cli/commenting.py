"""What `comment` does: where the change comes from, and where the text goes."""

from __future__ import annotations

import os
import secrets
import stat
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.errors import ConfigError
from memsuggest.files import write_exact
from memsuggest.git import run_git
from memsuggest.render import comment as markdown
from memsuggest.render import rdjson
from memsuggest.reports.plain import Text
from memsuggest.workflows.changes import local_change, remote_change
from memsuggest.workflows.comment import find_proposals

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.cli.run import Run
    from memsuggest.integrations.github import GitHub
    from memsuggest.reports.pull_request import PullRequestReport

IN_ACTIONS = "GITHUB_ACTIONS"
AUTHOR = "MEMSUGGEST_COMMENT_AUTHOR"
"""Whose comment to update, where the token may not say whom it belongs to (that of another app)."""
DONE = {
    "created": "commented: {url}",
    "updated": "updated the comment: {url}",
    "unchanged": "the comment says it already: {url}",
    "none": "nothing waits for the files of this pull request; no comment was made",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the command line asks for."""

    base: str | None
    pull_request: int | str | None
    """Its number, or `owner:branch` that it comes from; None: the working tree."""
    post: bool
    every: bool
    output: Path | None


def comment_on_tree(run: Run, wish: Wish) -> None:
    """Tell what waits for the working tree's changes."""
    desk = run.desk()
    change = local_change(desk.root, wish.base or _usual_base(desk.root))
    report = find_proposals(desk, change, every=wish.every)
    _say_skipped(run, report)
    _put(run, report, wish.output)


def comment_on_github(run: Run, wish: Wish) -> None:
    """Tell what waits for a pull request's files, on GitHub itself if asked to."""
    if run.offline:
        raise ConfigError("`--pr` asks GitHub, and `--offline` forbids it", hint="compare with `--base` instead")
    desk = run.desk()
    with closing(_github()) as github:
        asked = wish.pull_request
        number = asked if isinstance(asked, int) else github.open_pull_request(str(asked))
        report = find_proposals(desk, remote_change(desk.root, github, number), every=wish.every)
        _say_skipped(run, report)
        if wish.output is not None or not wish.post:
            _put(run, report, wish.output)
        if wish.post:
            run.emit(_post(github, number, report))


def _usual_base(root: Path) -> str:
    """Return the pull request's base in CI, else the default branch of the remote."""
    if branch := os.environ.get("GITHUB_BASE_REF"):
        return f"origin/{branch}"
    head = run_git(root, "rev-parse", "--abbrev-ref", "origin/HEAD")
    if head is None:
        raise ConfigError("there is no default branch to compare with", hint="name a commit: `--base main`")
    return head.decode("utf-8", "replace").strip()


def _github() -> GitHub:
    from memsuggest.integrations.github import API, GitHub

    token, repository = (os.environ.get(name, "").strip() for name in ("GITHUB_TOKEN", "GITHUB_REPOSITORY"))
    if not token:
        raise ConfigError("GITHUB_TOKEN is not set", hint="in a workflow: `env: GITHUB_TOKEN: ${{ github.token }}`")
    if repository.count("/") != 1:
        raise ConfigError("GITHUB_REPOSITORY is not set to `owner/name`", hint="set it to the repository's full name")
    api = os.environ.get("GITHUB_API_URL", "").rstrip("/") or API
    if not api.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
        raise ConfigError(f"GITHUB_API_URL is `{api}`", hint="the token is sent over https only")
    return GitHub(api=api, repository=repository, token=token, now=time.time, wait=time.sleep)


def _post(github: GitHub, number: int, report: PullRequestReport) -> Text:
    from memsuggest.integrations.sticky import put_comment

    action, url = put_comment(
        github,
        number,
        author=os.environ.get(AUTHOR) or github.login(),
        marker=markdown.MARKER,
        body_after=lambda before: markdown.comment_body(report, before),
    )
    waiting = len(report.proposals)
    return Text(text=DONE[action].format(url=url), payload={"action": action, "url": url or None, "waiting": waiting})


def _say_skipped(run: Run, report: PullRequestReport) -> None:
    for skipped in report.skipped:
        run.say(f"skipped: {skipped.what}: {skipped.why}")


def _put(run: Run, report: PullRequestReport, output: Path | None) -> None:
    text = _rendered(run, report)
    if output is not None:
        write_exact(output.absolute(), text, expected_digest=None)
        run.say(f"wrote {output}")
    else:
        run.print(text if run.format in {"json", "rdjson"} else _inert(text))


def _rendered(run: Run, report: PullRequestReport) -> str:
    if run.format == "rdjson":
        return rdjson.render(report)
    if run.format == "json":
        from memsuggest.render.as_json import render

        return render(report)
    if run.format == "markdown":
        return markdown.page(report)
    return markdown.comment_body(report) or markdown.page(report)


def _inert(text: str) -> str:
    """Return the text so that the log of a GitHub workflow takes no line of it for a command."""
    if os.environ.get(IN_ACTIONS) != "true" or _goes_to_a_file():
        return text
    token = secrets.token_hex(16)
    return f"::stop-commands::{token}\n{text}\n::{token}::\n"


def _goes_to_a_file() -> bool:
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:  # a stream of Python's own
        return False
