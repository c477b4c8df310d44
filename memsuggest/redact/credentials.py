"""Values that a credential's name gives away: assignments, tables, options, sentences."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.redact import benign, hashes
from memsuggest.redact.credential_names import FOREIGN_NEEDLES, NEEDLES, Announced, announces, name_around
from memsuggest.redact.finding import MARK, Finding
from memsuggest.redact.named_values import cells_below, value_apart, value_below
from memsuggest.redact.passwords import follows_password, is_composed, is_password, is_told
from memsuggest.redact.scan import places
from memsuggest.redact.wordlike import strangest_stretch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.redact.scan import Sight

_OPERATOR = re.compile(
    r"""(?x)
    \\{0,7}["'`]?[\])>*_]{0,3}                                   # what closes the name itself
    (?::?\s{1,3}[*&]?(?:\[\])?[A-Za-z]{2,12}(?=\s{0,3}:?=))?    # a type: `var token string = …`, `let key: &str = …`
    (?P<op>
        \s{0,12}(?::=|\?=|\|\|:?|=>|->|={1,3}|<-|<=|:{1,2}|\|{1,2}|→|,)\s{0,12}
      | \s{1,4}(?:is|are|was|lautet|ist|est|es|é|è|to|wird|和|は)\s{1,4}(?::\s{0,4})?
      | \s{0,2}(?:是|为|為|：|は|は、)\s{0,2}
      | \s{1,4}
      | (?<=[>\])])
    )
    (?P<quote>(?:\\{0,7}["'`]|[@bru]["']|<!\[CDATA\[|[\[(>]){0,3})
    """
)
_QUOTED = re.compile(r"[^\s\"'`<>\\]{1,400}")
_BARE = re.compile(r"[^\s\"'`,;<>()\[\]{}|\\]{1,400}")
_ENOUGH = 100  # characters of a value that tell what it is
_LISTED = 3.0  # nats that a text after a comma needs to be the value of the one before
_ASSIGNS = frozenset(["=", ":=", "?=", "=>", "->", ":", "==", "===", "::", "||", "||:", "<-", "<="])


def named_values(sight: Sight) -> Iterator[Finding]:
    """Find the values of passwords, tokens and keys in assignments, tables, options and sentences."""
    text = sight.text
    for needle in NEEDLES:
        if needle in sight.low:
            yield from _values_named(text, sight.low, places(sight.low, needle))
    if sight.foreign and _FOREIGN.search(sight.foreign):
        for name in FOREIGN_NEEDLES:  # scripts without spaces: the word alone is the name
            is_there = "".join(char for char in name if not char.isascii()) in sight.foreign
            for at in places(text, name) if is_there else ():
                yield from _values(text, at, at + len(name), Announced.PASSWORD)


_FOREIGN = re.compile("[ñł密口パ비Пп]")
"""One letter of each name in another script."""


def _values_named(text: str, low: bytes, hits: Iterable[int]) -> Iterator[Finding]:
    for at in hits:
        begin, end = name_around(text, at)
        if text.startswith(MARK, max(0, begin - len(MARK))):
            continue  # a kind that an earlier pass wrote
        word_before = low[max(0, begin - 16) : begin].rstrip(b" _-").rpartition(b" ")[2].strip(b"*_`'\"([|").decode()
        announced = announces(text[begin:end].strip("-"), word_before)
        if announced:
            yield from _values(text, begin, end, announced)


def _values(text: str, begin: int, end: int, announced: Announced) -> Iterator[Finding]:
    direct = _value_after(text, begin, end, announced) or _value_elsewhere(text, end, announced)
    if direct:
        yield direct
        return
    if not announced.is_uncertain and "|" in text[max(0, begin - 4) : end + 4]:
        yield from _values_in_column(text, end, announced)
    if not announced.is_uncertain or text[begin:end].lower().strip("-") in _SPOKEN_OF:
        yield from _values_near(text, end, announced)


_SPOKEN_OF = frozenset(["login", "key", "creds"])
"""Of the uncertain names, those that sentences use for credentials."""


def _values_in_column(text: str, end: int, announced: Announced) -> Iterator[Finding]:
    for start, stop in cells_below(text, end):
        if _is_value(text[start:stop], announced=announced, assigned=True, quoted=False):
            yield _of_kind(announced, start, stop)


def _value_after(text: str, begin: int, end: int, announced: Announced) -> Finding | None:
    operator = _OPERATOR.match(text, end)
    if operator is None:
        return None
    op, quote = operator.group("op").strip(), operator.group("quote")
    assigned = op in _ASSIGNS or (not op and (_is_option(text, begin) or _is_element(text, begin, operator.end())))
    loose = op in ("", ",") and not quote and not assigned
    if loose and (op or announced is not Announced.PASSWORD):
        return None
    value = (_QUOTED if quote else _BARE).match(text, operator.end())
    if value is None:
        return None
    content = value.group() if quote else value.group().rstrip(".,:;)")
    content = content if quote or is_composed(content) else content.rstrip(".,:;!?)")
    if not quote and (text[value.end() : value.end() + 1] == "(" or benign.is_dotted_name(content)):
        return None
    if op == "," and strangest_stretch(content[:_ENOUGH])[0] < _LISTED and not benign.is_uuid(content):
        return None
    if loose and not follows_password(content):
        return None
    if not _is_value(content, announced=announced, assigned=assigned, quoted=bool(quote)):
        return None
    return _of_kind(announced, value.start(), value.start() + len(content))


def _value_elsewhere(text: str, end: int, announced: Announced) -> Finding | None:
    """Find a value that belongs to the name but does not follow it."""
    place = value_apart(text, end)
    if place and (value := (_QUOTED if place.is_quoted else _BARE).match(text, place.start)):
        is_value = _is_value(value.group(), announced=announced, assigned=True, quoted=place.is_quoted)
        return _of_kind(announced, *value.span()) if is_value else None
    below = None if announced.is_uncertain else value_below(text, end)
    return _of_kind(announced, *below) if below and looks_given(text[slice(*below)]) else None


def _of_kind(announced: Announced, start: int, end: int) -> Finding:
    return Finding("password" if announced is Announced.PASSWORD else "secret", start, end)


def _is_option(text: str, begin: int) -> bool:
    """Tell whether the name is that of an option (`--token VALUE`) or scheme (`Bearer VALUE`), or set by a command."""
    return (
        text[begin : begin + 1] == "-"
        or text[begin : begin + 6].lower() == "bearer"
        or text[max(0, begin - 8) : begin].endswith(_SETTING)
    )


_SETTING = ("ENV ", "setx ", "set -x ", "set -gx ", "setenv ")


def _is_element(text: str, begin: int, value_start: int) -> bool:
    """Tell whether the name is that of an element of XML (`<token>VALUE</token>`)."""
    return text[begin - 1 : begin] in ("<", ":") and text[value_start - 1] == ">"


def _is_value(value: str, *, announced: Announced, assigned: bool, quoted: bool) -> bool:
    value = value[:_ENOUGH]
    if is_composed(value):
        return True
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    if len(value) < 4 or (announced.is_uncertain and not (digits and letters and len(value) >= 8)):
        return False
    if benign.is_reference(value) or benign.is_version(value) or benign.is_dummy(value):
        return False
    if announced is Announced.PASSWORD:
        return is_password(value, assigned=assigned, quoted=quoted)
    if (
        announced is Announced.SECRET
        and assigned
        and quoted
        and len(value) >= 8
        and value.isalnum()
        and digits
        and letters
    ):
        return not benign.is_repetitive(value)
    score, _, _ = strangest_stretch(value)
    if len(value) >= 8 and digits and letters and score >= (8 if announced.is_uncertain else 5):
        return not benign.is_repetitive(value)
    if announced is Announced.MAYBE or not (assigned or quoted):
        return False
    if announced is Announced.KEY:
        return benign.is_uuid(value)
    return (
        benign.is_uuid(value)
        or (digits >= 8 and len(value) >= 12 and not benign.is_repetitive(value))
        or (len(value) >= 12 and score > 10 and not benign.is_repetitive(value))
    )


_NEAR = 60  # characters within which a sentence gets from `login` to the password
_SENTENCE_END = re.compile(r"[\n;]|[.!?] ")
_WORD = re.compile(r"[^\s\"'`,;<>()\[\]{}|\\]{6,200}")


def _values_near(text: str, end: int, announced: Announced) -> Iterator[Finding]:
    """Find what looks like a credential a few words after its name, in the same sentence."""
    stop = _SENTENCE_END.search(text, end, end + _NEAR)
    for match in _WORD.finditer(text, end, stop.start() if stop else min(len(text), end + _NEAR)):
        # The limit may cut a word: take it whole.
        word = _WORD.match(text, match.start())
        given = word.group().rstrip(".").rpartition(":")[2] if word else ""
        if word and is_composed(given):
            yield Finding("password", word.end() - len(word.group().rpartition(":")[2]), word.end())
            return
        value = word.group().rstrip(".:!?*_") if word else ""
        between = text[end : match.start()].lower()
        if looks_given(value, between) or (announced is Announced.PASSWORD and is_told(value, between)):
            yield _of_kind(announced, match.start(), match.start() + len(value))
            return


_ONE_DIGIT = 9.0  # nats that a token with a single digit needs
_THING = re.compile(r"\b(?:id|resource|tenant|subscription|project|account|session|request|org|issue|job|run)\b")


def looks_given(value: str, between: str = "") -> bool:
    """Tell whether a word of a sentence about credentials is no word of the sentence but the credential.

    `between` is what stands between the credential's name and the word, in lower case.
    """
    if len(value) < 8 or benign.is_dummy(value) or benign.is_reference(value) or benign.is_version(value):
        return False
    if benign.is_uuid(value) or (value.isdigit() and len(value) >= 15 and not benign.is_card_shaped(value)):
        return _THING.search(between) is None
    score, start, end = strangest_stretch(value[:_ENOUGH])
    drawn = value[start:end]
    digits, letters = sum(map(str.isdigit, drawn)), sum(map(str.isalpha, drawn))
    if hashes.is_hex(drawn) and len(drawn) < 16:
        return False
    if benign.is_repetitive(drawn) or letters < 2 or digits + letters < 8:
        return False
    one_case = drawn.islower() or drawn.isupper()
    if digits == 1:
        return score >= _ONE_DIGIT and digits + letters >= 12 and not one_case
    return digits >= 2 and (score >= 8 or (score >= 3 and not one_case))
