"""What a person may type wrong, or have in the wrong place: one line that says so, one that says what to do."""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
from pathlib import Path

import pytest
from cli.conftest import Shop, facts, invoke, json_of, refused, suggestions, write

from memsuggest.core.identity import fact_id

IN_A_REPO = [
    ("reconcile",),
    ("reconcile", "--dry-run"),
    ("list",),
    ("show", "b0c"),
    ("apply", "b0c", "--yes"),
    ("apply", "--all", "--yes"),
    ("edit", "b0c", "--yes"),
    ("dismiss", "b0c"),
    ("undo",),
    ("status",),
    ("status", "--short"),
    ("suggest", "--content", "Use pnpm"),
    ("targets",),
    ("targets", "--for", "src/app.py"),
    ("transcripts",),
    ("remember", "Use pnpm"),
    *((("facts", *words)) for words in (("list",), ("show", "b"), ("add", "x"), ("forget", "b"), ("search", "x"))),
    *((("facts", *words)) for words in (("edit", "b", "--content", "x"), ("export",), ("check",))),
    *((("config", *words)) for words in (("show",), ("get", "mode"), ("set", "mode", "manual"))),
]
"""Every command that works in a repo, as it may be typed."""


def test_outside_a_repo(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no repo, nothing is made; so too in the home folder, and in a folder that is gone."""
    place = tmp_path / "plain"
    place.mkdir()
    (home / ".git").mkdir()
    (home / "notes").mkdir()
    for words in IN_A_REPO:
        monkeypatch.chdir(place)
        refused(*words, says="no repository found in")
        refused("--repo", str(tmp_path / "missing"), *words, says="is not a folder")
        monkeypatch.chdir(home / "notes")
        refused(*words, says="no repository found in")
    monkeypatch.chdir(place)
    place.rmdir()
    for words in IN_A_REPO:
        refused(*words, says="the current folder")
    assert sorted(path.name for path in home.rglob("*")) == [".git", "notes"]


def test_without_a_home(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No HOME, or one that is nobody's, is said before anything is read or written."""
    monkeypatch.chdir(git_repo)
    for name in (None, "/", "relative/home"):
        if name is None:
            monkeypatch.delenv("HOME")
        else:
            monkeypatch.setenv("HOME", name)
        for words in IN_A_REPO:
            refused(*words, says="no home folder")
    assert [path.name for path in git_repo.iterdir()] == [".git"]


@pytest.mark.parametrize(
    ("place", "text", "says"),
    [
        ("repo/.memsuggest.yml", "mode: loud\n", "invalid value `loud` for `mode`"),
        ("repo/.memsuggest.yml", "mode: [off\n", "invalid YAML"),
        ("repo/.vscode/settings.json", '{"chat.memory.suggestionMode": 3}', "invalid value `3` for `mode`"),
        ("home/.config/memsuggest/config.yml", "maxUserFacts: 5\n", "invalid value `5` for `maxUserFacts`"),
        ("home/.config/memsuggest/config.yml", "colour: red\n", "unknown setting `colour`"),
        ("home/.config/memsuggest/config.yml", "a: &x 1\nb: *x\n", "aliases"),
        ("home/.config/memsuggest/config.yml", "[" * 5000, "too many brackets"),
        ("MEMSUGGEST_THRESHOLD", "high", "invalid value `high` for `threshold`"),
        ("MEMSUGGEST_STATE_DIR", "here", "is set to `here`"),
    ],
    ids=lambda value: value[:20],
)
def test_bad_settings(shop: Shop, monkeypatch: pytest.MonkeyPatch, place: str, text: str, says: str) -> None:
    """A value that is not allowed, in whatever layer: file, key and what is allowed; nothing runs on a guess.

    `config show` tells it, and all the rest.
    """
    if "/" in place:
        write(shop.folder, {place: text})
    else:
        monkeypatch.setenv(place, text)
    before = shop.files()
    for words in IN_A_REPO:
        if words[:2] == ("config", "show") and says.startswith("invalid value"):
            out = invoke(*words).out
            assert says in out and "engine" in out
        else:
            assert place.rpartition("/")[2] in refused(*words, says=says)
    assert shop.files() == before


@pytest.mark.parametrize("name", [".memsuggest.yml", ".vscode/settings.json", "config.yml"])
def test_settings_that_cannot_be_read(shop: Shop, name: str) -> None:
    """A file of settings that is none is said; a pipe is not waited for."""
    path = (shop.home / ".config/memsuggest" if name == "config.yml" else shop.repo) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for make in (
        lambda: os.mkfifo(path),
        lambda: path.write_bytes(b"mode: \xff\xfe"),
        lambda: path.symlink_to(path.name),
    ):
        make()
        assert path.name in refused("list")
        assert path.name in refused("reconcile")
        path.unlink()
    path.mkdir()
    assert path.name in refused("list")


BY_SUGGESTION = [("show", "{}"), ("apply", "{}", "--yes"), ("edit", "{}", "--yes"), ("dismiss", "{}")]
BY_FACT = [("memory", "show", "{}"), ("memory", "edit", "{}", "--content", "x"), ("memory", "forget", "{}")]


def test_unknown_ids(shop: Shop) -> None:
    """An id that fits nothing is said on one line, with where to look; nothing is changed."""
    before = shop.facts.read_bytes(), shop.agents.read_bytes()
    for name in ("zzzz", "", "0" * 100, "é", "*", "../../etc", "\x1b[31m", "b0c\nerror: x"):
        similar = [("apply", "--yes", "--similar", "{}")] if name else []
        for words in (*BY_SUGGESTION, *BY_FACT, *similar):
            error = refused(*(name if word == "{}" else word for word in words))
            assert "list" in error.partition("hint: ")[2] and "\x1b" not in error
    assert (shop.facts.read_bytes(), shop.agents.read_bytes()) == before


def alike() -> list[str]:
    """Return two rules whose ids begin with the same four digits."""
    trees = ("alder", "ash", "beech", "birch", "cedar", "elder", "elm", "fir", "hazel", "holly", "larch", "oak", "pine")
    seen: dict[str, str] = {}
    for first, second, third in itertools.permutations(trees, 3):
        rule = f"The {first} service is released from the branch {second}-{third}"
        other = seen.setdefault(fact_id("workspace", rule)[:4], rule)
        if first not in other and other.partition(" from ")[2] not in rule:
            return [other, rule]
    raise AssertionError


def test_ambiguous_ids(shop: Shop) -> None:
    """An id that fits several names them, one of three characters is too short; of several one bad one stops all."""
    for rule in alike():
        invoke("remember", rule)
    others = [("apply", "--yes", "--similar", "{}"), ("dismiss", "--here", "{}"), ("memory", "confirm", "{}")]
    for found, commands, several in ((suggestions(), BY_SUGGESTION, "suggestions"), (facts(), BY_FACT, "entries")):
        begins = [one["id"][:4] for one in found]
        twice = next(four for four in begins if begins.count(four) > 1)
        before = shop.facts.read_bytes(), shop.agents.read_bytes()
        for words in commands:
            given = (twice if word == "{}" else word for word in words)
            assert "enter more characters of the ID" in refused(*given, says=f"`{twice}` matches several {several}")
        for words in (*commands, *others):
            given = (twice[:3] if word == "{}" else word for word in words)
            assert "at least 4 characters" in refused(*given, says="is too short")
        for words in (("apply", "--yes"), ("dismiss",)) if several == "suggestions" else (("memory", "forget"),):
            refused(*words, found[0]["id"], "zzzz")
        assert (shop.facts.read_bytes(), shop.agents.read_bytes()) == before
    invoke("show", shop.id_of("mock")[:4])
    invoke("memory", "show", shop.fact_id_of("pnpm")[:4])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("reconcile --mode loud", "invalid value `loud` for `mode`"),
        ("list --status done", "unknown status `done`"),
        ("memory list --facts --scope team", "unknown scope `team`"),
        ("memory export --facts --scope team", "unknown scope `team`"),
        ("remember x --kind law", "unknown kind `law`"),
        ("remember '   '", "no words"),
        ("remember 'use \u202epnpm'", "invisible"),
        ("extract {transcript} --engine gpt", "engine"),
        ("extract {transcript} --engine haiku", "no API key"),
        ("config get mood", "unknown setting `mood`"),
        ("config set mode loud", "invalid value `loud` for `mode`"),
        ("config set threshold nan", "invalid value `nan` for `threshold`"),
        ("config set maxUserFacts " + "9" * 5000, "maxUserFacts"),
        ("config set --shared mode eager", "quieter or safer"),
        ("redact missing.txt", "missing.txt"),
        ("redact .", "cannot be read"),
        ("memory export --facts -o AGENTS.md", "already exists"),
        ("memory export --facts -o AGENTS.md/x.md", "AGENTS.md"),
        ("suggest --content '  '", "no words"),
    ],
    ids=lambda value: value[:30],
)
def test_bad_values(shop: Shop, words: str, says: str) -> None:
    """A value that is none of those allowed is named, with those that are; nothing is changed."""
    before = shop.files()
    refused(*shlex.split(words.format(transcript=shop.transcript)), says=says)
    assert shop.files() == before


def test_redact_takes_any_bytes() -> None:
    """A filter must not stop half way, whatever it gets; as lines of JSON, the one that is no text is named."""
    for data in (b"caf\xe9 at noon\n", b"", b"\x00\x01", "\u2028\ud7ff\n".encode(), b"\xff" * 10):
        assert json_of("redact", stdin=data)["version"] == 1
    for lines, number in (
        (b"not json\n", 1),
        (b'"fine"\n{"a": 1}\n', 2),
        (b'"cut', 1),
        (b"\xff\n", 1),
        (b"[" * 100_000, 1),
    ):
        outcome = invoke("redact", "--format", "jsonl", stdin=lines, code=1)
        assert f"line {number}" in outcome.err and "hint: " in outcome.err


@pytest.mark.parametrize("happens", ["no repo", "a broken repo", "no program"])
def test_without_git(shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, happens: str) -> None:
    """A folder with `.github` is a workspace like any other; git that does not work costs what only git knows."""
    if happens == "no repo":
        shutil.rmtree(shop.repo / ".git")
    elif happens == "a broken repo":
        (shop.repo / ".git/HEAD").write_bytes(b"\xff\x00")
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    (shop.repo / ".github").mkdir(exist_ok=True)
    assert len(json_of("reconcile")["suggestions"]) == 4
    invoke("apply", shop.id_of("mock"), "--yes")
    invoke("undo")


def test_folders_that_cannot_be_made(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file where a folder of ours should be: said, with its variable; so too a repo that is closed."""
    for name in ("DATA", "STATE"):
        with monkeypatch.context() as patch:
            patch.setenv(f"MEMSUGGEST_{name}_DIR", str(shop.agents / "below"))
            for words in (("reconcile",), ("remember", "x y")):
                refused(*words, says="AGENTS.md/below")
    with monkeypatch.context() as patch:
        patch.setenv("MEMSUGGEST_CONFIG_DIR", str(shop.agents / "below"))
        refused("config", "set", "mode", "off")
    if os.name == "posix" and os.geteuid():  # root may write everywhere
        name = shop.id_of("mock")
        shop.repo.chmod(0o500)
        refused("apply", name, "--yes", says="permission denied")
        shop.repo.chmod(0o700)
