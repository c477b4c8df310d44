"""Entries as a document that a person keeps or takes elsewhere, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.recall.entry import Layer, Source
from memsuggest.recall.identity_text import identity_text
from memsuggest.suggestions.store.journal import IMPORTED
from memsuggest.workflows.memory.change_memory import changing_memory
from memsuggest.workflows.memory.memory_entries import add_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.recall.entry import Entry
    from memsuggest.reports.recall_reports import EntryChanged
    from memsuggest.workflows.context import Context

VERSION = 1
_TITLES = {Layer.KNOWLEDGE: "What is known", Layer.ARCHIVE: "What was done"}
_MOST = 20_000
"""Entries of a file that are taken."""


def export_entries(context: Context, *, layer: Layer | None, everywhere: bool, format: str) -> str:
    """Return all entries as one JSON or Markdown document."""
    entries = context.profile.entries.entries(layers=(layer,) if layer else tuple(Layer), everywhere=everywhere)
    return _as_markdown(entries) if format == "markdown" else _as_json(entries)


def _as_json(entries: Sequence[Entry]) -> str:
    from memsuggest.render.as_json.memory_shapes import entry_json  # noqa: PLC0415

    document = {"version": VERSION, "entries": [entry_json(entry) for entry in entries]}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _as_markdown(entries: Sequence[Entry]) -> str:
    parts = ["# Memory\n"]
    if identity := identity_text(entries):
        parts.append("## Who I am\n\n" + identity.replace("## ", "### ", 1).replace("\n## ", "\n### "))
    for layer, title in _TITLES.items():
        rows = [f"- {entry.content} ({entry.source}, {entry.status})" for entry in entries if entry.layer is layer]
        if rows:
            parts.append(f"## {title}\n\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def import_entries(context: Context, text: str, *, name: str) -> list[EntryChanged]:
    """Add the entries of an exported document, as an assistant's: a file is nobody's word until it is confirmed.

    Raises MemsuggestError for a document that is none of ours; what may not be remembered is told and left out.
    """
    listed = _listed(text, name)
    with changing_memory(context, IMPORTED):
        return _taken_in(context, listed, name)


def _taken_in(context: Context, listed: Iterable[dict[str, object]], name: str) -> list[EntryChanged]:
    changes = []
    for at, found in enumerate(listed, 1):
        layer, content = found.get("layer"), found.get("content")
        if layer not in (Layer.IDENTITY.value, Layer.KNOWLEDGE.value) or not isinstance(content, str):
            continue
        tags = found.get("tags")
        try:
            changed = add_entry(
                context,
                content,
                layer=Layer.KNOWLEDGE,
                source=Source.AGENT,
                tags=[tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else (),
                is_everywhere=not found.get("project"),
            )
        except MemsuggestError as error:
            raise MemsuggestError(f"`{name}`, entry {at}: {error.message}", hint=error.hint) from None
        changes.append(changed)
    return changes


def _listed(text: str, name: str) -> list[dict[str, object]]:
    hint = "`memsuggest memory export --format json` writes one"
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise MemsuggestError(f"`{name}` is no JSON", hint=hint) from None
    if not isinstance(document, dict) or not isinstance(document.get("entries"), list):
        raise MemsuggestError(f"`{name}` holds no entries of memory", hint=hint)
    if document.get("version") != VERSION:
        raise MemsuggestError(f"`{name}` has version {document.get('version')!r}", hint=f"this program reads {VERSION}")
    if len(document["entries"]) > _MOST:
        raise MemsuggestError(f"`{name}` holds more than {_MOST:,} entries", hint="take them in several files")
    return [entry for entry in document["entries"] if isinstance(entry, dict)]
