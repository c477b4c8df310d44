"""Ids for the shell's completion, each with its rule; whatever is wrong, nothing is offered and nothing is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memsuggest.core.errors import MemsuggestError

if TYPE_CHECKING:
    from memsuggest.core.context import Context

SHORT = 7
_WORDS = 50
"""Characters of a rule that stand beside its id."""


def suggestion_ids(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    return _offered(ctx, incomplete, _waiting)


def fact_ids(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Return the facts."""
    return _offered(ctx, incomplete, _facts)


def _waiting(context: Context) -> Iterator[tuple[str, str]]:
    from memsuggest.facts.stores import waiting_maybes
    from memsuggest.suggestions.pending import load_all

    yield from ((suggestion.id, suggestion.content) for suggestion in load_all(context))
    yield from ((maybe.id, maybe.content) for maybe in waiting_maybes(context))


def _facts(context: Context) -> Iterator[tuple[str, str]]:
    from memsuggest.facts.stores import known_facts

    yield from ((fact.id, fact.content) for fact in known_facts(context))


def _offered(ctx: typer.Context, incomplete: str, found: _Found) -> list[tuple[str, str]]:
    from memsuggest.cli.run import Run
    from memsuggest.core.render.safe_output import one_line

    repo: Path | None = ctx.params.get("repo") or (ctx.parent.params.get("repo") if ctx.parent else None)
    run = Run(repo=repo, quiet=True)
    with suppress(MemsuggestError), run.opened:
        rows = list(found(run.context().dry()))
        return [
            (name[: _length(rows, name)], one_line(content, limit=_WORDS))
            for name, content in rows
            if name.startswith(incomplete.lower())
        ]
    return []


def _length(rows: Iterable[tuple[str, str]], name: str) -> int:
    """Return how much of an id it takes so that no other begins so."""
    others = [other for other, _ in rows if other != name]
    return next(n for n in range(SHORT, len(name) + 1) if not any(one.startswith(name[:n]) for one in others))


if TYPE_CHECKING:
    _Found = Callable[[Context], Iterator[tuple[str, str]]]
