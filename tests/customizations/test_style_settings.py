"""What a formatter or linter enforces is read from its settings, and rules about the same from what people write."""

from __future__ import annotations

from cases import cases

from memsuggest.customizations.lint.style_rules import read_style_rule
from memsuggest.customizations.lint.style_settings import enforced_by

RULES = [
    ("Use single quotes for strings", ("quotes", "single", "")),
    ("**Quotes**: always `double` quotes in TypeScript, not single quotes.", ("quotes", "double", "js")),
    ("Omit semicolons", ("semicolons", "no", "")),
    ("Indent with two spaces", ("indent", "2 spaces", "")),
    ("Use tabs for indentation (not spaces)", ("indent", "tabs", "")),
    ("Python lines must not exceed 100 characters", ("line length", "100", "python")),
    ("Never use `any`", ("no any", "yes", "")),
    ("TypeScript strict mode is enabled (enforced by ESLint)", ("strict types", "yes", "js")),
    ("No trailing whitespace", ("trailing whitespace", "yes", "")),
]
NO_RULES = [
    "Use single quotes, except in JSON",
    "Use single quotes in JSX and double quotes elsewhere",
    "Use strict mode in React",
    "Keep files under 300 lines",
    "Write one import per line",
    "Never log customer data to the console",
    "Prefer early returns",
    "Do we use semicolons?",
    "Use 2 spaces for YAML and 4 spaces for Python",
    "Quote single sources of truth",
]
EDITOR = """root = true
[*]
indent_style = space
indent_size = 2
insert_final_newline = true
[*.md]
indent_size = 4
"""
RUFF = '[tool.ruff]\nline-length = 100\n[tool.ruff.lint]\nselect = ["E", "F", "I"]\nignore = ["F841"]\n'
ESLINT = '{"rules": {"no-console": "error", "no-var": "warn", "eqeqeq": [2]}}'
SETTINGS = [
    (".prettierrc", "singleQuote: true\nsemi: false\n", ["quotes single", "semicolons no"]),
    (".prettierrc.json", '{"semi": true, "overrides": [{"files": "*.x", "options": {"semi": false}}]}', []),
    ("package.json", '{"prettier": {"printWidth": 100}}', ["line length 100"]),
    ("package.json", '{"prettier": "@acme/prettier-config"}', []),
    ("tsconfig.json", '{"compilerOptions": {"strict": true /* all */}}', ["strict types yes"]),
    (".eslintrc.json", ESLINT, ["no console yes", "strict equality yes"]),
    ("biome.json", '{"javascript": {"formatter": {"quoteStyle": "single"}}}', ["quotes single"]),
    ("biome.json", '{"overrides": [{}], "javascript": {"formatter": {"quoteStyle": "single"}}}', []),
    ("pyproject.toml", RUFF, ["line length 100", "unused imports yes", "sorted imports yes"]),
    (".editorconfig", EDITOR, ["final newline yes"]),
    (".editorconfig", "[*.py]\nindent_style = space\nindent_size = 4\n", ["indent 4 spaces"]),
    ("rustfmt.toml", "max_width = 120\n", ["line length 120"]),
    ("pyproject.toml", "this is [no TOML", []),
    (".prettierrc", "- a\n- b\n", []),
]


@cases(("text", "asked"), RULES)
def test_rules_about_form(text: str, asked: tuple[str, str, str]) -> None:
    """A rule that says just that is read, with the language that it names."""
    found = read_style_rule(text)
    assert found is not None and (found.matter, found.value, found.language) == asked


@cases("text", NO_RULES)
def test_rules_that_say_more(text: str) -> None:
    """A rule with a condition, of something else, or of two minds, is not one that a formatter enforces."""
    assert read_style_rule(text) is None


@cases(("path", "text", "said"), SETTINGS)
def test_settings(path: str, text: str, said: list[str]) -> None:
    """Only what a file says itself, for all of its files, is enforced."""
    assert [f"{one.matter} {one.value}" for one in enforced_by([(path, text)])] == said
