"""Passwords: whether a word could be one, and whether a sentence tells it. Free of any issuer's shape."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsuggest.core.redact import benign
from memsuggest.core.redact.scan import Finding, Sight, places
from memsuggest.core.redact.wordlike import strangeness, strangest_stretch

_SYMBOL = re.compile(r"[!@#$%^&*+=?~]")
_GIBBERISH = 6.0  # nats that letters alone need to pass for a password
_WORDY = -3.0  # nats: names with a number behind them score lower
_TELLING = re.compile(
    r"(?::|=| is| ist| est| es| é| è| lautet|\b(?:chang|set|reset|updat|switch|rotat)\w{0,4} to)[ \"'`*]{1,4}\Z"
)
_COMPOSED = re.compile(
    r"(?=[^\d\n]*\d)(?=[^a-z\n]*[a-z])(?=[^A-Z\n]*[A-Z])(?=[^!#$%&?^*+~\n]*[!#$%&?^*+~])[^\s/\\.:;,()\[\]{}<>|]{8,40}"
)


def is_password(value: str, *, assigned: bool, quoted: bool) -> bool:
    """Tell whether a value could be a password; less is asked of one that is assigned, least of one in quotes."""
    has_digit = any(map(str.isdigit, value))
    has_symbol = _SYMBOL.search(value.rstrip("!?*")) is not None
    if assigned and quoted:
        return has_digit or has_symbol or (len(value) >= 8 and value.isalpha() and strangest_stretch(value)[0] > 0)
    if len(value) < 6:
        return False
    if any(map(str.isalpha, value)):
        return has_digit or has_symbol or strangest_stretch(value)[0] >= _GIBBERISH
    return assigned and has_digit


def is_composed(value: str) -> bool:
    return _COMPOSED.fullmatch(value) is not None and not benign.is_dummy(value)


def follows_password(value: str) -> bool:
    """Tell whether a word right after `password`, with nothing between, is one (`login ada password hunter2`)."""
    if is_composed(value):
        return True
    return (
        len(value) >= 7
        and value.isascii()
        and strangest_stretch(value)[0] >= 0
        and value[-1].isalnum()
        and (_is_odd(value) or strangest_stretch(value)[0] >= _GIBBERISH)
    )


def _is_odd(value: str) -> bool:
    return any(map(str.isdigit, value)) and strangeness("".join(filter(str.isalnum, value))) > _WORDY


def is_told(value: str, between: str) -> bool:
    """Tell whether the sentence says what the password is (`the password for the office is …`)."""
    return (
        _TELLING.search(between) is not None
        and not (benign.is_dummy(value) or benign.is_reference(value) or benign.is_version(value))
        and is_password(value, assigned=False, quoted=False)
    )


_NUMBER_BEHIND = b"a00"  # in `Sight.forms`: a small letter and two digits
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


def words_as_passwords(sight: Sight) -> Iterator[Finding]:
    """Find words run together with a number behind, where the sentence hands them over (`use … for staging`)."""
    text = sight.text
    for at in places(sight.forms, _NUMBER_BEHIND):
        if not sight.forms[at - 3 : at].isalpha():
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
    if _AS_PASSWORD_AFTER.match(text, end):
        return True
    is_sentence = _THREE_WORDS.fullmatch(word) is not None
    if is_sentence and word[0].islower():
        return True
    # A product with its version is used for a place too (`use WindowsServer2022 for staging`); three words are none.
    return bool((is_sentence or _COMMON_IN_PASSWORDS.search(word)) and _FOR_A_PLACE_AFTER.match(text, end))
