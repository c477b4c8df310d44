"""What hosts silently read otherwise is found, and put right where that is safe."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.lint.file_lints import LINTS, lint, lint_all

API = ".github/instructions/api.instructions.md"

PATTERNS = [
    pytest.param("['a/**', '*.ts']", "apply-to-list", "a/**,**/*.ts", id="list"),
    pytest.param("\n  - a/**\n  - b/**", "apply-to-list", "a/**,b/**", id="block list"),
    pytest.param("{src,lib}/**", "apply-to-map", "src/**,lib/**", id="map"),
    pytest.param("./src/*.ts", "apply-to-dot", "src/*.ts", id="dot"),
    pytest.param("../src/*.ts", "apply-to-dot", None, id="two dots"),
    pytest.param("/src/**", "apply-to-rooted", "src/**", id="rooted"),
    pytest.param("'**/*.ts, !**/*.test.ts'", "apply-to-negation", None, id="negation"),
    pytest.param("'**/*.{ts, tsx}'", "apply-to-blank-in-braces", "**/*.ts,**/*.tsx", id="blank in braces"),
    pytest.param("'**/*.{ts,{js,jsx}}'", "apply-to-nested-braces", "**/*.ts,**/*.js,**/*.jsx", id="nested braces"),
    pytest.param("src\\**", "apply-to-backslash", "src/**", id="backslash"),
    pytest.param("'a/**;b/**'", "apply-to-separator", "a/**,b/**", id="semicolon"),
    pytest.param("a/** | b/**", "apply-to-separator", "a/**,b/**", id="bar"),
    pytest.param("\"'a/**'\"", "apply-to-quotes", "a/**", id="quotes"),
    pytest.param("docs/", "apply-to-folder", "docs/**", id="folder"),
    pytest.param("app/[slug]/**", "apply-to-class", "app/*/**", id="class"),
    pytest.param("'*.ts'", "apply-to-dialect", "**/*.ts", id="dialect"),
    pytest.param("'*'", "apply-to-dialect", "**", id="star"),
    pytest.param('"a/**", "b/**"', "header-lost", "a/**, b/**", id="two strings"),
]


@cases(("value", "expected", "apply_to"), PATTERNS)
def test_patterns(value: str, expected: str, apply_to: str | None) -> None:
    """A pattern that matches something else than was meant is found, and written portably where that is clear."""
    text = f"---\ndescription: d\napplyTo: {value}\n---\n- rule\n"
    found = {finding.lint: finding for finding in lint(target_from(API, text))}
    fix = found[expected].fix
    if apply_to is None:
        assert fix is None
        return
    assert fix is not None
    assert fix.before == text
    after = parse(fix.after or "")
    assert (after.apply_to, after.description, after.body) == (apply_to, "d", "- rule\n")
    assert expected not in [finding.lint for finding in lint(target_from(API, fix.after or ""))]


@cases("value", ["'**'", "'**/*.ts,src/**'", "'src/[ab].ts'", "'**/*.{ts,tsx}'", ".github/**"])
def test_good_patterns(value: str) -> None:
    """Patterns that do what they say are left alone."""
    assert lint(target_from(API, f"---\ndescription: d\napplyTo: {value}\n---\n")) == ()


GOOD = "---\napplyTo: '**'\n---\nx\n"
HEADERS = [
    pytest.param("\ufeff" + GOOD, "header-bom", GOOD, id="BOM"),
    pytest.param("\n \n" + GOOD, "header-blank", GOOD, id="blank lines"),
    pytest.param(GOOD.removeprefix("---\n"), "header-unopened", GOOD, id="unopened"),
    pytest.param(f"```instructions\n{GOOD}```\n", "header-wrapped", GOOD, id="fence"),
    pytest.param(f"````chatmode\n{GOOD}```\ny\n```\n", "header-wrapped", f"{GOOD}```\ny\n```\n", id="half a fence"),
    pytest.param("---\nname: n\n\n# A\n", "header-unclosed", "---\nname: n\n---\n\n# A\n", id="unclosed"),
    pytest.param("---\nname: n\nx\n", "header-unclosed", "---\nname: n\n---\nx\n", id="unclosed before text"),
    pytest.param("---\r\nname: n\r\n# A", "header-unclosed", "---\r\nname: n\r\n---\r\n# A", id="unclosed, CRLF"),
    pytest.param("---\nname:'n'\nx: y\n---\n", "header-no-blank", "---\nname: 'n'\nx: y\n---\n", id="no blank"),
    pytest.param("---\nname: 'it's'\nx: y\n---\n", "header-lost", "---\nname: 'it''s'\nx: y\n---\n", id="lost"),
    pytest.param("---\nname: n\nname: m\n---\n", "header-duplicate", None, id="duplicate"),
    pytest.param("---\napplyto: '**'\n---\n", "header-misspelt", "---\napplyTo: '**'\n---\n", id="spelling"),
]


@cases(("text", "expected", "after"), HEADERS)
def test_headers(text: str, expected: str, after: str | None) -> None:
    """A header that is not read as it was meant is found, and only what is wrong is changed."""
    found = {finding.lint: finding for finding in lint(target_from(API, text))}
    fix = found[expected].fix
    assert (fix.after if fix else None) == after
    if after:
        assert expected not in [finding.lint for finding in lint(target_from(API, after))]


OTHERS = [
    pytest.param(
        ".github/skills/ship/SKILL.md", "---\nname: Ship It\ndescription: d\n---\n", ["skill-name"], id="name"
    ),
    pytest.param(".github/skills/Ship_It/SKILL.md", "---\ndescription: d\n---\n", ["skill-folder"], id="folder"),
    pytest.param(".github/skills/ship/SKILL.md", "text", ["description-missing"], id="skill without description"),
    pytest.param(
        ".github/skills/s/SKILL.md", f"---\ndescription: {'d' * 1025}\n---\n", ["description-long"], id="long"
    ),
    pytest.param(".github/agents/a.agent.md", "---\nname: x\n---\n", ["description-missing"], id="agent"),
    pytest.param(
        ".github/agents/a.agent.md", "---\ndescription: d\n---\n" + "x" * 30_001, ["agent-long"], id="long agent"
    ),
    pytest.param(
        ".github/agents/a.agent.md",
        "---\ndescription: d\nuser-invokable: true\n---\n",
        ["header-misspelt"],
        id="user-invokable",
    ),
    pytest.param(".github/prompts/p.prompt.md", "---\nmode: ask\n---\n", ["prompt-mode"], id="mode"),
    pytest.param(API, "---\ndescription: d\n---\n", ["apply-to-missing"], id="only offered"),
    pytest.param(API, "text", ["description-missing"], id="neither"),
    pytest.param(
        ".github/agents/a.agent.md",
        "---\ndescription: >-\n  folded\ntools: ['x']\nhooks:\n  Stop:\n    - command: 'x'\n---\n",
        [],
        id="blocks and maps are fine",
    ),
    pytest.param(".claude/rules/r.md", "---\npaths: ['*.py']\n---\n", [], id="rules have lists"),
    pytest.param("AGENTS.md", "---\nname: 'it's'\n---\n", [], id="always-on files have no header"),
]


@cases(("uri", "text", "expected"), OTHERS)
def test_other_lints(uri: str, text: str, expected: list[str]) -> None:
    """Each kind of file has its own conditions."""
    assert [finding.lint for finding in lint(target_from(uri, text))] == expected


def test_chatmode_is_renamed() -> None:
    """A chat mode should be called an agent, and lie among the agents."""
    (found,) = lint(target_from(".github/chatmodes/plan.chatmode.md", "---\ndescription: d\n---\n"))
    assert (found.lint, found.rename_to, found.fix) == ("chatmode", ".github/agents/plan.agent.md", None)
    (found,) = lint(target_from(".github/agents/plan.chatmode.md", "---\ndescription: d\n---\n"))
    assert found.rename_to == ".github/agents/plan.agent.md"


def test_line_and_message() -> None:
    """A finding names the line of the attribute and what is wrong with it."""
    (found,) = lint(target_from(API, "---\ndescription: d\n# note\napplyTo: ./a.ts\n---\n"))
    assert found.line == 3
    assert "`./a.ts`" in found.message


def test_too_many_always_on() -> None:
    """A third always-on file of the root is one too many, unless it only points to another."""
    files = ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "sub/AGENTS.md", "~/.claude/CLAUDE.md"]
    found = lint_all([target_from(uri, "- rule\n") for uri in files])
    assert [(finding.lint, finding.uri) for finding in found] == [("always-on-many", "GEMINI.md")]
    pointing = [target_from("GEMINI.md", "@AGENTS.md\n"), *(target_from(uri, "- rule") for uri in files[:2])]
    assert lint_all(pointing) == ()


def test_ids_are_unique() -> None:
    """Every lint has its own id, and a message without a full stop."""
    assert len({one.id for one in LINTS}) == len(LINTS)
    assert not [one.id for one in LINTS if one.message.endswith(".")]


HOOKS = [
    pytest.param('{"hooks": {"Stop": [{"type": "command", "command": "x"}]}}', [], id="fine"),
    pytest.param(
        '{"version": 1, "hooks": {"agentStop": [{"bash": "x"}], "sessionStart": []}}', [], id="other spelling"
    ),
    pytest.param('{"hooks": {"Stop": [{"matcher": "*", "hooks": [{"command": "x"}]}]}}', [], id="groups"),
    pytest.param('{"hooks": ', ["hook-json"], id="broken"),
    pytest.param("[]", ["hook-json"], id="no map"),
    pytest.param('{"hooks": {"BeforeStop": [{"command": "x"}]}}', ["hook-event"], id="unknown event"),
    pytest.param('{"hooks": {"Stop": [{"command": "x"}], "agentStop": [{"bash": "x"}]}}', ["hook-twice"], id="twice"),
    pytest.param('{"hooks": {"Stop": [{"cmd": "x"}]}}', ["hook-command"], id="no command"),
    pytest.param('{"hooks": {"Stop": "x"}}', ["hook-command"], id="no entry"),
]


@cases(("text", "expected"), HOOKS)
def test_hooks(text: str, expected: list[str]) -> None:
    """Hook files that a host skips, wholly or in part, are found; they are never changed."""
    found = lint(target_from(".github/hooks/h.json", text))
    assert [finding.lint for finding in found] == expected
    assert not any(finding.fix for finding in found)


def test_events_of_claude_are_not_judged() -> None:
    """Claude Code has many more events."""
    assert lint(target_from(".claude/settings.json", '{"hooks": {"PostCompact": [{"command": "x"}]}}')) == ()
