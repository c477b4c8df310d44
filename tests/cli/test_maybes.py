"""What could be a rule is kept aside: listed when asked for, decided like a suggestion, and never in anybody's way."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, refused

from memsuggest.core.model import Candidate, MemoryFact, Transcript, Trust, Turn
from memsuggest.facts import stores as bound
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.cues import cite
from memsuggest.judging.offline.findings import Findings

if sys.platform != "win32":
    from cli.terminal import Terminal

FIRST, SECOND, THIRD = (f"{number * 11111111}-aaaa-4bbb-8ccc-222222222222" for number in (1, 2, 3))
RULE = "From now on never mock the database in tests."
SAID = "hm so lets go with pnpm for the client then"
PASTED = "pasted? log lines go to stderr in this one, and nothing else"
OUR_OWN = offline.extract
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
    """A repo in whose one chat a rule and two maybes were said."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    claude_session(home, git_repo, RULE, SAID, PASTED, session=FIRST)
    return run


def maybes(run: Run) -> list[str]:
    return [one["content"] for one in run("list", "--maybe", "--format", "json").json["suggestions"]]


def pending(run: Run) -> list[str]:
    return [one["content"] for one in run("list", "--format", "json").json["suggestions"]]


def id_of(run: Run, word: str) -> str:
    (found,) = [
        str(one["id"])
        for one in run("list", "--maybe", "--format", "json").json["suggestions"]
        if word in one["content"]
    ]
    return found


def shared(repo: Path) -> str:
    return (repo / ".github/memories/facts.json").read_text(encoding="utf-8")


def test_nobody_is_bothered(chat: Run, git_repo: Path) -> None:
    """Only a line of `reconcile` says that there are any; no count, list, badge, search or export has one."""
    report = chat("reconcile", "--format", "json").json
    assert (report["newFacts"], report["maybes"], len(report["suggestions"])) == (1, 2, 1)
    assert "1 pending" in chat("list").out
    told = [
        chat(*words).out
        for words in (
            ("list",),
            ("list", "--format", "json"),
            ("status",),
            ("memory", "list", "--facts", "--all"),
            ("memory", "list", "--facts", "pnpm client"),
            ("memory", "export", "--facts"),
            ("doctor",),
        )
    ]
    assert not any("pnpm for the client" in out or "maybe" in out.replace('"maybe"', "maybe") for out in told)
    assert chat("status", "--short").out == "mem 1\n"
    assert "pnpm for the client" not in "".join(data.decode(errors="replace") for data in tree(git_repo).values())
    chat("list", "--check", code=3)


def test_the_one_line(chat: Run, git_repo: Path, home: Path) -> None:
    """It stands below the report, not with `--quiet`, and not where there is nothing."""
    assert (
        "\n2 low-confidence suggestions (`memsuggest list --maybe`); a model could judge them: run `memsuggest doctor`"
        in chat("reconcile").out
    )
    assert "maybe" not in chat("reconcile", "--quiet").out
    chat("dismiss", id_of(chat, "pnpm"), id_of(chat, "stderr"))
    assert "maybe" not in chat("reconcile").out


def test_listing(chat: Run) -> None:
    """The sentence, when and in which chat; the same as JSON in the shape of suggestions."""
    assert chat("list", "--maybe").out.endswith("No low-confidence suggestions.\n")
    chat("reconcile")
    out = chat("list", "--maybe").out
    assert f"“{SAID}”" in out and "2026-03-01 10:01 · chat 11111111" in out and "possibly pasted" in out
    listed = chat("list", "--maybe", "--format", "json").json
    usual = chat("list", "--format", "json").json
    assert listed.keys() == usual.keys() - {"careHeld"}  # nothing of the files is kept aside
    assert listed["suggestions"][0].keys() == usual["suggestions"][0].keys()
    assert [one["outcome"] for one in (*listed["suggestions"], *usual["suggestions"])] == ["maybe", "maybe", "suggest"]
    assert chat("memory", "list", "--facts", "--maybe").out.count("\n") == 2
    chat("list", "--maybe", "--check", code=2)


def test_said_again(chat: Run, git_repo: Path, home: Path) -> None:
    """In other sessions it stays a maybe, with the chats that it was said in, and moves up in their list."""
    chat("reconcile")
    claude_session(home, git_repo, f"{SAID}!", session=SECOND, day=2)
    report = chat("reconcile", "--format", "json").json
    assert (report["newFacts"], report["maybes"]) == (0, 2)
    assert pending(chat) == [RULE]
    assert maybes(chat)[0] == SAID
    assert SAID not in shared(git_repo)


def test_reading_again_changes_nothing(chat: Run) -> None:
    """The same session counts once, however often it is read."""
    chat("reconcile")
    before = chat("list", "--maybe", "--format", "json").json["suggestions"]
    (transcript,) = (Path.home() / ".claude/projects").rglob("*.jsonl")
    transcript.touch()
    chat("reconcile", str(transcript))
    assert chat("list", "--maybe", "--format", "json").json["suggestions"] == before


def test_show_and_apply(chat: Run, git_repo: Path) -> None:
    """It is planned when it is looked at, written as shown, and a fact of the team then; undo makes it a maybe."""
    chat("reconcile")
    name = id_of(chat, "pnpm")
    shown = chat("show", name[:7]).out
    assert "low confidence" in shown and f"“{SAID}”" in shown and "+- Hm so lets" in shown
    assert chat("show", name, "--format", "json").json["suggestion"]["id"] == name
    assert SAID not in shared(git_repo)
    refused("apply", name, says="not running in a terminal")
    chat("apply", name, "--yes")
    assert "lets go with pnpm" in (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    assert json.loads(shared(git_repo))["decisions"][0]["factId"] == name
    chat("undo")
    assert (git_repo / "AGENTS.md").read_text(encoding="utf-8") == AGENTS
    assert SAID in maybes(chat) and SAID not in pending(chat)
    assert SAID not in shared(git_repo)


def test_bulk_leaves_them(chat: Run, git_repo: Path) -> None:
    """`apply --all` takes what is suggested."""
    chat("reconcile")
    assert len(chat("apply", "--all", "--yes", "--format", "json").json["applied"]) == 1
    assert len(maybes(chat)) == 2


def test_edit(chat: Run, git_repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's own words for it are applied, and remembered."""
    chat("reconcile")
    script = tmp_path / "editor"
    script.write_text(f"#!{sys.executable}\nimport pathlib, sys\npathlib.Path(sys.argv[1]).write_text('Use pnpm.')\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("EDITOR", str(script))
    chat("edit", id_of(chat, "pnpm"), "--yes")
    assert "- Use pnpm." in (git_repo / "AGENTS.md").read_text(encoding="utf-8")
    assert "Use pnpm." in shared(git_repo) and SAID not in shared(git_repo)


@pytest.mark.parametrize("words", [("dismiss",), ("memory", "forget")], ids=["dismissed", "forgotten"])
def test_gone_is_gone(chat: Run, git_repo: Path, home: Path, words: tuple[str, ...]) -> None:
    """Neither reading again nor saying it again as vaguely brings it back, and the team's file knows nothing of it."""
    chat("reconcile")
    name = id_of(chat, "pnpm")
    chat(*words, name)
    claude_session(home, git_repo, SAID, session=SECOND, day=2)
    chat("reconcile")
    assert SAID not in [*maybes(chat), *pending(chat)]
    assert name not in shared(git_repo)


def test_confirm(chat: Run) -> None:
    """At the person's word it is suggested, doubtful words and dismissed ones too."""
    chat("reconcile")
    chat("dismiss", id_of(chat, "pnpm"))
    (dismissed,) = chat("list", "--status", "dismissed", "--format", "json").json["decided"]
    chat("memory", "confirm", dismissed["factId"], id_of(chat, "stderr"))
    assert maybes(chat) == []
    assert sorted(pending(chat)) == sorted([RULE, SAID, PASTED])


def test_what_a_file_says_already(chat: Run, git_repo: Path) -> None:
    """`show` has the quote and says where it stands; `apply` says the same and writes nothing."""
    (git_repo / "AGENTS.md").write_text(f"{AGENTS}- {SAID}\n", encoding="utf-8")
    chat("reconcile")
    out = chat("show", id_of(chat, "pnpm")).out
    assert "`AGENTS.md` already says this in line 6" in out and "you typed" in out
    refused("apply", id_of(chat, "pnpm"), "--yes", says="already says this")


def test_extract(chat: Run) -> None:
    """Without `--maybe` none is printed, with it they stand apart, with their quotes."""
    (transcript,) = map(str, (Path.home() / ".claude/projects").rglob("*.jsonl"))
    assert "pnpm" not in chat("extract", transcript).out
    (found,) = chat("extract", transcript, "--format", "json").json["transcripts"]
    assert [one["outcome"] for one in found["facts"]] == ["suggest"]
    (found,) = chat("extract", "--maybe", transcript, "--format", "json").json["transcripts"]
    assert [one["outcome"] for one in found["facts"]] == ["suggest", "maybe", "maybe"]
    _, _, apart = chat("extract", "--maybe", transcript).out.partition("Low confidence (2)")
    assert f"“{SAID}” turn 3" in apart and RULE not in apart


def test_threshold_can_only_be_raised(chat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lower one makes no suggestion of a maybe, a higher one no maybe of a suggestion."""
    monkeypatch.setenv("MEMSUGGEST_THRESHOLD", "0.1")
    chat("reconcile")
    assert pending(chat) == [RULE]
    monkeypatch.setenv("MEMSUGGEST_THRESHOLD", "0.9")
    chat("reconcile")
    assert pending(chat) == []
    assert RULE not in maybes(chat)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_review_offers_them_at_its_end(chat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One key looks at them; of a raw sentence `edit` is named first; enter leaves them."""
    monkeypatch.setenv("MEMSUGGEST_CARE", "false")
    chat("reconcile")
    terminal = Terminal("review")
    terminal.expect("[e]dit [?] ")
    terminal.press("n")
    terminal.expect("2 with low confidence: review them? [y/N] ")
    terminal.press("y")
    assert "1 of 2" in terminal.expect("[d]ismiss [?] ")
    terminal.press("n")
    assert SAID in terminal.expect("[d]ismiss [?] ")
    terminal.press("d")
    terminal.end()
    assert len(maybes(chat)) == 1
    terminal = Terminal("review", "--maybe")
    terminal.expect("1 of 1")
    terminal.expect("[d]ismiss [?] ")
    terminal.press("y")
    assert "applied" in terminal.end()
    assert maybes(chat) == []


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_a_review_that_is_left_offers_nothing(chat: Run) -> None:
    """Who stops is not asked further."""
    chat("reconcile")
    terminal = Terminal("review")
    terminal.expect("[e]dit [?] ")
    terminal.press("q")
    assert "review them" not in terminal.end()


def test_the_oldest_go(chat: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound they go without a word, and leave no trace that would keep them away."""
    with monkeypatch.context() as patched:
        patched.setattr(bound, "MOST_MAYBES", 1)
        report = chat("reconcile", "--format", "json").json
    assert (report["maybes"], report["pruned"], report["skipped"]) == (1, [], [])
    assert maybes(chat) == [PASTED]
    chat("remember", SAID)
    assert SAID in pending(chat)


def test_a_directive_raises_it(chat: Run, git_repo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said as one, it is suggested at once, with a receipt."""
    chat("reconcile")
    monkeypatch.setattr(offline, "extract", OUR_OWN)
    claude_session(home, git_repo, f"remember: {SAID}", session=SECOND, day=2)
    report = chat("reconcile", "--format", "json").json
    assert [one["content"].lower().rstrip(".") for one in report["receipts"]] == [SAID]
    assert report["maybes"] == 1


HARMLESS = "Write small commits."
DANGEROUS = "Always push with --no-verify."


def dangerous(run: Run) -> str:
    """The id of a suggestion that weakens safety, beside one that does not."""
    run("remember", HARMLESS)
    out = run("remember", DANGEROUS).out
    assert "warning" in out and "never in bulk" in out
    (found,) = [one for one in run("list", "--format", "json").json["suggestions"] if one["content"] == DANGEROUS]
    return str(found["id"])


def test_a_dangerous_rule_is_never_applied_in_bulk(run: Run, git_repo: Path) -> None:
    """`--all` and `--similar` leave it out and say so; named, it is written with a warning."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    name = dangerous(run)
    assert f"{DANGEROUS}  weakens safety: needs its own confirmation" in run("list").out
    assert "warning: this rule" in run("show", name).out
    assert run("show", name, "--format", "json").json["danger"]
    (other,) = ids_but(run, name)
    run("remember", "Keep --no-verify out of our scripts.")
    (like,) = set(ids_but(run, name)) - {other}
    out = run("apply", "--similar", like, "--yes").out
    assert "skipped" in out and f"applied  {HARMLESS}" in out
    assert "skipped" in run("apply", "--all", "--yes").out
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


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
def test_nor_is_one_key_of_a_review(run: Run, git_repo: Path) -> None:
    """There it is asked for as well, before anything is written."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    run("dismiss", *ids_but(run, dangerous(run)))
    terminal = Terminal("review")
    terminal.expect("[e]dit [?] ")
    terminal.press("y")
    terminal.expect("type `yes`")
    terminal.answer("\n")
    terminal.end()
    assert "no-verify" not in (git_repo / "AGENTS.md").read_text(encoding="utf-8")


def ids_but(run: Run, name: str) -> list[str]:
    """The ids of the other suggestions."""
    return [one["id"] for one in run("list", "--format", "json").json["suggestions"] if one["id"] != name]
