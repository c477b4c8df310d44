"""Which file a rule goes to that no file speaks of: what is loaded where it is needed, before a new one."""

from __future__ import annotations

from dataclasses import replace

from cases import cases
from edit_kit import fact_of

from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

PATHS = ("web/components/Cart.tsx", "web/site.css", "src/api/handlers.py", "src/web/page.ts", "docs/settings.md")
FRONTEND = '---\napplyTo: "web/**/*.ts,web/**/*.tsx"\n---\n# Pages\n\n- Pages are rendered on the server.\n'
BROWSER = '---\napplyTo: "src/web/**"\n---\n# Handlers\n\n- Handlers are debounced.\n- Handlers return early.\n'
EVERYWHERE = '---\napplyTo: "**"\n---\n# Everything\n\n## Rules\n\n- Be kind.\n'
RULES = "# Shop\n\n## Conventions\n\n- Be kind.\n"


def workspace_index(*, closed: tuple[str, ...] = (), **files: str) -> WorkspaceIndex:
    names = {
        "agents": "AGENTS.md",
        "claude": "CLAUDE.md",
        "own_claude": "~/.claude/CLAUDE.md",
        "own_copilot": "~/.copilot/instructions/me.instructions.md",
    }
    targets = [
        target_from(names.get(name, f".github/instructions/{name}.instructions.md"), text)
        for name, text in files.items()
    ]
    return WorkspaceIndex(targets, tracked_paths=PATHS, root="/repo", closed=closed)


def told(content: str, *, host: str = "", paths: tuple[str, ...] = (), scope: Scope = Scope.WORKSPACE) -> MemoryFact:
    fact = fact_of(content)
    citations = tuple(replace(citation, format=host, paths=paths) for citation in fact.citations)
    return replace(fact, citations=citations, scope=scope)


def placed(fact: MemoryFact, on: WorkspaceIndex) -> MemorySuggestion:
    made = suggest(fact, on)
    assert isinstance(made, MemorySuggestion), made
    return made


def test_what_covers_a_named_folder() -> None:
    """Instructions for files of a folder are for the folder, whatever words they hold."""
    made = placed(
        told("don't use default exports in web/ components"), workspace_index(frontend=FRONTEND, agents=RULES)
    )
    assert made.edit.path == ".github/instructions/frontend.instructions.md"


@cases(
    "fact",
    [
        told("handlers in src/api/handlers.py return a tuple"),
        told("handlers return a tuple", paths=("src/api/handlers.py",)),
    ],
    ids=["named", "cited"],
)
def test_what_is_not_loaded_is_no_place(fact: MemoryFact) -> None:
    """A word in common does not make a host load a file."""
    assert placed(fact, workspace_index(browser=BROWSER, agents=RULES)).edit.path == "AGENTS.md"


def test_for_all_files_before_a_new_one() -> None:
    """Instructions for all files take what is about nothing in particular."""
    made = placed(
        told("Squash commits before opening a pull request"), workspace_index(all=EVERYWHERE, browser=BROWSER)
    )
    assert made.edit.path == ".github/instructions/all.instructions.md"


def test_where_something_is_added_is_not_what_a_rule_is_about() -> None:
    """A rule about settings is needed where settings are edited, not where they are documented."""
    cited = placed(
        told("New settings need an entry in docs/", paths=("src/api/handlers.py",)), workspace_index(browser=BROWSER)
    )
    assert 'applyTo: "src/api/' in (cited.edit.after or "")
    assert "docs" not in (cited.edit.after or "").split("---")[1]


@cases(("host", "path"), [("claude-code", "CLAUDE.md"), ("codex", "AGENTS.md"), ("vscode-chat", "AGENTS.md")])
def test_the_host_that_was_told(host: str, path: str) -> None:
    """Of two files that are always loaded, the one counts that this assistant reads."""
    on = workspace_index(agents=RULES + "- Ask first.\n" * 9, claude=RULES)
    if host == "vscode-chat":
        on = workspace_index(agents=RULES + "- Ask first.\n" * 9)
    assert placed(told("Squash commits before opening a pull request", host=host), on).edit.path == path


def test_a_first_file_for_claude() -> None:
    """Claude Code reads no AGENTS.md: a new file is one that it reads."""
    assert placed(told("Squash commits", host="claude-code"), workspace_index()).edit.path == "CLAUDE.md"
    assert placed(told("Squash commits"), workspace_index()).edit.path == "AGENTS.md"


@cases(
    ("host", "path"),
    [
        ("claude-code", "~/.claude/CLAUDE.md"),
        ("codex", "~/.codex/AGENTS.md"),
        ("vscode-chat", "~/.copilot/instructions/me.instructions.md"),
    ],
)
def test_a_persons_own_file(host: str, path: str) -> None:
    """A preference goes to what this host reads, and the reason says who reads it and who does not."""
    own = '---\napplyTo: "**"\n---\n# Me\n\n- Be brief.\n'
    fact = told("Answer with the code first", host=host, scope=Scope.USER)
    made = placed(fact, workspace_index(own_copilot=own, agents=RULES))
    assert made.edit.path == path
    assert "not" in made.why.rpartition(";")[2]


def test_a_link_out_of_the_repo_is_not_made_anew() -> None:
    """What stands there and may not be written is neither edited nor founded."""
    made = placed(told("Squash commits"), workspace_index(closed=("AGENTS.md",)))
    assert made.edit.path != "AGENTS.md"


def test_what_was_taken_out_is_not_written() -> None:
    """The clause with a secret goes; nothing is suggested where it was all there was."""
    mark = "[REDACTED" + ":secret]"
    made = placed(told(f"Deploy with the script, the token is {mark}"), workspace_index(agents=RULES))
    assert "Deploy with the script" in (made.edit.after or "")
    assert "REDACTED" not in (made.edit.after or "")
    assert not isinstance(suggest(told(f"Use {mark} for staging"), workspace_index(agents=RULES)), MemorySuggestion)
