"""Looking up what fits a query: whose entries are searched, what of it is shown, and what of that is outdated.

Who asks by hand or by a tool gets the best there is; a hook, which nobody asked, only what fits well. Loads little: an
assistant's hook waits for it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from memsuggest.core.database import store_errors
from memsuggest.core.text.when import day
from memsuggest.graphiti.profile_tables import RecallScope, cues_in
from memsuggest.memory.context_block import Hit, within_budget
from memsuggest.memory.entry import EVERYWHERE, Layer, Source
from memsuggest.memory.entry_search import Filters, Near, latest, search
from memsuggest.memory.entry_store import TURN_BITS
from memsuggest.memory.guard import may_steer, why_not_given, why_pending
from memsuggest.memory.index_terms import faint_words, indexed_terms, searched_part
from memsuggest.memory.moments import days_named
from memsuggest.memory.turns import ASSISTANT, PERSON, SaidTurn, unpacked


class Asks(StrEnum):
    """The wish of a prompt."""

    MEMORY = "memory"  # what was said or settled before: "which port did we choose for the proxy?"
    ANSWER = "answer"  # something else, in a question
    WORK = "work"  # something to be done or explained; or nobody can tell


LIMIT = 8  # entries that are found at most, unless told otherwise
_COMPARED = 12  # hits whose values are compared with later ones
BUDGET = 4_000  # characters of a context block, unless told otherwise
_LONGEST = 25  # words of a prompt that is only a question
_LEADS_IN = re.compile(
    r"""
    \W*(?:(?:and|so|ok|hey|wait|hm+|remind[ ]me|und|also|sag[ ]mal|last[ ]week|letzte[ ]woche|yesterday|gestern
      |on[ ]the[ ]\w+|am[ ]\d+\.?(?:[ ]\w+)?|in|on|at|for|from|to|of|by|with|since|until|till|ab|bis|seit|von|mit
      |an|bei|auf|nach)\b[\s,:;–-]*)*
    (?:what|which|who|whom|whose|where|when|why|how|did|do[ ]we|does[ ]our|was|were|have[ ]we|had[ ]we|are[ ]we
      |is[ ]our|what's|who's|where's|whats|welche[rsnm]?|wer|wen|wem|wessen|wo|woher|wohin|wann|warum|wieso|weshalb|wie
      |womit|wofür|woran|worin|worauf|wodurch|hatten[ ]wir|haben[ ]wir)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""How a question begins."""
_WANTS_HELP = re.compile(
    r"\b(?:can|could|should|shall|would|will|please|let'?s|how (?:do|does|to|can) (?:i|you|one|\w+ing)|how to"
    r"|going to|best way|what about|we need|is it|difference|means?|könn\w*|kann\w*|soll\w*|würde\w*|bitte|möchte"
    r"|unterschied|bedeutet?|wie (?:\w+ ){1,2}(?:ich|man))\b",
    re.IGNORECASE,
)
"""What asks for something to be done or explained, not for what was said."""
_BEFORE = re.compile(
    r"(?<!^)(?<!wer )(?<!who )(?<!wann )(?<!when )(?<!wo )(?<!where )"
    r"\b(?:did|was|were|wasn't|weren't|didn't|had|we|us|our|ours|again|last (?:time|week|month|year)"
    r"|yesterday|earlier|by now|these days|decided|agreed|settled|chose|chosen|picked|hatte\w*|war|waren|wurde\w*"
    r"|wir|uns|unser\w*|noch ?mal|gestern|letzte\w*|vorige\w*|vorletzte\w*|damals|inzwischen|mittlerweile"
    r"|entschieden)\b",
    re.IGNORECASE,
)
"""What a question has that asks of what was said or settled."""
_ENTRY = {Asks.MEMORY: (4.0, 0.3), Asks.ANSWER: (4.5, 0.4), Asks.WORK: (5.0, 0.4)}
"""The strength, and the share of the prompt's words by weight, from which an entry is given to one that did not ask."""
_CHAT = {Asks.MEMORY: (1.7, 0.15, 1), Asks.ANSWER: (4.0, 0.15, 2), Asks.WORK: (4.5, 0.7, 3)}
"""The same of a chat, with the number of words: a question about what was said is asked of memory, though not to it."""
_GIVEN, _NEXT_TO_BEST = 2, 0.7
"""Chats that are given for a question, and how strong the second has to be next to the first."""
_ROOM = 650  # characters of each of them
_COMMON = 2  # words of a prompt that an entry has to have, but for those of many prompts
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

    layer: Layer | None = None  # None: all of them; for a hook, not the identity, which a session begins with
    project: str | None = None  # another workspace's name or key, or `all`; None for this one
    scope: RecallScope = RecallScope.AUTO
    tags: Sequence[str] = ()
    since: int | None = None
    limit: int = LIMIT
    budget: int = BUDGET
    via: str = "command"  # where the prompt came from: `command`, `hook` or `mcp`
    session: str = ""

    @property
    def is_asked(self) -> bool:
        return self.via != "hook"


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
    personal, project_is_meant = cues_in(query) if wanted.scope is RecallScope.AUTO else (False, False)
    if personal != project_is_meant:
        found = [
            hit if (hit.entry.project == EVERYWHERE) is personal else hit._replace(score=hit.score * _OTHER_SCOPE)
            for hit in found
        ]
        found.sort(key=lambda hit: (-hit.score, hit.entry.id))
    found = with_replacements(connection, found[:_COMPARED]) + found[_COMPARED:]
    if not wanted.is_asked:
        asks = asks_for(query)
        found = [part for hit in _sure(found, asks) if (part := _harmless(hit, asks)) is not None]
    once: dict[str, Hit] = {}
    for hit in found:
        once.setdefault(hit.content.casefold().rstrip("."), hit)  # a fact that was made of an entry says the same
    return tuple(within_budget(list(once.values())[: wanted.limit], wanted.budget))


def filters_of(wanted: Wanted, project: str | None) -> Filters:
    usual = tuple(Layer) if wanted.is_asked else (Layer.KNOWLEDGE, Layer.ARCHIVE)
    return Filters(
        layers=(wanted.layer,) if wanted.layer else usual,
        project=EVERYWHERE if wanted.scope is RecallScope.USER and project is not None else project,
        with_own=wanted.scope is not RecallScope.WORKSPACE,
        tags=wanted.tags,
        since=wanted.since,
    )


def _sure(found: Sequence[Hit], asks: Asks) -> list[Hit]:
    """Return the hits that are given to an assistant that did not ask."""
    best = max((hit.strength for hit in found), default=0.0)
    first = [hit for hit in found if hit.passage and hit.strength >= _NEXT_TO_BEST * best][:_GIVEN]
    strength, share, words = _CHAT[asks]
    taken = [hit for hit in first if hit.strength >= strength and hit.share >= share and hit.common >= words]
    strength, share = _ENTRY[asks]
    entries = [hit for hit in found if not hit.passage and not hit.replaced_by and hit.common >= _COMMON]
    taken += [hit for hit in entries if hit.strength >= strength and hit.share >= share]
    return [hit for hit in found if hit in taken]


def _harmless(hit: Hit, asks: Asks) -> Hit | None:
    """Return what of a hit an assistant gets that did not ask; None for what could steer it.

    Of a chat, what the person certainly typed, and what the assistant said where that is harmless.
    """
    if hit.passage is None:
        return None if hit.entry.source is Source.AGENT and why_pending(hit.entry.content) else hit
    if _PASSING.search(hit.passage.best.text):
        return None
    passage = hit.passage.within(_ROOM)
    is_barred = may_steer if asks is Asks.MEMORY else why_not_given
    turns = tuple(
        turn
        for turn in passage.turns
        if not _PASSING.search(turn.text) and (turn.by == PERSON or (turn.by == ASSISTANT and not is_barred(turn.text)))
    )
    if not turns or (hit.passage.best not in turns and asks is not Asks.MEMORY):
        return None
    return hit._replace(passage=passage._replace(turns=turns))


def asks_for(prompt: str) -> Asks:
    """Return what a prompt asks for.

    >>> asks_for("which port did we choose?"), asks_for("who signs the build?"), asks_for("rename the port")
    (<Asks.MEMORY: 'memory'>, <Asks.ANSWER: 'answer'>, <Asks.WORK: 'work'>)
    """
    text = prompt.strip()
    if "\n" in text or len(text.split()) > _LONGEST or _WANTS_HELP.search(text) or not _LEADS_IN.match(text):
        return Asks.WORK
    return Asks.MEMORY if _BEFORE.search(text) else Asks.ANSWER


# Values that were replaced: what the person said later of the same thing, in the same chat or in another one. A
# statement replaces an older one when it names the older value beside another ("30 days instead of 14", "14 is not
# enough, 35"), and shares a word with what the older one was said in.

_VALUE = re.compile(
    r"(?<![\w./:-])(?:v?\d+(?:[.,:]\d+)*"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)\b)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    rf"\b(?:instead of|rather than|not|no longer|statt|anstatt|nicht(?: mehr)?|was|war(?:en)?)\s+"
    rf"(?P<old>{_VALUE.pattern})",
    re.IGNORECASE,
)
"""What names the older value behind the newer one."""
_COMPARING = frozenset({"instead", "rather", "make", "set", "statt", "anstatt", "more", "less"})
"""Words with which any value is changed: that two statements share one says nothing of what they are about."""
_NEAR = 2  # turns before and after one that tell what its value is about
_LATER = 60  # turns that are looked at for a value that was replaced in another chat, the last ones
_QUOTED = 160


class _Statement(NamedTuple):
    """Something that was said with a value, and the words beside it."""

    text: str
    at: int
    values: frozenset[str]
    words: frozenset[str]
    beside: frozenset[str] = frozenset()  # the words of what was said beside it


def with_replacements(connection: sqlite3.Connection, hits: Sequence[Hit]) -> list[Hit]:
    here = [turn for hit in hits if hit.passage for turn in _later_values(hit.passage.chat)]
    known = [hit for hit in hits if hit.entry.layer is Layer.KNOWLEDGE and hit.entry.source is Source.USER]
    marked = []
    for hit in hits:
        olds = [] if hit.is_weak else [old for old in _answers(hit) if old.values]
        said = [*here, *_elsewhere(connection, olds, hit)] if olds else []
        newer = [_statement(turn.text, turn.at) for turn in said]
        newer += [_statement(other.content, other.when) for other in known if other.entry.project == hit.entry.project]
        found = [new for new in newer for old in olds if new.at > old.at and _is_replaced(old, new)]
        if found:
            last = max(found, key=lambda new: new.at)
            text = last.text if len(last.text) <= _QUOTED else f"{last.text[: _QUOTED - 1]}…"
            hit = hit._replace(replaced_by=f"{day(last.at)}: {text}")  # noqa: PLW2901
        marked.append(hit)
    return marked


def _later_values(turns: Iterable[SaidTurn]) -> Iterator[SaidTurn]:
    """Yield what the person stated with a value; a question states nothing."""
    for turn in turns:
        if turn.by == PERSON and not turn.text.rstrip().endswith("?") and _VALUE.search(turn.text):
            yield turn


def _answers(hit: Hit) -> Iterator[_Statement]:
    """Yield what is shown of a hit with a value: an entry, or turns, each with the words beside it."""
    if hit.passage is None:
        yield _statement(hit.content, hit.when)
        return
    chat = hit.passage.chat
    places = {turn.number: at for at, turn in enumerate(chat)}
    for turn in hit.passage.turns:
        if _VALUE.search(turn.text):
            at = places[turn.number]
            near = chat[max(0, at - _NEAR) : at + _NEAR + 1]
            beside = frozenset[str]().union(*(_words(other.text) for other in near))
            yield _statement(turn.text, turn.at or hit.when)._replace(beside=beside)


def _statement(text: str, at: int) -> _Statement:
    return _Statement(" ".join(text.split()), at, frozenset(map(str.casefold, _VALUE.findall(text))), _words(text))


@lru_cache(maxsize=512)
def _words(text: str) -> frozenset[str]:
    terms = indexed_terms(_VALUE.sub(" ", text))
    return frozenset(term for term in terms if not term[:1].isdigit()) - faint_words() - _COMPARING


def _is_replaced(old: _Statement, new: _Statement) -> bool:
    if not (old.values & new.values and new.values - old.values and (old.words | old.beside) & new.words):
        return False
    given_up = {found["old"].casefold() for found in _INSTEAD.finditer(new.text)}
    is_old_first = _VALUE.findall(new.text)[-1].casefold() not in old.values
    return bool(given_up & old.values) if given_up else is_old_first


def _elsewhere(connection: sqlite3.Connection, olds: Sequence[_Statement], hit: Hit) -> Iterator[SaidTurn]:
    """Yield what the person stated later with one of the values and one of the words, in whichever chat."""
    values = {term for old in olds for value in old.values for term in indexed_terms(value) if term.isalnum()}
    words = {term for old in olds for term in old.words | old.beside}
    if not values or not words or hit.passage is None:
        return
    with store_errors(connection):
        found = connection.execute(
            "SELECT rowid FROM said_words WHERE said_words MATCH ? ORDER BY rowid DESC LIMIT ?",
            (f"({_any(values)}) AND ({_any(words)})", _LATER),
        ).fetchall()
        places: dict[int, set[int]] = {}
        for (place,) in found:
            places.setdefault(place >> TURN_BITS, set()).add(place & ((1 << TURN_BITS) - 1))
        marks = ", ".join("?" * len(places))
        rows = connection.execute(
            "SELECT entry, turns FROM session_turns JOIN entries ON entries.row = entry"  # noqa: S608  # nosec
            f" WHERE entry IN ({marks}) AND status = 'active' AND project = ? AND updated_at >= ?",
            (*places, hit.entry.project, hit.when),
        ).fetchall()
    for row in rows:
        turns = unpacked(row["turns"])
        yield from _later_values(turns[at - 1] for at in places[row["entry"]] if 0 < at <= len(turns))


def _any(terms: Iterable[str]) -> str:
    return " OR ".join(f'"{term}"' for term in sorted(terms))
