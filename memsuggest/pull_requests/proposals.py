"""Suggestions for a pull request's files, from the team's facts and the files alone: no transcripts, no profile.

Only of rules that do not hold it is told by the notes of this machine, in numbers; in CI there are none.

What changed is asked of git or of the host: which files, what they say now, which lines the diff shows. Facts and
decisions are those of the base, settings those of the checkout; the files are those of the pull request, read as data
and never run. What a pull request itself adds to the facts is a claim until it is merged.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, Skipped, StoreError, WorkspaceError
from memsuggest.core.git import run_git
from memsuggest.core.model import Edit, LineChange, MemorySuggestion, Scope
from memsuggest.core.redact.redaction_rules import redact
from memsuggest.customizations.diff import line_change
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.kinds import place_of
from memsuggest.facts import codec
from memsuggest.facts.fact_store import Contents
from memsuggest.facts.facts_file import PLACE, contents_of, read_facts
from memsuggest.held.find_held import unheld_in
from memsuggest.pull_requests.code_host import ChangedFile, PullRequest, hunks_shown
from memsuggest.pull_requests.comment_text import Block, PullRequestReport, ReviewProposal, meet
from memsuggest.pull_requests.github import GitHub
from memsuggest.pull_requests.gitlab import GitLab
from memsuggest.suggestions.dangerous_rules import danger_of
from memsuggest.suggestions.listed import why_meets
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import replan
from memsuggest.suggestions.suggesting import suggest_all
from memsuggest.suggestions.target_paths import is_writable

Host = GitHub | GitLab
Hunks = Callable[[str], Sequence[range]]
"""The stretches of lines that the diff shows of a file."""
FILES = 200  # customization files of a pull request that are fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalChange:
    """The files on disk: against a commit, as a pull request from here would have them, or those of a commit.

    Without a commit to compare with, the facts on disk are what it rests on: who commits has them, and so has every
    clone afterwards.
    """

    root: Path
    paths: Collection[str]
    base: str = "the files on disk"
    merge_base: str = ""  # empty where there is no commit to compare with
    tree: None = None  # all files are those on disk

    def base_facts(self) -> str | None:
        if not self.merge_base:
            return self.own_facts()
        shown = run_git(self.root, "show", f"{self.base}:./{PLACE}")
        return None if shown is None else shown.decode("utf-8", "replace")

    def own_facts(self) -> str | None:
        """Return the team's facts as the change has them, where its author may decide about them; None otherwise."""
        found = read_facts(self.root / PLACE)
        return None if found is None else found.text

    def texts(self, _: Mapping[str, str]) -> Mapping[str, str | None]:
        return {}

    def hunks(self, path: str) -> Sequence[range]:
        if not self.merge_base:
            return ()
        options = ("--no-ext-diff", "--no-textconv", "--no-color", "--relative")
        patch = run_git(self.root, "diff", *options, self.merge_base, "--", path)
        return hunks_shown((patch or b"").decode("utf-8", "replace"))


def local_change(root: Path, base: str) -> LocalChange:
    """Compare the working tree with a commit; raises WorkspaceError for one that git does not know."""
    if base.startswith("-"):
        raise ConfigError(
            f"`{base}` is not a valid commit name", hint="choose a commit, for example `--base origin/main`"
        )
    commit = run_git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    if commit is None:
        raise WorkspaceError(
            f"git cannot find the commit `{base}`",
            hint="fetch the commit first (in a shallow clone: `git fetch --depth=50 origin BRANCH`)",
        )
    merge_base = run_git(root, "merge-base", commit.decode().strip(), "HEAD")
    if merge_base is None:
        raise WorkspaceError(
            f"`{base}` and this branch have no common ancestor",
            hint="fetch more history: `git fetch --unshallow`",
        )
    start = merge_base.decode().strip()
    names = run_git(root, "diff", "--name-only", "-z", "--no-renames", "--relative", start) or b""
    paths = frozenset(name.decode("utf-8", "surrogateescape") for name in names.split(b"\0") if name)
    return LocalChange(root=root, base=base, merge_base=start, paths=paths)


def commit_change(root: Path, paths: Collection[str], *, since: str) -> Change:
    """Return the change that pre-commit asks about; `since` names what a whole branch is compared with, if one is.

    Of a branch, what it adds to the facts is a claim until it is merged, as for a comment below its pull request.
    """
    try:
        return replace(local_change(root, since), paths=paths) if since else LocalChange(root=root, paths=paths)
    except (ConfigError, WorkspaceError):  # a shallow clone, or a branch that is new on the server
        return LocalChange(root=root, paths=paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteChange:
    """A pull request as its host tells it, whatever is checked out here."""

    host: Host
    request: PullRequest
    files: Mapping[str, ChangedFile]
    tree: Mapping[str, str] | None
    """All its files with git's hash of each; None where the host does not list them."""

    @property
    def base(self) -> str:
        return self.request.base

    @property
    def paths(self) -> Collection[str]:
        return self.files.keys()

    def base_facts(self) -> str | None:
        return self.host.text_at(self.request.base_ref, PLACE)

    def own_facts(self) -> str | None:
        """Return the facts as the pull request has them; of a fork's, nothing counts."""
        is_known = PLACE in self.files and not self.request.is_fork
        return self.host.text_at(self.request.head_ref, PLACE) if is_known else None

    def texts(self, on_disk: Mapping[str, str]) -> Mapping[str, str | None]:
        """Fetch the customization files that are not on disk as the pull request has them."""
        if self.tree is None:
            wanted = {path: not file.is_removed for path, file in self.files.items() if place_of(path)}
        else:
            wanted = {path: False for path in on_disk if path not in self.tree}
            for path in (path for path in self.tree if path in on_disk or place_of(path)):
                data = on_disk.get(path, "").encode("utf-8", "surrogateescape")
                blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
                if path not in on_disk or blob != self.tree[path]:
                    wanted[path] = True
        first = sorted(wanted, key=lambda path: path not in self.files)[:FILES]
        ref = self.request.head_ref
        return {path: self.host.text_at(ref, path) if wanted[path] else None for path in first}

    def hunks(self, path: str) -> Sequence[range]:
        return hunks_shown(self.files[path].patch) if path in self.files else ()


Change = LocalChange | RemoteChange


def remote_change(host: Host, number: int) -> RemoteChange:
    """Ask a code host for a pull request; raises RemoteError."""
    request = host.pull_request(number)
    files = {file.path: file for file in host.changed_files(number)}
    return RemoteChange(host=host, request=request, files=files, tree=host.files_at(request.head))


def find_proposals(context: Context, change: Change, *, every: bool = False) -> PullRequestReport:
    """Return what is pending for the changed files, or with `every` for all files; in `off` mode, nothing.

    Raises StoreError and WorkspaceError.
    """
    if context.settings.mode is Mode.OFF:
        return PullRequestReport(base=change.base, proposals=())
    base = _contents(change.base_facts(), f"`{PLACE}` of {change.base}")
    skipped: list[Skipped] = []
    try:
        own = _contents(change.own_facts(), f"`{PLACE}` in this change")
    except StoreError as error:  # a file that cannot be read decides nothing, and is named
        own = _contents(None, "")
        skipped.append(Skipped(what=PLACE, why=error.message))
    known = {fact.id for fact in base.facts}
    gone = {tombstone.fact_id for tombstone in own.tombstones}
    index = _index(context, change)
    made = suggest_all(
        [fact for fact in base.facts if fact.id not in gone and fact.scope is Scope.WORKSPACE],
        decisions=[*base.decisions, *own.decisions],
        workspace_index=index,
        threshold=context.settings.threshold,
    )
    skipped += made.refused
    clean, met = 0, []
    for suggestion in made.suggestions:
        if why := _why_not_public(suggestion):
            skipped.append(Skipped(what=f"fact {suggestion.about}", why=why))
            continue
        clean += 1
        here = why_meets(suggestion, index.by_uri.get(suggestion.edit.path), change.paths, root=str(context.root))
        if here is not None or every:
            lines = line_change(suggestion.edit)
            is_in_diff = lines is not None and is_shown(lines, change.hunks(suggestion.edit.path))
            met.append(ReviewProposal(suggestion=suggestion, why_here=here or "", change=lines, is_in_diff=is_in_diff))
    return PullRequestReport(
        base=change.base,
        proposals=tuple(met),
        blocks=find_blocks(met, change.hunks),
        elsewhere=clean - len(met),
        unheld=unheld_in(context, list(index.by_uri.values()), change.paths),
        unmerged=sum(fact.id not in known for fact in own.facts),
        skipped=tuple(skipped),
    )


def _contents(text: str | None, name: str) -> Contents:
    return contents_of(codec.parse(text, name=name) if text is not None else codec.Document())


def _why_not_public(suggestion: MemorySuggestion) -> str:
    """Say why a suggestion may not stand in a comment, from where anybody commits it with one click."""
    if redact(suggestion.content).found:
        return "the suggestion contains a secret or personal data; run `memsuggest memory clean --check` for details"
    danger = danger_of(suggestion)
    return f"this rule {danger}; run `memsuggest apply` to apply it separately" if danger else ""


def _index(context: Context, change: Change) -> WorkspaceIndex:
    on_disk = [target for target in context.targets.targets if target.scope is Scope.WORKSPACE]
    texts = change.texts({target.uri: target.text for target in on_disk})
    targets = [target for target in on_disk if target.uri not in texts]
    targets += [target_from(path, text) for path, text in texts.items() if text is not None]
    targets.sort(key=lambda target: target.uri)
    closed = [target.uri for target in targets if not is_writable(context, target.uri)]
    tracked = context.targets.tracked_paths if change.tree is None else tuple(change.tree)
    return WorkspaceIndex(targets, tracked_paths=tracked, root=str(context.root), closed=closed)


def find_blocks(proposals: Iterable[ReviewProposal], hunks: Hunks) -> tuple[Block, ...]:
    """Return the blocks by path and line; a suggestion that fits into none is left out."""
    by_path: dict[str, list[tuple[LineChange, int, ReviewProposal]]] = {}
    for place, proposal in enumerate(proposals):
        edit = proposal.suggestion.edit
        # What GitHub makes of a line's end is not known where it is not the plain one.
        is_plain = "\r" not in (edit.before or "") + (edit.after or "")
        if proposal.is_in_diff and is_plain and not proposal.suggestion.executable and proposal.change:
            by_path.setdefault(edit.path, []).append((proposal.change, place, proposal))
    found: list[Block] = []
    for path, own in sorted(by_path.items()):
        # What changes the same lines is one group, in which the suggestions keep their order.
        groups: list[list[tuple[int, ReviewProposal]]] = []
        end = 0
        for change, place, proposal in sorted(own, key=lambda row: (row[0].first, row[0].last, row[1])):
            if not groups or change.first > end:
                groups.append([])
            groups[-1].append((place, proposal))
            end = max(end, change.last)
        blocks: list[Block] = []
        for group in groups:
            ordered = [proposal for _, proposal in sorted(group, key=lambda row: row[0])]
            block = _block(path, ordered, hunks(path))
            if block and not any(meet(block.change, other.change) for other in blocks):
                blocks.append(block)
        found += sorted(blocks, key=lambda block: block.change.first)
    return tuple(found)


def is_shown(change: LineChange, hunks: Iterable[range]) -> bool:
    return any(change.first in shown and change.last in shown for shown in hunks)


def _block(path: str, group: Sequence[ReviewProposal], hunks: Sequence[range]) -> Block | None:
    """Plan one suggestion after the other; one whose lines the diff would not show any more is left out."""
    before = text = group[0].suggestion.edit.before
    change: LineChange | None = None
    taken: list[ReviewProposal] = []
    for proposal in group:
        after = proposal.suggestion.edit.after
        if taken:
            made = replan(proposal.suggestion, target_from(path, text or ""))
            after = made.edit.after if made and not made.executable else None
        grown = line_change(Edit(path=path, before=before, after=after)) if after is not None else None
        if grown and is_shown(grown, hunks):
            change, text = grown, after
            taken.append(proposal)
    return Block(path=path, change=change, proposals=tuple(taken)) if change else None
