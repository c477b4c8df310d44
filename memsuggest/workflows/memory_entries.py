"""Writing to memory: what may become an entry, by whom, and what happens to the one that it corrects.

The person's own word is never overwritten by an assistant's: what contradicts it waits until the person confirms it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError, UnknownId
from memsuggest.recall.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, entry_id
from memsuggest.recall.identity_text import LIMIT, identity_of, identity_text, section_name
from memsuggest.reports.recall_reports import EntryChanged, EntryRows
from memsuggest.workflows.id_prefixes import beginning, only_one
from memsuggest.workflows.typed_words import checked_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.workflows.context import Context

CONTENT_LIMIT = 1_000
"""Characters of one entry."""
_SHORT = 7
_BROWSE = "`memsuggest memory browse`"


def checked_content(text: str, source: Source) -> str:
    """Return what an entry may hold, as one clean line; raises MemsuggestError for what may not be remembered.

    The person may word a rule as they like. What an assistant or a program writes may be no order, and no secret is cut
    out of it silently.
    """
    from memsuggest.extraction.safety import has_read_order, refused, weakens_safety  # noqa: PLC0415  (slow to load)
    from memsuggest.redact import redact  # noqa: PLC0415

    if len(text) > CONTENT_LIMIT:
        raise MemsuggestError(
            f"an entry has at most {CONTENT_LIMIT} characters, not {len(text):,}", hint="say one thing in it"
        )
    if source is not Source.USER and redact(text).found:
        raise MemsuggestError("it has a secret or personal data in it", hint="name the place that holds it instead")
    content = checked_words(text)
    why = refused(content) or ("" if source is Source.USER else weakens_safety(content))
    if not why and source is not Source.USER and (_is_order(content) or has_read_order(content)):
        why = "is an order to the assistant"
    if why:
        raise MemsuggestError(
            f"it cannot be remembered: it {why}", hint="state a fact: `the team reviews every change`"
        )
    return content


def _is_order(content: str) -> bool:
    from memsuggest.extraction.safety import commands_a_machine  # noqa: PLC0415  (slow to load)

    return commands_a_machine(content)


def add_entry(  # noqa: PLR0913  (the fields of an entry)
    context: Context,
    text: str,
    *,
    layer: Layer,
    source: Source,
    section: str = "",
    tags: Sequence[str] = (),
    task: str = "",
    session: str = "",
    is_everywhere: bool = False,
) -> EntryChanged:
    """Add an entry; one that is there already stays as it is. Raises MemsuggestError for what may not be remembered."""
    content = checked_content(text, source)
    project = EVERYWHERE if is_everywhere or layer is Layer.IDENTITY else context.place.key
    now = context.now()
    entry = Entry(
        id=entry_id(layer, project, content),
        layer=layer,
        content=content,
        source=source,
        created_at=now,
        updated_at=now,
        project=project,
        task=task,
        section=section_name(section) if layer is Layer.IDENTITY else "",
        tags=tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip())),
        session=session,
    )
    with context.exclusive():
        same = [one for one in context.profile.entries.entries() if _is_same(one, entry)]
        if same and (same[0].source is Source.USER or source is not Source.USER):
            return EntryChanged(did="kept", entry=same[0], note="it was there already")
        return _added(context, entry, instead_of=same)


def _is_same(one: Entry, other: Entry) -> bool:
    is_told = one.status is EntryStatus.ACTIVE or one.id == other.id
    return is_told and one.layer is other.layer and one.content.casefold() == other.content.casefold()


def _added(context: Context, entry: Entry, *, instead_of: Iterable[Entry] = ()) -> EntryChanged:
    store = context.profile.entries
    if entry.layer is Layer.KNOWLEDGE and entry.source is not Source.USER and (other := _contradicted(context, entry)):
        waiting = replace(entry, status=EntryStatus.PENDING, superseded_by="")
        store.add([waiting])
        return EntryChanged(
            did="waiting",
            entry=waiting,
            note=f"it contradicts what the person said ({other.id[:_SHORT]}: {other.content}), so it waits for"
            f" `memsuggest memory confirm {waiting.id[:_SHORT]}`",
        )
    if entry.layer is Layer.IDENTITY:
        _require_room(context, entry)
    store.remove([one for one in instead_of if not one.is_fact])
    store.add([entry])
    return EntryChanged(did="added", entry=entry)


def _contradicted(context: Context, entry: Entry) -> Entry | None:
    """Return the person's word that an entry contradicts."""
    from memsuggest.memory.contradictions import why_contradicting  # noqa: PLC0415  (slow to load)

    own = (
        one
        for one in context.profile.entries.entries(layers=(Layer.IDENTITY, Layer.KNOWLEDGE))
        if one.source is Source.USER and one.status is EntryStatus.ACTIVE
    )
    return next((one for one in own if why_contradicting(entry.content, one.content)), None)


def _require_room(context: Context, entry: Entry, *, without: str = "") -> None:
    """Raise MemsuggestError where the identity would grow beyond its limit."""
    kept = [
        one for one in context.profile.entries.entries(layers=(Layer.IDENTITY,)) if one.id not in (without, entry.id)
    ]
    size = len(identity_text([*kept, entry]))
    if size <= LIMIT:
        return
    largest = sorted(identity_of(kept), key=lambda one: len(one.content), reverse=True)[:5]
    listed = "; ".join(f"{one.id[:_SHORT]} ({len(one.content)}) {one.content[:40]}" for one in largest)
    raise MemsuggestError(
        f"the identity has room for {LIMIT:,} characters; with this it would have {size:,}",
        hint=f"merge or drop some with `memsuggest identity edit`, or `identity remove ID`: {listed}",
    )


def find_entry(context: Context, prefix: str) -> Entry:
    """Return the entry with this id prefix; raises UnknownId for none and for several."""
    entries = context.profile.entries.entries(everywhere=True)
    wanted = beginning(prefix, entries, shown_by=_BROWSE)
    found = only_one([one for one in entries if one.id.startswith(wanted)], prefix, called="entries")
    if found is None:
        raise UnknownId(f"no entry has the id `{prefix}`", hint=f"{_BROWSE} shows them")
    return found


def update_entry(
    context: Context, prefix: str, text: str, *, source: Source, tags: Sequence[str] | None = None
) -> EntryChanged:
    """Put an entry right: the old one becomes inactive and points to the new one.

    An assistant cannot change the person's word: what it writes waits. Raises UnknownId and MemsuggestError.
    """
    content = checked_content(text, source)
    with context.exclusive():
        before = find_entry(context, prefix)
        _refuse_others(before)
        if source is Source.USER and before.source is Source.USER:
            after = replace(before, content=content, tags=before.tags if tags is None else tuple(tags))
            return _reworded(context, before, replace(after, updated_at=context.now()))
        after = replace(
            before,
            id=entry_id(before.layer, before.project, content),
            content=content,
            source=source,
            status=EntryStatus.ACTIVE,
            updated_at=context.now(),
            created_at=context.now(),
            tags=before.tags if tags is None else tuple(tags),
            recall_count=0,
        )
        if before.source is Source.USER:
            return _proposed(context, before, after)
        if after.id == before.id:
            return _reworded(context, before, after)
        if before.layer is Layer.IDENTITY:
            _require_room(context, after, without=before.id)
        changed = _added(context, after)
        if changed.did == "added":
            context.profile.entries.update(replace(before, status=EntryStatus.INACTIVE, superseded_by=after.id))
        return replace(changed, did="updated") if changed.did == "added" else changed


def _reworded(context: Context, before: Entry, after: Entry) -> EntryChanged:
    if before.layer is Layer.IDENTITY:
        _require_room(context, after, without=before.id)
    context.profile.entries.update(after)
    return EntryChanged(did="updated", entry=after)


def _proposed(context: Context, before: Entry, after: Entry) -> EntryChanged:
    """Let what an assistant says against the person's word wait for the person."""
    waiting = replace(after, status=EntryStatus.PENDING, superseded_by=before.id)
    context.profile.entries.add([waiting])
    note = (
        f"the person said `{before.content}`; `memsuggest memory confirm {waiting.id[:_SHORT]}` puts this in its place"
    )
    return EntryChanged(did="waiting", entry=waiting, note=note)


def _refuse_others(entry: Entry) -> None:
    if entry.is_fact:
        raise MemsuggestError(
            f"{entry.id[:_SHORT]} is a fact", hint=f"`memsuggest facts edit {entry.id[:_SHORT]}` changes it"
        )
    if entry.layer is Layer.ARCHIVE:
        raise MemsuggestError("the archive is only added to", hint="`memsuggest memory forget ID` deletes an entry")


def deactivate_entry(context: Context, prefix: str, *, source: Source) -> EntryChanged:
    """Let an entry be recalled no more, and keep it for a look back; an assistant can do that to its own alone."""
    with context.exclusive():
        entry = find_entry(context, prefix)
        _refuse_others(entry)
        if source is not Source.USER and entry.source is Source.USER:
            raise MemsuggestError(
                "the person said it; only they can take it back", hint=f"`memsuggest memory forget {entry.id[:_SHORT]}`"
            )
        after = replace(entry, status=EntryStatus.INACTIVE, updated_at=context.now())
        context.profile.entries.update(after)
    return EntryChanged(did="deactivated", entry=after)


def confirm_entry(context: Context, prefix: str) -> EntryChanged:
    """Take what an assistant wrote as the person's word; what it contradicts of their entries becomes inactive."""
    with context.exclusive():
        entry = find_entry(context, prefix)
        store = context.profile.entries
        after = replace(
            entry, source=Source.USER, status=EntryStatus.ACTIVE, superseded_by="", updated_at=context.now()
        )
        named = [one for one in store.entries() if one.id == entry.superseded_by]
        note = ""
        other = named[0] if named else _contradicted(context, entry)
        if other and other.is_fact:
            note = f"the fact {other.id[:_SHORT]} still says `{other.content}`: `memsuggest facts edit` or `forget`"
        elif other:
            store.update(replace(other, status=EntryStatus.INACTIVE, superseded_by=entry.id))
        store.update(after)
    return EntryChanged(did="confirmed", entry=after, note=note)


def forget_entries(context: Context, prefixes: Iterable[str]) -> list[EntryChanged]:
    """Delete entries for good; raises UnknownId before anything is deleted. Facts are forgotten as facts."""
    from memsuggest.workflows.facts import forget_facts  # noqa: PLC0415
    from memsuggest.workflows.forget_quotes import forget_quotes, stone_of  # noqa: PLC0415

    with context.exclusive():
        found = [find_entry(context, prefix) for prefix in dict.fromkeys(prefixes)]
        own = [entry for entry in found if not entry.is_fact]
        context.profile.entries.remove(own)
        context.profile.forget(stone_of(entry) for entry in own if entry.session)
        quoting = forget_quotes(context, [entry.content for entry in found if entry.layer is not Layer.ARCHIVE])
    forget_facts(context, [entry.id for entry in found if entry.is_fact])
    note = "it is not read from its chat again"
    return [
        *(EntryChanged(did="forgot", entry=entry, note=note if entry.session else "") for entry in found),
        *(EntryChanged(did="updated", entry=entry, note="it quoted what was forgotten") for entry in quoting),
    ]


def browse(
    context: Context,
    *,
    layer: Layer | None = None,
    status: str | None = None,
    words: str = "",
    everywhere: bool = False,
) -> EntryRows:
    """Return entries by layer, whatever their status; those that hold some words if asked."""
    entries = context.profile.entries.entries(layers=(layer,) if layer else tuple(Layer), everywhere=everywhere)
    wanted = words.casefold()
    return EntryRows(
        entries=[
            one
            for one in entries
            if (status is None or one.status.value == status)
            and wanted in f"{one.content} {one.section} {one.task} {' '.join(one.tags)}".casefold()
        ]
    )
