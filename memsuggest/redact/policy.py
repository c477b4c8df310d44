"""The order of the rules, and how what they find is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.redact import commands, credentials, passwords, personal, tokens, vendors, views
from memsuggest.redact.found import MARK, Found, Redacted, merged
from memsuggest.redact.scan import Sight, sight_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Rule(NamedTuple):
    """How to find one sort of secret, and what a text must hold at least for it to be worth looking."""

    find: Callable[[Sight], Iterator[Found]]
    needs: tuple[str, ...] = ()
    """Any of these; nothing given: always look."""


RULES: tuple[Rule, ...] = (
    Rule(vendors.private_keys, ("-----BEGIN", "PuTTY-User-Key")),
    Rule(commands.url_credentials, ("://",)),
    Rule(credentials.named_values),
    Rule(commands.command_credentials, (" -", "-user")),
    Rule(commands.client_passwords, (" -",)),
    Rule(tokens.opaque_tokens),
    Rule(tokens.mixed_passwords),
    Rule(passwords.words_as_passwords),
    Rule(views.wrapped_tokens, ("\n",)),
    Rule(vendors.web_tokens, ("eyJ",)),
    Rule(vendors.basic_credentials, ("asic ", "ASIC ")),
    Rule(vendors.webhooks, (".com", ".org/bot", ".cn/", "/webhook/")),
    Rule(personal.signed_addresses, ("?", "&")),
    Rule(personal.mail_addresses, ("@",)),
    Rule(personal.home_folders, ("/home/", "Users", "Documents and Settings")),
    Rule(personal.bank_accounts),
    Rule(personal.cards_and_phones),
)
"""Every rule. Shape-free ones come before those that know issuers."""


def redact(text: str) -> Redacted:
    """Replace each secret and personal detail by `[REDACTED:<kind>]` (a home folder by `~`)."""
    sight = sight_of(text)
    seen = _found_in(sight)
    seen += views.found_in_disguise(sight, _found)
    found = tuple(merged(seen))
    if not found:
        return Redacted(text=text, found=())
    return Redacted(text=_replaced(text, found), found=found)


def _found(text: str) -> list[Found]:
    return _found_in(sight_of(text))


def _found_in(sight: Sight) -> list[Found]:
    found: list[Found] = []
    for rule in RULES:
        if not rule.needs or _has_any(sight.text, rule.needs):
            found += rule.find(sight)
    return found


def _has_any(text: str, needs: tuple[str, ...]) -> bool:
    for need in needs:  # noqa: SIM110  (twice as fast as any(); this is asked for every line of every chat)
        if need in text:
            return True
    return False


def _replaced(text: str, found: tuple[Found, ...]) -> str:
    pieces: list[str] = []
    at = 0
    for one in found:
        pieces += (
            text[at : one.start],
            "~" if one.kind == "home" else f"{MARK}{one.kind}]",
        )
        at = one.end
    pieces.append(text[at:])
    return "".join(pieces)
