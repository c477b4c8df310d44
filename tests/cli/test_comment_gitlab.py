"""`comment --mr`: what a merge request on GitLab is told, from the command line of a CI job."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.conftest import invoke, refused
from cli.test_comment import AGENTS, FACTS, Repo, git_hash
from pull_requests.fake_github import served
from pull_requests.fake_gitlab import FakeGitLab

DIFF = "@@ -6,4 +6,4 @@\n \n ## Testing\n \n-- Tests live in tests/.\n+- Tests live in test/.\n"
NEW = AGENTS.replace("live in tests/", "live in test/").encode()
VARIABLES = ("GITLAB_TOKEN", "CI_PROJECT_ID", "CI_MERGE_REQUEST_PROJECT_ID", "CI_API_V4_URL", "CI_JOB_TOKEN")


@pytest.fixture
def repo(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.chdir(git_repo)
    for name in (*VARIABLES, "GITHUB_ACTIONS", "GITHUB_BASE_REF", "CI_MERGE_REQUEST_DIFF_BASE_SHA"):
        monkeypatch.delenv(name, raising=False)
    made = Repo(git_repo)
    made.git("switch", "-q", "main")
    return made


@pytest.fixture
def gitlab(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitLab]:
    """A merge request that changes AGENTS.md; what is checked out is its base."""
    names = [".github/instructions/screens.instructions.md", "src/screens/cart.tsx"]
    tree = {name: git_hash((repo.root / name).read_bytes()) for name in names} | {"AGENTS.md": git_hash(NEW)}
    fake = FakeGitLab(
        files=[{"new_path": "AGENTS.md", "old_path": "AGENTS.md", "diff": DIFF}],
        texts={"AGENTS.md": NEW},
        branches={"main": {FACTS: (repo.root / FACTS).read_bytes()}},
        tree=tree,
    )
    with served(fake):
        monkeypatch.setenv("CI_API_V4_URL", fake.url)
        monkeypatch.setenv("CI_PROJECT_ID", "5")
        monkeypatch.setenv("GITLAB_TOKEN", "not-a-real-one")
        yield fake


def post(*words: str) -> Any:
    return invoke("comment", "--mr", "7", "--post", "--format", "json", *words).json


def test_a_job_token(gitlab: FakeGitLab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token of a job is not taken for one that may write; which one may is said, also when GitLab refuses."""
    gitlab.token_is_of_job = True
    refused("comment", "--mr", "7", "--post", says="project access token")
    monkeypatch.delenv("GITLAB_TOKEN")
    monkeypatch.setenv("CI_JOB_TOKEN", "not-a-real-one")
    said = refused("comment", "--mr", "7", "--post", says="GITLAB_TOKEN is not set")
    assert "CI_JOB_TOKEN cannot write notes" in said


def test_a_fork_s_pipeline(gitlab: FakeGitLab, monkeypatch: pytest.MonkeyPatch) -> None:
    """There the project of the merge request is asked; what the environment lacks is said before anything is."""
    monkeypatch.setenv("CI_PROJECT_ID", "6")
    monkeypatch.setenv("CI_MERGE_REQUEST_PROJECT_ID", "5")
    assert post()["beside"]["posted"] == 1
    gitlab.asked.clear()
    refused("comment", "--mr", "7", "--offline", says="GitLab")
    invoke("comment", "--mr", "7", "--pr", "7", code=2)
    monkeypatch.setenv("CI_API_V4_URL", "http://gitlab.example/api/v4")
    refused("comment", "--mr", "7", says="only over https")
    for name in ("CI_PROJECT_ID", "CI_MERGE_REQUEST_PROJECT_ID"):
        monkeypatch.setenv(name, "")
    refused("comment", "--mr", "7", says="CI_PROJECT_ID is not set")
    assert gitlab.asked == []


def test_the_recipe(gitlab: FakeGitLab, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job of docs/teams.md is YAML, and what it runs works with the variables that a pipeline has."""
    page = (Path(__file__).parents[2] / "docs/teams.md").read_text(encoding="utf-8")
    (recipe,) = (text for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "CI_PIPELINE_SOURCE" in text)
    job = yaml.safe_load(recipe)["memsuggest"]
    base = repo.git("rev-parse", "HEAD").strip()
    repo.git("switch", "-q", "change")
    repo.write("AGENTS.md", NEW.decode())
    repo.commit()
    monkeypatch.setenv("CI_MERGE_REQUEST_DIFF_BASE_SHA", base)
    commands = [line for line in job["script"] if line.startswith("memsuggest ")]
    for command in commands:
        invoke(*command.replace('"$CI_MERGE_REQUEST_IID"', "7").split()[1:])
    report = json.loads((repo.root / job["artifacts"]["reports"]["codequality"]).read_text(encoding="utf-8"))
    assert [load["location"]["path"] for load in report] == ["AGENTS.md"]
    assert len(commands) == 2 and len(gitlab.discussions) == 1
