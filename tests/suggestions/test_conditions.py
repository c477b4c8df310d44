"""A rule that holds for more than a line says, or for less, takes the line's place: the line is sharpened."""

from __future__ import annotations

from cases import cases
from edit_kit import fact_of

from memsuggest.customizations.discovery import target_from
from memsuggest.model import MemorySuggestion
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

FILE = "# Ferry\n\n## Conventions\n\n- Timetables are in `data/`.\n- {line}\n- Berths have a number.\n"


def made(rule: str, line: str) -> MemorySuggestion | None:
    """The suggestion, where one is made."""
    found = suggest(fact_of(rule), WorkspaceIndex([target_from("AGENTS.md", FILE.replace("{line}", line))]))
    return found if isinstance(found, MemorySuggestion) else None


WIDER = [
    ("Always write docstrings", "Write docstrings for public functions"),
    ("Every function has type hints", "Public functions have type hints"),
    ("Always add a changelog entry", "Add a changelog entry for user-visible changes"),
    ("Never use wildcard imports", "Do not use wildcard imports in production code"),
    ("Never log request bodies, anywhere", "Do not log request bodies in the payment service"),
    ("Always use structured logging", "Use structured logging in the API"),
    ("All endpoints need authentication", "Admin endpoints need authentication"),
    ("Every query uses bind parameters", "Analytics queries use bind parameters"),
    ("Always write tests", "Write tests for new services"),
    ("Never commit fixtures, no exceptions", "Don't commit fixtures when they hold real names"),
]
NARROWER = [
    ("Write docstrings only for public functions", "Write docstrings"),
    ("Write docstrings for public functions only", "Write docstrings"),
    ("Only write docstrings for public functions", "Always write docstrings"),
    ("Use snapshot tests only for emails", "Use snapshot tests"),
    ("Don't retry requests unless they are idempotent", "Don't retry requests"),
]


@cases(
    ("rule", "line", "why"),
    [
        *((*pair, "holds for less than you say") for pair in WIDER),
        *((*pair, "holds for more than you say") for pair in NARROWER),
    ],
)
def test_the_line_is_sharpened(rule: str, line: str, why: str) -> None:
    """Nothing is added and nothing is taken for said: the line gives way to the rule, and the reason names it."""
    found = made(rule, line)
    assert found is not None
    assert found.replaces == f"- {line}"
    assert found.edit.after == FILE.replace("{line}", rule)
    assert found.why.startswith(f"sharpen this line: “{line}” in line 6 {why}")


@cases(
    ("rule", "line"),
    [
        ("Write tests", "Write tests for new services"),  # whoever says this may only be brief
        ("Always write docstrings", "Write docstrings in Google style"),  # how
        ("Always write commit messages", "Write commit messages in English"),
        ("Always use Redis", "Use Redis for sessions"),  # a tool and its purpose
        ("Always write release notes", "Write release notes for customers"),  # for whom
        ("Always use pnpm", "Use pnpm workspaces for packages"),  # another thing
        ("Always ask", "Ask when a file is deleted"),  # a word that may be about anything
        ("Always run the formatter", "Run the linter when the build breaks"),
        ("Write docstrings for public functions", "Write docstrings in English"),
        ("Only run the linter on changed files", "Run the linter before a release"),
        ("All errors are logged", "Sentry errors are grouped"),
        ("Never mock the database", "Do not mock the database client's retry logic"),
        ("Always write tests", "Write tests for new services, and run them before a push"),  # says more
    ],
)
def test_what_only_looks_wider_or_narrower(rule: str, line: str) -> None:
    """A line that says how, why or for whom, or something else as well, keeps its place."""
    found = made(rule, line)
    assert found is None or found.replaces is None


def test_a_rule_for_all_files_is_not_put_into_a_file_for_some() -> None:
    """Where the line stands in a file that is loaded for some files, a rule for all goes where all are served."""
    line = "Write docstrings for public functions"
    text = FILE.replace("{line}", line)
    scoped = target_from(".github/instructions/api.instructions.md", f'---\napplyTo: "api/**"\n---\n{text}')
    workspace_index = WorkspaceIndex(
        [scoped, target_from("AGENTS.md", "# Ferry\n\n## Conventions\n\n- Berths have a number.\n")]
    )
    found = suggest(fact_of("Always write docstrings"), workspace_index)
    assert isinstance(found, MemorySuggestion)
    assert (found.edit.path, found.replaces) == ("AGENTS.md", None)


def test_another_line_that_says_all_of_it_counts() -> None:
    """Beside a line for certain cases there may be one for all: then nothing is suggested."""
    text = FILE.replace("{line}", "Write docstrings for public functions\n- Always write docstrings")
    assert not isinstance(
        suggest(fact_of("Always write docstrings"), WorkspaceIndex([target_from("AGENTS.md", text)])), MemorySuggestion
    )
