"""Other minds than the API: programs that are signed in already, chosen, consented to, asked, and failing."""

from __future__ import annotations

import json
import shlex
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Outcome, Run, id_of, invoke, json_of, known, session
from program_kit import CENTS, NAMES, TYPES, StandIn, is_running

from memsuggest.judging.asking.outcomes import OUTCOMES
from memsuggest.transcripts.own_session_mark import MARK, VARIABLE

AGENTS = "# Shop\n\n## Money\n\n- Prices come from the ledger\n"


@pytest.fixture(autouse=True)
def path(run: Run, home: Path, git_repo: Path) -> Path:
    """A chat that nobody read yet."""
    assert run
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    return claude_session(home, git_repo, CENTS)


def asks(program: StandIn, *words: str, code: int = 0) -> Outcome:
    return invoke("reconcile", "--engine", program.name, *words, code=code)


def checks(*words: str) -> dict[str, dict[str, str]]:
    return {one["name"]: one for one in json_of("doctor", *words)["checks"]}


def test_a_chat_is_judged(program: StandIn, home: Path, git_repo: Path) -> None:
    """After a dry run has shown all; the program is named as the judge, is not asked twice, and its place is taken."""
    claude_session(home, git_repo, CENTS, TYPES)
    shown = json_of("reconcile", "--engine", program.name, "--dry-run")["requests"]
    text = asks(program, "--dry-run").out
    assert not program.asked
    invoke("consent", "grant", "--engine", program.name, "--yes")
    assert f"{program.name} engine" in asks(program).out
    assert known() == sorted([CENTS, TYPES[:1].upper() + TYPES[1:]])
    times = len(program.asked)
    report = json_of("reconcile", "--engine", program.name)
    assert len(program.asked) == times
    made = next(one for one in report["suggestions"] if "cents" in one["content"])
    assert made["targetUri"] == "AGENTS.md" and made["why"].startswith("a model chose this file")
    rows = json_of("usage")["usage"]
    assert {row["purpose"] for row in rows} == {"extraction", "verdicts"}
    assert all(row["model"].startswith(f"{program.name} ") for row in rows)
    (request,) = [one for one in shown if one["purpose"] == "extraction"]
    asked = program.asked[0]
    assert asked["stdin"] in request["texts"] and request["command"][0] == str(program.folder / program.name)
    arguments = [one for one in asked["arguments"] if "memsuggest-" not in one]
    assert arguments == [one for one in request["command"][1:] if "FOLDER" not in one]
    assert f"$ {request['command'][0]} {request['command'][1]}" in text and CENTS in text
    for asked in program.asked:  # in an empty folder, marked, in a group of its own
        assert asked["inside"] == [] and not Path(asked["folder"]).is_relative_to(git_repo)
        assert not Path(asked["folder"]).exists()
        assert asked["environ"][VARIABLE] == "1" and asked["group"] == asked["pid"]
        assert asked["stdin"].startswith(MARK)
        assert not any(CENTS in argument for argument in asked["arguments"])


def test_nothing_without_consent(program: StandIn) -> None:
    """Nobody is asked without a word for just this program, which says who sees what; the hint is that command."""
    other = next(name for name in NAMES if name != program.name)
    invoke("consent", "grant", "--engine", other, "--yes")
    shown = json_of("consent", "show", "--engine", program.name)
    words = "\n".join(shown["words"])
    assert shown["endpoint"] == program.name
    assert "50 questions per day" in words and "The data is visible to " in words
    command = asks(program, code=1).err.partition("hint: run `")[2].partition("`")[0]
    assert not program.asked
    invoke(*shlex.split(command)[1:], "--yes")
    asks(program)
    assert program.asked
    invoke("consent", "revoke", "--endpoint", program.name)
    assert json_of("consent", "show", "--engine", program.name)["granted"] is False


def test_elsewhere_is_another_receiver(programs: dict[str, StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    """Consent to a program is not consent to whatever the environment makes it send things to."""
    invoke("consent", "grant", "--engine", "claude", "--yes")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://elsewhere.example/v1")
    assert "claude at https://elsewhere.example/v1" in asks(programs["claude"], code=1).err
    assert not programs["claude"].asked


ROWS: list[tuple[str, dict[str, Any], str]] = [
    ("prose", {"mode": "says", "text": "I would remember that prices are in cents."}, "prose"),
    ("a limit", {"mode": "fails", "text": "You've hit your usage limit. Try again at 3pm."}, "usage-limit"),
    ("an error", {"mode": "complains", "text": "panic: \x1b]52;c;eA==\x07 something broke"}, "program-failed"),
    ("hanging", {"mode": "hangs"}, "program-hangs"),
]


@pytest.mark.parametrize(
    ("name", "behaviour", "outcome"),
    [pytest.param(name, *row[1:], id=f"{name}-{row[0]}") for name, row in zip(cycle(NAMES), ROWS, strict=False)],
)
def test_reconcile_stops_and_goes_on(  # noqa: PLR0917
    home: Path,
    git_repo: Path,
    programs: dict[str, StandIn],
    name: str,
    behaviour: dict[str, Any],
    outcome: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each failure has its own line; no more is asked, the chats stay pending, and the next run goes on.

    The programs take turns: what each of them prints when it fails is tested where their output is read.
    """
    program = programs[name]
    claude_session(home, git_repo, TYPES * 900, session=session(2), day=2)
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", ())
    seconds = 1.5 if outcome == "program-hangs" else 30.0
    monkeypatch.setattr("memsuggest.judging.engines.programs.SECONDS", seconds)
    program.behave(**behaviour)
    failed = asks(program, "--consent", code=1)
    assert OUTCOMES[outcome].says in failed.err and "hint:" in failed.err
    assert "\x1b" not in failed.out + failed.err
    assert not known()
    for row in json_of("transcripts")["transcripts"]:
        assert (row["state"], OUTCOMES[outcome].says in row["why"]) == ("postponed", True)
    if outcome == "program-hangs":
        assert not is_running(int((program.folder / "helper.pid").read_text()))
    program.behave("coloured")  # what it writes to a terminal is not heard by ours, and spoils no answer
    found = asks(program, "--consent")
    assert "\x1b" not in found.out + found.err
    assert CENTS in known()


def test_a_finding_names_who_judged(program: StandIn, path: Path) -> None:
    """Also when the answer was kept, and the judge of a later run is another."""
    for engine in (program.name, "haiku"):
        (found,) = json_of("extract", str(path), "--engine", engine, "--consent")["transcripts"]
        assert [fact["foundBy"] for fact in found["facts"]] == [program.name]
    assert len(program.asked) == 1


def test_questions_a_day(program: StandIn, home: Path, git_repo: Path) -> None:
    """So many a day and no more; what came to nothing counts for none; a higher number goes on."""
    invoke("config", "set", "requestsPerDay", "1")
    program.behave("silent")
    for _ in range(2):
        asks(program, "--consent", code=1)
    (row,) = json_of("usage")["usage"]
    assert (row["requests"], row["failed"], row["inputTokens"] + row["outputTokens"]) == (2, 2, 0)
    program.behave("well")
    asks(program, "--consent", "--mode", "manual")
    claude_session(home, git_repo, TYPES, session=session(2), day=2)
    failed = asks(program, "--consent", code=1)
    assert OUTCOMES["over-requests"].says in failed.err
    assert f"1 of 1 questions for `{program.name}`" in failed.err
    assert "`memsuggest config set requestsPerDay 50`" in failed.err
    assert len(known()) == 1
    invoke("config", "set", "requestsPerDay", "50")
    asks(program, "--consent")
    assert len(known()) == 2


def test_auto_takes_the_first_that_may_be_asked(
    home: Path, git_repo: Path, programs: dict[str, StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the person's order, only what was consented to; without any, our own rules, and a line on what would help."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    (home / ".claude.json").write_text('{"oauthAccount": {}, "x": 1}')
    assert "could evaluate" not in invoke("reconcile", "--offline", "--dry-run").out
    alone = invoke("reconcile").out
    advice = "`codex` (signed in) could evaluate these chats better: run `memsuggest reconcile --again --engine codex`"
    assert "offline engine" in alone and advice in alone
    for name in ("copilot", "codex"):
        invoke("consent", "grant", "--engine", name, "--yes")
    claude_session(home, git_repo, TYPES, session=session(2), day=2)
    assert "codex engine" in invoke("reconcile").out
    invoke("config", "set", "engineOrder", "copilot, codex")
    claude_session(home, git_repo, CENTS, session=session(3), day=3)
    assert "copilot engine" in invoke("reconcile").out
    assert not programs["claude"].asked


def test_hooks_in_a_program_that_we_ask_do_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own entry in its hooks ends at once, without a word, a file or a background process."""
    before = sorted(home.rglob("*"))
    monkeypatch.setenv(VARIABLE, "1")
    done = invoke("hook", stdin=json.dumps({"hook_event_name": "Stop", "session_id": "1", "cwd": str(Path.cwd())}))
    assert (done.out, done.err, sorted(home.rglob("*"))) == ("", "", before)


def test_a_session_of_our_own_is_no_transcript(home: Path, git_repo: Path) -> None:
    """A question of ours in an assistant's log teaches nothing, also when its file is named."""
    path = claude_session(home, git_repo, f"{MARK} Run nothing.\\n\\n{CENTS}", "Always use pnpm here.")
    shown = json_of("transcripts", "show", str(path))
    assert [turn["typed"] for turn in shown["turns"] if turn["role"] == "user"] == ["", "Always use pnpm here."]
    assert "a question asked by memsuggest" in json.dumps(shown["skipped"])
    invoke("reconcile", str(path))
    assert known() == ["Always use pnpm here."]


# Who judges is asked once, with one key, on a terminal.

ASKS = "use claude? [y,2,3,4,n,?]"

if sys.platform != "win32":
    from cli.terminal import Terminal

    @pytest.fixture
    def asked(programs: dict[str, StandIn]) -> dict[str, StandIn]:
        invoke("config", "set", "engineOrder", "claude, codex, copilot, haiku")
        return programs

    def answered(*keys: str, words: tuple[str, ...] = ()) -> str:
        """Answer the question of a run; what is said after it, on one line."""
        terminal = Terminal("reconcile", *words)
        for key in keys:
            terminal.expect(ASKS)
            terminal.press(key)
        return " ".join(terminal.end().rpartition(ASKS)[2].split())

    def test_one_key_and_the_first_suggestion(asked: dict[str, StandIn], home: Path, git_repo: Path) -> None:
        """What it is, who sees it, what it costs; no other key answers; then its suggestion, its evidence, an undo."""
        terminal = Terminal("reconcile")
        shown = terminal.expect(ASKS)
        for said in (
            "1 chat: claude can evaluate",
            "visible to Anthropic",
            "about 1 question on your account",
            "2  codex",
        ):
            assert said in shown
        terminal.press("\r")
        terminal.expect(ASKS)
        terminal.press("?")
        assert "What is sent:" in terminal.expect(ASKS)
        assert not asked["claude"].asked
        terminal.press("y")
        said = " ".join(terminal.end().split())
        assert "to undo this, run `memsuggest consent revoke`" in said and "claude engine" in said
        assert json_of("consent", "show")["engine"] == "claude", "it is the one that was chosen"
        claude_session(home, git_repo, TYPES, session=session(2), day=2)
        assert "use claude?" not in Terminal("reconcile").end()
        assert len(asked["claude"].asked) >= 2
        assert CENTS in invoke("show", id_of("cents")).out
        invoke("apply", id_of("cents"), "--yes")
        assert "cents" in (git_repo / "AGENTS.md").read_text()
        invoke("undo")
        assert (git_repo / "AGENTS.md").read_text() == AGENTS

    def test_a_no_is_remembered(asked: dict[str, StandIn]) -> None:
        """Nobody is asked, neither is the person again, nor is an engine named; one command changes that."""
        said = answered("n")
        assert "`memsuggest consent grant --engine claude`" in said
        assert "could evaluate" not in said.partition("--engine claude`")[2]
        again = Terminal("reconcile", "--again").end()
        assert "offline engine" in again and "judge" not in again
        invoke("consent", "grant", "--engine", "claude", "--yes")
        assert "claude engine" in invoke("reconcile", "--again").out
        invoke("consent", "revoke")
        assert "use claude?" not in Terminal("reconcile", "--again").end(), "to take it back is a no"

    def test_no_answer_is_asked_again(asked: dict[str, StandIn]) -> None:
        """At the end of input our own rules judge this time, and what they could not judge is counted at the end."""
        said = answered("\x04")
        assert "you will be asked again next time" in said and "`claude` (signed in) could evaluate these chats" in said
        said = answered("2", words=("--again",))
        assert "codex now evaluates this workspace's chats" in said and "codex engine" in said
        assert asked["codex"].asked and not asked["claude"].asked

    @pytest.mark.parametrize(
        "words", [("--offline",), ("--quiet",), ("--format", "json"), ("--dry-run",), ()], ids=" ".join
    )
    def test_where_nothing_is_asked(asked: dict[str, StandIn], words: tuple[str, ...]) -> None:
        """Who wants no network, no talk, a report for programs or nothing stored is not asked; nor is a machine."""
        assert "use claude?" not in Terminal("reconcile", *words, **({} if words else {"CI": "true"})).end()
        assert not any(program.asked for program in asked.values())
