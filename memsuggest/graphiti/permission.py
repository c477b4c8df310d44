"""The permission to send to a Graphiti server, the only connection to one, and the groups of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from memsuggest.core.config import SWITCHES
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, ConsentError, MemsuggestError
from memsuggest.core.git import git_text
from memsuggest.core.workspace import is_ci
from memsuggest.facts.known_places import this_place
from memsuggest.graphiti import profile_tables
from memsuggest.graphiti.client import GraphitiClient
from memsuggest.graphiti.masking import Mask
from memsuggest.graphiti.outbox import Outbox
from memsuggest.graphiti.profile_tables import Groups
from memsuggest.judging.asking.consent_store import Consents, is_own_folder
from memsuggest.judging.asking.endpoint import endpoint_of

KEY = "MEMSUGGEST_GRAPHITI_KEY"
TERMS = 1  # which words were agreed to; grows when more than they name is sent


def endpoint(context: Context) -> str:
    """Return the server's address in the one form that consent is bound to; empty without one. Raises ConfigError."""
    setting = context.settings.text("graphiti.endpoint")
    return as_endpoint(setting, source="`graphiti.endpoint`") if setting else ""


def endpoint_if_valid(context: Context) -> str:
    """Return the address; one that is no address counts as none."""
    with suppress(ConfigError):
        return endpoint(context)
    return ""


def as_endpoint(text: str, *, source: str = "the endpoint") -> str:
    """Return an address in the form for consent; raises ConfigError for what may get neither key nor words."""
    try:
        return endpoint_of(text, source=source)
    except ConfigError as error:
        hint = "use a URL like `https://graphiti.example.com`, or `http://127.0.0.1:8000` for this machine"
        raise ConfigError(error.message, hint=hint) from None


def receiver(address: str) -> str:
    """Return what consent for a server is written down as.

    >>> receiver("http://127.0.0.1:8000")
    'graphiti at http://127.0.0.1:8000'
    """
    return f"graphiti at {address}"


def is_on(context: Context, switch: str) -> bool:
    """Tell whether a switch is on; that alone permits nothing."""
    return context.settings.values[f"graphiti.{switch}"].value is True


def switched_on(context: Context) -> tuple[str, ...]:
    return tuple(name for name in SWITCHES if is_on(context, name))


def require(context: Context, switch: str | None = None) -> str:
    """Return the address to which something may be sent; ConsentError where nothing may.

    Without a switch, for what a person asks for by name: any that is on will do.
    """
    on = switched_on(context)
    ask = f"run `memsuggest graphiti on{f' --{switch}' if switch else ''}` to see what would be sent and give consent"
    if not on or (switch is not None and switch not in on):
        why, hint = f"`graphiti.{switch}` is off" if on else "Graphiti is off in this workspace", ask
    elif not (address := endpoint(context)):
        why, hint = "no Graphiti server is configured", "run `memsuggest graphiti on --endpoint URL`"
    elif context.is_offline:
        why, hint = "sending is not allowed with `--offline`", "run the command without `--offline`"
    elif not is_own_folder(context.root):
        why, hint = f"`{context.root}` belongs to another user", "use your own clone"
    elif is_ci(context.machine.environ):
        why, hint = "consent cannot be requested in CI", "run the command on your own machine"
    elif has_consent(context, address):
        return address
    else:
        hint = "run `memsuggest graphiti on` to see what would be sent and give consent"
        raise ConsentError(f"you have not agreed to send this workspace's chats to {address}", hint=hint)
    raise ConsentError(f"nothing was sent: {why}", hint=hint)


def has_consent(context: Context, address: str) -> bool:
    """Tell whether this person agreed that this workspace's words go to a server."""
    consents = Consents(context.folders.config)
    return consents.has(workspace=context.place.key, endpoint=receiver(address), terms=TERMS)


def why_not(context: Context, switch: str | None = None) -> str:
    """Say in one line why nothing is sent; empty where something may be."""
    try:
        require(context, switch)
        find_key(context)
    except MemsuggestError as error:
        return error.message
    return ""


def is_permitted(context: Context, switch: str) -> bool:
    return is_on(context, switch) and not why_not(context, switch)


def find_key(context: Context) -> str | None:
    """Return the key for the server that the environment holds; raises ConfigError for one that no header takes."""
    key = context.machine.environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            f"{KEY} contains characters that are not allowed in a header",
            hint="set the variable to the key only, on one line",
        )
    return key or None


@contextmanager
def connected(context: Context, switch: str | None = None) -> Iterator[GraphitiClient]:
    """Give a client of the server; ConsentError where nothing may be sent. Nothing is sent by opening it."""
    address = require(context, switch)
    key = find_key(context)
    with GraphitiClient(address, key=key, key_header=context.settings.text("graphiti.keyHeader")) as client:
        yield client


_ACCOUNTS = ("USER", "LOGNAME", "USERNAME")


def groups_of(context: Context) -> Groups:
    """Return the groups of this workspace: all clones of a repository share one, and all workspaces of a person."""
    connection = context.profile.entries.connection
    found = profile_tables.known_groups(connection, context.place.key)
    if found:
        return found
    repository = this_place(context).repository
    address = git_text(context.root, "config", "--get", "user.email")
    person = address.strip().lower()
    return profile_tables.note_groups(connection, context.place.key, repository=repository, person=person)


def mask_of(context: Context) -> Mask:
    """Return what of this machine must not leave."""
    environ, home = context.machine.environ, context.folders.home
    return Mask(
        root=str(context.root),
        home=str(home),
        accounts=(*(environ[name] for name in _ACCOUNTS if environ.get(name)), home.name),
        limit=int(context.settings.number("graphiti.maxMessageChars")),
    )


def outbox_at(context: Context, address: str) -> Outbox:
    return Outbox(context.state, endpoint=address)
