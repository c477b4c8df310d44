"""Customization files are found where the hosts look, and read as what they are."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from cases import cases

from memsuggest.core.model import Scope, TargetType
from memsuggest.customizations.discovery import FileSearch, FoundTargets, target_from


def lay(root: Path, **files: str) -> None:
    """Write files, by paths as they are (`/` included)."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())


def find(root: Path, *, home: Path | None = None, platform: str = "linux", **environ: str) -> FoundTargets:
    return FileSearch(root, home=home, environ=environ, platform=platform).targets()


def uris(found: FoundTargets) -> list[str]:
    return [target.uri for target in found.targets]


WORKSPACE = {
    "AGENTS.md": ("instructions", "**"),
    "CLAUDE.local.md": ("instructions", "**"),
    "GEMINI.md": ("instructions", "**"),
    ".claude/CLAUDE.md": ("instructions", "**"),
    ".github/copilot-instructions.md": ("instructions", "**"),
    "web/AGENTS.md": ("instructions", "web/**"),
    "web/ui/CLAUDE.md": ("instructions", "web/ui/**"),
    ".github/instructions/a.instructions.md": ("instructions", None),
    ".github/instructions/1/2/3/4/5/b.instructions.md": ("instructions", None),
    "svc/.github/instructions/c.instructions.md": ("instructions", None),
    ".claude/rules/style.md": ("instructions", "**"),
    ".claude/rules/web/forms.md": ("instructions", "**"),
    ".cursor/rules/x.mdc": ("instructions", None),
    ".github/agents/a.agent.md": ("agent", None),
    ".github/agents/plain.md": ("agent", None),
    ".github/agents/team/b.agent.md": ("agent", None),
    ".claude/agents/c.md": ("agent", None),
    ".github/chatmodes/old.chatmode.md": ("agent", None),
    ".github/prompts/p.prompt.md": ("prompt", None),
    ".github/skills/deploy/SKILL.md": ("skill", None),
    ".agents/skills/test/skill.md": ("skill", None),
    ".claude/skills/group/nested/SKILL.md": ("skill", None),
    ".github/hooks/h.json": ("hook", None),
}

NOT_FOUND = [
    *(".claude/rules/README.md", ".github/agents/README.md", ".github/skills/SKILL.md"),
    *(".github/skills/deploy/notes.md", ".github/instructions/plain.md", ".claude/settings.json"),
    *("docs/copilot-instructions.md", "instructions/x.instructions.md", "node_modules/pkg/AGENTS.md"),
    *("vendor/pkg/CLAUDE.md", ".claude/worktrees/one/AGENTS.md", "README.md"),
]


@pytest.mark.parametrize("has_git", [True, False])
def test_workspace(git_repo: Path, tmp_path: Path, has_git: bool) -> None:
    """Every default place of a workspace is searched, with git or without, tracked or not."""
    root = git_repo if has_git else tmp_path / "plain"
    lay(root, **dict.fromkeys([*WORKSPACE, *NOT_FOUND], "text\n"))
    if has_git:
        subprocess.run(["git", "-C", root, "add", "web", "svc", ".github/instructions"], check=True)
    found = find(root)
    assert {target.uri: (target.type.value, target.applies_to) for target in found.targets} == WORKSPACE
    assert all(target.scope is Scope.WORKSPACE and target.text == "text\n" for target in found.targets)
    assert found.skipped == ()
    assert uris(found) == sorted(uris(found))


def test_only_in_the_index(git_repo: Path) -> None:
    """Paths that git tracks and the disk lacks are told, and are no targets."""
    empty = subprocess.run(
        ["git", "hash-object", "-w", "--stdin"], cwd=git_repo, input=b"", capture_output=True, check=True
    )
    blob = empty.stdout.strip().decode()
    entries = "".join(f"100644 {blob}\t{path}\0" for path in ("src/ä.py", "pkg/AGENTS.md"))
    subprocess.run(["git", "update-index", "-z", "--index-info"], cwd=git_repo, input=entries.encode(), check=True)
    found = find(git_repo)
    assert found.tracked_paths == ("pkg/AGENTS.md", "src/ä.py")
    assert found.targets == ()


def test_ignored_nested_files_are_left_out(git_repo: Path) -> None:
    """An always-on file in a sub-folder that git ignores is no target; untracked ones are."""
    lay(git_repo, **{".gitignore": "build/\n", "build/AGENTS.md": "x", "new/AGENTS.md": "x"})
    assert uris(find(git_repo)) == ["new/AGENTS.md"]


HOME = {
    ".copilot/copilot-instructions.md": "~/.copilot/copilot-instructions.md",
    ".copilot/instructions/deep/a.instructions.md": "~/.copilot/instructions/deep/a.instructions.md",
    ".copilot/agents/a.agent.md": "~/.copilot/agents/a.agent.md",
    ".copilot/skills/s/SKILL.md": "~/.copilot/skills/s/SKILL.md",
    ".copilot/hooks/h.json": "~/.copilot/hooks/h.json",
    ".claude/CLAUDE.md": "~/.claude/CLAUDE.md",
    ".claude/rules/r.md": "~/.claude/rules/r.md",
    ".claude/agents/a.md": "~/.claude/agents/a.md",
    ".claude/skills/s/SKILL.md": "~/.claude/skills/s/SKILL.md",
    ".claude/settings.json": "~/.claude/settings.json",
    ".agents/skills/s/SKILL.md": "~/.agents/skills/s/SKILL.md",
    ".config/Code/User/prompts/p.instructions.md": "~/.config/Code/User/prompts/p.instructions.md",
    ".config/Code/User/profiles/-1a2b/prompts/q.prompt.md": "~/.config/Code/User/profiles/-1a2b/prompts/q.prompt.md",
    ".config/VSCodium/User/prompts/r.agent.md": "~/.config/VSCodium/User/prompts/r.agent.md",
}


def test_home(tmp_path: Path, home: Path) -> None:
    """The person's own places are searched, and nothing else of the home."""
    lay(home, **dict.fromkeys(HOME, '{"hooks": {}}'))
    lay(home, **{".claude/projects/x/memory/AGENTS.md": "x", ".copilot/prompts/x.prompt.md": "x", "AGENTS.md": "x"})
    found = find(tmp_path, home=home)
    assert uris(found) == sorted(HOME.values())
    assert {target.scope for target in found.targets} == {Scope.USER}


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("darwin", "Library/Application Support"), ("win32", "AppData/Roaming"), ("linux", ".config")],
)
def test_profile_folders(tmp_path: Path, home: Path, platform: str, folder: str) -> None:
    """An editor's profile lies elsewhere on each system."""
    path = f"{folder}/Code - Insiders/User/prompts/a.instructions.md"
    lay(home, **{path: "x"})
    assert uris(find(tmp_path, home=home, platform=platform)) == [f"~/{path}"]


def test_moved_homes(tmp_path: Path, home: Path) -> None:
    """Where the environment moves a host's folder, files keep their usual names."""
    lay(
        tmp_path,
        **{"cop/instructions/a.instructions.md": "x", "cl/CLAUDE.md": "x", "xdg/Code/User/prompts/b.prompt.md": "x"},
    )
    lay(home, **{".copilot/instructions/old.instructions.md": "x", ".claude/CLAUDE.md": "x"})
    root = tmp_path / "work"
    root.mkdir()
    found = find(
        root,
        home=home,
        COPILOT_HOME=str(tmp_path / "cop"),
        CLAUDE_CONFIG_DIR=str(tmp_path / "cl"),
        XDG_CONFIG_HOME=str(tmp_path / "xdg"),
    )
    assert uris(found) == [
        "~/.claude/CLAUDE.md",
        "~/.config/Code/User/prompts/b.prompt.md",
        "~/.copilot/instructions/a.instructions.md",
    ]


SETTINGS = """\ufeff{
  // where we keep them
  "chat.instructionsFilesLocations": {
    "docs/ai": true, ".github/instructions": false, "~/mine": true, "../up": true, "/etc": true, "guides/*": "true",
  },
  "chat.promptFilesLocations": {"tools/prompts": true},
  "chat.agentFilesLocations": {"./.github/agents/core/": true},
  "chat.agentSkillsLocations": {"skills": true}, /* and */
  "chat.hookFilesLocations": {"ci/hooks": true, "one/hook.json": true},
  "chat.useNestedAgentsMdFiles": true,
}"""


def test_settings(tmp_path: Path) -> None:
    """Places that the repository's settings name are searched; those outside of it are named and ignored."""
    lay(
        tmp_path,
        **{
            ".vscode/settings.json": SETTINGS,
            "docs/ai/deep/a.instructions.md": "x",
            "docs/ai/plain.md": "x",
            "guides/one/b.instructions.md": "x",
            "tools/prompts/c.prompt.md": "x",
            "tools/prompts/deep/d.prompt.md": "x",
            ".github/agents/core/e.md": "x",
            "skills/f/SKILL.md": "x",
            "ci/hooks/g.json": "{}",
            "one/hook.json": "{}",
            ".github/instructions/h.instructions.md": "x",
        },
    )
    found = find(tmp_path)
    assert {target.uri: target.type.value for target in found.targets} == {
        ".github/agents/core/e.md": "agent",
        ".github/instructions/h.instructions.md": "instructions",
        "ci/hooks/g.json": "hook",
        "docs/ai/deep/a.instructions.md": "instructions",
        "guides/one/b.instructions.md": "instructions",
        "one/hook.json": "hook",
        "skills/f/SKILL.md": "skill",
        "tools/prompts/c.prompt.md": "prompt",
    }
    assert found.settings.disabled == {".github/instructions"}
    assert found.settings.reads_nested_agents
    assert [skipped.what for skipped in found.skipped] == [
        "chat.instructionsFilesLocations: ~/mine",
        "chat.instructionsFilesLocations: ../up",
        "chat.instructionsFilesLocations: /etc",
    ]


def test_own_settings_may_name_the_home(tmp_path: Path, home: Path) -> None:
    """The person's own settings may name places in the home."""
    lay(home, **{".config/Code/User/settings.json": '{"chat.instructionsFilesLocations": {"~/mine": true}}'})
    lay(home, **{"mine/a.instructions.md": "x"})
    assert uris(find(tmp_path, home=home)) == ["~/mine/a.instructions.md"]


@cases("text", ["{", "[]", '{"chat.promptFilesLocations": 3}', "\x00", '{"chat.promptFilesLocations": {"a": 7}}'])
def test_broken_settings(tmp_path: Path, text: str) -> None:
    """Settings that cannot be read change nothing."""
    lay(tmp_path, **{".vscode/settings.json": text, "AGENTS.md": "x"})
    assert uris(find(tmp_path)) == ["AGENTS.md"]


def link(path: Path, to: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(to)


def test_links(tmp_path: Path) -> None:
    """Of a file and the links to it the file is the target; links out of the root, or to nothing, are skipped."""
    root = tmp_path / "root"
    lay(root, **{"AGENTS.md": "x", ".agents/skills/a/SKILL.md": "y", "docs/ai.md": "z"})
    lay(tmp_path, **{"outside.md": "secret"})
    link(root / "CLAUDE.md", "AGENTS.md")
    link(root / ".github/copilot-instructions.md", "../AGENTS.md")
    link(root / ".claude/skills", "../.agents/skills")
    link(root / "GEMINI.md", "docs/ai.md")
    link(root / "sub/AGENTS.md", "../../outside.md")
    link(root / "lost/AGENTS.md", "nothing.md")
    link(root / ".github/agents", "agents")
    found = find(root)
    assert uris(found) == [".agents/skills/a/SKILL.md", "AGENTS.md", "GEMINI.md"]
    assert found.links == {
        ".claude/skills/a/SKILL.md": ".agents/skills/a/SKILL.md",
        ".github/copilot-instructions.md": "AGENTS.md",
        "CLAUDE.md": "AGENTS.md",
    }
    assert sorted((skipped.what, skipped.why) for skipped in found.skipped) == [
        ("lost/AGENTS.md", "broken link"),
        ("sub/AGENTS.md", "the file links to a location outside the workspace"),
    ]


def test_circles_of_folders(tmp_path: Path) -> None:
    """Folders that lead back to themselves are walked once."""
    lay(tmp_path, **{".github/instructions/a.instructions.md": "x"})
    link(tmp_path / ".github/instructions/again", ".")
    assert uris(find(tmp_path)) == [".github/instructions/a.instructions.md"]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """Files that are no text are skipped with a reason; so are folders by such a name, silently."""
    (tmp_path / "AGENTS.md").write_bytes(b"\xff\xfe\x00a")
    (tmp_path / "CLAUDE.md").mkdir()
    found = find(tmp_path)
    assert found.targets == ()
    assert [skipped.what for skipped in found.skipped] == ["AGENTS.md"]


def test_what_is_too_long(tmp_path: Path) -> None:
    """A file that would keep every command busy is skipped by name."""
    lay(tmp_path, **{"AGENTS.md": "- Use pnpm.\n" * 50_000, "CLAUDE.md": "- Use pnpm.\n"})
    found = find(tmp_path)
    assert uris(found) == ["CLAUDE.md"]
    assert [(skipped.what, skipped.why[:18]) for skipped in found.skipped] == [("AGENTS.md", "larger than 512 KB")]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Something that is not a regular file is skipped at once."""
    os.mkfifo(tmp_path / "AGENTS.md")
    assert [skipped.what for skipped in find(tmp_path).skipped] == ["AGENTS.md"]


API = ".github/instructions/api.instructions.md"
HEADERS = [
    (API, "applyTo: 'src/**'\ndescription: ' How '\nname: API", ("API", "How", "src/**")),
    pytest.param(API, "applyTo: ['a/**', b]", ("H", "", "a/**, b"), id="a list is joined"),
    pytest.param(".claude/rules/db.md", "paths:\n  - db/**\n  - '*.sql'", ("H", "", "db/**, *.sql"), id="rules"),
    pytest.param(".claude/rules/db.md", "x: y", ("H", "", "**"), id="rules for all"),
    (".cursor/rules/db.mdc", "globs: db/**,*.sql\nalwaysApply: false", ("H", "", "db/**,*.sql")),
    pytest.param(".cursor/rules/all.mdc", "globs:\nalwaysApply: true", ("H", "", "**"), id="always apply"),
    pytest.param("AGENTS.md", "name: x\ndescription: y", ("H", "", "**"), id="no front matter there"),
]


@cases(("uri", "header", "expected"), HEADERS)
def test_what_a_file_says_of_itself(uri: str, header: str, expected: tuple[object, ...]) -> None:
    """Title, description and patterns are read as the kind of file has them."""
    target = target_from(uri, f"---\n{header}\n---\n# H\n")
    assert (target.title, target.description, target.applies_to) == expected
    assert target.digest


NAMES = [
    (API, TargetType.INSTRUCTIONS, "api", None, False),
    ("a/b/AGENTS.md", TargetType.INSTRUCTIONS, "AGENTS", "a/b/**", True),
    ("a/.github/copilot-instructions.md", TargetType.INSTRUCTIONS, "copilot-instructions", "a/**", True),
    ("~/.claude/CLAUDE.md", TargetType.INSTRUCTIONS, "CLAUDE", "**", True),
    (".github/skills/ship/SKILL.md", TargetType.SKILL, "ship", None, False),
    (".github/agents/rev.agent.md", TargetType.AGENT, "rev", None, False),
    (".github/chatmodes/rev.chatmode.md", TargetType.AGENT, "rev", None, False),
    ("any/where.prompt.md", TargetType.PROMPT, "where", None, False),
    ("any/where.md", TargetType.INSTRUCTIONS, "where", None, False),
    (".github/hooks/h.json", TargetType.HOOK, "h", None, False),
]


@cases(("uri", "kind", "title", "applies_to", "always_on"), NAMES)
def test_what_a_path_says(uri: str, kind: TargetType, title: str, applies_to: str | None, always_on: bool) -> None:
    """A path alone gives the kind, a title, and for always-on files the folder that they govern."""
    target = target_from(uri, "text")
    assert (target.type, target.title, target.applies_to, target.always_on) == (kind, title, applies_to, always_on)


def test_settings_with_hooks_only(tmp_path: Path) -> None:
    """Settings of Claude Code are a target when they have hooks."""
    lay(tmp_path, **{".claude/settings.json": '{"hooks": {}}', ".claude/settings.local.json": '{"model": "x"}'})
    assert uris(find(tmp_path)) == [".claude/settings.json"]
