"""Looking up what fits a query: whose entries are searched, what of it is shown, and what of that is outdated.

Who asks by hand or by a tool gets the best there is; a hook, which nobody asked, only what fits well. Loads little: an
assistant's hook waits for it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.recall.context_block import within_budget
from memsuggest.recall.entry import EVERYWHERE, Layer, Source
from memsuggest.recall.entry_search import Filters, latest, search
from memsuggest.recall.guard import speaks_of_trust, why_pending
from memsuggest.recall.index_terms import CHARS_LIMIT
from memsuggest.recall.moments import days_named
from memsuggest.recall.replaced import with_replacements
from memsuggest.recall.scopes import RecallScope, asks_of_past, scope_of
from memsuggest.recall.turns import ASSISTANT, PERSON, UNSURE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memsuggest.recall.recalled import Hit

LIMIT = 8
"""Entries that are found at most, unless told otherwise."""
BUDGET = 2_000
"""Characters of a context block, unless told otherwise."""
HOOK_FIT = 0.3
"""The fit from which something is given to an assistant that did not ask for it."""
_STRONG = 0.45
"""The same of finished tasks, unless the prompt speaks of the past."""
_OTHER_SCOPE = 0.85
"""What the words of a query leave of an entry that is not the person's, or not the project's, as they would have it."""


_PASSING = re.compile(
    r"\b(?:atm|for now|right now|at the moment|currently|temporarily|momentan|im moment|derzeit|gerade|vorerst"
    r"|vorläufig|pour l'instant|por ahora)\b",
    re.IGNORECASE,
)
"""What holds only when it is said: it is found by who asks, and told to nobody else."""


_ENTRY_COMMON, _ENTRY_SHARE = 2, 0.25
"""The same of an entry, and the weight of its words of all that the prompt has. Of 10,000 entries, 5 and 2 of 100
unrelated prompts got something by the fit alone, none with these, chosen on the first hundred; of 220 related ones the
right entry reaches 120 instead of 139, and 113 instead of 129."""
_COMMON = 3
"""Words that a prompt and a turn of a chat have in common at least, one less where it speaks of the past: with two, 2
of 600 unrelated prompts got something of three long chats, with three none."""


class Wanted(NamedTuple):
    """The wish of a recall."""

    layer: Layer | None = None
    """None: all of them; for a hook, not the identity, which a session begins with."""
    project: str | None = None
    """Another workspace's name or key, or `all`; None for this one."""
    scope: RecallScope = RecallScope.AUTO
    tags: Sequence[str] = ()
    since: int | None = None
    limit: int = LIMIT
    budget: int = BUDGET
    via: str = "command"
    """Where the prompt came from: `command`, `hook` or `mcp`."""
    session: str = ""

    @property
    def is_asked(self) -> bool:
        """Tell whether somebody asked for it."""
        return self.via != "hook"


def searched_part(query: str) -> str:
    """Return what of a query is looked at: its beginning and its end, where a pasted log stands between them."""
    return query if len(query) <= CHARS_LIMIT else f"{query[: CHARS_LIMIT // 2]}\n{query[-CHARS_LIMIT // 2 :]}"


def look_up(
    connection: sqlite3.Connection, query: str, wanted: Wanted, *, project: str | None, now: int
) -> tuple[Hit, ...]:
    """Return the entries that fit a query, best first; to a command without words, the last changed that are wanted.

    `project` is a workspace's key, None for all. Raises StoreError.
    """
    if not query.strip():
        is_browsing = wanted.via == "command"
        return tuple(latest(connection, _filters(wanted, project), limit=wanted.limit)) if is_browsing else ()
    query = searched_part(query)
    span = days_named(query, now=now)
    found = search(connection, query, _filters(wanted, project), now=now, span=span)
    if wanted.scope is RecallScope.AUTO:
        found = _lifted(found, scope_of(query))
    found = with_replacements(found)
    if not wanted.is_asked:
        found = _sure(query, found)
    once: dict[str, Hit] = {}
    for hit in found:
        once.setdefault(hit.content.casefold().rstrip("."), hit)  # a fact that was made of an entry says the same
    return tuple(within_budget(list(once.values())[: wanted.limit], wanted.budget))


def _filters(wanted: Wanted, project: str | None) -> Filters:
    usual = tuple(Layer) if wanted.is_asked else (Layer.KNOWLEDGE, Layer.ARCHIVE)
    return Filters(
        layers=(wanted.layer,) if wanted.layer else usual,
        project=EVERYWHERE if wanted.scope is RecallScope.USER and project is not None else project,
        with_own=wanted.scope is not RecallScope.WORKSPACE,
        tags=wanted.tags,
        since=wanted.since,
    )


def _lifted(found: Sequence[Hit], scope: RecallScope) -> list[Hit]:
    """Return hits in the order that the words of a query would have: "how do I deploy" is the project's, too."""
    if scope is RecallScope.ALL:
        return list(found)
    wants_own = scope is RecallScope.USER
    lifted = [
        hit if (hit.entry.project == EVERYWHERE) is wants_own else hit._replace(score=hit.score * _OTHER_SCOPE)
        for hit in found
    ]
    return sorted(lifted, key=lambda hit: (-hit.score, hit.entry.id))


def _sure(query: str, found: Sequence[Hit]) -> list[Hit]:
    """Return what is worth the attention of an assistant that did not ask, as it gets it."""
    is_past = asks_of_past(query)
    of_archive = HOOK_FIT if is_past else _STRONG
    sure = [
        hit
        for hit in found
        if hit.fit >= (of_archive if hit.entry.layer is Layer.ARCHIVE and not hit.passage else HOOK_FIT)
        and (hit.common >= _COMMON - is_past if hit.passage else _has_enough(hit))
    ]
    return [part for hit in sure if not hit.replaced_by and (part := _for_hook(hit)) is not None]


def _has_enough(hit: Hit) -> bool:
    return hit.common >= _ENTRY_COMMON and hit.share >= _ENTRY_SHARE


def _for_hook(hit: Hit) -> Hit | None:
    """Return what of a hit an assistant gets that did not ask; None for what could steer it.

    Of a chat, what the person certainly typed, and what the assistant said before it where that is harmless.
    """
    if hit.passage is None:
        return None if hit.entry.source is Source.AGENT and why_pending(hit.entry.content) else hit
    if hit.passage.best.by != PERSON or _PASSING.search(hit.passage.best.text):
        return None
    turns = tuple(
        turn
        for turn in hit.passage.turns
        if turn.by != UNSURE and not (turn.by == ASSISTANT and speaks_of_trust(turn.text))
    )
    return hit._replace(passage=hit.passage._replace(turns=turns))
