"""Changes lines of the package at random, one at a time, and tells which of the changes the tests catch. Run by hand:

    PYTHONPATH=docs/measure pytest -q -p mutants tests      # notes in .callers-*.json which test calls what
    python docs/measure/mutants.py [NUMBER] [SEED]

A change negates a condition, drops a statement, or puts another value in the place of a constant or an operator. The
tests that call the function of the line are run until one fails; where none calls it, the command tests are.
"""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from copy import deepcopy
from pathlib import Path
from typing import Any

PACKAGE, CALLERS = Path("memsuggest"), ".callers-{}.json"
MOST = 60
"""Tests that are tried for one change."""
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


def run(tests: list[str]) -> bool:
    """Whether a test fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "--tb=no", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, capture_output=True, timeout=1200, check=False).returncode == 1


def main(number: int, seed: int) -> None:
    chance, callers, rooms = random.Random(seed), defaultdict(list), defaultdict(list)
    for noted in Path().glob(CALLERS.format("*")):
        for name, tests in json.loads(noted.read_text("utf-8")).items():
            callers[name] += tests
    for path in sorted(PACKAGE.rglob("*.py")):
        rooms[path.parts[1]] += [(path, *place) for place in places(path)]
    missed = 0
    for _ in range(number):
        path, at, function, line = chance.choice(rooms[chance.choice(sorted(rooms))])
        before = path.read_text("utf-8")
        tree = ast.parse(before)
        node = next(node for place, node in enumerate(ast.walk(tree)) if place == at)
        tests = callers[f"{path}:{function}"] or ["tests/cli"]
        changed(node)
        path.write_text(ast.unparse(tree), "utf-8")
        try:
            is_found = run(chance.sample(tests, min(MOST, len(tests))))
        finally:
            path.write_text(before, "utf-8")
        missed += not is_found
        told = f"{path}:{line} in {function}: {ast.unparse(node).split(chr(10))[0][:70]} ({len(tests)} tests)"
        print("found " if is_found else "MISSED", told, flush=True)
    print(f"{number - missed} of {number} found")


_called: dict[str, set[str]] = defaultdict(set)
_test = [""]


def pytest_runtest_logstart(nodeid: str) -> None:
    _test[0] = nodeid
    sys.setprofile(_note)


def _note(frame: Any, event: str, _: object) -> None:
    if event == "call" and "/memsuggest/" in (name := frame.f_code.co_filename):
        _called[f"memsuggest/{name.partition('/memsuggest/')[2]}:{frame.f_code.co_name}"].add(_test[0])


def pytest_sessionfinish() -> None:
    sys.setprofile(None)
    told = {name: sorted(tests) for name, tests in _called.items()}
    Path(CALLERS.format(os.getpid())).write_text(json.dumps(told), "utf-8")


if __name__ == "__main__":
    main(*(int(word) for word in [*sys.argv[1:], "20", "7"][:2]))
