"""A hostile clone, walked through with every command that reads, shows, applies or tells.

Nothing of the stranger's is called typed, written by a bulk apply where it is a claim or no file may hold it, or
printed as it stands; nothing of it is run, and nothing is written outside of the repo.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token, tree
from cli.conftest import Outcome, invoke
from hostile_kit import ESCAPE, HIDDEN, PASSWORD, PLACE, SHAPES, arm, facts, fill, linked_folder
from typer.testing import CliRunner

from memsuggest.cli.app import build_app

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="makes links and scripts of POSIX")

HARMLESS = {"zqx24", "zqx29", "zqx30", "zqx31", "zqx40", "zqx41"}
"""What the team's file says that weakens nothing and breaks out of nothing: `shared`, which may be taken in."""
HONEST = "From now on never mock the database in tests."
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
THEIRS = re.compile(r"zqx\d\d")
OWN_WORD = re.compile(r"\byou (?:typed|said|wrote)\b|\btyped\b", re.IGNORECASE)


class ReviewLoop:
    """The clone, and all that commands print in it."""

    def __init__(self, repo: Path, home: Path) -> None:
        self.repo, self.home = repo, home

    def __call__(self, *words: str, code: int | None = 0) -> Outcome:
        """Run a command; hold what it prints to the promises."""
        outcome = invoke(*words, code=code) if code is not None else self._whatever(*words)
        for text in (outcome.out, outcome.err):
            assert not RAW.search(text), (words, RAW.findall(text), text)
            assert fake_token() not in text and PASSWORD not in text, (words, text)
            # What stands in quotes is somebody's; an export is the file itself.
            ours = "" if "export" in words else re.sub(r"“[^”]*”", "", text)
            for paragraph in re.split(r"\n\s*\n", ours):
                if THEIRS.search(paragraph) and not paragraph.lstrip().startswith(("{", "[")):
                    assert not OWN_WORD.search(paragraph), (words, paragraph)
        if "json" in words and (outcome.code != 1 or outcome.out):
            assert outcome.out.startswith("{"), (words, outcome.out[:300], outcome.err)
            for thing in things_in(json.loads(outcome.out)):
                assert_not_typed(thing, words)
        return outcome

    @staticmethod
    def _whatever(*words: str) -> Outcome:
        result = CliRunner().invoke(build_app(words), list(words))
        assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
        assert result.exit_code in {0, 1, 2, 3}, (words, result.exit_code)
        return Outcome(result.exit_code, result.stdout, result.stderr)


def things_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON document."""
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from things_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from things_in(part)


def assert_not_typed(thing: dict[str, Any], words: tuple[str, ...]) -> None:
    """An object with the stranger's words in it does not say that they are the person's."""
    own = {key: part for key, part in thing.items() if isinstance(part, str)}
    if THEIRS.search(" ".join(own.values())):
        assert thing.get("trust") not in {"typed", "confirmed"}, (words, thing)
        for citation in thing.get("citations", ()):
            trust = citation.get("trust") if isinstance(citation, dict) else None
            assert trust not in {"typed", "confirmed"}, (words, thing)


@pytest.fixture(params=SHAPES, ids=lambda shape: shape.__name__)
def walk(
    request: pytest.FixtureRequest, git_repo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ReviewLoop:
    shape: Callable[[Path, Path], None] = request.param
    outside = tmp_path / "outside"
    outside.mkdir()
    fill(git_repo, outside)
    shape(git_repo, outside)
    if (git_repo / ".git").exists():
        arm(git_repo, tmp_path / "RUN")
    claude_session(home, git_repo, HONEST)
    monkeypatch.chdir(git_repo)
    return ReviewLoop(git_repo, home)


def test_walk(walk: ReviewLoop, tmp_path: Path) -> None:
    """Through reading, looking, applying in bulk and telling, in each shape of the clone."""
    before, at_home, outside = tree(walk.repo), tree(walk.home), tree(tmp_path / "outside")
    report = walk("reconcile", "--format", "json").json
    walk("reconcile")
    assert [one["content"] for one in report["suggestions"] if not THEIRS.search(one["content"])] == [
        "Never mock the database in tests."
    ]
    rows = walk("transcripts", "--format", "json").json["transcripts"]
    theirs = [row for row in rows if not row["path"].startswith((str(walk.home), "~"))]
    assert len(theirs) >= 2
    assert {row["trust"] for row in theirs} == {"claimed"}
    walk("list")
    for one in report["suggestions"]:
        walk("show", one["id"])
    walk("comment", "--base", "HEAD", "--all", code=0 if (walk.repo / ".git").exists() else 1)
    walk("apply", "--all", "--yes")
    walk("reconcile", "--format", "json")
    written = "".join(
        data.decode() for name, data in tree(walk.repo).items() if before.get(name) != data and name != PLACE
    )
    assert "Never mock the database in tests." in written
    assert set(THEIRS.findall(written)) <= HARMLESS
    assert not RAW.search(added(before, tree(walk.repo)))
    assert not (tmp_path / "RUN").exists()
    assert tree(tmp_path / "outside") == outside
    ours = {name for name, data in tree(walk.home).items() if at_home.get(name) != data}
    assert {name.split("/memsuggest/")[0] for name in ours} <= {".local/share", ".local/state"}


@pytest.mark.parametrize("walk", [linked_folder], indirect=True, ids=["looking"])
def test_every_way_of_looking(walk: ReviewLoop, tmp_path: Path) -> None:
    """What only tells holds to it as well, as text and as JSON."""
    walk("reconcile")
    for words in ("list", "status", "doctor", "targets", "transcripts", "config show", "consolidate"):
        walk(*words.split(), code=None)
        walk(*words.split(), "--format", "json", code=None)
    for row in walk("transcripts", "--format", "json").json["transcripts"]:
        walk("transcripts", "show", row["path"], code=None)
    for words in ("list", "search zqx24", "export", "check"):
        walk("facts", *words.split(), code=None)
        walk("facts", *words.split(), "--format", "json", code=None)
    walk("memory", "export", "--facts", "--format", "markdown")
    known = walk("memory", "list", "--facts", "--format", "json").json["facts"]
    assert {"zqx01", "zqx03"} <= set(THEIRS.findall(str(known)))  # claims are kept aside, and told as such
    for fact in known:
        walk("memory", "show", fact["id"], *(("--format", "json") if fact["id"] > "hostile-h" else ()))
    for one in walk("list", "--format", "json").json["suggestions"]:
        walk("show", one["id"], "--format", "json")
    for name in ("markdown", "rdjson", "sarif", "gitlab", "json"):
        walk("comment", "--base", "HEAD", "--all", "--format", name)
    assert not (tmp_path / "RUN").exists()


def added(before: dict[str, bytes], after: dict[str, bytes]) -> str:
    """The lines that were not there before, in any file of the repo."""
    old = {line for data in before.values() for line in data.decode().split("\n")}
    return "\n".join(
        line for name, data in after.items() if name != PLACE for line in data.decode().split("\n") if line not in old
    )


@pytest.mark.parametrize("walk", [linked_folder], indirect=True, ids=["unseen"])
def test_facts_with_signs_that_cannot_be_seen(walk: ReviewLoop, tmp_path: Path) -> None:
    """The file is refused as a whole, by every command, in words that can be seen; it stays as it is."""
    path = walk.repo / PLACE
    for sign in (ESCAPE, HIDDEN):
        path.write_text(json.dumps({"version": 1, "facts": facts(escape=sign)}), encoding="utf-8")
        before = tree(walk.repo)
        for words in (
            "reconcile",
            "list",
            "memory list --facts",
            "memory check",
            "apply --all --yes",
            "status",
            "doctor",
        ):
            walk(*words.split(), code=None)
        walk("comment", "--base", "HEAD", "--all", code=None)
        assert tree(walk.repo) == before
        walk("memory", "resolve", code=None)  # which mends what is asked of it, and nothing that is unseen is left
        assert not RAW.search("".join(map(str, json.loads(path.read_text(encoding="utf-8"))["facts"])))
    assert not (tmp_path / "RUN").exists()
