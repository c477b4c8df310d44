"""Tells names that people make up from strings that a random generator made, by how letters follow each other.

Explainable on purpose: the score of a string is the sum over its characters of how much better "drawn at random"
explains each than "the next letter of a word or identifier" does, in nats. Words are far below zero.
"""

from __future__ import annotations

import math
import re
import string
from functools import lru_cache
from pathlib import Path

from memsuggest.core.text.words import word_set

SYMBOLS = "abcdefghijklmnopqrstuvwxyz0^"
"""Rows and columns: letters in either case, any digit, the edge of a piece."""

FOLLOWS = Path(__file__).with_name("letters.txt").read_text(encoding="ascii").split("\n")
"""How unlikely a column is after a row: tenths of a nat, above `!`."""

CASES = {"ll": 0.03, "lu": 3.57, "ul": 0.98, "uu": 0.47}
"""How unlikely a case is after another (l lower, u upper), in nats."""


_PIECES = re.compile(r"[A-Za-z0-9]+|%[0-9A-Fa-f]{2}|[^A-Za-z0-9]")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_EDGE = "^"
_DIGIT = 1.8  # nats: which digit it is; less than log(10), for 1, 2 and 0 are commoner in names


def _unlikely(first: str, second: str) -> float:
    """Return the surprise of `second` after `first` in a name, in nats."""
    is_hump = first.isalpha() and first.islower() and second.isupper()  # a new word begins
    row, column = ("0" if char.isdigit() else char.lower() for char in (_EDGE if is_hump else first, second))
    cost = (ord(FOLLOWS[SYMBOLS.index(row)][SYMBOLS.index(column)]) - ord("!")) / 10
    if second.isdigit():
        cost += _DIGIT
    if first.isalpha() and second.isalpha():
        cost += CASES["".join("u" if char.isupper() else "l" for char in (first, second))]
    return cost


_NAMES = frozenset(string.ascii_letters + string.digits)
_AFTER = {first: {second: _unlikely(first, second) for second in _NAMES} for first in (*_NAMES, _EDGE)}


_JARGON = word_set(
    "i18n l10n a11y k8s k3s k6 arm64 armv7 aarch64 x64 x86 amd64 win32 win64 s390x ppc64le riscv64 musl secp256k1 "
    "ed25519 x25519 bls12 sha1 sha256 sha384 sha512 md5 hs256 rs256 es256 base64 base58 utf8 utf16 mp3 mp4 h264 h265 "
    "av1 s3 ec2 oauth2 ipv4 ipv6 vue2 vue3 html5 css3 es5 es6 es2015 es2020 es2022 esnext neo4j log4j d3 p2p b2b e2e "
    "e2ee web3 wasm32 pdf mcp sdk npm pnpm jsx tsx jql sql mysql postgres py2 py3 cp311 cp312 cp313 manylinux2014 "
    "node18 node20 node22 v1alpha1 v1beta1 v1beta2 v2beta1 v2beta2 lz4 woff2 jspdf zlib gzip grpc http2 http3 xml "
    "json yaml kafka tls rsa aes gcm cbc ecdhe ecdsa pkcs1 pkcs7 pkcs12 rsassa v1 v2 v3 v4"
)
_KNOWN = -4.0  # nats: like a short word


_HEX_WITHIN = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}|[0-9a-fA-F]{24,}")
_SHORTEST_HEX = 16
_AFFIXED = -2.0  # nats: that letters stand before or behind


@lru_cache(maxsize=65536)
def strangeness(piece: str) -> float:
    """Score one run of ASCII letters and digits, in nats: above zero it looks drawn, below zero made up.

    Hexadecimal with an issuer's letters before or behind it (`SK…`, `…NRAL`) is scored as hexadecimal.
    """
    if piece.isdigit():
        return 0.0
    if piece.lower() in _JARGON:
        return _KNOWN
    whole = _strangeness_of_whole(piece)
    if len(piece) <= _SHORTEST_HEX:
        return whole
    inner = max(_HEX_WITHIN.findall(piece), key=len, default="")
    if inner == piece or inner.isalpha() or inner.isdigit():
        return whole
    return max(whole, _strangeness_of_whole(inner) + _AFFIXED)


def _strangeness_of_whole(piece: str) -> float:
    cost, row = 0.0, _AFTER[_EDGE]
    for char in piece:
        cost += row[char]
        row = _AFTER[char]
    is_one_case, has_digit = piece.islower() or piece.isupper(), any(char.isdigit() for char in piece)
    if _HEXADECIMAL.issuperset(piece) and (is_one_case or has_digit):
        letters = 16 if is_one_case else 22
    else:
        letters = (26 if is_one_case else 52) + 10 * has_digit
    return cost - len(piece) * math.log(letters)  # drawn from the smallest usual alphabet that has all of it


_SEPARATOR = {"/": 4.0, ".": 2.0, "=": 6.0}
"""What it costs a stretch, in nats, to reach over a separator that paths and names are full of."""


def strangest_stretch(text: str) -> tuple[float, int, int]:
    """Find the stretch of pieces with the highest sum of scores; return score, start and end in `text`."""
    best, begin, end = 0.0, 0, 0
    total, start = 0.0, 0
    for match in _PIECES.finditer(text):
        piece = match.group()
        if piece[0] not in _NAMES:
            total -= _SEPARATOR.get(piece[0], 0.0)
            continue
        if total <= 0:
            total, start = 0.0, match.start()
        total += strangeness(piece)
        if total > best:
            best, begin, end = total, start, match.end()
    return best, begin, end
