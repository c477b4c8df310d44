"""Glob patterns matched as VS Code's engine matches them, in linear time. Pure.

The engine turns a pattern into a regular expression; here the same language becomes an automaton, so that no pattern
and no path can make it backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

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


_SEPARATORS = "/\\"
_LINE_ENDS = "\n\r\u2028\u2029"
_MANY = 64  # alternatives of one pattern with braces that are looked at


def split_aware(pattern: str, separator: str) -> list[str]:
    """Split where the separator stands outside of braces and brackets, not nesting; an empty last part is dropped."""
    parts: list[str] = []
    in_braces = in_brackets = False
    start = 0
    for index, char in enumerate(pattern):
        if char == separator and not in_braces and not in_brackets:
            parts.append(pattern[start:index])
            start = index + 1
        elif char in "{}":
            in_braces = char == "{"
        elif char in "[]":
            in_brackets = char == "["
    return [*parts, pattern[start:]] if start < len(pattern) else parts


def alternatives(pattern: str) -> list[str]:
    """Write out the alternatives in braces, nested ones too, from left to right; too many are left as they are."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        if len(done) + len(waiting) > _MANY:
            return [pattern]
        current = waiting.pop()
        choices = _first_choices(current)
        if choices is None:
            done.append(current)
        else:
            waiting.extend(reversed(choices))
    return done


def _first_choices(pattern: str) -> list[str] | None:
    start = pattern.find("{")
    depth, cuts = 0, [start]
    for index in range(start, len(pattern)) if start >= 0 else ():
        char = pattern[index]
        depth += (char == "{") - (char == "}")
        if depth == 1 and char == ",":
            cuts.append(index)
        elif depth == 0:
            ends = zip(cuts, [*cuts[1:], index], strict=True)
            return [pattern[:start] + pattern[cut + 1 : end] + pattern[index + 1 :] for cut, end in ends]
    return None


@dataclass(frozen=True, slots=True)
class Piece:
    """One step of a pattern: a character that passes the test, any number of them, or one of several ways."""

    test: Callable[[str], bool] | None = None
    literal: str = ""
    is_repeated: bool = False
    choices: tuple[tuple[Piece, ...], ...] | None = None
    is_folders: bool = False
    """`**`: any number of folders."""
    is_last: bool = False
    """`**` at the end: also what lies in the folder."""


def is_separator(char: str) -> bool:
    return char in _SEPARATORS


def is_in_name(char: str) -> bool:
    return char not in _SEPARATORS


def _is_in_line(char: str) -> bool:
    return char not in _LINE_ENDS


def _is_nothing(char: str) -> bool:
    return False


_SEPARATOR = Piece(test=is_separator)
_NAME_CHAR = Piece(test=is_in_name)
_NAME_CHARS = Piece(test=is_in_name, is_repeated=True)
_ANYTHING = Piece(test=_is_in_line, is_repeated=True)
_NOTHING = Piece(test=_is_nothing)


class BadClass(ValueError):
    """A class such as `[z-a]`, for which the engine gives up the whole pattern."""


def pieces_of(pattern: str) -> tuple[Piece, ...]:
    """Read a pattern; raises BadClass."""
    if not pattern:
        return ()
    segments = split_aware(pattern, "/")
    if all(segment == "**" for segment in segments):
        return (_ANYTHING,)
    pieces: list[Piece] = []
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment == "**":
            if not index or segments[index - 1] != "**":
                pieces.append(Piece(is_folders=True, is_last=index == last))
            continue
        pieces += _segment_pieces(segment)
        goes_on = index < last and (segments[index + 1] != "**" or index + 1 < last)
        pieces += [_SEPARATOR] * goes_on
    return tuple(pieces)


def _segment_pieces(segment: str) -> Iterable[Piece]:
    at = 0
    while at < len(segment):
        char = segment[at]
        at += 1
        if char == "{":
            end = segment.find("}", at)
            if end < 0:
                return
            yield Piece(choices=tuple(pieces_of(choice) for choice in split_aware(segment[at:end], ",")))
            at = end + 1
        elif char == "[":
            closing = _class_end(segment, at)
            if closing is None:
                return
            yield Piece(test=_class_test(segment[at:closing]))
            at = closing + 1
        elif char == "]":
            yield _NOTHING
        elif char != "}":
            yield {"?": _NAME_CHAR, "*": _NAME_CHARS}.get(char) or Piece(literal=char)


def _class_end(segment: str, at: int) -> int | None:
    """Find the `]` that closes a class: the first one that does not stand at its beginning."""
    is_empty = True
    while at < len(segment):
        if segment[at] == "]" and not is_empty:
            return at
        is_empty = is_empty and segment[at] == "/"
        at += 1
    return None


def _class_test(inside: str) -> Callable[[str], bool]:
    inside = inside.replace("/", "")
    is_negated = inside[:1] in ("!", "^")
    ranges: list[tuple[str, str]] = []
    chars = inside[is_negated:]
    at = 0
    while at < len(chars):
        is_range = chars[at + 1 : at + 2] == "-" and at + 2 < len(chars)
        first, final = chars[at], chars[at + 2] if is_range else chars[at]
        if final < first:
            raise BadClass(inside)
        ranges.append((first, final))
        at += 3 if is_range else 1

    def is_listed(char: str) -> bool:
        kin = {char, folded(char), *_lowered(char), *_lowered(folded(char))}
        return any(first <= one <= final for first, final in ranges for one in kin)

    return (lambda char: not is_listed(char)) if is_negated else is_listed


def _lowered(char: str) -> str:
    lower = char.lower()
    return lower if len(lower) == 1 and folded(lower) == folded(char) else ""


@lru_cache(maxsize=4096)
def folded(char: str) -> str:
    """Return the character by which the engine compares, whatever the case."""
    upper = char.upper()
    if len(upper) != 1 or char > "\uffff" or (char > "\x7f" >= upper):
        return char
    return upper
