"""Mending the team's file by itself, where no conflict of git says how: whatever `memory check` finds in it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from memsuggest.core.context import Context
from memsuggest.core.errors import StoreError
from memsuggest.core.git import run_git
from memsuggest.core.model import Skipped
from memsuggest.core.redact import clean, redact, without_redacted
from memsuggest.facts import codec
from memsuggest.facts.branch_merge import merge, saved
from memsuggest.facts.codec import Document
from memsuggest.facts.entries import Entry
from memsuggest.facts.facts_file import PLACE
from memsuggest.files import UNCHECKED, read_exact, write_exact

_TEXTS = ("content", "reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """The outcome of mending."""

    facts: int
    told: tuple[str, ...]
    """One line each."""


CONTESTED = "one branch forgot it, and another reworded it"
MENDS = "fix it with `memsuggest memory resolve`"


def facts_file_notes(context: Context) -> list[Skipped]:
    """Say what git left in the team's file that was read all the same."""
    document = context.facts_file.read()
    twins = [Skipped(what=PLACE, why=f"{repair}: merged into one") for repair in document.repairs]
    return [*twins, *(Skipped(what=f"fact {key[:12]}", why=f"{CONTESTED}: {MENDS}") for key in document.contested)]


def mend(context: Context) -> Mended | None:
    """Mend the file in its place; None when there is nothing to mend. Raises StoreError for a newer version."""
    path = context.facts_file.path
    if not os.path.lexists(path):
        return None
    with context.exclusive():
        told = _saved(context)
        document = context.facts_file.read()
        told += [*document.repairs, *_told_of(document)]
        if not context.facts_file.is_in_usual_form():
            told = told or ["its order and formatting are now standard"]
        context.facts_file.repair(cleaned)
    return Mended(facts=len(context.facts_file.read().facts), told=tuple(told)) if told else None


def cleaned(document: Document) -> Document:
    """Return the entries as `memory check` wants them: clean texts without secrets, and what was contested settled."""
    contested = set(document.contested)
    stones = {key: stone for key, stone in document.tombstones.items() if key not in contested}
    facts = {key: _clean_entry(entry) for key, entry in document.facts.items() if key not in stones}
    return replace(document, facts=facts, tombstones=stones)


def _clean_entry(entry: Entry) -> Entry:
    texts = {key: clean_text(str(entry[key])) for key in _TEXTS if key in entry}
    return entry if all(entry[key] == text for key, text in texts.items()) else {**entry, **texts}


def clean_text(text: str) -> str:
    """Return a text in one clean line, without the clauses that hold a secret; the rest of it stays as it was."""
    line = " ".join(clean(redact(text).text).split())
    return without_redacted(line) or line


def _told_of(document: Document) -> list[str]:
    """Say what cleaning changes."""
    told = [f"fact {key[:12]} was forgotten on one side; the other's new text was kept" for key in document.contested]
    for key, entry in document.facts.items():
        if key in document.tombstones and key not in document.contested:
            told.append(f"fact {key[:12]} had been forgotten and was removed")
        elif _clean_entry(entry) is not entry:
            told.append(f"fact {key[:12]} was cleaned up: one line, secrets redacted")
    return told


def _saved(context: Context) -> list[str]:
    """Write all that can be saved of a file that cannot be parsed; what it was stays in the state folder."""
    path = context.facts_file.path
    try:
        found = read_exact(path)
        codec.parse(found.text, name=f"`{path}`")
    except StoreError as error:
        if "newer" in error.message:
            raise
    else:
        return []
    aside = context.state_path.with_name("facts-damaged.json")
    write_exact(aside, found.text, expected_digest=UNCHECKED, mode=0o600)
    document = _with_committed(context, saved(found.text, name=f"`{path}`"), found.text)
    context.facts_file.replace_damaged(document, expected_digest=found.digest)
    return [f"the file could not be parsed: everything readable was kept, and the original is in {aside}"]


def _with_committed(context: Context, document: Document, text: str) -> Document:
    """Add the entries of the last commit that a damaged text still names, and that could not be read there."""
    shown = run_git(context.root, "show", f"HEAD:./{PLACE}")
    try:
        committed = codec.parse(shown.decode(), name="the last commit") if shown is not None else codec.Document()
    except (StoreError, UnicodeDecodeError):
        return document
    named = {key: entry for key, entry in committed.facts.items() if f'"{key}"' in text and key not in document.facts}
    return merge(codec.Document(), document, replace(codec.Document(), facts=named)).document if named else document
