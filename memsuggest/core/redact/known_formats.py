"""Credentials and personal data with a form of their own: keys, addresses, arguments, numbers. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from memsuggest.core.redact import benign
from memsuggest.core.redact.scan import MARK, Finding, TextViews, places
from memsuggest.core.text.words import word_set

_KEY_END = re.compile(r"-----END[A-Z0-9 ]{0,40}-----")
_KEY_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[23]:")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16}")
_KEY_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s\\:,\-\"']|\\[rn]){0,20000}")


def private_keys(views: TextViews) -> Iterator[Finding]:
    text, at = views.text, 0
    while begin := _KEY_BEGIN.search(text, at):
        end = _KEY_END.search(text, begin.end())
        if end is None or end.start() - begin.end() > 40_000:
            end = _KEY_BODY.match(text, begin.end())
        at = end.end() if end else begin.end()
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
DUMMY_TAIL = re.compile(r"x{4,}|X{4,}|\*{3,}|\.{3,}|…|your|YOUR")


def webhooks(views: TextViews) -> Iterator[Finding]:
    """Find addresses that whoever knows them may post to."""
    text = views.text
    for needle in _WEBHOOKS:
        for at in places(text, needle):
            address, before = _ADDRESS.match(text, at), _ADDRESS_BEFORE.search(text, max(0, at - 128), at)
            is_whole = address and len(address.group()) > len(needle) + 8 and not DUMMY_TAIL.search(address.group())
            if address and before and is_whole:
                yield Finding("webhook", before.start(), address.end())


_USER_INFO = re.compile(r"([^\s/?#\"'<>@:]{0,256}):([^\s/\"'<>@]{1,256}|[^\s\"'<>@]{1,256})@(?=[^\s@])")
_ONLY_TOKEN = re.compile(r"([^\s/?#\"'<>@:]{16,256})@(?=[^\s@])")
_VARIABLE = ("$", "{", "<", "%", "[")


def url_credentials(views: TextViews) -> Iterator[Finding]:
    """Find the password, or the token, in addresses such as `postgres://name:…@host/`."""
    text = views.text
    for at in places(text, "://") if "@" in text else ():
        if text.startswith(MARK, at + 3):
            continue
        info = _USER_INFO.match(text, at + 3)
        if info and not _is_left_open(info.group(2)):
            is_named = any(map(str.isdigit, info.group(1))) and len(info.group(1)) >= 8
            yield Finding("password", info.start(1 if is_named else 2), info.end(2))
        token = None if info else _ONLY_TOKEN.match(text, at + 3)
        if token and not _is_left_open(token.group(1)) and any(map(str.isdigit, token.group(1))):
            yield Finding("token", *token.span(1))


def _is_left_open(value: str) -> bool:
    return value.startswith(_VARIABLE) or benign.is_mask(value) is not None


_PAIR = re.compile(
    r"[ =]{0,4}\\{0,3}(?P<quote>[\"']?)(?P<user>[^\s\"':<]{0,120}):(?P<value>[^\s\"'>]{3,200}|(?=[\"']))"
)
_CLIENT_BEFORE = re.compile(
    r"\b(?:mysql[a-z]*|mariadb[a-z-]*|sshpass|mongo[a-z]*|redis-cli|sqlcmd|docker login|7z|zip|unzip)\b[^\n|;]{0,120}\Z"
)
_ATTACHED = re.compile(r"[ =]{0,2}[\"']?([^\s\"'$<{-][^\s\"']{3,120})")
_COMMON = word_set("password pass passwd pw pwd secret token test user username")


def command_credentials(views: TextViews) -> Iterator[Finding]:
    """Find `name:password` given to commands such as curl, and `-p…` given to database clients and archivers."""
    text = views.text
    for option in (b" -u", b"-user"):
        for at in places(views.low, option):
            if pair := _PAIR.match(text, at + len(option)):
                group = "value" if pair["value"] else "user"
                if _is_secret_argument(pair[group], user=pair["user"]):
                    yield Finding("password", *pair.span(group))
    for option in (b" -p", b" -a"):
        for at in places(views.low, option):
            value = _ATTACHED.match(text, at + len(option))
            if value is None or value.group(1).isdigit() or not _is_secret_argument(value.group(1)):
                continue
            if _CLIENT_BEFORE.search(text, max(0, at - 140), at):
                yield Finding("password", *value.span(1))


def _is_secret_argument(value: str, user: str = "") -> bool:
    """Tell whether an argument of a command is a password, and no filler, variable or the user's own name."""
    if len(value) < 4 or value == user or value in user:
        return value == user and len(value) > 8 and any(map(str.isdigit, value))
    is_filler = value.lower() in _COMMON or value.startswith(_VARIABLE) or benign.is_dummy(value)
    return not (is_filler or benign.is_reference(value))


_LOCAL = re.compile(r"[A-Za-z0-9._%+\-À-ɏ]{1,64}$")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9À-ɏ](?:[A-Za-z0-9\-À-ɏ]{0,62})\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9\-])")
_FILE_DOMAIN = re.compile(  # a file, or a version
    r"^[0-9]{1,3}\.[0-9]{1,3}\."
    r"|\.(?:png|jpe?g|gif|svg|webp|js|ts|tsx|jsx|mjs|css|scss|json|mdc?|ya?ml|py|rb|go|rs|java|sh|toml|lock|html?"
    r"|tgz|zip|service|swift|patch|template|tmpl|erb|xml|txt)$",
    re.IGNORECASE,
)
_USER_INFO_BEFORE = re.compile(r"://[^\s/@]{0,200}@\Z")  # a name and password, which another rule knows
_NO_PERSON = frozenset(["git", "noreply", "no-reply", "hg", "svn"])


def mail_addresses(views: TextViews) -> Iterator[Finding]:
    """Find mail addresses; not those of version control (`git@host:path`), packages or files."""
    text = views.text
    for at in places(text, "@"):
        local, domain = _LOCAL.search(text, max(0, at - 64), at), _DOMAIN.match(text, at + 1)
        if not local or not domain or local.group().lower() in _NO_PERSON or _FILE_DOMAIN.search(domain.group()):
            continue
        if not _USER_INFO_BEFORE.search(text, max(0, at - 199), at + 1):
            yield Finding("email", local.start(), domain.end())


_USER_FOLDERS = ("/home/", "/Users/", "\\Users\\", "\\Documents and Settings\\")
_FOLDER_BEFORE = re.compile(r"(?<![\w.~\-/}])(?:/var|/export|/private|[A-Za-z]:\\{0,3})?\Z")
_USER = re.compile(r"\\?([A-Za-zÀ-ɏ0-9_][\wÀ-ɏ.\-]{0,31})(?=[/\\\s\"'`:;,)\]>]|\Z)")
_NOBODY = word_set(
    "user username runner vscode node ubuntu app root admin default public shared all me you name your- "
    "name yourname youruser coder codespace gitpod circleci jenkins travis ec2-user developer dev project "
    "projects guest www www-data linuxbrew dashboard settings profile index page about feed users api "
    "assets login page.tsx index.html src docs foo bar"
)
"""Users that are nobody, and pages of web sites below `/home`."""


def home_folders(views: TextViews) -> Iterator[Finding]:
    """Find home folders that name a person; the whole folder, for it is written `~`."""
    text = views.text
    for folder in _USER_FOLDERS:
        for at in places(text, folder):
            before, user = _FOLDER_BEFORE.search(text, max(0, at - 8), at), _USER.match(text, at + len(folder))
            if before and user and user.group(1).lower() not in _NOBODY:
                yield Finding("home", before.start(), user.end(1))


_DIGITS = re.compile(rb"0[-0]{6,}+")
_BEFORE_DIGITS = 3  # characters: a plus, a bracket
_NUMBER = re.compile(r"(?<!\w)(?<!\.)[0-9+(][0-9 +]{0,2}[0-9 ()./\-]{6,30}[0-9](?!\w)")
_CARD = re.compile(r"(?:[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{1,7}|3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4,5})")
_IBAN_BEFORE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2} ?\Z")
_ISSUERS = re.compile(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[68])|6(?:011|5|4[4-9]|2)|35")
_PHONE = re.compile(
    r"(?:\+ ?[1-9][0-9]{0,2}[ .\-]?(?:\(0?[0-9]{1,4}\)[ .\-]?)?[0-9]{1,4}(?:[ .\-/]?[0-9]{2,5}){1,4}"
    r"|(?:1[ .\-])?\([2-9][0-9]{2}\) ?[0-9]{3}[ .\-][0-9]{4}"
    r"|(?:1[ .\-])?[2-9][0-9]{2}([.\- ])[2-9][0-9]{2}\1[0-9]{4})"
)
_SAID_TO_BE_PHONE = re.compile(
    r"\b(?:phones?|tel(?:efon|ephone|éfono|efone)?|mobile?|mobil|handy|cell|whatsapp|sms|fax|call|text|ring|dial"
    r"|numéro|téléphone|número)\b[^\n0-9]{0,24}\Z",
    re.IGNORECASE,
)


def cards_and_phones(views: TextViews) -> Iterator[Finding]:
    """Find payment card numbers, and phone numbers: international, North American, or said to be one."""
    text = views.text
    for run in _DIGITS.finditer(views.forms):
        for match in _NUMBER.finditer(text, max(0, run.start() - _BEFORE_DIGITS), run.end() + 1):
            number, start = match.group(), match.start()
            if _IBAN_BEFORE.search(text, max(0, start - 6), start):
                continue  # the rest of an account's number, right or wrong
            digits = re.sub("[^0-9]", "", number)
            is_card = _CARD.fullmatch(number) and 13 <= len(digits) <= 19 and _ISSUERS.match(digits)
            doubled = (int(char) * (1 + place % 2) for place, char in enumerate(reversed(digits)))
            if is_card and sum(value - 9 * (value > 9) for value in doubled) % 10 == 0:  # a right check digit (Luhn)
                yield Finding("card", *match.span())
            elif _PHONE.fullmatch(number):
                if 8 <= len(digits) <= 15:
                    yield Finding("phone", *match.span())
            elif 7 <= len(digits) <= 15 and _SAID_TO_BE_PHONE.search(text[max(0, start - 32) : start]):
                yield Finding("phone", *match.span())


class Shape(NamedTuple):
    """A form that one pattern tells, if need be with a look at what it found (its last group, or all of it)."""

    kind: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...]
    """What a text holds at least, one of these."""
    accepts: Callable[[str], bool]

    def find(self, views: TextViews) -> Iterator[Finding]:
        """Find what the pattern tells."""
        for match in self.pattern.finditer(views.text) if self.kind != "iban" or b"AA00" in views.forms else ():
            group = match.lastindex or 0
            if self.accepts(match.group(group)):
                yield Finding(self.kind, *match.span(group))


def text_of_base64(encoded: str, encoding: str) -> str:
    """Return the text that Base64 stands for; empty where it stands for none."""
    core = encoded.rstrip("=")
    try:
        return base64.b64decode(core + "=" * (-len(core) % 4), validate=True).decode(encoding)
    except (ValueError, UnicodeDecodeError):
        return ""


def _is_name_and_password(encoded: str) -> bool:
    pair = text_of_base64(encoded.replace("-", "+").replace("_", "/"), "utf-8")
    return pair.isprintable() and ":" in pair and len(pair) > 1


def _is_iban(number: str) -> bool:
    """Tell whether the check digits of an account are right (ISO 13616)."""
    number = number.replace(" ", "")
    return 15 <= len(number) <= 34 and int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


SHAPES = (
    Shape(
        "password",
        re.compile(r"(?i:basic)[ \t]{1,4}([A-Za-z0-9+/_\-]{4,2048}={0,2})"),
        ("asic ", "ASIC "),
        _is_name_and_password,
    ),
    Shape(
        "signed-url",
        re.compile(
            r"[?&;](?:X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential)|Signature|sig"
            r"|se?c?_?token|token|access_token|id_token|refresh_token|auth|key|api_?key|apikey|code|state|hmac|password"
            r"|passwd|pwd|secret|client_secret|sv|Policy|Key-Pair-Id|hdnts|st)=([^\s&\"'<>#)\]]{6,2048})",
            re.IGNORECASE,
        ),
        ("?", "&"),
        lambda value: (
            len(value) >= 16 and any(map(str.isdigit, value)) and not value.startswith(("$", "{", "<", "%7B"))
        ),
    ),
    Shape(
        "iban",
        re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])"),
        (),
        _is_iban,
    ),
)
