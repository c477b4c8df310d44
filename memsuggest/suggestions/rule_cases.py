"""Rules with what a model is to be shown of them: places, lines of the files, known rules. Pure."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest.core.identity import normalised
from memsuggest.core.model import Scope
from memsuggest.judging.verdicts.cases import KNOWN, LINES, PLACES, SPOTS, RuleCase, ShownLine
from memsuggest.judging.verdicts.nearest import Nearest, first_of_each
from memsuggest.judging.verdicts.spots import spot_of
from memsuggest.suggestions.existing_rules import lines_of
from memsuggest.suggestions.ranking.hosts import host_of, readers_of
from memsuggest.suggestions.suggest import places_for, spot_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from memsuggest.core.model import MemoryFact, Target
    from memsuggest.judging.verdicts.cases import KnownFact
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


class RuleCases:
    """The files and the known rules, ready to say what is shown of a rule."""

    def __init__(
        self, workspace_index: WorkspaceIndex, known: Sequence[KnownFact] = (), *, own_words: Iterable[str] = ()
    ) -> None:
        """Take what there is; `own_words` are wordings that stand in files because we put them there."""
        self._index = workspace_index
        self._known = known
        self._own_words = frozenset(map(normalised, own_words))
        self._hosts = {host for one in known if (host := host_of(one.fact))}

    @cached_property
    def _lines(self) -> dict[Scope, tuple[list[ShownLine], Nearest]]:
        found = {scope: [line for target in self._index.of(scope) for line in lines_of(target)] for scope in Scope}
        return {
            scope: (lines, Nearest(f"{line.says or line.words} {line.under}" for line in lines))
            for scope, lines in found.items()
        }

    @cached_property
    def _facts(self) -> dict[Scope, tuple[list[KnownFact], Nearest]]:
        found = {scope: [one for one in self._known if one.fact.scope is scope] for scope in Scope}
        return {scope: (facts, Nearest(one.fact.content for one in facts)) for scope, facts in found.items()}

    def of(
        self, fact: MemoryFact, *, decided: Collection[str] = (), is_maybe: bool = False, is_bare: bool = False
    ) -> RuleCase:
        """Return what is shown of a fact; `decided` are the files that are closed to it.

        A bare one lacks the lines beside which the fact would stand: its basis is the same, and it is made faster.
        """
        files, ranked = places_for(fact, self._index, decided=decided)
        read = [one for one in ranked if self._is_read(one.target, fact)] or ranked
        places = tuple(one.target for one in read[:PLACES])
        made = (spot_for(fact, one) for one in ([] if is_bare else read[:SPOTS]))
        return RuleCase(
            fact=fact,
            is_maybe=is_maybe,
            files=files,
            places=places,
            readers={target.uri: tuple(map(str, readers_of(target.uri))) for target in places},
            spots=tuple(spot_of(one) if one else None for one in made),
            lines=tuple(self._nearest_lines(fact)),
            known=tuple(self._nearest_known(fact)),
            own_words=self._own_words,
        )

    def _is_read(self, target: Target, fact: MemoryFact) -> bool:
        """Tell whether an assistant that the person uses reads a file, as far as is known."""
        host = host_of(fact)
        hosts = self._hosts | ({host} if host else set())
        readers = readers_of(target.uri)
        return not hosts or not readers or bool(hosts.intersection(readers))

    def _nearest_lines(self, fact: MemoryFact) -> list[ShownLine]:
        lines, nearest = self._lines[fact.scope]
        words = [normalised(line.words) for line in lines]
        return [lines[number] for number in first_of_each(nearest.to(fact.content), words, most=LINES)]

    def _nearest_known(self, fact: MemoryFact) -> Iterator[KnownFact]:
        facts, nearest = self._facts[fact.scope]
        others = (facts[number] for number in nearest.to(fact.content) if facts[number].fact.id != fact.id)
        yield from (one for one, _ in zip(others, range(KNOWN), strict=False))
