"""Taking facts in from a file: read, compared with what is known, and stored one by one as the person decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.errors import StoreError, UnknownId
from memsuggest.core.id_prefixes import beginning, only_one
from memsuggest.core.model import SUGGEST_FROM, Candidate, MemoryFact
from memsuggest.facts.accept import accept, words_digest
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.fact_reports import FactVerdict, Importable, Imported
from memsuggest.facts.facts_by_hand import changing
from memsuggest.facts.imports import read_document
from memsuggest.facts.recognition import Recognition
from memsuggest.facts.stores import (
    all_decisions,
    all_facts,
    all_tombstones,
    known_facts,
    revive_facts,
    store_facts,
)
from memsuggest.files import read_exact

SIZE_LIMIT = 8 * 1024 * 1024  # bytes


def read_import(context: Context, path: Path) -> Imported:
    """Say what a file holds and what of it is new here; nothing is stored. Raises StoreError for a file without any."""
    document = read_document(read_exact(path, limit=SIZE_LIMIT).text, name=path.name)
    known = all_facts(context)
    recognition = Recognition(known, all_tombstones(context))
    contents = {fact.id: fact for fact in known}
    rows = tuple(_row(context, candidate, recognition, contents) for candidate in document.candidates)
    return Imported(path=str(path), rows=rows, skipped=document.skipped)


def _row(context: Context, candidate: Candidate, recognition: Recognition, known: dict[str, MemoryFact]) -> Importable:
    """Return one entry as the fact that it would become, beside what is known of it."""
    fact = accept([candidate], known=(), now=context.now()).added[0]
    same = recognition.fact_of(candidate)
    if same is not None:
        return Importable(candidate=candidate, fact=fact, verdict=FactVerdict.KNOWN, other=known[same])
    against = find_contradictions([fact], list(known.values()))
    other = next((one for pair in against for one in (pair.winner, pair.loser) if one.id != fact.id), None)
    is_forgotten = recognition.is_forgotten(replace(candidate, explicit=False), words_digest(candidate.content))
    return Importable(
        candidate=candidate, fact=fact, verdict=FactVerdict.FORGOTTEN if is_forgotten else FactVerdict.NEW, other=other
    )


def chosen(report: Imported, prefixes: Iterable[str]) -> list[Importable]:
    """Return the entries with these id prefixes; raises UnknownId for none and for several."""
    lists, found = f"`memsuggest memory import --facts {report.path}`", []
    for prefix in prefixes:
        wanted = beginning(prefix, report.rows, shown_by=lists)
        row = only_one([row for row in report.rows if row.id.startswith(wanted)], prefix, called="entries")
        if row is None:
            raise UnknownId(f"no entry with the id `{prefix}`", hint=f"{lists} lists the entries")
        if row.verdict is FactVerdict.KNOWN:
            raise StoreError(f"`{prefix}` is already stored", hint="`memsuggest memory list --facts` shows it")
        found.append(row)
    return found


def take(context: Context, report: Imported, taken: Sequence[Importable]) -> Imported:
    """Store the entries that the person decided to take, and suggest where they belong."""
    with changing(context):
        acceptance = accept(
            [_agreed(row.candidate) for row in taken],
            known=known_facts(context),
            tombstones=all_tombstones(context),
            decisions=all_decisions(context),
            now=context.now(),
        )
        revive_facts(context, acceptance.revived)
        store_facts(context, added=acceptance.added, updated=[*acceptance.updated, *acceptance.retired])
    names = {row.fact.id for row in taken}
    rows = tuple(replace(row, verdict=FactVerdict.TAKEN) if row.fact.id in names else row for row in report.rows)
    return replace(report, rows=rows, skipped=(*report.skipped, *acceptance.refused))


def _agreed(candidate: Candidate) -> Candidate:
    return replace(candidate, confidence=max(candidate.confidence, SUGGEST_FROM))
