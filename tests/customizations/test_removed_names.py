"""Names of code and packages count as gone by the line of a patch that took them out, and by nothing less."""

from __future__ import annotations

from cases import cases

from memsuggest.customizations.staleness.removed_names import removed_packages, removed_symbols
from memsuggest.customizations.staleness.task_lines import removed_tasks

PACKAGES = [
    ('-    "moment": "^2.30.1",\n', {"moment"}),
    ('-    "moment": "moment build",\n', set()),
    ('-    "moment": "^2.30.1",\n+    "moment": "^3.0.0",\n', set()),
    ('-  "moment>=2",\n', {"moment"}),
    ("-moment==2.1\n", {"moment"}),
    ("-moment==2.1\n+Moment==2.2\n", set()),
    ('-moment = { version = "2" }\n', {"moment"}),
    ('-gem "moment", "~> 2"\n', {"moment"}),
    ("-we like moment here\n", set()),
    ('+    "moment": "^2.30.1",\n', set()),
]
SYMBOLS = [
    ("-def load_all(path):\n-    pass\n", {"load_all": ""}),
    ("-def load_all(path):\n+def load_folder(path):\n", {"load_all": "load_folder"}),
    ("-    return load_all(path)\n", {}),
    ("-def load_all(path):\n+def load_all(path, depth):\n", {}),
    (
        "-export async function load_all() {\n+export async function one() {\n+export async function two() {\n",
        {"load_all": ""},
    ),
    ("-func (s *Store) load_all() error {\n", {"load_all": ""}),
    ("-def load_all_users():\n", {}),
]
TASKS = [
    ("npm", '-    "fix": "eslint --fix",\n+    "format": "eslint --fix",\n', {"fix": "format"}),
    ("npm", '-    "fix": "eslint --fix",\n+    "fix": "biome",\n', {}),
    ("npm", '-    "fix": "eslint --fix"\n', {"fix": ""}),
    ("make", "-fix: lint\n-\tdo it\n", {"fix": ""}),
    ("make", "-fix := 1\n", {}),
    ("just", "-@fix target:\n", {"fix": ""}),
    ("just", '-fix target:\n+fix target="a:b" *rest:\n', {}),
    ("task", "-  fix:\n", {"fix": ""}),
    ("poe", '-fix = "ruff"\n', {"fix": ""}),
]


@cases(("patch", "gone"), PACKAGES)
def test_packages(patch: str, gone: set[str]) -> None:
    """A package is gone where a line that declares it goes and none comes."""
    assert removed_packages(["moment"], f"@@ -1 +1 @@\n{patch}") == gone


@cases(("patch", "gone"), SYMBOLS)
def test_symbols(patch: str, gone: dict[str, str]) -> None:
    """A symbol is gone where its definition goes; it has a new name where one line is else the same."""
    assert removed_symbols(["load_all"], f"@@ -1 +1 @@\n{patch}") == gone


@cases(("tool", "patch", "gone"), TASKS)
def test_tasks(tool: str, patch: str, gone: dict[str, str]) -> None:
    """A task is gone where the line that declares it goes; it has a new name where another does the same."""
    assert removed_tasks(tool, ["fix"], f"@@ -1 +1 @@\n{patch}") == gone
