"""A rule: what one cue looks like, what it says about a remark, and examples that prove it.

Owns the shape of a rule only; the rules themselves are rows of the tables in `rules/`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memsuggest.extraction.remarks import Remark
    from memsuggest.model import Kind


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One cue. It fires where a pattern of the remark's language is found, or where `when` says so."""

    name: str
    looks_for: str
    kind: Kind | None = None
    """What a fact is that this cue makes; None for cues that only raise or lower belief."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Pattern over plain text by language; `*` is for all of them."""
    in_main: bool = False
    """The words are looked for in what is ordered or told, without its condition and "we should"."""
    when: Callable[[Remark], bool] | None = None
    """A condition instead of words, or beside them: then both must hold."""
    remembers: tuple[str, ...]
    """Sentences on which it fires."""
    ignores: tuple[str, ...]
    """Sentences that look alike and on which it does not fire."""

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        return {language: re.compile(words) for language, words in self.words.items()}

    @cached_property
    def _spoken(self) -> dict[tuple[str, ...], tuple[re.Pattern[str], ...]]:
        """The patterns that count for a remark in some languages, as they are asked for."""
        return {}

    def fires(self, remark: Remark) -> bool:
        """Whether the cue is there."""
        if self.words and not self._is_said(remark):
            return False
        return self.when is None or self.when(remark)

    def _is_said(self, remark: Remark) -> bool:
        text = remark.main if self.in_main else remark.plain
        patterns = self._spoken.get(remark.languages)
        if patterns is None:
            languages = (*remark.languages, "*")
            patterns = tuple(words for language, words in self._patterns.items() if language in languages)
            self._spoken[remark.languages] = patterns
        for words in patterns:  # noqa: SIM110 a generator costs more here than the search itself
            if words.search(text):
                return True
        return False
