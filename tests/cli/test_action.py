"""The GitHub Action: its steps, run as a workflow runs them, what they install, and what its file promises."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli.conftest import AGENTS
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pull_requests.fake_github import FakeGitHub, served

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
TOKEN = "not-" + "a-real-one"
FACT = {"id": "f-mock", "content": "Never mock the database in tests.", "scope": "workspace", "confidence": 0.9}
PINS = ROOT / ".github/requirements.txt"
PYTHON = f"""#!/usr/bin/env bash
# Stands for a machine's own python3, and then for the one of the folder where the action installs: notes what it is
# asked for and with which environment, and runs memsuggest.
set -eu
echo "$*" | tr '\\n' ' ' >>"$RUNNER_TEMP/asked"
echo >>"$RUNNER_TEMP/asked"
case "$*" in
    "-I -m memsuggest"*) exec {sys.executable} "$@" ;;
    "-I -m venv "*) mkdir -p "$4/bin"; cp "$0" "$4/bin/python" ;;
esac
env >>"$RUNNER_TEMP/environment-while-installing"
"""


class Job:
    """A workflow's job on a checkout of the base."""

    def __init__(self, folder: Path, repo: Path, fake: FakeGitHub) -> None:
        self.repo, self.folder, self.summary = repo, folder, folder / "summary.md"
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
        }
        self.environ.pop("GITHUB_TOKEN", None)
        self.given = {
            "${{ inputs.token }}": TOKEN,
            "${{ inputs.pull-request }}": "7",
            "${{ inputs.head }}": "",
            "${{ github.action_path }}": str(ROOT),
        }

    def run(self, code: int = 0, **inputs: str) -> str:
        """Run the action's steps until one fails; return what they printed."""
        given = self.given | {f"${{{{ inputs.{name.replace('_', '-')} }}}}": value for name, value in inputs.items()}
        said = ""
        for step in ACTION["runs"]["steps"]:
            environ = self.environ | {name: given[value] for name, value in step["env"].items()}
            command = ["bash", "-euo", "pipefail", "-c", step["run"]]
            done = subprocess.run(command, cwd=self.repo, env=environ, capture_output=True, text=True, check=False)
            said += done.stdout + done.stderr
            if done.returncode:
                break
        assert done.returncode == code, said
        return said


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
    (job.folder / "memsuggest/bin/python").unlink()
    assert "already up to date" in job.run()
    (comment,) = fake.comments
    assert "Never mock the database" in comment["body"]
    assert not job.summary.exists()


def test_installing_never_sees_the_token(job: Job, fake: FakeGitHub) -> None:
    """What is installed is told by its hash, in isolation; after another workflow, the branch is named."""
    job.run(head="ada:change", pull_request="")
    assert len(fake.comments) == 1
    assert TOKEN not in (job.folder / "environment-while-installing").read_text(encoding="utf-8")
    asked = (job.folder / "asked").read_text(encoding="utf-8").splitlines()
    assert [words.split()[:3] for words in asked[:2]] == [["-I", "-m", "venv"], ["-I", "-m", "pip"]]
    assert f"--require-hashes --only-binary :all: --no-deps --requirement {PINS}" in asked[1]
    assert all(words.startswith("-I ") for words in asked)  # or the checkout's own `pip.py` would be run


def pinned() -> dict[str, list[str]]:
    """What is pinned, with the hashes of its files."""
    found: dict[str, list[str]] = {}
    for line in PINS.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"([a-z0-9-]+)==[0-9.]+(?: ; [a-z0-9_><=!'. -]+)? \\", line):
            found[match[1]] = hashes = []
        elif match := re.fullmatch(r"    --hash=sha256:([0-9a-f]{64})(?: \\)?", line):
            hashes.append(match[1])
        else:
            assert line.startswith("#"), line  # no other place to take it from, no other option
    return found


def test_everything_is_pinned() -> None:
    """What the project needs, and what that needs in turn, on every system: `bash .github/pin.sh` mends this."""
    known, waiting, missing = pinned(), ["memsuggest"], []
    assert all(known.values())
    seen = set(waiting)
    while waiting:
        for text in metadata.requires(waiting.pop()) or ():
            needed = Requirement(text)
            name = canonicalize_name(needed.name)
            is_needed = needed.marker is None or needed.marker.evaluate({"extra": ""})
            if name not in seen and is_needed:
                seen.add(name)
                waiting.append(name)
                missing += [] if name in known else [name]
    assert missing == []
    assert "colorama" in known  # what only another system needs


def test_where_the_token_may_not_write(job: Job, fake: FakeGitHub) -> None:
    """The job's summary gets the text, and the job goes on."""
    route = fake.answer
    refusal = 403, {}, b"{}"
    fake.answer = lambda method, *rest: refusal if method == "POST" else route(method, *rest)  # type: ignore[method-assign]
    said = job.run()
    assert "pull-requests: write" in said
    assert "in the job summary" in said
    assert "Never mock the database" in job.summary.read_text(encoding="utf-8")
    assert fake.comments == []


def test_a_hostile_branch_name_is_a_name(job: Job, fake: FakeGitHub, tmp_path: Path) -> None:
    """Nothing of it is run by the shell."""
    job.run(code=1, head=f"ada:$(touch {tmp_path}/pwned)`touch {tmp_path}/pwned`; touch {tmp_path}/pwned")
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
