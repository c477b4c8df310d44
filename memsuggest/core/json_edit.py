"""Adding to JSON with comments and taking out of it, so that every other byte stays. Pure.

What is added can be told from what was there, so that taking it out restores the text: white space before it is
ours, white space behind it is not; a list or an object that we begin has white space behind its opening bracket, while
what goes into an empty one that was there follows its bracket at once. A comma behind ours was wanted there before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

# JSON with comments and trailing commas, as editors write their settings

# A string is matched first, so that comment marks inside it stay. Strings and comments need no end: what has none is
# taken whole and left for the parser to refuse, since looking for the end again and again would take quadratic time.
# A lone carriage return ends a line comment too, as in VS Code.
_STRING_OR_COMMENT = r'"(?:[^"\\\n]|\\.)*+"?|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?'
_TOKENS = re.compile(_STRING_OR_COMMENT + r"|,(?=\s*+[}\]])", re.DOTALL)
_JSONC_COMMENTS = re.compile(_STRING_OR_COMMENT, re.DOTALL)


def loads(text: str) -> object:
    """Parse JSON that may have comments, trailing commas and a byte order mark; raises ValueError."""
    bare = _JSONC_COMMENTS.sub(_keep_strings, text.removeprefix("\ufeff"))
    try:
        parsed: object = json.loads(_TOKENS.sub(_keep_strings, bare))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return parsed


def _keep_strings(match: re.Match[str]) -> str:
    found = match.group()
    if found == ",":  # goes where it follows a value
        place = match.start() - 1
        while place >= 0 and match.string[place] in " \t\r\n":
            place -= 1
        return found if place < 0 or match.string[place] in "[{,:" else " "
    return found if found.startswith('"') else " "


_TOKEN = re.compile(
    r"""
      (?P<text>  "(?:[^"\\\r\n]|\\.)*+" )
    | (?P<line>  //[^\r\n]*+ )
    | (?P<block> /\*(?:[^*]|\*(?!/))*+\*/ )
    | (?P<sign>  [{}\[\],:] )
    | (?P<word>  [\w.+-]+ )
    """,
    re.VERBOSE,
)
_COMMENTS = ("line", "block")


class JsonToken(NamedTuple):
    """A sign, a scalar or a comment."""

    kind: str
    start: int
    end: int


@dataclass(slots=True)
class JsonPlace:
    """The place of a value."""

    start: int
    end: int = 0
    members: dict[str, JsonPlace] = field(default_factory=dict)
    items: list[JsonPlace] = field(default_factory=list)
    key_start: int = 0
    """Start of a member's key; of an item, start of the value itself."""

    @property
    def inside(self) -> list[JsonPlace]:
        """Its members or items, in their order."""
        return sorted([*self.members.values(), *self.items], key=lambda place: place.start)


class JsonText:
    """A text with its tokens, and where everything stands in it; raises ValueError for what is no JSON."""

    def __init__(self, text: str) -> None:
        loads(text)
        self.text = text
        self.tokens = list(_tokens(text))
        root: JsonPlace | None = None
        above: list[tuple[JsonPlace, bool]] = []
        key: tuple[str, int] | None = None
        for kind, start, end in self.tokens:
            mark = text[start:end]
            if kind in _COMMENTS or (kind == "sign" and mark in ",:"):
                continue
            if kind == "sign" and mark in "}]":
                above.pop()[0].end = end
            elif kind == "text" and above and above[-1][1] and key is None:
                key = (json.loads(mark), start)
                if key[0] in above[-1][0].members:
                    raise ValueError(f"duplicate key `{key[0]}`")
            else:
                place = JsonPlace(start, end, key_start=key[1] if key else start)
                if key:
                    above[-1][0].members[key[0]] = place
                elif above:
                    above[-1][0].items.append(place)
                root, key = root or place, None
                if kind == "sign":
                    above.append((place, mark == "{"))
        if root is None:
            raise ValueError("no value found")
        self.root = root

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def first_at(self, place: int) -> int:
        return next(number for number, token in enumerate(self.tokens) if token.start == place)

    def last_at(self, place: int) -> int:
        return next(number for number, token in enumerate(self.tokens) if token.end == place)

    def is_sign(self, number: int, sign: str) -> bool:
        return self.tokens[number].kind == "sign" and self.text[self.tokens[number].start] == sign

    def value_token(self, number: int, step: int) -> int:
        """Return the number of the nearest token that is no comment, from a token on, forwards or backwards."""
        while self.tokens[number].kind in _COMMENTS:
            number += step
        return number

    def indent_at(self, place: int) -> str:
        line = self.text[self.text.rfind("\n", 0, place) + 1 : place]
        return line[: len(line) - len(line.lstrip(" \t"))]


def _tokens(text: str) -> Iterator[JsonToken]:
    return (JsonToken(str(match.lastgroup), *match.span()) for match in _TOKEN.finditer(text))


def places(text: str) -> JsonPlace:
    """Return where everything stands; raises ValueError for what is no JSON, or has a key twice."""
    return JsonText(text).root


def appended(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with one more item in the list at a path; what is missing on the way is made."""
    return _put_in(text, path, value, is_item=True)


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """Return the text with a value at a path where there is none; what is missing on the way is made."""
    return _put_in(text, path, value, is_item=False)


def _put_in(text: str, path: Sequence[str], value: object, *, is_item: bool) -> str:
    page = JsonText(text)
    place, depth = page.root, 0
    while depth < len(path) and path[depth] in place.members:
        place, depth = place.members[path[depth]], depth + 1
    if text[place.start] != ("[" if depth == len(path) else "{") or (depth == len(path) and not is_item):
        raise ValueError(f"`{'.'.join(path[:depth])}` has an unexpected type, so nothing can be added")
    closing = page.last_at(place.end)
    last, rest = page.tokens[closing - 1], path[depth:]
    is_spread = place is page.root or "\n" in text.strip()  # what is added has lines of its own
    if place.inside:
        is_spread = "\n" in text[place.start : place.end] or last.kind == "line"
    unit = min(re.findall(r"\n([ \t]+)\S", text), key=len, default="  ")
    indent = page.indent_at(place.start) + unit
    begins = place.inside[-1].key_start if place.inside else 0
    if begins and not text[text.rfind("\n", 0, begins) + 1 : begins].strip():
        indent = page.indent_at(begins)
    shown = _shown(rest, value, unit if is_spread else None, is_item=is_item).replace("\n", page.newline + indent)
    if page.first_at(place.start) == closing - 1:
        return f"{text[: last.end]}{shown}{text[last.end :]}"
    gap = page.newline + indent if is_spread else " "
    if not place.inside:
        return f"{text[: last.end]}{gap}{shown}{text[last.end :]}"
    if page.is_sign(page.value_token(closing - 1, -1), ","):
        return f"{text[: last.end]}{gap}{shown},{text[last.end :]}"
    end = place.inside[-1].end
    return f"{text[:end]},{text[end : last.end]}{gap}{shown}{text[last.end :]}"


def _shown(path: Sequence[str], value: object, unit: str | None, *, is_item: bool) -> str:
    """Return a value with the keys that lead to it: over several lines, or in one, where what is begun has blanks."""
    if unit is None:
        shown = json.dumps(value, ensure_ascii=False)
        for number, name in enumerate(reversed(path)):
            begun = f"{{ {shown} }}" if number else f"[ {shown} ]" if is_item else shown
            shown = f"{json.dumps(name)}: {begun}"
        return shown
    for number, name in enumerate(reversed(path)):
        value = {name: [value] if is_item and not number else value}
    shown = json.dumps(value, indent=unit, ensure_ascii=False)
    return shown[1:-1].strip().replace("\n" + unit, "\n") if path else shown


def without(text: str, chain: Sequence[JsonPlace]) -> str:
    """Return the text without the last of places that lie in each other, and those that we began for it.

    Raises ValueError where a comment inside it would be lost.
    """
    page = JsonText(text)
    *above, gone = chain
    for container in reversed(above[1:]):
        first, last = page.first_at(container.start), page.last_at(container.end)
        is_all = page.tokens[first + 1].start == gone.key_start and page.tokens[last - 1].end == gone.end
        if not is_all or not text[container.start + 1].isspace():
            break
        gone = container
    first, last = page.first_at(gone.key_start), page.last_at(gone.end)
    if any(token.kind in _COMMENTS for token in page.tokens[first : last + 1]):
        raise ValueError("the entry contains a comment")
    return _cut(page, first, last)


def _cut(page: JsonText, first: int, last: int) -> str:
    """Take out tokens and the comma that they needed, with the white space before them where nothing runs together."""
    following, preceding = page.value_token(last + 1, 1), page.value_token(first - 1, -1)
    comma = following if page.is_sign(following, ",") else preceding if page.is_sign(preceding, ",") else None
    gone = {*range(first, last + 1)} | ({comma} if comma is not None else set())
    kept = [page.text[token.start : token.end] for number, token in enumerate(page.tokens) if number not in gone]
    before, tokens = page.tokens[first - 1], page.tokens
    for begin in (before.end, tokens[first].start):
        changed = page.text
        if comma == last + 1 and changed[before.start : before.end] in ("[", "{"):  # the next one takes its place
            changed = changed[: tokens[first].start] + changed[tokens[comma].end :].lstrip(" \t\r\n")
        else:
            cuts = [(begin, tokens[last].end)] + ([tokens[comma][1:]] if comma is not None else [])
            for start, stop in sorted(cuts, reverse=True):
                changed = changed[:start] + changed[stop:]
        if [changed[token.start : token.end] for token in _tokens(changed)] == kept:
            return changed
    raise ValueError("removing the entry would join the text before and after it")


class Reading(NamedTuple):
    """A text's value, and its comments in their order."""

    value: object
    comments: tuple[str, ...]


def reading_of(text: str) -> Reading:
    """Return what a text says; raises ValueError for what is no JSON with comments."""
    found = (match.group() for match in _JSONC_COMMENTS.finditer(text))
    comments = tuple(comment for comment in found if not comment.startswith('"'))
    if any(comment.startswith("/*") and not comment.endswith("*/", 2) for comment in comments):
        raise ValueError("unterminated comment")
    return Reading(loads(text), comments)
