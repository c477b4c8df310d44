"""The shared file's text and its entries: `{version, facts, decisions, tombstones}`, one exact form, read strictly.

Pure. Owns how the file looks; `entries` owns what the keys of an entry mean. The form is chosen for git, with and
without our merge driver: entries are sorted by id, and each is one line. No such line is like another, so a diff cannot
slide: where two branches add one entry, git sees the same line in the same place, or says that they conflict. (Entries
over several lines came out twice of merges that git called clean.) Keys that this version does not know keep their
place and their value; numbers keep their digits. What a merge left twice all the same is read as one, and said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from memsuggest.core.errors import StoreError
from memsuggest.facts import entries
from memsuggest.facts.entries import (
    PARTS,
    Entry,
    Number,
    entry_schema,
    is_reworded_since,
    merged_decisions,
    merged_facts,
    merged_tombstones,
)

Entries = Mapping[str, Entry]  # by what they are sorted by

VERSION = 1
NESTING_LIMIT = 40  # levels of lists and objects inside the file; far more than any version of it will need

_DEEP = "the lists and objects are nested too deeply"
_DIGITS = 18  # an integer of more digits is kept as it is written
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)", re.MULTILINE)


class NewerFileError(StoreError):
    """The file was written by a newer version; nothing of it may be changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The file as entries; the keys of each part are what its entries are sorted by."""

    head: Mapping[str, object] = field(default_factory=lambda: {"version": VERSION, **dict.fromkeys(PARTS)})
    """The outermost object in its order; the values of the three parts do not count."""
    facts: Entries = field(default_factory=dict)
    decisions: Entries = field(default_factory=dict)
    tombstones: Entries = field(default_factory=dict)
    repairs: tuple[str, ...] = field(default=(), compare=False)
    """What reading had to mend, for people; writing it makes that so."""

    @property
    def contested(self) -> tuple[str, ...]:
        """Ids of facts that somebody forgot and somebody else has put into other words."""
        both = self.facts.keys() & self.tombstones.keys()
        return tuple(sorted(key for key in both if is_reworded_since(self.tombstones[key], self.facts[key])))


def parse(text: str, *, name: str) -> Document:
    """Read the shared file; StoreError naming file, entry and key for anything but a whole, valid one."""
    outermost = _decoded(text, name)
    if not isinstance(outermost, dict):
        _refuse(name, "the file must be an object with `version` and `facts`")
    version = outermost.get("version")
    if type(version) is not int or version < 1:
        _refuse(name, f"`version` must be {VERSION}")
    if version > VERSION:
        why = f"{name} has version {version}; this release of memsuggest supports version {VERSION}"
        raise NewerFileError(why, hint="update memsuggest; the file was not changed")
    if "facts" not in outermost:
        _refuse(name, "`facts` is missing")
    repairs: list[str] = []
    facts, decisions, tombstones = (_part(outermost, part, name, repairs) for part in PARTS)
    return Document(head=outermost, facts=facts, decisions=decisions, tombstones=tombstones, repairs=tuple(repairs))


def file_schema() -> dict[str, Any]:
    """Return the JSON Schema of the shared file; what no schema can say, `memory clean --check` says."""
    parts = {part: {"type": "array", "items": entry_schema(part)} for part in PARTS}
    return {
        "description": "The team's facts, the decisions about them, and forgotten facts.",
        "type": "object",
        "properties": {"version": {"const": VERSION}, **parts},
        "required": ["version", "facts"],
    }


def render(document: Document) -> str:
    """Write the shared file; LF, final newline, the same bytes for the same entries in whatever order."""
    parts = {part: sorted(getattr(document, part).items()) for part in PARTS}
    lines = []
    for key, value in {**document.head, **{part: None for part, found in parts.items() if found}}.items():
        rows = [f"\n    {_inline(entry)}" for _, entry in parts.get(key, ())]
        lines.append(f"  {_text(key)}: " + (f"[{','.join(rows)}\n  ]" if key in parts else _inline(value)))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _inline(value: object) -> str:
    match value:
        case Number():
            return str(value)
        case str():
            return _text(value)
        case Mapping():
            return "{" + ", ".join(f"{_text(key)}: {_inline(inner)}" for key, inner in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, allow_nan=False)


def _text(value: str) -> str:
    """Write a text; what nobody sees is written as an escape, so that a reviewer does."""
    joiners = "\u200c\u200d\ufe0f"  # emoji and many scripts need them
    plain = json.dumps(value, ensure_ascii=False)
    if plain.isprintable():
        return plain
    return "".join(char if char.isprintable() or char in joiners else json.dumps(char)[1:-1] for char in plain)


def _decoded(text: str, name: str) -> object:
    if text.startswith("\ufeff"):
        _refuse(name, "the file starts with a byte order mark", hint="save the file as UTF-8 without a byte order mark")
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        _refuse(name, f"line {line} is a conflict marker", hint="`memsuggest memory resolve` merges both sides")
    try:
        decoded = json.loads(
            text,
            object_pairs_hook=lambda pairs: found if len(found := dict(pairs)) == len(pairs) else _Twice(pairs),
            parse_float=Number,
            parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else Number(digits),
            parse_constant=lambda constant: _refuse(name, f"{constant} is not a number"),
        )
    except json.JSONDecodeError as error:
        _refuse(name, f"line {error.lineno}, column {error.colno}: {error.msg}", cause=error)
    except RecursionError as error:
        _refuse(name, _DEEP, cause=error)
    _refuse_oddities(decoded, name)
    return decoded


def _refuse_oddities(value: object, name: str, *, level: int = 0, is_entry: bool = False) -> None:
    """Refuse deep nesting, and a key that is there twice anywhere but in an entry: nothing says which one counts."""
    if isinstance(value, _Twice) and not is_entry:
        twin = next(key for version in value.versions[1:] for key in version)
        _refuse(name, f"{entries.label('an object', value)} has the duplicate key {_text(twin)}")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if inner and level == NESTING_LIMIT:
        _refuse(name, _DEEP)
    for item in inner:
        _refuse_oddities(item, name, level=level + 1, is_entry=level == 1 and isinstance(value, list))


def _part(outermost: dict[str, object], part: str, name: str, repairs: list[str]) -> dict[str, Entry]:
    raw = outermost.get(part, [])
    if not isinstance(raw, list):
        _refuse(name, f"`{part}` must be a list")
    found: dict[str, Entry] = {}
    for position, whole in enumerate(raw):
        place, are_several = f"{part}[{position}]", isinstance(whole, _Twice)
        if are_several:
            repairs.append(f"{entries.label(place, whole)} had duplicate keys")
        for entry in [{**whole, **version} for version in whole.versions] if are_several else [whole]:
            for problem in entries.problems(part, entry):
                _refuse(name, f"{entries.label(place, entry)}: {problem}")
            first = found.pop(entries.key_of(part, entry), None)
            if first is not None and not are_several:
                repairs.append(f"{entries.label(place, entry)} was a duplicate")
            for item in [entry] if first is None else _united(part, first, entry):
                found.setdefault(entries.key_of(part, item), item)
    return found


def _united(part: str, first: Entry, second: Entry) -> list[Entry]:
    if part == "facts":
        return [fact for fact in merged_facts(None, first, second) if fact is not None]
    return [merged_decisions(first, second) if part == "decisions" else merged_tombstones({}, first, second)]


class _Twice(dict[str, object]):
    """An object with keys that are there twice, as when two entries ran together."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__()
        for key, value in pairs:
            self.setdefault(key, value)
        self.versions: list[dict[str, object]] = [{}]
        for key, value in pairs:
            if key in self.versions[-1]:
                self.versions.append({})
            self.versions[-1][key] = value


def _refuse(name: str, what: str, *, hint: str | None = None, cause: Exception | None = None) -> NoReturn:
    usual = "fix the file, or restore it with `git checkout`; memsuggest did not change anything"
    raise StoreError(f"{name} is damaged: {what}", hint=hint or usual) from cause
