"""Forgetting reaches the archive: what was forgotten is taken out of the summaries that quote it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.identity import hash_of, normalised
from memsuggest.memory.accept import words_digest
from memsuggest.model import Tombstone
from memsuggest.recall.entry import Layer, archive_mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.recall.entry import Entry
    from memsuggest.workflows.context import Context

_QUOTE = re.compile(r"“([^”]*)”")
_GONE = "“(forgotten)”"
_FEWEST = 3
"""Words from which a cut quotation is told to be of a text."""


def stone_of(entry: Entry) -> Tombstone:
    """Return the tombstone under which what a chat taught does not come back from it."""
    if entry.layer is Layer.ARCHIVE:
        return Tombstone(fact_id=archive_mark(entry))
    return Tombstone(fact_id=hash_of("entry", entry.id), words=words_digest(entry.content))


def forget_quotes(context: Context, texts: Iterable[str]) -> list[Entry]:
    """Take these words out of the quotations in the archive; return the entries as they are now."""
    gone = [words for text in texts if (words := normalised(text))]
    changed = []
    for entry in context.profile.entries.entries(layers=(Layer.ARCHIVE,)) if gone else ():
        content = without_quotes(entry.content, gone)
        if content != entry.content and not entry.is_fact:
            changed.append(replace(entry, content=content))
            context.profile.entries.update(changed[-1])
    return changed


def without_quotes(content: str, gone: Iterable[str]) -> str:
    """Return a summary without the quotations of some words, which are normalised.

    >>> without_quotes("Decided: “Prices in cents.”; “use pnpm”.", ["prices in cents"])
    'Decided: “(forgotten)”; “use pnpm”.'
    """
    return _QUOTE.sub(lambda found: _GONE if any(_is_of(found[1], words) for words in gone) else found[0], content)


def _is_of(quote: str, words: str) -> bool:
    said = normalised(quote)
    return said != "" and (words in said or (len(said.split()) >= _FEWEST and said in words))
