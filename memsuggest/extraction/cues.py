"""Cues: words and phrases that tell how a sentence is meant; the table is `cues.txt`.

Which cues matter, and how much, is no business of the table: training writes that to `weights.json`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

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
def form(table_name: str, name: str) -> re.Pattern[str]:
    """Compile a regular expression of a table when it is first needed."""
    return re.compile(_sections(table_name)[name].strip(), re.VERBOSE)


@cache
def phrases_of(table_name: str) -> dict[str, re.Pattern[str]]:
    """Compile a table of phrases when it is first needed: most commands need none of it."""
    return {name: _compiled(text.replace("\n", " ").split(";")) for name, text in _sections(table_name).items()}


@cache
def words_of(table_name: str) -> dict[str, frozenset[str]]:
    """Load a table of words when it is first needed."""
    return {name: frozenset(words.split()) for name, words in _sections(table_name).items()}


@cache
def _sections(table_name: str) -> dict[str, str]:
    table = files(__package__).joinpath(f"{table_name}.txt").read_text(encoding="utf-8")
    parts = (section.partition("]\n") for section in re.split(r"^\[", table, flags=re.MULTILINE)[1:])
    return {name: text for name, _, text in parts}


def _compiled(phrases: list[str]) -> re.Pattern[str]:
    """Compile one pattern of phrases: whole words, or any place in a script without spaces."""
    texts = [phrase.strip() for phrase in phrases if phrase.strip()]
    spaced = [text for text in texts if not _SIGNS.search(text)]
    dense = [text for text in texts if _SIGNS.search(text)]
    return re.compile("|".join([rf"(?<![\w'])(?<!\w\.)(?:{'|'.join(spaced)})(?![\w'(])", *dense]))
