"""Looking at suggestions: all of them, or one whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.errors import ConfigError, MemsuggestError, UnknownId
from memsuggest.model import MemorySuggestion, SuggestionStatus
from memsuggest.reports.deciding import Decided, Listing, Shown
from memsuggest.workflows.ids import beginning
from memsuggest.workflows.status import read_status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.reports.facts import FactShown
    from memsuggest.workflows.desk import Desk


def list_suggestions(desk: Desk, *, status: str, paths: Sequence[Path] | None = None) -> Listing:
    """Return what is pending, or what was applied or dismissed; with paths, only what concerns those files."""
    try:
        wanted = SuggestionStatus(status)
    except ValueError:
        raise ConfigError(f"there is no status `{status}`", hint="pending, applied or dismissed") from None
    last_run = read_status(desk).last_run
    mode = desk.settings.mode
    if mode is Mode.OFF:
        return Listing(mode=mode, last_run=last_run, status=wanted, suggestions=())
    if wanted is SuggestionStatus.PENDING:
        from memsuggest.workflows.danger import dangerous_among
        from memsuggest.workflows.readers import unread
        from memsuggest.workflows.stores import all_facts, only_written
        from memsuggest.workflows.waiting import load, pending_care

        facts = all_facts(desk)
        pending = load(desk, facts)
        if paths is not None:
            pending = _meeting(desk, pending, paths)
        return Listing(
            mode=mode,
            last_run=last_run,
            status=wanted,
            suggestions=tuple(pending),
            dangerous=dangerous_among(pending),
            unread=unread(desk, pending),
            care=tuple(pending_care(desk)) if paths is None else (),
            written=len(only_written(facts)) if paths is None else 0,
            is_narrowed=paths is not None,
        )
    silenced = _dismissed_care(desk) if wanted is SuggestionStatus.DISMISSED else ()
    return Listing(
        mode=mode, last_run=last_run, status=wanted, suggestions=(), decided=_decided(desk, wanted), care=silenced
    )


def to_review(desk: Desk, wanted: Sequence[str]) -> list[MemorySuggestion]:
    """Return what a review goes through: all that is pending, or what has certain ids or concerns certain files.

    The order is that of `list`. Raises UnknownId for what is neither an id nor a file that is there.
    """
    from memsuggest.suggestions.order import in_order
    from memsuggest.workflows.news import seen_before
    from memsuggest.workflows.waiting import load_all

    if desk.settings.mode is Mode.OFF:
        return []
    return in_order(_named(desk, wanted) if wanted else load_all(desk), seen=seen_before(desk))


def _named(desk: Desk, wanted: Sequence[str]) -> list[MemorySuggestion]:
    from memsuggest.workflows.waiting import find_pending, load

    found: dict[str, MemorySuggestion] = {}
    for word in wanted:
        try:
            one = find_pending(desk, word)
        except UnknownId:
            if not os.path.lexists(word):
                raise
            found |= {each.id: each for each in _meeting(desk, load(desk), [Path(word)])}
        else:
            found[one.id] = one
    return list(found.values())


def _dismissed_care(desk: Desk) -> tuple[MemorySuggestion, ...]:
    from memsuggest.workflows.care import dismissed_care

    return dismissed_care(desk)


def _meeting(desk: Desk, pending: list[MemorySuggestion], paths: Sequence[Path]) -> list[MemorySuggestion]:
    if not pending:
        return []  # no files need to be looked for
    from memsuggest.suggestions.meeting import why_meets

    names = {below_root(desk, path) for path in paths}
    by_uri = {target.uri: target for target in desk.targets.targets}
    root = str(desk.root)
    return [one for one in pending if why_meets(one, by_uri.get(one.edit.path), names, root=root)]


def below_root(desk: Desk, path: Path) -> str:
    """Return a file as git names it, from the root; one that lies elsewhere, whole."""
    place = Path(os.path.abspath(path))  # noqa: PTH100  (links keep their own name, as in git)
    return place.relative_to(desk.root).as_posix() if place.is_relative_to(desk.root) else place.as_posix()


def _decided(desk: Desk, status: SuggestionStatus) -> tuple[Decided, ...]:
    from memsuggest.workflows.stores import all_decisions, known_facts

    facts = {fact.id: fact for fact in known_facts(desk)}
    return tuple(
        Decided(fact=facts[decision.fact_id], target=decision.target, status=decision.status)
        for decision in all_decisions(desk)
        if decision.status is status and decision.fact_id in facts
    )


def show_suggestion(desk: Desk, prefix: str) -> Shown:
    """Return one suggestion, or a maybe, as it would be written now, with the suggestions like it.

    Raises MemsuggestError where there is none of this id, and where a maybe has no place.
    """
    from dataclasses import replace

    from memsuggest.model import is_maybe
    from memsuggest.suggestions.similar import similar
    from memsuggest.workflows.clashes import with_contradictions
    from memsuggest.workflows.danger import with_danger
    from memsuggest.workflows.maybes import find_planned
    from memsuggest.workflows.pending import replanned
    from memsuggest.workflows.waiting import load

    suggestion = find_planned(desk, prefix)
    shown = with_contradictions(desk, with_danger(replanned(desk, suggestion)))
    if suggestion.fact and is_maybe(suggestion.fact):
        return shown
    return replace(shown, similar=tuple(similar(suggestion, load(desk))))


def _other_fact(desk: Desk, prefix: str) -> FactShown | None:
    """Return what is remembered under this id prefix and does not wait, since it was decided or is contradicted.

    None where that is nothing.
    """
    from memsuggest.workflows.facts import show_fact
    from memsuggest.workflows.stores import known_facts

    facts = known_facts(desk)
    wanted = beginning(prefix, facts, shown_by="`memsuggest list`")
    found = [fact for fact in facts if fact.id.startswith(wanted)]
    shown = show_fact(desk, found[0].id) if len(found) == 1 else None
    return shown if shown and (shown.decisions or shown.contradictions) else None


def show_whole(desk: Desk, prefix: str) -> Shown | FactShown:
    """Do the same, but return a maybe without a place as a mere fact, with the reason."""
    from dataclasses import replace

    from memsuggest.workflows.facts import show_fact
    from memsuggest.workflows.maybes import find_pending_or_maybe

    try:
        found = find_pending_or_maybe(desk, prefix)
    except UnknownId:
        other = _other_fact(desk, prefix)
        if other is None:
            raise
        return other
    try:
        return show_suggestion(desk, found.id)
    except MemsuggestError as error:
        if isinstance(found, MemorySuggestion):
            raise
        return replace(show_fact(desk, found.id), note=error.message)
