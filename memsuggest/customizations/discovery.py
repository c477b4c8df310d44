"""Finding the customization files of a workspace and of the person, as the hosts themselves find them.

Reads folders, files (through the given reader) and git's index; writes nothing, follows no link out of the root.
Of a file and the links to it, the file is the target.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core import json_edit as jsonc
from memsuggest.core.errors import FileError, Skipped
from memsuggest.core.git import run_git
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Scope, Section, Target, TargetType
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.globs import compiled
from memsuggest.customizations.kept_index import made_anew
from memsuggest.customizations.kinds import (
    ALWAYS_ON_NAMES,
    BY_NAME,
    KINDS,
    FileKind,
    header_of,
    kind_by_name_of_file,
    place_of,
    title_of,
)
from memsuggest.customizations.vscode_settings import Extra, HostSettings, host_settings, merged_settings
from memsuggest.files.exact import FileText, digest_of, read_exact
from memsuggest.files.target_names import NOT_OURS, VERSION_CONTROL

if TYPE_CHECKING:
    from memsuggest.customizations.kept_index import Keep


# Reads folders and runs git; opens no file.

_SUFFIXES = (".md", ".mdc", ".json", ".MD", ".Md")
_HOST_FOLDERS = (".github", ".claude", ".agents", ".cursor", ".copilot")
_FOLDER_LIMIT = 20_000  # folders that are looked into where there is no index
_DEPTH_LIMIT = 12
_UNTRACKED = "?"  # how git tags it


@dataclass(frozen=True, slots=True, kw_only=True)
class FileListing:
    """A listing of files."""

    tracked: tuple[str, ...] = ()
    """Every path in git's index, POSIX; all files found by walking where there is no git."""
    candidates: tuple[str, ...] = ()
    """Paths that may be customizations, sorted; they need not exist."""
    odd: tuple[str, ...] = ()
    """Paths that may be customizations, and whose names have control characters."""
    is_cut: bool = False
    """The walk stopped at its limit."""


def list_workspace(root: Path) -> FileListing:
    """List the paths of a workspace in which customizations are looked for."""
    printed = run_git(root, "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard")
    near = set(near_files(root, {folder: kind.depth_here for kind in KINDS for folder in kind.folders}))
    if printed is None:
        found, is_cut = _walk(root)
        names = {*near, *_candidates(found)}
        return FileListing(tracked=tuple(found), candidates=_sorted(names), odd=_odd(names), is_cut=is_cut)
    tagged = [row.partition(" ") for row in printed.decode("utf-8", "surrogateescape").split("\0") if row]
    tracked = tuple(path for tag, _, path in tagged if tag != _UNTRACKED)
    untracked = (path for tag, _, path in tagged if tag == _UNTRACKED)
    always_on = (path for path in untracked if path[path.rfind("/") + 1 :].lower() in ALWAYS_ON_NAMES)
    names = {*near, *_candidates(tracked), *always_on}
    return FileListing(tracked=tracked, candidates=_sorted(names), odd=_odd(names))


def _odd(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if not _is_foreign(path) and not path.isprintable()))


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if not _is_foreign(path) and path.isprintable()))


def _is_foreign(path: str) -> bool:
    folded = path.lower()
    parts = folded.split("/")[:-1]
    return "/worktrees/" in folded or any(part in NOT_OURS or part in VERSION_CONTROL for part in parts)


def _candidates(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if path.endswith(_SUFFIXES):
            is_near = any(f"{folder}/" in path for folder in _HOST_FOLDERS)
            if is_near or path[path.rfind("/") + 1 :].lower() in ALWAYS_ON_NAMES:
                yield path


def near_files(root: Path, depths: Mapping[str, int]) -> Iterator[str]:
    """List what lies in these folders (POSIX, relative to the root), and so many folders down."""
    for folder, depth in depths.items():
        for path in list_below(root / folder, depth=depth):
            yield f"{folder}/{path}" if folder else path


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
            elif left and _is_folder(entry) and entry.name.lower() not in NOT_OURS:
                waiting.append((entry.path, f"{prefix}{entry.name}/", left - 1))
    return sorted(found)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


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
            if entry.is_dir(follow_symlinks=False):
                is_wanted = not entry.name.startswith(".") or entry.name in _HOST_FOLDERS
                if is_wanted and depth < _DEPTH_LIMIT and entry.name.lower() not in NOT_OURS:
                    waiting.append((entry.path, f"{prefix}{entry.name}/", depth + 1))
            else:
                found.append(prefix + entry.name)
    return found, True


LARGEST = 512 * 1024
"""Characters of a file that is read as a target: two and a half times the largest that was seen in the wild."""
_SETTINGS = ".vscode/settings.json"
_TEAM_SETTINGS = ".claude/settings.json"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    uri: str
    path: Path
    kind: FileKind | None = None
    """Given by a setting; None when the path tells."""


def find_targets(
    root: Path,
    *,
    home: Path | None,
    environ: Mapping[str, str],
    platform: str,
    read: Callable[[Path], FileText] = read_exact,
    keep: Keep = made_anew,
) -> FoundTargets:
    """Find every customization file of the workspace and the person; what cannot be read is skipped with a reason.

    `keep` has what was made of files before.
    """
    search = _Search(root=root, read=read, keep=keep)
    listing, settings, candidates = search.candidates(home, environ=environ, platform=platform)
    read_targets = map(search.read_candidate, candidates)
    targets = [target for target in read_targets if target]
    return FoundTargets(
        targets=tuple(sorted(targets, key=lambda target: (target.scope is Scope.USER, target.uri))),
        skipped=tuple(search.skipped),
        tracked_paths=listing.tracked,
        links=search.links,
        settings=settings,
        digest=search.digest(listing, settings),
    )


def seen_targets(
    root: Path, *, home: Path | None, environ: Mapping[str, str], platform: str
) -> tuple[str, tuple[str, ...]]:
    """Return the `digest` and the `tracked_paths` that `find_targets` would give now; no file is parsed."""
    search = _Search(root=root, read=read_exact)
    listing, settings, candidates = search.candidates(home, environ=environ, platform=platform)
    for candidate in candidates:
        search.content_of(candidate)
    return search.digest(listing, settings), listing.tracked


def target_from(uri: str, text: str, *, kind: FileKind | None = None, keep: Keep = made_anew) -> Target:
    """Make the target of a file from its path (relative to the root, or `~/…`) and its text."""
    is_own = uri.startswith("~/")
    place = place_of(uri.removeprefix("~/"))
    kind = kind or (place.kind if place else kind_by_name_of_file(uri))
    digest = digest_of(text)
    governed = "" if is_own or place is None else place.base
    title, description, applies_to, found = keep(
        "head", uri, f"{kind.name} {digest}", lambda: _head(uri, text, kind, governed)
    )
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


def _head(uri: str, text: str, kind: FileKind, governed: str) -> tuple[str, str, str | None, list[tuple[object, ...]]]:
    """Return what a file is called, what it says it is for, which files it applies to, and its sections."""
    header = header_of(kind, text)
    found = () if kind.type is TargetType.HOOK else layout(text).sections
    return (
        title_of(uri, header, tuple(one.heading for one in found)),
        (header.description or "").strip(),
        kind.applies_to(header, governed),
        [(one.heading, one.level, one.path, one.start, one.end) for one in found],
    )


def _in_workspace(root: Path, listing: FileListing, settings: HostSettings) -> Iterator[_Candidate]:
    for path in listing.candidates:
        if place_of(path):
            yield _Candidate(uri=path, path=root / path)
    for extra in settings.extras:
        if not extra.is_home:
            for path in _of_extra(root, extra, listing.tracked):
                yield _Candidate(uri=path, path=root / path, kind=BY_NAME[extra.kind])


def _of_extra(root: Path, extra: Extra, tracked: Iterable[str]) -> Iterator[str]:
    """List the files that a location in the settings adds: a folder, a file, or for some kinds a pattern."""
    kind = BY_NAME[extra.kind]
    if extra.has_wildcard:
        is_covered = compiled(f"**/{extra.path}")
        names = (path for path in tracked if is_covered(f"/{path}") or is_covered("/" + path.rpartition("/")[0]))
        yield from (path for path in names if kind.is_named(path.rpartition("/")[2].lower()))
    elif extra.path.lower().endswith((".md", ".json")):
        yield extra.path
    else:
        prefix = "" if extra.path == "." else f"{extra.path}/"
        deepest = 0 if not prefix else kind.depth[1]
        for path in list_below(root / extra.path, depth=deepest):
            if kind.is_named(path.rpartition("/")[2].lower()) and path.count("/") >= kind.depth[0]:
                yield prefix + path


def _in_home(own: Home | None, settings: HostSettings) -> Iterator[_Candidate]:
    if own is None:
        return
    for kind in KINDS:
        for folder in kind.home_folders:
            yield from _of_folder(own.folder(folder), f"~/{folder}", kind)
    for path, usual in own.prompts:
        for name in list_below(path, depth=0):
            if name.endswith((".instructions.md", ".prompt.md", ".agent.md", ".chatmode.md")):
                yield _Candidate(uri=f"~/{usual}/{name}", path=path / name, kind=kind_by_name_of_file(name))
    for extra in settings.extras:
        if extra.is_home:
            yield from _of_folder(own.folder(extra.path), f"~/{extra.path}", BY_NAME[extra.kind])


def _of_folder(folder: Path, usual: str, kind: FileKind) -> Iterator[_Candidate]:
    for path in list_below(folder, depth=kind.depth_here and kind.depth[1]):
        name = path.rpartition("/")[2].lower()
        place = place_of(f"{usual}/{path}".removeprefix("~/"))
        if kind.is_named(name) and path.count("/") >= kind.depth[0] and (place is None or place.kind is kind):
            yield _Candidate(uri=f"{usual}/{path}", path=folder / path, kind=kind)


def _real_first(candidates: Iterable[_Candidate], real_root: str) -> list[_Candidate]:
    """Put files before links, so that a link is known as one when its file was seen."""
    unique = {candidate.uri: candidate for candidate in reversed(list(candidates))}

    def is_linked(candidate: _Candidate) -> bool:
        base = "" if candidate.uri.startswith("~/") else real_root
        plain = str(Path(base, *candidate.uri.split("/"))) if base else str(candidate.path)
        return os.path.realpath(candidate.path) != plain

    return sorted(unique.values(), key=lambda one: (is_linked(one), one.uri))


class _Search:
    """One search: what was read so far, by its real path."""

    def __init__(self, *, root: Path, read: Callable[[Path], FileText], keep: Keep = made_anew) -> None:
        self.root = root
        self.keep = keep
        self.real_root = os.path.realpath(root)
        self.read = read
        self.by_real_path: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.skipped: list[Skipped] = []
        self._seen: list[str] = []

    def candidates(
        self, home: Path | None, *, environ: Mapping[str, str], platform: str
    ) -> tuple[FileListing, HostSettings, list[_Candidate]]:
        """List what may be a customization file, and what the settings say of where they are."""
        listing = list_workspace(self.root)
        if listing.is_cut:
            self.skip(".", "it has too many folders; deeper ones were not searched")
        for name in listing.odd:
            self.skip(ascii(name)[1:-1], "its name contains control characters; rename it")
        own = find_home_folders(home, environ=environ, platform=platform) if home else None
        settings = self.read_settings(own)
        found = [*_in_workspace(self.root, listing, settings), *_in_home(own, settings)]
        return listing, settings, _real_first(found, self.real_root)

    def digest(self, listing: FileListing, settings: HostSettings) -> str:
        """Return the identity of what this search has seen."""
        skipped = (f"{skip.what}\0{skip.why}" for skip in self.skipped)
        links = (f"{link}\0{to}" for link, to in self.links.items())
        return hash_of(repr(settings), "\0".join(listing.tracked), *skipped, *links, *self._seen)

    def skip(self, what: str, why: str) -> None:
        """Note what was left out, and why."""
        self.skipped.append(Skipped(what=what, why=why))

    def read_candidate(self, candidate: _Candidate) -> Target | None:
        """Return a file as a target; None where it is gone or leads elsewhere."""
        content = self.content_of(candidate)
        if content is None:
            return None
        target = target_from(candidate.uri, content.text, kind=candidate.kind, keep=self.keep)
        return target if _is_of_use(target) else None

    def content_of(self, candidate: _Candidate) -> FileText | None:
        """Return what a file holds; None where it is gone or leads elsewhere."""
        real = os.path.realpath(candidate.path)
        if not os.path.lexists(candidate.path):
            return None
        is_own = candidate.uri.startswith("~/")
        if not is_own and not (real + os.sep).startswith(self.real_root.rstrip(os.sep) + os.sep):
            self.skip(candidate.uri, "it is a link to a place outside the workspace")
            return None
        known = self.by_real_path.get(real)
        if known is not None:
            self.links[candidate.uri] = known
            return None
        content = self._content(candidate.uri, Path(real))
        if content is None:
            return None
        self.by_real_path[real] = candidate.uri
        kind = candidate.kind.name if candidate.kind else ""
        self._seen.append(f"{candidate.uri}\0{kind}\0{digest_of(content.text)}")
        return content

    def _content(self, uri: str, real: Path) -> FileText | None:
        if not real.exists():
            self.skip(uri, "it is a broken link")
            return None
        if real.is_dir():
            return None
        try:
            found = self.read(real)
        except FileError as error:
            self.skip(uri, str(error.message))
            return None
        if len(found.text) <= LARGEST:
            return found
        self.skip(uri, f"it is larger than {LARGEST // 1024} KB, more than any assistant reads")
        return None

    def read_settings(self, own: Home | None) -> HostSettings:
        """Read what the editor's settings say, the person's and the repository's."""
        found = self._settings_of(self.root / _SETTINGS, _SETTINGS, is_own=False)
        for path in own.settings if own else ():
            found = merged_settings(found, self._settings_of(path, str(path), is_own=True))
        for what, why in found.refused:
            self.skip(what, why)
        return found

    def _settings_of(self, path: Path, name: str, *, is_own: bool) -> HostSettings:
        if not path.is_file():
            return HostSettings()
        try:
            values = jsonc.loads(self.read(path).text)
        except FileError as error:
            self.skip(name, str(error.message))
            return HostSettings()
        except ValueError as error:
            self.skip(name, f"invalid JSON: {error}")
            return HostSettings()
        return host_settings(values, may_name_home=is_own) if isinstance(values, dict) else HostSettings()


def _is_of_use(target: Target) -> bool:
    if target.type is not TargetType.HOOK or not target.uri.endswith(("/settings.json", "/settings.local.json")):
        return True
    is_teams = target.uri == _TEAM_SETTINGS and target.text.lstrip().startswith("{")
    return '"hooks"' in target.text or is_teams


_EDITORS = ("Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS")
_SERVERS = (".vscode-server", ".vscode-server-insiders")
_MOVED = {".copilot": "COPILOT_HOME", ".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}
"""A host's folder in the home, and the variable that moves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A person's own folders."""

    home: Path
    moved: Mapping[str, Path] = field(default_factory=dict)
    """First name below the home, and the folder that stands for it."""
    prompts: tuple[tuple[Path, str], ...] = ()
    """Folders of editors' profiles for prompts and the like, with their usual path below the home."""
    settings: tuple[Path, ...] = ()
    """The editors' settings files."""

    def folder(self, path: str) -> Path:
        """Return the folder that is usually at this path below the home."""
        first, _, rest = path.partition("/")
        return (self.moved.get(first) or self.home / first) / rest


def moved_folders(environ: Mapping[str, str]) -> dict[str, Path]:
    """Return the hosts' folders that the environment moves away from the home, by their usual name."""
    found = {name: environ.get(variable) for name, variable in _MOVED.items()}
    return {name: Path(value) for name, value in found.items() if value and Path(value).is_absolute()}


def find_home_folders(home: Path, *, environ: Mapping[str, str], platform: str) -> Home:
    """Say where this person's files lie; `platform` is `sys.platform`."""
    moved = moved_folders(environ)
    base, usual = _user_data(home, environ=environ, platform=platform)
    users = [(base / editor / "User", f"{usual}/{editor}/User") for editor in _EDITORS]
    users += [(home / server / "data" / "User", f"{server}/data/User") for server in _SERVERS]
    profiles = [
        (folder, f"{name}/profiles/{folder.name}") for user, name in users for folder in _folders(user / "profiles")
    ]
    return Home(
        home=home,
        moved=moved,
        prompts=tuple((folder / "prompts", f"{name}/prompts") for folder, name in (*users, *profiles)),
        settings=tuple(user / "settings.json" for user, _ in users),
    )


def _user_data(home: Path, *, environ: Mapping[str, str], platform: str) -> tuple[Path, str]:
    if platform == "win32":
        roaming = environ.get("APPDATA")
        return Path(roaming) if roaming else home / "AppData" / "Roaming", "AppData/Roaming"
    if platform == "darwin":
        return home / "Library" / "Application Support", "Library/Application Support"
    config = environ.get("XDG_CONFIG_HOME")
    return Path(config) if config and Path(config).is_absolute() else home / ".config", ".config"


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []
