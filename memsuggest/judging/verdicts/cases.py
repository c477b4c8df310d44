"""Rules with all that a model is shown of them, and the question about some of them. Pure.

Names are made of what they name: none that was not shown can be guessed, and one whose line has changed is gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, takewhile
from typing import Literal

from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope, Target
from memsuggest.core.redact import clean, redact
from memsuggest.judging.asking.json_object import ReplyPart, schema_of
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question, estimate


class Judged(ReplyPart):
    """An entry of an answer, about one rule; every field is there, an empty one where it says nothing."""

    rule: str
    becomes: Literal["said", "replaces", "contradicts", "joins", "new", "nowhere"]
    line: str
    joins: list[str]
    place: str
    heading: str
    also: list[str]
    wording: str
    of_ten: int | None = None
    """Maintainers of ten who would want it, as the model thinks; None where it was not asked."""
    weakens: bool


class Answer(ReplyPart):
    """The whole reply."""

    verdicts: list[Judged]


AFTER = 2  # lines that are shown of those before the rule
BEFORE = 1  # lines that are shown of those after it
LONGEST = 160  # characters of a line


def spot_of(made: MemorySuggestion, target: Target) -> Mapping[str, object]:
    """Return what is shown of the spot where an edit puts a rule: the heading, the lines of its section around it.

    The lines are redacted before they are cut, so that no cut hides a secret; of those before it, the nearest is last.
    """

    def shown(lines: Iterable[str], most: int) -> list[str]:
        within = takewhile(lambda line: not line.startswith(("#", "---")), (line for line in lines if line.strip()))
        found = (redact(clean(line)).text.strip() for line in islice(within, most))
        return [f"{line[:LONGEST]}…" if len(line) > LONGEST else line for line in found]

    old, new = (made.edit.before or "").splitlines(), (made.edit.after or "").splitlines()
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    names = {heading: name for name, heading in headings_of(target).items()}
    heading = names.get(made.heading or "", "")
    return _filled(heading=heading, after=shown(reversed(old[:at]), AFTER)[::-1], before=shown(old[at:], BEFORE))


PLACES = 5  # places that are shown for a rule
SPOTS = 3  # of these, how many are shown with the lines beside which the rule would stand
LINES = 12  # lines of files that are shown for a rule
KNOWN = 4  # known facts that are shown for a rule
HEADINGS = 30  # headings that are shown of a place
PORTION = 12_000  # tokens of data in one question
TOKENS_EACH = 130  # of the reply, for each rule
_LONGEST = 300  # characters of a line or a quote that are shown
_POINTER = 200
"""Characters of a file without headings that is shown whole: most such files only send their reader to another one."""
_DECISIVE = 2  # nearest lines whose change makes a new question


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """A line of a customization file."""

    uri: str
    number: int
    """From 1."""
    words: str
    """As they stand in the file, on one line."""
    says: str = ""
    """The same where that differs: without marks, with "never" before it in a list of things not to do."""
    under: str = ""
    loaded: str = ""
    """When its file is loaded, where that is not always."""

    @property
    def name(self) -> str:
        return f"L{hash_of('line', self.uri, self.words)[:6]}"

    def shown(self) -> dict[str, object]:
        """Return what a model is shown of it."""
        at, says = f"{self.uri}:{self.number}", _cut(self.says or self.words)
        return _filled(line=self.name, at=at, loaded=self.loaded, under=self.under, says=says)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """A fact that a rule may be the same as."""

    fact: MemoryFact
    state: str  # `maybe`, `pending` or `applied`

    def shown(self) -> dict[str, object]:
        return {"rule": rule_name(self.fact), "says": _cut(self.fact.content), "state": self.state}


@dataclass(frozen=True, kw_only=True)
class RuleCase:
    """A rule, and what is shown for it."""

    fact: MemoryFact
    is_maybe: bool = False
    around: str = ""
    before: str = ""
    files: tuple[str, ...] = ()
    places: tuple[Target, ...] = ()
    readers: Mapping[str, tuple[str, ...]]
    """The assistants that read each of the places, by its uri; none where that is not known."""
    spots: tuple[Mapping[str, object] | None, ...] = ()
    """What is shown of where our own ranking would put it in each of the first places."""
    lines: tuple[ShownLine, ...] = ()
    known: tuple[KnownFact, ...] = ()
    own_words: frozenset[str] = frozenset()
    """Normalised words that we wrote ourselves: lines of these are no reason to ask again."""

    @property
    def name(self) -> str:
        return rule_name(self.fact)

    @cached_property
    def basis(self) -> str:
        """Digest of what a verdict rests on: the rule, the first place, the lines next to it that we did not write."""
        prompt = load_prompt("verdicts")
        theirs = [line.words for line in self.lines if normalised(line.words) not in self.own_words][:_DECISIVE]
        first = [self.places[0].uri, self.places[0].applies_to or ""] if self.places else []
        return hash_of("verdict", str(prompt.version), self.fact.content, self.fact.scope, *first, *sorted(theirs))

    @property
    def is_worth_asking(self) -> bool:
        """Tell whether there is anything to judge: a rule's safety always, of a maybe only what it may become."""
        return bool(self.places or self.lines or self.known) or not self.is_maybe

    def shown(self) -> dict[str, object]:
        """Return what a model is shown of the rule itself."""
        quote = next((citation.quote for citation in self.fact.citations), "")
        says, beside = self.fact.content, zip(self.places, self.spots, strict=False)
        found = {
            "rule": self.name,
            "says": says,
            "words": _cut(quote) if normalised(quote) != normalised(says) else "",
            "state": "maybe" if self.is_maybe else "",
            "around": self.around,
            "before": self.before,
            "files": list(self.files[:8]),
            "places": [place_name(target) for target in self.places],
            "beside": {place_name(target): spot for target, spot in beside if spot is not None},
            "lines": [line.name for line in self.lines],
            "known": [rule_name(neighbour.fact) for neighbour in self.known],
        }
        return {key: value for key, value in found.items() if value or key == "places"}  # it tells what is to be judged


def rule_name(fact: MemoryFact) -> str:
    return f"R{hash_of('rule', fact.id, fact.content)[:6]}"


def place_name(target: Target) -> str:
    return f"P{hash_of('place', target.uri, *headings_of(target).values())[:6]}"


def headings_of(target: Target) -> dict[str, str]:
    """Return the headings of a place by the names that they have in a question."""
    named = [section.heading for section in target.sections if section.heading]
    return {f"H{number}": heading for number, heading in enumerate(dict.fromkeys(named[:HEADINGS]), 1)}


def portions(cases: Iterable[RuleCase], *, most: int = PORTION) -> Iterator[list[RuleCase]]:
    """Cut cases into questions of a size that is read with attention."""
    portion: list[RuleCase] = []
    for case in cases:
        if portion and estimate(data_of([*portion, case])) > most:
            yield portion
            portion = []
        portion.append(case)
    if portion:
        yield portion


def question_about(cases: Sequence[RuleCase], *, about: str) -> Question:
    """Ask what becomes of some rules."""
    return Question(
        purpose=Purpose.VERDICTS,
        prompt=load_prompt("verdicts"),
        about=about,
        data=data_of(cases),
        schema=schema_of(Answer, "Judged", of_ten="integer"),
        max_tokens=400 + TOKENS_EACH * len(cases),
    )


def data_of(cases: Sequence[RuleCase]) -> str:
    places = {target.uri: (target, case) for case in cases for target in case.places}
    lines = {line.name: line for case in cases for line in case.lines}
    asked = {case.name for case in cases}
    known = {rule_name(neighbour.fact): neighbour for case in cases for neighbour in case.known}
    shown = [
        _filled(
            place=place_name(target),
            path=target.uri,
            type=target.type.value,
            title=target.title[:200],
            description=target.description[:400],
            applies_to=loaded_for(target),
            read_by=list(case.readers.get(target.uri, ())),
            headings=headings_of(target),
            whole_text=target.text.strip() if len(target.text) <= _POINTER and not headings_of(target) else "",
        )
        for target, case in places.values()
    ]
    shown += [line.shown() for line in sorted(lines.values(), key=lambda line: (line.uri, line.number))]
    shown += [neighbour.shown() for name, neighbour in known.items() if name not in asked]
    shown += [case.shown() for case in cases]
    return "\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in shown)


def loaded_for(target: Target) -> str:
    """Say for which files a file is loaded: `always`, a pattern, or nothing where it does not say."""
    if not target.always_on:
        return target.applies_to or ""
    is_root = target.scope is Scope.USER or target.folder in ("", ".github", ".claude")
    return "always" if is_root else f"{target.folder}/**"


def _filled(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value}


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
