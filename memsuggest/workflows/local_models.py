"""Finding the model server on this machine that a person means, and the model in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import ConfigError
from memsuggest.haiku.outcomes import failure
from memsuggest.minds import local

if TYPE_CHECKING:
    from memsuggest.minds.local import Server
    from memsuggest.workflows.desk import Desk


def find_local(desk: Desk, *, is_first: bool = False) -> tuple[Server, str]:
    """Return the server that is set, or else the first on a usual port, and the model; raises ModelError.

    `is_first`: nobody asked it yet, so it is looked at whether it can be asked at all. It is also where there are
    several.
    """
    named = desk.settings.text("localEndpoint")
    found = [server] if named and (server := local.look_at(named)) else [] if named else local.find_servers()
    if not found:
        ports = ", ".join(f"{port} ({name})" for port, name in local.USUAL.items())
        looked = f"nothing of the kind at {local.loopback(named)}" if named else f"looked at the ports {ports}"
        raise failure("no-local-model", looked)
    ready = [server for server in found if not server.why_not]
    if not ready:
        raise failure("no-ready-model", "; ".join(f"{server} {server.why_not}" for server in found))
    if len(ready) > 1 or is_first:
        asked = next((server for server in ready if local.has_messages(server)), None)
        if asked is None:
            raise failure("no-messages-api", ", ".join(map(str, ready)))
        return asked, _model_of(desk, asked)
    return ready[0], _model_of(desk, ready[0])


def _model_of(desk: Desk, server: Server) -> str:
    wanted = desk.settings.text("localModel")
    if wanted and not local.is_here(wanted):
        raise ConfigError(f"the model `{wanted}` does not run on this machine", hint="choose another `localModel`")
    if wanted in server.models:
        return wanted
    if wanted:
        raise failure("unknown-model", f"`{wanted}` at {server.endpoint}; it has {', '.join(server.models) or 'none'}")
    return server.models[0]


def told_of(server: Server, model: str) -> str:
    """Say what was found, for the person who named it."""
    others = [name for name in server.models if name != model]
    more = f" (`memsuggest config set localModel NAME` takes another: {', '.join(others)})" if others else ""
    return (
        f"found {server.name} at {server.endpoint}; the model is {model}{more}\n"
        "nothing leaves this machine, unless that server passes it on; give the model room for 16,000 tokens"
    )
