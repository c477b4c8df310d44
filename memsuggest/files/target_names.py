"""An allow-list of paths that may ever be a target: customization files, on names alone.

Pure: knows nothing of the disk. `confine` adds what only the disk can tell (links, kinds of files).
Everything here reads a path as `uri`: POSIX, relative to the root, as a fact, a store or a model named it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Literal

from memsuggest.core.errors import OutsideWorkspace
from memsuggest.core.text.words import word_set

Parts = tuple[str, ...]

PATH_LIMIT = 1024  # characters of a whole path; every system we know fails somewhere above
NAME_LIMIT = 255  # bytes of one name on ext4, units on NTFS and APFS
DEPTH_LIMIT = 40

HINT = "targets are customization files in the workspace; run `memsuggest targets` to list them"

CLAUDE_SETTINGS = ".claude/settings.json"
"""Claude Code's settings of a team: no name of a target leads there, and only a hook is written to it."""
_SHELL_AND_DRIVES = frozenset('\\:*?"<>|$`%;^{}')
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
# Letters, marks, numbers, dashes and connectors of any script; other signs only where people really use them.
_FINE_CATEGORIES = frozenset(["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Pd", "Pc"])
_FINE_SIGNS = frozenset(" !#&'()+,-.=@[]_~’（）「」・々〇")
_FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
_SHORT_NAME = re.compile(r"~\d")  # GIT~1: the name that NTFS gives a long one


def refuse(uri: str, why: str) -> OutsideWorkspace:
    """Say why a path may not be a target, without letting its odd characters through."""
    return OutsideWorkspace(f"{uri[:120]!a} cannot be a target: {why}", hint=HINT)


def _marks_a_plain_letter(name: str) -> bool:
    """Tell whether a combining mark sits on an ASCII character, or on none, even after composition."""
    composed = unicodedata.normalize("NFC", name)
    return any(
        unicodedata.combining(char) and (position == 0 or composed[position - 1].isascii())
        for position, char in enumerate(composed)
    )


ODD_NAMES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("the path contains a shell, drive or wildcard character", _SHELL_AND_DRIVES.intersection),
    (
        "the path contains an invisible, control or unusual character",
        lambda name: {unicodedata.category(char) for char in name if char not in _FINE_SIGNS} - _FINE_CATEGORIES,
    ),
    ("the path contains a combining accent on a plain ASCII character", _marks_a_plain_letter),
    ("part of the path starts with `-`, `~` or a space", re.compile("[-~ ]").match),
    ("part of the path ends with a dot or a space", re.compile(r"[. ]\Z").search),
    ("the path is the short name of another file", _SHORT_NAME.search),
    ("part of the path is a reserved device name", lambda name: name.split(".", 1)[0].strip().casefold() in _DEVICES),
    (
        "part of the path is too long",
        lambda name: (
            max(len(unicodedata.normalize(form, name).encode("utf-8", "replace")) for form in _FORMS) > NAME_LIMIT
        ),
    ),
)
"""What no name may be, in its own form and in its compatibility form (full-width dots are dots)."""


@lru_cache(maxsize=1 << 12)  # folders have the same names again and again
def why_odd(name: str) -> str | None:
    if name == "..":
        return None
    forms = (name, unicodedata.normalize("NFKC", name))
    for why, is_odd in ODD_NAMES:
        if any(is_odd(form) for form in forms):
            return why
    if "/" in forms[1] or forms[1] == "..":
        return "the path contains a character that looks like a separator"
    return None


def parts_of(uri: str) -> Parts:
    """Cut a relative POSIX path into plain names, or raise OutsideWorkspace; `..` may not climb above the root."""
    if not uri or len(uri) > PATH_LIMIT or uri.count("/") > DEPTH_LIMIT:
        raise refuse(uri, "the path is empty, too long or too deep")
    if uri.startswith("/") or uri.endswith("/"):
        raise refuse(uri, "not a relative file path")
    kept: list[str] = []
    for name in uri.split("/"):
        if name in ("", "."):
            continue
        if why := why_odd(name):
            raise refuse(uri, why)
        if name != "..":
            kept.append(name)
        elif kept:
            kept.pop()
        else:
            raise refuse(uri, "the path leads outside the root")
    return tuple(kept)


def folded(name: str) -> str:
    """One name as the most lenient file system compares it: compatibility form, case folded, no ignorables."""
    shown = "".join(char for char in name if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold()).rstrip(". ")


VERSION_CONTROL = frozenset([".git", ".hg", ".svn", ".bzr", ".jj", ".sl", ".pijul", "_darcs", ".fossil", "cvs"])
NOT_OURS = word_set(
    "node_modules bower_components jspm_packages vendor third_party third-party thirdparty site-packages dist-packages"
    " .venv venv .tox .nox __pycache__ .yarn .pnpm-store pods carthage .cargo .gradle .m2 .terraform .bundle"
    " .eggs"
)
"""Folders whose files came from elsewhere; an edit there is lost or harms a stranger's code."""
OUR_OWN = ((".github", "memories"), (".memsuggest",), (".specstory",))
CODE = ((".github", "workflows"), (".github", "actions"), (".husky",), (".githooks",))


def is_version_control(parts: Parts) -> bool:
    return any(name in VERSION_CONTROL or name.endswith(".git") for name in map(folded, parts))


def why_forbidden(parts: Parts) -> str | None:
    def lies_in(folders: Parts) -> bool:
        return any(names[at : at + len(folders)] == folders for at in range(len(names)))

    names = tuple(folded(name) for name in parts)
    if is_version_control(parts):
        return "the file is in a version control folder"
    if any(name in NOT_OURS for name in names[:-1]):
        return "the file is in a vendored folder"
    if any(map(lies_in, OUR_OWN)):
        return "the file is in a memsuggest store or a transcript folder"
    return "the file is in a folder of executables" if any(map(lies_in, CODE)) else None


_CUSTOMIZATION = re.compile(
    r"""(?xs)
      (?:.*/)? (?:agents|claude|claude\.local|gemini|copilot-instructions)\.md
    | (?:.*/)? [^/]+ \.(?:instructions|agent|chatmode|prompt)\.md
    | (?:.*/)? skills/ (?:.*/)? [^/]+/skill\.md
    | (?:.*/)? (?:\.claude/rules|\.(?:claude|github|copilot)/agents)/ (?:.*/)? (?!readme\.md\Z)[^/]+\.md
    | (?:.*/)? \.cursor/rules/ (?:.*/)? [^/]+\.mdc
    | (?P<hook> (?:.*/)? \.github/hooks/ (?:.*/)? [^/]+\.json )
    """
)
"""The names that the hosts read, in lower-case ASCII; a hook runs commands."""
_MARKDOWN = re.compile(r"(?s).*/(?!readme\.md\Z)[^/]+\.md")


def plain_name(parts: Parts) -> Parts:
    return tuple(name.lower() if name.isascii() else unicodedata.normalize("NFC", name) for name in parts)


def is_customization(parts: Parts, *, extra_folders: Sequence[str] = ()) -> bool:
    """Tell whether a file of this name is one that assistants read; `extra_folders` are those that settings add."""
    names = plain_name(parts)
    path = "/".join(names)
    if _CUSTOMIZATION.fullmatch(path):
        return True
    for folder in extra_folders if _MARKDOWN.fullmatch(path) else ():
        with suppress(OutsideWorkspace):  # one that leaves the root, or the person's own: not for this root
            above = plain_name(parts_of(folder.rstrip("/")))
            if above and names[: len(above)] == above and len(names) > len(above):
                return True
    return False


def is_executable_target(uri: str) -> bool:
    try:
        found = _CUSTOMIZATION.fullmatch("/".join(plain_name(parts_of(uri))))
    except OutsideWorkspace:
        return False
    return found is not None and found["hook"] is not None
