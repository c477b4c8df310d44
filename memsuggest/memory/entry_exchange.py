"""Entries as a document that a person keeps or takes elsewhere, and back."""

from __future__ import annotations

import json
from contextlib import suppress

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.text.when import parse_moment
from memsuggest.facts.known_places import note_place
from memsuggest.files.journal import IMPORTED
from memsuggest.memory.change_memory import changing_memory
from memsuggest.memory.context_block import identity_text, section_name
from memsuggest.memory.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, new_entry
from memsuggest.memory.memory_entries import CONTENT_LIMIT, KnownEntries, checked_content, checked_tags, take_entry
from memsuggest.memory.recall_reports import EntriesChanged, LeftOut

VERSION = 1
_TITLES = {Layer.KNOWLEDGE: "What is known", Layer.ARCHIVE: "What was done"}
_MOST = 20_000  # entries of a file that are taken


def export_entries(context: Context, *, layer: Layer | None, everywhere: bool, format: str) -> str:
    """Return all entries as one JSON or Markdown document."""
    from memsuggest.core.json_shape import fill
    from memsuggest.memory.recall_reports import EntryJson

    entries = context.profile.entries.entries(layers=(layer,) if layer else tuple(Layer), everywhere=everywhere)
    if format != "markdown":
        document = {"version": VERSION, "entries": [fill(EntryJson, entry) for entry in entries]}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    parts = ["# Memory\n"]
    if identity := identity_text(entries):
        parts.append("## Who I am\n\n" + identity.replace("## ", "### ", 1).replace("\n## ", "\n### "))
    for own, title in _TITLES.items():
        rows = [f"- {entry.content} ({entry.source}, {entry.status})" for entry in entries if entry.layer is own]
        if rows:
            parts.append(f"## {title}\n\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def import_entries(context: Context, text: str, *, name: str) -> EntriesChanged:
    """Add the entries of an exported document, as an assistant's: a file is nobody's word until it is confirmed.

    Raises MemsuggestError for a document that is none of ours; what may not be remembered is told and left out.
    """
    hint = "create a file with `memsuggest memory export --format json`"
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise MemsuggestError(f"`{name}` is not valid JSON", hint=hint) from None
    if not isinstance(document, dict) or not isinstance(document.get("entries"), list):
        raise MemsuggestError(f"`{name}` contains no memory entries", hint=hint)
    if document.get("version") != VERSION:
        raise MemsuggestError(
            f"`{name}` has the unsupported version {document.get('version')!r}",
            hint=f"this release of memsuggest supports version {VERSION}",
        )
    if len(document["entries"]) > _MOST:
        raise MemsuggestError(f"`{name}` contains more than {_MOST:,} entries", hint="split the file")
    entries, left_out, changes = [], [], []
    for place, value in enumerate(document["entries"], 1):
        try:
            entries.append((place, _entry(context, value)))
        except MemsuggestError as error:
            left_out.append(LeftOut(place=place, content=_shown(value), why=error.message))
    with changing_memory(context, IMPORTED):
        note_place(context)
        known = KnownEntries(context.profile.entries.entries())
        for place, entry in entries:
            try:
                changed = take_entry(context, entry, known)
            except MemsuggestError as error:
                left_out.append(LeftOut(place=place, content=entry.content, why=error.message))
                continue
            changes.append(changed)
            if changed.did != "kept":
                known.add(changed.entry)
    return EntriesChanged(changes=changes, left_out=sorted(left_out, key=lambda item: item.place))


def _entry(context: Context, value: object) -> Entry:
    """Return an entry as a document tells it, as an assistant's; raises MemsuggestError."""
    if not isinstance(value, dict):
        raise MemsuggestError("not a JSON object")
    layer, content, tags = value.get("layer"), value.get("content"), value.get("tags")
    if layer not in [item.value for item in Layer]:
        raise MemsuggestError(f"`layer` must be `{Layer.IDENTITY}`, `{Layer.KNOWLEDGE}` or `{Layer.ARCHIVE}`")
    if not isinstance(content, str):
        raise MemsuggestError("`content` is missing")
    if value.get("status", EntryStatus.ACTIVE) == EntryStatus.INACTIVE:
        raise MemsuggestError("corrected later, so no longer true")
    content = checked_content(content, Source.AGENT)
    is_everywhere = layer == Layer.IDENTITY or not value.get("project")
    project = EVERYWHERE if is_everywhere else context.place.key
    created = _moment(value.get("createdAt"), latest=context.now())
    names = {"task": "", "section": ""}  # empty where one may not be remembered
    for name in names:
        with suppress(MemsuggestError):
            text = value.get(name)
            names[name] = checked_content(text, Source.AGENT) if isinstance(text, str) and text else ""
    kept: tuple[str, ...] = ()
    for tag in tags if isinstance(tags, list) else ():
        with suppress(MemsuggestError):
            kept = checked_tags((*kept, tag)) if isinstance(tag, str) else kept
    updated = max(created, _moment(value.get("updatedAt", value.get("createdAt")), latest=context.now()))
    return new_entry(Layer(layer), project, content, Source.AGENT, at=created)._replace(
        updated_at=updated,
        task=names["task"],
        section=section_name(names["section"]) if layer == Layer.IDENTITY else "",
        tags=kept,
    )


def _moment(value: object, *, latest: int) -> int:
    """Return a time of a document in milliseconds since the epoch; `latest` for none, and for one to come."""
    with suppress(MemsuggestError, OverflowError):
        if isinstance(value, str):
            return max(0, min(latest, parse_moment(value, now=latest) or latest))
    return latest


def _shown(value: object) -> str:
    """Return what an entry that is left out says, without what no terminal should see."""
    from memsuggest.core.redact import redact

    content = value.get("content") if isinstance(value, dict) else None
    return redact(content[:CONTENT_LIMIT]).text if isinstance(content, str) else ""
