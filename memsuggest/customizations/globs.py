"""Glob patterns matched as VS Code's engine matches them, in linear time. Pure.

The engine turns a pattern into a regular expression; here the same language becomes steps over sets of places in a
path, so that no pattern and no path can make it backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

_Step = Callable[[str, str, set[int]], set[int]]
"""Takes a path, the same as it is compared, and places in it; returns the places behind what the step passes."""
_PLAIN_TAIL = re.compile(r"\*\*/(?:\*(\.[A-Za-z0-9_.-]+)|([A-Za-z0-9_.-]+)/?|([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+)/?)")
_LITERAL = re.compile(r"[^{}\[\]?*]+")
_SEPARATOR = re.compile(r"[/\\]")
_LINE_END = re.compile("[\n\r\u2028\u2029]")
_MANY = 64  # alternatives of one pattern with braces that are looked at


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> Callable[[str], bool]:
    """Compile a pattern once; the result tells whether a path matches, whatever the case."""
    plain = _PLAIN_TAIL.fullmatch(pattern)
    if plain is None:
        return glob(pattern)
    extension, name, names = (part and part.lower() for part in plain.groups())
    if extension:
        return lambda path: path.lower().endswith(extension)
    tails = ("/" + names,) if names else ("/" + name, "\\" + name)
    return lambda path: path.lower().endswith(tails) or path.lower() == (names or name)


def glob(pattern: str, *, ignores_case: bool = True) -> Callable[[str], bool]:
    """Return what tells whether a pattern matches the whole of a path."""
    fold = _folded_text if ignores_case else str
    try:
        steps = list(_steps_of(units(pattern), fold))
    except _BadClass:
        return lambda path: False

    def matches(path: str) -> bool:
        text = units(path)
        return len(text) in _after(steps, text, fold(text), {0})

    return matches


def _after(steps: list[_Step], text: str, same: str, places: set[int]) -> set[int]:
    for step in steps:
        if not places:
            break
        places = step(text, same, places)
    return places


def units(text: str) -> str:
    """Spell characters beyond U+FFFF as two halves, as the engine sees them."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    encoded = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(encoded[at] | encoded[at + 1] << 8) for at in range(0, len(encoded), 2))


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
        start = current.find("{")
        depth, cuts = 0, [start]
        for index in range(start, len(current)) if start >= 0 else ():
            char = current[index]
            depth += (char == "{") - (char == "}")
            if depth == 1 and char == ",":
                cuts.append(index)
            elif depth == 0:
                ends = reversed([*zip(cuts, [*cuts[1:], index], strict=True)])
                waiting += [current[:start] + current[cut + 1 : end] + current[index + 1 :] for cut, end in ends]
                break
        else:
            done.append(current)
    return done


class _BadClass(ValueError):
    """A class such as `[z-a]`, for which the engine gives up the whole pattern."""


def _steps_of(pattern: str, fold: Callable[[str], str]) -> Iterator[_Step]:
    segments = split_aware(pattern, "/")
    if segments and all(segment == "**" for segment in segments):
        yield _until(_LINE_END)
        return
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment != "**":
            yield from _steps_of_segment(segment, fold)
            if index < last and (segments[index + 1] != "**" or index + 1 < last):
                yield _one(lambda char: char in "/\\")
        elif not index or segments[index - 1] != "**":
            yield partial(_folders, is_last=index == last)


def _steps_of_segment(segment: str, fold: Callable[[str], str]) -> Iterator[_Step]:
    at = 0
    while at < len(segment):
        char = segment[at]
        at += 1
        if char == "{":
            end = segment.find("}", at)
            if end < 0:
                return
            yield _any_of([list(_steps_of(choice, fold)) for choice in split_aware(segment[at:end], ",")])
            at = end + 1
        elif char == "[":
            first = len(segment) - len(segment[at:].lstrip("/")) + 1  # a `]` at the beginning is one of the class
            closing = segment.find("]", first)
            if closing < 0:
                return
            yield _one(_class_test(segment[at:closing]))
            at = closing + 1
        elif char == "]":
            yield lambda text, same, places: set()
        elif char == "?":
            yield _one(lambda char: char not in "/\\")
        elif char == "*":
            yield _until(_SEPARATOR)
        elif found := _LITERAL.match(segment, at - 1):
            yield _literal(fold(found.group()))
            at = found.end()


def _literal(word: str) -> _Step:
    return lambda text, same, places: {at + len(word) for at in places if same.startswith(word, at)}


def _one(test: Callable[[str], bool]) -> _Step:
    return lambda text, same, places: {at + 1 for at in places if at < len(text) and test(text[at])}


def _any_of(choices: list[list[_Step]]) -> _Step:
    return lambda text, same, places: set().union(*(_after(steps, text, same, places) for steps in choices or [[]]))


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.search(text, at)
    return found.start() if found else len(text)


def _until(stop: re.Pattern[str]) -> _Step:
    """Pass any number of characters, but none of these."""

    def step(text: str, _same: str, places: set[int]) -> set[int]:
        ends: set[int] = set()
        for at in sorted(places):
            if at not in ends:
                ends.update(range(at, _end(stop, text, at) + 1))
        return ends

    return step


def _folders(text: str, _same: str, places: set[int], *, is_last: bool = False) -> set[int]:
    """Pass any number of: a separator, or a name and a separator, or at the end a separator and a name."""
    ends, waiting = set(places), list(places)
    while waiting:
        at = waiting.pop()
        end = _end(_SEPARATOR, text, at)
        following = [end + 1] if end < len(text) else []
        if is_last and following and end == at:
            end = _end(_SEPARATOR, text, at + 1)
            ends.update(range(at + 2, end))  # whatever goes on from there goes on from the end of the name
            following.append(end)
        waiting += set(following) - ends
        ends.update(following)
    return ends


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
            raise _BadClass(inside)
        ranges.append((first, final))
        at += 3 if is_range else 1

    def is_listed(char: str) -> bool:
        kin = {char, folded(char), *_lowered(char), *_lowered(folded(char))}
        return any(first <= alike <= final for first, final in ranges for alike in kin)

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


def _folded_text(text: str) -> str:
    return text.upper() if text.isascii() else "".join(map(folded, text))
