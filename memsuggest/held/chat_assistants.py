"""The assistant of a chat, by the name that people know it by. Pure."""

from __future__ import annotations

from memsuggest.core.model import Transcript
from memsuggest.suggestions.ranking.hosts import Host

CLAUDE, CODEX, CURSOR, GEMINI = (str(host) for host in (Host.CLAUDE, Host.CODEX, Host.CURSOR, Host.GEMINI))
VS_CODE, COPILOT_CLI = "VS Code", "Copilot CLI"
OPENCODE, PI = "OpenCode", "Pi"
HOSTS = {
    CLAUDE: Host.CLAUDE,
    VS_CODE: Host.COPILOT,
    COPILOT_CLI: Host.COPILOT,
    CODEX: Host.CODEX,
    CURSOR: Host.CURSOR,
    GEMINI: Host.GEMINI,
}
"""The assistants of which it is known what they read, and whose rules for files they follow."""
READING_AGENTS_MD = frozenset((OPENCODE, PI))
"""Assistants that read an AGENTS.md at the root, and of the other files that we know none."""
_BY_FORMAT = (
    ("claude-code", CLAUDE),
    ("claude-export", CLAUDE),
    ("codex", CODEX),
    ("vscode", VS_CODE),
    ("copilot-cli", COPILOT_CLI),
    ("copilot-copy", VS_CODE),
    ("cursor", CURSOR),
    ("gemini", GEMINI),
    ("opencode", OPENCODE),
    ("pi", PI),
)
"""How the names of formats begin that one assistant writes."""
_BY_NAME = (("claude", CLAUDE), ("codex", CODEX), ("cursor", CURSOR), ("gemini", GEMINI), ("copilot cli", COPILOT_CLI))
"""How programs that save other assistants' chats name these."""


def assistant_of(transcript: Transcript) -> str:
    """Return the name of the assistant that a chat was with; empty where that is not told."""
    known = next((name for begin, name in _BY_FORMAT if transcript.format.startswith(begin)), "")
    if known:
        return known
    agents = (turn.signals.agent.casefold() for turn in transcript.turns if turn.signals.agent)
    named = {name for agent in agents for begin, name in _BY_NAME if agent.startswith(begin)}
    return named.pop() if len(named) == 1 else ""
