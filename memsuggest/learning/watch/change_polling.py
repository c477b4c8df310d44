"""Changes besides transcripts that a running watcher polls for: its settings and the customization files."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memsuggest.core import config
from memsuggest.core.config import Settings
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError
from memsuggest.core.model import MemoryFact, Scope
from memsuggest.customizations.kinds import ALWAYS_ON_NAMES
from memsuggest.learning.file_changes import Signature, signature_of
from memsuggest.suggestions.suggest import suggest
from memsuggest.suggestions.target_paths import moved_folders

_HOST_FOLDERS = (".github", ".claude", ".agents", ".cursor", ".copilot")


class SettingsEye:
    """Sees changes of the settings, whichever file they stand in."""

    def __init__(self, context: Context, *, flags: Mapping[str, object]) -> None:
        self._context = context
        self._flags = flags
        self._paths = (
            str(context.root / config.EDITOR_FILE),
            str(context.root / config.REPO_FILE),
            str(context.folders.config / config.USER_FILE),
        )
        self._seen = signature_of(self._paths)

    def sees_change(self) -> bool:
        """Tell whether a file of settings is another one than at the last look."""
        now = signature_of(self._paths)
        if now == self._seen:
            return False
        self._seen = now
        return True

    def read(self) -> Settings:
        """Merge the settings as they are now; raises ConfigError."""
        return config.load_settings(
            root=self._context.root,
            config_folder=self._context.folders.config,
            environ=self._context.machine.environ,
            flags=self._flags,
        )


def read_or_say(eye: SettingsEye, say: Callable[[str], None]) -> Settings | None:
    """Return the settings as they are now; None for a value that is not allowed, on which nothing runs."""
    try:
        return eye.read()
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

    def prepare(self) -> None:
        """Do now what the first suggestion would wait for: any will do."""
        for scope in Scope:
            fact = MemoryFact(
                id="", content="Ask before you add a dependency", scope=scope, confidence=1.0, timestamp=0, paths=(".",)
            )
            suggest(fact, self._context.workspace_index)

    def _paths(self) -> tuple[str, ...]:
        """Return the files and their folders, and where others would come."""
        moved = {name: str(path) for name, path in moved_folders(self._context).items()}
        root, home = str(self._context.root), str(self._context.folders.home)
        files = [_path(target.uri, root, home, moved) for target in self._context.targets.targets]
        folders = dict.fromkeys(path.rpartition("/")[0] for path in files)
        folders.pop(root, None)  # where files come and go that are none of ours
        near = [f"{root}/{name}" for name in (*_HOST_FOLDERS, config.EDITOR_FILE)]
        near += [f"{root}/{form}" for name in ALWAYS_ON_NAMES for form in (name, name.upper()[:-2] + "md")]
        index = (
            self._context.place.git_folder and self._context.place.git_folder / "index"
        )  # what is tracked, and where
        return tuple(dict.fromkeys([*files, *folders, *near, *([str(index)] if index else [])]))


def _path(uri: str, root: str, home: str, moved: Mapping[str, str]) -> str:
    if not uri.startswith("~/"):
        return f"{root}/{uri}"
    first, _, rest = uri[2:].partition("/")
    return f"{moved[first]}/{rest}" if first in moved else f"{home}/{uri[2:]}"
