"""Looking up what fits a query: whose entries are searched, what of it is shown, and what of that is outdated.

Who asks by hand or by a tool gets the best there is; a hook, which nobody asked, only what fits well. Loads little: an
assistant's hook waits for it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from memsuggest.memory.context_block import within_budget
from memsuggest.memory.entry import EVERYWHERE, Layer, Source
from memsuggest.memory.entry_search import Filters, Near, latest, search
from memsuggest.memory.guard import why_not_given, why_pending
from memsuggest.memory.index_terms import CHARS_LIMIT, document_terms
from memsuggest.memory.moments import days_named
from memsuggest.memory.recalled import Hit
from memsuggest.memory.scopes import RecallScope, scope_of
from memsuggest.memory.turns import ASSISTANT, PERSON, UNSURE

_VALUE = re.compile(r"(?<![\w./-])v?\d+(?:[.,:]\d+)*")
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|not|no longer|statt|anstatt|nicht(?: mehr)?|was|war(?:en)?)\s+"
    rf"(?P<old>{_VALUE.pattern})",
    re.IGNORECASE,
)
"""What names the older value beside the newer one."""
_ALIKE = 0.5
"""Share of the rarer words that two statements on one thing have in common."""
_FEWEST = 2
_QUOTED = 120


def with_replacements(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits, those marked for whose thing something else was said later, here or in another chat.

    Only what the person said, or what is known, replaces anything; a question does not.
    """
    said = list(_statements(hits))
    return [_marked(hit, said) for hit in hits]


class _Statement:
    """Something that was said, at a time, with its values and the words beside them."""

    __slots__ = ("at", "former", "project", "text", "values", "words")

    def __init__(self, text: str, at: int, project: str) -> None:
        self.text = " ".join(text.split())
        self.at = at
        self.project = project
        self.former = frozenset(found["old"] for found in _INSTEAD.finditer(text))
        """Values that it takes back."""
        self.values = frozenset(_VALUE.findall(text)) - self.former
        is_compared = self.values or self.former  # to cut all that is said into words is most of what a recall costs
        self.words = frozenset(
            term for term in (document_terms(_VALUE.sub(" ", text)) if is_compared else ()) if not term[:1].isdigit()
        )


def _statements(hits: Iterable[Hit]) -> Iterator[_Statement]:
    for hit in hits:
        if hit.passage is not None:
            for turn in hit.passage.turns:
                if turn.by == PERSON and not turn.text.rstrip().endswith("?"):
                    yield _Statement(turn.text, turn.at or hit.when, hit.entry.project)
        elif hit.entry.layer is Layer.KNOWLEDGE and hit.entry.source is Source.USER:
            yield _Statement(hit.entry.content, hit.when, hit.entry.project)


def _marked(hit: Hit, said: Sequence[_Statement]) -> Hit:
    text = hit.passage.best.text if hit.passage else hit.entry.content
    own = _Statement(text, hit.when, hit.entry.project)
    newer = [one for one in said if one.at > own.at and one.project == own.project and _is_other_value(own, one)]
    if not newer:
        return hit
    last = max(newer, key=lambda one: one.at)
    day = datetime.fromtimestamp(last.at / 1000, tz=UTC).date().isoformat()
    return hit._replace(replaced_by=f"{day}: {last.text[:_QUOTED]}")


def _is_other_value(older: _Statement, newer: _Statement) -> bool:
    if not older.values or not newer.values or older.values & newer.values:
        return False
    common = older.words & newer.words
    if older.values & newer.former:
        return bool(common)
    return len(common) >= _FEWEST and len(common) >= _ALIKE * min(len(older.words), len(newer.words))


LIMIT = 8
"""Entries that are found at most, unless told otherwise."""
BUDGET = 2_000
"""Characters of a context block, unless told otherwise."""
_FIT, _SHARE = 0.55, 0.3
"""The fit from which an entry is given to an assistant that did not ask, and the weight of the prompt's words that it
has. Of 1,434 prompts of other projects 5 get something out of 10,000 entries (28 from a fit of .3 on), and those speak
of what they get; 181 of 440 questions get the right one (233)."""
_CHAT_SHARE, _CHAT_SHARE_OF_MANY, _MANY = 0.9, 0.7, 4
"""The weight of the prompt's words that a chat has in its best turn and beside it, and the same where those are many.
Of 1,017 prompts of other projects 3 get something out of 30 chats, of 1,500 none out of everyday conversations, and of
861 questions about those 135 get the right one and 40 another (50 and 12 by how well the best turn fits alone)."""
_COMMON = 2
"""Words of a prompt that anything has to have, but for those of many prompts."""
_OTHER_SCOPE = 0.85
"""What the words of a query leave of an entry that is not the person's, or not the project's, as they would have it."""


_PASSING = re.compile(
    r"\b(?:atm|for now|right now|at the moment|currently|temporarily|momentan|im moment|derzeit|gerade|vorerst"
    r"|vorläufig|pour l'instant|por ahora)\b",
    re.IGNORECASE,
)
"""What holds only when it is said: it is found by who asks, and told to nobody else."""


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
        return self.via != "hook"


def searched_part(query: str) -> str:
    return query if len(query) <= CHARS_LIMIT else f"{query[: CHARS_LIMIT // 2]}\n{query[-CHARS_LIMIT // 2 :]}"


def look_up(
    connection: sqlite3.Connection,
    query: str,
    wanted: Wanted,
    *,
    project: str | None,
    now: int,
    near: Sequence[Near] = (),
) -> tuple[Hit, ...]:
    """Return the entries that fit a query, best first; to a command without words, the last changed that are wanted.

    `project` is a workspace's key, None for all; `near` is what was found by meaning. Raises StoreError.
    """
    if not query.strip():
        is_browsing = wanted.via == "command"
        return tuple(latest(connection, filters_of(wanted, project), limit=wanted.limit)) if is_browsing else ()
    query = searched_part(query)
    span = days_named(query, now=now)
    found = search(connection, query, filters_of(wanted, project), now=now, span=span, near=near)
    if wanted.scope is RecallScope.AUTO:
        found = _lifted(found, scope_of(query))
    found = with_replacements(found)
    if not wanted.is_asked:
        sure = (hit for hit in found if _is_sure(hit) and not hit.replaced_by)
        found = [part for hit in sure if (part := _for_hook(hit)) is not None]
    once: dict[str, Hit] = {}
    for hit in found:
        once.setdefault(hit.content.casefold().rstrip("."), hit)  # a fact that was made of an entry says the same
    return tuple(within_budget(list(once.values())[: wanted.limit], wanted.budget))


def filters_of(wanted: Wanted, project: str | None) -> Filters:
    """Return the filters of a recall in a project, or in all of them."""
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


def _is_sure(hit: Hit) -> bool:
    if hit.common < _COMMON:
        return False
    if hit.passage is None:
        return hit.fit >= _FIT and hit.share >= _SHARE
    if hit.common == _COMMON and hit.fit < _FIT:
        return False
    return hit.share >= (_CHAT_SHARE if hit.common < _MANY else _CHAT_SHARE_OF_MANY)


def _for_hook(hit: Hit) -> Hit | None:
    """Return what of a hit an assistant gets that did not ask; None for what could steer it.

    Of a chat, what the person certainly typed, and what the assistant said where that is harmless.
    """
    if hit.passage is None:
        return None if hit.entry.source is Source.AGENT and why_pending(hit.entry.content) else hit
    if _PASSING.search(hit.passage.best.text):
        return None
    turns = tuple(
        turn
        for turn in hit.passage.turns
        if turn.by != UNSURE and not (turn.by == ASSISTANT and why_not_given(turn.text))
    )
    if hit.passage.best not in turns:
        return None
    return hit._replace(passage=hit.passage._replace(turns=turns))
