"""Slots: what of code a saying fixes (how names of functions start), which value it gives it, and how that is written.

Pure. Owns the few sentences in which a rule is written that was said in pieces: "Start names of functions with `x_`."
Knows no conversation; `talks` finds the pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memsuggest.memory.claims import Claim, claims_of
from memsuggest.memory.constructs import constructs_in, presence_in
from memsuggest.memory.marks import Mark, marks_of
from memsuggest.memory.parts import parts_in, subject_at

_STARTS = re.compile(
    r"\b(?:start\w*|beg(?:i|a|u)n\w*|prefix\w*|front|before|lead(?:s|ing)?|open(?:s|ing)?|first letters?|initials?"
    r"|initial letters?|preced\w+|prepend\w*)\b"
)
_ENDS = re.compile(
    r"\b(?:end(?:s|ed|ing|ings)?|suffix\w*|finish\w*|behind|tail|terminat\w+|clos(?:e|es|ing)|append\w*)\b"
)
_CASES = re.compile(
    r"\b(?:(?:camel|snake|pascal|kebab|upper|lower|letter)[ _-]?case|capitals|capital letters|humps?)\b"
)
_DECORATORS = re.compile(r"\bdecorat\w+")
_CONTAINS = re.compile(r"\b(?:middle|somewhere|contain\w*|substring|appear\w*|the word)\b")
_ASPECTS = {"start": _STARTS, "end": _ENDS, "contain": _CONTAINS, "case": _CASES, "decorator": _DECORATORS}
_NAMING = re.compile(
    r"\b(?:nam(?:e|es|ed|ing)|call(?:ed)?|prefix\w*|suffix\w*|endings?|beginnings?|decorat\w+|start|begin|end|case"
    r"|insignia|letters)\b"
)
_TOPIC = re.compile(r"\b(?:for|about|regarding|concerning|on|as to|speaking of) (?:the |your |our |all )?\w+")
_PLURALS = {
    "class": "classes",
    "branch": "branches",
    "property": "properties",
    "prefix": "prefixes",
    "suffix": "suffixes",
    "try": "try blocks",
}
_ENDED = {
    "start": "No need for a prefix of names of {what} any more.",
    "end": "No need for a suffix of names of {what} any more.",
    "contain": "No need for a {value} in names of {what} any more.",
    "lines": "No limit of lines in {what} any more.",
    "length": "No limit of the length of {what} any more.",
    "decorator": "No need for the `@{value}` decorator on {what} any more.",
}
_NAMED_BY = {
    "start": re.compile(r"\b(?:prefix\w*|beginnings?)\b"),
    "end": re.compile(r"\b(?:suffix\w*|endings?)\b"),
    "lines": re.compile(r"\b(?:limit|length|how long)\b"),
    "length": re.compile(r"\b(?:limit|length|how long)\b"),
    "contain": re.compile(r"\b(?:digits?|numbers?|numerals?)\b"),
    "decorator": re.compile(r"\bdecorat\w+"),
}
"""How people speak of what they end."""
_VALUED = frozenset({"prefix", "suffix", "decorator"})
"""Constructs that say nothing without a value."""
LIMITED = ("lines", "length")
"""What of code has a limit."""
NAMEABLE = frozenset((
    "argument", "class variable", "instance variable", "attribute", "test method", "test class", "test file", "test",
    "method", "function", "constant", "variable", "exception", "class", "module", "file", "package", "branch", "enum",
    "interface", "component", "hook", "table", "column", "endpoint",
))  # fmt: skip

_WRITTEN = {
    "start": "Start names of {what} with `{value}`.",
    "end": "End names of {what} with `{value}`.",
    "contain": "Names of {what} contain `{value}`.",
    "case": "Write names of {what} in {value}.",
    "decorator": "Decorate {what} with `@{value}`.",
    "import": "Import `{value}` in {what}.",
    "lines": "Keep {what} to {value} lines.",
    "length": "Keep {what} to {value} characters.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What a rule fixes of which part of code; either may still be open."""

    part: str = ""
    aspect: str = ""

    @property
    def is_known(self) -> bool:
        """Whether both are told."""
        return bool(self.part) and self.aspect in _WRITTEN

    def filled_by(self, other: Slot) -> Slot:
        """Return it with what it leaves open taken from another one, unless that speaks of another part."""
        is_other = self.part and other.part and self.part != other.part
        return self if is_other else Slot(part=self.part or other.part, aspect=self.aspect or other.aspect)


def slot_of(claim: Claim) -> Slot:
    """Return the slot that a claim fills."""
    return Slot(part=claim.subject, aspect=claim.aspect)


def slot_in(text: str, mark: Mark | None = None) -> Slot:
    """Return what a text says of the slot of a value in it, or of a value that stands elsewhere."""
    form = _form(mark) if mark else ""
    if mark is not None and (slot := slot_of_claim(text, mark)).is_known:
        return slot
    parts = parts_in(text) & NAMEABLE
    part = next(iter(parts)) if len(parts) == 1 else ""
    told = [aspect for aspect, words in _ASPECTS.items() if words.search(text.lower())]
    return Slot(part=part, aspect=form or (told[0] if len(told) == 1 else ""))


def slot_of_claim(text: str, mark: Mark) -> Slot:
    """Return what a text itself claims of a value; without a part where it does not say."""
    found = next((claim for claim in claims_of(text) if claim.value == mark.value.lower() and claim.subject), None)
    form = _form(mark)
    is_plain = found is not None and slot_of(found).is_known
    return Slot(part=found.subject, aspect=form or found.aspect) if found and is_plain else Slot(aspect=form)


def _form(mark: Mark) -> str:
    """What a value is for by its looks, else by the words around it."""
    return mark.aspect if mark.aspect in ("case", "decorator") else aspect_by_form(mark.value) or mark.aspect


def sayable(slot: Slot, mark: Mark) -> bool:
    """Whether a slot is known, and a value fits into it."""
    is_case, is_decorator = (mark.aspect == "case") == (slot.aspect == "case"), _form(mark) == "decorator"
    return slot.is_known and is_case and is_decorator == (slot.aspect == "decorator")


def speaks_of_names(text: str) -> bool:
    """Whether a text is about how things are named or decorated."""
    return bool(_NAMING.search(text.lower()))


def names_a_topic(text: str) -> bool:
    """Whether a text is about how things are named, or says about which part of code more will be said."""
    return speaks_of_names(text) or bool(_TOPIC.search(text.lower()) and parts_in(text))


def aspect_by_form(value: str) -> str:
    """Tell what a value is for by its looks: `x_` starts a name, `_x` ends one."""
    if value.endswith("_") != value.startswith("_"):
        return "start" if value.endswith("_") else "end"
    return ""


def values_of(text: str) -> tuple[Mark, ...]:
    """Return the values of a text that may fill a slot, without those that are named as gone."""
    return tuple(mark for mark in marks_of(text) if not mark.is_out)


def is_shaped(mark: Mark) -> bool:
    """Whether a value is plainly a part of names, a case of letters or a decorator by its looks."""
    return mark.aspect in ("case", "decorator") or bool(aspect_by_form(mark.value))


def written(slot: Slot, value: str) -> str:
    """Write a rule that fills a slot."""
    what = plural(slot.part)
    return _WRITTEN[slot.aspect].format(what=what, value=value.removeprefix("@"))


def asked_beside(text: str) -> tuple[str, ...]:
    """Write what a text asks code to have besides a value: docstrings, tests; a prefix is what the value is for."""
    asked = (
        (construct, subject_at(text, at)[0])
        for construct, is_there, at in presence_in(text)
        if is_there and construct not in _VALUED
    )
    rules = (f"Use {plural(construct)}" + (f" in {plural(part)}." if part else ".") for construct, part in asked)
    return tuple(dict.fromkeys(rules))


def ended(claim: Claim) -> str:
    """Write that a rule holds no more."""
    what = plural(claim.subject) if claim.subject else "code"
    if claim.value == "no":
        return f"{plural(claim.aspect.removeprefix('has ')).capitalize()} in {what} are fine again."
    if claim.aspect.startswith("has "):
        return f"No need for {plural(claim.aspect.removeprefix('has '))} in {what} any more."
    return _ENDED[claim.aspect].format(what=what, value=claim.value) if claim.aspect in _ENDED else ""


def names(text: str, claim: Claim) -> bool:
    """Whether a text speaks of what a rule fixes: of docstrings, of a prefix, of its value."""
    lowered = text.lower()
    if claim.aspect.startswith("has "):
        return claim.aspect in {f"has {construct}" for construct in constructs_in(text)}
    is_named = claim.aspect in _NAMED_BY and bool(_NAMED_BY[claim.aspect].search(lowered))
    is_value = has(lowered, claim.value)
    parts = parts_in(text)
    return (is_named or is_value) and (is_value or not parts or claim.subject in parts)


def plural(part: str) -> str:
    """Return several of a part or a construct of code."""
    head, _, last = part.rpartition(" ")
    return f"{head} {_plural(last)}".strip()


def _plural(word: str) -> str:
    return _PLURALS.get(word, f"{word}s")


def has(text: str, value: str) -> bool:
    """Whether a text names a value."""
    before = "" if value.startswith("_") else r"(?<![\w@])"
    behind = "" if value.endswith("_") else r"(?!\w)"
    return bool(re.search(f"{before}{re.escape(value.lower())}{behind}", text.lower()))


def limits_same(text: str, claim: Claim) -> bool:
    """Whether a text speaks of what a limit is for: of lines, of how long functions are."""
    if claim.subject == "line":
        return bool(re.search(r"\blines?\b|\bcharacters?\b", text.lower()))
    return claim.subject in parts_in(text) or (claim.aspect == "lines" and bool(re.search(r"\blines\b", text.lower())))
