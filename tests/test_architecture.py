"""Imports point one way, what is pure stays pure, and nothing grows out of sight."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "memsuggest"

LAYERS = {
    name: layer
    for layer, names in enumerate(
        (
            ("errors", "identity", "json_shape"),
            ("database_file", "jsonc", "json_schema", "text", "yaml_edit"),
            ("json_edit", "model"),
            ("config", "database", "files", "git", "redact", "render", "workspace"),
            ("recall",),
            ("asking",),
            ("engines", "graphiti"),
            ("judging",),
            (
                *("transcripts", "extraction", "memory", "customizations"),
                *("suggestions", "decisions", "integrations", "watching", "apps"),
            ),
            ("reports",),
            ("held", "notices"),
            ("workflows", "notes", "setup"),
            ("cli",),
        )
    )
    for name in names
}
"""From the ground up; a module imports only from layers below its own, or from its own room."""
SIDEWAYS = {
    ("suggestions", "customizations"): "an edit needs the blocks of the file it goes into",
    ("suggestions", "decisions"): "which lines an edit touches is told by its diff",
    ("decisions", "customizations"): "a diff cuts lines as the files of hosts are cut",
    ("suggestions", "memory"): "what is similar or contradictory is judged in one place",
    ("extraction", "memory"): "what is similar is judged in one place",
    ("memory", "reports"): "a merge is shown to the person as it is proposed",
    ("recall", "extraction"): "what a person laid down, and what may be stored at all, is judged in one place",
    ("judging", "extraction"): "what a wording may be made of is judged in one place",
    (
        "notes",
        "workflows",
    ): "a feature stands whole in its room, from reading to table, and works with what a person does",
    ("setup", "workflows"): "a feature stands whole in its room, and installs by what other commands install with",
    ("workflows", "setup"): "what each command prints as JSON stands in one table",
    ("workflows", "notes"): "whoever reads chats reads notes first",
    ("apps", "memory"): "one database has one ledger of migrations",
    ("apps", "recall"): "what a conversation was about is told in one place",
    ("apps", "extraction"): "what a model's words may come from is judged in one place",
}
"""Rooms that may look into a room beside them, and why."""
TALKERS = {"cli", "render"}
"""Where Typer and rich may be used."""
PURE_ROOMS = {
    "text",
    "judging",
    "extraction",
    "customizations",
    "suggestions",
    "decisions",
    "memory",
    "recall",
    "redact",
    "render",
    "reports",
    "apps",
    "held",
}
WORLDLY = {
    "customizations/discovery.py",
    "customizations/file_walk.py",
    "customizations/kept_index.py",
    "apps/app_table.py",
    "held/note_store.py",
    "held/rule_store.py",
    "held/tables.py",
    "memory/facts_file.py",
    "memory/profile.py",
    "memory/profile_rows.py",
    "memory/profile_repair.py",
    "memory/search.py",
    "memory/store_journal.py",
    "recall/entry_store.py",
    "recall/entry_search.py",
    "recall/word_lookup.py",
    "recall/entry_rows.py",
    "recall/lookup.py",
    "recall/memory_journal.py",
    "judging/verdict_store.py",
    "decisions/journal.py",
    "decisions/moves.py",
    "decisions/pending_suggestions.py",
    "decisions/counts.py",
    "render/__init__.py",
    "render/page.py",
}
"""The modules of pure rooms that read files or databases, or print."""
IMPURE = {"open", "input", "print", "exec", "eval", "compile"}
OUTSIDE = {"os", "time", "random", "subprocess", "socket", "tempfile", "shutil", "sqlite3"}
LINES, FUNCTION_LINES, NAMESAKES = 600, 50, 16
CLAUSES = ("What ", "Which ", "How ", "Where ", "Who ", "Whose ", "When ", "Why ")
"""Beginnings of a docstring that does not say what a thing is or does."""


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax of every module, by its path in the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def dotted(path: str) -> str:
    return f"memsuggest/{path}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imported(tree: ast.Module) -> list[str]:
    """Every module that is named in an import, and every name as if it were one."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


FEATURES = {"notes", "setup"}
"""Rooms that hold a feature whole; the module in them that adds its commands counts as one of `cli`."""


def room_of(name: str) -> str:
    parts = name.split(".")
    if len(parts) == 3 and parts[1] in FEATURES and parts[2] in ("commands", "setup_command"):
        return "cli"
    return parts[1] if len(parts) > 1 else ""


def test_imports_point_one_way() -> None:
    """A module imports from lower layers, from its own room, and sideways only where the table says why."""
    wrong = set()
    for path, tree in trees().items():
        room = room_of(dotted(path))
        for name in imported(tree):
            other = room_of(name) if name.startswith("memsuggest.") else ""
            if not room or room == "__main__" or other in ("", "__version__", room) or (room, other) in SIDEWAYS:
                continue
            if LAYERS[other] >= LAYERS[room]:
                wrong.add(f"{path} must not import {name}")
    assert not wrong


def test_no_circles() -> None:
    """No module imports itself by way of others, not even for its types."""
    names = {dotted(path): path for path in trees()}
    needs = {}
    for name, path in names.items():
        found = set(imported(trees()[path])) & set(names) - {name}
        # `from room import module` names the room too, but needs only the module
        needs[name] = {one for one in found if not any(other.startswith(f"{one}.") for other in found)}
    while leaves := [name for name, found in needs.items() if not found & set(needs)]:
        for name in leaves:
            del needs[name]
    circling = {name: sorted(found & set(needs)) for name, found in needs.items()}
    assert not circling


def test_only_the_edge_talks() -> None:
    """Typer and rich are used at the command line and in the renderers, nowhere else."""
    users = {
        path
        for path, tree in trees().items()
        if {name.split(".")[0] for name in imported(tree)} & {"typer", "rich", "click"}
    }
    assert {path for path in users if room_of(dotted(path)) not in TALKERS} == set()


def test_the_whole_screen_has_its_own_room() -> None:
    """Textual, which only who installed its extra has, is used in one room, and by nothing that other commands load."""
    users = {path for path, tree in trees().items() if "textual" in {name.split(".")[0] for name in imported(tree)}}
    assert users and all(path.startswith("cli/tui/") for path in users)
    assert "cli/tui/__init__.py" not in users


def test_pure_modules_touch_nothing() -> None:
    """Rules, placement, merging and rendering take values and return values: no files, clock or environment."""
    assert set(trees()) >= WORLDLY
    wrong = set()
    for path, tree in trees().items():
        if path.split("/")[0] not in PURE_ROOMS or path in WORLDLY:
            continue
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        used = {name.split(".")[0] for name in imported(tree)}
        wrong |= {f"{path}: {name}" for name in (called & IMPURE) | (used & OUTSIDE)}
    assert not wrong


def test_links_are_followed_by_realpath() -> None:
    """A link that leads to itself makes `Path.resolve` raise RuntimeError; `os.path.realpath` returns the link."""
    calls = (
        (path, node)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    assert not [
        f"{path}:{node.lineno}"
        for path, node in calls
        if isinstance(node.func, ast.Attribute) and node.func.attr == "resolve" and not node.args
    ]


def test_sizes() -> None:
    """No module is longer than a reader keeps in mind, and no function longer than a screen."""
    long = set()
    for path, tree in trees().items():
        if len((PACKAGE / path).read_text(encoding="utf-8").splitlines()) > LINES:
            long.add(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno > FUNCTION_LINES:
                long.add(f"{path}: {node.name}")
    assert not long


def test_public_functions_say_what_they_are() -> None:
    """Every public class and function of a module has a docstring."""
    silent = {
        f"{path}: {node.name}"
        for path, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    }
    assert not silent


def test_docstrings_begin_with_what_a_thing_is_or_does() -> None:
    """A first line is a noun phrase or an imperative, not a clause."""
    clauses = {
        f"{path}: {getattr(node, 'name', '')}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and (ast.get_docstring(node) or "").startswith(CLAUSES)
    }
    assert not clauses


def test_few_modules_have_namesakes() -> None:
    """A module's name stands in two rooms only where it is the same thing on another floor."""
    places = defaultdict(list)
    for path in trees():
        places[dotted(path).rpartition(".")[2]].append(path)
    assert sum(len(paths) > 1 for paths in places.values()) <= NAMESAKES
