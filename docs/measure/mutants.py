"""Changes lines of the package at random, one at a time, and tells which of the changes the tests catch. Run by hand:

    python docs/measure/mutants.py [NUMBER] [SEED]

A change negates a condition, drops a statement, or puts another value in the place of a constant or an operator. The
files of tests that have most to do with the line, by their imports, words and names, and the golden ones are run until
one test fails; then, with `--all` behind, every test of the room and every command test.
"""

from __future__ import annotations

import ast
import os
import random
import signal
import subprocess
import sys
from collections import defaultdict
from copy import deepcopy
from pathlib import Path

PACKAGE = Path("memsuggest")
MOST = 4
"""Files of tests that are tried for one change."""
PATIENCE = 900
"""Seconds that they may take together."""
OPERATORS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OTHERS = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And}


def changed(node: ast.AST) -> ast.AST | None:
    """The same node with another meaning, or nothing where none is sure to have one."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Compare) and (other := (OPERATORS | OTHERS).get(type(node.ops[0]))):
        node.ops[0] = other()
    elif isinstance(node, ast.BoolOp):
        node.op = OTHERS[type(node.op)]()
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
    elif isinstance(node, ast.Return | ast.Expr) and node.value and not isinstance(node.value, ast.Constant):
        node.value = ast.Constant(None)
    else:
        return None
    return node


def places(path: Path) -> list[tuple[int, str, int]]:
    """The nodes of a module's functions that can be changed: their number, function and line."""
    found, tree = [], ast.parse(path.read_text("utf-8"))
    numbers = {id(node): number for number, node in enumerate(ast.walk(tree))}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            nodes = (node for statement in function.body for node in ast.walk(statement))
            found += [(numbers[id(node)], function.name, node.lineno) for node in nodes if changed(deepcopy(node))]
    return found


def related(path: Path, function: str) -> list[str]:
    """The files of tests of the room and of commands, those first that have most to do with a function."""
    module, room = ".".join(path.with_suffix("").parts), path.parts[1].removesuffix(".py")
    words = {*path.stem.split("_"), *path.parts[1:-1]}

    def score(test: Path) -> tuple[int, str]:
        text, names = test.read_text("utf-8"), set(test.stem.split("_"))
        shared = sum(any(name[:5] == word[:5] for name in names) for word in words)
        return 10 * (module in text) + 5 * (f"{function}(" in text) + 4 * shared + 3 * (room in test.parts), str(test)

    tests = [*Path("tests", room).rglob("test_*.py"), *Path("tests/cli").rglob("test_*.py")]
    return [str(test) for test in sorted(tests, key=score, reverse=True)]


def is_found_by(tests: list[str]) -> bool:
    """Whether one of them fails, or never ends."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "--tb=no", "-p", "no:cacheprovider", *tests]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as run:
        try:
            return run.wait(PATIENCE) != 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return True


def main(number: int, seed: int, *, is_all: bool) -> None:
    chance, rooms = random.Random(seed), defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        rooms[path.parts[1]] += [(path, *place) for place in places(path)]
    missed = 0
    for _ in range(number):
        path, at, function, line = chance.choice(rooms[chance.choice(sorted(name for name in rooms if rooms[name]))])
        before = path.read_text("utf-8")
        tree = ast.parse(before)
        node = next(node for place, node in enumerate(ast.walk(tree)) if place == at)
        original = ast.unparse(node)
        changed(node)
        tests = related(path, function)
        path.write_text(ast.unparse(tree), "utf-8")
        try:
            is_found = is_found_by([*tests[:MOST], "tests/golden"]) or (is_all and is_found_by(tests[MOST:]))
        finally:
            path.write_text(before, "utf-8")
        missed += not is_found
        told = (text.split("\n")[0][:60] for text in (original, ast.unparse(node)))
        print("found " if is_found else "MISSED", f"{path}:{line} in {function}:", " -> ".join(told), flush=True)
    print(f"{number - missed} of {number} found")


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--all"]
    main(*(int(word) for word in [*given, *["20", "7"][len(given) :]]), is_all="--all" in sys.argv)
