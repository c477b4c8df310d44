"""Which paths may be a target: names first, then what the disk says about links."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cases import cases
from conftest import SHARED
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.errors import OutsideWorkspace
from memsuggest.files import inside, inside_home, is_executable_target, is_secret_name, readable_inside

ACCEPTED = [
    *("AGENTS.md", "agents.md", "CLAUDE.local.md", "GEMINI.md", "services/billing/CLAUDE.md"),
    *(".claude/CLAUDE.md", ".github/copilot-instructions.md", ".github/instructions/sql.instructions.md"),
    *(".github/instructions/deep/er/größe.instructions.md", ".github/instructions/gro\u0308ße.instructions.md"),
    *(".github/instructions/two words.instructions.md", ".github/instructions/命名（共通）.instructions.md"),
    *("docs/style.instructions.md", ".github/agents/planner.agent.md", ".github/agents/team/planner.md"),
    *(".github/chatmodes/old.chatmode.md", ".github/prompts/release.prompt.md"),
    *(".github/skills/release/SKILL.md", ".agents/skills/release/skill.md"),
    *("plugins/x/skills/public/release/SKILL.md", ".claude/rules/api/errors.md", ".claude/agents/reviewer.md"),
    *(".cursor/rules/style.mdc", "app/[id]/AGENTS.md", "app/(group)/@modal/AGENTS.md", "C#/AGENTS.md"),
    *("./.github/./prompts//release.prompt.md", ".github/agents/../prompts/release.prompt.md"),
]

REFUSED = [
    *("", "/", "..", "a/../../AGENTS.md", "a/..%2fAGENTS.md", "a\\..\\..\\AGENTS.md", ".../AGENTS.md"),
    *("\uff0e\uff0e\uff0fAGENTS.md", "a\u2044AGENTS.md", "a\u29f8AGENTS.md", "\u2025/AGENTS.md", "/AGENTS.md"),
    *("//host/AGENTS.md", "C:AGENTS.md", "~/AGENTS.md", "~ada/AGENTS.md", "$PWD/AGENTS.md", "%TEMP%/AGENTS.md"),
    *("`pwd`/AGENTS.md", "a;b/AGENTS.md", "{a,b}/AGENTS.md", "a*/AGENTS.md", "AGENTS.md:hidden", "AGENTS.md "),
    *("a./AGENTS.md", "AGENTS.md/", "CLOCK$/AGENTS.md", "lpt1.notes.instructions.md"),
    *("com\u00b9.instructions.md", "-x/AGENTS.md", "a\x00/AGENTS.md", "a\n/AGENTS.md", "\u202eAGENTS.md"),
    *("AGE\u00adNTS.md", "AGENTS\ufe0f.md", "a\u0338/AGENTS.md", "\ud800/AGENTS.md", "\u0410GENTS.md"),
    *("skills/x/\u017fkill.md", "é" * 200 + ".instructions.md", "a/" * 60 + "AGENTS.md", ".git/AGENTS.md"),
    *("sub/.GiT/info/AGENTS.md", ".ｇit/AGENTS.md", "git~1/AGENTS.md", "bare.git/AGENTS.md", ".hg/AGENTS.md"),
    *("node_modules/a/AGENTS.md", "web/Vendor/a/skills/b/SKILL.md", ".github/workflows/AGENTS.md"),
    *(".github/memories/notes.instructions.md", ".specstory/history/x.instructions.md", ".vscode/settings.json"),
    *(".cUrSoR/mcp.json", "README.md", ".claude/rules/README.md", ".claude/settings.local.json", ".github/hooks"),
    *("SKILL.md", ".instructions.md", "https://example.org/AGENTS.md", "vscode-remote://ssh/AGENTS.md"),
]


@cases("uri", ACCEPTED)
def test_customization_files_are_accepted(tmp_path: Path, uri: str) -> None:
    """A name that hosts read, anywhere below the root, gives a path below the root."""
    assert inside(tmp_path, uri).is_relative_to(tmp_path)


@cases("uri", REFUSED)
def test_all_else_is_refused(tmp_path: Path, uri: str) -> None:
    """Whatever is no customization file, or is not plainly below the root, raises and says why in plain ASCII."""
    with pytest.raises(OutsideWorkspace) as caught:
        inside(tmp_path, uri)
    assert str(caught.value).isascii()
    assert caught.value.hint


@cases("uri", [".github/hooks/format.json", "pkg/.GitHub/Hooks/deep/x.JSON"])
def test_hooks_pass_but_are_known_to_run(tmp_path: Path, uri: str) -> None:
    """A hook is inside, and whoever writes it can know that it runs commands."""
    inside(tmp_path, uri)
    assert is_executable_target(uri)
    assert not is_executable_target("AGENTS.md")
    assert not is_executable_target("../x.json")


def test_file_addresses_below_the_root_are_accepted(tmp_path: Path) -> None:
    """A `file:` address counts by the path it stands for, with or without this machine's name."""
    base = tmp_path.as_posix()
    expected = tmp_path / "two words" / "AGENTS.md"
    assert inside(tmp_path, f"file://{base}/two%20words/AGENTS.md") == expected
    assert inside(tmp_path, f"FILE://localhost{base}/two%20words/AGENTS.md") == expected
    assert inside(tmp_path, f"file://{base}/gr%C3%B6%C3%9Fe/AGENTS.md") == tmp_path / "größe" / "AGENTS.md"


@cases(
    "tail",
    [
        *("2/AGENTS.md", "/../AGENTS.md", "/%2e%2e/AGENTS.md", "/a%2fb/AGENTS.md", "/AGENTS.md?x", "/AGENTS.md#x"),
        *("/%/AGENTS.md", "/%FF/AGENTS.md", "/a%00/AGENTS.md", "/%7e/AGENTS.md", "/%25%32%65/AGENTS.md"),
    ],
)
def test_file_addresses_that_hide_something_are_refused(tmp_path: Path, tail: str) -> None:
    """Escaped separators, dots and control characters, queries and other folders are refused."""
    with pytest.raises(OutsideWorkspace):
        inside(tmp_path, f"file://{tmp_path.as_posix()}{tail}")


def test_the_root_may_be_reached_through_a_link(tmp_path: Path) -> None:
    """A root that is itself a link works, by either of its names."""
    (tmp_path / "real").mkdir()
    root = tmp_path / "link"
    root.symlink_to("real")
    assert inside(root, "AGENTS.md") == root / "AGENTS.md"
    assert inside(root, f"file://{tmp_path.as_posix()}/real/AGENTS.md") == root / "AGENTS.md"


@cases(
    ("folders", "uri", "accepted"),
    [
        pytest.param(["docs/ai"], "docs/ai/tone.md", True, id="listed"),
        pytest.param(["docs/ai/"], "docs/ai/deep/tone.md", True, id="below"),
        pytest.param(["docs/ai"], "docs/ai/README.md", False, id="readme"),
        pytest.param(["docs/ai"], "docs/aid/tone.md", False, id="another folder"),
        pytest.param(["docs/ai"], "docs/ai/run.sh", False, id="no text"),
        pytest.param(["../x", "~/x", "/x"], "x/tone.md", False, id="folders outside are ignored"),
        pytest.param([".git"], ".git/tone.md", False, id="never git"),
    ],
)
def test_settings_add_folders(tmp_path: Path, folders: list[str], uri: str, *, accepted: bool) -> None:
    """Markdown in folders that settings name is a customization file; nothing else in them is."""
    if accepted:
        assert inside(tmp_path, uri, extra_folders=folders)
        return
    with pytest.raises(OutsideWorkspace):
        inside(tmp_path, uri, extra_folders=folders)


def _farm(tmp_path: Path) -> Path:
    """A root, a folder beside it, and links of every sort between them."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root / ".git" / "hooks", root / "docs", root / ".github" / "hooks", outside):
        folder.mkdir(parents=True)
    for file in (*map(root.joinpath, ("AGENTS.md", "docs/guide.md", "run.py", ".git/config")), outside / "AGENTS.md"):
        file.write_text("x\n", encoding="utf-8")
    return root


LINKS = [
    pytest.param("CLAUDE.md", "AGENTS.md", True, id="to another always-on file"),
    pytest.param("CLAUDE.md", "docs/guide.md", True, id="to a text inside"),
    pytest.param("CLAUDE.md", "run.py", False, id="to a program"),
    pytest.param("CLAUDE.md", "../outside/AGENTS.md", False, id="out"),
    pytest.param("CLAUDE.md", ".git/config", False, id="into git"),
    pytest.param("CLAUDE.md", "nowhere.md", False, id="dangling"),
    pytest.param("CLAUDE.md", "CLAUDE.md", False, id="loop"),
    pytest.param("CLAUDE.md", "docs", False, id="to a folder"),
    pytest.param("CLAUDE.md", ".github/hooks/x.json", False, id="text to hook"),
    pytest.param("pkg", "../outside", False, id="folder out"),
    pytest.param("pkg", ".git/hooks", False, id="folder into git"),
    pytest.param("pkg", "docs", True, id="folder inside"),
    pytest.param("pkg", "gone", False, id="folder dangling"),
    pytest.param("pkg", "AGENTS.md", False, id="folder that is a file"),
]


@cases(("name", "leads_to", "accepted"), LINKS)
def test_links(tmp_path: Path, name: str, leads_to: str, *, accepted: bool) -> None:
    """A link may lead to another text inside the root; never out, into git, to something that runs, or nowhere."""
    root = _farm(tmp_path)
    (root / ".github" / "hooks" / "x.json").write_text("{}", encoding="utf-8")
    (root / name).symlink_to(leads_to)
    uri = name if name.endswith(".md") else f"{name}/AGENTS.md"
    if accepted:
        assert inside(root, uri) == root / uri
        return
    with pytest.raises(OutsideWorkspace):
        inside(root, uri)


def test_only_regular_files_are_targets(tmp_path: Path) -> None:
    """A folder or a pipe of the right name is refused without waiting for it."""
    (tmp_path / "AGENTS.md").mkdir()
    os.mkfifo(tmp_path / "CLAUDE.md")
    (tmp_path / "GEMINI.md").write_text("x", encoding="utf-8")
    for uri in ("AGENTS.md", "CLAUDE.md", "GEMINI.md/AGENTS.md"):
        with pytest.raises(OutsideWorkspace):
            inside(tmp_path, uri)


@given(st.text(alphabet="./\\%~aA:\u2024\u2215 \u200b2eE", max_size=30))
def test_no_text_leads_out(text: str) -> None:
    """Whatever is made of separators, dots and escapes stays below the root or raises."""
    root = Path("/nonexistent/root")
    for uri in (text, f"{text}/AGENTS.md", f"file:///nonexistent/root/{text}/AGENTS.md"):
        try:
            path = inside(root, uri)
        except OutsideWorkspace:
            continue
        assert Path(os.path.normpath(path)).is_relative_to(root)


OWN = [
    *("~/.copilot/copilot-instructions.md", "~/.copilot/instructions/deep/tone.instructions.md"),
    *("~/.copilot/agents/planner.agent.md", "~/.copilot/skills/release/SKILL.md", "~/.claude/CLAUDE.md"),
    *("~/.claude/rules/tone.md", "~/.claude/agents/reviewer.md", "~/.agents/skills/release/SKILL.md"),
    "~/.config/Code/User/prompts/tone.instructions.md",
    "~/Library/Application Support/Code - Insiders/User/profiles/-a1b2/prompts/x.prompt.md",
    "~/AppData/Roaming/Code/User/prompts/x.agent.md",
]


@pytest.mark.parametrize("uri", OWN)
def test_the_persons_own_files(home: Path, uri: str) -> None:
    """Below HOME, the user roots of the assistants are open."""
    assert inside_home(home, uri) == home / uri[2:]


@pytest.mark.parametrize(
    "uri",
    [
        *("AGENTS.md", "~/AGENTS.md", "~/.bashrc", "~/.ssh/authorized_keys", "~/.claude/settings.json"),
        *("~/.copilot/hooks/x.json", "~/.claude/rules/../settings.json", "~root/.claude/CLAUDE.md"),
        *("~/.claude/rules/README.md", "~/../.claude/CLAUDE.md", "~/.config/Code/User/settings.json"),
        *("~/.config/autostart/User/prompts/x.desktop", "~//etc/passwd", "~/.claude/"),
    ],
)
def test_nothing_else_of_the_person(home: Path, uri: str) -> None:
    """No other file below HOME is a target."""
    with pytest.raises(OutsideWorkspace):
        inside_home(home, uri)


def test_dotfiles_behind_links(home: Path, tmp_path: Path) -> None:
    """A link to the person's own text below HOME is followed; one to anything else, or out of HOME, is not."""
    for name in (".claude", "dotfiles", ".ssh"):
        (home / name).mkdir()
    for file in (home / "dotfiles" / "claude.md", home / ".ssh" / "notes.md", home / ".bashrc", tmp_path / "out.md"):
        file.write_text("x", encoding="utf-8")
    link = home / ".claude" / "CLAUDE.md"
    link.symlink_to(home / "dotfiles" / "claude.md")
    assert inside_home(home, "~/.claude/CLAUDE.md") == link
    for leads_to in (home / ".ssh" / "notes.md", home / ".bashrc", tmp_path / "out.md", home / "gone.md"):
        link.unlink()
        link.symlink_to(leads_to)
        with pytest.raises(OutsideWorkspace):
            inside_home(home, "~/.claude/CLAUDE.md")


def test_folders_that_the_environment_moves(home: Path, tmp_path: Path) -> None:
    """`COPILOT_HOME` and its like put a root elsewhere, under the same name."""
    path = inside_home(home, "~/.copilot/agents/a.agent.md", moved={".copilot": tmp_path / "cop"})
    assert path == tmp_path / "cop" / "agents" / "a.agent.md"


def test_files_that_transcripts_name_are_read_only_when_harmless(tmp_path: Path) -> None:
    """Any plain text inside may be read; secrets, git and what lies outside may not, also through links."""
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / ".env").write_text("x", encoding="utf-8")
    (tmp_path / "harmless.txt").symlink_to(".env")
    assert readable_inside(tmp_path, "notes.txt") == tmp_path / "notes.txt"
    secrets = (".env", "harmless.txt", "~/.ssh/id_rsa", "keys/id_ed25519", "prod.env", "a.pem")
    for uri in (*secrets, "../x.txt", ".git/config"):
        with pytest.raises(OutsideWorkspace):
            readable_inside(tmp_path, uri)
    assert is_secret_name("terraform.tfstate.backup")
    assert not is_secret_name("environment.md")


def _vectors() -> list[dict[str, str]]:
    path = SHARED / "vectors" / "path-escape.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line] if path.exists() else []


@cases("case", _vectors(), ids=lambda case: str(case["id"]))
def test_shared_vectors(tmp_path: Path, case: dict[str, str]) -> None:
    """The shared list of hostile paths is refused, accepted or gated as it says."""
    root = tmp_path / "repo"
    uri = case["uri"].replace("file:///repo/", f"file://{root.as_posix()}/")
    try:
        inside(root, uri)
        got = "hook-gate" if is_executable_target(uri) else "accept"
    except OutsideWorkspace:
        got = "reject"
    assert got == case["expected"]
