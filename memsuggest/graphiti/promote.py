"""Promoting what is worth more than a chat: a fact, or some words, as an episode of a fixed form.

What is promoted goes the way of all messages, through the outbox. The profile remembers what was promoted of which
fact, so that it can be taken back when the fact is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, MemsuggestError, UnknownId
from memsuggest.core.identity import fact_id
from memsuggest.core.model import Transcript
from memsuggest.core.redact import hidden_characters, redact
from memsuggest.core.redact.scan import MARK
from memsuggest.facts.look_at_facts import find_fact
from memsuggest.graphiti.episodes import CONTENT_LIMIT, KINDS, EpisodeKind, promoted_name, promoted_text
from memsuggest.graphiti.graphiti_reports import Promoted
from memsuggest.graphiti.outbox import Outgoing
from memsuggest.graphiti.permission import endpoint, groups_of, mask_of, outbox_at, require
from memsuggest.graphiti.profile_tables import USER, WORKSPACE, Promotion, note_promotion
from memsuggest.graphiti.sync_server import WAITED_FOR, deliver
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.directives import find_directives
from memsuggest.judging.safety import refused

_ID = frozenset("0123456789abcdef")
_SHORTEST_ID = 4


def promote(context: Context, words: str, *, kind: str | None, scope: str | None) -> Promoted:
    """Promote a fact, named by its id, or a text; raises ConsentError, and MemsuggestError for what may not leave."""
    require(context)
    fact, word = None, words.strip().lower()
    if len(word) >= _SHORTEST_ID and set(word) <= _ID:
        try:
            fact = find_fact(context, word)
        except UnknownId:
            if not word.isalpha():  # `decade` may be meant as a word
                raise
    if kind is None and fact is None:
        raise ConfigError("no kind specified for this text", hint=f"use `--kind` with one of: {', '.join(EpisodeKind)}")
    if kind not in (None, *EpisodeKind):
        raise ConfigError(f"unknown episode kind `{kind}`", hint=f"use one of: {', '.join(EpisodeKind)}")
    if scope not in (None, WORKSPACE, USER):
        raise ConfigError(f"unknown scope `{scope}`", hint=f"use {WORKSPACE} or {USER}")
    wanted = EpisodeKind(kind) if kind else KINDS[fact.kind] if fact else EpisodeKind.DECISION
    where = scope or (str(fact.scope) if fact else WORKSPACE)
    content = checked_content(fact.content if fact else words)
    name, is_new = _put(context, content, kind=wanted, scope=where, fact=fact.id if fact else "")
    try:
        done = deliver(context, seconds=WAITED_FOR)
        why = done.why if done else ""
    except MemsuggestError as error:
        why = error.message
    row = next(iter(outbox_at(context, endpoint(context)).named(name)), None)
    return Promoted(
        content=content,
        kind=wanted,
        scope=where,
        fact_id=fact.id if fact else None,
        is_new=is_new,
        state=str(row.state) if row else "forgotten",
        why=why,
    )


def promote_directives(context: Context, transcript: Transcript, new: Collection[int]) -> None:
    """Promote what the person wrote down to be remembered in new turns of a chat; what may not leave stays."""
    said = tuple(turn for turn in transcript.turns if turn.number in new and find_directives(turn.typed, turn.quoted))
    if not said:
        return
    for candidate in offline.extract(replace(transcript, turns=said)).candidates:
        if candidate.explicit and candidate.citations[0].turn in new:
            try:
                content = checked_content(candidate.content)
            except MemsuggestError:
                continue
            fact = fact_id(candidate.scope, candidate.content)
            _put(context, content, kind=KINDS[candidate.kind], scope=str(candidate.scope), fact=fact)


def checked_content(text: str) -> str:
    """Return what is promoted, on one line; raises MemsuggestError for a secret and for what would break out."""
    content = " ".join(text.split())
    if MARK in content or redact(content).found:
        raise MemsuggestError(
            "not promoted: the text contains a secret or personal data", hint="remove the secret or personal data"
        )
    why = "contains invisible characters" if hidden_characters(text) else refused(content)
    if why or not content:
        raise MemsuggestError(f"not promoted: the text {why or 'is empty'}", hint="rephrase the text in plain words")
    if len(content) > CONTENT_LIMIT:
        raise MemsuggestError(
            f"not promoted: the text has {len(content):,} characters, but the limit is {CONTENT_LIMIT:,}",
            hint="promote one thing at a time",
        )
    return content


def _put(context: Context, content: str, *, kind: EpisodeKind, scope: str, fact: str) -> tuple[str, bool]:
    """Put an episode into the outbox; return its name, and whether it was not there before."""
    address, groups = endpoint(context), groups_of(context)
    masked = mask_of(context).line(content, limit=CONTENT_LIMIT)
    name = promoted_name(kind, masked)
    message = Outgoing(
        group_id=groups.of(scope),
        name=name,
        role_type="user",
        role=groups.person,
        content=promoted_text(kind, masked, scope=scope, person=groups.person),
        at=context.now(),
        source=f"memsuggest, promoted {kind}",
    )
    is_new = outbox_at(context, address).put([message], now=context.now()) > 0
    place = {"endpoint": address, "group_id": message.group_id, "name": name, "scope": scope, "kind": str(kind)}
    note_promotion(
        context.profile.entries.connection, Promotion(**place, fact_id=fact, at=message.at, is_forgotten=False)
    )
    return name, is_new
