"""One watcher at work: what each mode does when a turn is completed, a session ends or the interval is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.core import config
from memsuggest.core.config import OFFLINE, Mode, Settings, Value
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, MemsuggestError
from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope
from memsuggest.core.render.page import count
from memsuggest.core.show_progress import ShowProgress
from memsuggest.customizations.kinds import ALWAYS_ON_NAMES
from memsuggest.facts.stores import all_decisions, all_facts, share_facts
from memsuggest.graphiti.sync_server import WAITED_FOR, deliver_quietly
from memsuggest.learning.reconcile import learn
from memsuggest.learning.schedule import Schedule
from memsuggest.learning.watch.file_changes import Events, Signature, signature_of
from memsuggest.learning.watch.followed_sessions import Following, clock
from memsuggest.memory.archive import archive_finished
from memsuggest.notes.read_notes import learn_notes
from memsuggest.suggestions.marker_files import clear_badge, is_reviewing, mark_path, tally
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.pending_suggestions import note_run, note_told, told
from memsuggest.suggestions.status_report import BATCH, Counts, notices_of
from memsuggest.suggestions.suggest import suggest
from memsuggest.suggestions.suggesting import make_suggestions, refresh_pending
from memsuggest.suggestions.target_paths import moved_folders
from memsuggest.suggestions.writing import settle
from memsuggest.transcripts.discovery import FoundTranscript

if TYPE_CHECKING:
    from memsuggest.learning.schedule import Watch

_HOST_FOLDERS = (".github", ".claude", ".agents", ".cursor", ".copilot")


class SettingsEye:
    """Sees changes of the settings, whichever file they stand in."""

    def __init__(self, context: Context, *, flags: Mapping[str, object]) -> None:
        self._context = context
        self._flags = flags
        places = (context.root / config.EDITOR_FILE, context.root / config.REPO_FILE)
        self._paths = tuple(map(str, (*places, context.folders.config / config.USER_FILE)))
        self._seen = signature_of(self._paths)

    def sees_change(self) -> bool:
        before, self._seen = self._seen, signature_of(self._paths)
        return self._seen != before

    def read(self, say: Callable[[str], None]) -> Settings | None:
        """Return the settings as they are now; None for a value that is not allowed, on which nothing runs."""
        try:
            folder, environ = self._context.folders.config, self._context.machine.environ
            return config.load_settings(
                root=self._context.root, config_folder=folder, environ=environ, flags=self._flags
            )
        except ConfigError as error:
            say(f"{error.message}; {error.hint}; paused until the setting is fixed")
            return None


class TargetsEye:
    """Sees changes of the customization files, and keeps the context's as long as there are none."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._seen: tuple[tuple[str, ...], Signature] | None = None

    def renew(self) -> bool:
        """Read the files anew when one of them changed, came or went; whether what they say is another than before."""
        if self._seen is not None and signature_of(self._seen[0]) == self._seen[1]:
            return False
        is_other = False
        while True:
            # Signed before they are read: what is written meanwhile is seen the next time.
            paths = self._seen[0] if self._seen else ()
            signature = signature_of(paths)
            is_other = self._context.renew_targets() or is_other
            found = self._paths()
            self._seen = (found, signature if found == paths else signature_of(found))
            if found == paths:
                return is_other

    def _paths(self) -> tuple[str, ...]:
        """Return the files and their folders, and where others would come."""
        moved = {name: str(path) for name, path in moved_folders(self._context).items()}
        root, home, git = str(self._context.root), str(self._context.folders.home), self._context.place.git_folder
        files = []
        for target in self._context.targets.targets:
            place, is_users = target.uri.removeprefix("~/"), target.uri.startswith("~/")
            first, _, rest = place.partition("/")
            is_moved = is_users and first in moved
            files.append(f"{moved[first]}/{rest}" if is_moved else f"{home if is_users else root}/{place}")
        folders = dict.fromkeys(path.rpartition("/")[0] for path in files)
        folders.pop(root, None)  # where files come and go that are none of ours
        near = [f"{root}/{name}" for name in (*_HOST_FOLDERS, config.EDITOR_FILE)]
        near += [f"{root}/{form}" for name in ALWAYS_ON_NAMES for form in (name, name.upper()[:-2] + "md")]
        near += [str(git / "index")] if git else []  # what is tracked, and where
        return tuple(dict.fromkeys([*files, *folders, *near]))


def foreseen(
    context: Context, changed: Sequence[FoundTranscript], *, progress: ShowProgress
) -> Sequence[MemorySuggestion]:
    """Return the suggestions that these transcripts and what is known already would come to."""
    values = {**context.settings.values, "engine": Value(value=OFFLINE, source="watch")}
    settings = replace(context.settings, values=values)
    with ExitStack() as opened:
        dry = replace(context, settings=settings, opened=opened, is_dry=True, is_offline=True)
        dry.take_targets(context)
        learn(dry, changed, person=None, progress=progress)
        return refresh_pending(dry).suggestions


class _Halted(Exception):
    """The end of work that was begun: the person wants an end, or other settings."""


class Watching:
    """A context, the transcripts that are followed, and what is due."""

    def __init__(self, context: Context, asked: Watch, eye: SettingsEye, *, note: Callable[[str], None]) -> None:
        self.context = context
        self.settings: Settings | None = context.settings
        """What the settings were at the last look; None for ones that cannot be followed."""
        self._asked = asked
        self._eye = eye
        self._note = note
        self._events = Events(stop=asked.sign, is_polling=asked.is_polling)
        self._schedule = Schedule(asked.pace.set_by(context.settings), now=clock())
        self._following = Following(context, events=self._events, schedule=self._schedule)
        self._targets = TargetsEye(context)
        self._next = dict.fromkeys(("settings", "targets", "delivery", "notes"), 0)
        self._learned = 0
        self._pending = 0
        self._are_held_back = False
        self._is_behind = context.settings.mode is not Mode.OCCASIONAL
        """Whether something may have been learned that was not suggested or shared yet."""
        self._is_at_end = False  # whether a session ended of which no notice was given yet
        self._failures: set[str] = set()
        self._reasons: set[str] = set()  # why transcripts were put off at the last try: each is said while it is new
        self._resumes = 0

    @property
    def mode(self) -> Mode:
        return self.context.settings.mode

    def close(self) -> None:
        self._events.close()
        self._note("stopped")

    def run(self) -> Settings | None:
        """Follow until the sign is set or the mode is `off`; return the settings that ended it."""
        self._say(f"watching {self.context.root} in `{self.mode}` mode")
        self._safely(self._begin)
        if self._events.is_polling:
            self._say(f"polling for changes: {self._events.why_polling}")
        while not self._asked.is_once and self._goes_on():
            self._following.look(self._events.wait(self._pause()))
            if clock() >= self._resumes:
                self._safely(self._tick)
        if self.settings is not None and self.settings.mode is Mode.OFF:
            clear_badge(self.context)
        return self.settings

    def _pause(self) -> int:
        """Return how long there is nothing to do, in milliseconds; settings are looked at all the same."""
        most = self._asked.pace.settings
        return max(self._following.pause(most=most), min(most, self._resumes - clock()))

    def _goes_on(self) -> bool:
        """Follow a change of the settings, and tell whether they and the person want this to go on."""
        if self._is_due("settings", self._asked.pace.settings) and self._eye.sees_change():
            before, self.settings = self.context.settings, self._eye.read(self._asked.audience.say)
            if self.settings is not None and self.settings.mode is not Mode.OFF:
                self.context.settings = self.settings
                self._schedule.pace = self._asked.pace.set_by(self.settings)
                self._following.search_anew()
                if self.mode is not before.mode:
                    self._schedule.begin_interval(now=clock())
                    self._is_behind = self.mode is not Mode.OCCASIONAL
                    self._say(f"mode changed to `{self.mode}`")
        is_on = self.settings is not None and self.settings.mode is not Mode.OFF
        return is_on and not self._asked.sign.is_set()

    def _begin(self) -> None:
        with self.context.exclusive():
            settle(self.context)
        self._following.search()
        self._pending = tally(self.context.state, self.context.place.worktree_key).pending
        self._show()
        if self._asked.is_once:
            self._is_at_end = True
            self._batch()
            return
        last_run = tally(self.context.state, self.context.place.worktree_key).last_run
        ago = self.context.now() - last_run if last_run is not None else self._schedule.pace.interval
        self._schedule.begin_interval(now=clock() - max(0, ago))
        self._targets.renew()
        self._prepare()

    def _prepare(self) -> None:
        """Do now what the first suggestion would wait for: any will do."""
        content = "Ask before you add a dependency"
        for scope in Scope:
            fact = MemoryFact(id="", content=content, scope=scope, confidence=1.0, timestamp=0, paths=(".",))
            suggest(fact, self.context.workspace_index)
        if self.mode is Mode.EAGER:
            make_suggestions(self.context, all_facts(self.context), all_decisions(self.context))

    def _tick(self) -> None:
        if self._following.search_if_due():
            self._show()
        if self._is_due("targets", self._asked.pace.targets) and self._targets.renew():
            self._prepare()
        if self._are_held_back:
            self._give_notices(load(self.context), is_end=False)
        if self.mode is Mode.OCCASIONAL:
            if self._is_batch_due():
                self._batch()
        else:  # after each turn, `eager` suggests at once and `manual` says nothing
            self._schedule.ended(now=clock())
            self._learn(self._following.changed(self._following.completed()))
            if self._is_behind:
                self._suggest()
        if self._is_due("delivery", self._asked.pace.delivery):
            for skip in deliver_quietly(self.context, seconds=WAITED_FOR):
                self._note(f"{skip.what}: {skip.why}")

    def _is_batch_due(self) -> bool:
        """Tell whether a session ended, the interval is over, or enough would be suggested."""
        now, ended = clock(), mark_path(self.context, "ended")
        if ended.exists():  # a hook says so
            ended.unlink(missing_ok=True)
            self._schedule.end_all()
            self._is_at_end = True
        if self._schedule.ended(now=now):
            self._is_at_end = True
        if self._is_at_end or self._is_behind or self._schedule.is_interval_over(now=now):
            return True
        if not self._following.completed():
            return False
        self._targets.renew()
        return len(self._fresh(foreseen(self.context, self._following.changed(), progress=self._check))) >= BATCH

    def _batch(self) -> None:
        self._schedule.begin_interval(now=clock())
        self._learn(self._following.changed())
        self._suggest()

    def _learn(self, changed: Sequence[FoundTranscript]) -> None:
        if not changed and not self._is_due("notes", self._asked.pace.notes):
            return
        noted = learn_notes(self.context)[1]
        if not changed and not noted.new_facts:
            return
        self._is_behind = True
        learned = learn(self.context, changed, person=None, progress=self._check, noted=noted)
        self._learned += learned.new_facts
        new = count(learned.new_facts, "new fact", "new facts")
        self._note(f"{count(learned.read, 'chat', 'chats')} read, {new}, {learned.engine} engine")
        for skip in learned.skipped:
            self._note(f"skipped {skip.what}: {skip.why}")
        reasons = {chat.why for chat in learned.postponed}
        for chat in learned.postponed:  # a model could not be asked about it
            self._schedule.touch(chat.path, now=clock() + self._asked.pace.later)
        for why in sorted(reasons - self._reasons):
            self._say(f"{why}; will retry")
        self._reasons = reasons

    def _suggest(self) -> None:
        """Suggest and tell what is new, but in `manual` mode; then nobody is owed anything."""
        if self.mode is not Mode.MANUAL:
            if self._targets.renew():
                self._note("customization files changed")
            with self.context.exclusive():
                refreshed = refresh_pending(self.context)
                note_run(self.context.state, self.context.place.worktree_key, now=self.context.now())
            self._pending = len(refreshed.suggestions)
            self._give_notices(refreshed.suggestions, is_end=self._is_at_end)
        with self.context.exclusive():  # the team's file comes last, for git may take a while to tell its history
            share_facts(self.context)
        archive_finished(self.context, self._following.known())
        self._is_behind = self._is_at_end = False
        self._failures.clear()
        self._show()

    def _fresh(self, suggestions: Iterable[MemorySuggestion]) -> list[MemorySuggestion]:
        known = told(self.context.state, self.context.place.worktree_key)
        return [suggestion for suggestion in suggestions if suggestion.id not in known]

    def _give_notices(self, suggestions: Iterable[MemorySuggestion], *, is_end: bool) -> None:
        """Tell of what nobody was told of, once; later when the person is looking at it anyway."""
        if not self._asked.is_heard:
            return
        notices = notices_of(self.mode, self._fresh(suggestions), is_end=is_end or self._are_held_back)
        self._are_held_back = bool(notices) and is_reviewing(self.context)
        for notice in [] if self._are_held_back else notices:
            note_told(self.context.state, self.context.place.worktree_key, notice.suggestions, now=self.context.now())
            self._asked.audience.tell(notice)
            self._note(f"told: {notice.text}")

    def _check(self, _done: int, _total: int, _name: str, /, *, phase: str = "") -> None:
        before = self.settings
        if not self._goes_on() or self.settings is not before:
            raise _Halted

    def _safely(self, step: Callable[[], None]) -> None:
        """Do a step; what fails is said once until it is done, and tried again a little later."""
        try:
            step()
        except _Halted:
            self._following.search_anew()
        except MemsuggestError as error:
            if self._asked.is_once:
                raise
            self._resumes = clock() + self._asked.pace.retry
            self._following.search_anew(after=self._asked.pace.retry)
            if error.message not in self._failures:
                self._failures.add(error.message)
                self._say(f"{error.message}; will retry")

    def _is_due(self, what: str, pause: int) -> bool:
        now = clock()
        if now < self._next[what]:
            return False
        self._next[what] = now + pause
        return True

    def _say(self, text: str) -> None:
        self._asked.audience.say(text)
        self._note(text)

    def _show(self) -> None:
        known, learned = len(self._following), self._learned
        self._asked.audience.show(Counts(mode=self.mode, transcripts=known, learned=learned, pending=self._pending))
