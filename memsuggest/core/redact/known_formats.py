"""Credentials with a form of their own: issuers' formats, in addresses, in commands. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memsuggest.core.redact import benign
from memsuggest.core.redact.scan import MARK, Finding, places, words
from memsuggest.core.redact.wordlike import strangest_stretch

if TYPE_CHECKING:
    from memsuggest.core.redact.scan import Sight

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


_WEBHOOKS = words(
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
            address, before = (
                _ADDRESS.match(text, at),
                _ADDRESS_BEFORE.search(text, max(0, at - 128), at),
            )
            if (
                address
                and before
                and len(address.group()) > len(needle) + 8
                and not _DUMMY_TAIL.search(address.group())
            ):
                yield Finding("webhook", before.start(), address.end())


_USER_INFO = re.compile(r"([^\s/?#\"'<>@:]{0,256}):([^\s/\"'<>@]{1,256}|[^\s\"'<>@]{1,256})@(?=[^\s@])")
_ONLY_TOKEN = re.compile(r"([^\s/?#\"'<>@:]{16,256})@(?=[^\s@])")
_COMMON = frozenset(
    [
        "password",
        "pass",
        "passwd",
        "pw",
        "pwd",
        "secret",
        "token",
        "test",
        "user",
        "username",
    ]
)


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
    return value.startswith(("$", "{", "<", "%", "[")) or benign.is_mask(value)


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
            pair = _PAIR.match(text, at + len(option))
            if pair:
                group = "value" if pair.group("value") else "user"
                if is_secret_argument(pair.group(group), user=pair.group("user")):
                    yield Finding("password", pair.start(group), pair.end(group))


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
