"""Finding the customization files of a workspace and of the person, as the hosts themselves find them.

Reads folders, files and git's index; writes nothing, follows no link out of the root. Of a file and the links to it,
the file is the target.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from memsuggest.core import json_edit as jsonc
from memsuggest.core.errors import FileError, Skipped
from memsuggest.core.git import run_git
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Scope, Section, Target, TargetType
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.globs import compiled
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.customizations.kinds import (
    ALWAYS_ON_NAMES,
    BY_NAME,
    KINDS,
    SETTINGS_NAMES,
    FileKind,
    header_of,
    kind_by_name_of_file,
    place_of,
    title_of,
)
from memsuggest.customizations.vscode_settings import Extra, HostSettings, host_settings, merged_settings
from memsuggest.files.exact import FileText, digest_of, read_exact
from memsuggest.files.target_names import NOT_OURS, VERSION_CONTROL

_SUFFIXES = (".md", ".mdc", ".json", ".MD", ".Md")
_HOST_FOLDERS = (".github", ".claude", ".agents", ".cursor", ".copilot")
_FOLDER_LIMIT = 20_000  # folders that are looked into where there is no index
_DEPTH_LIMIT = 12
_UNTRACKED = "?"  # how git tags it
LARGEST = 512 * 1024
"""Characters of a file that is read as a target: two and a half times the largest that was seen in the wild."""
_SETTINGS = ".vscode/settings.json"
_TEAM_SETTINGS = ".claude/settings.json"
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS")
_SERVERS = (".vscode-server", ".vscode-server-insiders")
_MOVED = {".copilot": "COPILOT_HOME", ".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}
"""A host's folder in the home, and the variable that moves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTargets:
    """The findings of a search for customization files."""

    targets: tuple[Target, ...] = ()
    """Workspace first, then the person's own; by path."""
    skipped: tuple[Skipped, ...] = ()
    tracked_paths: tuple[str, ...] = ()
    """Every path of the workspace (git's index, or what a walk found), POSIX."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Path of a link, and the target that it leads to."""
    settings: HostSettings = field(default_factory=HostSettings)
    digest: str = ""
    """Identity of all that was found: every file's bytes, every path that git tracks, every setting."""


def target_from(uri: str, text: str, *, kind: FileKind | None = None, keep: Keep = made_anew) -> Target:
    """Make the target of a file from its path (relative to the root, or `~/…`) and its text."""
    is_own = uri.startswith("~/")
    place = place_of(uri.removeprefix("~/"))
    kind = kind or (place.kind if place else kind_by_name_of_file(uri))
    digest = digest_of(text)
    governed = "" if is_own or place is None else place.base

    def head() -> tuple[str, str, str | None, list[tuple[object, ...]]]:
        header = header_of(kind, text)
        sections = () if kind.type is TargetType.HOOK else layout(text).sections
        return (
            title_of(uri, header, tuple(section.heading for section in sections)),
            (header.description or "").strip(),
            kind.applies_to(header, governed),
            [(part.heading, part.level, part.path, part.start, part.end) for part in sections],
        )

    title, description, applies_to, found = keep("head", uri, f"{kind.name} {digest}", head)
    return Target(
        type=kind.type,
        uri=uri,
        title=title,
        description=description,
        applies_to=applies_to,
        always_on=kind.always_on,
        scope=Scope.USER if is_own else Scope.WORKSPACE,
        sections=tuple(
            Section(heading=heading, level=level, path=tuple(path), start=start, end=end)
            for heading, level, path, start, end in found
        ),
        text=text,
        digest=digest,
    )


class _Candidate(NamedTuple):
    uri: str
    path: Path
    kind: FileKind | None = None
    """Given by a setting; None when the path tells."""


class FileSearch:
    """The files of a workspace and a person as they are now, each read once; no file is parsed."""

    def __init__(self, root: Path, *, home: Path | None, environ: Mapping[str, str], platform: str) -> None:
        """List and read them; `platform` is `sys.platform`."""
        self.read_at = time.monotonic()
        self._real_root = os.path.realpath(root)
        self._by_real_path: dict[str, str] = {}
        self._links: dict[str, str] = {}
        self._skipped: list[Skipped] = []
        self.tracked_paths, names, is_cut = _listed(root)
        if is_cut:
            self._skip(".", "too many folders; the deepest were not searched")
        for name in sorted(name for name in names if not name.isprintable()):
            self._skip(ascii(name)[1:-1], "the name contains control characters; rename the file")
        own = _Home(home, environ=environ, platform=platform) if home else None
        self._settings = self._settings_of(root / _SETTINGS, _SETTINGS, is_own=False)
        for file in own.settings if own else ():
            self._settings = merged_settings(self._settings, self._settings_of(file, str(file), is_own=True))
        self._skipped += (Skipped(what, why) for what, why in self._settings.refused)
        found = [_Candidate(name, root / name) for name in sorted(filter(str.isprintable, names)) if place_of(name)]
        for extra in self._settings.extras:
            paths = () if extra.is_home else _of_extra(root, extra, self.tracked_paths)
            found += (_Candidate(path, root / path, BY_NAME[extra.kind]) for path in paths)
        found += own.candidates(self._settings) if own else ()
        unique = {candidate.uri: candidate for candidate in reversed(found)}.values()
        # Files come before links, so that a link is known as one when its file was seen.
        in_order = sorted(unique, key=lambda candidate: (self._is_linked(candidate), candidate.uri))
        self._texts = [(candidate, text) for candidate in in_order if (text := self._text_of(candidate))]
        skipped = (f"{skip.what}\0{skip.why}" for skip in self._skipped)
        links = (f"{link}\0{to}" for link, to in self._links.items())
        seen = (f"{place.uri}\0{place.kind.name if place.kind else ''}\0{text.digest}" for place, text in self._texts)
        self.digest = hash_of(repr(self._settings), "\0".join(self.tracked_paths), *skipped, *links, *seen)

    def targets(self, keep: Keep = made_anew) -> FoundTargets:
        """Return the files as targets; `keep` has what was made of files before."""
        targets: list[Target] = []
        for place, file in self._texts:
            target = target_from(place.uri, file.text, kind=place.kind, keep=keep)
            is_settings = target.type is TargetType.HOOK and target.uri.endswith(
                tuple(f"/{name}" for name in SETTINGS_NAMES)
            )
            is_teams = target.uri == _TEAM_SETTINGS and target.text.lstrip().startswith("{")
            if not is_settings or is_teams or '"hooks"' in target.text:
                targets.append(target)
        return FoundTargets(
            targets=tuple(sorted(targets, key=lambda target: (target.scope is Scope.USER, target.uri))),
            skipped=tuple(self._skipped),
            tracked_paths=self.tracked_paths,
            links=self._links,
            settings=self._settings,
            digest=self.digest,
        )

    def _skip(self, what: str, why: str) -> None:
        self._skipped.append(Skipped(what=what, why=why))

    def _is_linked(self, candidate: _Candidate) -> bool:
        is_own = candidate.uri.startswith("~/")
        plain = candidate.path if is_own else Path(self._real_root, *candidate.uri.split("/"))
        return os.path.realpath(candidate.path) != str(plain)

    def _text_of(self, candidate: _Candidate) -> FileText | None:
        """Return what a file holds; None where it is gone, leads elsewhere or cannot be read."""
        real = os.path.realpath(candidate.path)
        if not os.path.lexists(candidate.path):
            return None
        is_own = candidate.uri.startswith("~/")
        if not is_own and not (real + os.sep).startswith(self._real_root.rstrip(os.sep) + os.sep):
            self._skip(candidate.uri, "the file links to a location outside the workspace")
        elif known := self._by_real_path.get(real):
            self._links[candidate.uri] = known
        elif not Path(real).exists():
            self._skip(candidate.uri, "broken link")
        elif not Path(real).is_dir():
            try:
                found = read_exact(Path(real))
            except FileError as error:
                self._skip(candidate.uri, error.message)
                return None
            if len(found.text) <= LARGEST:
                self._by_real_path[real] = candidate.uri
                return found
            self._skip(candidate.uri, f"larger than {LARGEST // 1024} KB, more than any assistant reads")
        return None

    def _settings_of(self, path: Path, name: str, *, is_own: bool) -> HostSettings:
        try:
            values = jsonc.loads(read_exact(path).text) if path.is_file() else None
        except FileError as error:
            self._skip(name, error.message)
        except ValueError as error:
            self._skip(name, f"invalid JSON: {error}")
        else:
            return host_settings(values, may_name_home=is_own) if isinstance(values, dict) else HostSettings()
        return HostSettings()


def _listed(root: Path) -> tuple[tuple[str, ...], set[str], bool]:
    """List all paths of a workspace, and those that may be customizations; tell whether a walk stopped at its limit.

    All are those in git's index, or without git those that a walk finds.
    """
    names: set[str] = set()
    for kind in KINDS:
        for folder in kind.folders:
            below = list_below(root / folder, depth=kind.depth_here)
            names.update(f"{folder}/{path}" if folder else path for path in below)
    is_cut = False
    printed = run_git(root, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
    if printed is None:
        walked, is_cut = _walk(root)
        tracked = tuple(walked)
    else:
        tagged = [row.partition(" ") for row in printed.decode("utf-8", "surrogateescape").split("\0") if row]
        tracked = tuple(path for tag, _, path in tagged if tag != _UNTRACKED)
        names.update(path for tag, _, path in tagged if tag == _UNTRACKED and _is_always_on(path))
    for path in tracked:
        if path.endswith(_SUFFIXES) and (any(f"{folder}/" in path for folder in _HOST_FOLDERS) or _is_always_on(path)):
            names.add(path)
    foreign = NOT_OURS | VERSION_CONTROL
    ours = {
        name for name in names if "/worktrees/" not in name.lower() and foreign.isdisjoint(name.lower().split("/")[:-1])
    }
    return tracked, ours, is_cut


def _is_always_on(path: str) -> bool:
    return path[path.rfind("/") + 1 :].lower() in ALWAYS_ON_NAMES


def list_below(folder: Path, *, depth: int) -> list[str]:
    """List the files below one folder by their paths relative to it, sorted; links are followed, but not in circles."""
    found: list[str] = []
    seen: set[str] = set()
    waiting = [(str(folder), "", depth)]
    while waiting and len(seen) < _FOLDER_LIMIT:
        current, prefix, left = waiting.pop()
        real = os.path.realpath(current)
        if real in seen:
            continue
        seen.add(real)
        for entry in _entries(current):
            if entry.name.endswith(_SUFFIXES):
                found.append(prefix + entry.name)
            elif left and Path(entry.path).is_dir() and entry.name.lower() not in NOT_OURS:
                waiting.append((entry.path, f"{prefix}{entry.name}/", left - 1))
    return sorted(found)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _walk(root: Path) -> tuple[list[str], bool]:
    """List the files of a folder that git knows nothing of, nearest first; hidden and foreign folders are left out."""
    found: list[str] = []
    waiting = [(str(root), "", 0)]
    for folders in range(_FOLDER_LIMIT + 1):
        if folders == len(waiting):
            return found, False
        current, prefix, depth = waiting[folders]
        for entry in _entries(current):
            if not entry.is_dir(follow_symlinks=False):
                found.append(prefix + entry.name)
                continue
            is_wanted = not entry.name.startswith(".") or entry.name in _HOST_FOLDERS
            if is_wanted and depth < _DEPTH_LIMIT and entry.name.lower() not in NOT_OURS:
                waiting.append((entry.path, f"{prefix}{entry.name}/", depth + 1))
    return found, True


def _of_extra(root: Path, extra: Extra, tracked: Iterable[str]) -> Iterator[str]:
    """List the files that a location in the settings adds: a folder, a file, or for some kinds a pattern."""
    kind = BY_NAME[extra.kind]
    if "*" in extra.path and extra.kind in ("instructions", "prompts"):
        is_covered = compiled(f"**/{extra.path}")
        names = (path for path in tracked if is_covered(f"/{path}") or is_covered("/" + path.rpartition("/")[0]))
        yield from (path for path in names if kind.is_named(path.rpartition("/")[2].lower()))
    elif extra.path.lower().endswith((".md", ".json")):
        yield extra.path
    else:
        prefix = "" if extra.path == "." else f"{extra.path}/"
        for path in list_below(root / extra.path, depth=kind.depth[1] if prefix else 0):
            if kind.is_named(path.rpartition("/")[2].lower()) and path.count("/") >= kind.depth[0]:
                yield prefix + path


class _Home:
    """A person's own folders."""

    def __init__(self, home: Path, *, environ: Mapping[str, str], platform: str) -> None:
        usual = {"win32": "AppData/Roaming", "darwin": "Library/Application Support"}.get(platform, ".config")
        moved = environ.get({"win32": "APPDATA", "darwin": ""}.get(platform, "XDG_CONFIG_HOME"))
        base = Path(moved) if moved and Path(moved).is_absolute() else home / usual
        users = [(base / editor / "User", f"{usual}/{editor}/User") for editor in _EDITORS]
        users += [(home / server / "data" / "User", f"{server}/data/User") for server in _SERVERS]
        profiles = [
            (Path(entry.path), f"{name}/profiles/{entry.name}")
            for user, name in users
            for entry in _entries(str(user / "profiles"))
            if Path(entry.path).is_dir()
        ]
        self._home = home
        given = {name: Path(environ.get(variable, "")) for name, variable in _MOVED.items()}
        self._moved = {name: folder for name, folder in given.items() if folder.is_absolute()}
        self._prompts = [(folder / "prompts", f"{name}/prompts") for folder, name in (*users, *profiles)]
        """Folders of editors' profiles for prompts and the like, with their usual path below the home."""
        self.settings = [user / "settings.json" for user, _ in users]

    def candidates(self, settings: HostSettings) -> Iterator[_Candidate]:
        for kind in KINDS:
            for folder in kind.home_folders:
                yield from self._of_folder(folder, kind)
        for path, usual in self._prompts:
            for name in list_below(path, depth=0):
                if name.endswith((".instructions.md", ".prompt.md", ".agent.md", ".chatmode.md")):
                    yield _Candidate(f"~/{usual}/{name}", path / name, kind_by_name_of_file(name))
        for extra in settings.extras:
            if extra.is_home:
                yield from self._of_folder(extra.path, BY_NAME[extra.kind])

    def _of_folder(self, usual: str, kind: FileKind) -> Iterator[_Candidate]:
        """List the files of a kind in the folder that is usually at a path below the home."""
        first, _, rest = usual.partition("/")
        folder = self._moved.get(first, self._home / first) / rest
        for path in list_below(folder, depth=kind.depth_here and kind.depth[1]):
            place = place_of(f"{usual}/{path}")
            is_named = kind.is_named(path.rpartition("/")[2].lower()) and path.count("/") >= kind.depth[0]
            if is_named and (place is None or place.kind is kind):
                yield _Candidate(f"~/{usual}/{path}", folder / path, kind)
