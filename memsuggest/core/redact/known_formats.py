"""Credentials with a form of their own: issuers' formats, in addresses, in commands. Pure."""

from __future__ import annotations

import base64
import re
import string
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from memsuggest.core.redact import benign
from memsuggest.core.redact.credentials import looks_given
from memsuggest.core.redact.scan import MARK, Finding, Sight, places, sight_of
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
_JWT = re.compile(r"eyJ[A-Za-z0-9_\-]{6,4096}\.[A-Za-z0-9_\-/\\+]{6,8192}(?:\.[A-Za-z0-9_\-/\\+=]{0,2048})?")
_WITHOUT_DIGITS = 9.0  # nats that a token of letters alone needs
_DUMMY_TAIL = re.compile(r"x{4,}|X{4,}|\*{3,}|\.{3,}|…|your|YOUR")


def issued_token(run: str) -> tuple[int, int] | None:
    """Find a token in a run of characters by the prefix its issuer gave it, unless the rest is a filler or words."""
    match = _PREFIXED.search(run)
    if match is None or _DUMMY_TAIL.search(match.group()):
        return None
    token = match.group()
    if not any(map(str.isdigit, token[3:])) and strangest_stretch(token)[0] < _WITHOUT_DIGITS:
        return None
    return match.start(), match.end()


def web_tokens(sight: Sight) -> Iterator[Finding]:
    """Find JSON web tokens."""
    text = sight.text
    for at in places(text, "eyJ"):
        match = _JWT.match(text, at)
        if match and not text[at - 1 : at].isalnum():
            yield Finding("jwt", match.start(), match.end())


_BASIC = re.compile(r"basic[ \t]{1,4}([A-Za-z0-9+/_\-]{4,2048}={0,2})", re.IGNORECASE)


def basic_credentials(sight: Sight) -> Iterator[Finding]:
    """Find `Basic …` with a name and a password in it, however short."""
    for at in places(sight.low, b"basic"):
        match = _BASIC.match(sight.text, at)
        if match and _is_name_and_password(match.group(1)):
            yield Finding("password", match.start(1), match.end(1))


def _is_name_and_password(encoded: str) -> bool:
    core = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        pair = base64.b64decode(core + "=" * (-len(core) % 4), validate=True).decode()
    except (ValueError, UnicodeDecodeError):
        return False
    return pair.isprintable() and ":" in pair and len(pair) > 1


_KEY_END = re.compile(r"-----END[A-Z0-9 ]{0,40}-----")
_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[23]:")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16}")
_KEY_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s\\:,\-\"']|\\[rn]){0,20000}")


def private_keys(sight: Sight) -> Iterator[Finding]:
    """Find private key blocks, also unfinished ones."""
    text = sight.text
    at = 0
    if "-----BEGIN" not in text and "PuTTY-User-Key" not in text:
        return
    while begin := _KEY_BEGIN.search(text, at):
        end = _KEY_END.search(text, begin.end())
        if end is None or end.start() - begin.end() > 40_000:
            body = _KEY_BODY.match(text, begin.end())
            at = body.end() if body else begin.end()
        else:
            at = end.end()
        if _KEY_LINE.search(text, begin.end(), at):
            yield Finding("private-key", begin.start(), at)


_WEBHOOKS = word_set(
    "hooks.slack.com/ discord.com/api/webhooks/ discordapp.com/api/webhooks/ "
    "webhook.office.com/webhookb2/ logic.azure.com hooks.zapier.com/hooks/ maker.ifttt.com/trigger/ "
    "chat.googleapis.com/v1/spaces/ api.telegram.org/bot open.feishu.cn/open-apis/bot/ "
    "oapi.dingtalk.com/robot/ /cgi-bin/webhook/"
)
_ADDRESS_BEFORE = re.compile(r"(?:https?://)?[A-Za-z0-9.\-]{0,120}\Z")
_ADDRESS = re.compile(r"[^\s\"'<>)`]{16,600}")


def webhooks(sight: Sight) -> Iterator[Finding]:
    """Find addresses that whoever knows them may post to."""
    text = sight.text
    for needle in _WEBHOOKS:
        for at in places(text, needle):
            address, before = _ADDRESS.match(text, at), _ADDRESS_BEFORE.search(text, max(0, at - 128), at)
            is_whole = address and len(address.group()) > len(needle) + 8 and not _DUMMY_TAIL.search(address.group())
            if address and before and is_whole:
                yield Finding("webhook", before.start(), address.end())


_USER_INFO = re.compile(r"([^\s/?#\"'<>@:]{0,256}):([^\s/\"'<>@]{1,256}|[^\s\"'<>@]{1,256})@(?=[^\s@])")
_ONLY_TOKEN = re.compile(r"([^\s/?#\"'<>@:]{16,256})@(?=[^\s@])")
_COMMON = word_set("password pass passwd pw pwd secret token test user username")


def url_credentials(sight: Sight) -> Iterator[Finding]:
    """Find the password, or the token, in addresses such as `postgres://name:…@host/`."""
    text = sight.text
    if "@" not in text:
        return
    for at in places(text, "://"):
        if text.startswith(MARK, at + 3):
            continue
        info = _USER_INFO.match(text, at + 3)
        if info and not _is_hidden(info.group(2)):
            named = any(map(str.isdigit, info.group(1))) and len(info.group(1)) >= 8
            yield Finding("password", info.start(1) if named else info.start(2), info.end(2))
        token = None if info else _ONLY_TOKEN.match(text, at + 3)
        if token and not _is_hidden(token.group(1)) and any(map(str.isdigit, token.group(1))):
            yield Finding("token", token.start(1), token.end(1))


def _is_hidden(value: str) -> bool:
    return value.startswith(("$", "{", "<", "%", "[")) or benign.is_mask(value) is not None


def _is_filler(value: str) -> bool:
    return value.lower() in _COMMON or value.startswith(("$", "{", "<", "%", "[")) or benign.is_dummy(value)


_PAIR = re.compile(
    r"[ =]{0,4}\\{0,3}(?P<quote>[\"']?)(?P<user>[^\s\"':<]{0,120}):(?P<value>[^\s\"'>]{3,200}|(?=[\"']))"
)
_CLIENT_BEFORE = re.compile(
    r"\b(?:mysql[a-z]*|mariadb[a-z-]*|sshpass|mongo[a-z]*|redis-cli|sqlcmd|docker login|7z|zip|unzip)\b[^\n|;]{0,120}\Z"
)
_ATTACHED = re.compile(r"[ =]{0,2}[\"']?([^\s\"'$<{-][^\s\"']{3,120})")


def command_credentials(sight: Sight) -> Iterator[Finding]:
    """Find `name:password` given to commands such as curl."""
    text = sight.text
    for option in (b" -u", b"-user"):
        for at in places(sight.low, option):
            if pair := _PAIR.match(text, at + len(option)):
                group = "value" if pair["value"] else "user"
                if is_secret_argument(pair[group], user=pair["user"]):
                    yield Finding("password", *pair.span(group))


def client_passwords(sight: Sight) -> Iterator[Finding]:
    """Find passwords given to database clients and archivers (`mysql -u root -p…`)."""
    text = sight.text
    for option in (b" -p", b" -a"):
        for at in places(sight.low, option):
            value = _ATTACHED.match(text, at + len(option))
            if value is None or _CLIENT_BEFORE.search(text, max(0, at - 140), at) is None:
                continue
            if not value.group(1).isdigit() and is_secret_argument(value.group(1)):
                yield Finding("password", value.start(1), value.end(1))


def is_secret_argument(value: str, user: str = "") -> bool:
    """Tell whether an argument of a command is a password, and no filler, variable or the user's own name."""
    if len(value) < 4 or value == user or value in user:
        return value == user and len(value) > 8 and any(map(str.isdigit, value))
    return not (_is_filler(value) or benign.is_reference(value))


# Opaque tokens: strings nobody made up, wherever they stand. The first and widest rule, free of any vendor's shape

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
        drawn = digits + letters
        return drawn >= 16 or (drawn >= 12 and max(map(strangeness, _PIECE.findall(stretch))) >= _ONE_STRANGE)
    return letters >= 14 and score >= _CERTAIN_LETTERS


def is_identifier(run: str, start: int, end: int, *, before: str, after: str) -> bool:
    """Tell if a stretch of a run names a commit, a digest, a version, a file or another thing, and opens nothing."""
    stretch, line = run[start:end], before[: max(0, len(before) - start)]
    uuid = benign.holds_uuid(run, start, end)
    return bool(
        (uuid is not None and not benign.names_a_right(run[:uuid]))
        or all(len(piece) < _SHORT_HEX and benign.is_hex(piece) for piece in re.split(r"[./]+", stretch))
        or any(is_benign(run) for is_benign in _BENIGN_RUNS)
        or benign.is_ulid(stretch)
        or benign.is_commit(stretch, before)
        or benign.is_linked_commit(stretch, before, after)
        or benign.is_checksum_line(stretch, before, after)
        or benign.is_digest(stretch, before)
        or benign.is_digest(stretch, line)
        or benign.is_named_id(before)
        or benign.is_public(line)
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
