"""The engine that a run asks: its address, whether it is ready, and whether it may be asked."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memsuggest.core.config import AUTO, HAIKU, MODEL_ENGINES, OFFLINE
from memsuggest.core.errors import ConfigError, ConsentError, MemsuggestError
from memsuggest.core.workspace import is_ci
from memsuggest.judging.asking.consent_store import READING, Consents, Grant, is_own_folder
from memsuggest.judging.asking.endpoint import USUAL, find_endpoint, find_key
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.engines.receiver import CHAT, LOCAL, Receiver

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack
    from pathlib import Path

    from memsuggest.core.context import Context
    from memsuggest.judging.asking.ask_model import Sends
    from memsuggest.judging.engines.local_server import Server
    from memsuggest.judging.engines.programs import Seen
    from memsuggest.judging.engines.running import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The command line's words about asking a model."""

    is_agreed: bool = False
    """`--consent`: this once, without asking; in CI the only way."""
    ask_person: Callable[[Context, Receiver], bool] | None = None
    """Asks on a terminal whether things may go to a receiver; None where nobody can be asked."""


NOBODY = Asking()


def chosen_engine(context: Context, asking: Asking = NOBODY) -> str:
    """Return the engine that a run uses: the one that is set, or else the first in the person's order that may be."""
    if context.settings.engine != AUTO:
        return context.settings.engine
    for engine in context.settings.texts("engineOrder"):
        with suppress(ConsentError):
            if is_ready(context, engine):
                require_consent(context, engine, asking)
                return engine
    return OFFLINE


def receiver_of(context: Context, engine: str) -> Receiver:
    """Return whom an engine asks, and where; raises ConfigError."""
    settings = context.settings
    if engine == CHAT:
        return Receiver(engine=engine, address=CHAT, model="")
    if engine == LOCAL:
        address = settings.text("localEndpoint") or "a model server on this machine"
        return Receiver(engine=engine, address=address, model=settings.text("localModel"))
    if program := program_of(engine):
        found = program.recipient(environ=context.machine.environ, home=context.folders.home)
        address = f"{program.NAME} {found.through}".strip()
        return Receiver(engine=engine, address=address, model=settings.model_of(engine), who=found.who)
    address = find_endpoint(settings.text("endpoint"), context.machine.environ)
    who = "Anthropic" if address == USUAL else f"the operator of {address}"
    return Receiver(engine=HAIKU, address=address, model=settings.text("model"), who=who)


def program_of(engine: str) -> Program | None:
    """Return the program that an engine asks; None for one that asks none."""
    from memsuggest.judging.engines.programs import PROGRAMS

    return PROGRAMS.get(engine)


def program_path(context: Context, program: Program) -> Path | None:
    """Return where a program lies on this machine."""
    from memsuggest.judging.engines.programs import path_of

    return path_of(program, environ=context.machine.environ, root=context.root)


def require_ready(context: Context, engine: str) -> None:
    """Raise ModelError when it can be told, without asking anybody, that an engine cannot be asked."""
    if engine in (CHAT, LOCAL):
        return
    program = program_of(engine)
    if program is None:
        if find_key(context.machine.environ) is None:
            raise failure("no-key")
        return
    if program_path(context, program) is None:
        raise failure("no-program", f"`{program.NAME}`; {program.INSTALL}")
    if program.is_signed_in(environ=context.machine.environ, home=context.folders.home) is False:
        raise failure("not-signed-in", f"`{program.NAME}`; {program.SIGN_IN}")


def is_ready(context: Context, engine: str) -> bool:
    """Tell whether an engine can be asked, as far as is known before; a local one needs an address in the settings."""
    if engine == LOCAL:
        return bool(context.settings.text("localEndpoint"))
    try:
        require_ready(context, engine)
    except MemsuggestError:
        return False
    return True


def consents_of(context: Context) -> Consents:
    """Return what this person agreed to."""
    return Consents(context.folders.config)


def require_consent(context: Context, engine: str, asking: Asking = NOBODY, *, terms: int = READING) -> None:
    """Raise ConsentError unless this person agreed that this workspace's words go where an engine sends them."""
    if context.settings.engine == OFFLINE:
        raise ConsentError("nothing is sent: the engine is `offline`", hint="omit `--offline`")
    if engine == LOCAL:  # nothing leaves the machine, and it was named
        return
    if not is_own_folder(context.root):
        raise ConsentError(f"nothing is sent: `{context.root}` belongs to another user", hint="use your own clone")
    if asking.is_agreed:
        return
    if is_ci(context.machine.environ):
        raise ConsentError(
            "nothing is sent: running in CI, so no one can be prompted",
            hint="pass `--consent` to allow sending for this run",
        )
    receiver = receiver_of(context, engine)
    if not consents_of(context).has(workspace=context.place.key, endpoint=receiver.address, terms=terms):
        raise ConsentError(
            f"nothing is sent to {receiver.address} without your consent for this workspace",
            hint=f"run `{grant_command(engine)}` to review what would be sent and grant consent",
        )


def record_consent(context: Context, receiver: Receiver) -> None:
    given = Grant(workspace=context.place.key, root=str(context.root), endpoint=receiver.address, at=context.now())
    consents_of(context).grant(given)


def grant_command(engine: str) -> str:
    """Return what a person types to consent to an engine."""
    return f"memsuggest consent grant --engine {engine}"


def engine_to_grant(context: Context, named: str | None) -> str:
    """Return the engine that a person means who names one or none: the one in use, or the first that is ready.

    Raises ConfigError for a name that no engine has.
    """
    if named is not None and named not in (CHAT, *MODEL_ENGINES):
        raise ConfigError(
            f"`{named}` is not an engine that needs consent", hint=f"choose one of: {', '.join((*MODEL_ENGINES, CHAT))}"
        )
    engine = named or chosen_engine(context)
    if engine != OFFLINE:
        return engine
    ready = (text for text in context.settings.texts("engineOrder") if text != LOCAL and is_ready(context, text))
    return next(ready, HAIKU)


def connect(context: Context, engine: str, opened: ExitStack, *, seconds: float | None = None) -> Sends:
    """Open the way to an engine, which is closed with `opened`; raises ModelError when there is none.

    An answer that takes more than `seconds` is given up; without them, as long as is usual for the engine.
    """
    require_ready(context, engine)
    if program := program_of(engine):
        from memsuggest.judging.engines.programs import SECONDS, ProgramClient

        seen = require_usable(context, program)
        return ProgramClient(
            program=program,
            path=seen.path,
            environ=context.machine.environ,
            model=context.settings.model_of(program.NAME),
            catalog=seen.catalog,
            seconds=seconds or SECONDS,
        )
    from memsuggest.judging.asking.messages_api import Client
    from memsuggest.judging.engines.local_server import LocalClient

    times: dict[str, Any] = {} if seconds is None else {"seconds": seconds, "total": seconds}
    if engine == LOCAL:
        server, model = find_local(context)
        client: LocalClient | Client = LocalClient(server=server, model=model, **times)
    else:
        key = find_key(context.machine.environ)
        assert key
        proxy = context.settings.text("proxy") or None
        client = Client(endpoint=receiver_of(context, engine).address, key=key, proxy=proxy, **times)
    opened.callback(client.close)
    return client


def require_usable(context: Context, program: Program) -> Seen:
    """Look at a program that is here, which runs it and sends nothing; ModelError where it cannot be asked safely."""
    from memsuggest.judging.engines.programs import look_at

    path = program_path(context, program)
    assert path
    seen = look_at(program, path, environ=context.machine.environ)
    if seen.why_not:
        raise failure("unusable-program", f"`{program.NAME}` {seen.why_not}")
    return seen


def find_local(context: Context, *, is_first: bool = False) -> tuple[Server, str]:
    """Return the server that is set, or else the first on a usual port, and the model; raises ModelError.

    `is_first`: nobody asked it yet, so it is looked at whether it can be asked at all. It is also where there are
    several.
    """
    from memsuggest.judging.engines import local_server

    named, wanted = context.settings.text("localEndpoint"), context.settings.text("localModel")
    if named:
        found = list(filter(None, [local_server.look_at(named)]))
        looked = f"no model server found at {local_server.loopback(named)}"
    else:
        places = (f"http://127.0.0.1:{port}" for port in local_server.USUAL)
        found = list(filter(None, map(local_server.look_at, places)))
        looked = "checked ports " + ", ".join(f"{port} ({name})" for port, name in local_server.USUAL.items())
    if not found:
        raise failure("no-local-model", looked)
    ready = [server for server in found if not server.why_not]
    if not ready:
        raise failure("no-ready-model", "; ".join(f"{server} {server.why_not}" for server in found))
    is_sure = len(ready) == 1 and not is_first
    chosen = next((server for server in ready if is_sure or local_server.has_messages(server)), None)
    if chosen is None:
        raise failure("no-messages-api", ", ".join(map(str, ready)))
    if wanted and not local_server.is_here(wanted):
        raise ConfigError(f"the model `{wanted}` does not run locally", hint="set `localModel` to another model")
    if wanted and wanted not in chosen.models:
        available = ", ".join(chosen.models) or "none"
        raise failure("unknown-model", f"`{wanted}` at {chosen.endpoint} (available: {available})")
    return chosen, wanted or chosen.models[0]


def told_of(server: Server, model: str) -> str:
    """Say what was found, for the person who named it."""
    others = [name for name in server.models if name != model]
    more = f" (others: {', '.join(others)}; to switch, run `memsuggest config set localModel NAME`)" if others else ""
    return (
        f"found {server.name} at {server.endpoint}, using the model {model}{more}\n"
        "nothing leaves this machine unless the server forwards it; the model needs a context window of at least"
        " 16,000 tokens"
    )
