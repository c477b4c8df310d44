"""Making the report: what it says, and what of it everybody may see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from memsuggest.core.context import Context
from memsuggest.core.git import git_text, run_git
from memsuggest.core.model import FactStatus, Scope, Target
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.facts.codec import parse
from memsuggest.facts.contradictions import last_said
from memsuggest.facts.fact_store import Contents
from memsuggest.facts.facts_file import PLACE, contents_of
from memsuggest.facts.stores import all_decisions, all_facts
from memsuggest.held.find_held import find_held, noted_chats
from memsuggest.held.held_report import HeldReport
from memsuggest.report.team_view import Shared, assistant_costs, file_costs, for_team, learned_from
from memsuggest.report.workspace_report import WorkspaceReport
from memsuggest.suggestions.bridges import PROGRAMS
from memsuggest.suggestions.pending import load, pending_maintenance


def gather(context: Context, *, since: int | None, held: HeldReport) -> WorkspaceReport:
    """Return the report; what was learned, decided and spent counts from `since`, what waits and costs is as it is."""
    facts = all_facts(context)
    active = [fact for fact in facts if fact.status is FactStatus.ACTIVE]
    said = [fact for fact in active if since is None or last_said(fact) >= since]
    files = file_costs(context)
    return WorkspaceReport(
        name=context.root.name,
        made_at=context.now(),
        since=since,
        is_team=False,
        learned=learned_from(said, all_decisions(context)),
        pending=tuple(load(context, facts)),
        maintenance=tuple(pending_maintenance(context)),
        maybes=held.maybes,
        held=held,
        files=files,
        assistants=assistant_costs(files, used=_used(context, since)),
        skipped=tuple(dict.fromkeys([*held.skipped, *context.targets.skipped])),
        **_on_web(context),
    )


def _used(context: Context, since: int | None) -> set[str]:
    """Return the assistants of the chats, of those of which it is known what they read."""
    chats = {chat.assistant for chat in noted_chats(context) if since is None or (chat.begun or 0) >= since}
    return {name for name, host in PROGRAMS.items() if name in chats or host in chats}


_REMOTE = re.compile(r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?|[\w.-]+@)(?P<host>[\w.-]+)(?::\d+)?[:/](?P<path>[\w./~-]+)")
_COMMITS = 20_000


def web_address(remote: str) -> str:
    """Return where a remote's repo stands on the web; nothing for a folder, or what has no such address.

    >>> web_address("git@github.com:acme/shop.git"), web_address("/srv/shop.git")
    ('https://github.com/acme/shop', '')
    """
    found = _REMOTE.fullmatch(remote.strip())
    return f"https://{found['host']}/{found['path'].strip('/').removesuffix('.git')}" if found else ""


def _on_web(context: Context) -> dict[str, Any]:
    """Return what links to files and commits are made of."""
    web = _web(context)
    if not web:
        return {}
    told = git_text(context.root, "log", f"-{_COMMITS}", "--format=%ct %H").split()
    times = [int(moment) * 1000 for moment in told[::2]]
    many = Counter(times)
    return {
        "web": web,
        "head": next(iter(told[1::2]), "HEAD"),
        "on_web": frozenset(context.targets.tracked_paths),
        "commits": {moment: name for moment, name in zip(times, told[1::2], strict=True) if many[moment] == 1},
    }


def make_report(
    context: Context, *, since: int | None, is_team: bool, progress: Callable[[int, int, str], None]
) -> WorkspaceReport:
    """Return the report of a workspace; for the team, only what everybody can see in the repo, and counts."""
    report = gather(context, since=since, held=find_held(context, since=since, progress=progress))
    return for_team(report, shared_parts(context)) if is_team else report


_OWN = ".local."
"""In the name of a file that hosts leave to the person: `CLAUDE.local.md`, `settings.local.json`."""


def shared_parts(context: Context) -> Shared:
    """Return what is committed; outside of git nobody shares anything but the team's file."""
    tracked = set(context.targets.tracked_paths if context.place.git_folder else ())
    targets = {
        target.uri: target
        for target in context.targets.targets
        if target.uri in tracked
        and target.scope is not Scope.USER
        and _OWN not in target.uri.rpartition("/")[2].lower()
    }

    def own_lines(target: Target) -> frozenset[int]:
        committed = {bare(line) for line in split_lines(git_text(context.root, "show", f"HEAD:./{target.uri}"))}
        lines = (bare(line) for line in split_lines(target.text))
        return frozenset(number for number, line in enumerate(lines, start=1) if line not in committed)

    if not run_git(context.root, "rev-parse", "--git-dir"):
        contents = context.facts_file.contents()
    else:
        shown = run_git(context.root, "show", f"HEAD:./{PLACE}")
        text = None if shown is None else shown.decode("utf-8", "replace")
        contents = Contents() if text is None else contents_of(parse(text, name=f"{PLACE} in HEAD"))
    return Shared(
        name=_web(context).rpartition("/")[2],
        contents=contents,
        uris=frozenset(targets),
        local=frozenset(target.uri for target in context.targets.targets if target.uri not in targets),
        own_lines={uri: own_lines(target) for uri, target in targets.items()},
    )


def _web(context: Context) -> str:
    return web_address(git_text(context.root, "config", "--get", "remote.origin.url"))
