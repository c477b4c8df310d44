"""Each assistant's own place on each system, the folder and the times that its sessions name, chats nobody can read."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from cases import cases
from reader_kit import jsonl

from memsuggest.transcripts.discovery import find_transcripts, first_time, last_time, only_workspace, read_found
from memsuggest.transcripts.discovery.places import Surroundings, find_unreadable
from memsuggest.transcripts.storage import source

if TYPE_CHECKING:
    from pathlib import Path

CHAT = {"version": 3, "responderUsername": "Copilot", "sessionId": "v", "requests": []}


class Kept(NamedTuple):
    """How an assistant keeps sessions: the file below its own folder, what else lies there, what the file holds."""

    format: str
    file: str
    beside: dict[str, str]
    content: str
    """`{root}` stands for the workspace, `{slug}` and `{digest}` for what is made of its path."""


def chat_about(root: str) -> dict[str, Any]:
    variable = {"kind": "file", "value": {"$mid": 1, "path": f"{root}/a.ts", "scheme": "file"}}
    return {"requestId": "r", "message": "use tabs", "variableData": {"variables": [variable]}, "response": []}


EDITOR = Kept(
    "vscode-chat",
    "workspaceStorage/a/chatSessions/a.json",
    {"workspaceStorage/a/workspace.json": '{"folder": "file://{root}"}'},
    json.dumps(CHAT),
)

WINDOW = Kept(
    "vscode-chat",
    "globalStorage/emptyWindowChatSessions/a.json",
    {},
    json.dumps(CHAT | {"requests": [chat_about("{root}")]}),
)

HOOKS = Kept(
    "copilot-cli",
    "workspaceStorage/a/GitHub.copilot-chat/transcripts/a.jsonl",
    {"workspaceStorage/a/workspace.json": '{"folder": "file://{root}"}'},
    '{"type":"session.start","data":{}}',
)

CLINE = Kept(
    "cline",
    "globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json",
    {
        "globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json":
            '[{"role":"user","content":"# Current Working Directory ({root}) Files"}]'
    },
    "[]",
)  # fmt: skip

ROO = Kept(
    "cline",
    "globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json",
    {"globalStorage/rooveterinaryinc.roo-cline/tasks/1/history_item.json": '{"id":"1","workspace":"{root}"}'},
    "[]",
)

ROO_SHOWN = Kept(
    "cline",
    "globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json",
    {},
    '[{"ts":1,"say":"api_req_started","text":"{\\"request\\":\\"# Current Working Directory ({root}) Files\\"}"}]',
)

ROO_SENT = Kept(
    "cline",
    "globalStorage/rooveterinaryinc.roo-cline/tasks/1/api_conversation_history.json",
    {},
    '[{"role":"user","content":"# Current Workspace Directory ({root}) Files"}]',
)

CLAUDE = Kept("claude-code", "projects/{slug}/a.jsonl", {}, '{"type":"user","cwd":"{root}","sessionId":"s"}')

CODEX = Kept("codex", "sessions/2026/03/01/rollout-1.jsonl", {}, '{"type":"session_meta","payload":{"cwd":"{root}"}}')

COPILOT = Kept("copilot-cli", "session-state/1/events.jsonl", {}, '{"data":{"context":{"gitRoot":"{root}"}}}')

GEMINI = Kept("gemini-cli", "tmp/{digest}/chats/session-1.json", {}, "{}")

GEMINI_SLUG = Kept("gemini-cli", "tmp/shop/chats/session-1.jsonl", {"tmp/shop/.project_root": "{root}\n"}, "{}")

GEMINI_REGISTRY = Kept(
    "gemini-cli", "tmp/shop/chats/session-1.jsonl", {"projects.json": '{"projects":{"{root}":"shop"}}'}, "{}"
)

CURSOR = Kept("cursor-agent", "projects/{short}/agent-transcripts/1/1.jsonl", {}, "{}")

CURSOR_TEXT = Kept("cursor-agent", "projects/{short}/agent-transcripts/1/1.txt", {}, "user:\n")

PI = Kept("pi", "--work-shop--/2026-05-02_1.jsonl", {}, '{"type":"session","id":"1","cwd":"{root}"}\n')

LINUX, MAC, WINDOWS = "linux", "darwin", "win32"

SUPPORT = "Library/Application Support"

ROAMING = "AppData/Roaming"

HOMES = [
    (LINUX, ".config/Code/User", {}),
    (LINUX, ".config/Code - Insiders/User", {}),
    (LINUX, ".config/VSCodium/User", {}),
    (LINUX, ".config/Cursor/User", {}),
    (LINUX, "x/Code/User", {"XDG_CONFIG_HOME": "x"}),
    (LINUX, "p/user-data/User", {"VSCODE_PORTABLE": "p"}),
    (LINUX, "p/Code/User", {"VSCODE_APPDATA": "p"}),
    (LINUX, ".vscode-server/data/User", {}),
    (LINUX, ".vscode-server-insiders/data/User", {}),
    (LINUX, ".cursor-server/data/User", {}),
    (LINUX, "s/data/User", {"VSCODE_AGENT_FOLDER": "s"}),
    (MAC, f"{SUPPORT}/Code/User", {}),
    (MAC, f"{SUPPORT}/Code - Insiders/User", {}),
    (MAC, f"{SUPPORT}/VSCodium/User", {}),
    (MAC, f"{SUPPORT}/Cursor/User", {}),
    (WINDOWS, f"{ROAMING}/Code/User", {}),
    (WINDOWS, f"{ROAMING}/Code - Insiders/User", {}),
    (WINDOWS, f"{ROAMING}/VSCodium/User", {}),
    (WINDOWS, f"{ROAMING}/Cursor/User", {}),
    (WINDOWS, "r/Code/User", {"APPDATA": "r"}),
]

"""System, an editor's folder for user data below the home folder, and the variables that say so."""

OWN = [
    (".claude", {}, (CLAUDE,)),
    (".config/claude", {}, (CLAUDE,)),
    ("c", {"CLAUDE_CONFIG_DIR": "c"}, (CLAUDE,)),
    (".codex", {}, (CODEX,)),
    ("c", {"CODEX_HOME": "c"}, (CODEX,)),
    (".copilot", {}, (COPILOT,)),
    ("c", {"COPILOT_HOME": "c"}, (COPILOT,)),
    ("s/.copilot", {"XDG_STATE_HOME": "s"}, (COPILOT,)),
    (".gemini", {}, (GEMINI, GEMINI_SLUG, GEMINI_REGISTRY)),
    ("g/.gemini", {"GEMINI_CLI_HOME": "g"}, (GEMINI, GEMINI_SLUG)),
    (".cursor", {}, (CURSOR, CURSOR_TEXT)),
    (".pi/agent/sessions", {}, (PI,)),
    ("p/sessions", {"PI_CODING_AGENT_DIR": "p"}, (PI,)),
    ("s", {"PI_CODING_AGENT_SESSION_DIR": "s"}, (PI,)),
    (".omp/agent/sessions", {}, (PI,)),
    ("o/agent/sessions", {"PI_CONFIG_DIR": "o"}, (PI,)),
]

"""The same folders on every system."""

CASES = [
    *((platform, base, environ, kept) for platform, base, environ in HOMES
      for kept in (EDITOR, WINDOW, HOOKS, CLINE, ROO, ROO_SHOWN, ROO_SENT)),
    *((platform, base, environ, kept) for base, environ, found in OWN
      for kept in found for platform in (LINUX, MAC, WINDOWS)),
]  # fmt: skip


def filled(text: str, root: Path) -> str:
    """Put what stands for the workspace into a text."""
    told = {
        "{root}": str(root),
        "{slug}": re.sub(r"[^A-Za-z0-9]", "-", str(root)),
        "{short}": re.sub(r"[^A-Za-z0-9]+", "-", str(root)).strip("-"),
        "{digest}": hashlib.sha256(str(root).encode()).hexdigest(),
    }
    for mark, value in told.items():
        text = text.replace(mark, value)
    return text


def keep(kept: Kept, base: Path, root: Path) -> Path:
    """Write a session as the assistant would; return its file."""
    for name, content in (kept.beside | {kept.file: kept.content}).items():
        path = base / filled(name, root)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(filled(content, root), encoding="utf-8")
    return base / filled(kept.file, root)


@cases(("platform", "base", "environ", "kept"), CASES)
def test_places(platform: str, base: str, environ: dict[str, str], kept: Kept, tmp_path: Path) -> None:
    """A session is found where its assistant keeps it, and only for the workspace that it is about."""
    home, root, other = tmp_path / "home", tmp_path / "work" / "my.shop", tmp_path / "work" / "our.shop"
    for folder in (root, other):
        folder.mkdir(parents=True)
    path = keep(kept, home / base, root)
    told = {name: str(home / value) for name, value in environ.items()}
    found = find_transcripts(root, home=home, environ=told, platform=platform).transcripts

    assert [(one.path, one.format) for one in found] == [(path, kept.format)]
    assert not find_transcripts(other, home=home, environ=told, platform=platform).transcripts


@cases(
    ("file", "environ"),
    [
        pytest.param(".aider.chat.history.md", {}, id="usual"),
        pytest.param("notes/talk[1].md", {"AIDER_CHAT_HISTORY_FILE": "notes/talk[1].md"}, id="moved"),
        pytest.param(None, {"AIDER_CHAT_HISTORY_FILE": "../talk.md"}, id="outside"),
    ],
)
def test_aider(file: str | None, environ: dict[str, str], tmp_path: Path) -> None:
    """aider's history is found in the repo where its variable says; one that all repos share is nobody's."""
    root = tmp_path / "w"
    for name in (".aider.chat.history.md", "notes/talk[1].md", "../talk.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("# aider chat started at 2026-01-01 00:00:00", encoding="utf-8")
    found = find_transcripts(root, home=tmp_path / "home", environ=environ, platform="linux").transcripts

    assert [one.path for one in found] == ([root / file] if file else [])


def test_entire(tmp_path: Path) -> None:
    """Of each session that `entire` keeps in the repo the assistant's own record is found, or else the compact one."""
    root = tmp_path / "w"
    kept = ("a/full.jsonl", "b/transcript.jsonl", "c/0/transcript.jsonl")
    for name in (*kept, "a/transcript.jsonl", "a/prompt.txt", "a/tasks/t/agent-1.jsonl", "a/tasks/full.jsonl"):
        path = root / ".entire" / "metadata" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n", encoding="utf-8")
    found = find_transcripts(root, home=tmp_path / "home", environ={}, platform="linux").transcripts

    assert [one.path for one in found] == [root / ".entire/metadata" / name for name in kept]


@cases(
    ("told", "is_found"),
    [
        pytest.param("{root}", True, id="path"),
        pytest.param('{{"hostPath":"{root}","localDocker":false}}', True, id="json"),
        pytest.param("{root}2", False, id="other"),
        pytest.param("{{", False, id="damaged"),
        pytest.param("\0", False, id="nul"),
    ],
)
def test_development_containers(told: str, is_found: bool, tmp_path: Path) -> None:
    """A chat about a folder that a container shows is about the folder on this machine."""
    root, home = tmp_path / "shop", tmp_path / "home"
    address = told.format(root=root).encode().hex()
    storage = home / ".config/Code/User/workspaceStorage/a"
    (storage / "chatSessions").mkdir(parents=True)
    (storage / "chatSessions/a.json").write_text(json.dumps(CHAT), encoding="utf-8")
    folder = {"folder": f"vscode-remote://dev-container%2B{address}/workspaces/shop"}
    (storage / "workspace.json").write_text(json.dumps(folder), encoding="utf-8")

    assert bool(find_transcripts(root, home=home, environ={}, platform="linux").transcripts) is is_found


class TestLinks:
    """A workspace that a link leads to."""

    @pytest.fixture
    def linked(self, tmp_path: Path) -> tuple[Path, Path]:
        """The workspace, and another way to it."""
        root = tmp_path / "real" / "shop"
        (root / "web").mkdir(parents=True)
        link = tmp_path / "link"
        link.symlink_to(tmp_path / "real")
        return root, link / "shop"

    def test_the_shells_path(self, linked: tuple[Path, Path], tmp_path: Path) -> None:
        """Assistants that were told the way through the link are found."""
        root, shown = linked
        for kept, base in ((CLAUDE, ".claude"), (GEMINI, ".gemini"), (CURSOR, ".cursor"), (CODEX, ".codex")):
            keep(kept, tmp_path / "home" / base, shown)
        keep(EDITOR, tmp_path / "home/.config/Code/User", shown)
        found = find_transcripts(
            root, home=tmp_path / "home", environ={"PWD": str(shown / "web")}, platform="linux"
        ).transcripts

        assert {one.format for one in found} == {
            "claude-code", "gemini-cli", "cursor-agent", "codex", "vscode-chat"
        }  # fmt: skip

    @pytest.mark.parametrize("told", ["", "/elsewhere", "relative", "{real}", "\0"])
    def test_other_paths(self, told: str, linked: tuple[Path, Path], tmp_path: Path) -> None:
        """A shell that stands elsewhere tells nothing about the workspace."""
        root, _ = linked
        environ = {"PWD": told.format(real=root)}

        assert Surroundings(root=root, home=tmp_path, environ=environ, platform="linux").roots() == (str(root),)

    def test_turns(self, linked: tuple[Path, Path], tmp_path: Path) -> None:
        """What was said behind the link was said here, and paths are told from the root."""
        root, shown = linked
        meta = {"type": "session_meta", "payload": {"id": "c", "cwd": str(shown / "web")}}
        said = {"type": "event_msg", "payload": {"type": "user_message", "message": "use tabs"}}
        path = tmp_path / ".codex/sessions/2026/03/01/rollout-1.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text(jsonl(meta, said), encoding="utf-8")
        [one] = find_transcripts(root, home=tmp_path, environ={}, platform="linux").transcripts
        read = read_found(one, root)
        turns = getattr(read, "transcript", read).turns

        assert [(turn.typed, turn.cwd) for turn in turns] == [("use tabs", str(root))]
        assert only_workspace(getattr(read, "transcript", read), tmp_path / "else").turns == ()


@pytest.mark.parametrize(
    ("files", "what"),
    [
        pytest.param([".codeium/windsurf/cascade/1.pb"], "1 Windsurf session", id="windsurf"),
        pytest.param(
            [".codeium/windsurf/cascade/1.pb", ".codeium/windsurf/cascade/2.pb"], "2 Windsurf sessions", id="two"
        ),
        pytest.param([".config/Cursor/User/globalStorage/state.vscdb"], "1 Cursor chat database", id="cursor"),
        pytest.param([".cursor/chats/ab12/1/store.db"], "1 Cursor CLI session", id="cursor-cli"),
        pytest.param(
            [".codex/sessions/2026/03/01/rollout-1.jsonl.zst", ".codex/archived_sessions/rollout-2.jsonl.zst"],
            "2 compressed Codex sessions",
            id="codex",
        ),
        pytest.param(
            [".config/Code/User/globalStorage/state.vscdb", ".codex/sessions/2026/03/01/x.zst"], "", id="else"
        ),
    ],
)
def test_kinds(files: list[str], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind is counted, and what helps is said."""
    monkeypatch.setattr(source, "_ZSTD_MODULES", ())
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    found = find_unreadable(Surroundings(root=tmp_path / "w", home=tmp_path, environ={}, platform="linux"))

    assert [skip.what for skip in found] == ([what] if what else [])
    assert all(skip.why for skip in found)


NINE, TEN = 1772355600.0, 1772359200.0

CHANGED = TEN + 7200


@cases(
    ("text", "first", "last"),
    [
        pytest.param('{"t":"2026-03-01T09:00:00Z"}\n{"t":"2026-03-01T10:00:59Z"}\n', NINE, TEN, id="iso"),
        pytest.param('{"t":1772355600000}\n{"t":1772359200000}', NINE, TEN, id="milliseconds"),
        pytest.param("# aider chat started at 2026-03-01 09:00:00\n" + "x" * 20_000, NINE, NINE, id="far-from-the-end"),
        pytest.param("2026-03-01T09:00:00Z and in 2999-01-01T00:00:00Z", NINE, NINE, id="somebodys-words"),
        pytest.param("2026-02-32T09:00:00Z", None, CHANGED, id="no-day"),
        pytest.param("no time at all", None, CHANGED, id="none"),
        pytest.param("", None, CHANGED, id="empty"),
    ],
)
def test_times(text: str, first: float | None, last: float, tmp_path: Path) -> None:
    """The first and the last time count; those behind the file's own are no turn's."""
    path = tmp_path / "chat"
    path.write_text(text)

    assert first_time(path) == first
    assert last_time(path, size=len(text), changed_at=CHANGED) == last


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    """A file that is not there any more tells nothing."""
    assert first_time(tmp_path / "gone") is None
    assert last_time(tmp_path / "gone", size=1, changed_at=CHANGED) == CHANGED
