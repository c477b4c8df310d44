"""The order of the rules, how what they find is replaced, and what is disguised read as it is meant. Pure."""

from __future__ import annotations

import html
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from memsuggest.core.redact import credentials, known_formats, passwords, personal
from memsuggest.core.redact import known_formats as opaque_tokens
from memsuggest.core.redact.scan import MARK, Finding, Redacted, Sight, merged_findings, sight_of
from memsuggest.core.redact.wordlike import strangeness, strangest_stretch

DEPTH = 2  # an escape may itself be escaped
_LONGEST = 200_000  # characters of a line that is looked at twice; such lines are data

_ESCAPES = {
    "%": r"%[2-7][0-9A-Fa-f]",
    "\\": r"\\(?<!\\\\)\\{0,7}+(?:u00|x)[2-7][0-9A-Fa-f]",
    "&": r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|amp|quot|apos|lt|gt|equals|colon|sol|num|plus|lowbar|commat);",
}
"""How characters are escaped, by what that begins with."""
_DISGUISES = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uff01-\uff5e\uffa0\U0001d400-\U0001d7ff\U000e0000-\U000e0fff\u2460-\u24ff\u2080-\u2089\u00b2\u00b3\u00b9\u2070-\u2079]"
)
"""Characters that show nothing, and those that look like ASCII letters and digits."""


_ESCAPE_SEARCHES = tuple((first, re.compile(escape)) for first, escape in _ESCAPES.items())
_DISGUISE = re.compile(_DISGUISES)
_ANY = re.compile("|".join([*_ESCAPES.values(), _DISGUISES]))


class View(NamedTuple):
    """A line as it is meant; `offsets[i]` is where character i begins in the original, with the end as the last."""

    text: str
    offsets: list[int]


def _found_in_disguise(sight: Sight) -> Iterator[Finding]:
    """Apply a search to every line that holds escapes or look-alikes, as that line is meant."""
    for start, end in _disguised_lines(sight):
        view = View(sight.text[start:end], list(range(start, end + 1)))
        for _ in range(DEPTH):
            meant = decoded(view)
            if meant is None:
                break
            view = meant
            for kind, begin, stop in _found_in(sight_of(view.text)):
                yield Finding(kind, view.offsets[begin], view.offsets[stop])


def _disguised_lines(sight: Sight) -> Iterable[tuple[int, int]]:
    """The lines, each once, with something in them that is not what it seems."""
    text = sight.text
    patterns = [pattern for first, pattern in _ESCAPE_SEARCHES if first in text]
    if sight.foreign and _DISGUISE.search(sight.foreign):
        patterns.append(_DISGUISE)
    lines: dict[int, int] = {}
    for pattern in patterns:
        done = 0
        while match := pattern.search(text, done):
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            done = (end if end >= 0 else len(text)) + 1
            lines[start] = done - 1
    return [(start, end) for start, end in lines.items() if end - start <= _LONGEST]


def decoded(view: View) -> View | None:
    """Resolve one layer of escapes and look-alikes; None when there is none."""
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in _ANY.finditer(view.text):
        meant = _meant(match.group())
        pieces += (view.text[at : match.start()], meant)
        offsets += view.offsets[at : match.start()]
        offsets += [view.offsets[match.start()]] * len(meant)
        at = match.end()
    if at == 0:
        return None
    pieces.append(view.text[at:])
    return View("".join(pieces), offsets + view.offsets[at:])


def _meant(coded: str) -> str:
    if coded[0] == "%":
        return chr(int(coded[1:], 16))
    if coded[0] == "\\":
        return chr(int(coded[-2:], 16))
    if coded[0] == "&":
        return html.unescape(coded)
    plain = unicodedata.normalize("NFKC", coded)
    return plain if plain.isascii() and plain.isprintable() else ""


_BREAK = re.compile(
    rb"\n(?<=[A-Za-z0-9\\\r=+/\-_]\n)[ \t>*|#+\-]{0,16}"
    rb"([A-Za-z0-9]{3,200}+)([+/=_.\-][A-Za-z0-9+/=_.\-]{0,200})?(?=\s|\Z|[\"'`,;)])"
)
_LAST_PIECE = re.compile(r"[A-Za-z0-9]{3,}[=+/_\-]{0,2}\Z")
_JOINED = 12.0  # nats: what two halves of a token have together
_HALF = 3.0  # nats: what the pieces beside the cut have each


def wrapped_tokens(sight: Sight) -> Iterator[Finding]:
    for after in _BREAK.finditer(sight.plain):
        if strangeness(after[1].decode()) >= _HALF:
            yield from _across(sight.text, after.start(), after.start(1), after.end())


def _across(text: str, at: int, begin: int, end: int) -> Iterator[Finding]:
    line = max(text.rfind("\n", 0, at) + 1, at - 100)
    last = text[line:at].rstrip(" \t\r\\").rpartition(" ")[2]
    whole = last + text[begin:end]
    left = _LAST_PIECE.search(last)
    if left is None or len(whole) < 16 or not any(map(str.isdigit, whole)):
        return
    if strangeness(left.group().rstrip("=+/_-")) >= _HALF and strangest_stretch(whole)[0] >= _JOINED:
        yield Finding("token", text.rfind(last, line, at), end)


RULES: tuple[tuple[Callable[[Sight], Iterator[Finding]], tuple[str, ...]], ...] = (
    (known_formats.private_keys, ("-----BEGIN", "PuTTY-User-Key")),
    (known_formats.url_credentials, ("://",)),
    (credentials.named_values, ()),
    (known_formats.command_credentials, (" -", "-user")),
    (known_formats.client_passwords, (" -",)),
    (opaque_tokens.opaque_tokens, ()),
    (opaque_tokens.mixed_passwords, ()),
    (passwords.words_as_passwords, ()),
    (wrapped_tokens, ("\n",)),
    (known_formats.web_tokens, ("eyJ",)),
    (known_formats.basic_credentials, ("asic ", "ASIC ")),
    (known_formats.webhooks, (".com", ".org/bot", ".cn/", "/webhook/")),
    (personal.signed_addresses, ("?", "&")),
    (personal.mail_addresses, ("@",)),
    (personal.home_folders, ("/home/", "Users", "Documents and Settings")),
    (personal.bank_accounts, ()),
    (personal.cards_and_phones, ()),
)
"""Every rule, and what a text must hold at least for it to be worth looking; nothing: always look.

Shape-free ones come before those that know issuers.
"""


def redact(text: str) -> Redacted:
    """Replace each secret and personal detail by `[REDACTED:<kind>]` (a home folder by `~`)."""
    sight = sight_of(text)
    seen = [*_found_in(sight), *_found_in_disguise(sight)]
    found = tuple(merged_findings(_outside_public_blocks(seen, text)))
    if not found:
        return Redacted(text=text, found=())
    return Redacted(text=_replaced(text, found), found=found)


_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN ((?:PGP )?PUBLIC KEY(?: BLOCK)?|CERTIFICATE|PGP SIGNATURE|SSH SIGNATURE)-----"
    r"[^-]{1,20000}-----END \1-----"
)


def _outside_public_blocks(found: list[Finding], text: str) -> list[Finding]:
    """Drop opaque tokens inside of what is public in its own encoding: keys, certificates, signatures."""
    if not found or "-----BEGIN" not in text:
        return found
    blocks = [match.span() for match in _PUBLIC_BLOCK.finditer(text)]
    return [
        finding
        for finding in found
        if finding.kind != "token" or not any(start <= finding.start and finding.end <= end for start, end in blocks)
    ]


def _found_in(sight: Sight) -> list[Finding]:
    found: list[Finding] = []
    for find, needs in RULES:
        for need in needs or ("",):  # twice as fast as any(); this is asked for every line of every chat
            if need in sight.text:
                found += find(sight)
                break
    return found


def _replaced(text: str, found: tuple[Finding, ...]) -> str:
    pieces: list[str] = []
    at = 0
    for finding in found:
        pieces += (text[at : finding.start], "~" if finding.kind == "home" else f"{MARK}{finding.kind}]")
        at = finding.end
    pieces.append(text[at:])
    return "".join(pieces)


_MARK = r"\[REDACTED:[\w-]+\]"
_EXAMPLE = re.compile(rf"\s*[(,]?\s*\b(?:such as|e\.g\.|for example|like)\s+{_MARK}\)?(?:,(?=\s))?", re.IGNORECASE)
_IN_PARENTHESES = re.compile(rf"\s*\([^()]*{_MARK}[^()]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_BETWEEN_CLAUSES = re.compile(
    r"""(?x)
    (?:,|\s[\u2014\u2013-])\s+(?=(?:(?:and|but|or|so|then|also|just)\s+)?
    (?:log|sign|use|set|put|pass|call|connect|authenticate|run|type|enter|send|export|take|give|add|keep|don['\u2019]t
      |do|never|always|my|the|our|your|its|it|it['\u2019]s|i|we|you|they|with|which|where|that|see|as|because|since)\b)
    """,
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:when|whenever|if|unless|until|for|before|after|while|once|in|on|at|to|with|as|because|since|although|during"
    r"|from now on|going forward|please)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:it|its|it['\u2019]s|this|that|these|those|they|them|he|she|same|otherwise)\b", re.IGNORECASE
)


def without_redacted(rule: str) -> str:
    """Leave out the clauses of a rule in which something was redacted; nothing where no rule remains.

    >>> without_redacted("Always use pnpm, and log in with [REDACTED:password] for staging.")
    'Always use pnpm.'
    >>> without_redacted("Deploy with the token [REDACTED:secret].")
    ''
    """
    if MARK not in rule:
        return rule
    kept: list[str] = []
    is_lost = False
    for sentence in _SENTENCE_END.split(_IN_PARENTHESES.sub("", _EXAMPLE.sub("", rule))):
        remains = "" if is_lost and _POINTS_BACK.match(sentence) else _without_clauses(sentence)
        is_lost = not remains
        kept += [remains] if remains else []
    return " ".join(kept)


def _without_clauses(sentence: str) -> str:
    if MARK not in sentence:
        return sentence
    cuts = [0, *(cut.start() for cut in _BETWEEN_CLAUSES.finditer(sentence)), len(sentence)]
    clauses = [sentence[begin:end] for begin, end in itertools.pairwise(cuts)]
    if MARK in clauses[0]:
        return ""  # what is left speaks of what was taken out
    kept = [clause for clause in clauses if MARK not in clause]
    if len(kept) == 1 and _LEANS.match(kept[0].strip()):
        return ""
    whole = "".join(kept).rstrip(" ,;:\u2014\u2013-")
    last = sentence.rstrip()[-1:]
    return whole + last if last in ".!?;" and whole[-1:] not in ".!?;" else whole
