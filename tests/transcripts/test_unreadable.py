"""Chats that nobody else can read are counted where the person looks, with what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memsuggest.transcripts.discovery.places import find_unreadable
from memsuggest.transcripts.discovery.surroundings import Surroundings
from memsuggest.transcripts.storage import source

if TYPE_CHECKING:
    from pathlib import Path


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
