"""Writing to memory: what may become an entry, by whom, and what happens to the one that it corrects.

The person's own word is never overwritten by an assistant's: what contradicts it waits until the person confirms it,
and so does what an assistant would have in every chat.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, UnknownId, beginning, only_one
from memsuggest.core.model import FactStatus, MemoryFact, Scope
from memsuggest.facts.fact_store import checked_words
from memsuggest.facts.known_places import note_place
from memsuggest.files.journal import ADDED, CONFIRMED, DEACTIVATED, EDITED, FORGOT, IDENTITY
from memsuggest.memory.change_memory import changing_memory, forget_in_journals, removed_entries
from memsuggest.memory.context_block import IDENTITY_LIMIT, identity_of, identity_size, identity_text, section_name
from memsuggest.memory.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, entry_id, new_entry
from memsuggest.memory.guard import as_rule, why_pending
from memsuggest.memory.recall_reports import EntryChanged, IdentityReport

if TYPE_CHECKING:
    from memsuggest.facts.contradictions import RulesByWord

CONTENT_LIMIT = 1_000  # characters of one entry
_MOST_TAGS, _TAG_LENGTH = 20, 60  # of one entry, and of one tag in characters
_SHORT = 7  # characters of an id in a message
_BROWSE = "`memsuggest memory list`"
_SIGNS = re.compile(r"[^\w+#./:@-]+")


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
    is_persons = source is Source.USER
    if not is_persons and redact(text).found:
        raise MemsuggestError(
            "the text contains a secret or personal data", hint="instead, say where the secret can be found"
        )
    content = checked_words(text)
    why = refused(content) or ("" if is_persons else weakens_safety(content))
    if not why and not is_persons and (commands_a_machine(content) or has_read_order(content)):
        why = "is an instruction to the assistant"
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


class KnownEntries:
    """The entries that a new one is compared with: those that say the same, and the person's that it contradicts."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.all: list[Entry] = []
        self._by_words: dict[tuple[Layer, str], list[Entry]] = {}
        self._words_by_id: dict[tuple[Layer, str], str] = {}
        self._own: RulesByWord[Entry] | None = None  # what the person said, as rules; made when it is asked for
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        words = _words(entry)
        self.all.append(entry)
        self._by_words.setdefault((entry.layer, words), []).append(entry)
        self._words_by_id[entry.layer, entry.id] = words
        if entry.source is Source.USER:
            self._own = None

    def same(self, entry: Entry, *, but: Entry | None = None) -> list[Entry]:
        """Return what says the same but for signs and capitals; of what was corrected, only what began so, too."""
        found = self._by_words.get((entry.layer, _words(entry)), ())
        is_known = [item for item in found if item.status is not EntryStatus.INACTIVE or item.id == entry.id]
        return [item for item in is_known if but is None or item.id != but.id]

    def with_own_id(self, entry: Entry) -> Entry:
        """Return an entry with an id that no other has: one that began with the same words may say something else."""
        number = 1
        while self._words_by_id.get((entry.layer, entry.id), _words(entry)) != _words(entry):
            number += 1
            entry = entry._replace(id=entry_id(entry.layer, entry.project, f"{entry.content} {number}"))
        return entry

    def contradicted(self, entry: Entry) -> Entry | None:
        from memsuggest.core.text.likeness import opposed
        from memsuggest.facts.contradictions import RulesByWord

        if self._own is None:
            own = [item for item in self.all if item.source is Source.USER and item.status is EntryStatus.ACTIVE]
            self._own = RulesByWord((as_rule(item.content), item) for item in own if item.layer is not Layer.ARCHIVE)
        rule = as_rule(entry.content)
        return next((item for item in self._own.near(rule) if opposed(rule, as_rule(item.content))), None)

    def require_room(self, entry: Entry, *, without: Collection[str] = ()) -> None:
        """Raise MemsuggestError where the identity would grow beyond its limit with an entry."""
        if entry.layer is not Layer.IDENTITY:
            return
        kept = [item for item in identity_of(self.all) if item.id != entry.id and item.id not in without]
        size = identity_size([*kept, entry._replace(status=EntryStatus.ACTIVE)])
        if size <= IDENTITY_LIMIT:
            return
        largest = sorted(kept, key=lambda item: len(item.content), reverse=True)[:5]
        listed = "; ".join(f"{item.id[:_SHORT]} ({len(item.content)}) {item.content[:40]}" for item in largest)
        raise MemsuggestError(
            f"with this entry, the identity would be {size:,} characters long, but the limit is {IDENTITY_LIMIT:,}",
            hint=f"merge or remove lines with `memsuggest memory edit identity` or `memory remove ID`: {listed}",
        )


def _words(entry: Entry) -> str:
    """Return what an entry says but for capitals, spaces and the signs between words: C is not C++."""
    found = _SIGNS.sub(" ", entry.content.casefold()).split()
    return " ".join(word.strip(".:-/") or word for word in found) or entry.content


def _deciding(context: Context, source: Source, verb: str) -> AbstractContextManager[None]:
    """Be the only one to change anything meanwhile; what the person decides is written down for `undo`."""
    return changing_memory(context, verb) if source is Source.USER else context.exclusive()


# Adding.


def add_entry(  # noqa: PLR0913  (the fields of an entry)
    context: Context,
    text: str,
    *,
    layer: Layer,
    source: Source,
    section: str = "",
    tags: Sequence[str] = (),
    is_everywhere: bool = False,
) -> EntryChanged:
    """Add an entry; one that is there already stays as it is. Raises MemsuggestError for what may not be remembered."""
    content, is_identity = checked_content(text, source), layer is Layer.IDENTITY
    project = EVERYWHERE if is_everywhere or is_identity else context.place.key
    entry = new_entry(layer, project, content, source, at=context.now())._replace(
        section=section_name(section) if is_identity else "", tags=checked_tags(tags)
    )
    with _deciding(context, source, ADDED):
        note_place(context)
        return take_entry(context, entry, KnownEntries(context.profile.entries.entries()))


def take_entry(context: Context, entry: Entry, known: KnownEntries) -> EntryChanged:
    """Add an entry that may be remembered, unless it is there; what nobody but an assistant said makes room for it."""
    same = known.same(entry)
    own = next((item for item in same if item.source is Source.USER), None)
    if same and entry.source is not Source.USER:
        return _kept(own or same[0], entry.source)
    if own and own.status is EntryStatus.ACTIVE:
        return _kept(own, entry.source)
    return _added(context, entry, known, instead_of=same)


def _kept(entry: Entry, source: Source) -> EntryChanged:
    note = {
        EntryStatus.ACTIVE: "already stored",
        EntryStatus.PENDING: "already stored, pending the user's confirmation",
        EntryStatus.INACTIVE: "already stored, but since corrected and no longer recalled",
    }[entry.status]
    if entry.status is EntryStatus.INACTIVE and source is not Source.USER:
        note += f"; only the user can restore the entry, with `memsuggest memory confirm {entry.id[:_SHORT]}`"
    return EntryChanged(did="kept", entry=entry, note=note)


def _added(context: Context, entry: Entry, known: KnownEntries, *, instead_of: Sequence[Entry] = ()) -> EntryChanged:
    """Add an entry, or let it wait; raises MemsuggestError where the identity is full.

    The identity is in every chat without a word of who wrote it, so all of it has to be the person's.
    """
    store = context.profile.entries
    entry, why = known.with_own_id(entry), ""
    known.require_room(entry, without={item.id for item in instead_of})
    store.remove([item for item in instead_of if not item.is_fact])
    if entry.source is not Source.USER:
        if entry.layer is Layer.IDENTITY:
            why = "the identity contains only what the user said or confirmed"
        elif other := known.contradicted(entry):
            why = f"the text contradicts what the user said ({other.id[:_SHORT]}: {other.content})"
        elif entry.source is Source.AGENT:
            why = why_pending(entry.content)
    if why:
        entry = entry._replace(status=EntryStatus.PENDING, superseded_by="")
        why = f"{why}, so the entry is pending; `memsuggest memory confirm {entry.id[:_SHORT]}` activates it"
    store.add([entry])
    return EntryChanged(did="waiting" if why else "added", entry=entry, note=why)


# Changing.


def update_entry(
    context: Context, prefix: str, text: str, *, source: Source, tags: Sequence[str] | None = None
) -> EntryChanged:
    """Put an entry right: the old one becomes inactive and points to the new one.

    An assistant cannot change the person's word: what it writes waits. Raises UnknownId and MemsuggestError.
    """
    content = checked_content(text, source)
    store, is_users = context.profile.entries, source is Source.USER
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
        new = after._replace(
            id=entry_id(before.layer, before.project, content),
            created_at=context.now(),
            recall_count=0,
            is_correction=False,
            is_fact=False,
        )
        known, is_own = KnownEntries(store.entries()), before.source is Source.USER
        if before.is_fact or (is_own and not is_users):
            return _proposed(context, before, new, known)
        if not is_own and (is_users or new.id != before.id):
            return _in_place_of(context, before, new, known)
        # Reworded in its place; another one of the person that says the same as it does now goes.
        after = after._replace(status=before.status)
        same = known.same(after, but=before)
        if is_users:
            same = [item for item in same if not item.is_fact and item.project == after.project]
            store.remove(same)
        known.require_room(after, without={item.id for item in same})
        store.update(after)
    note = f"{same[0].id[:_SHORT]} said the same thing and was removed" if is_users and same else ""
    return EntryChanged(did="updated", entry=after, note=note)


def _in_place_of(context: Context, before: Entry, new: Entry, known: KnownEntries) -> EntryChanged:
    """Put an entry in the place of one that nobody but an assistant said, which is kept as inactive."""
    settled = [
        item
        for item in known.same(new, but=before)
        if item.source is Source.USER or item.status is EntryStatus.INACTIVE
    ]
    is_pending = before.status is EntryStatus.PENDING
    against = [item for item in known.all if item.id == before.superseded_by and is_pending]
    if settled and new.source is not Source.USER:
        changed = _kept(settled[0], new.source)
    elif against and new.source is not Source.USER:  # still a proposal against what the person said
        changed = _proposed(context, against[0], new, known)
    else:
        changed = _added(context, new, known, instead_of=[before] if new.id == before.id else ())
    if new.id != before.id and (changed.did == "added" or is_pending):
        context.profile.entries.update(before._replace(status=EntryStatus.INACTIVE, superseded_by=changed.entry.id))
    return replace(changed, did="updated") if changed.did == "added" else changed


def _proposed(context: Context, before: Entry, after: Entry, known: KnownEntries) -> EntryChanged:
    """Let what an assistant says against the person's word wait for the person."""
    own = [item for item in known.same(after) if item.source is Source.USER]
    if own:  # the same words: what the person said stays as it is
        return _kept(own[0], after.source)
    waiting = known.with_own_id(after)._replace(status=EntryStatus.PENDING, superseded_by=before.id)
    context.profile.entries.add([waiting])
    note = (
        f"the user said `{before.content}`; `memsuggest memory confirm {waiting.id[:_SHORT]}` replaces that statement"
    )
    return EntryChanged(did="waiting", entry=waiting, note=note)


def _changeable(context: Context, prefix: str, source: Source) -> Entry:
    """Return an entry that may be changed; an assistant sees those of this project and of the person alone."""
    entry = find_entry(context, prefix)
    if source is not Source.USER and entry.project not in (EVERYWHERE, context.place.key):
        raise UnknownId(f"`{prefix}` belongs to another project", hint="run the command in that project")
    if entry.is_fact and source is Source.USER:
        raise MemsuggestError(
            f"{entry.id[:_SHORT]} is a fact", hint=f"`memsuggest memory edit {entry.id[:_SHORT]}` changes the fact"
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
                "only the user can remove their own statements", hint=f"`memsuggest memory forget {entry.id[:_SHORT]}`"
            )
        after = entry._replace(status=EntryStatus.INACTIVE, updated_at=context.now())
        context.profile.entries.update(after)
    return EntryChanged(did="deactivated", entry=after)


def confirm_entry(context: Context, prefix: str) -> EntryChanged:
    """Take what an assistant wrote as the person's word; what it contradicts of their entries becomes inactive."""
    with changing_memory(context, CONFIRMED):
        entry = find_entry(context, prefix)
        if entry.is_fact:
            raise MemsuggestError(
                f"{entry.id[:_SHORT]} is a fact",
                hint=f"to confirm the fact, run `memsuggest memory confirm {entry.id[:_SHORT]}`",
            )
        store = context.profile.entries
        known = KnownEntries(store.entries())
        known.require_room(entry, without={entry.superseded_by})
        after = entry._replace(
            source=Source.USER, status=EntryStatus.ACTIVE, superseded_by="", updated_at=context.now()
        )
        named = next((item for item in known.all if item.id == entry.superseded_by), None)
        other, note = named or known.contradicted(entry), ""
        if other and other.is_fact:
            note = f"fact {other.id[:_SHORT]} still says `{other.content}`; `memsuggest memory edit` changes the fact"
        elif other:
            store.update(other._replace(status=EntryStatus.INACTIVE, superseded_by=entry.id))
        store.update(after)
    return EntryChanged(did="confirmed", entry=after, note=note)


def forget_entries(context: Context, prefixes: Iterable[str]) -> list[EntryChanged]:
    """Delete entries for good; raises UnknownId before anything is deleted. Facts are forgotten as facts.

    `undo` does not bring them back, nor does it bring back an earlier wording of theirs.
    """
    from memsuggest.facts.facts_by_hand import forget_facts
    from memsuggest.facts.forget_quotes import forget_quotes, tombstone_of
    from memsuggest.judging.model_access import forget_answers
    from memsuggest.memory.apps import forget_words_in_apps

    with context.exclusive():
        found = [find_entry(context, prefix, is_gone_too=True) for prefix in dict.fromkeys(prefixes)]
        own = [entry for entry in found if not entry.is_fact]
        words = [entry.content for entry in own]
        context.profile.entries.remove(own)
        if own:
            forget_in_journals(context.folders, context, ids=[entry.id for entry in own], texts=words)
            context.profile.entries.forget_queries(words)
        context.profile.forget(tombstone_of(entry) for entry in own if entry.session)
        forget_answers(context, words)
        forget_words_in_apps(context, words)
        quoting = forget_quotes(context, [entry.content for entry in found if entry.layer is not Layer.ARCHIVE])
    forget_facts(context, [entry.id for entry in found if entry.is_fact])
    note = "the entry will not be learned from its chat again"
    return [
        *(EntryChanged(did="forgot", entry=entry, note=note if entry.session else "") for entry in found),
        *(EntryChanged(did="updated", entry=entry, note="the entry quoted the forgotten text") for entry in quoting),
    ]


# Finding.


def find_entry(context: Context, prefix: str, *, is_gone_too: bool = False) -> Entry:
    """Return the entry with this id prefix; raises UnknownId for none and for several.

    If asked, also an entry that is only kept for `undo`.
    """
    entries = context.profile.entries.entries(everywhere=True)
    wanted = beginning(prefix, entries, shown_by=_BROWSE)
    found = only_one([item for item in entries if item.id.startswith(wanted)], prefix, called="entries")
    if found is None and is_gone_too:
        gone = [item for item in removed_entries(context) if item.id.startswith(wanted)]
        found = gone[0] if len(gone) == 1 else None
    if found is None:
        raise UnknownId(f"no entry with the ID `{prefix}`", hint=f"{_BROWSE} lists the entries")
    return found


def find_memory(context: Context, prefix: str, *, is_gone_too: bool = False) -> MemoryFact | Entry:
    """Do the same among facts, too."""
    from memsuggest.facts.look_at_facts import find_fact

    try:
        entry = find_entry(context, prefix, is_gone_too=is_gone_too)
    except UnknownId:
        with suppress(UnknownId):
            return find_fact(context, prefix)  # a maybe, which no layer holds
        raise
    if entry.is_fact:
        with suppress(UnknownId):
            return find_fact(context, entry.id)
    return entry  # also a fact of another project


# The identity: what every session begins with, edited by the person as Markdown.


def read_identity_report(context: Context) -> IdentityReport:
    """Return the identity, how much of it is used, and facts about the person that could stand there."""
    from memsuggest.facts.stores import OWN_WORDS, all_facts, dismissed_ids

    stored = context.profile.entries.entries(layers=(Layer.IDENTITY,))
    entries = identity_of(stored)
    text = identity_text(entries)
    said = {entry.content.casefold() for entry in entries}
    dismissed = dismissed_ids(context)
    offered = [
        fact
        for fact in all_facts(context)
        if fact.scope is Scope.USER
        and fact.status is FactStatus.ACTIVE
        and any(citation.trust in OWN_WORDS for citation in fact.citations)
        and fact.content.casefold() not in said
        and fact.id not in dismissed
    ]
    return IdentityReport(
        text=text,
        used=identity_size(entries),
        limit=IDENTITY_LIMIT,
        entries=entries,
        offered=offered,
        waiting=[entry for entry in stored if entry.status is EntryStatus.PENDING],
    )


def edit_identity(context: Context, lines: Sequence[tuple[str, str]]) -> list[EntryChanged]:
    """Make the identity what the person has edited: lines that are there stay the same entries, others come and go.

    What waits for the person or was corrected is not in the text that was edited, and stays as it is.
    """
    with changing_memory(context, IDENTITY):
        before = {entry.content: entry for entry in context.profile.entries.entries(layers=(Layer.IDENTITY,))}
        standing = {content: item for content, item in before.items() if item.status is EntryStatus.ACTIVE}
        wanted: dict[str, Entry] = {}
        known, now = KnownEntries(before.values()), context.now()
        for section, text in lines:
            content = checked_content(text, Source.USER)
            if content not in wanted:
                new = new_entry(Layer.IDENTITY, EVERYWHERE, content, Source.USER, at=now)
                wanted[content] = (before.get(content) or known.with_own_id(new))._replace(
                    section=section_name(section),
                    status=EntryStatus.ACTIVE,
                    source=Source.USER,
                    position=len(wanted) + 1,
                )
        if (size := identity_size(list(wanted.values()))) > IDENTITY_LIMIT:
            raise MemsuggestError(
                f"the identity would be {size:,} characters long, but the limit is {IDENTITY_LIMIT:,}",
                hint="shorten the text, or store details as facts with `memsuggest remember --user …`",
            )
        gone = [item for content, item in standing.items() if content not in wanted]
        context.profile.entries.remove(gone)
        context.profile.entries.add(wanted.values())
    changes = [EntryChanged(did="forgot", entry=item) for item in gone]
    first, second = [item for item in standing if item in wanted], [item for item in wanted if item in standing]
    same = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    in_place = {content for block in same for content in first[block.a : block.a + block.size]}
    for content, entry in wanted.items():
        if content not in standing:
            changes.append(EntryChanged(did="added", entry=entry))
        elif standing[content].section != entry.section:
            changes.append(EntryChanged(did="moved", entry=entry, note=f"now under `{entry.section}`"))
        elif content not in in_place:
            changes.append(EntryChanged(did="moved", entry=entry, note="moved within its section"))
    return changes


def remove_from_identity(context: Context, prefix: str) -> EntryChanged:
    """Take a line out of the identity; raises UnknownId for what does not stand there.

    `undo` puts it back for some weeks; `memory forget` deletes for good.
    """
    with changing_memory(context, FORGOT):
        entry = find_entry(context, prefix)
        if entry.layer is not Layer.IDENTITY:
            raise UnknownId(
                f"`{prefix}` is not in the identity", hint="`memsuggest memory show identity` lists all lines"
            )
        context.profile.entries.remove([entry])
    return EntryChanged(did="forgot", entry=entry)
