"""Calls of the assistants' tools on memory and suggestions: each opens the workspace anew and closes it.

So two calls never share a connection, and a setting or a store that changed meanwhile counts at once.
"""

from __future__ import annotations

import secrets
from contextlib import closing
from typing import TYPE_CHECKING, Any

from memsuggest.assistants.mcp_tools import ToolAnswer, checked
from memsuggest.core.config import Mode
from memsuggest.core.context import require_on
from memsuggest.core.errors import MemsuggestError, UnknownId
from memsuggest.core.json_shape import as_json, fill
from memsuggest.facts.stores import OWN_WORDS
from memsuggest.memory.context_block import ITEM_LIMIT, block, escaped
from memsuggest.memory.entry import EntryStatus, Layer, Source
from memsuggest.memory.entry_search import Filters, search
from memsuggest.memory.memory_entries import CONTENT_LIMIT, add_entry, deactivate_entry, find_entry, update_entry
from memsuggest.memory.recall_entries import Wanted, at_start, recall
from memsuggest.memory.recall_reports import EntryJson
from memsuggest.suggestions.suggestion_lines import SuggestionJson

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memsuggest.core.context import Context
    from memsuggest.memory.entry import Entry
    from memsuggest.memory.recall_reports import EntryChanged

_BUDGET = 12_000  # characters of an answer's entries
_RELATED, _RELATED_STRENGTH = 3, 3.5  # the number of entries named beside a new one, and their least strength
_ARCHIVED = 50
_SHORT = 7
_DONE = {"kept": "nothing changed", "deactivated": "removed from memory"}
_BY = {
    Source.USER: "said by the user",
    Source.AGENT: "noted by an assistant",
    Source.SYSTEM: "summarized by memsuggest",
}
_NOTHING = "No memories found."
_OFF = "\nMemory is off in this workspace: these are older entries, and nothing new is recorded."


class ContextCalls:
    """The calls of one workspace; each may take a while, and raises MemsuggestError."""

    def __init__(self, open_context: Callable[[], Context]) -> None:
        self._open = open_context

    def call(self, name: str, arguments: Mapping[str, object]) -> ToolAnswer:
        given: dict[str, Any] = checked(name, arguments)
        with closing(self._open()) as context:
            return _CALLS[name](context, **given)

    def identity(self) -> str:
        with closing(self._open()) as context:
            return at_start(context, budget=_BUDGET).block or "Nothing is known about the user yet.\n"

    def archive(self) -> str:
        with closing(self._open()) as context:
            entries = _newest(context, (Layer.ARCHIVE,))[:_ARCHIVED]
            return _block(entries) or "The archive is empty.\n"

    def archived(self, prefix: str) -> str:
        with closing(self._open()) as context:
            entry = find_entry(context, prefix)
            if entry.layer is not Layer.ARCHIVE or entry not in _newest(context, (Layer.ARCHIVE,)):
                raise UnknownId(f"`{prefix[:40]}` is not in the archive", hint="read memsuggest://archive for the list")
            return _block([entry], limit=CONTENT_LIMIT)

    def question(self, about: str) -> str:
        """Return the prompt that asks what is remembered, with what is found at once."""
        with closing(self._open()) as context:
            if about.strip():
                found = recall(context, about, Wanted(limit=20, budget=_BUDGET, via="mcp")).block
            else:
                found = at_start(context, budget=_BUDGET).block + _block(_newest(context, _KNOWN)[:20])
        return (
            f"What do you remember about {escaped(about)[:300] or 'me and this project'}? Search with `memory_search`"
            " if the following is not enough. Answer in a few sentences. For each memory, say who said it, when,"
            f" and whether it may be outdated.\n\n{found or _NOTHING}"
        )


def _search(
    context: Context,
    *,
    query: str,
    layer: str | None = None,
    project: str | None = None,
    tags: Sequence[str] = (),
    limit: int = 8,
) -> ToolAnswer:
    if not query.strip():
        raise MemsuggestError("the query is empty", hint="`memory_recent` lists the latest entries")
    if layer == Layer.IDENTITY:
        report = at_start(context, budget=_BUDGET)
    else:
        among = Layer(layer) if layer else None
        wanted = Wanted(layer=among, project=project, tags=tags, limit=limit, budget=_BUDGET, via="mcp")
        report = recall(context, query, wanted)
    found = {key: value for key, value in as_json(report).items() if key != "context"}
    note = f"\n{report.note}" if report.note else ""
    note += _OFF if context.settings.mode is Mode.OFF else ""
    return ToolAnswer(text=f"{report.block or _NOTHING}{note}", data=found)


def _recent(context: Context, *, layer: str | None = None, limit: int = 10) -> ToolAnswer:
    entries = _newest(context, (Layer(layer),) if layer else _KNOWN)[:limit]
    is_identity = layer == Layer.IDENTITY
    text = at_start(context, budget=_BUDGET).block if is_identity else _block(entries)
    return ToolAnswer(text=text or "Memory is empty.", data={"entries": [fill(EntryJson, entry) for entry in entries]})


_KNOWN = (Layer.KNOWLEDGE, Layer.ARCHIVE)


def _newest(context: Context, layers: Sequence[Layer]) -> list[Entry]:
    entries = context.profile.entries.entries(layers=layers)
    held = [entry for entry in entries if entry.status is EntryStatus.ACTIVE]
    return sorted(held, key=lambda entry: (-entry.updated_at, entry.id))


def _block(entries: Sequence[Entry], *, limit: int = ITEM_LIMIT) -> str:
    return block(entries, nonce=secrets.token_hex(4), limit=limit) if entries else ""


def _write(
    context: Context,
    *,
    action: str,
    layer: str | None = None,
    content: str = "",
    target_id: str = "",
    tags: Sequence[str] | None = None,
) -> ToolAnswer:
    def require(value: str, name: str, hint: str) -> None:
        if not value.strip():
            raise MemsuggestError(f"`{action}` needs `{name}`", hint=hint)

    require_on(context)
    if action != "add":
        require(target_id, "target_id", "use `memory_search` to find IDs")
    elif target_id:
        raise MemsuggestError(
            "`add` takes no `target_id`", hint="use `update` to correct an entry or `remove` to delete one"
        )
    if action == "remove":
        return _changed(context, deactivate_entry(context, target_id, source=Source.AGENT))
    require(content, "content", "state the fact in one sentence")
    if action == "update":
        return _changed(context, update_entry(context, target_id, content, source=Source.AGENT, tags=tags))
    wanted = Layer(layer) if layer else Layer.KNOWLEDGE
    changed = add_entry(context, content, layer=wanted, source=Source.AGENT, tags=tags or ())
    return _changed(context, changed, near=content)


def _changed(context: Context, changed: EntryChanged, *, near: str = "") -> ToolAnswer:
    entry = changed.entry
    rows = [f"{_DONE.get(changed.did, changed.did)}: {entry.id[:_SHORT]} in {entry.layer} ({_BY[entry.source]})"]
    rows += [changed.note] if changed.note else []
    related: list[Entry] = []
    if near and changed.did != "kept":  # the wrong entry behind a correction is often among what is nearest to it
        filters = Filters(layers=(Layer.KNOWLEDGE,), project=context.place.key)
        hits = search(context.profile.entries.connection, near, filters, now=context.now())
        related = [hit.entry for hit in hits if hit.strength >= _RELATED_STRENGTH and hit.entry.id != entry.id]
        related = related[:_RELATED]
    if related:
        rows += ["", "Related entries. `update` or `remove` any entry that is now wrong:", _block(related)]
    data = {
        "did": changed.did,
        "entry": fill(EntryJson, entry),
        "note": changed.note,
        "related": [fill(EntryJson, entry) for entry in related],
    }
    return ToolAnswer(text="\n".join(rows), data=data)


def _suggestions(context: Context, *, limit: int = 20) -> ToolAnswer:
    from memsuggest.suggestions.review import list_suggestions

    listing = list_suggestions(context, status="pending")
    pending = [*listing.suggestions, *listing.maintenance]
    text = f"No suggestions are pending (mode: {listing.mode})."
    if pending:
        text = (
            f"Pending suggestions (not rules yet): {len(pending)}. The user applies or dismisses them with "
            "`memsuggest review`.\n"
        ) + "\n".join(
            f"- {made.id[:_SHORT]} {escaped(made.content)} → "
            f"{escaped(made.target_uri or made.suggested_file_name or '')}"
            for made in pending[:limit]
        )
        text += f"\n{len(pending) - limit} more." if len(pending) > limit else ""
    data = {
        "mode": listing.mode.value,
        "waiting": len(pending),
        "suggestions": [fill(SuggestionJson, suggestion) for suggestion in pending[:limit]],
    }
    return ToolAnswer(text=text, data=data)


def _suggestion(context: Context, *, id: str) -> ToolAnswer:
    from memsuggest.customizations.diff import unified
    from memsuggest.suggestions.review import show_suggestion

    shown = show_suggestion(context, id)
    suggestion = shown.suggestion
    rows = [suggestion.content, f"reason: {suggestion.why}"]
    for citation in suggestion.citations:
        who = "the user said" if citation.trust in OWN_WORDS else f"not the user's own words ({citation.trust})"
        rows.append(f"{who}: {escaped(citation.quote)}")
    rows += [f"careful: {shown.danger}"] if shown.danger else []
    rows += [
        "",
        unified(suggestion.edit),
        f"Only the user may apply this suggestion: `memsuggest apply {suggestion.id[:_SHORT]}`.",
    ]
    return ToolAnswer(text="\n".join(rows), data=as_json(shown))


_CALLS: Mapping[str, Callable[..., ToolAnswer]] = {
    "memory_search": _search,
    "memory_write": _write,
    "memory_recent": _recent,
    "suggestions_list": _suggestions,
    "suggestion_show": _suggestion,
}
