"""Rules in force while people talk: what they fix, and which of them a sentence means. Pure.

Owns the finding of the rule that a saying changes or ends: by what it fixes, by the value that is named, by its words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction.language.trade import content_words
from memsuggest.extraction.talks.slots import LIMITED, NAMEABLE, Slot, ended, has, limits_same, names, slot_of, written
from memsuggest.memory.claims import Claim, claims_of
from memsuggest.memory.constructs import constructs_in
from memsuggest.memory.marks import no_longer
from memsuggest.memory.parts import parts_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_INSTEAD = re.compile(
    r"(?P<new>(?:[\w@.'-]{1,30} ){0,3}['\"`]?@?[A-Za-z][\w.-]{1,30}['\"`]?) "
    r"(?:instead of|rather than|in (?:the )?place of|over|replaces)"
    r" (?:each |every |the |a |an )?(?P<old>['\"`]?@?[A-Za-z][\w.-]{1,30}(?: [\w.'-]{1,30}){0,2})"
)
"""How one says that a thing takes another's place."""
_SHAPED = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
"""A name of several words, as classes have it."""
_LONG = 200  # characters
_LAST = re.compile(r"[A-Z][a-z]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A rule that is in force, by the id of its fact."""

    identity: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """One thing that a rule in force fixes."""

    claim: Claim
    identity: str = ""
    """The fact; empty for a rule that was only told in this talk."""
    is_all: bool = True
    """The rule fixes nothing else."""


class InForce:
    """The rules in force, as a talk goes on."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._known = tuple(known)
        self._fixed: list[Fixed] = []
        self._over: set[str] = set()
        for rule in self._known:
            claims = claims_of(rule.content)
            self._fixed += [Fixed(claim=one, identity=rule.identity, is_all=len(claims) == 1) for one in claims]

    def of(self, slot: Slot) -> list[Fixed]:
        """List what fills a slot for all that it is about, not only for some."""
        found = [one for one in self._fixed if slot.is_known and slot_of(one.claim) == slot]
        wide = [one for one in found if not one.claim.narrowed]
        return wide or (found if len(found) == 1 else [])

    def fill(self, slot: Slot, value: str, *, is_change: bool) -> tuple[str, ...]:
        """Fill a slot anew; return the ids of the facts that are replaced by that."""
        old = [
            one for one in self.of(slot) if one.claim.value != value.lower() and (is_change or not one.claim.narrowed)
        ]
        self._fixed = [one for one in self._fixed if one not in old]
        self._fixed += [Fixed(claim=claim) for claim in claims_of(written(slot, value))]
        return tuple(one.identity for one in old if one.identity and one.is_all)

    def reworded(self, slot: Slot, value: str) -> str:
        """Return a rule for some only, with another value in the old one's place; empty where it is for all."""
        old = [one for one in self.of(slot) if one.claim.narrowed and one.is_all]
        rule = next((rule.content for rule in self._known if old and rule.identity == old[0].identity), "")
        if not rule or len(rule) > _LONG:
            return ""
        pattern = re.compile(re.escape(old[0].claim.value), re.IGNORECASE)
        return pattern.sub(lambda _: value, rule) if len(pattern.findall(rule)) == 1 else ""

    def with_decorator(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Return the only rule about a decorator with another one in it, and the fact that it replaces."""
        found = [one for one in self._fixed if one.claim.aspect == "decorator" and one.is_all and one.identity]
        if len(found) != 1 or found[0].claim.value == name.lower():
            return "", ()
        rule = next(rule.content for rule in self._known if rule.identity == found[0].identity)
        self.end(found[0])
        return re.sub(re.escape(found[0].claim.value), lambda _: name, rule, flags=re.IGNORECASE), (found[0].identity,)

    def only_word(self) -> Slot:
        """Return the only slot that is filled by a plain word, such as how names of classes end."""
        found = {
            slot_of(one.claim)
            for one in self._fixed
            if one.claim.value.isalpha() and one.claim.aspect in ("start", "end", "contain")
        }
        return found.pop() if len(found) == 1 else Slot()

    def end(self, fixed: Fixed) -> None:
        """Forget what is in force no more."""
        self._over.add(fixed.identity)
        self._fixed = [one for one in self._fixed if one is not fixed]

    def named_in(self, text: str, *, aspect: str = "") -> list[Slot]:
        """List the slots, of an aspect or of all, whose value a text names."""
        gone = no_longer(text)
        named = [one.claim for one in self._fixed if one.claim.value in gone or has(text, one.claim.value)]
        return [slot for slot in map(slot_of, named) if slot.is_known and aspect in ("", slot.aspect)]

    def ended_by(self, text: str) -> Fixed | None:
        """Return what a text that ends something means."""
        found = next((one for one in self._fixed if one.identity and names(text, one.claim) and ended(one.claim)), None)
        return found or self._with_construct(constructs_in(text))

    def _with_construct(self, named: frozenset[str]) -> Fixed | None:
        """Return the only rule that has one of some constructs in it, as if it asked for nothing else."""
        found = [(rule, one) for rule in self._known for one in named & constructs_in(rule.content)]
        if len(found) != 1 or found[0][0].identity in self._over:
            return None
        rule, construct = found[0]
        part = next(iter(parts_in(rule.content) & NAMEABLE), "")
        return Fixed(claim=Claim(subject=part, aspect=f"has {construct}", value="yes"), identity=rule.identity)

    def limit_in(self, texts: Iterable[str]) -> Fixed | None:
        """Return the limit of which one of some texts speaks, the first one that is plain."""
        limits = [one for one in self._fixed if one.claim.aspect in LIMITED]
        for text in texts:
            meant = [one for one in limits if limits_same(text, one.claim)]
            if len(meant) == 1:
                return meant[0]
        return None

    def only_slot(self, aspect: str) -> Slot:
        """Return the slot of an aspect, if only one part of code has that."""
        alike = {slot_of(one.claim) for one in self._fixed if aspect and one.claim.aspect == aspect}
        return alike.pop() if len(alike) == 1 else Slot()

    def word_in(self, text: str) -> Claim | None:
        """Return the part of a name, a plain word, that a text names."""
        found = [one.claim for one in self._fixed if one.claim.value.isalpha() and has(text, one.claim.value)]
        return found[0] if len(found) == 1 and found[0].aspect in ("start", "end", "contain") else None

    def replaced_by(self, said: str, reply: str) -> tuple[str, ...]:
        """Return the id of the fact in whose place a saying puts something else, as it says or the reply does."""
        for text in (said, reply):
            for found in _INSTEAD.finditer(text):
                is_of_it = text == said or bool(content_words(found["new"]) & content_words(said))
                if is_of_it and (rule := self._meant_by(content_words(found["old"]), content_words(said))):
                    return (rule,)
        return self._of_same_shape(said)

    def _meant_by(self, old: frozenset[str], said: frozenset[str]) -> str:
        """Return the one rule that has what is given up; what is said of the new one as well tells nothing."""
        words = old - said or old
        counts = [(len(words & content_words(rule.content)), rule.identity) for rule in self._known]
        best = max(counts, default=(0, ""))
        return best[1] if best[0] and [count for count, _ in counts].count(best[0]) == 1 else ""

    def _of_same_shape(self, said: str) -> tuple[str, ...]:
        """Return the fact that names another one of a kind where one is named: `QueryError`, `ValueError`."""
        new = set(_SHAPED.findall(said))
        found = [rule for rule in self._known if _is_alike(new, set(_SHAPED.findall(rule.content)))]
        return (found[0].identity,) if len(found) == 1 else ()


def _is_alike(new: set[str], old: set[str]) -> bool:
    return not new & old and bool(_kinds(new) & _kinds(old))


def _kinds(found: Iterable[str]) -> set[str]:
    return {last[0] for one in found if (last := _LAST.search(one))}


def known_in(contents: Sequence[tuple[str, str]]) -> list[Known]:
    """Make rules of ids and contents."""
    return [Known(identity=identity, content=content) for identity, content in contents]
