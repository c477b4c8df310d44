"""Lines about what is gone, as suggestions: taken out, or put right where it only has another name now. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.line_kinds import split_lines
from memsuggest.customizations.staleness.references import ReferenceKind
from memsuggest.model import Cause, MemorySuggestion
from memsuggest.suggestions.maintenance import made

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memsuggest.customizations.staleness.references import Reference
    from memsuggest.customizations.staleness.removal import Removal
    from memsuggest.customizations.staleness.stale_lines import Stale
    from memsuggest.model import Target

_NEVER_THERE = "nothing in the repo has this path, or ends with it"
_ONLY_ONE = "nothing else in the repo has that name"


def of_stale(
    target: Target, stale: Stale, removals: Mapping[Reference, Removal], *, is_history_whole: bool = False
) -> MemorySuggestion | None:
    """Suggest taking out lines whose matter is gone, or giving it its new name; None where neither is plain.

    What a whole history never had is not gone: it is to come, or the file was written for another repo.
    """
    found = {one: removals[one] for one in stale.gone if one in removals}
    if not (stale.is_plain or len(found) == len(stale.gone)) or any(one.is_doubtful for one in found.values()):
        return None
    names = {one: name for one in stale.gone if (name := _new_name(one, stale, found)) is not None}
    if names:
        is_whole = len(names) == len(stale.gone) and all(names.values())
        return _put_right(target, stale, names, found) if is_whole else None
    if stale.edit is None or (is_history_whole and len(found) < len(stale.gone)):
        return None
    is_are = "are" if len(stale.gone) > 1 else "is"
    return made(
        target,
        cause=Cause.STALE,
        name="stale",
        content=f"It speaks of {_listed(one.shown for one in stale.gone)}, which {is_are} gone",
        why=_commit(found, "removed it") or _NEVER_THERE,
        after=stale.edit.after or "",
    )


def _new_name(one: Reference, stale: Stale, found: Mapping[Reference, Removal]) -> str | None:
    """Return what something is called now; empty where that cannot be told, None where it is gone."""
    if one in found and found[one].renamed_to:
        return found[one].renamed_to
    places = stale.elsewhere.get(one, ())
    return None if not places else places[0] if len(places) == 1 else ""


def _put_right(
    target: Target, stale: Stale, names: Mapping[Reference, str], found: Mapping[Reference, Removal]
) -> MemorySuggestion | None:
    after = _with_names(target, stale, names)
    if after is None:
        return None
    verb = "moved" if all(one.kind is ReferenceKind.PATH for one in names) else "was renamed"
    told = f"It cites {_listed(one.shown for one in names)}, which {verb} to {_listed(names.values())}"
    renamed = {one: removal for one, removal in found.items() if removal.renamed_to}
    why = _commit(renamed, "renamed it") or _ONLY_ONE
    return made(target, cause=Cause.STALE, name="stale", content=told, why=why, after=after)


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _commit(found: Mapping[Reference, Removal], did: str) -> str:
    """Return the commit of the last thing that went; empty where none is known."""
    last = max(found.values(), key=lambda removal: removal.day, default=None)
    if last is None:
        return ""
    return f"commit {last.commit} {did} on {last.day}" + (f": “{last.subject}”" if last.subject else "")


def _with_names(target: Target, stale: Stale, names: Mapping[Reference, str]) -> str | None:
    """Return the file with the new names; None where an old one stands there in a way that leaves a doubt."""
    lines = split_lines(target.text)
    written = "".join(lines[stale.line : stale.end])
    for one, new in names.items():
        if written.count(one.written) != 1 or one.written.count(one.name) != 1:
            return None
        written = written.replace(one.written, one.written.replace(one.name, new))
    return "".join([*lines[: stale.line], written, *lines[stale.end :]])
