"""Glob patterns matched as VS Code's engine matches them, in linear time. Pure.

The engine turns a pattern into a regular expression; here the same language becomes an automaton, so that no pattern
and no path can make it backtrack.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto.glob_pieces import BadClass, Piece, folded, is_in_name, is_separator, pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PLAIN_TAIL = re.compile(r"\*\*/(?:\*(\.[A-Za-z0-9_.-]+)|([A-Za-z0-9_.-]+)/?|([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)/?)")
_TABLE_LIMIT = 2000  # states of one pattern that are kept; beyond, they are made anew


class Glob:
    """A compiled pattern; ignores case unless told otherwise."""

    def __init__(self, pattern: str, *, ignores_case: bool = True) -> None:
        self._fold = folded if ignores_case else str
        self._edges: list[tuple[str, Callable[[str], bool] | None, int]] = [("", None, -1)]
        """Per state: a literal or a test, and the state it leads to; state 0 accepts."""
        self._jumps: dict[int, tuple[int, ...]] = {}
        self._is_hopeless = False
        start = 0
        try:
            start = self._build(pieces_of(units(pattern)), 0)
        except BadClass:
            self._is_hopeless = True
        self._start = self._closed([start])
        self._forget()

    def _forget(self) -> None:
        self._ids: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._table: list[dict[str, int]] = []
        self._id(self._start)

    def _state(self, literal: str, test: Callable[[str], bool] | None, target: int) -> int:
        self._edges.append((literal, test, target))
        return len(self._edges) - 1

    def _fork(self) -> int:
        return self._state("", None, -1)

    def _build(self, pieces: tuple[Piece, ...], target: int) -> int:
        for piece in reversed(pieces):
            target = self._step_to(piece, target)
        return target

    def _step_to(self, piece: Piece, target: int) -> int:
        """Make states that pass the piece and go on to `target`; return the first."""
        if piece.choices is not None:
            ways = [self._build(choice, target) for choice in piece.choices] or [target]
        elif piece.is_folders:
            return self._folders(target, is_last=piece.is_last)
        elif piece.is_repeated:
            loop = self._fork()
            self._jumps[loop] = (self._state("", piece.test, loop), target)
            return loop
        else:
            return self._state(self._fold(piece.literal) if piece.literal else "", piece.test, target)
        fork = self._fork()
        self._jumps[fork] = tuple(ways)
        return fork

    def _folders(self, target: int, *, is_last: bool) -> int:
        """Any number of: a separator, or a name and a separator, or at the end a separator and a name."""
        loop, in_name = self._fork(), self._fork()
        separator = self._state("", is_separator, loop)
        name = self._state("", is_in_name, in_name)
        self._jumps[in_name] = (name, separator)
        ways = [target, separator, name]
        if is_last:
            more = self._fork()
            last_name = self._state("", is_in_name, more)
            self._jumps[more] = (last_name, loop)
            ways.append(self._state("", is_separator, last_name))
        self._jumps[loop] = tuple(ways)
        return loop

    def _closed(self, states: Iterable[int]) -> frozenset[int]:
        """Follow the jumps; keep the states that read a character, and the accepting one."""
        seen: set[int] = set()
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state not in seen:
                seen.add(state)
                waiting.extend(self._jumps.get(state, ()))
        return frozenset(seen - self._jumps.keys())

    def _id(self, states: frozenset[int]) -> int:
        known = self._ids.get(states)
        if known is None:
            known = self._ids[states] = len(self._sets)
            self._sets.append(states)
            self._table.append({})
        return known

    def _step(self, current: int, char: str) -> int:
        same = self._fold(char)
        targets = []
        for state in self._sets[current]:
            literal, test, target = self._edges[state]
            if (test(char) if test else literal and literal == same) and target >= 0:
                targets.append(target)
        following = self._closed(targets)
        if len(self._sets) > _TABLE_LIMIT:
            self._forget()
            return self._id(following)
        found = self._table[current][char] = self._id(following)
        return found

    def matches(self, path: str) -> bool:
        """Tell whether the pattern matches the whole path."""
        if self._is_hopeless:
            return False
        current = 0
        for char in units(path):
            following = self._table[current].get(char)
            current = self._step(current, char) if following is None else following
        return 0 in self._sets[current]


def units(text: str) -> str:
    """Spell characters beyond U+FFFF as two halves, as the engine sees them."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    encoded = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(encoded[at] | encoded[at + 1] << 8) for at in range(0, len(encoded), 2))


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Callable[[str], bool]:
    """Compile a pattern once; the result tells whether a path matches, whatever the case."""
    plain = _PLAIN_TAIL.fullmatch(pattern)
    if plain is None:
        return Glob(pattern).matches
    extension, name, names = (part and part.lower() for part in plain.groups())
    if extension:
        return lambda path: path.lower().endswith(extension)
    tails = ("/" + names,) if names else ("/" + name, "\\" + name)
    return lambda path: path.lower().endswith(tails) or path.lower() == (names or name)
