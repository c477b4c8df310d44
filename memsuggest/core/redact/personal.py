"""Personal data: mail addresses, phone numbers, accounts, cards, the name in a home folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from memsuggest.core.redact.scan import Finding, Sight, places
from memsuggest.core.text.words import word_set

_LOCAL = re.compile(r"[A-Za-z0-9._%+\-À-ɏ]{1,64}$")
_DOMAIN = re.compile(r"(?:[A-Za-z0-9À-ɏ](?:[A-Za-z0-9\-À-ɏ]{0,62})\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9\-])")
_FILE_DOMAIN = re.compile(  # a file, or a version
    r"^[0-9]{1,3}\.[0-9]{1,3}\."
    r"|\.(?:png|jpe?g|gif|svg|webp|js|ts|tsx|jsx|mjs|css|scss|json|mdc?|ya?ml|py|rb|go|rs|java|sh|toml|lock|html?"
    r"|tgz|zip|service|swift|patch|template|tmpl|erb|xml|txt)$",
    re.IGNORECASE,
)
_USER_INFO_BEFORE = re.compile(r"://[^\s/@]{0,200}@\Z")
_NO_PERSON = frozenset(["git", "noreply", "no-reply", "hg", "svn"])


def mail_addresses(sight: Sight) -> Iterator[Finding]:
    """Find mail addresses; not those of version control (`git@host:path`), packages or files."""
    text = sight.text
    for at in places(text, "@"):
        local, domain = _LOCAL.search(text, max(0, at - 64), at), _DOMAIN.match(text, at + 1)
        if local and domain and _is_mail(text, local.group(), domain):
            yield Finding("email", local.start(), domain.end())


def _is_mail(text: str, local: str, domain: re.Match[str]) -> bool:
    if local.lower() in _NO_PERSON or _FILE_DOMAIN.search(domain.group()):
        return False
    if _USER_INFO_BEFORE.search(text, max(0, domain.start() - 200), domain.start()):
        return False  # the name and password in an address, which another rule knows
    after = text[domain.end() : domain.end() + 2]
    return not (after[:1] == ":" and after[1:2].strip() and not after[1:2].isdigit() and local == "git") and any(
        map(str.isalpha, domain.group())
    )


_USER_FOLDERS = ("/home/", "/Users/", "\\Users\\", "\\Documents and Settings\\")
_FOLDER_BEFORE = re.compile(r"(?:/var|/export|/private|[A-Za-z]:\\{0,3}|[A-Za-z]:)?\Z")
_USER = re.compile(r"\\?([A-Za-zÀ-ɏ0-9_][\wÀ-ɏ.\-]{0,31})(?=[/\\\s\"'`:;,)\]>]|\Z)")
_NOBODY = word_set(
    "user username runner vscode node ubuntu app root admin default public shared all me you name your- "
    "name yourname youruser coder codespace gitpod circleci jenkins travis ec2-user developer dev project "
    "projects guest www www-data linuxbrew dashboard settings profile index page about feed users api "
    "assets login page.tsx index.html src docs foo bar"
)
"""Users that are nobody, and pages of web sites below `/home`."""


def home_folders(sight: Sight) -> Iterator[Finding]:
    """Find home folders that name a person; the whole folder, for it is written `~`."""
    text = sight.text
    for folder in _USER_FOLDERS:
        for at in places(text, folder):
            before, user = _FOLDER_BEFORE.search(text, max(0, at - 8), at), _USER.match(text, at + len(folder))
            if before and user and user.group(1).lower() not in _NOBODY and _begins_path(text, before.start()):
                yield Finding("home", before.start(), user.end(1))


def _begins_path(text: str, at: int) -> bool:
    before = text[at - 1 : at] if at else ""
    return not before or not (before.isalnum() or before in "._~-/}")


_IBAN = re.compile(r"[A-Z](?<![A-Za-z0-9][A-Z])[A-Z][0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])")


def bank_accounts(sight: Sight) -> Iterator[Finding]:
    """Find IBANs whose check digits are right (ISO 13616)."""
    for at in places(sight.forms, b"AA00"):
        match = _IBAN.match(sight.text, at)
        if match and _is_iban(match.group().replace(" ", "")):
            yield Finding("iban", match.start(), match.end())


def _is_iban(number: str) -> bool:
    if not 15 <= len(number) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


_DIGITS = re.compile(rb"0[-0]{6,}+")
_BEFORE_DIGITS = 3  # characters: a plus, a bracket
_NUMBER = re.compile(r"(?<!\w)(?<!\.)[0-9+(][0-9 +]{0,2}[0-9 ()./\-]{6,30}[0-9](?!\w)")
_CARD = re.compile(r"(?:[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{1,7}|3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4,5})")
_IBAN_BEFORE = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2} ?\Z")
_ISSUERS = re.compile(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|3(?:0[0-5]|[68])|6(?:011|5|4[4-9]|2)|35")


def cards_and_phones(sight: Sight) -> Iterator[Finding]:
    """Find payment card numbers, and phone numbers: international, North American, or said to be one."""
    text = sight.text
    runs = (
        _NUMBER.finditer(text, max(0, digits.start() - _BEFORE_DIGITS), digits.end() + 1)
        for digits in _DIGITS.finditer(sight.forms)
    )
    for match in chain.from_iterable(runs):
        number, start = match.group(), match.start()
        if _IBAN_BEFORE.search(text, max(0, start - 6), start):
            continue  # the rest of an account's number, right or wrong
        if is_card(number):
            yield Finding("card", start, match.end())
        elif is_phone(number, text[max(0, start - 32) : start]):
            yield Finding("phone", start, match.end())


def is_card(number: str) -> bool:
    """Tell whether digits are those of a card: grouped as on cards, an issuer's prefix, a right check digit (Luhn)."""
    digits = re.sub(r"[ -]", "", number)
    return (
        bool(_CARD.fullmatch(number)) and 13 <= len(digits) <= 19 and bool(_ISSUERS.match(digits)) and _is_luhn(digits)
    )


def _is_luhn(digits: str) -> bool:
    total = 0
    for position, char in enumerate(reversed(digits)):
        value = int(char) * (1 + position % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


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


def is_phone(number: str, before: str) -> bool:
    """Tell whether digits are a phone number by their form, or because the words before say so."""
    digits = sum(map(str.isdigit, number))
    if _PHONE.fullmatch(number):
        return 8 <= digits <= 15
    return 7 <= digits <= 15 and _SAID_TO_BE_PHONE.search(before) is not None


_SIGNED = re.compile(
    r"[?&;](?:X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential)|Signature|sig|se?c?_?token|token|access_token|id_token|refresh_token|auth|key|api_?key|apikey|code|state|hmac|password|passwd|pwd|secret|client_secret|sv|Policy|Key-Pair-Id|hdnts|st)=([^\s&\"'<>#)\]]{6,2048})",
    re.IGNORECASE,
)


def signed_addresses(sight: Sight) -> Iterator[Finding]:
    """Find signatures and tokens in the query of an address."""
    text = sight.text
    if "=" not in text or ("?" not in text and "&" not in text):
        return
    for match in _SIGNED.finditer(text):
        value = match.group(1)
        if len(value) >= 16 and any(map(str.isdigit, value)) and not value.startswith(("$", "{", "<", "%7B")):
            yield Finding("signed-url", match.start(1), match.end(1))
