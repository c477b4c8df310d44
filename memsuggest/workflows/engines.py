"""Which engine a run asks: who it is, what it would be sent to, whether it is ready, and whether it may be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.config import AUTO, HAIKU, MINDS, OFFLINE
from memsuggest.errors import ConfigError, ConsentError, MemsuggestError
from memsuggest.haiku.consent import Consents, is_ci, is_own_folder
from memsuggest.haiku.endpoint import find_endpoint, find_key
from memsuggest.haiku.outcomes import failure
from memsuggest.minds.receiver import CHAT, LOCAL, Receiver

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack
    from pathlib import Path

    from memsuggest.haiku.asking import Sends
    from memsuggest.minds.program import Program
    from memsuggest.workflows.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What a command line says about asking a model."""

    is_agreed: bool = False
    """`--consent`: this once, without asking; in CI the only way."""
    ask_person: Callable[[Desk, Receiver], bool] | None = None
    """Asks on a terminal whether things may go to a receiver; None where nobody can be asked."""
    record: Path | None = None
    replay: Path | None = None


NOBODY = Hand()


def chosen_engine(desk: Desk, hand: Hand = NOBODY) -> str:
    """Return the engine that a run uses: the one that is set, or else the first in the person's order that may be."""
    name = desk.settings.engine
    if hand.replay is not None:
        return HAIKU if name in (AUTO, OFFLINE) else name
    if name != AUTO:
        return name
    return next((one for one in desk.settings.texts("engineOrder") if is_permitted(desk, one, hand)), OFFLINE)


def receiver_of(desk: Desk, engine: str) -> Receiver:
    """Return whom an engine asks, and where; raises ConfigError."""
    if engine == CHAT:
        return Receiver(engine=engine, address=CHAT, model="")
    if engine == LOCAL:
        endpoint = desk.settings.text("localEndpoint")
        return Receiver(
            engine=engine, address=endpoint or "a model server on this machine", model=desk.settings.text("localModel")
        )
    program = program_of(engine)
    if program is None:
        return Receiver(engine=HAIKU, address=endpoint_of(desk), model=desk.settings.text("model"))
    address = " ".join((program.NAME, *_elsewhere(desk, program)))
    return Receiver(engine=engine, address=address, model=desk.settings.text(f"{engine}Model"), maker=program.MAKER)


def _elsewhere(desk: Desk, program: Program) -> list[str]:
    """Name what of the environment sends the program's questions to another service than its own."""
    environ = desk.machine.environ
    named = [name for name in program.ELSEWHERE if environ.get(name)]
    return [f"by {name}" if not name.endswith("URL") else f"at {find_endpoint(environ[name], {})}" for name in named]


def endpoint_of(desk: Desk) -> str:
    """Return where this person's models are asked through their maker's API; raises ConfigError."""
    return find_endpoint(desk.settings.text("endpoint"), desk.machine.environ)


def program_of(engine: str) -> Program | None:
    """Return the program that an engine asks; None for one that asks none."""
    from memsuggest.minds.programs import PROGRAMS  # noqa: PLC0415  (loads the client of the API)

    return PROGRAMS.get(engine)


def program_path(desk: Desk, program: Program) -> Path | None:
    """Return where a program lies on this machine."""
    from memsuggest.minds.programs import path_of  # noqa: PLC0415  (as above)

    return path_of(program, environ=desk.machine.environ, root=desk.root)


def require_ready(desk: Desk, engine: str) -> None:
    """Raise ModelError when it can be told, without asking anybody, that an engine cannot be asked."""
    if engine in (CHAT, LOCAL):
        return
    program = program_of(engine)
    if program is None:
        if find_key(desk.machine.environ) is None:
            raise failure("no-key")
        return
    if program_path(desk, program) is None:
        raise failure("no-program", f"`{program.NAME}`; {program.INSTALL}")
    if program.is_signed_in(environ=desk.machine.environ, home=desk.folders.home) is False:
        raise failure("not-signed-in", f"`{program.NAME}`; {program.SIGN_IN}")


def is_ready(desk: Desk, engine: str) -> bool:
    """Tell whether an engine could be asked, as far as can be told without asking; a local one has to be named."""
    if engine == LOCAL:
        return bool(desk.settings.text("localEndpoint"))
    try:
        require_ready(desk, engine)
    except MemsuggestError:
        return False
    return True


def is_permitted(desk: Desk, engine: str, hand: Hand = NOBODY) -> bool:
    """Tell whether an engine may be asked without any further word: it is ready, and there is consent for it."""
    if not is_ready(desk, engine):
        return False
    try:
        require_consent(desk, engine, hand)
    except ConsentError:
        return False
    return True


def consents_of(desk: Desk) -> Consents:
    """Return what this person agreed to."""
    return Consents(desk.folders.config)


def require_consent(desk: Desk, engine: str, hand: Hand = NOBODY) -> None:
    """Raise ConsentError unless this person agreed that this workspace's words go where an engine sends them."""
    if desk.settings.engine == OFFLINE:
        raise ConsentError("nothing is sent: the engine is `offline`", hint="leave out `--offline`")
    if engine == LOCAL:  # nothing leaves the machine, and it was named
        return
    if not is_own_folder(desk.root):
        raise ConsentError(
            f"nothing is sent: `{desk.root}` belongs to another user", hint="work in a clone of your own"
        )
    if hand.is_agreed:
        return
    if is_ci(desk.machine.environ):
        raise ConsentError(
            "nothing is sent: this is CI, where nobody can be asked", hint="`--consent` says that it may, for this run"
        )
    receiver = receiver_of(desk, engine)
    if not consents_of(desk).has(workspace=desk.place.key, endpoint=receiver.address):
        raise ConsentError(
            f"nothing is sent to {receiver.address} without your consent for this workspace",
            hint=f"`{grant_command(engine)}` shows what would be sent, and asks",
        )


def grant_command(engine: str) -> str:
    """Return what a person types to consent to an engine."""
    return "memsuggest consent grant" if engine == HAIKU else f"memsuggest consent grant --engine {engine}"


def engine_to_grant(desk: Desk, named: str | None) -> str:
    """Return the engine that a person means who names one or none: the one that is set, or the first that is ready.

    Raises ConfigError for a name that no engine has.
    """
    if named is not None and named not in (CHAT, *MINDS):
        raise ConfigError(f"`{named}` is no engine to agree to", hint=f"one of: {', '.join((*MINDS, CHAT))}")
    engine = named or desk.settings.engine
    if engine not in (AUTO, OFFLINE):
        return engine
    ready = (one for one in desk.settings.texts("engineOrder") if one != LOCAL and is_ready(desk, one))
    return next(ready, HAIKU)


def connect(desk: Desk, engine: str, opened: ExitStack) -> Sends:
    """Open the way to an engine, which is closed with `opened`; raises ModelError when there is none."""
    require_ready(desk, engine)
    program = program_of(engine)
    if program is not None:
        return _connect_program(desk, program)
    if engine == LOCAL:
        return _connect_local(desk, opened)
    from memsuggest.haiku.client import Client  # noqa: PLC0415  (the SDK takes a second to load)

    key = find_key(desk.machine.environ)
    assert key
    client = Client(endpoint=endpoint_of(desk), key=key, proxy=desk.settings.text("proxy") or None)
    opened.callback(client.close)
    return client


def _connect_program(desk: Desk, program: Program) -> Sends:
    from memsuggest.minds.programs import ProgramClient, look_at  # noqa: PLC0415  (as above)

    path = program_path(desk, program)
    assert path
    seen = look_at(program, path, environ=desk.machine.environ)
    if seen.why_not:
        raise failure("unusable-program", f"`{program.NAME}` {seen.why_not}")
    model = desk.settings.text(f"{program.NAME}Model")
    return ProgramClient(program=program, path=path, environ=desk.machine.environ, model=model)


def _connect_local(desk: Desk, opened: ExitStack) -> Sends:
    from memsuggest.minds.local import LocalClient  # noqa: PLC0415  (as above)
    from memsuggest.workflows.local_models import find_local  # noqa: PLC0415  (as above)

    server, model = find_local(desk)
    client = LocalClient(server=server, model=model)
    opened.callback(client.close)
    return client


def better_engine(desk: Desk) -> str:
    """Say in one line what would judge better than our own rules, and how to have it; nothing where nothing may be."""
    if desk.settings.engine != AUTO or is_ci(desk.machine.environ) or not is_own_folder(desk.root):
        return ""
    for engine in desk.settings.texts("engineOrder"):
        if engine != LOCAL and is_ready(desk, engine):
            who = f"the model {desk.settings.text('model')}" if engine == HAIKU else f"`{engine}`, which is here,"
            return f"{who} would judge better: `{grant_command(engine)}` shows what it would get, and asks"
    return "a model would judge better: `memsuggest doctor` shows what can be asked"
