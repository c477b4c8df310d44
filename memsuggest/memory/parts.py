"""Parts of code that rules are about: functions, names of variables, private methods. Pure.

Owns which part a value in a rule is said of. "The parameters of your functions" are parameters.
"""

from __future__ import annotations

import re

from memsuggest.memory.stems import stem_of

_PARTS = {
    "argument": r"(?:(?:function|method|constructor)s?'? )?(?:arguments?|parameters?|args?|params?)",
    "class variable": r"class variables?",
    "instance variable": r"instance variables?",
    "attribute": r"(?:(?:class|instance|object)(?:es)? )?(?:attributes?|fields?|propert(?:y|ies))",
    "test method": r"test methods?",
    "test class": r"test class(?:es)?",
    "test file": r"test files?|tests? modules?",
    "test": r"(?:unit )?tests?(?: (?:cases?|functions?))?",
    "method": r"(?:class |instance )?methods?",
    "function": r"functions?",
    "constant": r"constants?",
    "variable": r"variables?",
    "exception": r"(?:exception|error) class(?:es)?|exceptions?",
    "class": r"class(?:es)?",
    "file": r"files?",
    "module": r"modules?",
    "package": r"packages?",
    "branch": r"branch(?:es)?",
    "commit": r"commit messages?|commits?",
    "table": r"tables?",
    "column": r"columns?",
    "enum": r"enums?",
    "interface": r"interfaces?",
    "component": r"components?",
    "hook": r"hooks?",
    "endpoint": r"endpoints?|routes?",
}
_NAMES = tuple(_PARTS)
_PART = re.compile("|".join(rf"(?P<p{number}>\b(?:{part})\b)" for number, part in enumerate(_PARTS.values())))
_NAMED_PART = re.compile(
    r"\b(?:names? (?:(?:of|for|in|your|our|the|all|each|every|new|any) ){0,3}|call (?:(?:your|our|the|all|new) ){0,2}"
    r"|prefix(?:es)? (?:(?:of|for|your|our|the|all|each) ){0,3}|suffix(?:es)? (?:(?:of|for|your|our|the|all"
    r"|each) ){0,3})$"
)
"""What stands right before the part whose names are meant."""
_OF = re.compile(
    r"(?:'s?|s')?(?: names?)? (?:of|in|on|to|inside|within|from|for)"
    r"(?: (?:the|an?|your|our|their|its|each|every|all|any|new|my|private|public)){0,3} $"
)
"""What joins a part to the whole that it belongs to."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUALIFIERS = frozenset(
    stem_of(word)
    for word in _words(
        "private public protected internal external async asynchronous static abstract helper local global boolean"
        " integer string list dict float temporary loop nested recursive generic base mock fixture integration api"
        " database view"
    )
)
"""What makes a part of code one of a kind, right before its name."""
_THAT = re.compile(r" (?:names? )?(?:that|which|who|whose|returning|holding|containing) (?P<what>[^,.;:]{3,60})")
_RULING = re.compile(r"\b(?:should|must|needs?|have|has|starts?|begins?|ends?|carry|carries|are|is|gets?|always)\b")

_JOINT = re.compile(r"[,;] (?:and|while|whereas|but) |; ")
"""Where a sentence goes on to something else."""

Subject = tuple[str, frozenset[str]]
"""A part of code, and the stems of what narrows it down; both empty where a rule names none."""


def subject_at(said: str, at: int) -> Subject:
    """Return the part of code that a value at `at` is about: one whose name is spoken of, the last before, the next."""
    lowered = said.lower()
    found = _in_clause(lowered, at)
    named = [
        part
        for part in found
        if lowered.startswith((" name", "'s name", "' name"), part.end()) or _NAMED_PART.search(lowered[: part.start()])
    ]
    before = [part for part in named or found if part.start() < at]
    clause = re.search(r"[,;.!?](?=\s|$)", lowered[at:])
    ahead = [part for part in named or found if at <= part.start() < at + (clause.start() if clause else len(said))]
    part = before[-1] if before else next(iter(ahead), None)
    if part is None:
        return "", frozenset()
    return _name_of(part), _narrowing(lowered, part)


def _in_clause(lowered: str, at: int) -> list[re.Match[str]]:
    """Return the parts that are named since the sentence went on to something else; all of them if none is."""
    found = _heads(lowered)
    start = max((joint.end() for joint in _JOINT.finditer(lowered[:at])), default=0)
    joint = _JOINT.search(lowered, at)
    end = joint.start() if joint else len(lowered)
    return [part for part in found if start <= part.start() < end] or found


def parts_in(said: str) -> frozenset[str]:
    """Return all parts of code that a text names as such."""
    return frozenset(map(_name_of, _heads(said.lower())))


def without_parts(lowered: str) -> str:
    """Return a text in lower case without the names of parts."""
    return _PART.sub(" ", lowered)


def _name_of(part: re.Match[str]) -> str:
    return _NAMES[int(str(part.lastgroup)[1:])]


def _heads(lowered: str) -> list[re.Match[str]]:
    """Return the parts that are named, without the wholes that they belong to."""
    every = list(_PART.finditer(lowered))
    pairs = zip([None, *every], every, strict=False)
    return [part for last, part in pairs if last is None or not _OF.match(lowered[last.end() : part.start()])]


def _narrowing(lowered: str, part: re.Match[str]) -> frozenset[str]:
    word = re.search(r"([\w-]{1,20}) $", lowered[max(0, part.start() - 24) : part.start()])
    found = {stem_of(word[1])} & _QUALIFIERS if word else set()
    behind = _THAT.match(lowered, part.end())
    if behind:
        clause = _RULING.split(behind["what"])[0]
        found |= {stem_of(one) for one in re.findall(r"[a-z]{4,}", clause)}
    return frozenset(found)
