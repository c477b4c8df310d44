"""`comment`: takes the change from git or a host, and puts the text on the screen or beside the change."""

from __future__ import annotations

import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from memsuggest.cli.run import Run
from memsuggest.core.errors import ConfigError
from memsuggest.core.extensions import extensions
from memsuggest.core.git import git_text
from memsuggest.core.plain_reports import BesideJson, PostedJson, Text
from memsuggest.core.render.safe_output import one_line
from memsuggest.files import write_exact
from memsuggest.pull_requests import comment_text as markdown
from memsuggest.pull_requests import github, gitlab
from memsuggest.pull_requests.code_findings import render_code_quality, render_rdjson, render_requests, render_sarif
from memsuggest.pull_requests.comment_text import PullRequestReport
from memsuggest.pull_requests.posting import MOST, Posted, post_comments, wanted_blocks
from memsuggest.pull_requests.proposals import Host, find_proposals, local_change, remote_change

IN_ACTIONS = "GITHUB_ACTIONS"
AUTHOR = "MEMSUGGEST_COMMENT_AUTHOR"
"""Whose comment to update, where the token may not say whom it belongs to (that of another app)."""
DONE = {
    "created": "commented: {url}",
    "updated": "updated the comment: {url}",
    "unchanged": "the comment is already up to date: {url}",
    "none": "no summary comment is needed",
}
MACHINES: Mapping[str, Callable[[PullRequestReport], str]] = {
    "rdjson": render_rdjson,
    "sarif": render_sarif,
    "gitlab": render_code_quality,
    **{output.NAME: output.render for output in extensions("outputs")},
}
"""Formats that other tools read, and no person."""
NOTHING = "nothing is pending for the files in this pull request; no comment was posted"


def comment_on_tree(run: Run, *, base: str | None, every: bool, output: Path | None) -> None:
    """Show what is pending beside a commit; by default the pull request's base in CI, else the default branch."""
    context = run.context()
    environ, names = os.environ, ("origin/HEAD", "main", "master")
    heads = (git_text(context.root, "rev-parse", "--verify", "--abbrev-ref", name).strip() for name in names)
    if not base and (branch := environ.get("GITHUB_BASE_REF")):
        base = f"origin/{branch}"
    base = base or environ.get("CI_MERGE_REQUEST_DIFF_BASE_SHA") or next(filter(None, heads), "")
    if not base:
        raise ConfigError(
            "found no default branch to compare with", hint="choose a commit, for example `--base HEAD~1`"
        )
    _show(run, find_proposals(context, local_change(context.root, base), every=every), output)


def comment_on_host(  # noqa: PLR0913  (a command's options)
    run: Run, *, request: int | str, is_gitlab: bool, post: bool, dry_run: bool, every: bool, output: Path | None
) -> None:
    """Show what is pending for the files of a pull or merge request, on its host itself if asked to.

    `request` is its number, or the `owner:branch` that it comes from.
    """
    if run.offline:
        asks = "`--mr` uses GitLab" if is_gitlab else "`--pr` uses GitHub"
        raise ConfigError(f"{asks}, which `--offline` does not allow", hint="compare with `--base` instead")
    shows_requests = dry_run or (not post and run.format in {None, "github"})
    context = run.context()
    with closing(_host(is_gitlab=is_gitlab, is_dry=shows_requests)) as host:
        number = request if isinstance(request, int) else host.open_pull_request(request)
        if not post and not shows_requests:
            _show(run, find_proposals(context, remote_change(host, number), every=every), output)
            return
        author = os.environ.get(AUTHOR) or host.login()
        posted = post_comments(context, host, number, author=author, every=every)
        if shows_requests:
            _say_skipped(run, posted.report)
            requests, pending = host.writes, len(posted.report.proposals)
            if run.format == "json":
                run.emit(Text(text="", payload={"requests": requests, "waiting": pending}))
                return
            if not requests:
                run.say("nothing to send: the comment is already up to date" if pending else NOTHING)
            _put(run, render_requests(requests) if requests else "", output)
            return
        if output is None:
            _say_skipped(run, posted.report)
        else:
            _show(run, posted.report, output)
        _say_posted(run, host, posted)


def _host(*, is_gitlab: bool, is_dry: bool) -> Host:
    """Return the host that the environment names; ConfigError where something is missing."""

    def setting(*names: str) -> str:
        return next(filter(None, (os.environ.get(name, "").strip() for name in names)), "")

    how = {"now": time.time, "wait": time.sleep, "is_dry": is_dry}
    if is_gitlab:
        token, project = setting("GITLAB_TOKEN"), setting("CI_MERGE_REQUEST_PROJECT_ID", "CI_PROJECT_ID")
        if not token:
            raise ConfigError("GITLAB_TOKEN is not set", hint=gitlab.NEEDED)
        if not project:
            raise ConfigError(
                "CI_PROJECT_ID is not set", hint="set the variable to the project's ID or to `group/name`"
            )
        return gitlab.GitLab(api=_address("CI_API_V4_URL", gitlab.API), project=project, token=token, **how)
    token, repository = setting("GITHUB_TOKEN"), setting("GITHUB_REPOSITORY")
    if not token:
        raise ConfigError("GITHUB_TOKEN is not set", hint="in a workflow: `env: GITHUB_TOKEN: ${{ github.token }}`")
    if repository.count("/") != 1:
        raise ConfigError(
            "GITHUB_REPOSITORY is not set to `owner/name`", hint="set the variable to the repository's full name"
        )
    return github.GitHub(api=_address("GITHUB_API_URL", github.API), repository=repository, token=token, **how)


def _address(variable: str, usual: str) -> str:
    """Return the address of an API; ConfigError for one that no token is to be sent to."""
    api = os.environ.get(variable, "").rstrip("/") or usual
    if not api.startswith(("https://", "http://127.0.0.1:", "http://localhost:")):
        raise ConfigError(f"{variable} is `{api}`", hint="use an https address; the token is sent only over https")
    return api


def _say_posted(run: Run, host: Host, posted: Posted) -> None:
    pending, beside = len(posted.report.proposals), posted.beside
    if refused := len(beside.refused):
        blocks = "1 suggestion block" if refused == 1 else f"{refused} suggestion blocks"
        run.say(f"{host.name} rejected {blocks}; the summary comment contains patches instead")
    if below := len(beside.below):
        run.say(f"at most {MOST} suggestions are posted on lines; the summary comment has {below} more")
    counts: BesideJson = {
        "posted": beside.posted,
        "kept": beside.kept,
        "updated": beside.updated,
        "outdated": beside.retired,
        "refused": refused,
        "below": below,
    }
    text = DONE[posted.action].format(url=posted.url) if pending or posted.action != "none" else NOTHING
    if any(counts.values()):
        text += "\non the changed lines: " + ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    payload: PostedJson = {"action": posted.action, "url": posted.url or None, "waiting": pending, "beside": counts}
    run.emit(Text(text=text, payload=payload))


def _say_skipped(run: Run, report: PullRequestReport) -> None:
    for skipped in report.skipped:
        run.say(f"skipped: {skipped.what}: {skipped.why}")


def _show(run: Run, report: PullRequestReport, output: Path | None) -> None:
    _say_skipped(run, report)
    if for_machine := MACHINES.get(run.format or ""):
        text = for_machine(report)
    elif run.format == "json":
        from memsuggest.core.json_shape import render

        text = render(report)
    elif run.format == "markdown":
        text = markdown.page(report)
    else:  # what a first `--post` would write: each comment beside lines, and the one below
        blocks, parts = wanted_blocks(report), []
        for wanted, block in blocks.items():
            first, last = block.change.first, block.change.last
            lines = f"line {last}" if first == last else f"lines {first} to {last}"
            parts.append(f"{markdown.fenced('text', f'on {one_line(block.path)}, {lines}')}\n{wanted.body}")
        if below := markdown.comment_body(report, beside=list(blocks.values())):
            parts.append(f"{markdown.fenced('text', 'in the summary comment')}\n{below}" if parts else below)
        text = "\n".join(parts) or markdown.page(report)
    _put(run, text, output)


def _put(run: Run, text: str, output: Path | None) -> None:
    if output is not None:
        write_exact(output.absolute(), text, expected_digest=None)
        run.say(f"wrote {output}")
        return
    if run.format != "json" and run.format not in MACHINES and os.environ.get(IN_ACTIONS) == "true":
        is_file = False
        with suppress(OSError):  # a stream of Python's own
            is_file = stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
        if not is_file:  # the log of a GitHub workflow is to take no line of it for a command
            token = secrets.token_hex(16)
            text = f"::stop-commands::{token}\n{text}\n::{token}::\n"
    run.print(text)
