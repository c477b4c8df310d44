"""Values that a credential's name gives away (in assignments, tables, options, sentences), and passwords by themselves.

Free of any issuer's shape. Pure.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from memsuggest.core.redact import benign
from memsuggest.core.redact.scan import MARK, Finding, TextViews, places
from memsuggest.core.redact.wordlike import strangest_stretch
from memsuggest.core.text.words import word_set


class Announced(Enum):
    """The announcement of a credential by a name: how sure, and of what sort."""

    PASSWORD = "password"  # noqa: S105  (a kind's name)
    SECRET = "secret"  # noqa: S105
    MAYBE = "maybe"
    """Also used for harmless things: a key of a map, an author, a login page."""
    KEY = "key"
    """As uncertain, but the key of a named thing (`ACME_KEY`): a UUID there is a credential."""


_UNCERTAIN = (Announced.MAYBE, Announced.KEY)
NEEDLES = (
    b"pass pw secret token key cred auth login bearer webhook client dsn kennwort senha wachtwoord contrasena".split()
)
"""What to look for first, in lower case: every name below holds one of these."""
_FOREIGN_NAMES = word_set("contraseña Contraseña hasło Hasło пароль Пароль 密码 密碼 口令 パスワード 비밀번호")
"""Names in scripts, some of them without spaces: the word alone is the name."""
_FOREIGN = re.compile("[ñł密口パ비Пп]")
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
def _announced(name: str, before: str) -> Announced | None:
    """Say what a name announces; `before` is the word before it in the text, in lower case."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1] in _ENDINGS:
        words.pop()
    if not words or words[-1] in _ABOUT:
        return None
    last, is_joined = words[-1], len(words) > 1
    earlier = words[-2] if is_joined else before
    if last == "id":
        return Announced.SECRET if earlier in _ID_OF else None
    if last.endswith(_PASSWORDS) or last == "pw" or (last == "pass" and is_joined and earlier not in _PASSES):
        return Announced.PASSWORD
    if last.endswith(_SECRETS):
        return Announced.SECRET
    if last in ("key", "keys") and (earlier in _KEY_OF or earlier in _KEY_OF_DATA):
        return Announced.SECRET if earlier in _KEY_OF else None
    if last == "key" and is_joined:
        return Announced.KEY
    return Announced.MAYBE if last in _MAYBE else None


def named_values(views: TextViews) -> Iterator[Finding]:
    """Find the values of passwords, tokens and keys in assignments, tables, options and sentences."""
    text, low = views.text, views.low
    for needle in NEEDLES:
        for at in places(low, needle) if needle in low else ():
            first = max(0, at - 60)
            begin = first + len(text[first:at].rstrip(_IN_NAMES))
            name = _IDENTIFIER.match(text, at, at + 60)
            end = name.end() if name else at
            if text.startswith(MARK, max(0, begin - len(MARK))):
                continue  # a kind that an earlier pass wrote
            before = low[max(0, begin - 16) : begin].rstrip(b" _-").rpartition(b" ")[2].strip(b"*_`'\"([|").decode()
            if announced := _announced(text[begin:end].strip("-"), before):
                yield from _values(text, begin, end, announced)
    if views.foreign and _FOREIGN.search(views.foreign):
        for foreign in _FOREIGN_NAMES:
            for at in places(text, foreign):
                yield from _values(text, at, at + len(foreign), Announced.PASSWORD)


_SPOKEN_OF = frozenset(["login", "key", "creds"])
"""Of the uncertain names, those that sentences use for credentials."""


def _values(text: str, begin: int, end: int, announced: Announced) -> Iterator[Finding]:
    """Yield the value behind a name, or else one in another element or line, or else all in its column or sentence."""
    value = _value_after(text, begin, end, announced) or _value_apart(text, end, announced)
    if value:
        yield _of_kind(announced, value)
        return
    is_sure = announced not in _UNCERTAIN
    if is_sure and "|" in text[max(0, begin - 4) : end + 4]:
        for cell in _cells_below(text, end):
            if _is_value(text[slice(*cell)], announced=announced, assigned=True, quoted=False):
                yield _of_kind(announced, cell)
    if is_sure or text[begin:end].lower().strip("-") in _SPOKEN_OF:
        yield from _values_near(text, end, announced)


def _of_kind(announced: Announced, span: tuple[int, int]) -> Finding:
    return Finding("password" if announced is Announced.PASSWORD else "secret", *span)


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
_LOOKED_AT = 100  # characters of a value that tell what it is
_LISTED = 3.0  # nats that a text after a comma needs to be the value of the one before
_ASSIGNS = frozenset(["=", ":=", "?=", "=>", "->", ":", "==", "===", "::", "||", "||:", "<-", "<="])
_SETTING = ("ENV ", "setx ", "set -x ", "set -gx ", "setenv ")


def _value_after(text: str, begin: int, end: int, announced: Announced) -> tuple[int, int] | None:
    operator = _OPERATOR.match(text, end)
    value = (_QUOTED if operator["quote"] else _BARE).match(text, operator.end()) if operator else None
    if operator is None or value is None:
        return None
    op, quote = operator["op"].strip(), operator["quote"]
    is_option = (  # `--token VALUE`, `Bearer VALUE`, `ENV NAME VALUE`
        text[begin : begin + 1] == "-"
        or text[begin : begin + 6].lower() == "bearer"
        or text[max(0, begin - 8) : begin].endswith(_SETTING)
    )
    is_element = text[begin - 1 : begin] in ("<", ":") and text[operator.end() - 1] == ">"  # `<token>VALUE</token>`
    assigned = op in _ASSIGNS or (not op and (is_option or is_element))
    loose = op in ("", ",") and not quote and not assigned
    if loose and (op or announced is not Announced.PASSWORD):
        return None
    content = value.group() if quote else value.group().rstrip(".,:;)")
    content = content if quote or _is_composed(content) else content.rstrip(".,:;!?)")
    if not quote and (text[value.end() : value.end() + 1] == "(" or benign.is_dotted_name(content)):
        return None
    if op == "," and strangest_stretch(content[:_LOOKED_AT])[0] < _LISTED and not benign.is_uuid(content):
        return None
    if loose and not _is_composed(content):  # right behind the name: `login ada password hunter2`
        is_long = len(content) >= 7 and content.isascii() and content[-1].isalnum()
        needed = 0 if any(map(str.isdigit, content)) else _GIBBERISH
        if not is_long or strangest_stretch(content)[0] < needed:
            return None
    is_value = _is_value(content, announced=announced, assigned=assigned, quoted=bool(quote))
    return (value.start(), value.start() + len(content)) if is_value else None


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
_BELOW = re.compile(
    r"""(?x)
    [\ \t:*_)\]\#]{0,8}\n                                 # the name ends its line
    (?:[\ \t>]{0,8}(?:```\w{0,12}[\ \t]{0,4})?\n){0,3}    # blank lines, or a fence
    [\ \t>*`\-]{0,8}
    (?P<value>[A-Za-z0-9][^\s`*"'<>]{7,200})
    [`*"']{0,3}[\ \t]{0,4}(?:\n|\Z)                        # alone on its line
    """
)


def _value_apart(text: str, end: int, announced: Announced) -> tuple[int, int] | None:
    """Find the value in another attribute, element or line of the same thing, or alone below the name's line."""
    near = text[end : end + 160]
    if ("alue" in near or "<string" in near) and (place := _APART.match(text, end)):
        is_quoted = bool(place["quote"]) or text[place.end() - 1] == ">"
        if value := (_QUOTED if is_quoted else _BARE).match(text, place.end()):
            is_value = _is_value(value.group(), announced=announced, assigned=True, quoted=is_quoted)
            return value.span() if is_value else None
    if announced in _UNCERTAIN or "\n" not in near[:9]:
        return None
    below = _BELOW.match(text, end)
    return below.span("value") if below and looks_secret(below["value"]) else None


_DELIMITER_ROW = re.compile(r"[^\n]{0,400}\|[ \t]{0,4}\n[ \t>]{0,8}\|?[ \t]{0,4}:?-{2,}[-:| \t]{0,400}\n")
_CELL = re.compile(r"[ \t]{0,20}[`*_\"']{0,3}([^\s|`*\"']{4,200})[`*_\"']{0,3}[ \t]{0,20}(?:\||\n|\Z)")
_LONGEST_LINE = 1000  # characters of a line of a table
_ROWS = 30  # of a table that are looked at


def _cells_below(text: str, end: int) -> Iterator[tuple[int, int]]:
    """Find the single words in a Markdown table's column, when the name that ends at `end` is its heading."""
    header = text.rfind("\n", max(0, end - _LONGEST_LINE), end) + 1
    divider = _DELIMITER_ROW.match(text, end) if header or end < _LONGEST_LINE else None
    if divider is None:
        return
    column, row = text.count("|", header, end), divider.end()
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


_NEAR = 60  # characters within which a sentence gets from `login` to the password
_SENTENCE_END = re.compile(r"[\n;]|[.!?] ")
_WORD = re.compile(r"[^\s\"'`,;<>()\[\]{}|\\]{6,200}")


def _values_near(text: str, end: int, announced: Announced) -> Iterator[Finding]:
    """Find what looks like a credential a few words after its name, in the same sentence."""
    stop = _SENTENCE_END.search(text, end, end + _NEAR)
    for match in _WORD.finditer(text, end, stop.start() if stop else min(len(text), end + _NEAR)):
        word = _WORD.match(text, match.start()) or match  # the limit may have cut it
        given = word.group().rpartition(":")[2]
        if _is_composed(given.rstrip(".")):
            yield Finding("password", word.end() - len(given), word.end())
            return
        value, between = word.group().rstrip(".:!?*_"), text[end : match.start()].lower()
        is_said = (  # `the password for the office is …`
            announced is Announced.PASSWORD
            and _TELLING.search(between) is not None
            and not (benign.is_dummy(value) or benign.is_reference(value) or benign.is_version(value))
            and _is_password(value, assigned=False, quoted=False)
        )
        if is_said or looks_secret(value, between):
            yield _of_kind(announced, (match.start(), match.start() + len(value)))
            return


def _is_value(value: str, *, announced: Announced, assigned: bool, quoted: bool) -> bool:
    value = value[:_LOOKED_AT]
    if _is_composed(value):
        return True
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    is_uncertain, is_mixed = announced in _UNCERTAIN, len(value) >= 8 and digits and letters
    if len(value) < 4 or (is_uncertain and not is_mixed):
        return False
    if benign.is_reference(value) or benign.is_version(value) or benign.is_dummy(value):
        return False
    if announced is Announced.PASSWORD:
        return _is_password(value, assigned=assigned, quoted=quoted)
    is_varied = not benign.is_repetitive(value)
    if announced is Announced.SECRET and assigned and quoted and is_mixed and value.isalnum():
        return is_varied
    score, _, _ = strangest_stretch(value)
    if is_mixed and score >= (8 if is_uncertain else 5):
        return is_varied
    if announced is Announced.MAYBE or not (assigned or quoted):
        return False
    if announced is Announced.KEY or benign.is_uuid(value):
        return benign.is_uuid(value) is not None
    return len(value) >= 12 and (digits >= 8 or score > 10) and is_varied


_ONE_DIGIT = 9.0  # nats that a token with a single digit needs
_IDENTIFIED = re.compile(r"\b(?:id|resource|tenant|subscription|project|account|session|request|org|issue|job|run)\b")


def looks_secret(value: str, between: str = "") -> bool:
    """Tell whether a word of a sentence about credentials is the credential itself and not an ordinary word.

    `between` is what stands between the credential's name and the word, in lower case.
    """
    if len(value) < 8 or benign.is_dummy(value) or benign.is_reference(value) or benign.is_version(value):
        return False
    if benign.is_uuid(value) or (value.isdigit() and len(value) >= 15 and not benign.is_card_shaped(value)):
        return _IDENTIFIED.search(between) is None
    score, start, end = strangest_stretch(value[:_LOOKED_AT])
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


# Passwords


_SYMBOL = re.compile(r"[!@#$%^&*+=?~]")
_GIBBERISH = 6.0  # nats that letters alone need to pass for a password
_TELLING = re.compile(
    r"(?::|=| is| ist| est| es| é| è| lautet|\b(?:chang|set|reset|updat|switch|rotat)\w{0,4} to)[ \"'`*]{1,4}\Z"
)
_COMPOSED = re.compile(
    r"(?=[^\d\n]*\d)(?=[^a-z\n]*[a-z])(?=[^A-Z\n]*[A-Z])(?=[^!#$%&?^*+~\n]*[!#$%&?^*+~])[^\s/\\.:;,()\[\]{}<>|]{8,40}"
)


def _is_password(value: str, *, assigned: bool, quoted: bool) -> bool:
    """Tell whether a value could be a password; less is asked of one that is assigned, least of one in quotes."""
    has_digit = any(map(str.isdigit, value))
    is_odd = has_digit or _SYMBOL.search(value.rstrip("!?*")) is not None
    if assigned and quoted:
        return is_odd or (len(value) >= 8 and value.isalpha() and strangest_stretch(value)[0] > 0)
    if len(value) < 6:
        return False
    if any(map(str.isalpha, value)):
        return is_odd or strangest_stretch(value)[0] >= _GIBBERISH
    return assigned and has_digit


def _is_composed(value: str) -> bool:
    return _COMPOSED.fullmatch(value) is not None and not benign.is_dummy(value)


_NUMBER_BEHIND = b"a00"  # in `TextViews.forms`: a small letter and two digits
_WORD_AND_NUMBER = re.compile(r"(?<![A-Za-z0-9_.\-/@#])[A-Z]?[a-z]+(?:[A-Z][a-z]+)*(?!365\b)[0-9]{2,4}(?![A-Za-z0-9_])")
_LONGEST = 40  # characters of such a password
_THREE_WORDS = re.compile(
    r"""(?x)
    [A-Z]?[a-z]+(?:[A-Z][a-z]+){2,}
    (?!(?:(?:19|20)[0-9]{2}|16|32|64|128|256|512)\Z)[0-9]+   # no year, no width
    """
)
_COMMON_IN_PASSWORDS = re.compile(r"pass(?:w(?:or)?d)?|secret|letmein|welcome|qwerty|changeit", re.IGNORECASE)
_LOGS_IN_BEFORE = re.compile(
    r"""(?x)
    (?: \b(?:log(?:ged|ging)?|sign(?:ed|ing)?)[\ -]?(?:in|on)\b
      | \b(?:authenticat|unlock|decrypt)\w{0,3}\b
    )
    [^.;\n]{0,40}\b(?:with|using|by)[\ `"'*]{1,4}\Z
    """,
    re.IGNORECASE,
)
_HANDED_BEFORE = re.compile(
    r"""(?x)
    (?: \b(?:use|using|try|enter|type|need|take|it's|is|put|remember|note|save|paste|with
          |(?:login|user|account)\ is\ [\w.@-]{1,30}\ and)
      | \s--?[\w-]{0,20}(?:key|pass|password|secret|token|auth)
    )
    :?[\ =`"'*]{1,4}\Z
    """,
    re.IGNORECASE,
)
_AS_PASSWORD_AFTER = re.compile(
    r"""(?x)
    [`"'*]{0,3}[ ]
    (?: as\ (?:the\ |your\ |my\ |its\ |a\ )?(?:\w{1,12}\ )?(?:password|passphrase|passcode)\b
      | to\ (?:log|sign|get|let\ me)\ ?(?:in|on)\b
    )
    """,
    re.IGNORECASE,
)
_FOR_A_PLACE_AFTER = re.compile(
    r"[`\"'*]{0,3} (?:for|on|in) (?:the |our |my )?(?:staging|production|prod|demo|test|sandbox|local|admin|root"
    r"|wifi|wi-fi|vpn|ssh|sudo|database|db|server|account|box|router|portal|vault|dashboard)\b",
    re.IGNORECASE,
)


def words_as_passwords(views: TextViews) -> Iterator[Finding]:
    """Find words run together with a number behind, where the sentence hands them over (`use … for staging`)."""
    text = views.text
    for at in places(views.forms, _NUMBER_BEHIND):
        if not views.forms[at - 3 : at].isalpha():
            continue  # too short a word
        first = text.rfind(" ", max(0, at - _LONGEST), at) + 1
        word = _WORD_AND_NUMBER.search(text, first, at + 6) if first else None
        if word and len(word.group()) >= 8 and _lets_in(text, *word.span()):
            yield Finding("password", *word.span())


def _lets_in(text: str, start: int, end: int) -> bool:
    first, word = max(0, start - 80), text[start:end]
    if _LOGS_IN_BEFORE.search(text, first, start):
        return True
    if _HANDED_BEFORE.search(text, first, start) is None:
        return False
    is_sentence = _THREE_WORDS.fullmatch(word) is not None
    if _AS_PASSWORD_AFTER.match(text, end) or (is_sentence and word[0].islower()):
        return True
    # A product with its version is used for a place too (`use WindowsServer2022 for staging`); three words are none.
    return bool((is_sentence or _COMMON_IN_PASSWORDS.search(word)) and _FOR_A_PLACE_AFTER.match(text, end))
