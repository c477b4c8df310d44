"""Giving consent, taking it back, looking at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import ConsentError
from memsuggest.haiku import chat
from memsuggest.haiku.consent import WHAT_IS_SENT, Grant, is_own_folder
from memsuggest.haiku.endpoint import find_key
from memsuggest.haiku.ledger import dollars, is_price_known
from memsuggest.reports.models import ConsentShown
from memsuggest.workflows.model import consents_of, endpoint_of, micros_of

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def words_about(desk: Desk, endpoint: str) -> list[str]:
    """Return what a person is told before they agree, a line each."""
    if endpoint == chat.NAME:
        return _words_about_chat(desk)
    model = desk.settings.text("model")
    budget = ", ".join(
        f"{dollars(micros_of(desk, f'budgetPer{name}'))} a {name.lower()}" for name in ("Run", "Day", "Month")
    )
    price = "" if is_price_known(model) else " (its price is not known: counted as the dearest there is)"
    return [
        f"memsuggest would ask the model {model} at {endpoint}",
        f"about the workspace {desk.root}; at most {budget}{price}.",
        "What is sent:",
        *(f"  - {what}" for what in WHAT_IS_SENT),
        "Nothing else. `memsuggest reconcile --dry-run --engine haiku` prints it word for word.",
    ]


def _words_about_chat(desk: Desk) -> list[str]:
    return [
        "Whichever assistant you talk to in this workspace could ask memsuggest for packets (`memsuggest ask`)",
        f"about the workspace {desk.root}, and its vendor sees what it is told: also from chats with other assistants.",
        "What is in a packet:",
        *(f"  - {what}" for what in WHAT_IS_SENT),
        "Nothing else. `memsuggest reconcile --dry-run --engine haiku` prints nearly the same, word for word.",
    ]


def show_consent(desk: Desk, endpoint: str | None = None) -> ConsentShown:
    """Return what was agreed to, and how things stand for this workspace; without an endpoint, for the usual one."""
    endpoint = endpoint or endpoint_of(desk)
    consents = consents_of(desk)
    return ConsentShown(
        root=str(desk.root),
        endpoint=endpoint,
        is_granted=consents.has(workspace=desk.place.key, endpoint=endpoint),
        has_key=endpoint == chat.NAME or find_key(desk.machine.environ) is not None,
        words=tuple(words_about(desk, endpoint)),
        grants=consents.grants(),
        path=str(consents.path),
    )


def grant_consent(desk: Desk, endpoint: str | None = None) -> ConsentShown:
    """Record that this workspace's words may go to an endpoint; raises ConsentError for somebody else's folder."""
    endpoint = endpoint or endpoint_of(desk)
    if not is_own_folder(desk.root):
        raise ConsentError(f"`{desk.root}` belongs to another user", hint="work in a clone of your own")
    given = Grant(workspace=desk.place.key, root=str(desk.root), endpoint=endpoint, at=desk.now())
    consents_of(desk).grant(given)
    return show_consent(desk, endpoint)


def revoke_consent(desk: Desk, *, endpoint: str | None) -> ConsentShown:
    """Take back what was agreed to for this workspace, for one endpoint or all."""
    consents_of(desk).revoke(workspace=desk.place.key, endpoint=endpoint)
    return show_consent(desk)
