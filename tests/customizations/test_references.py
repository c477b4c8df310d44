"""What a line refers to, and which tasks the build files of a repository have."""

from __future__ import annotations

from cases import cases

from memsuggest.customizations.staleness.declared_tasks import declared_tasks, tools_of
from memsuggest.customizations.staleness.stale_lines import references_in, references_in_command

COMMANDS = [
    ("npm run lint -- --fix", ["npm lint"]),
    ("npm test", ["npm test"]),
    ("npm install", []),
    ("pnpm --filter web e2e", ["npm e2e"]),
    ("pnpm exec vitest", []),
    ("yarn workspace web build", ["npm build"]),
    ("cd web && bun run dev", ["npm dev"]),
    ("CI=1 make -C lib lint test V=1", ["make lint", "make test"]),
    ("just deploy staging", ["just deploy"]),
    ("deno task check", ["deno check"]),
    ("uv run scripts/sync.py --all", ["path scripts/sync.py"]),
    ("bash tools/run.sh > out/log.txt", ["path tools/run.sh"]),
    ("./tools/run.sh one", ["path ./tools/run.sh"]),
    ("bun tools/run.ts", ["path tools/run.ts"]),
    ("npm run <name>", []),
    ("npm run example", []),
    ("git commit -m x/y.z", []),
]
SPANS = [
    ("see `src/a.py:12` and [b](docs/b.md#part)", ["src/a.py", "docs/b.md"]),
    ("run `npm run fmt`", ["fmt"]),
    ("text src/a.py is no code", []),
    ("`src/**/*.py`, `src/<name>.py`, `src/.../a.py`, `path/to/x.py`, `https://a.b/c.d`", []),
    ("`setup.cfg` at the root", ["setup.cfg"]),
    ("`true`, `UserStore`", []),
]
BUILD_FILES = [
    ("package.json", '{"scripts": {"one": "x"}}', "npm", "one", True),
    ("web/package.json", '{"scripts": {"one": "x"}}', "npm", "two", False),
    ("package.json", "{", "npm", "two", None),
    ("package.json", '{"name": "x"}', "npm", "two", None),
    ("Makefile", ".PHONY: one\none: dep\n\tdo\nX := 1\n", "make", "one", True),
    ("Makefile", "one:\n\tdo\n", "make", "X", False),
    ("Makefile", "one:\ninclude rules/$(OS).mk\n", "make", "two", None),
    ("Makefile", "one:\ninclude rules/x.mk\n", "make", "two", False),
    ("Makefile", "build-%:\n\tdo $*\n", "make", "build-web", None),
    ("justfile", "@one target='x':\n  do\nalias o := one\n", "just", "o", True),
    ("justfile", "import 'x.just'\none:\n  do\n", "just", "two", None),
    ("Taskfile.yml", "tasks:\n  one:\n    cmds: [x]\n", "task", "two", False),
    ("pyproject.toml", '[tool.poe.tasks]\none = "x"\n', "poe", "one", True),
    ("composer.json", '{"scripts": {"one": "x"}}', "composer", "two", False),
    ("deno.jsonc", '{"tasks": {"one": "x"}} // all', "deno", "one", True),
]


@cases(("line", "found"), COMMANDS)
def test_commands(line: str, found: list[str]) -> None:
    """A command line names the tasks and scripts of the repository that it runs, and nothing of the program's own."""
    assert [f"{reference.tool or 'path'} {reference.name}" for reference in references_in_command(line)] == found


@cases(("text", "found"), SPANS)
def test_spans(text: str, found: list[str]) -> None:
    """Code spans and links refer to paths and tasks; patterns, placeholders and plain words do not."""
    assert [reference.name for reference in references_in(text)] == found


@cases(("path", "text", "tool", "name", "has"), BUILD_FILES)
def test_build_files(path: str, text: str, tool: str, name: str, has: bool | None) -> None:
    """A task is there, is not there, or nobody can tell: a file that cannot be read whole may declare anything."""
    assert tool in tools_of(path)
    assert declared_tasks([(path, text)]).has(tool, name) is has
