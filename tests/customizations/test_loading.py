"""For a source file it is said which customization files the hosts load, and what that costs."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.core.model import Target
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.loading import ALWAYS_ON_BUDGET, Loaded, cost_of, loaded_for, total_for
from memsuggest.customizations.vscode_settings import HostSettings, host_settings

ROOT = "/home/mia/shop"


def instructions(apply_to: str, uri: str = ".github/instructions/a.instructions.md") -> Target:
    return target_from(uri, f"---\napplyTo: {apply_to}\n---\n- rule\n")


def load(path: str, *targets: Target, settings: HostSettings | None = None) -> dict[str, Loaded]:
    return {loaded.target.uri: loaded for loaded in loaded_for(path, targets, ROOT, settings=settings)}


ONE = [
    pytest.param("'**/*.py'", "src/a.py", (True, True, "**/*.py"), id="both"),
    pytest.param("'*.py'", "src/a.py", (True, False, "**/*.py"), id="any folder or the root"),
    pytest.param("'*.py'", "a.py", (True, True, "**/*.py"), id="in the root"),
    pytest.param("src/**", "pkg/src/a.py", (True, False, "**/src/**"), id="nested folder"),
    pytest.param("./src/*.py", "src/a.py", (False, True, "./src/*.py"), id="only GitHub"),
    pytest.param("['**/*.py']", "src/a.py", (False, True, "**/*.py"), id="list"),
    pytest.param("'**/*.ts'", "src/a.py", (False, False, None), id="neither"),
    pytest.param("'**'", "src/a.py", (True, True, "**"), id="all"),
    pytest.param("'*'", "src/a.py", (True, False, "*"), id="star"),
]


@cases(("apply_to", "path", "expected"), ONE)
def test_instructions(apply_to: str, path: str, expected: tuple[bool, bool, str | None]) -> None:
    """Each dialect decides by the patterns, and a difference is explained."""
    (found,) = load(path, instructions(apply_to)).values()
    assert (found.vscode, found.github, found.pattern) == expected
    assert bool(found.warnings) is (found.vscode != found.github)


def test_absolute_path() -> None:
    """The source file may be named by its whole path."""
    (found,) = load(f"{ROOT}/src/a.py", instructions("src/*.py")).values()
    assert (found.vscode, found.github) == (True, True)


ALWAYS_ON = {
    "AGENTS.md": (True, True),
    "CLAUDE.md": (True, True),
    "CLAUDE.local.md": (True, False),
    "GEMINI.md": (False, True),
    ".claude/CLAUDE.md": (True, False),
    ".github/copilot-instructions.md": (True, True),
    "~/.claude/CLAUDE.md": (True, False),
    "~/.copilot/copilot-instructions.md": (True, True),
    ".claude/rules/all.md": (True, False),
    ".cursor/rules/x.mdc": (False, False),
    "docs/AGENTS.md": (False, False),
}


def test_always_on() -> None:
    """Files without patterns are loaded by the hosts that know them."""
    found = load("src/a.py", *(target_from(uri, "x") for uri in ALWAYS_ON))
    assert {uri: (one.vscode, one.github) for uri, one in found.items()} == ALWAYS_ON


def test_nested_agents() -> None:
    """The nearest AGENTS.md wins for GitHub; VS Code needs a setting to list one in a sub-folder."""
    targets = [target_from(uri, "x") for uri in ("AGENTS.md", "src/AGENTS.md", "src/api/AGENTS.md", "src/CLAUDE.md")]
    found = load("src/api/a.py", *targets)
    assert [(suggestion.vscode, suggestion.github, suggestion.pattern) for suggestion in found.values()] == [
        (True, False, "**"),
        (False, False, "src/**"),
        (False, True, "src/api/**"),
        (False, False, "src/**"),
    ]
    assert all(suggestion.warnings or suggestion.others for suggestion in found.values())
    found = load("src/api/a.py", *targets, settings=HostSettings(reads_nested_agents=True))
    assert [suggestion.vscode for suggestion in found.values()] == [True, True, True, False]


def test_settings_switch_off() -> None:
    """What the settings switch off, VS Code does not load."""
    settings = host_settings(
        {
            "chat.useAgentsMdFile": False,
            "chat.useClaudeMdFile": "false",
            "github.copilot.chat.codeGeneration.useInstructionFiles": False,
            "chat.instructionsFilesLocations": {".github/instructions": False},
        },
        may_name_home=False,
    )
    targets = [target_from(uri, "x") for uri in ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md")]
    found = load("a.py", *targets, instructions("'**'"), settings=settings)
    assert [(suggestion.vscode, suggestion.github) for suggestion in found.values()] == [(False, True)] * 4


def test_where_vscode_does_not_look() -> None:
    """A package's own folder is read by the command line for files of that package, and by VS Code when told."""
    uri = "pkg/.github/instructions/a.instructions.md"
    (found,) = load("pkg/a.py", instructions("'**'", uri)).values()
    assert (found.vscode, found.github) == (False, True)
    (found,) = load("lib/a.py", instructions("'**'", uri)).values()
    assert (found.vscode, found.github) == (False, False)
    told = host_settings({"chat.instructionsFilesLocations": {"pkg/.github/instructions": True}}, may_name_home=False)
    (found,) = load("pkg/a.py", instructions("'**'", uri), settings=told).values()
    assert found.vscode


def test_profile_is_for_the_editor() -> None:
    """Files of an editor's profile are read by the editor alone."""
    uri = "~/.config/Code/User/prompts/a.instructions.md"
    (found,) = load("a.py", instructions("'**'", uri)).values()
    assert (found.vscode, found.github, found.warnings) == (True, False, ())


def test_other_kinds_are_left_out() -> None:
    """Agents, skills, prompts and hooks are not chosen by a path."""
    assert (
        load("a.py", target_from(".github/prompts/p.prompt.md", "x"), target_from(".github/hooks/h.json", "{}")) == {}
    )


# ---- budgets ----


@cases(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("äöüß", 1)])
def test_tokens(text: str, tokens: int) -> None:
    """A token is four characters, rounded up."""
    assert cost_of(target_from("AGENTS.md", text)).tokens == tokens


def test_cost() -> None:
    """A file costs its body; budgets differ by kind; what is to be added counts."""
    agents = target_from("AGENTS.md", "x" * 4 * ALWAYS_ON_BUDGET)
    assert not cost_of(agents).is_over
    assert cost_of(agents, added="y").is_over
    assert cost_of(instructions("'**'")) == (2, ALWAYS_ON_BUDGET)
    assert (cost_of(instructions("'src/**'")).budget or 0) < ALWAYS_ON_BUDGET
    assert cost_of(target_from(".github/hooks/h.json", "{}")) == (0, None)


def test_total() -> None:
    """What is loaded for a source file is added up; the same text counts once."""
    targets = [target_from("AGENTS.md", "x" * 40), target_from("CLAUDE.md", "x" * 40), instructions("'**/*.ts'")]
    assert total_for(loaded_for("a.py", targets, ROOT)) == 10


@cases(
    ("uri", "text", "others", "pattern"),
    [
        pytest.param(".cursor/rules/a.mdc", "---\nglobs: src/**/*.ts\n---\n", ("Cursor",), "src/**/*.ts", id="globs"),
        pytest.param(".cursor/rules/a.mdc", "---\nalwaysApply: true\n---\n", ("Cursor",), "**", id="always"),
        pytest.param(".cursor/rules/a.mdc", "---\ndescription: x\n---\n", (), None, id="by its description"),
        pytest.param(".claude/rules/a.md", '---\npaths: ["src/**"]\n---\n', ("Claude Code",), "**/src/**", id="paths"),
        pytest.param(".claude/rules/a.md", '---\npaths: ["api/**"]\n---\n', (), "**/api/**", id="not from the root"),
        pytest.param("CLAUDE.md", "x\n", ("Claude Code",), "**", id="always-on"),
        pytest.param("src/CLAUDE.md", "x\n", ("Claude Code",), "src/**", id="nested"),
        pytest.param("lib/CLAUDE.md", "x\n", (), None, id="nested elsewhere"),
    ],
)
def test_other_assistants(uri: str, text: str, others: tuple[str, ...], pattern: str | None) -> None:
    """Claude Code and Cursor load files of their own, by their own patterns."""
    (found,) = loaded_for("src/api/a.ts", [target_from(uri, text)], ROOT)
    assert (found.others, found.pattern) == (others, pattern)


def test_patterns_switched_off() -> None:
    """With the editor's setting off, VS Code attaches nothing by patterns; always-on files stay."""
    targets = [
        target_from(".github/instructions/a.instructions.md", '---\napplyTo: "**"\n---\n'),
        target_from("AGENTS.md", "x"),
    ]
    first, second = loaded_for("a.py", targets, ROOT, settings=HostSettings(is_applying=False))
    assert (first.vscode, first.github, second.vscode) == (False, True, True)
    assert "includeApplyingInstructions" in first.warnings[0]
    assert not host_settings({"chat.includeApplyingInstructions": "false"}, may_name_home=False).is_applying
