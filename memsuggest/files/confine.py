"""From the name of a target to the one path it may mean, or a refusal. Looks at the disk, never changes it."""

from __future__ import annotations

import os
import posixpath
import re
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote_to_bytes

from memsuggest.files import target_names
from memsuggest.files.system_errors import explained

_FILE_URI = re.compile(r"file://(?:localhost)?(/[^?#]*)", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_NEVER_ESCAPED = frozenset(b"/\\.%~$`")
"""Bytes that a writer of honest URIs leaves as they are, and that change what a path means."""


def inside(root: Path, uri: str, *, extra_folders: Sequence[str] = ()) -> Path:
    """Return the path below `root` that a fact, a store or a model means by `uri`, or raise OutsideWorkspace.

    Args:
        root: the workspace's folder; need not exist.
        uri: POSIX path relative to the root, or `file:` URI below it.
        extra_folders: folders, relative to the root, in which settings let hosts find customizations.
    """
    parts = target_names.parts_of(_relative(root, uri))
    if why := target_names.why_forbidden(parts):
        raise target_names.refuse(uri, why)
    if not target_names.is_customization(parts, extra_folders=extra_folders):
        raise target_names.refuse(uri, "not a customization file")
    path, real, leads_to = _below(root, parts, uri)
    with explained(path, "access"):
        is_link = path.is_symlink()
    if is_link:
        is_read = target_names.is_customization(leads_to) or leads_to[-1].lower().endswith((".md", ".mdc"))
        is_executable = target_names.is_executable_target
        if not is_read or is_executable("/".join(parts)) != is_executable("/".join(leads_to)):
            raise target_names.refuse(uri, "the file links to something other than a customization file")
    _require_regular(real, uri)
    return path


def readable_inside(root: Path, uri: str) -> Path:
    """Return the path of a file that a transcript names, for reading only; secrets and version control are refused.

    Whether git ignores it is for the caller to ask. Raises OutsideWorkspace.
    """
    parts = target_names.parts_of(_relative(root, uri))
    if not parts or target_names.why_forbidden(parts) or is_secret_name(parts[-1]):
        raise target_names.refuse(uri, "this file must not be read")
    path, real, _ = _below(root, parts, uri)
    if is_secret_name(real.name):
        raise target_names.refuse(uri, "this file must not be read")
    _require_regular(real, uri)
    return path


_SECRET_NAME = re.compile(
    r"""(?x)
      \.env(\..*|rc)? | .*\.env
    | \.(netrc|npmrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg|boto|s3cfg|my\.cnf)
    | id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\..*)?
    | .*\.(pem|key|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|tfstate|tfvars)(\..*)?
    | (.*[._-])?(credentials?|secrets?|passwords?|passwd|shadow|kubeconfig|authorized_keys|known_hosts|token)(\..*)?
    """
)


def is_secret_name(name: str) -> bool:
    return _SECRET_NAME.fullmatch(target_names.folded(name)) is not None


def _relative(root: Path, uri: str) -> str:
    """The path relative to the root; a `file:` URI must lie below it."""
    if uri[:5].lower() != "file:":
        return uri
    match = _FILE_URI.fullmatch(uri)
    if match is None:
        raise target_names.refuse(uri, "only plain local `file:` URIs are accepted")
    escaped = {int(digits, 16) for digits in _ESCAPE.findall(match[1])}
    if match[1].count("%") != len(_ESCAPE.findall(match[1])):
        raise target_names.refuse(uri, "the URI contains an invalid escape")
    if escaped & _NEVER_ESCAPED or any(byte < 0x20 or byte == 0x7F for byte in escaped):
        raise target_names.refuse(uri, "the URI contains an escaped separator, dot or control character")
    try:
        path = posixpath.normpath(unquote_to_bytes(match[1].encode("utf-8", "replace")).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise target_names.refuse(uri, "the URI's escapes are not valid UTF-8") from error
    if sys.platform == "win32":
        path = path.lstrip("/")
    fold = str.lower if sys.platform == "win32" else str  # drive letters and names come in either case
    for above in (root, Path(os.path.realpath(root))):
        prefix = above.as_posix().rstrip("/") + "/"
        if fold(path).startswith(fold(prefix)):
            return path[len(prefix) :]
    raise target_names.refuse(uri, "the path is outside the root")


def _below(root: Path, parts: target_names.Parts, uri: str) -> tuple[Path, Path, target_names.Parts]:
    """The path, the real one and its parts, when no link leads out of the root, into version control or nowhere."""
    path = root.joinpath(*parts)
    with explained(path, "access"):
        for above in (path, *list(path.parents)[: len(parts) - 1]):
            if above.is_symlink() and not above.exists():
                raise target_names.refuse(uri, "the path contains a broken or circular link")
        real_root, real = Path(os.path.realpath(root)), Path(os.path.realpath(path))
    if not real.is_relative_to(real_root):
        raise target_names.refuse(uri, "the path contains a link to a location outside the root")
    leads_to = real.relative_to(real_root).parts
    if why := target_names.why_forbidden(leads_to):
        raise target_names.refuse(uri, why)
    return path, real, leads_to


def _require_regular(real: Path, uri: str) -> None:
    with explained(real, "access"):
        try:
            mode = os.lstat(real).st_mode
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise target_names.refuse(uri, "part of the path is not a folder") from None
    if not stat.S_ISREG(mode):
        raise target_names.refuse(uri, "not a regular file")


_USER_DATA = (
    r"\.config/[^/]+/User",  # VS Code and its like on Linux
    r"Library/Application Support/[^/]+/User",  # macOS
    r"AppData/Roaming/[^/]+/User",  # Windows
    r"\.vscode-server(?:-insiders)?/data/User",
)
USER_PLACES = tuple(
    re.compile(pattern, re.IGNORECASE | re.ASCII)
    for pattern in (
        r"\.(copilot/copilot-instructions|claude/CLAUDE|codex/AGENTS)\.md",
        r"\.copilot/instructions/(.+/)?[^/]+\.instructions\.md",
        r"\.claude/rules/(.+/)?(?!readme\.md$)[^/]+\.md",
        r"\.(copilot|claude)/agents/(.+/)?(?!readme\.md$)[^/]+\.md",
        r"\.(copilot|claude|agents)/skills/(.+/)?[^/]+/SKILL\.md",
        r"\.copilot/prompts?/(.+/)?[^/]+\.prompt\.md",
        rf"(?:{'|'.join(_USER_DATA)})/(?:profiles/[^/]+/)?prompts/[^/]+\.(instructions|prompt|agent|chatmode)\.md",
    )
)
"""The person's own customization files, relative to HOME: the only places of theirs that suggestions write to."""


_PRIVATE = frozenset([".ssh", ".gnupg", ".aws", ".kube", ".password-store"])
_NEGATIVE_PROFILE = re.compile(r"(?<=/User/profiles/)-(?=[0-9a-f]{1,16}/)")


def inside_home(home: Path, uri: str, *, moved: Mapping[str, Path] | None = None) -> Path:
    """Return the path of the person's own customization file that `uri` (`~/…`) means, or raise OutsideWorkspace.

    Args:
        home: the person's HOME.
        uri: `~/` and a POSIX path.
        moved: folders that the person's environment puts elsewhere, by their usual name
            (`{".copilot": Path(os.environ["COPILOT_HOME"])}`).
    """
    if not uri.startswith("~/"):
        raise target_names.refuse(uri, "paths to your own files must start with `~/`")
    profile = _NEGATIVE_PROFILE.search(uri)  # an editor's profile is named by a number, which may be negative
    parts = target_names.parts_of(_NEGATIVE_PROFILE.sub("", uri)[2:])
    if profile:
        at = parts.index("profiles") + 1
        parts = (*parts[:at], f"-{parts[at]}", *parts[at + 1 :])
    if target_names.why_forbidden(parts) or not any(place.fullmatch("/".join(parts)) for place in USER_PLACES):
        raise target_names.refuse(uri, "not one of your customization files")
    base = (moved or {}).get(parts[0])
    path = base.joinpath(*parts[1:]) if base is not None else home.joinpath(*parts)
    # A link may lead to the person's own file below HOME (dotfiles), if that is a text and theirs.
    with explained(path, "access"):
        real = Path(os.path.realpath(path))
        if path.is_symlink() and not real.exists():
            raise target_names.refuse(uri, "broken or circular link")
    tops = [Path(os.path.realpath(root)) for root in (home, base or home)]
    below = [real.relative_to(top).parts for top in tops if real.is_relative_to(top)]
    if not below or not real.name.lower().endswith(".md"):
        raise target_names.refuse(uri, "the link's target is not one of your own text files")
    if any(target_names.why_forbidden(way) or _PRIVATE.intersection(map(target_names.folded, way)) for way in below):
        raise target_names.refuse(uri, "the file links to a private folder")
    _require_regular(real, uri)
    if real.exists() and hasattr(os, "geteuid") and os.geteuid() not in (0, real.stat().st_uid):
        raise target_names.refuse(uri, "the file belongs to another user")
    return path
