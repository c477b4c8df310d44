"""Elements such as `<thinking>…</thinking>` in a text; pure, linear in its length."""

from __future__ import annotations


def outside(text: str, name: str) -> list[str]:
    """Give the pieces of a text outside of an element; one that is not closed goes on to the end.

    >>> outside("a<x>b</x>c", "x")
    ['a', 'c']
    """
    start, end = f"<{name}>", f"</{name}>"
    pieces, position = [], 0
    while (opened := text.find(start, position)) >= 0:
        pieces.append(text[position:opened])
        closed = text.find(end, opened)
        position = closed + len(end) if closed >= 0 else len(text)
    return [*pieces, text[position:]]
