"""Imports point one way, and what is pure stays pure."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "memsuggest"

LAYERS = {
    name: layer
    for layer, names in enumerate(
        (
            ("errors", "identity"),
            ("json_schema", "jsonc", "model", "text", "yaml_edit"),
            ("config", "database", "files", "git", "redact", "workspace"),
            ("haiku",),
            ("minds",),
            ("reports",),
            (
                *("transcripts", "extraction", "memory", "customizations"),
                *("suggestions", "render", "integrations", "watching", "notices"),
            ),
            ("workflows",),
            ("cli",),
        )
    )
    for name in names
}
"""From the ground up; a module imports only from layers below its own, or from its own room."""
SIDEWAYS = {
    ("suggestions", "customizations"): "an edit needs the blocks of the file it goes into",
    ("suggestions", "memory"): "what is similar or contradictory is judged in one place",
    ("extraction", "memory"): "what is similar is judged in one place",
    ("render", "suggestions"): "the diff is a view of an edit",
}
"""Rooms that may look into a room beside them, and why."""

TALKERS = {"cli", "render"}
"""Where Typer and rich may be used."""

IMPURE = {"open", "input", "print", "exec", "eval", "compile"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= (
                {f"{node.module}.{alias.name}" for alias in node.names}
                if node.module == "memsuggest"
                else {node.module}
            )
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_one_way(path: Path) -> None:
    """A module imports from lower layers, from its own room, and sideways only where the table says why."""
    place = path.relative_to(PACKAGE).with_suffix("").parts
    room = place[0]
    if room in {"__init__", "__main__"}:
        return
    for name in imported(path):
        if not name.startswith("memsuggest"):
            continue
        other = room_of(name)
        if not other or other in ("__version__", room) or (room, other) in SIDEWAYS:
            continue
        assert LAYERS[other] < LAYERS[room], f"{room} must not import {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_only_the_edge_talks(path: Path) -> None:
    """Typer and rich are used at the command line and in the renderers, nowhere else."""
    room = path.relative_to(PACKAGE).parts[0]
    used = {name.split(".")[0] for name in imported(path)} & {"typer", "rich", "click"}
    assert not used or room in TALKERS


PURE_ROOMS = ("text", "extraction", "customizations", "suggestions", "memory", "redact", "render")
WORLDLY = {
    "customizations/discovery.py",
    "customizations/walk.py",
    "memory/facts_file.py",
    "memory/profile.py",
    "memory/rows.py",
    "memory/search.py",
    "memory/store_journal.py",
    "suggestions/advice.py",
    "suggestions/journal.py",
    "suggestions/moves.py",
    "suggestions/pending.py",
    "suggestions/tally.py",
    "render/__init__.py",
    "render/terminal/page.py",
}
"""The modules of those rooms that read files or databases, or print."""


@pytest.mark.parametrize(
    "path",
    [path for room in PURE_ROOMS for path in sorted((PACKAGE / room).rglob("*.py"))],
    ids=lambda path: path.relative_to(PACKAGE).as_posix(),
)
def test_pure_modules_touch_nothing(path: Path) -> None:
    """Rules, placement, merging and rendering take values and return values: no files, clock or environment."""
    if path.relative_to(PACKAGE).as_posix() in WORLDLY:
        pytest.skip("reads or writes by its purpose")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & IMPURE
    modules_used = {name.split(".")[0] for name in imported(path)}
    assert not modules_used & {"os", "time", "random", "subprocess", "socket", "tempfile", "shutil", "sqlite3"}
