"""Cues: words and phrases that tell how a sentence is meant; the table is `cues.txt`.

Which cues matter, and how much, is no business of the table: training writes that to `weights.json`.
"""

from __future__ import annotations

import re
from functools import cache, partial

from memsuggest.core.text import phrase_tables
from memsuggest.core.text.phrase_tables import sections_of

form = partial(phrase_tables.form, __package__)
"""Compiles a regular expression of a table of this room."""
_SIGNS = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
"""Scripts that part no words by spaces, so that a phrase may stand in the middle of a run of letters."""


def cues_in(plain: str) -> frozenset[str]:
    """Return the names of the cues in a plain text.

    >>> sorted(cues_in("pnpm from now on"))
    ['from-now-on', 'tool']
    """
    return frozenset(name for name, pattern in phrases_of("cues").items() if pattern.search(plain))


def has_cue(name: str, plain: str) -> bool:
    """Tell whether a plain text has one of a cue's phrases."""
    return phrases_of("cues")[name].search(plain) is not None


@cache
def phrases_of(table_name: str) -> dict[str, re.Pattern[str]]:
    """Compile a table of phrases when it is first needed: most commands need none of it."""
    return {
        name: _compiled(text.replace("\n", " ").split(";"))
        for name, text in sections_of(__package__, table_name).items()
    }


@cache
def words_of(table_name: str) -> dict[str, frozenset[str]]:
    """Load a table of words when it is first needed."""
    return {name: frozenset(words.split()) for name, words in sections_of(__package__, table_name).items()}


def _compiled(phrases: list[str]) -> re.Pattern[str]:
    """Compile one pattern of phrases: whole words, or any place in a script without spaces."""
    texts = [phrase.strip() for phrase in phrases if phrase.strip()]
    spaced = [text for text in texts if not _SIGNS.search(text)]
    dense = [text for text in texts if _SIGNS.search(text)]
    return re.compile("|".join([rf"(?<![\w'])(?<!\w\.)(?:{'|'.join(spaced)})(?![\w'(])", *dense]))
