"""Grounds for a file that no host loads for what a rule is about: more than a word in passing. Pure.

Skills, agents and nested files are loaded for their own matter. "Error messages end without a full stop" finds the word
"error" in a dozen of them; its place is where everything is said, unless a file is about error messages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import matching_pattern
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.memory.stem_groups import stem_of
from memsuggest.model import Target, TargetType
from memsuggest.suggestions.ranking.named_targets import is_named
from memsuggest.suggestions.ranking.workspace_index import is_general
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.suggestions.fact_targets import Case
    from memsuggest.suggestions.ranking.match import Ranked

SURE = 0.6
"""Score from which all that speaks for a file is ground enough."""
_MOST = 0.7
"""Share of a repo's code from which a file that is loaded for it holds for all."""
_ENOUGH = 2
"""Words of a rule in a description that are more than chance."""
_WORD = re.compile(r"[^\W_]{2,}")
_ANY_FILE = frozenset(
    map(
        stem_of,
        word_set("md mdc github claude cursor copilot agents agent skills skill instructions rules prompts src"),
    )
)
"""Words of paths and descriptions that say what kind of file it is, not what it is about."""


def is_grounded(one: Ranked, case: Case) -> bool:
    """Tell whether a file is loaded for what a rule is about, or is itself about a word of it."""
    target = one.target
    # A nested file is read for its folder only, however much it says of the matter there.
    is_sure = one.score >= SURE and not target.always_on
    if is_sure or is_general(target) or is_named(target, case.fact.content) or _is_in_use(target, case):
        return True
    return _is_loaded(target, case) or _is_about(target, _words_of_rule(case.fact.content))


def _is_about(target: Target, words: frozenset[str]) -> bool:
    """Tell whether a file's name or title says a word, or its description two of them: it says many in passing."""
    headings = (section.heading for section in target.sections[:2] if section.level <= 1)
    called = _words_of((target.uri, target.title, target.applies_to or "", *headings))
    described = words & _words_of((target.description,))
    return not words.isdisjoint(called) or len(described) >= min(_ENOUGH, len(words) or _ENOUGH)


def _is_in_use(target: Target, case: Case) -> bool:
    index = case.workspace_index.indexes[case.fact.scope]
    names = (name for citation in case.fact.citations for name in citation.in_use)
    return any(index.files[number].target.uri == target.uri for number in index.called(names))


def _is_loaded(target: Target, case: Case) -> bool:
    """Tell whether a host loads a file for one of those that a rule is about, or for most code where it names none."""
    if target.always_on or target.type is TargetType.SKILL:
        return any(path.startswith(f"{target.folder}/") for path in case.files)
    root = case.workspace_index.root or "/"
    if any(matching_pattern(target.applies_to, path, root=root) is not None for path in case.files):
        return True
    code = case.workspace_index.code_files
    covered = sum(matching_pattern(target.applies_to, path, root=root) is not None for path in code)
    return not case.files and bool(code) and covered >= _MOST * len(code)


def _words_of_rule(content: str) -> frozenset[str]:
    """Return the stems that a rule is about; what a path is made of says where, not what."""
    told = (term for term in read_wording(content).terms if term.weight >= 1 and "/" not in term.stem)
    return frozenset(stem for term in told for stem in ((term.stem,) if term.stem.isalpha() else _stems([term.stem])))


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the stems of what a file is called, or says that it is for."""
    return frozenset(_stems(texts)) - _ANY_FILE


def _stems(texts: Iterable[str]) -> list[str]:
    return [stem_of(word.lower()) for text in texts for word in _WORD.findall(text)]
