"""What could be a rule is kept aside: listed when asked for, decided like a suggestion, and never in anybody's way."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, id_of, json_of, pending, refused, session

from memsuggest.core.model import Candidate, MemoryFact, Transcript, Trust, Turn
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Findings, cite

if sys.platform != "win32":
    from cli.terminal import Terminal

FIRST, SECOND = session(11111111), session(2)
RULE = "From now on never mock the database in tests."
SAID = "hm so lets go with pnpm for the client then"
PASTED = "pasted? log lines go to stderr in this one, and nothing else"
AGENTS = "# Shop\n\n## Commands\n\n- Build with `make`.\n"


def candidate_of(transcript: Transcript, turn: Turn) -> Candidate:
    """A suggestion of what begins with a capital, a maybe of all else; what says `pasted?` is doubtful."""
    is_sure = turn.typed[0].isupper()
    trust = Trust.DOUBTFUL if "pasted?" in turn.typed else None
    return Candidate(
        content=turn.typed,
        confidence=0.8 if is_sure else 0.4,
        citations=(cite(transcript, turn, turn.typed, trust=trust),),
        found_by="test",
    )


@pytest.fixture(autouse=True)
def _engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """An offline engine that finds something in everything that was typed."""

    def extract(transcript: Transcript, known: tuple[MemoryFact, ...] = ()) -> Findings:
        assert all("pnpm for the client" not in fact.content or fact.confidence >= 0.6 for fact in known)
        return Findings(candidates=tuple(candidate_of(transcript, turn) for turn in transcript.turns if turn.typed))

    monkeypatch.setattr(offline, "extract", extract)


@pytest.fixture
def chat(run: Run, git_repo: Path, home: Path) -> Run:
    """A repo in whose one chat a rule and two maybes were said, read once."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    claude_session(home, git_repo, RULE, SAID, PASTED, session=FIRST)
    assert run("list", "--maybe").out.endswith("No low-confidence suggestions.\n")
    run("reconcile")
    return run


def maybes() -> list[str]:
    return pending("--maybe")


def shared(repo: Path) -> str:
    return (repo / ".github/memories/facts.json").read_text(encoding="utf-8")


def test_nobody_is_bothered(chat: Run, git_repo: Path) -> None:
    """Only a line of `reconcile` says that there are any; no count, list, badge, search, export or bulk has one."""
    out = chat("reconcile").out
    assert "\n2 low-confidence suggestions (`memsuggest list --maybe`); a model could evaluate these suggestions" in out
    assert "1 pending" in chat("list").out
    looks = ("list", "list --format json", "status", "memory list --facts --all", "memory export --facts", "doctor")
    told = [chat(*words.split()).out for words in looks]
    assert not any("pnpm for the client" in out or "maybe" in out.replace('"maybe"', "maybe") for out in told)
    assert chat("status", "--short").out == "mem 1\n"
    assert "pnpm for the client" not in "".join(data.decode(errors="replace") for data in tree(git_repo).values())
    chat("list", "--check", code=3)
    assert len(json_of("apply", "--all", "--yes")["applied"]) == 1 and len(maybes()) == 2


def test_listing(chat: Run, home: Path) -> None:
    """The sentence, when and in which chat; the same as JSON in the shape of suggestions; `extract` as well."""
    out = chat("list", "--maybe").out
    assert len(out.split("\n", 1)[0]) < 80, "its title is one row of a terminal"
    assert f"“{SAID}”" in out and "chat from 2026-03-01 10:01 · " in out and "possibly pasted" in out
    listed, usual = json_of("list", "--maybe"), json_of("list")
    assert listed.keys() == usual.keys() - {
        "careHeld",
        "dangerous",
    }  # nothing of the files, and nothing to apply in bulk
    assert listed["suggestions"][0].keys() == usual["suggestions"][0].keys()
    assert [one["outcome"] for one in (*listed["suggestions"], *usual["suggestions"])] == ["maybe", "maybe", "suggest"]
    assert chat("memory", "list", "--facts", "--maybe").out.count("\n") == 2
    (transcript,) = map(str, home.rglob("*.jsonl"))
    assert "pnpm" not in chat("extract", transcript).out
    _, _, apart = chat("extract", "--maybe", transcript).out.partition("Low confidence (2)")
    assert f"“{SAID}” turn 3" in apart and RULE not in apart


def test_show_and_apply(chat: Run, git_repo: Path) -> None:
    """It is planned when it is looked at, written as shown, and a fact of the team then; undo makes it a maybe."""
    name = id_of("pnpm", "--maybe")
    shown = chat("show", name[:7]).out
    why = "low confidence: might be a rule, but is not worded as a lasting one; not suggested until you or a model"
    assert why in shown and f"“{SAID}”" in shown and "+- Hm so lets" in shown
    assert "low confidence: may have been pasted; not suggested" in chat("show", id_of("pasted?", "--maybe")[:7]).out
    refused("apply", name, says="not running in a terminal")
    assert SAID not in shared(git_repo)
    chat("apply", name, "--yes")
    assert "lets go with pnpm" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    assert json.loads(shared(git_repo))["decisions"][0]["factId"] == name
    chat("undo")
    assert (git_repo / "AGENTS.md").read_text(encoding="utf-8") == AGENTS
    assert SAID in maybes() and SAID not in pending() and SAID not in shared(git_repo)
    (git_repo / "AGENTS.md").write_text(f"{AGENTS}- {SAID}\n", encoding="utf-8")
    assert "`AGENTS.md` already says this on line 6" in chat("show", name).out
    refused("apply", name, "--yes", says="already says this")


@pytest.mark.parametrize("words", [("dismiss",), ("memory", "forget")], ids=["dismissed", "forgotten"])
def test_gone_is_gone(chat: Run, git_repo: Path, home: Path, words: tuple[str, ...]) -> None:
    """Neither reading again nor saying it again as vaguely brings it back, and the team's file knows nothing of it."""
    name = id_of("pnpm", "--maybe")
    chat(*words, name)
    claude_session(home, git_repo, SAID, session=SECOND, day=2)
    chat("reconcile")
    assert SAID not in [*maybes(), *pending()] and name not in shared(git_repo)


def test_confirm(chat: Run) -> None:
    """At the person's word it is suggested, doubtful words and dismissed ones too."""
    chat("dismiss", id_of("pnpm", "--maybe"))
    (dismissed,) = json_of("list", "--status", "dismissed")["decided"]
    chat("memory", "confirm", dismissed["factId"], id_of("stderr", "--maybe"))
    assert maybes() == [] and sorted(pending()) == sorted([RULE, SAID, PASTED])


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_review_offers_them_at_its_end(chat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One key looks at them; of a raw sentence `edit` is named first; who stops is not asked."""
    monkeypatch.setenv("MEMSUGGEST_CARE", "false")
    chat("reconcile")
    assert "review them" not in Terminal("review").sees("[e]dit [?] ").press("q").end()
    terminal = Terminal("review").sees("[e]dit [?] ").press("n")
    terminal.sees("low-confidence suggestions: 2. Review now? [y/N] ").press("y").sees(
        "1 of 2", "[d]ismiss [?] "
    ).press("n")
    terminal.sees(SAID, "[d]ismiss [?] ").press("d").end()
    assert len(maybes()) == 1
    assert "applied" in Terminal("review", "--maybe").sees("1 of 1", "[d]ismiss [?] ").press("y").end()
    assert maybes() == []


HARMLESS = "Write small commits."
DANGEROUS = "Always push with --no-verify."


def dangerous(run: Run) -> str:
    """The id of a suggestion that weakens safety, beside one that does not."""
    run("remember", HARMLESS)
    out = run("remember", DANGEROUS).out
    assert "warning" in out and "never in bulk" in out
    return id_of(DANGEROUS)


def test_a_dangerous_rule_is_never_applied_in_bulk(run: Run, git_repo: Path) -> None:
    """`--all` and `--similar` leave it out and say so; named, it is written with a warning."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    name = dangerous(run)
    assert f"{DANGEROUS}  weakens safety, needs its own confirmation" in run("list").out
    assert "warning: this rule" in run("show", name).out
    assert run("show", name, "--format", "json").json["danger"]
    run("remember", "Keep --no-verify out of our scripts.")
    out = run("apply", "--similar", id_of("out of our scripts"), "--yes").out
    assert "skipped" in out and f"applied  {HARMLESS}" in out
    assert "skipped" in run("apply", "--all", "--yes", code=1).out
    assert "no-verify" not in (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    assert "warning" in run("apply", name, "--yes").err
    assert "no-verify" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
@pytest.mark.parametrize(("answer", "is_written"), [("y\n", False), ("\n", False), ("yes\n", True)])
def test_a_dangerous_rule_needs_a_typed_yes(run: Run, git_repo: Path, answer: str, is_written: bool) -> None:
    """One key is not enough."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    terminal = Terminal("apply", dangerous(run))
    terminal.expect("type `yes`")
    terminal.answer(answer)
    terminal.end()
    assert ("no-verify" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")) is is_written
