"""Passwords: whether a word could be one, and whether a sentence tells it. Free of any issuer's shape."""

from __future__ import annotations

import re

from memsuggest.redact import benign
from memsuggest.redact.wordlike import strangeness, strangest_stretch

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
    """Whether a value could be a password; less is asked of one that is assigned, least of one in quotes."""
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
    """Whether a word has letters of both cases, digits and signs: nobody writes those but as a password."""
    return _COMPOSED.fullmatch(value) is not None and not benign.is_dummy(value)


def follows_password(value: str) -> bool:
    """Whether a word right after `password`, with nothing between, is one (`login ada password hunter2`)."""
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
    """Whether the sentence says what the password is (`the password for the office is …`)."""
    return (
        _TELLING.search(between) is not None
        and not (benign.is_dummy(value) or benign.is_reference(value) or benign.is_version(value))
        and is_password(value, assigned=False, quoted=False)
    )
