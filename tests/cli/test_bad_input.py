"""What a person may type wrong, or have in the wrong place: one line that says so, one that says what to do."""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path

import pytest
from cases import cases
from cli.conftest import Shop, invoke, refused

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


@pytest.mark.parametrize("name", [None, "", "/", "relative/home"])
def test_without_a_home(git_repo: Path, monkeypatch: pytest.MonkeyPatch, name: str | None) -> None:
    """No HOME, or one that is nobody's, is said before anything is read or written."""
    monkeypatch.chdir(git_repo)
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
        pytest.param("repo/.memsuggest.yml", "mode: loud\n", "`mode` is `loud`", id="repo value"),
        pytest.param("repo/.memsuggest.yml", "mode: [off\n", "invalid YAML", id="repo YAML"),
        pytest.param("repo/.memsuggest.yml", "threshold: .inf\n", "`threshold` is `.inf`", id="repo number"),
        pytest.param("repo/.vscode/settings.json", '{"chat.memory.suggestionMode": 3}', "`mode` is `3`", id="editor"),
        pytest.param("home/.config/memsuggest/config.yml", "maxUserFacts: 5\n", "`maxUserFacts` is `5`", id="value"),
        pytest.param("home/.config/memsuggest/config.yml", "colour: red\n", "unknown setting `colour`", id="key"),
        pytest.param("home/.config/memsuggest/config.yml", "a: &x 1\nb: *x\n", "aliases", id="aliases"),
        pytest.param("home/.config/memsuggest/config.yml", "[" * 5000, "too many brackets", id="deep"),
        pytest.param("home/.config/memsuggest/config.yml", "!!python/object:os.system x", "mapping", id="a tag"),
    ],
)
def test_bad_settings(shop: Shop, place: str, text: str, says: str) -> None:
    """A value that is not allowed, in whatever layer: file, key and what is allowed; nothing runs on a guess.

    `config show` tells it, and all the rest.
    """
    path = shop.folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    before = shop.files()
    for words in IN_A_REPO:
        if words[:2] == ("config", "show") and says.startswith("`"):
            out = invoke(*words).out
            assert says in out and "engine" in out
        else:
            assert path.name in refused(*words, says=says)
    assert shop.files() == before


@pytest.mark.parametrize("name", [".memsuggest.yml", ".vscode/settings.json", "config.yml"])
@pytest.mark.parametrize("shape", ["a folder", "a pipe", "not UTF-8", "a circle"])
def test_settings_that_cannot_be_read(shop: Shop, name: str, shape: str) -> None:
    """A file of settings that is none is said; a pipe is not waited for."""
    path = (shop.home / ".config/memsuggest" if name == "config.yml" else shop.repo) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    make = {
        "a folder": path.mkdir,
        "a pipe": lambda: os.mkfifo(path),
        "not UTF-8": lambda: path.write_bytes(b"mode: \xff\xfe"),
        "a circle": lambda: path.symlink_to(path.name),
    }
    make[shape]()
    assert path.name in refused("list")
    assert path.name in refused("reconcile")


def test_bad_environment(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad variable is named like a bad line of a file."""
    before = shop.files()
    for name, value, says in (
        ("MEMSUGGEST_THRESHOLD", "high", "MEMSUGGEST_THRESHOLD: `threshold` is `high`"),
        ("MEMSUGGEST_STATE_DIR", "here", "MEMSUGGEST_STATE_DIR is set to `here`"),
    ):
        monkeypatch.setenv(name, value)
        for words in IN_A_REPO:
            if words[:2] == ("config", "show") and "`threshold`" in says:
                assert says in invoke(*words).out
            else:
                refused(*words, says=says)
        monkeypatch.delenv(name)
    assert shop.files() == before


BY_SUGGESTION = [("show", "{}"), ("apply", "{}", "--yes"), ("edit", "{}", "--yes"), ("dismiss", "{}")]
BY_FACT = [("memory", "show", "{}"), ("memory", "edit", "{}", "--content", "x"), ("memory", "forget", "{}")]


@pytest.mark.parametrize("name", ["zzzz", "", " ", "0" * 100, "é", "*", "../../etc", "\x1b[31m", "b0c\nerror: x"])
def test_unknown_ids(shop: Shop, name: str) -> None:
    """An id that fits nothing is said on one line, with where to look; nothing is changed."""
    before = shop.facts.read_bytes(), shop.agents.read_bytes()
    similar = [("apply", "--yes", "--similar", "{}")] if name else []
    for words in (*BY_SUGGESTION, *BY_FACT, *similar):
        error = refused(*(name if word == "{}" else word for word in words))
        assert "list" in error.partition("hint: ")[2]
        assert "\x1b" not in error
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
    """An id that fits several names them; of several ids one bad one stops all."""
    for rule in alike():
        invoke("remember", rule)
    for key, commands in (("suggestions", BY_SUGGESTION), ("facts", BY_FACT)):
        found = invoke(
            *(("list",) if key == "suggestions" else ("memory", "list", "--facts")), "--format", "json"
        ).json[key]
        begins = [one["id"][:4] for one in found]
        twice = next(four for four in begins if begins.count(four) > 1)
        whole = found[0]["id"]
        before = shop.facts.read_bytes(), shop.agents.read_bytes()
        several = "suggestions" if key == "suggestions" else "entries"
        for words in commands:
            error = refused(
                *(twice if word == "{}" else word for word in words), says=f"`{twice}` matches several {several}"
            )
            assert "enter more characters of the ID" in error
        for words in (("apply", "--yes"), ("dismiss",)) if key == "suggestions" else (("memory", "forget"),):
            refused(*words, whole, "zzzz")
        assert (shop.facts.read_bytes(), shop.agents.read_bytes()) == before


def test_an_id_of_three_characters(shop: Shop, tmp_path: Path) -> None:
    """Fewer than four characters name nothing, as in git, even where no other id begins so; four do."""
    name, fact = shop.id_of("mock"), shop.fact_id_of("pnpm")
    before = shop.facts.read_bytes(), shop.agents.read_bytes()
    others = [("apply", "--yes", "--similar", "{}"), ("dismiss", "--here", "{}"), ("memory", "confirm", "{}")]
    for words in (*BY_SUGGESTION, *BY_FACT, *others):
        for length in (1, 2, 3):
            given = (fact if words[0] == "facts" else name)[:length]
            error = refused(*(given if word == "{}" else word for word in words), says="is too short")
            assert "at least 4 characters" in error
    assert (shop.facts.read_bytes(), shop.agents.read_bytes()) == before
    exported = tmp_path / "facts.json"
    exported.write_bytes(shop.facts.read_bytes())
    refused("memory", "import", "--facts", str(exported), "--take", fact[:3], says="is too short")
    invoke("show", name[:4])
    invoke("memory", "show", fact[:4])
    invoke("apply", name[:4], "--yes")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(("reconcile", "--mode", "loud"), "`mode` is `loud`", id="mode"),
        pytest.param(("list", "--status", "done"), "unknown status `done`", id="status"),
        pytest.param(("memory", "list", "--facts", "--scope", "team"), "unknown scope `team`", id="scope"),
        pytest.param(
            ("memory", "export", "--facts", "--scope", "team"), "unknown scope `team`", id="scope of an export"
        ),
        pytest.param(("remember", "x y", "--kind", "law"), "unknown kind `law`", id="kind"),
        pytest.param(("remember", "   "), "no words", id="no words"),
        pytest.param(("remember", "use \u202epnpm"), "invisible", id="hidden characters"),
        pytest.param(("extract", "{transcript}", "--engine", "gpt"), "engine", id="engine"),
        pytest.param(("extract", "{transcript}", "--engine", "haiku"), "no API key", id="engine without a key"),
        pytest.param(("config", "get", "mood"), "unknown setting `mood`", id="setting"),
        pytest.param(("config", "set", "mode", "loud"), "`mode` is `loud`", id="value"),
        pytest.param(("config", "set", "threshold", "nan"), "`threshold` is `nan`", id="not a number"),
        pytest.param(("config", "set", "maxUserFacts", "9" * 5000), "maxUserFacts", id="many digits"),
        pytest.param(("config", "set", "--shared", "mode", "eager"), "quieter or safer", id="louder"),
        pytest.param(("config", "set", "--shared", "engine", "haiku"), "quieter or safer", id="not the repo's"),
        pytest.param(("redact", "missing.txt"), "missing.txt", id="no such file"),
        pytest.param(("redact", "."), "cannot be read", id="a folder"),
        pytest.param(("memory", "export", "--facts", "-o", "AGENTS.md"), "already exists", id="over a file"),
        pytest.param(("memory", "export", "--facts", "-o", "AGENTS.md/x.md"), "AGENTS.md", id="below a file"),
        pytest.param(("suggest", "--content", "  "), "no words", id="an empty rule"),
    ],
)
def test_bad_values(shop: Shop, words: tuple[str, ...], says: str) -> None:
    """A value that is none of those allowed is named, with those that are; nothing is changed."""
    before = shop.files()
    refused(*(str(shop.transcript) if word == "{transcript}" else word for word in words), says=says)
    assert shop.files() == before


def test_an_unknown_format(shop: Shop) -> None:
    """`--format` takes what the command can, before and after its name; anything else is wrong usage."""
    before = shop.files()
    for words in (*IN_A_REPO, ("extract", "x"), ("redact",)):
        assert "is not one of: text, json" in invoke(*words, "--format", "xml", code=2).err
        assert "is not one of: text, json" in invoke("--format", "xml", *words, code=2).err
    assert shop.files() == before


@pytest.mark.parametrize(
    "words",
    [
        ("frobnicate",),
        ("show",),
        ("apply",),
        ("apply", "b0c", "--all"),
        ("dismiss",),
        ("extract",),
        ("reconcile", "--loud"),
        ("facts", "frobnicate"),
        ("memory", "show"),
        ("config", "get"),
        ("config", "set", "mode"),
        ("config", "set", "mode", "off", "--user", "--shared"),
        ("suggest",),
        ("remember",),
        ("transcripts", "show"),
        ("transcripts", "show", "a", "b"),
    ],
    ids=" ".join,
)
def test_wrong_usage(shop: Shop, words: tuple[str, ...]) -> None:
    """What cannot be understood ends with 2 and says how to get help; nothing is changed."""
    before = shop.files()
    outcome = invoke(*words, code=2)
    assert "Usage: " in outcome.err
    assert outcome.out == ""
    assert shop.files() == before


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        pytest.param(b"not json\n", "line 1", id="not JSON"),
        pytest.param(b'"fine"\n{"a": 1}\n', "line 2", id="not a text"),
        pytest.param(b'"cut', "line 1", id="cut"),
        pytest.param(b"\xff\n", "line 1", id="not UTF-8"),
        pytest.param(b"[" * 100_000, "line 1", id="deep"),
    ],
)
def test_lines_that_are_no_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: bytes, says: str) -> None:
    """`redact --format jsonl` names the line that is no JSON text."""
    monkeypatch.chdir(tmp_path)
    outcome = invoke("redact", "--format", "jsonl", stdin=lines, code=1)
    assert says in outcome.err and "hint: " in outcome.err


@cases("data", [b"caf\xe9 at noon\n", b"", b"\x00\x01", "\u2028\ud7ff\n".encode(), b"\xff" * 10])
def test_any_bytes_can_be_redacted(data: bytes) -> None:
    """A filter must not stop half way, whatever it gets."""
    invoke("redact", stdin=data)
    assert invoke("redact", "--format", "json", stdin=data).json["version"] == 1


def test_a_repo_without_git(shop: Shop) -> None:
    """A folder with `.github` and no git is a workspace like any other."""
    subprocess.run(["rm", "-rf", ".git"], check=True)
    (shop.repo / ".github").mkdir(exist_ok=True)
    assert len(invoke("reconcile", "--format", "json").json["suggestions"]) == 4
    invoke("apply", shop.id_of("mock"), "--yes")
    invoke("undo")


def test_a_repo_with_a_broken_git_folder(shop: Shop) -> None:
    """Git that does not work costs what only git knows, and nothing else."""
    (shop.repo / ".git/HEAD").write_bytes(b"\xff\x00")
    assert len(invoke("reconcile", "--format", "json").json["suggestions"]) == 4


def test_without_git_at_all(shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the program `git`, everything works that needs no merge."""
    monkeypatch.setenv("PATH", str(tmp_path))
    name = shop.id_of("mock")
    invoke("reconcile")
    invoke("apply", name, "--yes")
    invoke("undo")


def test_folders_that_cannot_be_made(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file where a folder of ours should be: said, with the variable that names another one."""
    for name in ("DATA", "STATE"):
        monkeypatch.setenv(f"MEMSUGGEST_{name}_DIR", str(shop.agents / "below"))
        for words in (("reconcile",), ("remember", "x y")):
            refused(*words, says="AGENTS.md/below")
        monkeypatch.delenv(f"MEMSUGGEST_{name}_DIR")
    monkeypatch.setenv("MEMSUGGEST_CONFIG_DIR", str(shop.agents / "below"))
    refused("config", "set", "mode", "off")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_repo(shop: Shop) -> None:
    """In a repo that cannot be written, looking works, and changing says why not."""
    name = shop.id_of("mock")
    shop.repo.chmod(0o500)
    try:
        invoke("list")
        refused("apply", name, "--yes", says="permission denied")
    finally:
        shop.repo.chmod(0o700)
