"""The outcome of planning, kept for as long as nothing that it rests on has changed: then a run plans nothing.

What it rests on is one key: the facts, the decisions and moves, every customization file's bytes, what git tracks, the
build files, the last commit, the settings, what was noted of chats, and our own version.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from memsuggest import __version__
from memsuggest.core.config import OFFLINE
from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Contradiction, MemoryFact, Skipped
from memsuggest.core.show_progress import CHECKING, ShowProgress
from memsuggest.customizations.staleness.declared_tasks import tools_of
from memsuggest.facts.pruning import prune
from memsuggest.facts.stale_facts import stale_facts
from memsuggest.facts.stores import (
    all_decisions,
    all_facts,
    closed_targets,
    dismissed_ids,
    only_written,
    share_facts,
    waiting_maybes,
)
from memsuggest.facts.take_in import Learned
from memsuggest.held.note_store import note_store
from memsuggest.judging.engine_offers import who_could_judge
from memsuggest.judging.verdicts.verdict import Verdict, load_verdicts
from memsuggest.suggestions.bridges import unread
from memsuggest.suggestions.dangerous_rules import dangerous_among
from memsuggest.suggestions.decision_reports import AlreadyThere
from memsuggest.suggestions.maintenance import Chosen, refresh_maintenance
from memsuggest.suggestions.marker_files import note_seen, tally
from memsuggest.suggestions.pending import held_maintenance, load, load_all, pending_maintenance
from memsuggest.suggestions.pending_suggestions import load_moves, note_run
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid
from memsuggest.suggestions.stale_search import head_of
from memsuggest.suggestions.suggesting import Refreshed, refresh_pending, verdicts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The pending suggestions and the maintenance, with what came of the facts that are not suggested."""

    refreshed: Refreshed
    maintenance: Chosen
    stale_facts: int
    skipped: tuple[Skipped, ...]
    """Customization files that could not be read."""


def plans_key(context: Context) -> str:
    """Return the identity of all that planning rests on; two runs with the same key plan the same."""
    worktree = context.place.worktree_key
    digest, tracked = context.files.digest, context.files.tracked_paths
    seen = []  # the build files, whose tasks rules name, and what git ignores
    for path in (path for path in tracked if tools_of(path) or path.endswith(".gitignore")):
        with suppress(OSError):
            found = os.lstat(context.root / path)
            # The time of the change of its status, too: a program can set back the other one, and this one not.
            seen.append((path, found.st_mtime_ns, found.st_ctime_ns, found.st_size))
    parts = (
        __version__,
        digest,
        head_of(context.root),
        all_facts(context),
        all_decisions(context),
        sorted(load_moves(context.state, worktree).items()),
        sorted(load_verdicts(context.state, worktree).items()),
        sorted((name, str(setting.value)) for name, setting in context.settings.values.items()),
        note_store(context).fingerprint(),
        seen,
    )
    return hash_of(*map(repr, parts))


def take_kept(context: Context) -> None:
    """Take over what came of each fact before, where neither it nor the files have changed since."""
    row = context.state.execute("SELECT told FROM plans WHERE worktree = ?", (context.place.worktree_key,)).fetchone()
    payload = json.loads(row[0]) if row else {}
    index, known = context.workspace_index, all_facts(context)
    moves, placed = load_moves(context.state, context.place.worktree_key), payload.get("placed", {})
    made: dict[str, Any] = {each.fact.id: each for each in load(context, known) if each.fact and each.id not in moves}
    made |= {name: AlreadySaid(uri=uri, line=line, text=text) for name, uri, line, text in payload.get("already", ())}
    for fact, decided, verdict, key in _cases(context, known):
        if fact.id in made and placed.get(fact.id) == key:
            index.made[fact.id, decided] = ((fact, verdict), made[fact.id])


def _cases(
    context: Context, facts: Iterable[MemoryFact]
) -> Iterator[tuple[MemoryFact, frozenset[str], Verdict | None, str]]:
    """Yield facts with the files that are closed to them, what a model says, and a key of all that they rest on."""
    decisions, verdicts, digest = all_decisions(context), verdicts_of(context), context.files.digest
    for fact in facts:
        decided, verdict = closed_targets(fact, decisions), verdicts.get(fact.id)
        yield fact, decided, verdict, hash_of(__version__, digest, repr(fact), repr(sorted(decided)), repr(verdict))


def kept_plans(context: Context, key: str) -> Plans | None:
    """Return what was planned under the same key; None where something changed since."""
    row = context.state.execute(
        "SELECT told FROM plans WHERE worktree = ? AND key = ?", (context.place.worktree_key, key)
    ).fetchone()
    if row is None:
        return None
    payload = json.loads(row[0])
    is_moved = any(os.path.lexists(context.root / path) != was for path, was in payload["looked_for"].items())
    if is_moved or payload["pending"] != [suggestion.id for suggestion in load_all(context)]:
        return None  # of plans that lost a suggestion since, too
    known = all_facts(context)
    by_id = {fact.id: fact for fact in known}
    already, pairs = payload["already"], payload["contradictions"]
    refreshed = Refreshed(
        suggestions=tuple(load(context, known)),
        already_there=tuple(
            AlreadyThere(fact=by_id[fact], target_uri=uri, line=line, text=text) for fact, uri, line, text in already
        ),
        refused=tuple(Skipped(what=what, why=why) for what, why in payload["refused"]),
        contradictions=tuple(
            Contradiction(winner=by_id[winner], loser=by_id[loser], why=why) for winner, loser, why in pairs
        ),
    )
    return Plans(
        refreshed=refreshed,
        maintenance=Chosen(tuple(pending_maintenance(context)), held_maintenance(context)),
        stale_facts=payload["stale_facts"],
        skipped=tuple(Skipped(what=what, why=why) for what, why in payload["skipped"]),
    )


_FRESH = 1.0
"""Seconds in which customization files are taken to be as they were read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """The pending suggestions after a run, and what the run changed besides."""

    plans: Plans
    last_run: int | None
    """When chats were last read before, in milliseconds."""
    shared: int
    """Facts that were written to the team's file."""
    pruned: list[MemoryFact]
    maybes: int
    better: str
    """A better engine that is here, with the command to use it."""
    only_written: list[MemoryFact]
    dangerous: frozenset[str]
    unread: Mapping[str, str]


def renewed(context: Context, learned: Learned, progress: ShowProgress, *, is_attended: bool) -> Renewed:
    """Share what was learned, prune where the person `is_attended` to, plan what is pending, and note the run."""
    with context.exclusive():
        shared = 0 if context.is_dry else share_facts(context)
        context.renew_targets(older_than=_FRESH)  # rules may have been placed long ago, while chats were read
        if not context.is_dry:
            context.profile.hide(dismissed_ids(context))
        pruned = prune(context, is_seen=True) if is_attended else []
        plans = _plans(context, progress)
        last_run = tally(context.state, context.place.worktree_key).last_run
        if not context.is_dry:
            note_run(context.state, context.place.worktree_key, now=context.now())
            note_seen(context, [suggestion.id for suggestion in plans.refreshed.suggestions])
    maybes, suggestions = len(waiting_maybes(context)), plans.refreshed.suggestions
    is_wanted = maybes or (learned.read and context.settings.engine != OFFLINE)
    return Renewed(
        plans=plans,
        last_run=last_run,
        shared=shared,
        pruned=pruned,
        maybes=maybes,
        better=who_could_judge(context, maybes=maybes) if is_wanted and learned.engine == OFFLINE else "",
        only_written=only_written(all_facts(context)) if learned.written else [],
        dangerous=dangerous_among(suggestions, context.kept_index.of),
        unread=unread(context, suggestions),
    )


def _plans(context: Context, progress: ShowProgress) -> Plans:
    """Return the plans of an earlier run where nothing changed since, else plan anew and keep what comes of it."""
    key = "" if context.is_dry else plans_key(context)
    kept = kept_plans(context, key) if key else None
    if kept:
        return kept
    take_kept(context)
    refreshed = refresh_pending(context, progress=progress)
    progress(0, 0, "", phase=CHECKING)
    plans = Plans(
        refreshed=refreshed,
        maintenance=refresh_maintenance(context, refreshed.suggestions),
        stale_facts=len(stale_facts(context)) if context.settings.values["care"].value else 0,
        skipped=context.targets.skipped,
    )
    if not key:
        return plans
    already = refreshed.already_there
    planned = [*(there.fact for there in already), *(made.fact for made in refreshed.suggestions if made.fact)]
    payload = {  # the suggestions themselves are kept as pending ones
        "placed": {fact.id: key for fact, _, _, key in _cases(context, planned)},
        "already": [(there.fact.id, there.target_uri, there.line, there.text) for there in already],
        "pending": [suggestion.id for suggestion in load_all(context)],
        "contradictions": [(pair.winner.id, pair.loser.id, pair.why) for pair in refreshed.contradictions],
        "refused": [(skip.what, skip.why) for skip in refreshed.refused],
        "skipped": [(skip.what, skip.why) for skip in plans.skipped],
        "stale_facts": plans.stale_facts,
        # Paths that git does not track and that lines speak of, and whether there was such a thing.
        "looked_for": context.looked_for,
    }
    row = (context.place.worktree_key, plans_key(context), json.dumps(payload))
    with transaction(context.state):
        context.state.execute("INSERT OR REPLACE INTO plans VALUES (?, ?, ?)", row)
    return plans
