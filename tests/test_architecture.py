"""Imports point one way, what says it is pure is pure, and nothing grows out of sight."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "memsuggest"

LINES_OF_ROOMS = {
    "core": 5_995,
    "files": 1_270,
    "customizations": 3_885,  # names and descriptions that hosts do not read as meant
    "transcripts": 8_475,  # damaged archives are named
    "judging": 7_835,  # what is written unattended is plainly harmless
    "facts": 4_400,  # of many citations only new ones are written; a rule that weakens safety is not shared unasked
    "graphiti": 2_880,
    "memory": 6_075,  # numbers in words are values, and what holds for now; the guard of its servers
    "suggestions": 8_800,  # what is written unattended is checked or plainly harmless; lists name dangerous rules
    "notes": 1_830,
    "held": 2_435,  # files that no recent chat used
    "learning": 2_205,
    "report": 935,  # with the badge for a README
    "pull_requests": 1_970,
    "assistants": 1_830,
    "setup": 1_295,  # personal files are kept out of what git lists
    "tui": 1_675,
    "cli": 1_310,
}
"""The rooms from the ground up, each with the lines it may have. A room imports from those above it in this list.

A number is raised only with a reason in the same commit.
"""
TOTAL, MODULES = 65_040, 340
"""The lines and the modules of the whole."""
AGAINST = {
    ("judging", "setup"),
    ("facts", "graphiti"),
    ("facts", "memory"),
    ("facts", "suggestions"),
    ("facts", "held"),
    ("graphiti", "setup"),
    ("memory", "suggestions"),
    ("suggestions", "held"),
    ("suggestions", "assistants"),
}
"""Rooms that look into one below them in the list; each is a debt, and none is added."""
EDGES = {
    *("commands", "clean_commands", "watch_command", "comment_command"),
    *("consent_dialog", "review_loop", "decision_dialogs", "review_steps", "fast_hook", "demo"),
}
"""The modules of a feature that meet the person: they count as `cli`, and only those import them."""
OPENS_ALL = {"core.context"}
"""The one module that knows the stores of every room, since it opens them."""
IMPURE = {"open", "input", "print", "exec", "eval", "compile"}
OUTSIDE = {"os", "time", "random", "subprocess", "socket", "tempfile", "shutil", "sqlite3"}
LINES, FUNCTION_LINES, NAMESAKES = 600, 50, 5
OFTEN = {"commands"}
"""What a module is called in every room that has one."""
CLAUSES = ("What ", "Which ", "How ", "Where ", "Who ", "Whose ", "When ", "Why ")
"""Beginnings of a docstring that does not say what a thing is or does."""


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax of every module, by its path in the package."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def lines_of(path: str) -> int:
    return len((PACKAGE / path).read_text(encoding="utf-8").splitlines())


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


def room_of(name: str) -> str:
    """The room of a module; what meets the person counts as `cli`, wherever it stands."""
    parts = name.split(".")
    if parts[0] != "memsuggest" or len(parts) == 1 or parts[1] not in LINES_OF_ROOMS:
        return ""
    return "cli" if len(parts) > 2 and parts[2] in EDGES else parts[1]


def test_every_module_has_a_room() -> None:
    """Beside the rooms there is nothing but the package itself."""
    assert {path for path in trees() if not room_of(dotted(path))} == {"__init__.py", "__main__.py"}


def test_imports_point_one_way() -> None:
    """A module imports from its own room and from those before it in the list; what goes against it is counted."""
    order = list(LINES_OF_ROOMS)
    wrong, used = set(), set()
    for path, tree in trees().items():
        room = room_of(dotted(path))
        for name in imported(tree):
            other = room_of(name)
            if not room or not other or order.index(other) <= order.index(room):
                continue
            if dotted(path).removeprefix("memsuggest.") in OPENS_ALL or (room, other) == ("tui", "cli"):
                continue
            used.add((room, other))
            if (room, other) not in AGAINST:
                wrong.add(f"{path} must not import {name}")
    assert not wrong
    assert used == AGAINST, "what nobody needs any more goes"


def test_no_circles() -> None:
    """No module imports itself by way of others, not even for its types."""
    names = {dotted(path): path for path in trees()}
    needs = {}
    for name, path in names.items():
        found = set(imported(trees()[path])) & set(names) - {name}
        # `from room import module` names the room too, but needs only the module
        needs[name] = {needed for needed in found if not any(other.startswith(f"{needed}.") for other in found)}
    while leaves := [name for name, found in needs.items() if not found & set(needs)]:
        for name in leaves:
            del needs[name]
    circling = {name: sorted(found & set(needs)) for name, found in needs.items()}
    assert not circling


def test_budgets() -> None:
    """Neither a room nor the whole has more lines than it may."""
    lines: Counter[str] = Counter()
    for path in trees():
        lines[path.partition("/")[0]] += lines_of(path)
    over = {room: lines[room] for room, most in LINES_OF_ROOMS.items() if lines[room] > most}
    assert not over
    assert lines.total() <= TOTAL
    assert sum(lines_of(path) > 1 for path in trees()) <= MODULES


def test_only_the_edge_talks() -> None:
    """Typer and rich are used at the command line and by the page, nowhere else."""
    users = {
        path
        for path, tree in trees().items()
        if {name.split(".")[0] for name in imported(tree)} & {"typer", "rich", "click"}
    }
    assert {path for path in users if room_of(dotted(path)) not in {"cli", "tui"}} == {"core/render/page.py"}


def test_the_whole_screen_has_its_own_room() -> None:
    """Textual, which only who installed its extra has, is used in one room, and by nothing that other commands load."""
    users = {path for path, tree in trees().items() if "textual" in {name.split(".")[0] for name in imported(tree)}}
    assert users and all(path.startswith("tui/") for path in users)
    assert "tui/__init__.py" not in users


def test_pure_modules_touch_nothing() -> None:
    """A module whose docstring says *Pure* takes values and returns values: no files, clock or environment."""
    wrong, pure = set(), 0
    for path, tree in trees().items():
        if "Pure" not in (ast.get_docstring(tree) or ""):
            continue
        pure += 1
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        used = {name.split(".")[0] for name in imported(tree)}
        wrong |= {f"{path}: {name}" for name in (called & IMPURE) | (used & OUTSIDE)}
    assert not wrong
    assert pure > 76


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
        if lines_of(path) > LINES:
            long.add(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno > FUNCTION_LINES:
                long.add(f"{path}: {node.name}")
    assert not long


def test_what_other_rooms_use_says_what_it_is() -> None:
    """Every module, class, and function that another room imports has a docstring; what stays in a room needs none."""
    used = {
        (node.module, alias.name)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and room_of(node.module or "") not in ("", room_of(dotted(path)))
        for alias in node.names
    }
    silent = {
        f"{path}: {node.name}"
        for path, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and (dotted(path), node.name) in used and not ast.get_docstring(node)
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
        if (name := dotted(path).rpartition(".")[2]) not in OFTEN:
            places[name].append(path)
    assert sum(len(paths) > 1 for paths in places.values()) <= NAMESAKES
