"""A glob pattern in pieces, step by step, as VS Code's engine reads it. Pure, linear time.

Its ways (verified by running it): `**` means folders only as a whole segment, and mid-segment it is like `*`; braces
are one level deep and keep blanks; `[a-c]`, `[!a]` and `[^a]` are classes; what follows an unclosed brace or bracket in
its segment is lost; there is no escape and no negation; hidden files are like others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
    """Tell whether the character separates names in a path."""
    return char in _SEPARATORS


def is_in_name(char: str) -> bool:
    """Tell whether the character is part of a name in a path."""
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
