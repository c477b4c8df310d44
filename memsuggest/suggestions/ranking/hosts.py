"""Hosts: the assistant a fact was said to, and those that read a file. Pure: tables of what hosts document."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memsuggest.core.identity import hash_of
from memsuggest.core.model import Cause, MemoryFact, Scope
from memsuggest.suggestions.ranking.match import Ranked

ROOTS = ("", ".github", ".claude")
"""Where always-on files stand that hold for the whole workspace."""


class Host(StrEnum):
    """An assistant, by the name that people know it by."""

    CLAUDE = "Claude Code"
    COPILOT = "Copilot"
    CODEX = "Codex"
    CURSOR = "Cursor"
    GEMINI = "Gemini"


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Assistants that read a file by themselves, and others; neither says anything where that is not known."""

    reading: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    bridges: tuple[tuple[str, str], ...] = ()
    """Of the others, an assistant and the id of the suggestion that makes it read the file."""


_BY_FORMAT = (
    ("claude-code", Host.CLAUDE),
    ("claude-export", Host.CLAUDE),
    ("codex", Host.CODEX),
    ("vscode", Host.COPILOT),
    ("copilot", Host.COPILOT),
    ("cursor", Host.CURSOR),
    ("gemini", Host.GEMINI),
)
"""How the names of transcript formats begin, and the assistant that writes them."""
_AGENTS_MD = (Host.COPILOT, Host.CODEX, Host.CURSOR)
_BY_FOLDER = (
    ("~/.claude/", (Host.CLAUDE, Host.COPILOT)),
    ("~/.codex/", (Host.CODEX,)),
    ("~/.gemini/", (Host.GEMINI,)),
    ("~/", (Host.COPILOT,)),
    (".claude/", (Host.CLAUDE, Host.COPILOT)),
    (".cursor/", (Host.CURSOR,)),
    (".github/", (Host.COPILOT,)),
)
"""The folders of hosts, the more particular first."""
_BY_NAME = {
    "agents.md": _AGENTS_MD,
    "claude.md": (Host.CLAUDE, Host.COPILOT),
    "claude.local.md": (Host.CLAUDE, Host.COPILOT),
    "gemini.md": (Host.GEMINI, Host.COPILOT),
}
_IMPORT = re.compile(r"(?<!\S)@([\w./-]+\.md)(?!\S)")
"""A line or a word with which a file takes in another."""


def bridge_id(host: Host | str, uri: str) -> str:
    return hash_of("care", Cause.UNREAD, str(host), uri)


def host_of(fact: MemoryFact) -> Host | None:
    """Return the assistant that a fact was said to; None where several were told, or a chat does not say."""
    hosts = _hosts_of(fact)
    return hosts.pop() if len(hosts) == 1 else None


def _hosts_of(fact: MemoryFact) -> set[Host | None]:
    """Return the assistants that a fact was said to; None among them for a chat of which that is not known."""
    formats = {citation.format for citation in fact.citations}
    return {next((host for begin, host in _BY_FORMAT if name.startswith(begin)), None) for name in formats}


def readers_of(uri: str) -> tuple[Host, ...]:
    """Return the assistants that read a customization file by themselves.

    >>> [str(host) for host in readers_of("~/.codex/AGENTS.md")]
    ['Codex']
    """
    by_folder = next((hosts for folder, hosts in _BY_FOLDER if uri.startswith(folder)), None)
    return by_folder or _BY_NAME.get(uri.rpartition("/")[2].lower(), ())


def host_first(found: Sequence[Ranked], fact: MemoryFact) -> list[Ranked]:
    """Put last what no assistant reads that was told; of a person's own files, leave it out.

    A file that takes in another one (`@AGENTS.md`) makes its host read that one, too.
    """
    host = host_of(fact)
    if fact.scope is Scope.USER:
        return [place for place in found if host is None or host in readers_of(place.target.uri)]
    hosts = _hosts_of(fact) - {None}
    unread = {place.target.uri for place in found if hosts and hosts.isdisjoint(readers_of(place.target.uri))}
    taken = {
        posixpath.normpath(posixpath.join(posixpath.dirname(place.target.uri), name))
        for place in found
        if place.target.uri not in unread
        for name in _IMPORT.findall(place.target.text)
    }

    def rank(place: Ranked) -> tuple[bool, bool]:
        body = re.sub(r"\A---\n.*?^---\n", "", place.target.text.replace("\r\n", "\n"), flags=re.DOTALL | re.MULTILINE)
        lines = [line for line in body.splitlines() if line.strip()]
        # A file that has nothing but the name of another one: a rule goes to that one.
        is_bridge = bool(lines) and all(_IMPORT.fullmatch(line.strip()) for line in lines)
        return is_bridge, place.target.uri in unread - taken

    return sorted(found, key=rank)


def unread_by(uri: str, fact: MemoryFact) -> Host | None:
    """Return the assistant that a fact was said to, where it does not read a file by itself that others read."""
    host, readers = host_of(fact), readers_of(uri)
    return host if readers and host not in readers else None
