"""Restatements: does what a person typed say a rule of a file again? Pure.

`existing_rules.said` tells whether a line leaves anything of a sentence unsaid; it is made to keep suggestions away,
where a line that says far more does no harm. Here a wrong answer says of a rule that it fails, so the sentence has to
say something of weight by itself, and the line has to be about that and not about more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.held.chat_table import OF_ANY_CHAT
from memsuggest.memory.duplicates import similarity_of
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.memory.stem_groups import group_of
from memsuggest.suggestions.existing.rewordings import spelled_like, with_code_of, wordings_of
from memsuggest.suggestions.existing.rule_lines import plain_line
from memsuggest.text.german import in_english, is_german

if TYPE_CHECKING:
    from memsuggest.memory.rule_meaning import Wording
    from memsuggest.suggestions.existing.rule_lines import ExistingRule

_ALIKE = 0.4
"""Similarity from which a line is about what a sentence of several words of weight says."""
_ALIKE_BY_ONE = 0.6
"""The same for a sentence with one such word, which must be a choice, a name, or forbidden."""


def says_again(line: ExistingRule, said: str) -> bool:
    """Tell whether a sentence that a line covers is that line said again."""
    words = plain_line(said)
    known = read_wording(line.text)
    told = [words, *([in_english(words)] if is_german(words) and not is_german(line.text) else [])]
    return any(
        _is_same_matter(known, read_wording(with_code_of(spelled_like(wording, line.text), line.text)))
        for one in told
        for wording in wordings_of(one)
    )


def _is_same_matter(line: Wording, said: Wording) -> bool:
    chosen = {group_of(stem) for stem in said.heavy} - {None}
    more = {stem for stem in said.refused if group_of(stem) not in chosen}  # "pnpm, not npm" says no more than "pnpm"
    return any(_is_about(line, said, weight) for weight in {said.heavy | said.refused, said.heavy | more})


def _is_about(line: Wording, said: Wording, weight: frozenset[str]) -> bool:
    """Tell whether a line is about what the words of weight of a sentence say."""
    shared = weight & {*line.stems, *line.refused}
    alike = similarity_of(line, said)
    if len(weight) >= 2:
        return len(shared) >= 2 and alike >= _ALIKE
    is_telling = any(term.is_name or group_of(term.stem) for term in said.terms)
    is_telling = is_telling or bool(said.negations and not weight & OF_ANY_CHAT)  # "no changes" is for once
    return bool(shared) and is_telling and alike >= _ALIKE_BY_ONE
