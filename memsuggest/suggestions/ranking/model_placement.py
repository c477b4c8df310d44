"""Places by a model: what it is told, and what may come of its answer. Pure.

It chooses among names that were made for the question, so no file that was not shown can be named; the edit is made by
code from the place, the heading and the words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from memsuggest.asking.outcomes import failure
from memsuggest.asking.prompts import load_prompt
from memsuggest.asking.question import Purpose, Question
from memsuggest.asking.read_reply import read_as
from memsuggest.asking.schema import bare
from memsuggest.asking.token_count import estimate
from memsuggest.identity import hash_of
from memsuggest.judging.spots import Spot, spot_of
from memsuggest.memory.merged_wording import why_no_wording
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.store.placement_cache import NEW_FILE, NO_PLACE, PlacementAdvice
from memsuggest.suggestions.suggest import places_for, spot_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memsuggest.model import MemoryFact, Target
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

PLACES = 5
"""Places that are shown for a rule."""
SPOTS = 3
"""Of these, how many are shown with the lines beside which the rule would stand."""
HEADINGS = 30
"""Headings that are shown of a place."""
PORTION = 12_000
"""Tokens of data in one question."""
WORDING_LIMIT = 240  # characters
_NEW = "new"
_TOKENS_EACH = 80
"""Of the reply, for each rule."""

WordsCheck = Callable[[str, Sequence[str]], str]
"""Says why words may not be used, given what they rest on; empty when they may."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Placed(_Part):
    rule: str
    place: str
    heading: str
    content: str


class _Reply(_Part):
    placed: list[_Placed]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementCase:
    """A fact, and the places that are shown for it."""

    fact: MemoryFact
    files: tuple[str, ...]
    places: tuple[Target, ...]
    spots: tuple[Spot | None, ...] = ()
    """Where in the first of the places our own ranking would put it."""

    @property
    def name(self) -> str:
        """Its name in a question."""
        return f"R{hash_of('rule', self.fact.id)[:8]}"

    @property
    def basis(self) -> str:
        """Digest of what is told of it; not of the lines beside it, which change with every rule that is applied."""
        prompt = load_prompt("matching")
        bare = replace(self, spots=())
        return hash_of("matching", str(prompt.version), _rule_line(bare), *map(_place_line, self.places))


def cases_of(
    facts: Iterable[tuple[MemoryFact, frozenset[str]]], workspace_index: WorkspaceIndex
) -> list[PlacementCase]:
    """Return facts, each with the files that are closed to it, as cases; a fact that no place shares a word with has
    nothing to choose from, and is left out."""
    found = []
    for fact, decided in facts:
        files, ranked = places_for(fact, workspace_index, decided=decided)
        places = tuple(one.target for one in ranked[:PLACES])
        if places:
            made = (spot_for(fact, one) for one in ranked[:SPOTS])
            spots = tuple(spot_of(one) if one else None for one in made)
            found.append(PlacementCase(fact=fact, files=files, places=places, spots=spots))
    return found


def portions(cases: Iterable[PlacementCase], *, most: int = PORTION) -> Iterator[list[PlacementCase]]:
    """Cut cases into questions of a size that is read with care."""
    portion: list[PlacementCase] = []
    for case in cases:
        if portion and estimate(_data([*portion, case])) > most:
            yield portion
            portion = []
        portion.append(case)
    if portion:
        yield portion


def question_about(cases: Sequence[PlacementCase], *, about: str) -> Question:
    """Ask where the rules belong."""
    return Question(
        purpose=Purpose.MATCHING,
        prompt=load_prompt("matching"),
        about=about,
        data=_data(cases),
        schema=bare(_Reply.model_json_schema()),
        max_tokens=400 + _TOKENS_EACH * len(cases),
    )


def _data(cases: Sequence[PlacementCase]) -> str:
    places = {_place_name(target): target for case in cases for target in case.places}
    return "\n".join([*map(_place_line, places.values()), *map(_rule_line, cases)])


def _place_name(target: Target) -> str:
    """Name a place; with other headings it has another name."""
    return f"P{hash_of('place', target.uri, *_headings(target).values())[:8]}"


def _headings(target: Target) -> dict[str, str]:
    named = [section.heading for section in target.sections if section.heading]
    return {f"H{number}": heading for number, heading in enumerate(dict.fromkeys(named[:HEADINGS]), 1)}


def _place_line(target: Target) -> str:
    told = {
        "place": _place_name(target),
        "path": target.uri,
        "type": target.type.value,
        "title": target.title[:200],
        "description": target.description[:400],
        "applies_to": "always" if target.always_on else target.applies_to or "",
        "headings": _headings(target),
    }
    return _line({key: value for key, value in told.items() if value})


def _rule_line(case: PlacementCase) -> str:
    told = {
        "rule": case.name,
        "says": case.fact.content,
        "kind": case.fact.kind.value,
        "files": list(case.files[:8]),
        "candidates": [_place_name(target) for target in case.places],
    }
    beside = {
        _place_name(target): _spot_told(target, spot)
        for target, spot in zip(case.places, case.spots, strict=False)
        if spot
    }
    return _line(told | ({"beside": beside} if beside else {}))


def _spot_told(target: Target, spot: Spot) -> dict[str, object]:
    """Return a spot as it is told: under which heading, after and before which lines."""
    names = {heading: name for name, heading in _headings(target).items()}
    told = {"heading": names.get(spot.heading or "", ""), "after": list(spot.after), "before": list(spot.before)}
    return {key: value for key, value in told.items() if value}


def _line(told: Mapping[str, object]) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def read_placed(text: str, cases: Sequence[PlacementCase], *, check: WordsCheck) -> list[PlacementAdvice]:
    """Return what comes of an answer for each rule; raises ModelError for one of another shape.

    A place that was not shown for the rule is NO_PLACE; a heading that the place does not have, and words that the rule
    does not carry, are left out.
    """
    placed = read_as(_Reply, text).placed
    if len(placed) > 2 * len(cases):
        raise failure("wrong-shape", f"{len(placed)} places for {len(cases)} rules")
    first: dict[str, _Placed] = {}
    for one in placed:
        first.setdefault(one.rule, one)
    return [_advice(first.get(case.name, _NOWHERE), case, check=check) for case in cases]


def written_placed(advice: Iterable[PlacementAdvice], cases: Sequence[PlacementCase]) -> str:
    """Return the answer from which the same advice comes, and nothing else: what is kept of one that was paid for."""
    by_fact = {case.fact.id: case for case in cases}
    placed = [_written(one, by_fact[one.fact_id]) for one in advice if one.uri != NO_PLACE]
    return _Reply(placed=placed).model_dump_json()


def _written(one: PlacementAdvice, case: PlacementCase) -> _Placed:
    target = next((target for target in case.places if target.uri == one.uri), None)
    names = {heading: name for name, heading in _headings(target).items()} if target else {}
    return _Placed(
        rule=case.name,
        place=_place_name(target) if target else _NEW,
        heading=names.get(one.heading or "", ""),
        content="" if one.content == case.fact.content else one.content,
    )


_NOWHERE = _Placed(rule="", place="", heading="", content="")


def _advice(one: _Placed, case: PlacementCase, *, check: WordsCheck) -> PlacementAdvice:
    target = {_place_name(target): target for target in case.places}.get(one.place)
    is_placed = target is not None or one.place == _NEW
    return PlacementAdvice(
        fact_id=case.fact.id,
        basis=case.basis,
        uri=target.uri if target else NEW_FILE if is_placed else NO_PLACE,
        heading=_headings(target).get(one.heading) if target else None,
        content=_worded(one.content, case.fact, check=check) if is_placed else case.fact.content,
    )


def _worded(words: str, fact: MemoryFact, *, check: WordsCheck) -> str:
    """Return the wording that was proposed where it says what the fact says and no more, else the fact's own."""
    content = " ".join(words.split())
    if not content or len(content) > WORDING_LIMIT:
        return fact.content
    sources = [fact.content, *(citation.quote for citation in fact.citations)]
    is_refused = why_no_wording(content, [fact]) or check(content, sources) or why_forbidden(content)
    return fact.content if is_refused else content
