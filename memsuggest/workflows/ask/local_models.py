"""Finding the model server on this machine that a person means, and the model in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.asking.outcomes import failure
from memsuggest.engines import local_server
from memsuggest.errors import ConfigError

if TYPE_CHECKING:
    from memsuggest.engines.local_server import Server
    from memsuggest.workflows.context import Context


def find_local(context: Context, *, is_first: bool = False) -> tuple[Server, str]:
    """Return the server that is set, or else the first on a usual port, and the model; raises ModelError.

    `is_first`: nobody asked it yet, so it is looked at whether it can be asked at all. It is also where there are
    several.
    """
    named = context.settings.text("localEndpoint")
    found = (
        [server] if named and (server := local_server.look_at(named)) else [] if named else local_server.find_servers()
    )
    if not found:
        ports = ", ".join(f"{port} ({name})" for port, name in local_server.USUAL.items())
        looked = f"nothing of the kind at {local_server.loopback(named)}" if named else f"looked at the ports {ports}"
        raise failure("no-local-model", looked)
    ready = [server for server in found if not server.why_not]
    if not ready:
        raise failure("no-ready-model", "; ".join(f"{server} {server.why_not}" for server in found))
    if len(ready) > 1 or is_first:
        asked = next((server for server in ready if local_server.has_messages(server)), None)
        if asked is None:
            raise failure("no-messages-api", ", ".join(map(str, ready)))
        return asked, _model_of(context, asked)
    return ready[0], _model_of(context, ready[0])


def _model_of(context: Context, server: Server) -> str:
    wanted = context.settings.text("localModel")
    if wanted and not local_server.is_here(wanted):
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
