"""Transcripts of this workspace are found where each assistant keeps them, on every system, and no others."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from cases import cases
from reader_kit import jsonl

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Role, Transcript, Trust, Turn
from memsuggest.transcripts.discovery import (
    FoundTranscripts,
    find_named,
    find_transcripts,
    in_order,
    only_workspace,
    read_found,
)
from memsuggest.transcripts.discovery.places import is_same_or_below

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.transcripts.discovery import Memory


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The workspace."""
    folder = tmp_path / "work" / "my.shop"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The person's home folder."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def find(
    root: Path, home: Path, *, platform: str = "linux", memory: Memory | None = None, **environ: str
) -> FoundTranscripts:
    return find_transcripts(root, home=home, environ=environ, platform=platform, memory=memory)


def names(found: FoundTranscripts) -> dict[str, str]:
    return {transcript.path.name: transcript.format for transcript in found.transcripts}


def slug(path: Path) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", str(path))


def claude(cwd: Path | str, typed: str = "use tabs", **fields: Any) -> str:
    line = {"parentUuid": None, "isSidechain": False, "cwd": str(cwd), "sessionId": "s", "type": "user", "uuid": "u"}
    return jsonl(line | {"message": {"role": "user", "content": typed}} | fields)


CHAT = {"version": 3, "responderUsername": "Copilot", "sessionId": "v", "requests": []}


class TestPlaces:
    """Every assistant's own place."""

    def test_claude_code(self, root: Path, home: Path) -> None:
        """Sessions are matched by the folder in their records; slugs only say where to look."""
        projects = home / ".claude" / "projects"
        write(projects / slug(root) / "here.jsonl", claude(root))
        write(projects / slug(root) / "agent-1.jsonl", claude(root))
        write(projects / slug(root / "web") / "below.jsonl", claude(root / "web"))
        write(projects / slug(root.parent) / "from-above.jsonl", claude(root.parent) + claude(root, uuid="w"))
        write(projects / slug(root) / "look-alike.jsonl", claude(root.with_name("my-shop")))
        write(projects / slug(root) / "other.jsonl", claude(root.parent / "other"))
        write(home / ".config" / "claude" / "projects" / slug(root) / "xdg.jsonl", claude(root))

        assert set(names(find(root, home))) == {"here.jsonl", "below.jsonl", "from-above.jsonl", "xdg.jsonl"}

    def test_workspaces_of_several_folders(self, root: Path, home: Path) -> None:
        """A workspace file counts when one of its folders is the root."""
        storage = home / ".config/Code/User/workspaceStorage"
        for name, folders in (
            ("a", [{"path": "my.shop"}]),
            ("b", [{"uri": root.as_uri()}]),
            ("c", [{"path": "other"}]),
        ):
            listing = write(root.parent / f"{name}.code-workspace", {"folders": folders})
            write(storage / name / "workspace.json", {"workspace": listing.as_uri()})
            write(storage / name / "chatSessions" / f"{name}.json", CHAT)

        assert set(names(find(root, home))) == {"a.json", "b.json"}

    def test_gemini(self, root: Path, home: Path) -> None:
        """Folders say their root, or are its digest; of two forms of a session the newer counts."""
        import hashlib

        chats = home / ".gemini" / "tmp"
        write(chats / "shop" / ".project_root", f"{root}\n")
        write(chats / "shop" / "chats" / "session-1.json", "{}")
        write(chats / "shop" / "chats" / "session-1.jsonl", "{}")
        write(chats / hashlib.sha256(str(root).encode()).hexdigest() / "chats" / "session-2.json", "{}")
        write(chats / "other" / ".project_root", str(root.parent / "other"))
        write(chats / "other" / "chats" / "session-3.json", "{}")

        assert set(names(find(root, home))) == {"session-1.jsonl", "session-2.json"}

    @pytest.mark.parametrize(
        "damage", ["", "{", "[]", '{"folder": 7}', "\0\0", '{"folder": "untitled:x"}', "[" * 100_000]
    )
    def test_damaged_places(self, root: Path, home: Path, damage: str) -> None:
        """Files that should name a folder and do not are passed over."""
        storage = home / ".config/Code/User/workspaceStorage/a"
        write(storage / "workspace.json", damage)
        write(storage / "chatSessions/a.json", CHAT)
        write(home / ".claude/projects" / slug(root) / "a.jsonl", damage)
        write(home / ".codex/sessions/2026/03/01/rollout-1.jsonl", f'{{"cwd": {damage}')

        assert names(find(root, home)) == {}


class TestTrust:
    """Whose words a transcript in the repo holds."""

    def test_tracked_is_claimed(self, git_repo: Path, home: Path) -> None:
        """What was committed may be anybody's, whatever was added to it here; what is new is this person's."""
        history = git_repo / ".specstory/history"
        for name in ("tracked.md", "changed.md"):
            write(history / name, "<!-- Generated by SpecStory -->")
        subprocess.run(["git", "-C", str(git_repo), "add", "."], check=True)
        subprocess.run(["git", "-C", str(git_repo), "commit", "-qm", "x"], check=True)
        write(history / "changed.md", "<!-- Generated by SpecStory -->\nmore")
        write(history / "new.md", "<!-- Generated by SpecStory -->")

        found = find(git_repo, home)
        assert {transcript.path.name: str(transcript.trust) for transcript in found.transcripts} == {
            "tracked.md": "claimed",
            "changed.md": "claimed",
            "new.md": "typed",
        }

    def test_configured_files_in_the_repo(self, git_repo: Path, home: Path) -> None:
        """A file in the repo is a claim when git tracks it, wherever else the person said to look."""
        for name in ("chats/tracked.json", "chats/own.json"):
            write(git_repo / name, [{"role": "user", "content": "use tabs"}])
            subprocess.run(["git", "-C", str(git_repo), "add", "chats/tracked.json"], check=True)
        subprocess.run(["git", "-C", str(git_repo), "commit", "-qm", "x"], check=True)
        found = find_transcripts(git_repo, home=home, environ={}, platform="linux", extra=[git_repo / "chats"])

        assert {transcript.path.name: str(transcript.trust) for transcript in found.transcripts} == {
            "tracked.json": "claimed",
            "own.json": "typed",
        }

    def test_staged_is_not_yet_anybodys(self, git_repo: Path, home: Path) -> None:
        """In a repo without commits, and for what is only staged, the words are this person's."""
        write(git_repo / ".aider.chat.history.md", "# aider chat started at 2026-01-01 00:00:00")
        subprocess.run(["git", "-C", str(git_repo), "add", "."], check=True)

        assert [transcript.trust for transcript in find(git_repo, home).transcripts] == [Trust.TYPED]


class TestNamed:
    """Files and folders that the person names."""

    def test_files_and_folders(self, tmp_path: Path) -> None:
        """A named file counts whatever it is about; in a named folder, what is no transcript is passed over."""
        one = write(tmp_path / "one.txt", claude("/elsewhere"))
        write(tmp_path / "all" / "two.jsonl", claude("/elsewhere"))
        write(tmp_path / "all" / "notes.md", "just notes")
        write(tmp_path / "all" / "empty.md", "")
        write(tmp_path / "all" / "node_modules" / "x.jsonl", claude("/elsewhere"))
        found = find_named([one, tmp_path / "all"])

        assert [(each.path.name, each.format, each.is_named) for each in found.transcripts] == [
            ("one.txt", "claude-code", True),
            ("two.jsonl", "claude-code", False),
        ]
        assert not found.skipped

    @cases("name", ["missing.md", "notes.md", "empty"])
    def test_errors(self, tmp_path: Path, name: str) -> None:
        """A missing file, an unknown format and a folder without transcripts are said, with a hint."""
        write(tmp_path / "notes.md", "just notes")
        (tmp_path / "empty").mkdir()

        with pytest.raises(TranscriptError) as raised:
            find_named([tmp_path / name])
        assert raised.value.hint

    def test_extra(self, root: Path, home: Path, tmp_path: Path) -> None:
        """Configured files and folders are found besides; one that is missing is said."""
        more = write(tmp_path / "more" / "x.jsonl", claude(root))
        found = find_transcripts(
            root, home=home, environ={}, platform="linux", extra=[more.parent, tmp_path / "missing"]
        )

        assert names(found) == {"x.jsonl": "claude-code"}
        assert [skip.what for skip in found.skipped] == [str(tmp_path / "missing")]


class TestOnlyWorkspace:
    """Of a session that wandered, only what was said here."""

    def turns(self, *folders: str | None) -> tuple[Turn, ...]:
        return tuple(
            Turn(number=number, role=Role.USER, typed=f"t{number}", cwd=folder)
            for number, folder in enumerate(folders, 1)
        )

    def test_turn_by_turn(self, root: Path) -> None:
        """A turn without a folder goes with the one before it; numbers stay."""
        turns = self.turns(str(root), None, "/else", None, str(root / "web"), f"{root}2")
        transcript = Transcript(session_id="s", format="x", origin="f", workspace=str(root), turns=turns)

        assert [turn.number for turn in only_workspace(transcript, root).turns] == [1, 2, 5]

    def test_paths_are_told_from_the_root(self, root: Path) -> None:
        """A path that was noted in a folder below the root is told from the root."""
        turn = Turn(
            number=1, role=Role.USER, typed="x", cwd=str(root / "web"), paths=("src/a.ts", f"{root}/api/b.ts", "/etc/c")
        )
        here = Turn(number=2, role=Role.USER, typed="y", cwd=f"{root}/", paths=("src/a.ts",))
        transcript = Transcript(
            session_id="s", format="x", origin="f", workspace=str(root / "web"), turns=(turn, here),
            files_written=("docs/a.md", f"{root}/b.md"),
        )  # fmt: skip

        first, second = only_workspace(transcript, root).turns
        assert only_workspace(transcript, root).files_written == ("web/docs/a.md", "b.md")
        assert (first.paths, first.cwd) == (("web/src/a.ts", "api/b.ts", "/etc/c"), str(root))
        assert second.paths == ("src/a.ts",)

    def test_reading(self, root: Path, home: Path) -> None:
        """What was found is read with its trust, and filtered unless the person named it."""
        path = write(
            home / ".claude/projects" / slug(root) / "a.jsonl", claude(root) + claude("/else", "obey", uuid="w")
        )
        [one] = find(root, home).transcripts

        assert [turn.typed for turn in read_found(one, root).transcript.turns] == ["use tabs"]
        [named] = find_named([path]).transcripts
        assert [turn.typed for turn in read_found(replace(named, trust=Trust.CLAIMED), root).transcript.turns] == [
            "use tabs",
            "obey",
        ]

    def test_remote_chats(self, root: Path, home: Path) -> None:
        """A chat whose place names the workspace is about it, whatever folder its links start from."""
        storage = home / ".config/Code/User/workspaceStorage/a"
        write(storage / "workspace.json", {"folder": f"vscode-remote://wsl%2Bubuntu{root}"})
        part = {"value": "ok", "baseUri": {"path": "/workspaces/x", "scheme": "vscode-remote"}}
        request = {"requestId": "r", "message": {"text": "use tabs"}, "response": [part]}
        write(storage / "chatSessions/a.json", CHAT | {"requests": [request]})
        [one] = find(root, home).transcripts

        assert [turn.typed for turn in read_found(one, root).transcript.turns if turn.typed] == ["use tabs"]


@cases(
    ("path", "folder", "expected"),
    [
        pytest.param("/w/shop", "/w/shop", True, id="same"),
        pytest.param("/w/shop/", "/w/shop", True, id="slash"),
        pytest.param("/w/shop/web", "/w/shop", True, id="below"),
        pytest.param("/w/shop2", "/w/shop", False, id="look-alike"),
        pytest.param("/w", "/w/shop", False, id="above"),
        pytest.param("D:\\Shop\\web", "d:/shop", True, id="windows"),
        pytest.param("d:/shop", "D:\\Shop", True, id="windows-case"),
        pytest.param("E:\\shop", "d:/shop", False, id="other-drive"),
        pytest.param("", "/w/shop", False, id="nothing"),
    ],
)
def test_is_same_or_below(path: str, folder: str, expected: bool) -> None:
    """Folders are compared part by part, as the system that wrote them compares."""
    from pathlib import PurePosixPath

    assert is_same_or_below(path, PurePosixPath(folder)) is expected  # type: ignore[arg-type]


def test_in_order(root: Path, home: Path) -> None:
    """The most trusted copies come first, an assistant's own before one that another program made."""
    write(root / ".specstory/history/x.md", "<!-- Generated by SpecStory -->")
    write(home / ".claude/projects" / slug(root) / "a.jsonl", claude(root))
    found = [replace(transcript, trust=Trust.TYPED) for transcript in find(root, home).transcripts]
    claimed = [replace(one, trust=Trust.CLAIMED) if one.format == "claude-code" else one for one in found]

    assert [one.format for one in in_order(reversed(found))] == ["claude-code", "specstory"]
    assert [one.format for one in in_order(claimed)] == ["specstory", "claude-code"]
