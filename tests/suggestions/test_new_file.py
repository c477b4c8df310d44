"""New files: where, what they are called, how they begin."""

from __future__ import annotations

import pytest
from cases import cases
from edit_kit import fact_of

from memsuggest.core.model import Kind, MemoryFact, Scope
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.lints import lint
from memsuggest.suggestions.placement.new_file import new_file, slug
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import suggest


def fact(content: str, kind: Kind = Kind.CONVENTION, scope: Scope = Scope.WORKSPACE) -> MemoryFact:
    return MemoryFact(id="f", content=content, kind=kind, scope=scope, confidence=0.9, timestamp=1)


HAS = (".github/copilot-instructions.md",)


@cases(
    ("content", "paths", "uri"),
    [
        pytest.param("never mock the database in tests", ["tests/a.py", "tests/b.py"], "tests", id="its folder"),
        pytest.param("one sentence per line", ["docs/a.md", "docs/b.md"], "docs", id="the folder"),
        pytest.param("one sentence per line", ["docs/_"], "docs", id="a folder that is only named"),
        pytest.param("migrations are idempotent", ["src/db/migrations/1.sql"], "migrations", id="the innermost folder"),
        pytest.param("Polars frames are lazy", ["a.py", "b.py"], "conventions", id="no folder"),
    ],
)
def test_names(content: str, paths: list[str], uri: str) -> None:
    """A file is named for its folder."""
    made = new_file(fact(content), paths=paths, taken=HAS, has_always_on=True)
    assert made.uri == f".github/instructions/{uri}.instructions.md"


@cases("paths", [["tests/a.py"], ["docs/a.md"], ["src/x/a.ts", "src/x/b.ts"], ["it's/a.py"], ["a b/[c]/d.py"]])
def test_heads(paths: list[str]) -> None:
    """The head is sound: a description that says when, a portable pattern in quotes, nothing to lint."""
    made = new_file(fact('never "mock" the #database: in tests'), paths=paths, taken=HAS, has_always_on=True)
    header = parse(made.text)
    assert not header.errors
    assert header.description is not None and header.description.startswith("Use when ")
    assert header.apply_to
    assert not lint(target_from(made.uri, made.text))


def test_the_first_file_of_all() -> None:
    """Where nothing is always loaded, a rule about everything starts AGENTS.md."""
    made = new_file(fact("be brief"), paths=(), taken=(), has_always_on=False)
    assert made == ("AGENTS.md", "# Instructions for agents\n\n## Conventions\n\n- Be brief\n")


def test_where_claude_code_reads() -> None:
    """A workspace that keeps its rules for Claude Code gets another rule there, with its paths."""
    taken = (".claude/rules/tests.md",)
    made = new_file(fact("never mock in tests"), paths=["tests/a.py"], taken=taken, has_always_on=True)
    assert made.uri == ".claude/rules/tests-2.md"
    assert parse(made.text).paths == ["tests/**/*.py"]


def test_names_that_are_taken() -> None:
    """No file is overwritten, on file systems of any kind."""
    taken = (".github/instructions/Tests.instructions.md", ".github/instructions/tests-2.instructions.md")
    made = new_file(fact("never mock in tests"), paths=["tests/a.py"], taken=taken, has_always_on=True)
    assert made.uri == ".github/instructions/tests-3.instructions.md"


def test_the_person_s_own() -> None:
    """What concerns the person goes to one file of theirs, for all files."""
    made = new_file(fact("short answers", scope=Scope.USER), paths=["a.py"], taken=(), has_always_on=False)
    assert made.uri == "~/.copilot/instructions/personal.instructions.md"
    assert parse(made.text).apply_to == "**"


RELEASE = "To release the app: 1) bump the version, 2) run `make notes`, 3) tag and push"


def test_a_procedure_becomes_a_skill() -> None:
    """Several steps make a skill: its folder has its name, it says when, its steps are numbered."""
    made = new_file(fact(RELEASE, Kind.PROCEDURE), paths=(), taken=HAS, has_always_on=True)
    assert made.uri == ".github/skills/release-the-app/SKILL.md"
    header = parse(made.text)
    assert (header.name, header.description) == ("release-the-app", "Use when the task is about: release the app")
    assert made.text.endswith("## Steps\n\n1. Bump the version\n2. Run `make notes`\n3. Tag and push\n")
    assert not lint(target_from(made.uri, made.text))


def test_one_step_makes_no_skill() -> None:
    """A habit is a rule."""
    made = new_file(fact("run the tests first", Kind.PROCEDURE), paths=(), taken=HAS, has_always_on=True)
    assert made.uri.endswith(".instructions.md")


@cases("text", ["../../x", "a" * 99, "CON", "Ünï côdé", "a/b\\c:d", "---", "x\u202ey"])
def test_slugs(text: str) -> None:
    """A name is lower-case ASCII, short, and leaves no folder."""
    made = slug(text)
    assert len(made) <= 40
    assert not made.strip("abcdefghijklmnopqrstuvwxyz0123456789-")


@cases(
    ("content", "kind", "paths", "uri", "holds"),
    [
        pytest.param(
            "Handlers return problem details",
            Kind.CONVENTION,
            ("src/api/a.ts", "src/api/b.ts"),
            ".github/instructions/api.instructions.md",
            "\n# Api\n",
            id="a folder",
        ),
    ],
)
def test_reads_well(content: str, kind: Kind, paths: tuple[str, ...], uri: str, holds: str) -> None:
    """Names, descriptions and titles are what a person would write; written, it is said."""
    made = fact_of(content, kind=kind, paths=paths)
    new = new_file(made, paths=paths, taken=("AGENTS.md",), has_always_on=True)
    assert new.uri == uri
    assert holds in new.text
    again = suggest(made, WorkspaceIndex([target_from("AGENTS.md", "# A\n"), target_from(new.uri, new.text)]))
    assert isinstance(again, AlreadySaid)
