"""Names, in code or in speech, that announce a credential: `dbPassword`, `STRIPE_KEY`, `das Passwort`."""

from __future__ import annotations

import re
import string
from enum import Enum
from functools import lru_cache

from memsuggest.redact.scan import word_set, words


class Announced(Enum):
    """The announcement of a credential by a name: how sure, and of what sort."""

    PASSWORD = "password"  # noqa: S105  (a kind's name)
    SECRET = "secret"  # noqa: S105
    MAYBE = "maybe"
    """Also used for harmless things: a key of a map, an author, a login page."""
    KEY = "key"
    """As uncertain, but the key of a named thing (`ACME_KEY`): a UUID there is a credential."""

    @property
    def is_uncertain(self) -> bool:
        """Tell whether harmless things go by this name too."""
        return self in (Announced.MAYBE, Announced.KEY)


NEEDLES = tuple(
    needle.encode()
    for needle in words(
        "pass pw secret token key cred auth login bearer webhook client dsn kennwort senha wachtwoord contrasena"
    )
)
FOREIGN_NEEDLES = words("contraseña Contraseña hasło Hasło пароль Пароль 密码 密碼 口令 パスワード 비밀번호")
"""What to look for first, in lower case: every name below holds one of these."""

_PASSWORDS = words("password passwd passphrase passcode passwort kennwort pwd contrasena passe senha wachtwoord")
_SECRETS = words(
    "secret secrets token apikey accesskey authkey secretkey privatekey credential credentials bearer webhook dsn "
    "authorization"
)
_MAYBE = word_set("key keys auth login pass creds cred cookie signature tokens")
_KEY_OF = word_set(
    "api access account private auth signing encryption license secret master shared storage service "
    "deploy deployment client app application server admin root ssh subscription instrumentation consumer "
    "session hmac aes webhook write ingestion"
)
_KEY_OF_DATA = word_set(
    "primary foreign partition sort cache lookup unique public row hash map dict group order index natural composite "
    "registry object event routing translation query surrogate idempotency parent child record item message entity "
    "recv send rsa dsa ecdsa eddsa pgp gpg host react business document node row user issue project space"
)
_ID_OF = frozenset(["client", "key", "token", "session", "app"])
_ABOUT = word_set(
    "url uri path file filename name type types size length count limit limits header field label "
    "placeholder regex pattern error expiry ttl expires expiration manager store provider service class "
    "budget usage endpoint scope scopes policy hash version prefix format index column table validator "
    "handler helper util dir folder page form input test tests role algorithm alg vault map set"
)
"""As the last word of a name: it tells something about the credential, not the credential."""

_PASSES = word_set(
    "first second third single multi two one render by low high band final next last forward backward compile optimizer"
)
"""Before `pass` in a name: it is a way through something."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IN_NAMES = string.ascii_letters + string.digits + "_-äöüÄÖÜßéèçãñ"
_IDENTIFIER = re.compile(r"[\w\-]*")


@lru_cache(maxsize=8192)
def announces(name: str, before: str) -> Announced | None:
    """Say what a name announces; `before` is the word before it in the text, in lower case."""
    words = [word.lower() for word in _WORDS.findall(name)]
    while words and words[-1] in (
        "value",
        "val",
        "str",
        "string",
        "env",
        "var",
        "prod",
        "dev",
        "test",
        "raw",
        "b",
    ):
        words.pop()
    if not words or words[-1] in _ABOUT:
        return None
    last, earlier = words[-1], words[-2] if len(words) > 1 else before
    if last == "id":
        return Announced.SECRET if earlier in _ID_OF else None
    return _of_last(last, earlier, is_joined=len(words) > 1)


def _of_last(last: str, earlier: str, *, is_joined: bool) -> Announced | None:
    if last == "pass" and is_joined and earlier not in _PASSES:
        return Announced.PASSWORD
    if last.endswith(_PASSWORDS) or last == "pw":
        return Announced.PASSWORD
    if last.endswith(_SECRETS):
        return Announced.SECRET
    if last in ("key", "keys") and earlier in _KEY_OF:
        return Announced.SECRET
    if last in ("key", "keys") and earlier in _KEY_OF_DATA:
        return None
    if last == "key" and is_joined:
        return Announced.KEY
    return Announced.MAYBE if last in _MAYBE else None


def name_around(text: str, at: int) -> tuple[int, int]:
    """Find where the name begins and ends that holds position `at`; at most 60 characters to either side."""
    first = max(0, at - 60)
    end = _IDENTIFIER.match(text, at, at + 60)
    return first + len(text[first:at].rstrip(_IN_NAMES)), end.end() if end else at
