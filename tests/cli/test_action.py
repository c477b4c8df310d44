"""The GitHub Action: its script, run as a workflow runs it, and what its file promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.conftest import AGENTS
from conftest import ROOT
from integrations.fake_github import FakeGitHub, served

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
FACT = {"id": "f-mock", "content": "Never mock the database in tests.", "scope": "workspace", "confidence": 0.9}
PYTHON = f"""#!/usr/bin/env bash
# Stands for a machine's own python3: makes the place where the action installs, with this project's program in it.
mkdir -p "$3/bin"
printf '#!/bin/sh\\nexec true\\n' >"$3/bin/python"
printf '#!/bin/sh\\nexec {sys.executable} -m memsuggest "$@"\\n' >"$3/bin/memsuggest"
chmod +x "$3/bin/python" "$3/bin/memsuggest"
"""


class Job:
    """A workflow's job on a checkout of the base."""

    def __init__(self, folder: Path, repo: Path, fake: FakeGitHub) -> None:
        self.repo, self.summary = repo, folder / "summary.md"
        programs = folder / "programs"
        programs.mkdir()
        (programs / "python3").write_text(PYTHON, encoding="utf-8")
        (programs / "python3").chmod(0o755)
        self.environ = os.environ | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(folder),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": fake.url,
            "GITHUB_REPOSITORY": "shop/bakery",
            "GITHUB_TOKEN": "not-a-real-one",
            "SOURCE": str(ROOT),
            "NUMBER": "7",
            "HEAD": "",
        }

    def run(self, **environ: str) -> str:
        """Run the action's script; return what it printed."""
        command = ["bash", str(ROOT / ".github/comment.sh")]
        done = subprocess.run(
            command, cwd=self.repo, env=self.environ | environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    files = [{"filename": "AGENTS.md", "status": "modified", "patch": ""}]
    with served(FakeGitHub(files=files, texts={"AGENTS.md": AGENTS.encode()})) as fake:
        yield fake


@pytest.fixture
def job(tmp_path: Path, git_repo: Path, fake: FakeGitHub) -> Job:
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    (git_repo / ".github/memories").mkdir(parents=True)
    text = json.dumps({"version": 1, "facts": [FACT]})
    (git_repo / ".github/memories/facts.json").write_text(text, encoding="utf-8")
    fake.branches["main"] = {".github/memories/facts.json": text.encode()}
    return Job(tmp_path, git_repo, fake)


def test_run_twice_it_makes_one_comment(job: Job, fake: FakeGitHub) -> None:
    """The second run finds that the comment says it already."""
    assert "commented" in job.run()
    assert "says it already" in job.run()
    (comment,) = fake.comments
    assert "Never mock the database" in comment["body"]
    assert not job.summary.exists()


def test_by_branch_as_after_another_workflow(job: Job, fake: FakeGitHub) -> None:
    """For `workflow_run`, which knows no number."""
    job.run(HEAD="ada:change", NUMBER="")
    assert len(fake.comments) == 1


def test_where_the_token_may_not_write(job: Job, fake: FakeGitHub) -> None:
    """The job's summary gets the text, and the job goes on."""
    route = fake.answer
    refusal = 403, {}, b"{}"
    fake.answer = lambda method, *rest: refusal if method == "POST" else route(method, *rest)  # type: ignore[method-assign]
    said = job.run()
    assert "pull-requests: write" in said
    assert "the job's summary" in said
    assert "Never mock the database" in job.summary.read_text(encoding="utf-8")
    assert fake.comments == []


def test_a_hostile_branch_name_is_a_name(job: Job, fake: FakeGitHub, tmp_path: Path) -> None:
    """Nothing of it is run by the shell."""
    done = subprocess.run(
        ["bash", str(ROOT / ".github/comment.sh")],
        cwd=job.repo,
        env=job.environ | {"HEAD": f"ada:$(touch {tmp_path}/pwned)`touch {tmp_path}/pwned`; touch {tmp_path}/pwned"},
        capture_output=True,
        check=False,
    )
    assert done.returncode != 0
    assert not (tmp_path / "pwned").exists()
    assert fake.comments == []


def test_what_comes_from_outside_goes_through_the_environment() -> None:
    """No step's script has an expression in it; those are filled in as text before a shell reads them."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert "uses" not in step
    assert ACTION["runs"]["using"] == "composite"


def test_the_workflow_of_the_docs_is_safe_for_forks() -> None:
    """It asks for little, checks out no pull request's code, keeps no token, and has no `pull_request_target`."""
    text = (ROOT / "docs/teams.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text.partition("```yaml\nname: memsuggest\n")[2].partition("```")[0])
    assert workflow["permissions"] == {}
    assert "pull_request_target" not in str(workflow)
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"contents": "read", "pull-requests": "write"}
    checkout, action = job["steps"]
    assert checkout["with"] == {"persist-credentials": False}
    assert "run" not in checkout | action
