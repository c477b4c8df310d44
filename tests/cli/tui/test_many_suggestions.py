"""Thousands of suggestions: filters count them, a search finds them, and only what is on the screen is worked out."""

from __future__ import annotations

import asyncio

from textual.app import App, ComposeResult

from memsuggest.core.identity import fact_id
from memsuggest.core.model import (
    Citation,
    Edit,
    Kind,
    MemoryFact,
    MemorySuggestion,
    Scope,
    SuggestionStatus,
    TargetType,
)
from memsuggest.tui.review_list import ALL, Header, Item, Waiting, waiting
from memsuggest.tui.widgets import SuggestionList

COUNT, FILES, CHATS = 3000, 7, 20


def suggestion(number: int) -> MemorySuggestion:
    text = f"Rotate the keys of service {number}."
    said = Citation(session_id=f"{number % CHATS:08}-chat", turn=1, quote=text)
    fact = MemoryFact(
        id=fact_id(Scope.WORKSPACE, text),
        content=text,
        kind=list(Kind)[number % 3],
        confidence=0.9,
        citations=(said,),
        timestamp=number,
    )
    path = f"docs/{number % FILES}.instructions.md"
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=TargetType.INSTRUCTIONS,
        target_uri=path,
        suggested_merge_content=f"- {text}",
        status=SuggestionStatus.PENDING,
        edit=Edit(path=path, before="# Rules\n", after=f"# Rules\n- {text}\n"),
    )


ALL_OF_THEM = [suggestion(number) for number in range(COUNT)]


def many() -> Waiting:
    return waiting(ALL_OF_THEM, (), seen=frozenset(one.id for one in ALL_OF_THEM[10:]))


def test_filters_count_and_narrow() -> None:
    """Each filter takes as many as it says; all words of a search have to be there, in whatever case."""
    found = many()
    filters = found.filters()
    assert [(one.name, one.count) for one in filters[:3]] == [("all", COUNT), ("new", 10), ("Instructions", COUNT)]
    assert sum(one.count for one in filters if one.name.startswith("chat ")) == COUNT
    for one in filters:
        assert sum(isinstance(row, Item) for row in found.rows(one)) == one.count, one.name
    rows = found.rows(ALL, "SERVICE rotate 2999.")
    assert [row.words if isinstance(row, Item) else row for row in rows] == [
        Header(f"docs/{2999 % FILES}.instructions.md", 1),
        "Rotate the keys of service 2999.",
    ]


def test_only_what_is_on_the_screen_is_worked_out() -> None:
    """Opening, jumping to the end and going through files looks at the rows that are drawn, and at no other."""

    class Listed(App[None]):
        def compose(self) -> ComposeResult:
            yield SuggestionList()

    async def go() -> tuple[Waiting, int]:
        found = many()
        app = Listed()
        async with app.run_test(size=(60, 20)) as pilot:
            shown = app.query_one(SuggestionList)
            shown.show(found.rows(ALL))
            for at in (0, len(shown.rows), shown.nearest(1500)):
                shown.choose(at)
                await pilot.pause()
            shown.choose(shown.other_file(1))
            shown.choose(shown.further(-1))
            await pilot.pause()
            return found, shown.chosen

    found, chosen = asyncio.run(go())
    worked_out = sum("words" in vars(item) for item in found.items)
    assert chosen > 1500
    assert 0 < worked_out < 150, worked_out
    assert not any("searched" in vars(item) for item in found.items)
