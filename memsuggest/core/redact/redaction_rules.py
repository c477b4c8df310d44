"""The rule for opaque tokens, the order of all rules, and how what they find is replaced. Pure.

Opaque tokens are strings that nobody made up, wherever they stand: the widest rule, free of any shape. What is
disguised is read as it is meant.
"""

from __future__ import annotations

import html
import itertools
import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from memsuggest.core.redact import benign, credentials, known_formats
from memsuggest.core.redact.credentials import looks_secret
from memsuggest.core.redact.known_formats import DUMMY_TAIL, text_of_base64
from memsuggest.core.redact.scan import MARK, Finding, Redacted, TextViews, merged_findings, views_of
from memsuggest.core.redact.wordlike import strangeness, strangest_stretch
from memsuggest.core.text.words import word_set

PREFIXES = (
    r"gh[pousr]_|github_pat_|gl(?:pat|cbt|dt|ffct|ft|imt|ptt|rt|soat|agent|oas)-|GR1348941|"
    r"xox[abeoprs]-|xoxe\.xox[bp]-|xapp-|sk-(?:ant-|proj-|svcacct-|or-v1-|lf-)?|pplx-|gsk_|xai-|r8_|hf_|api_org_|nvapi-|"
    r"AKIA|ASIA|ABIA|ACCA|LTAI|AKID|AIza|ya29\.|GOCSPX-|ABSK|bedrock-api-key-|SG\.|key-|re_|"
    r"(?:sk|pk|rk)_(?:live|test|prod)_|whsec_|shp(?:at|ca|pa|ss|tka)_|sq0(?:atp|csp|idp)-|EAAA|access_token\$|"
    r"npm_|pypi-|rubygems_|CLOJARS_|oy2|dckr_pat_|cargo_|"
    r"hv[sbr]\.|s\.(?=[A-Za-z0-9]{24}\b)|tskey-|AGE-SECRET-KEY-1|ops_ey|A3-|dop_v1_|do[or]_v1_|dapi|"
    r"ATATT3|ATCTT3|ATBB|lin_(?:api|oauth)_|ntn_|secret_|figd_|figo_|PMAK-|NRAK-|NRII-|NRJS-|nfp_|"
    r"gl(?:c|sa)_|sntry[su]_|sbp_|sb_(?:secret|publishable)_|pscale_(?:tkn|pw|oauth)_|pul-|pnu_|rdme_|tfp_|ico-|"
    r"duffel_(?:live|test)_|shippo_(?:live|test)_|FLW(?:PUB|SEC)K(?:_TEST)?-|EZ[AT]K|lob_|"
    r"(?:live|test)_(?:pub_)?(?=[0-9a-f]{31})|sgp_|sm_(?:aat|pat|sat)_|HRKU-|AKCp|cmVmd|t1\.|AQVN|YC[A-Z]|dt0[a-z][0-9]{2}\.|dp\.[a-z]{2,5}\.|pat[A-Za-z0-9]{14}\.|"
    r"sl\.[A-Z]|xkeys(?:ib|s)-|dnkey-|FlyV1|fo1_|apify_api_|cio_|phc_|phx_|pk\.eyJ|sk\.eyJ|plaid-|4b1d|00_"
)
_PREFIXED = re.compile(rf"(?<![A-Za-z0-9_])(?:{PREFIXES})[A-Za-z0-9_\-./+=%~]{{8,2048}}")
_WITHOUT_DIGITS = 9.0  # nats that a token of letters alone needs


def issued_token(run: str) -> tuple[int, int] | None:
    """Find a token in a run of characters by the prefix its issuer gave it, unless the rest is a filler or words."""
    match = _PREFIXED.search(run)
    if match is None or DUMMY_TAIL.search(match.group()):
        return None
    token = match.group()
    is_word = not any(map(str.isdigit, token[3:])) and strangest_stretch(token)[0] < _WITHOUT_DIGITS
    return None if is_word else match.span()


_LONG = re.compile(rb"aaaaaaaaaaaaa*+")  # runs of twelve and more
_MANY_LETTERS = b"a" * 14  # in `TextViews.pieces`
_PIECE = re.compile(r"[A-Za-z0-9]+")
_PART = re.compile(r"[A-Za-z0-9_\-+=~%]")

CERTAIN = 9.0  # nats: reached by 1 in 5,000 lines of real customization files and by nearly all drawn tokens
_CERTAIN_LETTERS = 13.0  # nats: the same without a digit in it
_LONG_NUMBER = 24  # digits: longer than any count, time or identifier that people write down
_ONE_STRANGE = 5.0  # nats that one piece of a short token must have: names of versions have many little strange ones
_CONTEXT = 60  # characters before that tell what a token is
_REMEMBERED = 120  # characters of a run that is judged once; paths and names come again


def opaque_tokens(views: TextViews) -> Iterator[Finding]:
    """Find strings that look drawn at random, except those that only name a thing."""
    text = views.text
    for place in _LONG.finditer(views.runs):
        at, end = place.span()
        run = text[at:end]
        found: tuple[int, int] | None = None
        if views.pieces.find(b"0", at, end) < 0 and views.pieces.find(_MANY_LETTERS, at, end) < 0:
            found = None if run.islower() else issued_token(run)
        else:
            drawn, issued, may_be_given = (_seen if end - at <= _REMEMBERED else _seen.__wrapped__)(run)
            found = (drawn and _opening(text, run, at, *drawn)) or issued
            found = found or (_given_token(text, run, at) if may_be_given else None)
        if found:
            yield Finding("token", at + found[0], at + found[1])


@lru_cache(maxsize=16384)
def _seen(run: str) -> tuple[tuple[int, int] | None, tuple[int, int] | None, bool]:
    """Judge a run wherever it stands: the stretch that was drawn, the issued token, whether it may be a credential."""
    score, start, end = strangest_stretch(run)
    drawn, stretch = None, run[start:end]
    if score >= CERTAIN and not benign.is_repetitive(stretch):
        digits, letters = sum(map(str.isdigit, stretch)), sum(map(str.isalpha, stretch))
        if digits < 2 or letters < 2:  # random strings have digits among letters, or both cases at length
            is_drawn = letters >= 14 and score >= _CERTAIN_LETTERS
        else:
            is_strange = digits + letters >= 12 and max(map(strangeness, _PIECE.findall(stretch))) >= _ONE_STRANGE
            is_drawn = digits + letters >= 16 or is_strange
        drawn = (start, end) if is_drawn else None
    if drawn is None and run.isdigit() and len(run) >= _LONG_NUMBER and not benign.is_repetitive(run):
        drawn = 0, len(run)
    return drawn, issued_token(run), looks_secret(run.rstrip("."))


def _opening(text: str, run: str, at: int, start: int, end: int) -> tuple[int, int] | None:
    """Find the whole token around a drawn stretch of a run, if it opens something, without a name before its `=`."""
    if run.isdigit():
        return start, end
    before = text[max(0, at + start - _CONTEXT) : at + start].rpartition("\n")[2]
    after = text[at + end : at + end + 8]
    if benign.is_identifier(run, start, end, before=before, after=after) or _is_encoded_words(run[start:end]):
        return None
    while start > 0 and _PART.match(run[start - 1]):
        start -= 1
    name = _ASSIGNED_TO.match(run, start, end)
    while end < len(run) and _PART.match(run[end]):
        end += 1
    if name and strangeness(name.group(1).replace("_", "")) <= _NAME_LIKE:
        start = name.end()
    return None if benign.is_dummy(run[start:end]) else (start, end)


_NAME_LIKE = 5.0  # nats: short names such as `pwd` are a little strange
_ASSIGNED_TO = re.compile(r"([A-Za-z_]{1,40})=")
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
_LOGIN = re.compile(r"\b(?:log|login|user|username|account|admin|demo|root|key|credentials?|name)\b")


def _given_token(text: str, run: str, at: int) -> tuple[int, int] | None:
    """Find a token that is handed over without a name (`use … to deploy`), or before its name (`… is the key`)."""
    value = run.rstrip(".")
    last_word = _LAST_WORD.search(text, max(0, at - 32), at)
    handing = last_word.group(1).lower() if last_word else ""
    before = text[max(0, at - _CONTEXT) : at].rpartition("\n")[2].lower()
    if handing not in _HANDING_OVER and not _NAMED_AFTER.match(text, at + len(value)):
        return None
    if (handing == "and" and not _LOGIN.search(before)) or benign.is_commit(value, before):
        return None  # two of whatever stands before; a commit
    return (0, len(value)) if looks_secret(value, before) else None


_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9 ,._/\-]*\s*")


def _is_encoded_words(stretch: str) -> bool:
    """Tell whether a stretch of Base64 stands for words, and nothing else."""
    text = text_of_base64(stretch, "ascii") if 8 <= len(stretch) <= 4096 else ""
    return _WORDS.fullmatch(text) is not None and not any(opaque_tokens(views_of(text)))


_BREAK = re.compile(
    rb"\n(?<=[A-Za-z0-9\\\r=+/\-_]\n)[ \t>*|#+\-]{0,16}"
    rb"([A-Za-z0-9]{3,200}+)([+/=_.\-][A-Za-z0-9+/=_.\-]{0,200})?(?=\s|\Z|[\"'`,;)])"
)
_LAST_PIECE = re.compile(r"[A-Za-z0-9]{3,}[=+/_\-]{0,2}\Z")
_JOINED = 12.0  # nats: what two halves of a token have together
_HALF = 3.0  # nats: what the pieces beside the cut have each


def wrapped_tokens(views: TextViews) -> Iterator[Finding]:
    """Find tokens that the end of a line cuts in two."""
    text = views.text
    for after in _BREAK.finditer(views.plain):
        if strangeness(after[1].decode()) < _HALF:
            continue
        at, end = after.start(), after.end()
        line = max(text.rfind("\n", 0, at) + 1, at - 100)
        last = text[line:at].rstrip(" \t\r\\").rpartition(" ")[2]
        whole, left = last + text[after.start(1) : end], _LAST_PIECE.search(last)
        if left is None or len(whole) < 16 or not any(map(str.isdigit, whole)):
            continue
        if strangeness(left.group().rstrip("=+/_-")) >= _HALF and strangest_stretch(whole)[0] >= _JOINED:
            yield Finding("token", text.rfind(last, line, at), end)


_INNER_SYMBOL = re.compile(rb"!(?<=[0Aa]!)(?=[0Aa])")
_PASSWORD = re.compile(r"[A-Za-z0-9@$!#%^&*?~_\-]{8,64}")
_IN_PASSWORD = string.ascii_letters + string.digits + "@$!#%^&*?~_-"
_NUMBERED = re.compile(r"[@#^]v?[0-9][0-9.\-]*$|#L[0-9]|%[0-9A-Fa-f]{2}|^@|[$&][A-Za-z_]+$")
_DIGIT_FOR_LETTER = re.compile(r"[A-Za-z][0-9](?=[A-Za-z])")
_DISTORTED = 3.0  # nats for a digit that stands for a letter
_STRANGE = 5.0  # nats that the parts of a password have together


def mixed_passwords(views: TextViews) -> Iterator[Finding]:
    """Find words of lower and upper case, digits and inner symbols: nobody writes those but as a password."""
    text = views.text
    for symbol in _INNER_SYMBOL.finditer(views.forms):
        at = symbol.start()
        first = max(0, at - 64)
        word = _PASSWORD.match(text, first + len(text[first:at].rstrip(_IN_PASSWORD)))
        if word is None or text[word.start() - 1 : word.start()] in ("[", "/", "."):
            continue
        is_query = "?" in word.group() and text[word.end() : word.end() + 1] == "="
        password = word.group().rstrip("*?")
        has_all = all(any(map(is_of, password)) for is_of in (str.islower, str.isupper, str.isdigit))
        if is_query or password[0] == "?" or not has_all or password.replace("_", "").replace("-", "").isalnum():
            continue
        strange = sum(max(0.0, strangeness(piece)) for piece in _PIECE.findall(password))
        strange += _DISTORTED * len(_DIGIT_FOR_LETTER.findall(password))
        if strange >= _STRANGE and _NUMBERED.search(password) is None:
            yield Finding("password", word.start(), word.start() + len(password))


RULES: tuple[tuple[Callable[[TextViews], Iterator[Finding]], tuple[str, ...]], ...] = (
    (known_formats.private_keys, ("-----BEGIN", "PuTTY-User-Key")),
    (known_formats.url_credentials, ("://",)),
    (credentials.named_values, ()),
    (known_formats.command_credentials, (" -", "-user")),
    (opaque_tokens, ()),
    (mixed_passwords, ()),
    (credentials.words_as_passwords, ()),
    (wrapped_tokens, ("\n",)),
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
