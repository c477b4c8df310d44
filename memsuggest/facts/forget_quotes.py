"""Forgotten words: taken out of the archive that quotes or tells them, left out where their chat is read again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import Citation, Tombstone, Transcript
from memsuggest.core.text.sentences import sentences_of
from memsuggest.core.text.words import content_words, has_words
from memsuggest.facts.accept import words_digest
from memsuggest.memory.entry import Entry, Layer, archive_mark
from memsuggest.memory.entry_store import rebuild_index
from memsuggest.memory.turns import SaidTurn

_QUOTE = re.compile(r"“([^”]*)”")
FORGOTTEN = "(forgotten)"
_GONE = f"“{FORGOTTEN}”"
_FEWEST = 3  # words from which a cut quotation is told to be of a text
_TELLING = 8  # characters from which words are told again wherever they stand


def tombstone_of(entry: Entry) -> Tombstone:
    """Return the tombstone under which what a chat taught does not come back from it."""
    if entry.layer is Layer.ARCHIVE:
        return Tombstone(fact_id=archive_mark(entry))
    return Tombstone(fact_id=hash_of("entry", entry.id), words=words_digest(entry.content))


def forget_quotes(context: Context, texts: Iterable[str]) -> list[Entry]:
    """Take these words out of the archive, and of what was said in its chats; return the entries as they are now."""
    store, gone = context.profile.entries, [words for text in texts if (words := normalised(text))]
    changed, chats = list[Entry](), list[Entry]()
    for entry in store.entries(layers=(Layer.ARCHIVE,)) if gone else ():
        content = without_quotes(entry.content, gone)
        if content != entry.content and not entry.is_fact:
            changed.append(entry._replace(content=content))
            store.update(changed[-1])
    for entry in store.chats_with(gone):
        turns = store.turns_of(entry)
        left = [turn._replace(text=_without_sentences(turn.text, gone)) for turn in turns]
        if left != turns:
            store.keep_turns(entry, left)
            chats.append(entry)
    if chats:
        rebuild_index(store.connection)
    known = {(entry.layer, entry.id) for entry in changed}
    return [*changed, *(entry for entry in chats if (entry.layer, entry.id) not in known)]


def _without_sentences(text: str, gone: Collection[str]) -> str:
    for sentence in reversed(list(sentences_of(text))):
        if any(_is_of(sentence.text, words) or _tells(sentence.text, words) for words in gone):
            text = f"{text[: sentence.start]}{FORGOTTEN}{text[sentence.end :]}"
    return text


def as_forgotten_before(before: Iterable[SaidTurn], now: Iterable[SaidTurn]) -> list[SaidTurn]:
    """Return a chat's turns as they are now, with those as they were kept of which words were forgotten."""
    cut = {turn.number: turn for turn in before if FORGOTTEN in turn.text}
    return [cut.get(turn.number, turn) for turn in now]


def without_quotes(content: str, gone: Collection[str]) -> str:
    """Return a summary without the quotations of some words, which are normalised, and the sentences that tell them.

    Our own rules quote; a model tells in words of its own.

    >>> without_quotes("Decided: “Prices in cents.”; “use pnpm”.", ["prices in cents"])
    'Decided: “(forgotten)”; “use pnpm”.'
    >>> without_quotes("They chose cents for prices. They use pnpm.", ["prices in cents"])
    '“(forgotten)” They use pnpm.'
    """
    quoting = _QUOTE.sub(lambda found: _GONE if any(_is_of(found[1], words) for words in gone) else found[0], content)
    for sentence in reversed(list(sentences_of(quoting))):
        if "“" not in sentence.text and any(_tells(sentence.text, words) for words in gone):
            quoting = f"{quoting[: sentence.start]}{_GONE}{quoting[sentence.end :]}"
    return quoting


def _tells(sentence: str, words: str) -> bool:
    if len(words) >= _TELLING and f" {words} " in f" {normalised(sentence)} ":
        return True
    carrying = content_words(words)
    return len(carrying) > 1 and carrying <= content_words(sentence)


def _is_of(quote: str, words: str) -> bool:
    said = normalised(quote)
    if said == words:
        return said != ""
    is_within = len(words) >= _TELLING and has_words(said, words)
    return is_within or (len(said.split()) >= _FEWEST and has_words(words, said))


def forgotten_evidence(context: Context) -> frozenset[str]:
    """Return the keys of evidence that the person forgot."""
    return frozenset(key for tombstone in _tombstones(context) for key in tombstone.evidence)


def without_forgotten(context: Context, transcript: Transcript) -> Transcript:
    """Return a chat in which blanks stand for the sentences that were forgotten, of the same length."""
    tombstones = _tombstones(context)
    evidence = {key for tombstone in tombstones for key in tombstone.evidence}
    words = {tombstone.words for tombstone in tombstones if tombstone.words}
    if not (evidence or words):
        return transcript
    from memsuggest.judging.offline import offline  # only where something was forgotten
    from memsuggest.judging.offline.statements import statements_of

    # All that could have been cited, with its rule: what engines found, and each sentence
    found = [(cited, item.content) for item in offline.extract(transcript).candidates for cited in item.citations]
    sentences = [(cited.turn, cited.quote, rule) for cited, rule in found]
    sentences += [(item.turn.number, item.text, item.text) for item in statements_of(transcript)]
    gone: dict[int, set[str]] = {}
    for turn, quote, rule in sentences:
        key = Citation(session_id=transcript.session_id, turn=turn, quote=quote).evidence_key
        if key in evidence or words_digest(rule) in words:
            gone.setdefault(turn, set()).add(quote)
    turns = []
    for said in transcript.turns:
        text = said.typed
        for quote in sorted(gone.get(said.number, ()), key=len, reverse=True):
            text = text.replace(quote, " " * len(quote))
        turns.append(said if text == said.typed else replace(said, typed=text))
    return replace(transcript, turns=tuple(turns))


def _tombstones(context: Context) -> list[Tombstone]:
    return [tombstone for tombstone in context.profile.tombstones() if not tombstone.into]
