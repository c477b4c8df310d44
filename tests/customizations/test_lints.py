"""What hosts silently read otherwise is found, and put right where that is safe."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.lints import MESSAGES, lint

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


SKILL = ".github/skills/ship/SKILL.md"
OTHERS = [
    pytest.param(SKILL, "---\nname: Ship It\ndescription: d\n---\n", ["skill-name"], id="name"),
    pytest.param(SKILL, "text", ["description-missing"], id="skill without description"),
    pytest.param(".github/agents/a.agent.md", "---\nname: x\n---\n", ["description-missing"], id="agent"),
    (".github/agents/a.agent.md", "---\ndescription: d\nuser-invokable: true\n---\n", ["header-misspelt"]),
    pytest.param(API, "text", ["description-missing"], id="neither"),
    pytest.param(API, "---\ndescription: d\n---\n", ["apply-to-missing"], id="only offered"),
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


def test_names_and_descriptions_are_put_right() -> None:
    """A skill gets its folder's name, and the first sentence of its text, or its title, as its description."""
    (name,) = lint(target_from(SKILL, "---\nname: Ship It\ndescription: d\n---\n"))
    assert name.fix and name.fix.after == "---\nname: ship\ndescription: d\n---\n"
    text = "# Ship\n\nMakes a **release** of [the shop](x.md). Then more.\n"
    (found,) = lint(target_from(SKILL, text))
    assert found.fix and parse(found.fix.after or "").description == "Makes a release of the shop."
    (found,) = lint(target_from(SKILL, "---\nname: ship\n---\n- rule\n"))
    assert found.fix and parse(found.fix.after or "").description == "Use when the task is about ship"


def test_message() -> None:
    """A finding says what is wrong, in a message without a full stop."""
    (found,) = lint(target_from(API, "---\ndescription: d\n# note\napplyTo: ./a.ts\n---\n"))
    assert "`./a.ts`" in found.message
    assert not [message for message in MESSAGES.values() if message.endswith(".")]
