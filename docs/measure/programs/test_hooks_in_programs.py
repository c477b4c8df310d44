"""Our hooks in the real programs: what they add to a request, and what is learned, once, wherever the entries stand.

Run as `test_real_programs` is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from learning.watched import until
from model_server import Server
from programs.test_real_programs import FOUND, memsuggest, speak

pytestmark = [pytest.mark.programs, pytest.mark.timeout(300)]

KNOWN = "The harbor queue is drained by the night worker."
PERSON = "Ada writes harbor software."
RULE = "From now on never mock the harbor queue in tests."
PROMPT = f"Which worker drains the harbor queue at night? {RULE}"
HOSTS = {"claude": "claude-code", "copilot": "copilot-cli"}
REPO, LOCAL, USER = (), ("--local",), ("--user",)
CASES = {
    "claude, in the repo for oneself": ("claude", [LOCAL]),
    "claude, for oneself": ("claude", [USER]),
    "claude, in both": ("claude", [LOCAL, USER]),
    "claude, in the repo and for oneself": ("claude", [REPO, USER]),
    "copilot, in the repo": ("copilot", [REPO]),
    "copilot, for oneself": ("copilot", [USER]),
    "copilot, in both": ("copilot", [REPO, USER]),
}


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server([speak])
    yield server
    server.close()


@pytest.mark.parametrize(("name", "places"), CASES.values(), ids=CASES)
def test_a_session(
    name: str,
    places: list[tuple[str, ...]],
    server: Server,
    home: Path,
    git_repo: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who the person is at its start, what fits beside the prompt, and what was said learned at its end: each once."""
    real = FOUND[name]
    if real is None:
        pytest.skip(f"{name} is not installed")
    for variable in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for place in places:
        memsuggest(git_repo, "hooks", "install", "--for", HOSTS[name], "--recall", "--yes", *place)
    memsuggest(git_repo, "memory", "add", KNOWN)
    memsuggest(git_repo, "memory", "add", "--identity", PERSON)
    (home / ".copilot").mkdir(exist_ok=True)  # Copilot runs a repo's hooks only where the person trusts the folder
    (home / ".copilot/config.json").write_text(json.dumps({"trustedFolders": [str(git_repo)]}))
    environ = {
        "ANTHROPIC_BASE_URL": server.url,
        "ANTHROPIC_API_KEY": "x",
        "COPILOT_PROVIDER_BASE_URL": server.url,
        "COPILOT_PROVIDER_TYPE": "anthropic",
        "COPILOT_OFFLINE": "true",
        "COPILOT_MODEL": "claude-haiku-4-5",
    }
    done = subprocess.run(
        [real, "-p", PROMPT],
        cwd=git_repo,
        env=os.environ | environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    asked = [text for one in server.requests if one.method == "POST" and PROMPT in (text := json.dumps(one.body))]
    assert asked, done.stdout + done.stderr
    assert (asked[-1].count(KNOWN), asked[-1].count(PERSON)) == (1, 1)

    def learned() -> list[str]:
        listed = json.loads(memsuggest(git_repo, "list", "--format", "json").stdout)["suggestions"]
        return [one["content"] for one in listed]

    until(lambda: learned() == ["Never mock the harbor queue in tests."], seconds=60)
