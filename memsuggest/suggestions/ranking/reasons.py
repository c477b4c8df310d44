"""The reason for a file in one sentence, which names the evidence that decided. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.meaning_words import EMPTY, GENERIC, NUMBERS
from memsuggest.suggestions.ranking.target_kinds import TargetKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from memsuggest.model import Section
    from memsuggest.suggestions.ranking.overlap import Overlap

NOT_LOADED = "it is not loaded for the files that the rule is about"
_WORDS = 3
_SHORTEST = 3  # letters of a word that is named
_LIGHT = EMPTY | GENERIC | frozenset(NUMBERS) | {"src"}
"""Words that many rules have, and that convince nobody."""
_CLAUSES = 2
_OF_MEAN = 0.7
"""A word is named when it weighs nearly what the rule's words weigh on average."""
_TELLING = 0.25
"""Log-odds by which evidence must set a file apart from the others to be named."""


def why_there(evidence: Overlap, number: int, *, apart: Mapping[str, float], section: Section | None) -> str:
    """Return the reason; `apart` says for each kind of evidence how far it sets the file apart from the others."""
    if number in evidence.not_loaded:
        return NOT_LOADED
    clauses: dict[str, None] = {}
    for name in sorted(apart, key=lambda name: -apart[name]):
        said = _CLAUSE[name](evidence, number, section) if name in _CLAUSE and apart[name] >= _TELLING else ""
        if said:
            clauses.setdefault(said)
    chosen = list(clauses)[:_CLAUSES]
    return ", and ".join(chosen) if chosen else _by_kind(evidence, number, section)


def _by_kind(evidence: Overlap, number: int, _section: Section | None) -> str:
    return _OF_KIND[evidence.target_index.files[number].target_kind]


_OF_KIND = {
    TargetKind.ROOT: "it is always loaded, and no file fits better",
    TargetKind.NESTED: "it is the nearest file for its folder",
    TargetKind.INSTRUCTIONS: "no other instructions fit better",
    TargetKind.RULES: "no other rules fit better",
    TargetKind.AGENT: "no file fits better than this agent",
    TargetKind.SKILL: "no file fits better than this skill",
    TargetKind.PROMPT: "no file fits better than this prompt",
}


def _shared(evidence: Overlap, held: Collection[str]) -> str:
    return _spoken(evidence, evidence.shares, held, said=evidence.question.text)


def _spoken(evidence: Overlap, weights: Mapping[str, float], held: Collection[str], *, said: str) -> str:
    """List the words of most weight that a file holds, as they were said; words that any rule has explain nothing."""
    surfaces = evidence.target_index.vocabulary.surfaces(said)
    telling = _OF_MEAN * sum(weights.values()) / max(1, len(weights))
    shared = sorted((word for word in weights if word in held and weights[word] >= telling), key=lambda w: -weights[w])
    spoken = dict.fromkeys(surfaces[word].lower() for word in shared)
    named = [word for word in spoken if len(word) >= _SHORTEST and word not in _LIGHT]
    return _listed([f"“{word}”" for word in named[:_WORDS]])


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _about(evidence: Overlap, number: int, section: Section | None) -> str:
    target_index = evidence.target_index
    if section is not None and section.heading:
        part = next(
            target_index.parts[n]
            for n in target_index.files[number].sections
            if target_index.parts[n].section == section
        )
        words = _shared(evidence, part.count)
        if words:
            return f"its section “{section.heading}” speaks of {words}"
    words = _shared(evidence, target_index.counts[number])
    return f"it speaks of {words}" if words else ""


def _titled(evidence: Overlap, number: int, _section: Section | None) -> str:
    words = _shared(evidence, evidence.target_index.files[number].title)
    return f"its title says {words}" if words else ""


def _described(evidence: Overlap, number: int, _section: Section | None) -> str:
    words = _shared(evidence, evidence.target_index.files[number].description)
    return f"its description says {words}" if words else ""


def _how_many(share: float) -> str:
    return (
        "the files that the rule is about"
        if share > 0.93
        else "most files that the rule is about"
        if share > 0.5
        else "some files that the rule is about"
    )


def _near(evidence: Overlap, number: int, _section: Section | None) -> str:
    share = evidence.question.cover.under.get(number, 0.0)
    return f"{_how_many(share)} lie below `{evidence.target_index.files[number].target.folder}/`" if share else ""


def _applies(evidence: Overlap, number: int, _section: Section | None) -> str:
    share = evidence.question.cover.applies.get(number, 0.0)
    return f"its `applyTo` covers {_how_many(share)}" if share else ""


def _by_paths(evidence: Overlap, number: int, _section: Section | None) -> str:
    file, said = evidence.target_index.files[number], " ".join(evidence.question.paths)
    held = evidence.target_index.counts[number].keys() | file.name.keys()
    words = _spoken(evidence, evidence.path_weights, held, said=said)
    return f"it names {words}, as do the paths of the files that the rule is about" if words else ""


def _sort(evidence: Overlap, number: int, _section: Section | None) -> str:
    return (
        "it is loaded for every request" if evidence.target_index.files[number].target_kind is TargetKind.ROOT else ""
    )


def _in_use(_evidence: Overlap, _number: int, _section: Section | None) -> str:
    return "it was in use when this was said"


def _this(evidence: Overlap, _number: int, _section: Section | None) -> str:
    return f"the rule is about “this {evidence.own_kind}”"


_CLAUSE: Mapping[str, Callable[[Overlap, int, Section | None], str]] = {
    "section": _about,
    "file": _about,
    "title": _titled,
    "description": _described,
    "near": _near,
    "whole": _near,
    "applies": _applies,
    "path words": _by_paths,
    "path name": _by_paths,
    "this": _this,
    "in use": _in_use,
    "sort": _sort,
}
"""What each kind of evidence is called; those without an entry decide, but explain nothing."""
