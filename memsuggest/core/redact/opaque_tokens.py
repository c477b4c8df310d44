"""Opaque tokens: strings nobody made up, wherever they stand. The first and widest rule, free of any vendor's shape."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.redact import benign
from memsuggest.core.redact.credentials import looks_given
from memsuggest.core.redact.known_formats import issued_token
from memsuggest.core.redact.scan import Finding, sight_of, word_set
from memsuggest.core.redact.wordlike import strangeness, strangest_stretch

if TYPE_CHECKING:
    from memsuggest.core.redact.scan import Sight

_LONG = re.compile(rb"aaaaaaaaaaaaa*+")  # runs of twelve and more
_MANY_LETTERS = b"a" * 14  # in `Sight.pieces`
_PIECE = re.compile(r"[A-Za-z0-9]+")
_PART = re.compile(r"[A-Za-z0-9_\-+=~%]")

CERTAIN = 9.0  # nats: reached by 1 in 5,000 lines of real customization files and by nearly all drawn tokens
_CERTAIN_LETTERS = 13.0  # nats: the same without a digit in it
_LONG_NUMBER = 24  # digits: longer than any count, time or identifier that people write down
_ONE_STRANGE = 5.0  # nats that one piece of a short token must have: names of versions have many little strange ones
_CONTEXT = 60  # characters before that tell what a token is


def opaque_tokens(sight: Sight) -> Iterator[Finding]:
    """Find strings that look drawn at random, except those that only name a thing."""
    text = sight.text
    for place in _LONG.finditer(sight.runs):
        at, end = place.span()
        run = text[at:end]
        if sight.pieces.find(b"0", at, end) < 0 and sight.pieces.find(_MANY_LETTERS, at, end) < 0:
            if not run.islower() and (short := issued_token(run)):
                yield Finding("token", at + short[0], at + short[1])
            continue
        seen = _seen_again(run) if end - at <= _REMEMBERED else _seen(run)
        found = (seen.drawn and _opening(text, run, at, *seen.drawn)) or seen.issued
        if found or (seen.may_be_given and (found := _given_token(text, run, at))):
            yield Finding("token", at + found[0], at + found[1])


class Seen(NamedTuple):
    """The traits of a run of characters, wherever it stands."""

    drawn: tuple[int, int] | None
    """The stretch that was drawn at random."""
    issued: tuple[int, int] | None
    """The token that its issuer's prefix tells."""
    may_be_given: bool
    """Whether it is a credential, if somebody hands it over."""


def _seen(run: str) -> Seen:
    return Seen(_drawn(run), issued_token(run), looks_given(run.rstrip(".")))


def _drawn(run: str) -> tuple[int, int] | None:
    score, start, end = strangest_stretch(run)
    if score >= CERTAIN and is_drawn(run[start:end], score):
        return start, end
    is_number = run.isdigit() and len(run) >= _LONG_NUMBER and not benign.is_repetitive(run)
    return (0, len(run)) if is_number else None


_REMEMBERED = 120  # characters of a run that is judged once; paths and names come again
_seen_again = lru_cache(maxsize=16384)(_seen)


def _opening(text: str, run: str, at: int, start: int, end: int) -> tuple[int, int] | None:
    """Find the whole token around a drawn stretch of a run, if it opens something."""
    if run.isdigit():
        return start, end
    before = text[max(0, at + start - _CONTEXT) : at + start].rpartition("\n")[2]
    if is_identifier(run, start, end, before=before, after=text[at + end : at + end + 8]):
        return None
    start, end = _whole(run, start, end)
    return None if benign.is_dummy(run[start:end]) else (start, end)


_HANDING_OVER = word_set(
    "use used uses using put set remember save store add enter paste type provide take try with and is note here "
    "need needs needed require requires required want wants give gives gave given pass send supply keep via go got "
    "brauche brauchen brauchst braucht nimm nutze nutzen verwende verwenden utilise utilisez utilisons usa usamos "
    "usar usad necesito gebruik usiamo serve copy copied pasted hardcode hardcoded"
)
_LAST_WORD = re.compile(r"(?<!\w)([^\W\d_]+)[ `\"'*_~(:,]{1,6}(?:[a-z]{2,8}:)?\Z")
_NAMED_AFTER = re.compile(
    r"""(?x)
    [`'"*_~)]{0,4},?[ ](?:is|was|are|as)[ ]
    (?![^.;\n]{0,24}\b(?:primary|foreign|partition|sort|cache|lookup|unique|public)\b)
    [^.;\n]{0,24}\b(?:key|token|secret|password|passphrase|credentials?)\b
    """
)


def _given_token(text: str, run: str, at: int) -> tuple[int, int] | None:
    """Find a token that is handed over without a name (`use … to deploy`), or before its name (`… is the key`)."""
    value = run.rstrip(".")
    last_word = _LAST_WORD.search(text, max(0, at - 32), at)
    is_handed = last_word is not None and last_word.group(1).lower() in _HANDING_OVER
    if not is_handed and not _NAMED_AFTER.match(text, at + len(value)):
        return None
    before = text[max(0, at - _CONTEXT) : at].rpartition("\n")[2].lower()
    if last_word and last_word.group(1).lower() == "and" and not _LOGIN.search(before):
        return None  # two of whatever stands before
    if benign.is_commit(value, before):
        return None
    return (0, len(value)) if looks_given(value, before) else None


_LOGIN = re.compile(r"\b(?:log|login|user|username|account|admin|demo|root|key|credentials?|name)\b")


def is_drawn(stretch: str, score: float) -> bool:
    """Tell whether a stretch has enough of what random strings have: digits among letters, or both cases at length."""
    digits = sum(char.isdigit() for char in stretch)
    letters = sum(char.isalpha() for char in stretch)
    if benign.is_repetitive(stretch):
        return False
    if digits >= 2 and letters >= 2:
        return digits + letters >= 16 or (
            digits + letters >= 12 and max(map(strangeness, _PIECE.findall(stretch))) >= _ONE_STRANGE
        )
    return letters >= 14 and score >= _CERTAIN_LETTERS


def is_identifier(run: str, start: int, end: int, *, before: str, after: str) -> bool:
    """Tell if a stretch of a run names a commit, a digest, a version, a file or another thing, and opens nothing."""
    stretch = run[start:end]
    uuid = benign.holds_uuid(run, start, end)
    return (
        (uuid is not None and not benign.names_a_right(run[:uuid]))
        or _is_short_hex(stretch)
        or any(is_benign(run) for is_benign in _BENIGN_RUNS)
        or benign.is_ulid(stretch)
        or benign.is_commit(stretch, before)
        or benign.is_linked_commit(stretch, before, after)
        or benign.is_checksum_line(stretch, before, after)
        or benign.is_digest(stretch, before)
        or benign.is_digest(stretch, before[: max(0, len(before) - start)])
        or benign.is_named_id(before)
        or benign.is_public(before[: max(0, len(before) - start)])
        or benign.is_time(stretch)
        or benign.is_hashed_file(stretch, after)
        or _is_hex_in_path(run, start, end, before=before)
        or _is_encoded_words(stretch)
    )


_SHORT_HEX = 17  # digits: abbreviated commits, spans, checksums and ids of ours have fewer
_BENIGN_RUNS = (
    benign.is_number,
    benign.is_version,
    benign.is_known_id,
    benign.is_account,
    benign.is_constant,
    benign.is_date_format,
    benign.is_alphabet,
    benign.is_drawing,
    benign.is_replica,
    benign.is_named_digest,
)


def _is_short_hex(stretch: str) -> bool:
    pieces = re.split(r"[./]+", stretch)
    return all(len(piece) < _SHORT_HEX and benign.is_hex(piece) for piece in pieces)


def _is_hex_in_path(run: str, start: int, end: int, *, before: str) -> bool:
    if benign.is_hashed_path(run):
        return True
    if not benign.is_store_of_hashes(before + run[:start]):
        return False
    return all(benign.is_hex(piece) or strangeness(piece) <= 3 for piece in _PIECE.findall(run[start:end]))


def _is_encoded_words(stretch: str) -> bool:
    words = benign.decoded_words(stretch)
    return bool(words) and not any(opaque_tokens(sight_of(words)))


def _whole(run: str, start: int, end: int) -> tuple[int, int]:
    """The token around a stretch, with its prefix, but without a name that it is assigned to."""
    while start > 0 and _PART.match(run[start - 1]):
        start -= 1
    name = _ASSIGNED_TO.match(run, start, end)
    while end < len(run) and _PART.match(run[end]):
        end += 1
    return (name.end() if name and strangeness(name.group(1).replace("_", "")) <= _NAME_LIKE else start), end


_NAME_LIKE = 5.0  # nats: short names such as `pwd` are a little strange
_ASSIGNED_TO = re.compile(r"([A-Za-z_]{1,40})=")


_INNER_SYMBOL = re.compile(rb"!(?<=[0Aa]!)(?=[0Aa])")
_PASSWORD = re.compile(r"[A-Za-z0-9@$!#%^&*?~_\-]{8,64}")
_IN_PASSWORD = frozenset(string.ascii_letters + string.digits + "@$!#%^&*?~_-")
_NUMBERED = re.compile(r"[@#^]v?[0-9][0-9.\-]*$|#L[0-9]|%[0-9A-Fa-f]{2}|^@|[$&][A-Za-z_]+$")
_DIGIT_FOR_LETTER = re.compile(r"[A-Za-z][0-9](?=[A-Za-z])")
_DISTORTED = 3.0  # nats for a digit that stands for a letter
_STRANGE = 5.0  # nats that the parts of a password have together


def mixed_passwords(sight: Sight) -> Iterator[Finding]:
    """Find words of lower and upper case, digits and inner symbols: nobody writes those but as a password."""
    text = sight.text
    for symbol in _INNER_SYMBOL.finditer(sight.forms):
        at = symbol.start()
        word = _PASSWORD.match(text, _word_begins(text, at))
        if word is None or text[word.start() - 1 : word.start()] in ("[", "/", "."):
            continue
        is_query = "?" in word.group() and text[word.end() : word.end() + 1] == "="
        password = word.group().rstrip("*?")
        if not is_query and password[0] != "?" and is_mixed(password):
            yield Finding("password", word.start(), word.start() + len(password))


def _word_begins(text: str, at: int) -> int:
    first = max(0, at - 64)
    while at > first and text[at - 1] in _IN_PASSWORD:
        at -= 1
    return at


def is_mixed(word: str) -> bool:
    """Tell whether a word has lower and upper case letters, digits, symbols, and parts that are no words."""
    classes = (str.islower, str.isupper, str.isdigit)
    if not all(any(map(is_one, word)) for is_one in classes) or word.replace("_", "").replace("-", "").isalnum():
        return False
    strange = sum(max(0.0, strangeness(piece)) for piece in _PIECE.findall(word))
    strange += _DISTORTED * len(_DIGIT_FOR_LETTER.findall(word))
    return strange >= _STRANGE and _NUMBERED.search(word) is None
