"""The order of the rules, and how what they find is replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.redact import (
    credential_commands,
    credentials,
    disguises,
    issuer_patterns,
    opaque_tokens,
    passwords,
    personal,
)
from memsuggest.redact.finding import MARK, Finding, Redacted, merged_findings
from memsuggest.redact.scan import Sight, sight_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class RedactionRule(NamedTuple):
    """A rule for one sort of secret, and what a text must hold at least for it to be worth looking."""

    find: Callable[[Sight], Iterator[Finding]]
    needs: tuple[str, ...] = ()
    """Any of these; nothing given: always look."""


RULES: tuple[RedactionRule, ...] = (
    RedactionRule(issuer_patterns.private_keys, ("-----BEGIN", "PuTTY-User-Key")),
    RedactionRule(credential_commands.url_credentials, ("://",)),
    RedactionRule(credentials.named_values),
    RedactionRule(credential_commands.command_credentials, (" -", "-user")),
    RedactionRule(credential_commands.client_passwords, (" -",)),
    RedactionRule(opaque_tokens.opaque_tokens),
    RedactionRule(opaque_tokens.mixed_passwords),
    RedactionRule(passwords.words_as_passwords),
    RedactionRule(disguises.wrapped_tokens, ("\n",)),
    RedactionRule(issuer_patterns.web_tokens, ("eyJ",)),
    RedactionRule(issuer_patterns.basic_credentials, ("asic ", "ASIC ")),
    RedactionRule(issuer_patterns.webhooks, (".com", ".org/bot", ".cn/", "/webhook/")),
    RedactionRule(personal.signed_addresses, ("?", "&")),
    RedactionRule(personal.mail_addresses, ("@",)),
    RedactionRule(personal.home_folders, ("/home/", "Users", "Documents and Settings")),
    RedactionRule(personal.bank_accounts),
    RedactionRule(personal.cards_and_phones),
)
"""Every rule. Shape-free ones come before those that know issuers."""


def redact(text: str) -> Redacted:
    """Replace each secret and personal detail by `[REDACTED:<kind>]` (a home folder by `~`)."""
    sight = sight_of(text)
    seen = _found_in(sight)
    seen += disguises.found_in_disguise(sight, _found)
    found = tuple(merged_findings(seen))
    if not found:
        return Redacted(text=text, found=())
    return Redacted(text=_replaced(text, found), found=found)


def _found(text: str) -> list[Finding]:
    return _found_in(sight_of(text))


def _found_in(sight: Sight) -> list[Finding]:
    found: list[Finding] = []
    for rule in RULES:
        if not rule.needs or _has_any(sight.text, rule.needs):
            found += rule.find(sight)
    return found


def _has_any(text: str, needs: tuple[str, ...]) -> bool:
    for need in needs:  # noqa: SIM110  (twice as fast as any(); this is asked for every line of every chat)
        if need in text:
            return True
    return False


def _replaced(text: str, found: tuple[Finding, ...]) -> str:
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
