"""Values that a credential's name gives away: assignments, tables, options, sentences."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from memsuggest.core.redact import benign
from memsuggest.core.redact.passwords import follows_password, is_composed, is_password, is_told
from memsuggest.core.redact.scan import MARK, Finding, Sight, places
from memsuggest.core.redact.wordlike import strangest_stretch
from memsuggest.core.text.words import word_set

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
        for start, stop in cells_below(text, end):
            if _is_value(text[start:stop], announced=announced, assigned=True, quoted=False):
                yield _of_kind(announced, start, stop)
    if not announced.is_uncertain or text[begin:end].lower().strip("-") in _SPOKEN_OF:
        yield from _values_near(text, end, announced)


_SPOKEN_OF = frozenset(["login", "key", "creds"])
"""Of the uncertain names, those that sentences use for credentials."""


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
    is_varied, is_mixed = not benign.is_repetitive(value), len(value) >= 8 and digits and letters
    if announced is Announced.SECRET and assigned and quoted and is_mixed and value.isalnum():
        return is_varied
    score, _, _ = strangest_stretch(value)
    if is_mixed and score >= (8 if announced.is_uncertain else 5):
        return is_varied
    if announced is Announced.MAYBE or not (assigned or quoted):
        return False
    if announced is Announced.KEY or benign.is_uuid(value):
        return benign.is_uuid(value) is not None
    return len(value) >= 12 and (digits >= 8 or score > 10) and is_varied


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
    if benign.is_hex(drawn) and len(drawn) < 16:
        return False
    if benign.is_repetitive(drawn) or letters < 2 or digits + letters < 8:
        return False
    one_case = drawn.islower() or drawn.isupper()
    if digits == 1:
        return score >= _ONE_DIGIT and digits + letters >= 12 and not one_case
    return digits >= 2 and (score >= 8 or (score >= 3 and not one_case))


class Place(NamedTuple):
    """The beginning of a value, and whether it is in quotes."""

    start: int
    is_quoted: bool


_APART = re.compile(
    r"""(?x)
    (?:[.:][\w.:\-]{1,30})?                         # the rest of a dotted name
    \\{0,3}["']?
    (?:
        # <add key="Name" value="…"/>, <param name="Name" type="string" value="…"/>
        \s{1,4}(?:[\w:.\-]{1,24}=["'][^"'\n]{0,40}["']\s{1,4}){0,2}value\s{0,2}=\s{0,2}(?=["'])
        # <setting name="Name" serializeAs="String"><value>…
      | [^<>\n]{0,60}>\s{0,20}<(?:value|string)>
        # <key>Name</key><string>…, <name>Name</name><value>…
      | </(?:key|name)>\s{0,40}<(?:value|string)[^<>]{0,30}>
        # {"name": "Name", "value": "…"}, - name: Name / value: …
      | \s{0,4}[,\n]\s{0,40}(?:-\s)?\\{0,3}["']?value\\{0,3}["']?\s{0,2}[:=]\s{0,2}
    )
    (?P<quote>\\{0,3}["']?)
    """,
    re.IGNORECASE,
)


def value_apart(text: str, end: int) -> Place | None:
    """Find the value of a name that ends at `end`, when both are attributes or elements of one thing."""
    near = text[end : end + 160]
    if "alue" not in near and "<string" not in near:
        return None
    match = _APART.match(text, end)
    if match is None:
        return None
    return Place(match.end(), is_quoted=bool(match.group("quote")) or text[match.end() - 1] == ">")


_BELOW = re.compile(
    r"""(?x)
    [\ \t:*_)\]\#]{0,8}\n                                 # the name ends its line
    (?:[\ \t>]{0,8}(?:```\w{0,12}[\ \t]{0,4})?\n){0,3}    # blank lines, or a fence
    [\ \t>*`\-]{0,8}
    (?P<value>[A-Za-z0-9][^\s`*"'<>]{7,200})
    [`*"']{0,3}[\ \t]{0,4}(?:\n|\Z)                        # alone on its line
    """
)


def value_below(text: str, end: int) -> tuple[int, int] | None:
    """Find what stands alone below a line that ends with a name, such as a heading."""
    match = _BELOW.match(text, end) if text.find("\n", end, end + 9) >= 0 else None
    return match.span("value") if match else None


_RULE_BELOW = re.compile(r"[^\n]{0,400}\|[ \t]{0,4}\n[ \t>]{0,8}\|?[ \t]{0,4}:?-{2,}[-:| \t]{0,400}\n")
_CELL = re.compile(r"[ \t]{0,20}[`*_\"']{0,3}([^\s|`*\"']{4,200})[`*_\"']{0,3}[ \t]{0,20}(?:\||\n|\Z)")
_LONGEST_LINE = 1000  # characters of a line of a table
_ROWS = 30  # of a table that are looked at


def cells_below(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Find the single words in a Markdown table's column, when the name that ends at `end` is its heading."""
    header = text.rfind("\n", max(0, end - _LONGEST_LINE), end) + 1
    rule = _RULE_BELOW.match(text, end) if header or end < _LONGEST_LINE else None
    if rule is None:
        return
    column, row = text.count("|", header, end), rule.end()
    for _ in range(_ROWS):
        stop = text.find("\n", row, row + _LONGEST_LINE)
        stop = min(row + _LONGEST_LINE, len(text)) if stop < 0 else stop
        cell = row
        for _ in range(column):
            cell = text.find("|", cell, stop) + 1 or len(text)
        if cell >= stop:
            return  # the table is over
        if word := _CELL.match(text, cell, stop + 1):
            yield word.span(1)
        row = stop + 1


class Announced(Enum):
    """The announcement of a credential by a name: how sure, and of what sort."""

    PASSWORD = "password"  # noqa: S105  (a kind's name)
    SECRET = "secret"  # noqa: S105
    MAYBE = "maybe"
    """Also used for harmless things: a key of a map, an author, a login page."""
    KEY = "key"
    """As uncertain, but the key of a named thing (`ACME_KEY`): a UUID there is a credential."""

    @property
    def is_uncertain(self) -> bool:
        return self in (Announced.MAYBE, Announced.KEY)


NEEDLES = (
    b"pass pw secret token key cred auth login bearer webhook client dsn kennwort senha wachtwoord contrasena".split()
)
FOREIGN_NEEDLES = word_set("contraseña Contraseña hasło Hasło пароль Пароль 密码 密碼 口令 パスワード 비밀번호")
"""What to look for first, in lower case: every name below holds one of these."""

_PASSWORDS = tuple(
    word_set("password passwd passphrase passcode passwort kennwort pwd contrasena passe senha wachtwoord")
)
_SECRETS = tuple(
    word_set(
        "secret secrets token apikey accesskey authkey secretkey privatekey credential credentials bearer webhook dsn "
        "authorization"
    )
)
_MAYBE = word_set("key keys auth login pass creds cred cookie signature tokens")
_KEY_OF = word_set(
    "api access account private auth signing encryption license secret master shared storage service "
    "deploy deployment client app application server admin root ssh subscription instrumentation consumer "
    "session hmac aes webhook write ingestion"
)
_KEY_OF_DATA = word_set(
    "primary foreign partition sort cache lookup unique public row hash map dict group order index natural composite "
    "registry object event routing translation query surrogate idempotency parent child record item message entity "
    "recv send rsa dsa ecdsa eddsa pgp gpg host react business document node row user issue project space"
)
_ID_OF = frozenset(["client", "key", "token", "session", "app"])
_ABOUT = word_set(
    "url uri path file filename name type types size length count limit limits header field label "
    "placeholder regex pattern error expiry ttl expires expiration manager store provider service class "
    "budget usage endpoint scope scopes policy hash version prefix format index column table validator "
    "handler helper util dir folder page form input test tests role algorithm alg vault map set"
)
"""As the last word of a name: it tells something about the credential, not the credential."""

_ENDINGS = word_set("value val str string env var prod dev test raw b")
"""Last words of a name that say nothing."""
_PASSES = word_set(
    "first second third single multi two one render by low high band final next last forward backward compile optimizer"
)
"""Before `pass` in a name: it is a way through something."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IN_NAMES = string.ascii_letters + string.digits + "_-äöüÄÖÜßéèçãñ"
_IDENTIFIER = re.compile(r"[\w\-]*")


@lru_cache(maxsize=8192)
def announces(name: str, before: str) -> Announced | None:
    """Say what a name announces; `before` is the word before it in the text, in lower case."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1] in _ENDINGS:
        words.pop()
    if not words or words[-1] in _ABOUT:
        return None
    last, earlier = words[-1], words[-2] if len(words) > 1 else before
    if last == "id":
        return Announced.SECRET if earlier in _ID_OF else None
    return _of_last(last, earlier, is_joined=len(words) > 1)


def _of_last(last: str, earlier: str, *, is_joined: bool) -> Announced | None:
    if last == "pass" and is_joined and earlier not in _PASSES:
        return Announced.PASSWORD
    if last.endswith(_PASSWORDS) or last == "pw":
        return Announced.PASSWORD
    if last.endswith(_SECRETS):
        return Announced.SECRET
    if last in ("key", "keys") and earlier in _KEY_OF:
        return Announced.SECRET
    if last in ("key", "keys") and earlier in _KEY_OF_DATA:
        return None
    if last == "key" and is_joined:
        return Announced.KEY
    return Announced.MAYBE if last in _MAYBE else None


def name_around(text: str, at: int) -> tuple[int, int]:
    """Find where the name begins and ends that holds position `at`; at most 60 characters to either side."""
    first = max(0, at - 60)
    end = _IDENTIFIER.match(text, at, at + 60)
    return first + len(text[first:at].rstrip(_IN_NAMES)), end.end() if end else at
