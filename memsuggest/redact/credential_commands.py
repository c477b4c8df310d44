"""Credentials in addresses (`postgres://name:…@host/`) and in commands (`curl -u name:…`, `mysql -p…`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.redact import benign
from memsuggest.redact.finding import MARK, Finding
from memsuggest.redact.scan import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.redact.scan import Sight

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
