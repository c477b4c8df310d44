"""Facts that contradict each other, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.model import Contradiction, FactStatus
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.evidence_lines import source_line
from memsuggest.render.terminal.page import FAINT, ID, INDENT, SHORT, WARN, Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.model import MemoryFact

    Line = tuple[str | tuple[str, str], ...]


_MOST = 5
"""Pairs that are shown at a time."""


def show_contradictions(page: Page, pairs: Iterable[Contradiction]) -> None:
    """Print facts that contradict each other, with their evidence and the way out."""
    every = list(pairs)
    for pair in every[:_MOST]:
        page.line()
        page.line(("Contradiction", WARN), f": {one_line(pair.why)}" if pair.why else "")
        for mark, fact in (("newer", pair.winner), ("older", pair.loser)):
            page.line(f"  {mark}  ", (fact.id[:SHORT], ID), "  ", one_line(fact.content), hang=INDENT + 7)
            for citation in fact.citations[:1]:
                words = f"“{one_line(citation.quote, limit=100)}” " if citation.quote else ""
                page.line(f"         {words}", (source_line(citation), FAINT))
        page.line((f"  {_way_out(pair)}", FAINT))
    if len(every) > _MOST:
        page.line()
        page.line((f"{len(every) - _MOST} more pairs contradict each other, shown once these are settled", FAINT))


def clash_lines(fact: MemoryFact, pairs: Iterable[Contradiction]) -> Iterator[Line]:
    """Return what contradicts a fact, two lines each: the other rule, and which of the two counts."""
    for pair in pairs:
        is_newer = pair.winner.id == fact.id
        other = pair.loser if is_newer else pair.winner
        yield ("  contradicts ", WARN), (other.id[:SHORT], ID), "  ", one_line(other.content)
        if is_newer:
            way = f"which is older and not suggested: `memsuggest facts forget {other.id[:SHORT]}` ends it"
        else:
            way = f"which is newer, so this one is not suggested: `memsuggest facts forget {fact.id[:SHORT]}` ends it"
        yield ((f"    {way}", FAINT),)


def _way_out(pair: Contradiction) -> str:
    older = pair.loser.id[:SHORT]
    if pair.loser.status is FactStatus.INACTIVE:
        return f"the older one was retired; `memsuggest facts show {older}` shows it"
    return f"keep one: `memsuggest facts forget {older}` lets the newer win"
