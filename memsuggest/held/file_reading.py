"""In which chats an assistant had read a customization file, and why not in the others. Pure.

The rules for when a host loads a file are those of `customizations.loading`; here they are asked for a whole chat: a
file with patterns was read when the chat touched a file that they cover, one that is always on in every chat of an
assistant that reads it, a skill or an agent where the chat says that it was used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memsuggest.core.model import Target, TargetType
from memsuggest.customizations.applyto import is_unconditional, matching_pattern, patterns_of
from memsuggest.customizations.loading import loaded_for
from memsuggest.customizations.vscode_settings import HostSettings
from memsuggest.held.chat_note import CLAUDE, COPILOT_CLI, HOSTS, READING_AGENTS_MD, VS_CODE, ChatNote
from memsuggest.suggestions.ranking.hosts import ROOTS, Host, readers_of

_ANY_FILE = "readme"  # stands for a file of the root, where only its folder counts
_TRIED = 5  # covered files that are asked about: who reads it for one of them reads it for all
_OUTSIDE = "/"
_SPECIAL = re.compile(r"\{[^{}]*\}|\[[^\]]*\]|[*?!]+|/(?=\*\*)")  # what stands for other characters in a pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The surroundings of reading, besides a file and a chat."""

    root: str
    targets: tuple[Target, ...]
    settings: HostSettings
    paths: TouchedPaths
    taken_in: frozenset[tuple[Host, str]] = frozenset()
    """Files that an assistant reads because its own file takes them in, or is a link to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """The readers of one file."""

    is_narrow: bool
    """Whether it applies to certain files, or is only used when it is called."""
    concerned: frozenset[int]
    """The chats, by their place, that touched a file it applies to; of a file for all, none."""
    read: frozenset[int]
    why_not: Mapping[str, str]
    """By assistant, why it had not in the others."""


def reading_of(target: Target, chats: Sequence[ChatNote], around: Surroundings) -> FileReading:
    used = {place for place, chat in enumerate(chats) if chat.in_use and _is_in_use(target, chat)}
    names = {chat.assistant for chat in chats if chat.assistant}
    concerned: set[int] = set()
    is_for_all = is_unconditional(target.applies_to)
    if target.always_on:
        is_for_all = target.uri.startswith("~/") or target.folder in ROOTS or target.applies_to in (None, "**")
    if target.type is not TargetType.INSTRUCTIONS:
        article = "an" if target.type is TargetType.AGENT else "a"
        why = dict.fromkeys(
            names, (f"{article} {target.type} is read only when called, and it was not called in any chat")
        )
        concerned = read = used
    elif is_for_all:
        reads = {name: _reads(target, name, _ANY_FILE, around) for name in names}
        read = used | {place for place, chat in enumerate(chats) if reads.get(chat.assistant)}
        why = {name: _why_unread(target, name) for name, does in reads.items() if not does}
        return FileReading(is_narrow=False, concerned=frozenset(), read=frozenset(read), why_not=why)
    else:
        by_vscode, by_others = (
            around.paths.covered(target.applies_to, root=around.root, dialect=name) for name in ("vscode", "github")
        )
        by_any, read, why = by_vscode | by_others, used, {}
        concerned = {place for place, chat in enumerate(chats) if by_any and not chat.touched.isdisjoint(by_any)}
        for name in names:
            covered = by_vscode if name == VS_CODE else by_others
            host = HOSTS.get(name)
            if any(_reads(target, name, path, around) for path in sorted(covered)[:_TRIED]):
                mine = {place for place in concerned if chats[place].assistant == name}
                read |= {place for place in mine if not chats[place].touched.isdisjoint(covered)}
                why[name] = f"the pattern `{target.applies_to}` matches no file touched in chats with {name}"
            elif not covered and (host in readers_of(target.uri) or (host, target.uri) in around.taken_in):
                why[name] = f"the pattern `{target.applies_to}` matches no file"
            else:
                why[name] = _why_unread(target, name)
    return FileReading(is_narrow=True, concerned=frozenset(concerned), read=frozenset(read), why_not=why)


class TouchedPaths:
    """All files that chats touched, and which of them a pattern covers; each pattern is asked about once."""

    def __init__(self, chats: Iterable[ChatNote]) -> None:
        paths = frozenset[str]().union(*(chat.touched for chat in chats))
        self._paths = [(path, f"/{path}".casefold()) for path in sorted(paths) if not path.startswith(_OUTSIDE)]
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def covered(self, apply_to: str | None, *, root: str, dialect: str) -> frozenset[str]:
        key = (apply_to or "", dialect)
        if key not in self._known:
            needed = [_literals(pattern) for pattern in patterns_of(apply_to)]
            self._known[key] = frozenset(
                path
                for path, folded in self._paths
                if any(all(piece in folded for piece in pieces) for pieces in needed)
                and matching_pattern(apply_to, path, root=root, dialect=dialect) is not None
            )
        return self._known[key]


def _literals(pattern: str) -> list[str]:
    if pattern.startswith("/") or "\\" in pattern or pattern.count("{") > 1:
        return []  # from the root of the disk; or groups may stand in groups
    return [piece for piece in _SPECIAL.split(pattern.removeprefix("./").casefold()) if piece]


def _reads(target: Target, assistant: str, path: str, around: Surroundings) -> bool:
    if assistant in READING_AGENTS_MD:
        return target.uri == "AGENTS.md"
    host = HOSTS[assistant]
    if (host, target.uri) in around.taken_in:
        return True
    if assistant in (VS_CODE, COPILOT_CLI, CLAUDE) or not target.always_on:
        others = around.targets if target.always_on else ()  # a nearer file wins over those alone
        beside = [other for other in others if other.always_on and other.uri != target.uri]
        answers = loaded_for(path, [target, *beside], around.root, settings=around.settings)
        answer = next((answer for answer in answers if answer.target is target), None)
        if answer is None:
            return False
        if assistant == VS_CODE:
            return answer.vscode
        return answer.github if assistant == COPILOT_CLI else assistant in answer.others
    return host in readers_of(target.uri) and (target.uri.startswith("~/") or target.folder in ROOTS)


def _why_unread(target: Target, assistant: str) -> str:
    if assistant in HOSTS and HOSTS[assistant] in readers_of(target.uri):
        return f"{assistant} did not load the file; `memsuggest targets --for FILE` shows which pattern would match"
    return f"{assistant} does not read this file by default"


def _is_in_use(target: Target, chat: ChatNote) -> bool:
    """Tell whether a chat tells that a file was used in it: by its path, or by the name of a skill or an agent."""
    folder, _, name = target.uri.rpartition("/")
    names = {target.uri, target.title.casefold()}
    if target.type is TargetType.SKILL:
        names.add(folder.rpartition("/")[2].casefold())
    elif target.type is not TargetType.INSTRUCTIONS:
        names.add(name.partition(".")[0].casefold())
    return any(used in names or used.casefold() in names or used.endswith(f"/{target.uri}") for used in chat.in_use)
