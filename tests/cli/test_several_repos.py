"""What a person says in several repos is proposed for their own files, and theirs to refuse."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import invoke

RULE, AGAIN = "From now on never use default exports.", "Please never use default exports in this repo, ever."
SHOP, BLOG, WIKI = "shop", "blog", "wiki"

Repo = Callable[..., Path]


@pytest.fixture(name="repo")
def _repo(tmp_path: Path, home: Path) -> Repo:
    """Makes a repo in which a person said some things, and reconciles it."""

    def make(name: str, *said: str, day: int = 1, origin: str = "") -> Path:
        root = tmp_path / name
        if not root.exists():
            subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
            (root / "AGENTS.md").write_text("# Rules\n")
        if origin:
            subprocess.run(["git", "-C", str(root), "remote", "add", "origin", origin], check=True)
        session = f"{name.encode().hex():0<8.8}-{day:04d}-4bbb-8ccc-222222222222"
        claude_session(home, root, "have a look at the tests of the login page", *said, session=session, day=day)
        invoke("reconcile", "--repo", str(root))
        return root

    return make


def wide(root: Path) -> list[dict[str, Any]]:
    """What waits for the person's own files."""
    found = invoke("list", "--repo", str(root), "--format", "json").json["suggestions"]
    return [one for one in found if str(one["targetUri"] or one["suggestedFileName"]).startswith("~")]


def own_facts(root: Path) -> list[str]:
    return [
        one["content"]
        for one in invoke("facts", "list", "--repo", str(root), "--scope", "user", "--format", "json").json["facts"]
    ]


def test_proposed_with_the_evidence_of_both(repo: Repo) -> None:
    """The same rule in two repos is a suggestion for the person's own files; both chats and both repos are named."""
    assert wide(repo(SHOP, RULE)) == []
    root = repo(BLOG, AGAIN, day=2)
    (found,) = wide(root)
    assert len(found["citations"]) == 2
    assert found["targetUri"] is None or found["targetUri"].startswith("~/")
    shown = invoke("show", found["id"], "--repo", str(root)).out
    assert "in the repos blog, shop" in shown
    assert "said in 2 chats" in shown
    assert own_facts(root) == [found["content"]]
    assert "this repo" not in found["content"]
    assert "default exports" in (root / ".github/memories/facts.json").read_text()
    assert '"user"' not in (root / ".github/memories/facts.json").read_text()


def test_applied_and_undone(repo: Repo, home: Path) -> None:
    """Applying it writes into the person's own folder and nowhere else; undo takes it back."""
    repo(SHOP, RULE)
    root = repo(BLOG, AGAIN, day=2)
    (found,) = wide(root)
    before = (root / "AGENTS.md").read_bytes()
    invoke("apply", found["id"], "--yes", "--repo", str(root))
    written = [path for path in home.rglob("*.md") if "default exports" in path.read_text()]
    assert len(written) == 1
    assert (root / "AGENTS.md").read_bytes() == before
    assert wide(root) == []
    invoke("undo", "--repo", str(root))
    assert not [path for path in written if path.exists() and "default exports" in path.read_text()]


@pytest.mark.parametrize(
    "command", [pytest.param(("dismiss",), id="dismissed"), pytest.param(("facts", "forget"), id="forgotten")]
)
def test_refused(repo: Repo, command: tuple[str, ...]) -> None:
    """Once refused it stays away, in all repos; what each repo has been told stays."""
    shop = repo(SHOP, RULE)
    root = repo(BLOG, AGAIN, day=2)
    (found,) = wide(root)
    identity = found["factId"] if command[0] == "facts" else found["id"]
    invoke(*command, identity, "--repo", str(root))
    for place in (root, repo(WIKI, "never use default exports, as always", day=3), shop):
        invoke("reconcile", "--repo", str(place))
        assert wide(place) == []
        facts = invoke("facts", "list", "--repo", str(place), "--scope", "workspace", "--format", "json").json["facts"]
        assert [one["status"] for one in facts] == ["active"]


@pytest.mark.parametrize(
    ("first", "second", "origin"),
    [
        pytest.param((RULE,), ("From now on always use default exports.",), "", id="the repos differ"),
        pytest.param((RULE,), ("never put a database call into a template",), "", id="about other things"),
        pytest.param(
            ("always put fixtures into tests/data",), ("always put fixtures into tests/data",), "", id="a path"
        ),
        pytest.param((RULE,), (AGAIN,), "git@git.example:acme/shop.git", id="clones of one repository"),
        pytest.param((RULE,), ("```\n" + RULE + "\n```",), "", id="only quoted"),
    ],
)
def test_not_proposed(repo: Repo, first: tuple[str, ...], second: tuple[str, ...], origin: str) -> None:
    """What holds in one repo only, or what the repos do not agree on, is not proposed."""
    repo(SHOP, *first, origin=origin)
    root = repo(BLOG, *second, day=2, origin=origin.replace("git@git.example:", "https://git.example/"))
    assert wide(root) == []
    assert own_facts(root) == []


def test_withdrawn(repo: Repo) -> None:
    """When one repo goes another way, the proposal is withdrawn by itself."""
    repo(SHOP, RULE)
    root = repo(BLOG, AGAIN, day=2)
    assert len(wide(root)) == 1
    repo(BLOG, "From now on use default exports instead of named ones.", day=4)
    assert wide(root) == []


def test_a_clone_of_a_folder_is_the_same_repo(repo: Repo, tmp_path: Path) -> None:
    """What is said in a repo and in a clone of its folder is said in one repo."""
    shop = repo(SHOP, "have a look at the tests")
    author = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", "-C", str(shop), "add", "AGENTS.md"], check=True)
    subprocess.run(["git", "-C", str(shop), *author, "commit", "-qm", "rules"], check=True)
    subprocess.run(["git", "clone", "-q", str(shop), str(tmp_path / BLOG)], check=True)
    repo(SHOP, RULE, day=2)
    assert wide(repo(BLOG, AGAIN, day=3)) == []
