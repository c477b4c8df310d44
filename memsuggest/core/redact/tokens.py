"""Opaque tokens: strings that nobody made up, wherever they stand; the widest rule, free of any shape. Pure."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import lru_cache

from memsuggest.core.redact import benign
from memsuggest.core.redact.credentials import looks_given
from memsuggest.core.redact.known_formats import DUMMY_TAIL, text_of_base64
from memsuggest.core.redact.scan import Finding, TextViews, views_of
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
    return drawn, issued_token(run), looks_given(run.rstrip("."))


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
    return (0, len(value)) if looks_given(value, before) else None


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
