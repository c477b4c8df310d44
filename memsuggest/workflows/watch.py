"""Watching a workspace: what each mode does when a turn is completed, a session ends or the interval is over.

`off` reads and writes nothing but the settings, which may change. A failure is said once and tried again later.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memsuggest.config import Mode
from memsuggest.errors import FileError, WorkspaceError
from memsuggest.files import lock
from memsuggest.files.lock import is_locked, owner_of
from memsuggest.watching.log import opened_log
from memsuggest.watching.schedule import DEBOUNCE, MINUTE
from memsuggest.workflows.attention import SettingsEye, read_or_say
from memsuggest.workflows.desk import Desk
from memsuggest.workflows.marks import mark_path
from memsuggest.workflows.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memsuggest.config import Settings
    from memsuggest.reports.watching import Counts, Notice
    from memsuggest.watching.stopping import StopSign

_PATIENCE = 30.0
"""Seconds that one catching up waits for another."""
DISABLED = "memory is disabled: nothing is read or written; `memsuggest config set mode occasional` enables it"


class Audience(Protocol):
    """Who hears of what a watcher does."""

    def tell(self, notice: Notice) -> None:
        """Give the person a notice."""
        ...

    def say(self, text: str) -> None:
        """Say one line about the watching itself."""
        ...

    def show(self, counts: Counts) -> None:
        """Show how the watching stands."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How often a watcher looks after things besides the transcripts, in milliseconds."""

    settings: int = 500
    targets: int = 5_000
    everything: int = MINUTE
    """A whole search: for what the system did not tell."""
    retry: int = 10_000
    later: int = 5 * MINUTE
    """Until a model is asked again that could not be."""
    debounce: int = DEBOUNCE
    patience: int = MINUTE
    """Quiet after which a turn counts as completed that the assistant did not end: it was stopped, or works on."""
    silence: int | None = None
    interval: int | None = None
    """Instead of those of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What is asked of a watcher."""

    sign: StopSign
    audience: Audience
    flags: Mapping[str, object]
    """Settings given on the command line: they stay."""
    is_polling: bool = False
    is_once: bool = False
    """Only catch up, as at the end of a session."""
    is_heard: bool = True
    """Whether a person hears the audience; else nobody was told of anything."""
    on_turn: Callable[[], None] = lambda: None
    """What is done when it is this one's turn to catch up."""
    pace: Pace = Pace()


def watch(desk: Desk, asked: Watch) -> None:
    """Follow a workspace until the sign is set; raises WorkspaceError when somebody does already."""
    eye = SettingsEye(desk, flags=asked.flags)
    settings: Settings | None = desk.settings
    while not asked.sign.is_set():
        if settings is not None and settings.mode is not Mode.OFF:
            settings = _follow(_fresh_desk(desk, settings), asked, eye)
            if asked.is_once:
                return
            continue
        if settings is not None:
            asked.audience.say(DISABLED)
        if asked.is_once:
            return
        while not (eye.sees_change() or asked.sign.wait(asked.pace.settings / 1000)):
            pass
        settings = read_or_say(eye, asked.audience.say)


def _fresh_desk(desk: Desk, settings: Settings) -> Desk:
    """Return another desk of the same place, nothing opened yet."""
    return Desk(place=desk.place, folders=desk.folders, settings=settings, machine=desk.machine)


def _follow(desk: Desk, asked: Watch, eye: SettingsEye) -> Settings | None:
    """Follow the workspace while a mode other than `off` holds; return the settings that ended it."""
    with ExitStack() as stack:
        stack.callback(desk.close)
        stack.enter_context(_only_watcher(desk, is_once=asked.is_once, on_turn=asked.on_turn))
        note = stack.enter_context(opened_log(desk.state_path.with_name("watch.log")))
        watching = Watching(desk, asked, eye, note=note)
        stack.callback(watching.close)
        return watching.run()


@contextmanager
def _only_watcher(desk: Desk, *, is_once: bool, on_turn: Callable[[], None]) -> Iterator[None]:
    """Be the only watcher of this working tree; what a killed one, or one of another machine, left is taken over."""
    path = mark_path(desk, "watch")
    with ExitStack() as stack:
        try:
            if is_once:  # several hooks at once wait for each other; that they are at work is not watching
                stack.enter_context(lock(mark_path(desk, "once"), wait_seconds=_PATIENCE))
                on_turn()
            if not is_once or is_locked(path):
                stack.enter_context(lock(path, wait_seconds=1.0))
        except FileError as error:
            owner = owner_of(path)
            if owner is None:
                raise
            raise WorkspaceError(
                f"this workspace is watched already, by process {owner.pid}",
                hint="that one goes on; end it first if you want to watch here",
            ) from error
        yield
