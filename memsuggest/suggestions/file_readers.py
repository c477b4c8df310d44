"""Readers of a customization file: the assistants that load it by themselves, and those that do not."""

from __future__ import annotations

from memsuggest.core.context import Context
from memsuggest.suggestions.bridges import bridge_id
from memsuggest.suggestions.decision_reports import Readers
from memsuggest.suggestions.pending import pending_maintenance
from memsuggest.suggestions.ranking.hosts import Host, readers_of
from memsuggest.suggestions.unread_files import is_taken_in

_PROGRAMS = {
    "VS Code": Host.COPILOT,
    "Copilot CLI": Host.COPILOT,
    "Claude Code": Host.CLAUDE,
    "Codex": Host.CODEX,
}
"""The assistants of which it is said, and whose rules for files they follow."""
_PROMPTS = ".prompt.md"
"""How files end that are typed as a `/command`, which the command line of Copilot has not."""


def readers(context: Context, uri: str) -> Readers:
    """Return who reads a file and who does not; nobody, where it is not known of any.

    Claude Code reads AGENTS.md, too, where its own file beside it is a link to it, or takes it in.
    """
    hosts = readers_of(uri)
    if not hosts:
        return Readers()
    reading = [name for name, host in _PROGRAMS.items() if host in hosts or is_taken_in(context, host, uri)]
    if uri.endswith(_PROMPTS) and "Copilot CLI" in reading:
        reading.remove("Copilot CLI")
    others = tuple(name for name in _PROGRAMS if name not in reading)
    offered = {suggestion.id for suggestion in pending_maintenance(context)} if others else set()
    ids = {name: bridge_id(_PROGRAMS[name], uri) for name in others}
    return Readers(
        reading=tuple(reading),
        others=others,
        bridges=tuple((name, one) for name, one in ids.items() if one in offered),
    )
