"""Entries of the shared file: what each key may hold, the way to values and back, and two versions of one as one.

Pure. An entry once written is changed only in its wording and its status; what changes with every use (evidence,
counts) never stands in it. Quotes of what a person typed stay out, unless sharing them is asked for. Two versions are
merged by rules that do not depend on whose is whose.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from memsuggest.core.identity import hash_of, normalised, session_hash
from memsuggest.core.model import (
    QUOTE_LIMIT,
    Citation,
    Decision,
    FactStatus,
    Kind,
    MemoryFact,
    Scope,
    SuggestionStatus,
    Tombstone,
    Trust,
)

Entry = Mapping[str, object]  # one object of the file, with its keys in the order of the file

TEXT_LIMIT = 4_000  # characters
ITEMS_LIMIT = 1_000  # of a list in an entry
CITATIONS_LIMIT = 20  # chats that an entry cites, and files: the profile has all of them, and how many they are
LATEST = 2**53  # the largest integer that every reader of JSON keeps exact; far beyond any time in milliseconds

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,80}")


class Number(str):
    """A number as it stands in the file: fractions, and integers too long to calculate with."""

    __slots__ = ()


class Field(NamedTuple):
    """A key that we know."""

    allowed: str  # what it may hold, in words
    check: Callable[[Any], bool]
    schema: Mapping[str, Any]
    """The same as a JSON Schema; it is for other programs, `check` also knows numbers as they stand in the file."""
    is_required: bool = False


def _is_text(value: object) -> bool:
    return type(value) is str and len(value) <= TEXT_LIMIT


def _one_of(*allowed: str, is_required: bool = False) -> Field:
    words = " or ".join(f"`{value}`" for value in allowed)
    return Field(words, lambda value: value in allowed, {"enum": [str(value) for value in allowed]}, is_required)


def _or_null(field: Field, allowed: str) -> Field:
    schema = {"anyOf": [field.schema, {"type": "null"}]}
    return Field(allowed, lambda value: value is None or field.check(value), schema)


_IDS = Field(
    "a short ID",
    lambda value: type(value) is str and _ID.fullmatch(value) is not None,
    {"type": "string", "pattern": f"^{_ID.pattern}$"},
    is_required=True,
)
_TEXT = Field(f"a string of at most {TEXT_LIMIT} characters", _is_text, {"type": "string", "maxLength": TEXT_LIMIT})
_CONTENT = Field(
    f"a string of 1 to {TEXT_LIMIT} characters",
    lambda value: _is_text(value) and bool(value.strip()),
    {**_TEXT.schema, "pattern": r"\S"},
    is_required=True,
)
_TEXTS = Field(
    "a list of strings",
    lambda value: isinstance(value, list) and len(value) <= ITEMS_LIMIT and all(map(_is_text, value)),
    {"type": "array", "maxItems": ITEMS_LIMIT, "items": _TEXT.schema},
)
FIELDS: Mapping[str, Mapping[str, Field]] = {
    "facts": {
        "id": _IDS,
        "content": _CONTENT,
        "reason": _TEXT,
        "kind": _one_of(*Kind),
        "scope": _one_of(Scope.WORKSPACE),  # a stranger's file has no say about the person's own files
        "confidence": Field(
            "a number from 0 to 1",
            lambda value: (type(value) is int or isinstance(value, Number)) and 0 <= float(value) <= 1,
            {"type": "number", "minimum": 0, "maximum": 1},
        ),
        "citations": _TEXTS,
        "quotes": _TEXTS,
        "timestamp": Field(
            "a time in milliseconds",
            lambda value: type(value) is int and 0 <= value <= LATEST,
            {"type": "integer", "minimum": 0, "maximum": LATEST},
        ),
        "sourceSessionId": _TEXT,
        "tags": _TEXTS,
        "supersededBy": _or_null(_IDS, "an ID or null"),
        "status": _one_of(*FactStatus),
    },
    "decisions": {
        "factId": _IDS,
        "target": _or_null(_CONTENT, "a path or null"),
        "status": _one_of(*SuggestionStatus, is_required=True),
    },
    "tombstones": {
        "id": _IDS,
        "words": _TEXT,
        "evidence": _TEXTS,
        "into": _IDS._replace(allowed="an ID", is_required=False),
    },
}
"""Per part of the file its keys, in the order in which they are written."""

PARTS = tuple(FIELDS)


def entry_schema(part: str) -> dict[str, Any]:
    """Return the JSON Schema of an entry; further keys are kept as they are, so they are allowed."""
    fields = FIELDS[part].items()
    properties = {key: {"description": field.allowed, **field.schema} for key, field in fields}
    return {"type": "object", "properties": properties, "required": [key for key, field in fields if field.is_required]}


USUAL_CONFIDENCE = 0.8  # of an entry that somebody wrote by hand without one: it was reviewed, but by whom?

_CHAT = re.compile(r"chat:([\w-]{1,80})#(\d{1,9})", re.ASCII)
_ANCHOR = re.compile(r"#L\d{1,9}(?:-L?\d{1,9})?$")
_NOT_RELATIVE = re.compile(r"[/~]|[A-Za-z]:|\w{1,20}://")


_REVISED = ("content", "reason", "kind", "tags", "supersededBy", "status")


def key_of(part: str, entry: Entry) -> str:
    if part == "decisions":
        return f"{entry['factId']}\0{entry.get('target') or ''}"
    return str(entry["id"])


def problems(part: str, entry: object) -> Iterator[str]:
    """Say what is wrong with an entry: which key, what it holds, what is allowed."""
    if not isinstance(entry, dict):
        yield f"the entry must be an object, not {_shown(entry)}"
        return
    for key, field in FIELDS[part].items():
        if key not in entry:
            if field.is_required:
                yield f"`{key}` is missing"
        elif not field.check(entry[key]):
            yield f"`{key}` must be {field.allowed}, not {_shown(entry[key])}"
        else:
            text = " ".join(entry[key]) if isinstance(entry[key], list) else str(entry[key])
            if not (text.isascii() and text.isprintable()):
                from memsuggest.core.redact import hidden_characters  # its patterns are slow to load

                for _, char in hidden_characters(text):
                    yield f"`{key}` contains the hidden character U+{ord(char):04X}"


def label(place: str, entry: object) -> str:
    """Name an entry for a message, with its id if it has one."""
    known = (entry.get("id") or entry.get("factId")) if isinstance(entry, dict) else None
    return f"{place} ({_shown(known)})" if isinstance(known, str) else place


def fact_of(entry: Entry) -> MemoryFact:
    """Return the fact of a valid entry; its content is one line, its citations have no more than shared quotes."""
    cited, quotes = _texts(entry, "citations"), _texts(entry, "quotes")
    paths = tuple(dict.fromkeys(_ANCHOR.sub("", text) for text in cited if not _CHAT.fullmatch(text)))
    chats = [found for found in map(_CHAT.fullmatch, cited) if found]
    citations = (
        Citation(session_id=chat[1], turn=int(chat[2]), quote=quote[:QUOTE_LIMIT], paths=paths, trust=Trust.SHARED)
        for chat, quote in zip_longest(chats, quotes[: len(chats)], fillvalue="")
    )
    return MemoryFact(
        id=_text(entry, "id"),
        content=_one_line(_text(entry, "content")),
        reason=_one_line(_text(entry, "reason")),
        kind=Kind(_text(entry, "kind") or Kind.FACT),
        confidence=float(str(entry.get("confidence", USUAL_CONFIDENCE))),
        citations=tuple(citations),
        timestamp=int(_text(entry, "timestamp") or 0),
        source_session_id=_text(entry, "sourceSessionId"),
        status=FactStatus(_text(entry, "status") or FactStatus.ACTIVE),
        superseded_by=_text(entry, "supersededBy") or None,
        tags=_texts(entry, "tags"),
        paths=paths,
        unknown={key: value for key, value in entry.items() if key not in FIELDS["facts"]},
        is_shared=True,
    )


def _text(entry: Entry, key: str) -> str:
    return str(entry.get(key) or "")


def _texts(entry: Entry, key: str) -> tuple[str, ...]:
    value = entry.get(key)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def entry_of(fact: MemoryFact, *, share_quotes: bool = False) -> Entry:
    """Return the entry that a fact is written down as for the first time: never more than `problems` allows."""
    first = {citation.session_id: citation for citation in reversed(fact.citations)}
    ordered = sorted(fact.citations, key=lambda item: first[item.session_id] is not item)  # of each chat one first
    kept = ordered[:CITATIONS_LIMIT]
    cited = [citation for citation in fact.citations if citation in kept][:CITATIONS_LIMIT]
    # Files in other places say something about the person, not the project.
    paths = dict.fromkeys(path.replace("\\", "/") for path in fact.cited_paths if 0 < len(path) <= TEXT_LIMIT)
    relative = [path for path in paths if not _NOT_RELATIVE.match(path) and ".." not in path.split("/")]
    known = {
        "id": fact.id,
        "content": _cut(fact.content),
        "reason": _cut(fact.reason),
        "kind": fact.kind.value,
        "scope": fact.scope.value,
        "confidence": Number(f"{fact.confidence:.2f}"),
        "citations": [*relative[:CITATIONS_LIMIT], *(f"chat:{shared_name(item)}#{item.turn}" for item in cited)],
        "quotes": [citation.quote for citation in cited] if share_quotes else [],
        "timestamp": min(max(fact.timestamp, 0), LATEST),
        "sourceSessionId": _cut(fact.source_session_id),
        "tags": list(map(_cut, fact.tags[:CITATIONS_LIMIT])),
        "supersededBy": fact.superseded_by,
        "status": fact.status.value,
    }
    optional = ("quotes", "tags", "supersededBy")
    return {key: value for key, value in known.items() if value or key not in optional} | dict(fact.unknown)


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 1] + "…"


def revised(entry: Entry, fact: MemoryFact) -> Entry:
    """Return an entry with the wording and the status of `fact`; everything else in it stays, and where it stood."""
    before, after = entry_of(fact_of(entry)), entry_of(fact)
    changed = {key for key in _REVISED if before.get(key) != after.get(key)}
    new = {key: after[key] for key in _REVISED if key in changed and key in after and key not in entry}
    result: dict[str, object] = {}
    for key, value in entry.items():
        if key == "status":  # new keys go before it, so that they add a line and change none
            result |= new
        if key not in changed:
            result[key] = value
        elif key in after:
            result[key] = after[key]
    return result | new


def decision_of(entry: Entry) -> Decision:
    status = SuggestionStatus(_text(entry, "status"))
    return Decision(fact_id=_text(entry, "factId"), target=_text(entry, "target") or None, status=status)


def decision_entry(decision: Decision) -> Entry:
    target = {"target": decision.target} if decision.target else {}
    return {"factId": decision.fact_id, **target, "status": decision.status.value}


def tombstone_of(entry: Entry) -> Tombstone:
    name, words, into = (_text(entry, key) for key in ("id", "words", "into"))
    return Tombstone(fact_id=name, words=words, evidence=_texts(entry, "evidence"), into=into)


def tombstone_entry(tombstone: Tombstone) -> Entry:
    into = {"into": tombstone.into} if tombstone.into else {}
    evidence = list(tombstone.evidence[:ITEMS_LIMIT])  # the profile has all of it
    return {"id": tombstone.fact_id, "words": tombstone.words, "evidence": evidence, **into}


def shared_name(citation: Citation) -> str:
    """Return what a citation's session is called in the file; the same for the citation that is read from there."""
    return citation.session_id if citation.trust is Trust.SHARED else session_hash(citation.session_id)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shown(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


DECIDED = (SuggestionStatus.APPLIED, SuggestionStatus.DISMISSED, SuggestionStatus.PENDING)
"""Of two decisions the first in this order holds."""


def merged_facts(base: Entry | None, mine: Entry, other: Entry) -> tuple[Entry, Entry | None]:
    """Return two versions of a fact as one, and the wording that lost, as a fact of its own, where both are new."""
    if mine == other:
        return mine, None
    winner, loser = sorted((mine, other), key=weight)
    merged, parted = merged_keys(base or {}, mine, other), None
    if len({str(winner["content"]), str(loser["content"])} - {(base or {}).get("content")}) > 1:
        merged["content"] = winner["content"]
        parted = {**loser, "id": hash_of("parted", str(winner["id"]), str(loser["content"]))}
    if merged.get("status") == FactStatus.INACTIVE:  # the pointer is that of the side that retired it
        retired = next((side for side in (winner, loser) if side.get("status") == FactStatus.INACTIVE), {})
        merged |= {"supersededBy": retired["supersededBy"]} if retired.get("supersededBy") else {}
    return merged, parted


def merged_decisions(mine: Entry, other: Entry) -> Entry:
    def order(entry: Entry) -> tuple[int, str]:
        return DECIDED.index(SuggestionStatus(str(entry["status"]))), weight(entry)

    first, second = sorted((mine, other), key=order)
    return mine if mine == other else {**second, **first}


def merged_tombstones(base: Entry, mine: Entry, other: Entry) -> Entry:
    """Return two tombstones as one, with the evidence of both."""
    evidence = {*_texts(mine, "evidence"), *_texts(other, "evidence")}
    return merged_keys(base, mine, other) | ({"evidence": sorted(evidence)[:ITEMS_LIMIT]} if evidence else {})


def is_reworded_since(tombstone: Entry, fact: Entry) -> bool:
    """Tell whether a fact that one side has forgotten stands there in other words than those that were forgotten."""
    words = tombstone.get("words")
    return bool(words) and words != hash_of("words", normalised(_one_line(str(fact["content"]))))


def merged_keys(base: Entry, mine: Entry, other: Entry) -> dict[str, object]:
    """Merge key by key; keys that this version does not know are kept like all others."""
    first, second = sorted((mine, other), key=weight)
    found: dict[str, object] = {}
    for key in dict.fromkeys((*first, *second)):
        sides = [side[key] for side in (first, second) if key in side]
        changed = [value for value in sides if key not in base or value != base[key]]
        if changed or len(sides) > 1:  # otherwise the other side took it out
            found[key] = (changed or sides)[0]
    return found


def weight(entry: Entry) -> str:
    """Order two versions of an entry whoever is asked: by what stands in them."""
    return json.dumps(entry, sort_keys=True, default=str)
