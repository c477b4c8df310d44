"""The order of the rules, how what they find is replaced, and what is disguised read as it is meant. Pure."""

from __future__ import annotations

import html
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from memsuggest.core.redact import credentials, known_formats, tokens
from memsuggest.core.redact.scan import MARK, Finding, Redacted, TextViews, merged_findings, views_of

RULES: tuple[tuple[Callable[[TextViews], Iterator[Finding]], tuple[str, ...]], ...] = (
    (known_formats.private_keys, ("-----BEGIN", "PuTTY-User-Key")),
    (known_formats.url_credentials, ("://",)),
    (credentials.named_values, ()),
    (known_formats.command_credentials, (" -", "-user")),
    (tokens.opaque_tokens, ()),
    (tokens.mixed_passwords, ()),
    (credentials.words_as_passwords, ()),
    (tokens.wrapped_tokens, ("\n",)),
    *((shape.find, shape.needs) for shape in known_formats.SHAPES),
    (known_formats.webhooks, (".com", ".org/bot", ".cn/", "/webhook/")),
    (known_formats.mail_addresses, ("@",)),
    (known_formats.home_folders, ("/home/", "Users", "Documents and Settings")),
    (known_formats.cards_and_phones, ()),
)
"""Every rule, and what a text must hold at least for it to be worth looking; nothing: always look.

Shape-free ones come before those that know issuers.
"""


def redact(text: str) -> Redacted:
    """Replace each secret and personal detail by `[REDACTED:<kind>]` (a home folder by `~`)."""
    views = views_of(text)
    seen = [*_found_in(views), *_found_in_disguise(views)]
    if not seen:
        return Redacted(text=text, found=())
    # What is public in its own encoding (keys, certificates, signatures) is full of opaque tokens.
    blocks = [match.span() for match in _PUBLIC_BLOCK.finditer(text)] if "-----BEGIN" in text else []
    for begin, stop in blocks:
        seen = [finding for finding in seen if finding.kind != "token" or finding.start < begin or stop < finding.end]
    found = tuple(merged_findings(seen))
    pieces: list[str] = []
    at = 0
    for kind, start, end in found:
        pieces += (text[at:start], "~" if kind == "home" else f"{MARK}{kind}]")
        at = end
    return Redacted(text="".join([*pieces, text[at:]]), found=found)


def _found_in(views: TextViews) -> list[Finding]:
    found: list[Finding] = []
    for find, needs in RULES:
        for need in needs or ("",):  # twice as fast as any(); this is asked for every line of every chat
            if need in views.text:
                found += find(views)
                break
    return found


_PUBLIC_BLOCK = re.compile(
    r"-----BEGIN ((?:PGP )?PUBLIC KEY(?: BLOCK)?|CERTIFICATE|PGP SIGNATURE|SSH SIGNATURE)-----"
    r"[^-]{1,20000}-----END \1-----"
)


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
_DISGUISE = re.compile(_DISGUISES)
_CODED = re.compile("|".join([*_ESCAPES.values(), _DISGUISES]))


def _found_in_disguise(views: TextViews) -> Iterator[Finding]:
    """Look at every line that holds escapes or look-alikes as that line is meant."""
    text, start = views.text, 0
    if not ("%" in text or "\\" in text or "&" in text or (views.foreign and _DISGUISE.search(views.foreign))):
        return
    for line in text.split("\n"):
        view = _decoded(line, range(start, start + len(line) + 1)) if len(line) <= _LONGEST else None
        for _ in range(DEPTH):
            if view is None:
                break
            for kind, begin, stop in _found_in(views_of(view[0])):
                yield Finding(kind, view[1][begin], view[1][stop])
            view = _decoded(*view)
        start += len(line) + 1


def _decoded(line: str, offsets: Sequence[int]) -> tuple[str, Sequence[int]] | None:
    """Resolve one layer of escapes and look-alikes; None when there is none.

    `offsets[i]` is where character i of the line begins in the original, with the end as the last.
    """
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for match in _CODED.finditer(line):
        coded = match.group()
        if coded[0] in "%\\":
            meant = chr(int(coded[-2:], 16))
        elif coded[0] == "&":
            meant = html.unescape(coded)
        else:
            plain = unicodedata.normalize("NFKC", coded)
            meant = plain if plain.isascii() and plain.isprintable() else ""
        pieces += (line[at : match.start()], meant)
        places += [*offsets[at : match.start()], *([offsets[match.start()]] * len(meant))]
        at = match.end()
    return ("".join([*pieces, line[at:]]), [*places, *offsets[at:]]) if at else None


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
