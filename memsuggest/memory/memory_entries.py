"""Writing to memory: what may become an entry, by whom, and what happens to the one that it corrects.

The person's own word is never overwritten by an assistant's: what contradicts it waits until the person confirms it,
and so does what an assistant would have in every chat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from memsuggest.core.context import Context
from memsuggest.core.errors import LEAST, MemsuggestError, UnknownId, beginning, only_one
from memsuggest.facts.fact_store import checked_words
from memsuggest.facts.known_places import note_place
from memsuggest.files.journal import ADDED, CONFIRMED, DEACTIVATED, EDITED
from memsuggest.memory.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, entry_id
from memsuggest.memory.entry_places import (
    SHORT,
    KnownEntries,
    added,
    in_place_of,
    kept,
    proposed,
    require_room,
    reworded,
)
from memsuggest.memory.entry_store import sees
from memsuggest.memory.identity_text import section_name
from memsuggest.memory.recall_reports import EntryChanged, EntryRows

CONTENT_LIMIT = 1_000
"""Characters of one entry."""
_MOST_TAGS, _TAG_LENGTH = 20, 60
"""Of one entry, and of one tag in characters."""
_BROWSE = "`memsuggest memory list`"


def checked_content(text: str, source: Source) -> str:
    """Return what an entry may hold, as one clean line; raises MemsuggestError for what may not be remembered.

    The person may word a rule as they like. What an assistant or a program writes may be no order, and no secret is cut
    out of it silently.
    """
    from memsuggest.core.redact import redact
    from memsuggest.judging.safety import commands_a_machine, has_read_order, refused, weakens_safety

    if len(text) > CONTENT_LIMIT:
        raise MemsuggestError(
            f"an entry can have at most {CONTENT_LIMIT:,} characters; this one has {len(text):,}",
            hint="state one fact per entry",
        )
    if source is not Source.USER and redact(text).found:
        raise MemsuggestError("the text contains a secret or personal data", hint="say where to find the secret")
    content = checked_words(text)
    why = refused(content) or ("" if source is Source.USER else weakens_safety(content))
    if not why and source is not Source.USER and (commands_a_machine(content) or has_read_order(content)):
        why = "is an order to the assistant"
    if why:
        raise MemsuggestError(
            f"not stored: the text {why}", hint="state a fact, such as `the team reviews every change`"
        )
    return content


def checked_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags, each once and on one line; raises MemsuggestError for what may not be remembered."""
    from memsuggest.core.redact import hidden_characters, redact

    found = tuple(dict.fromkeys(item for tag in tags if (item := " ".join(tag.split()))))
    if len(found) > _MOST_TAGS:
        raise MemsuggestError(
            f"an entry can have at most {_MOST_TAGS} tags; this one has {len(found)}", hint="keep the most useful ones"
        )
    for tag in found:
        if len(tag) > _TAG_LENGTH:
            raise MemsuggestError(
                f"a tag can have at most {_TAG_LENGTH} characters; this one has {len(tag):,}", hint="use a shorter tag"
            )
        if hidden_characters(tag) or not tag.isprintable():
            raise MemsuggestError("the tag contains invisible characters", hint="retype the tag")
        if redact(tag).found:
            raise MemsuggestError("the tag contains a secret or personal data", hint="remove the secret")
    return found


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
        tags=checked_tags(tags),
        session=session,
    )
    with _deciding(context, source, ADDED):
        note_place(context)
        return take_entry(context, entry, KnownEntries(context.profile.entries.entries()))


def take_entry(context: Context, entry: Entry, known: KnownEntries) -> EntryChanged:
    """Add an entry that may be remembered, unless it is there; what nobody but an assistant said makes room for it."""
    same = known.same(entry)
    own = next((item for item in same if item.source is Source.USER), None)
    if same and entry.source is not Source.USER:
        return kept(own or same[0], entry.source)
    if own and own.status is EntryStatus.ACTIVE:
        return kept(own, entry.source)
    return added(context, entry, known, instead_of=same)


def _deciding(context: Context, source: Source, verb: str) -> AbstractContextManager[None]:
    """Be the only one to change anything meanwhile; what the person decides is written down for `undo`."""
    from memsuggest.memory.change_memory import changing_memory

    return changing_memory(context, verb) if source is Source.USER else context.exclusive()


def find_entry(context: Context, prefix: str) -> Entry:
    """Return the entry with this id prefix; raises UnknownId for none and for several."""
    entries = context.profile.entries.entries(everywhere=True)
    wanted = beginning(prefix, entries, shown_by=_BROWSE)
    found = only_one([item for item in entries if item.id.startswith(wanted)], prefix, called="entries")
    if found is None:
        raise UnknownId(f"no entry with the id `{prefix}`", hint=f"{_BROWSE} lists the entries")
    return found


def find_forgettable(context: Context, prefix: str) -> Entry:
    """Return the entry with this id prefix, also one that is only kept for `undo`; raises UnknownId."""
    from memsuggest.memory.memory_journals import removed_entries

    try:
        return find_entry(context, prefix)
    except UnknownId:
        wanted = prefix.strip().lower()
        found = [item for item in removed_entries(context) if item.id.startswith(wanted)]
        if len(found) != 1 or len(wanted) < LEAST:
            raise
        return found[0]


def update_entry(
    context: Context, prefix: str, text: str, *, source: Source, tags: Sequence[str] | None = None
) -> EntryChanged:
    """Put an entry right: the old one becomes inactive and points to the new one.

    An assistant cannot change the person's word: what it writes waits. Raises UnknownId and MemsuggestError.
    """
    content = checked_content(text, source)
    with _deciding(context, source, EDITED):
        before = _changeable(context, prefix, source)
        after = before._replace(
            content=content,
            source=source,
            status=EntryStatus.ACTIVE,
            updated_at=context.now(),
            tags=before.tags if tags is None else checked_tags(tags),
        )
        if after._replace(updated_at=before.updated_at) == before:
            return EntryChanged(did="kept", entry=before, note="the entry already has this text")
        if source is Source.USER and before.source is Source.USER:
            return reworded(context, before, after._replace(status=before.status))
        new = after._replace(
            id=entry_id(before.layer, before.project, content),
            created_at=context.now(),
            recall_count=0,
            is_correction=False,
            is_fact=False,
        )
        if before.source is Source.USER or before.is_fact:
            return proposed(context, before, new)
        if new.id == before.id and source is not Source.USER:
            return reworded(context, before, after._replace(status=before.status))
        return in_place_of(context, before, new)


def _changeable(context: Context, prefix: str, source: Source) -> Entry:
    """Return an entry that may be changed; an assistant sees those of this project and of the person alone."""
    entry = find_entry(context, prefix)
    if source is not Source.USER and not sees(entry, context.place.key):
        raise UnknownId(f"`{prefix}` belongs to another project", hint="run the command in that project")
    if entry.is_fact and source is Source.USER:
        raise MemsuggestError(
            f"{entry.id[:SHORT]} is a fact", hint=f"`memsuggest memory edit {entry.id[:SHORT]}` changes the fact"
        )
    if entry.layer is Layer.ARCHIVE:
        raise MemsuggestError("the archive is append-only", hint="`memsuggest memory forget ID` deletes an entry")
    return entry


def deactivate_entry(context: Context, prefix: str, *, source: Source) -> EntryChanged:
    """Let an entry be recalled no more, and keep it for a look back; an assistant can do that to its own alone."""
    with _deciding(context, source, DEACTIVATED):
        entry = _changeable(context, prefix, source)
        if source is not Source.USER and (entry.source is Source.USER or entry.is_fact):
            raise MemsuggestError(
                "only the user can remove their own statements", hint=f"`memsuggest memory forget {entry.id[:SHORT]}`"
            )
        after = entry._replace(status=EntryStatus.INACTIVE, updated_at=context.now())
        context.profile.entries.update(after)
    return EntryChanged(did="deactivated", entry=after)


def confirm_entry(context: Context, prefix: str) -> EntryChanged:
    """Take what an assistant wrote as the person's word; what it contradicts of their entries becomes inactive."""
    with _deciding(context, Source.USER, CONFIRMED):
        entry = find_entry(context, prefix)
        if entry.is_fact:
            raise MemsuggestError(
                f"{entry.id[:SHORT]} is a fact", hint=f"`memsuggest memory confirm {entry.id[:SHORT]}` confirms facts"
            )
        store = context.profile.entries
        known = KnownEntries(store.entries())
        if entry.layer is Layer.IDENTITY:
            require_room(entry, known.identity, without={entry.superseded_by})
        after = entry._replace(
            source=Source.USER, status=EntryStatus.ACTIVE, superseded_by="", updated_at=context.now()
        )
        named = [item for item in store.entries() if item.id == entry.superseded_by]
        note = ""
        other = named[0] if named else known.contradicted(entry)
        if other and other.is_fact:
            note = f"fact {other.id[:SHORT]} still says `{other.content}`; `memsuggest memory edit` changes the fact"
        elif other:
            store.update(other._replace(status=EntryStatus.INACTIVE, superseded_by=entry.id))
        store.update(after)
    return EntryChanged(did="confirmed", entry=after, note=note)


def forget_entries(context: Context, prefixes: Iterable[str]) -> list[EntryChanged]:
    """Delete entries for good; raises UnknownId before anything is deleted. Facts are forgotten as facts.

    `undo` does not bring them back, nor does it bring back an earlier wording of theirs.
    """
    from memsuggest.facts.facts_by_hand import forget_facts
    from memsuggest.facts.forget_quotes import forget_quotes, stone_of
    from memsuggest.judging.model_access import forget_answers
    from memsuggest.memory.apps import forget_words_in_apps
    from memsuggest.memory.memory_journals import forget_in_journals

    with context.exclusive():
        found = [find_forgettable(context, prefix) for prefix in dict.fromkeys(prefixes)]
        own = [entry for entry in found if not entry.is_fact]
        context.profile.entries.remove(own)
        if own:
            words = [entry.content for entry in own]
            forget_in_journals(context, ids=[entry.id for entry in own], texts=words)
            context.profile.entries.forget_queries(words)
        context.profile.forget(stone_of(entry) for entry in own if entry.session)
        forget_answers(context, [entry.content for entry in own])
        forget_words_in_apps(context, [entry.content for entry in own])
        quoting = forget_quotes(context, [entry.content for entry in found if entry.layer is not Layer.ARCHIVE])
    forget_facts(context, [entry.id for entry in found if entry.is_fact])
    note = "the entry will not be learned from its chat again"
    return [
        *(EntryChanged(did="forgot", entry=entry, note=note if entry.session else "") for entry in found),
        *(EntryChanged(did="updated", entry=entry, note="the entry quoted the forgotten text") for entry in quoting),
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
            item
            for item in entries
            if (status is None or item.status.value == status)
            and wanted in f"{item.content} {item.section} {item.task} {' '.join(item.tags)}".casefold()
        ]
    )
