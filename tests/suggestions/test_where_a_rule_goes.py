"""Which file a rule goes to and where in it: who loads the file, what stands there, in whose language."""

from __future__ import annotations

from dataclasses import replace

from cases import cases
from edit_kit import fact_of

from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope
from memsuggest.customizations.blocks.sections import layout
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.placement.lists import is_about_examples, is_about_wrong, is_example_tag
from memsuggest.suggestions.placement.place import is_about_rules, usual_section
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

TRACKED = (
    *("ship/crate.go", "ship/crate_test.go", "web/cart.tsx", "ops/deploy.sh", "docs/guide.md", "lib/core/sum.py"),
    *("web/components/Cart.tsx", "web/site.css", "src/api/handlers.py", "src/web/page.ts", "docs/settings.md"),
)
AGENTS = "# Depot\n\n## Conventions\n\n- Crates are counted in whole numbers\n\n## Releases\n\n- Tag every release\n"
FRONTEND = '---\napplyTo: "web/**/*.ts,web/**/*.tsx"\n---\n# Pages\n\n- Pages are rendered on the server.\n'
BROWSER = '---\napplyTo: "src/web/**"\n---\n# Handlers\n\n- Handlers are debounced.\n- Handlers return early.\n'
EVERYWHERE = '---\napplyTo: "**"\n---\n# Everything\n\n## Rules\n\n- Be kind.\n'
RULES = "# Shop\n\n## Conventions\n\n- Be kind.\n"
SCALES = (
    "---\nname: scales\ndescription: Weighs crates on the scales of the depot.\n---\n# Scales\n\n## Trouble\n\n"
    "- An error ends the weighing\n- The belt is stopped by hand\n"
)
ALL = {
    "AGENTS.md": AGENTS,
    ".github/instructions/ship.instructions.md": '---\napplyTo: "ship/**/*.go"\n---\n# Ship\n\n- Crates have owners\n',
    ".github/skills/label-printer/SKILL.md": (
        "---\nname: label-printer\ndescription: Prints labels for parcels. Use when a parcel needs a label.\n---\n"
        "# Label printer\n\n## When to Use\n\n- The label of a parcel is torn and illegible\n"
    ),
    ".github/skills/scales/SKILL.md": SCALES,
    "lib/core/AGENTS.md": "# Core\n\n## Errors\n\n- Error messages of the core are short\n- They have a full stop\n",
}
NARROW = {name: text for name, text in ALL.items() if name != "AGENTS.md"}
BESIDE_AGENTS = {".github/instructions/browser.instructions.md": BROWSER, "AGENTS.md": RULES}
SQUASH = "Squash commits before opening a pull request"
PRICES = "Prices have two digits"


def told(content: str, *, host: str = "", paths: tuple[str, ...] = (), scope: Scope = Scope.WORKSPACE) -> MemoryFact:
    fact = fact_of(content)
    citations = tuple(replace(citation, format=host, paths=paths) for citation in fact.citations)
    return replace(fact, citations=citations, scope=scope)


def placed(fact: MemoryFact, files: dict[str, str], *, closed: tuple[str, ...] = ()) -> MemorySuggestion:
    targets = [target_from(uri, text) for uri, text in files.items()]
    made = suggest(fact, WorkspaceIndex(targets, tracked_paths=TRACKED, root="/depot", closed=closed))
    assert isinstance(made, MemorySuggestion), made
    return made


def after(text: str, rule: str = PRICES) -> str:
    return placed(told(rule), {"AGENTS.md": text}).edit.after or ""


@cases(
    ("fact", "files", "path"),
    [
        # what covers the files that a rule names, whatever words it holds
        (told("Use early returns in `ship/`"), NARROW, ".github/instructions/ship.instructions.md"),
        (told("No naked returns in `ship/crate.go`"), NARROW, ".github/instructions/ship.instructions.md"),
        (
            told("don't use default exports in web/ components"),
            {".github/instructions/frontend.instructions.md": FRONTEND, "AGENTS.md": RULES},
            ".github/instructions/frontend.instructions.md",
        ),
        # a word in common does not make a host load a file, whether its files are named or cited
        (told("handlers in src/api/handlers.py return a tuple"), BESIDE_AGENTS, "AGENTS.md"),
        (told("handlers return a tuple", paths=("src/api/handlers.py",)), BESIDE_AGENTS, "AGENTS.md"),
        # a skill or a nested file that has the words somewhere is no place, one whose description is about it is
        (told("Error messages end without a full stop"), ALL, "AGENTS.md"),
        (told("Labels of parcels show the sender's street"), ALL, ".github/skills/label-printer/SKILL.md"),
        (told("Error messages end without a dash", paths=("lib/core/sum.py",)), ALL, "lib/core/AGENTS.md"),
        # a skill is not taken for want of a better file; a file for everything that speaks of the matter is
        (told("Error messages end without a full stop"), {".github/skills/scales/SKILL.md": SCALES}, "AGENTS.md"),
        (told("Every release in `ops/` and `ship/` gets a tag and a release note"), ALL, "AGENTS.md"),
        (
            told(SQUASH),
            {".github/instructions/a.instructions.md": EVERYWHERE, ".github/instructions/b.instructions.md": BROWSER},
            ".github/instructions/a.instructions.md",
        ),
        # of two files that are always loaded, the one that this assistant reads
        (told(SQUASH, host="claude-code"), {"AGENTS.md": AGENTS, "CLAUDE.md": RULES}, "CLAUDE.md"),
        (told(SQUASH, host="codex"), {"AGENTS.md": AGENTS, "CLAUDE.md": RULES}, "AGENTS.md"),
        (told(SQUASH, host="claude-code"), {}, "CLAUDE.md"),
        (told(SQUASH), {}, "AGENTS.md"),
    ],
)
def test_the_file(fact: MemoryFact, files: dict[str, str], path: str) -> None:
    """The file is loaded where the rule is needed, by the assistant that was told."""
    assert placed(fact, files).edit.path == path


def test_where_something_is_added_is_not_what_a_rule_is_about() -> None:
    """A rule about settings is needed where settings are edited, not where they are documented."""
    fact = told("New settings need an entry in docs/", paths=("src/api/handlers.py",))
    text = placed(fact, {".github/instructions/browser.instructions.md": BROWSER}).edit.after or ""
    assert 'applyTo: "src/api/' in text
    assert "docs" not in text.split("---")[1]


@cases(
    ("host", "path"),
    [
        ("claude-code", "~/.claude/CLAUDE.md"),
        ("codex", "~/.codex/AGENTS.md"),
        ("vscode-chat", "~/.copilot/instructions/me.instructions.md"),
    ],
)
def test_a_persons_own_file(host: str, path: str) -> None:
    """A preference goes to what this host reads."""
    fact = told("Answer with the code first", host=host, scope=Scope.USER)
    own = '---\napplyTo: "**"\n---\n# Me\n\n- Be brief.\n'
    made = placed(fact, {"~/.copilot/instructions/me.instructions.md": own, "AGENTS.md": RULES})
    assert made.edit.path == path


def test_a_link_out_of_the_repo_is_not_made_anew() -> None:
    """What stands there and may not be written is neither edited nor founded."""
    assert placed(told("Squash commits"), {}, closed=("AGENTS.md",)).edit.path != "AGENTS.md"


def test_what_was_taken_out_is_not_written() -> None:
    """The clause with a secret goes; nothing is suggested where it was all there was."""
    mark = "[REDACTED" + ":secret]"
    text = after(RULES, f"Deploy with the script, the token is {mark}")
    assert "Deploy with the script" in text
    assert "REDACTED" not in text
    assert not isinstance(suggest(told(f"Use {mark} for staging"), WorkspaceIndex([])), MemorySuggestion)


@cases("heading", ["Non-negotiable rules", "Rules we hold ourselves to", "Important Notes for Agents", "Known Gotchas"])
def test_headings_for_rules_of_all_sorts(heading: str) -> None:
    """No second heading is made where one for rules of all sorts stands, however it is put."""
    assert is_about_rules(heading)
    text = f"# Depot\n\n## Layout\n\nTwo halls.\n\n## {heading}\n\n- Ask.\n"
    assert placed(told("Sign every delivery note"), {"AGENTS.md": text}).heading == heading


@cases("heading", ["Rules of the forklift", "Known hosts", "Process of customs"])
def test_headings_about_a_matter(heading: str) -> None:
    """A heading about some matter is none for rules of all sorts."""
    assert not is_about_rules(heading)


ENGLISH = "# Depot\n\n## Conventions\n\n- Write commit messages in the past tense\n- Run the linter before you push\n"
GERMAN = "# Lager\n\n## Konventionen\n\n- Commit-Nachrichten werden in der Vergangenheit geschrieben\n"


@cases(
    "rule",
    [
        "Commit-Nachrichten immer im Imperativ schreiben",
        "Schreibe Commit-Nachrichten nie in der Vergangenheit",
        "Vor dem Push immer den Linter ausführen, auch bei kleinen Änderungen in der Doku",
    ],
)
def test_german_replaces_no_english(rule: str) -> None:
    """A German rule stands beside what an English file says, and takes nothing away from who reads English."""
    made = suggest(fact_of(rule), WorkspaceIndex([target_from("AGENTS.md", ENGLISH)]))
    assert isinstance(made, AlreadySaid) or (isinstance(made, MemorySuggestion) and made.replaces is None)
    if isinstance(made, MemorySuggestion):
        assert all(line in (made.edit.after or "") for line in ENGLISH.split("\n"))


def test_german_replaces_german() -> None:
    """In a German file a German rule replaces what it contradicts."""
    rule = "Commit-Nachrichten werden nie in der Vergangenheit geschrieben"
    assert placed(told(rule), {"AGENTS.md": GERMAN}).replaces is not None


@cases(
    "closing",
    [
        "---\n\nSee you in the reviews.",
        "_Last updated: May 2026_",
        "Happy coding!",
        "🤖 Made with care by the shop team.",
        "Proceed with the checkout by following the steps.",
        "$ARGUMENTS",
    ],
)
def test_a_closing_line_stays_last(closing: str) -> None:
    """A goodbye or a date ends the file, with or without a line above it; so does what a prompt is given."""
    text = after(f"# Shop\n\n## Build\n\nRun make.\n\n{closing}\n")
    assert text.rstrip().endswith(closing)
    assert PRICES in text


def test_where_in_the_file() -> None:
    """Words close no section of their own, what a tool writes is left alone, and a named section is nobody's output."""
    assert "## License\n\nLicensed under MIT." in after("# Shop\n\n## License\n\nLicensed under MIT.\n")
    made = after("# Shop\n\n## Rules\n\n<!-- BEGIN acme-rules -->\n- Carts expire.\n<!-- END acme-rules -->\n")
    assert made.index(PRICES) > made.index("END acme-rules")
    named = "# Shop\n\n<!-- <price-rules> -->\n## Prices\n\n* Prices are in cents.\n<!-- </price-rules> -->\n"
    assert f"* Prices are in cents.\n* {PRICES}" in after(named)
    near = "# Shop\n\n## Workflow\n\n- Open a draft first.\n\n## What it checks\n\n- types\n"
    assert f"- Open a draft first.\n- {SQUASH}" in after(near, SQUASH)


@cases(
    ("section", "rule"),
    [
        ("| Command | For |\n| --- | --- |\n| `make l10n` | texts |", "Never edit the files in l10n by hand"),
        ("```ts\nconst total = sumOf(cart);\n```", "Pass whole carts to sumOf"),
    ],
)
def test_names_in_tables_and_code_are_read(section: str, rule: str) -> None:
    """A section that holds a name of the rule is its place, whatever the name stands in: no heading is invented."""
    text = after(f"# Shop\n\n## Deploying\n\nShips go weekly.\n\n## Values\n\n{section}\n", rule)
    assert "## Conventions" not in text
    assert text.index("## Values") < text.index(rule)


@cases("heading", ["Conventions", "Key Conventions", "3. Coding Standards & Conventions", "📏 Rules", "Regeln", "规则"])
def test_headings_of_rules(heading: str) -> None:
    """Rules about everything are announced in many ways."""
    assert is_about_rules(heading)


@cases("heading", ["Testing Conventions", "Naming rules", "Commands", "Overview", ""])
def test_headings_about_something(heading: str) -> None:
    """A heading that is about something is not for everything."""
    assert not is_about_rules(heading)


@cases(
    ("text", "heading"),
    [
        ("# A\n\n## Notes\n\nx\n\n## Rules\n\n- x\n", "Rules"),
        ("# A\n\n## Steps\n\n1. x\n\n## Checklist\n\n- x\n", "Checklist"),
        ("# Project guidelines\n\nText.\n\n## Build\n\n- x\n", None),
        ("# Project guidelines\n\n- x\n\n## Build\n\n- x\n", "Project guidelines"),
        ("# A\n\n- x\n", "A"),
        ("# A\n\n## Build\n\n- x\n", None),
        ("<rules>\n- x\n</rules>\n", ""),
    ],
)
def test_usual_sections(text: str, heading: str | None) -> None:
    """A section for rules about everything is known by its heading, its tag, or as the only list."""
    section = usual_section(layout(text))
    assert (section.heading if section else None) == heading


@cases(
    "name",
    ["Don'ts", "Never:", "❌ Bad", "Things to avoid", "What not to do", "**Do not:**", "Anti-patterns", "Don\u2019t"],
)
def test_what_is_wrong(name: str) -> None:
    """Some lists hold what one should not do."""
    assert is_about_wrong(name)


@cases("name", ["Avoid N+1 queries", "Do's and Don'ts", "Never mock the database:", "Rules", "Error handling", ""])
def test_what_is_not_wrong(name: str) -> None:
    """A rule that forbids something announces no list of wrongs."""
    assert not is_about_wrong(name)


def test_examples() -> None:
    """What only shows how something looks is no rule, and no place for one."""
    assert is_about_examples("Example:")
    assert is_about_examples("For example:")
    assert not is_about_examples("Keep examples short")
    assert is_example_tag("example-2")
    assert is_example_tag("think_example_batch")
    assert not is_example_tag("rules")
