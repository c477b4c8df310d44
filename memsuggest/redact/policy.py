"""The order of the rules, and how what they find is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.redact import credentials, personal, tokens, vendors
from memsuggest.redact.found import Found, Redacted, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FINDERS: tuple[Callable[[str], Iterator[Found]], ...] = (
    vendors.private_keys,
    credentials.url_credentials,
    credentials.named_values,
    credentials.command_credentials,
    tokens.opaque_tokens,
    tokens.mixed_passwords,
    vendors.web_tokens,
    vendors.webhooks,
    personal.signed_addresses,
    personal.mail_addresses,
    personal.home_folders,
    personal.bank_accounts,
    personal.cards_and_phones,
)
"""Every rule. Shape-free ones come before those that know issuers."""

MARK = "[REDACTED:"


def redact(text: str) -> Redacted:
    """Replace each secret and personal detail by `[REDACTED:<kind>]` (a home folder by `~`)."""
    found = tuple(merged(one for find in FINDERS for one in find(text)))
    if not found:
        return Redacted(text=text, found=())
    return Redacted(text=_replaced(text, found), found=found)


def _replaced(text: str, found: tuple[Found, ...]) -> str:
    pieces: list[str] = []
    at = 0
    for one in found:
        pieces += (text[at : one.start], "~" if one.kind == "home" else f"{MARK}{one.kind}]")
        at = one.end
    pieces.append(text[at:])
    return "".join(pieces)
