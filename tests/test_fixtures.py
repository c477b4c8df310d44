"""The bundled example: what its README promises is what the tool finds in it, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from golden.trial import Trial, open_trial, target_of

from memsuggest.setup.demo import lay_out
from memsuggest.transcripts.reading import read_transcript

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


@dataclass(frozen=True, kw_only=True)
class Promise:
    """One thing that the person said, and where it is meant to go."""

    name: str
    said: tuple[str, ...]
    target_type: str
    targets: tuple[str, ...]


def rows_below(heading: str) -> Iterator[list[str]]:
    text = (FIXTURES / "README.md").read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in text.split("\n") if line.startswith("|")]
    for row in rows[2:]:
        yield [cell.strip() for cell in row.strip("|").split("|")]


PROMISES = [
    Promise(name=name, said=tuple(said.split(" / ")), target_type=kind, targets=tuple(target.split(", ")))
    for name, said, kind, target, _ in rows_below("Expected suggestions")
]
MAYBES = [said for said, _ in rows_below("Expected low-confidence suggestions")]
SILENT = [said for said, _ in rows_below("Never suggested")]


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """The example as `memsuggest demo` lays it out."""
    return laid_out(tmp_path / "demo", monkeypatch)


def laid_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    lay_out(folder)
    return open_trial(folder, monkeypatch)


def chats(folder: Path) -> list[Path]:
    places = (".claude/projects/*/*.jsonl", "**/chatSessions/*", ".specstory/history/*.md")
    return sorted(
        {path for part in (folder / "repo", folder / "home") for place in places for path in part.glob(place)}
    )


def words_of(text: str) -> str:
    return " ".join(text.split())


def quotes_of(suggestion: dict[str, Any]) -> list[str]:
    return [words_of(citation["quote"]) for citation in suggestion["citations"]]


def test_the_truth_is_in_the_chats() -> None:
    """Each promised sentence was typed; each trap stands in a chat, typed or not."""
    typed = [turn.typed for path in chats(FIXTURES) for turn in read_transcript(path).turns]
    raw = "\n".join(path.read_text(encoding="utf-8") for path in chats(FIXTURES))
    assert [said for one in PROMISES for said in one.said if not any(said in text for text in typed)] == []
    assert [said for said in MAYBES if not any(said in text for text in typed)] == []
    assert [said for said in SILENT if said not in raw and json.dumps(said)[1:-1] not in raw] == []


def test_the_example_shows_everything() -> None:
    """Six kinds of target, both scopes, three assistants, and every line ending that is easily lost."""
    kinds = {one.target_type for one in PROMISES}
    assert kinds == {"instructions", "agent", "skill", "prompt", "hook", "newFile"}
    assert any(target.startswith("~/") for one in PROMISES for target in one.targets)
    assert {read_transcript(path).format for path in chats(FIXTURES)} == {"claude-code", "vscode-chat", "specstory"}
    assert b"\r\n" in (FIXTURES / "repo/.github/instructions/tests.instructions.md").read_bytes()
    assert not (FIXTURES / "repo/.github/instructions/python.instructions.md").read_bytes().endswith(b"\n")


def test_no_secret_lies_in_the_tree() -> None:
    """The secret of the example is made up when the copy is made."""
    assert not re.search(r"gh[a-z]_\w{20}|sk[-_]\w{16}|AKIA\w{12}|-----BEGIN", "".join(map(read_any, chats(FIXTURES))))


def read_any(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What is suggested in the example."""
    folder = tmp_path_factory.mktemp("found") / "demo"
    with pytest.MonkeyPatch.context() as patch:
        return laid_out(folder, patch).suggestions()


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.name)
def test_every_promise_is_kept(promise: Promise, found: list[dict[str, Any]]) -> None:
    """Each promised thing is suggested once, with all its evidence, for the file where it belongs."""
    matching = [one for one in found if is_about(promise, one)]
    assert [one["targetType"] for one in matching] == [promise.target_type]
    assert target_of(matching[0]) in promise.targets
    assert [said for said in promise.said if not any(said in quote for quote in quotes_of(matching[0]))] == []


@pytest.mark.parametrize("said", SILENT)
def test_traps_stay_silent(said: str, found: list[dict[str, Any]]) -> None:
    """Tasks, doubts, questions, what was taken back, pasted or never typed is not suggested."""
    assert [one["content"] for one in found if said in one["content"] or any(said in q for q in quotes_of(one))] == []


def test_nothing_else_is_suggested(found: list[dict[str, Any]]) -> None:
    """What is not promised is not suggested."""
    assert [one["content"] for one in found if not any(is_about(promise, one) for promise in PROMISES)] == []


def test_what_may_be_a_rule_is_kept_aside(demo: Trial) -> None:
    """What could be a rule is listed when asked for, and only then; the repo does not hear of it."""
    demo.suggestions()
    quotes = [quote for one in demo.ask("list", "--maybe")["suggestions"] for quote in quotes_of(one)]
    assert [said for said in MAYBES if not any(said in quote for quote in quotes)] == []
    shown = demo.run("list") + (demo.repo / ".github/memories/facts.json").read_text(encoding="utf-8")
    assert [said for said in MAYBES if said in shown] == []


def is_about(promise: Promise, suggestion: dict[str, Any]) -> bool:
    """Whether a suggestion cites what was promised, or the part of it that it was cut to."""
    quotes = quotes_of(suggestion)
    return any(said in quote or (len(quote) > 20 and quote in said) for said in promise.said for quote in quotes)


def test_the_contradiction_is_shown(demo: Trial) -> None:
    """Both sides are named, the newer one as the winner."""
    report = demo.ask("reconcile")
    pairs = [(one["winner"]["content"], one["loser"]["content"]) for one in report["contradictions"]]
    assert len(pairs) == 1
    assert "ISO 8601" in pairs[0][0]
    assert "Unix milliseconds" in pairs[0][1]


def test_all_at_once_leaves_the_hook(demo: Trial) -> None:
    """A bulk apply never writes executable configuration; afterwards nothing but it is pending, now and later."""
    demo.suggestions()
    hook = (demo.repo / ".github/hooks/quality.json").read_bytes()
    demo.run("apply", "--all", "--yes")
    assert (demo.repo / ".github/hooks/quality.json").read_bytes() == hook
    assert [suggestion["targetType"] for suggestion in demo.suggestions()] == ["hook"]
