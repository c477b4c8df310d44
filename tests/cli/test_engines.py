"""Other minds than the API: programs that are signed in already, chosen, consented to, asked, and failing."""

from __future__ import annotations

import json
import shlex
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run
from program_kit import CENTS, NAMES, SIGNED_IN, TYPES, StandIn, is_running

from memsuggest.judging.asking.outcomes import OUTCOMES
from memsuggest.judging.engines.programs import ProgramClient
from memsuggest.transcripts.own_session_mark import MARK, VARIABLE

SECOND = "22222222-aaaa-4bbb-8ccc-222222222222"


def known(run: Run) -> list[str]:
    return sorted(fact["content"] for fact in run("memory", "list", "--facts", "--format", "json").json["facts"])


def test_a_chat_is_judged(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """The program judges, is named as the judge, and is not asked twice; a quote with an `@` is found."""
    claude_session(home, git_repo, CENTS, TYPES)
    run("consent", "grant", "--engine", program.name, "--yes")
    found = run("reconcile", "--engine", program.name)
    assert f"{program.name} engine" in found.out
    assert known(run) == sorted([CENTS, TYPES[:1].upper() + TYPES[1:]])
    times = len(program.asked)
    run("reconcile", "--engine", program.name)
    assert len(program.asked) == times
    (shown,) = {row["model"] for row in run("usage", "--format", "json").json["usage"]}
    assert shown.startswith(f"{program.name} ")


def test_what_becomes_of_a_rule_is_asked(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """In a second question, whose verdict is carried out; neither is asked again."""
    (git_repo / "AGENTS.md").write_text("# Shop\n\n## Money\n\n- Prices come from the ledger\n", encoding="utf-8")
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--engine", program.name, "--yes")
    (made,) = run("reconcile", "--engine", program.name, "--format", "json").json["suggestions"]
    assert made["targetUri"] == "AGENTS.md"
    assert made["why"].startswith("a model chose the file")
    rows = run("usage", "--format", "json").json["usage"]
    assert {row["purpose"] for row in rows} == {"extraction", "verdicts"}
    times = len(program.asked)
    run("reconcile", "--engine", program.name)
    assert len(program.asked) == times


def test_how_it_is_run(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """In an empty folder outside the repo, marked, in a group of its own, with the words on stdin alone."""
    claude_session(home, git_repo, CENTS)
    run("reconcile", "--engine", program.name, "--consent")
    for asked in program.asked:
        assert asked["inside"] == []
        assert not Path(asked["folder"]).is_relative_to(git_repo)
        assert not Path(asked["folder"]).exists()
        assert asked["environ"][VARIABLE] == "1"
        assert asked["group"] == asked["pid"]
        assert asked["stdin"].startswith(MARK)
    assert any(CENTS in asked["stdin"] for asked in program.asked)
    assert not any(CENTS in argument for asked in program.asked for argument in asked["arguments"])


def test_nothing_without_consent(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """Nobody is asked without a word for just this program; the hint is a command that gives it."""
    claude_session(home, git_repo, CENTS)
    other = next(name for name in NAMES if name != program.name)
    run("consent", "grant", "--engine", other, "--yes")
    failed = run("reconcile", "--engine", program.name, code=1)
    command = failed.err.partition("hint: run `")[2].partition("`")[0]
    assert not program.asked
    run(*shlex.split(command)[1:], "--yes")
    run("reconcile", "--engine", program.name)
    assert program.asked


def test_elsewhere_is_another_receiver(
    run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Consent to a program is not consent to whatever the environment makes it send things to."""
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--engine", "claude", "--yes")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://elsewhere.example/v1")
    assert "claude at https://elsewhere.example/v1" in run("reconcile", "--engine", "claude", code=1).err
    assert not programs["claude"].asked


def test_what_consent_says(run: Run, program: StandIn) -> None:
    """Who sees it, how often, and what; and it can be taken back."""
    shown = run("consent", "show", "--engine", program.name, "--format", "json").json
    words = "\n".join(shown["words"])
    assert shown["endpoint"] == program.name
    assert "50 questions per day" in words
    assert "The data is visible to " in words
    run("consent", "grant", "--engine", program.name, "--yes")
    run("consent", "revoke", "--endpoint", program.name)
    assert run("consent", "show", "--engine", program.name, "--format", "json").json["granted"] is False


def test_a_dry_run_shows_all(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """The packet and the command line are printed; nobody is asked."""
    claude_session(home, git_repo, CENTS)
    shown = run("reconcile", "--engine", program.name, "--dry-run", "--format", "json").json["requests"]
    text = run("reconcile", "--engine", program.name, "--dry-run").out
    assert not program.asked
    run("reconcile", "--engine", program.name, "--consent")
    (request,) = [one for one in shown if one["purpose"] == "extraction"]
    asked = program.asked[0]
    assert asked["stdin"] in request["texts"]
    assert request["command"][0] == str(program.folder / program.name)
    told = [one for one in asked["arguments"] if "memsuggest-" not in one]
    assert told == [one for one in request["command"][1:] if "FOLDER" not in one]
    assert f"$ {request['command'][0]} {request['command'][1]}" in text
    assert CENTS in text


ROWS: list[tuple[str, dict[str, Any], str, int]] = [
    ("prose", {"mode": "says", "text": "I would remember that prices are in cents."}, "prose", 1),
    ("half an object", {"mode": "says", "text": '{"facts": [{"content": "Keep'}, "unreadable", 1),
    ("another shape", {"mode": "says", "text": '{"rules": []}'}, "wrong-shape", 1),
    ("nothing", {"mode": "says", "text": ""}, "empty", 1),
    ("a limit", {"mode": "fails", "text": "You've hit your usage limit. Try again at 3pm."}, "usage-limit", 1),
    (
        "a limit told as an answer",
        {"mode": "says", "text": "Claude AI usage limit reached|1763850000"},
        "usage-limit",
        1,
    ),
    ("signed out", {"mode": "fails", "text": "Not logged in · Please run /login"}, "not-signed-in", 1),
    ("no network", {"mode": "fails", "text": "Unable to connect to API (ECONNREFUSED)"}, "no-connection", 1),
    ("an error", {"mode": "complains", "text": "panic: \x1b]52;c;eA==\x07 something broke"}, "program-failed", 1),
    ("silence", {"mode": "silent"}, "program-failed", 1),
    ("hanging", {"mode": "hangs"}, "program-hangs", 1),
    ("killed", {"mode": "killed"}, "program-killed", 1),
    ("a flood", {"mode": "floods"}, "too-long", 1),
]


@pytest.mark.parametrize(
    ("name", "behaviour", "outcome", "times"),
    [pytest.param(name, *row[1:], id=f"{name}-{row[0]}") for name, row in zip(cycle(NAMES), ROWS, strict=False)],
)
def test_reconcile_stops_and_goes_on(  # noqa: PLR0917
    run: Run,
    home: Path,
    git_repo: Path,
    programs: dict[str, StandIn],
    name: str,
    behaviour: dict[str, Any],
    outcome: str,
    times: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each failure has its own line; the chat stays pending with the reason, and the next run asks for it alone.

    The programs take turns: what each of them prints when it fails is tested where their output is read.
    """
    program = programs[name]
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", ())
    monkeypatch.setitem(ProgramClient.__init__.__kwdefaults__, "seconds", 1.5 if outcome == "program-hangs" else 30.0)
    claude_session(home, git_repo, CENTS)
    run("consent", "grant", "--engine", program.name, "--yes")
    program.behave(**behaviour)
    failed = run("reconcile", "--engine", program.name, code=1)
    assert OUTCOMES[outcome].says in failed.err
    assert "hint:" in failed.err
    assert "\x1b" not in failed.out + failed.err
    assert len(program.asked) == times
    assert not known(run)
    (row,) = run("transcripts", "--format", "json").json["transcripts"]
    assert (row["state"], OUTCOMES[outcome].says in row["why"]) == ("postponed", True)
    if outcome == "program-hangs":
        assert not is_running(int((program.folder / "helper.pid").read_text()))
    program.behave("well")
    run("reconcile", "--engine", program.name)
    assert known(run) == [CENTS]


def test_colours_and_a_terminal(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """What it writes to a terminal is not heard by ours, and does not spoil its answer."""
    claude_session(home, git_repo, CENTS)
    program.behave("coloured")
    found = run("reconcile", "--engine", program.name, "--consent")
    assert "\x1b" not in found.out + found.err
    assert known(run) == [CENTS]


def test_a_limit_ends_the_run(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """At the first sign of a limit no more is asked; all chats are pending."""
    claude_session(home, git_repo, CENTS)
    claude_session(home, git_repo, TYPES, session=SECOND, day=2)
    program.behave("fails", text="429 Too Many Requests")
    failed = run("reconcile", "--engine", program.name, "--consent", "--format", "json", code=1)
    assert len(failed.json["postponed"]) == 2
    assert len(program.asked) == 1


def test_a_finding_names_who_judged(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """Also when the answer was kept, and the judge of a later run is another."""
    path = claude_session(home, git_repo, CENTS)
    for engine in (program.name, "haiku"):
        (found,) = run("extract", str(path), "--engine", engine, "--consent", "--format", "json").json["transcripts"]
        assert [fact["foundBy"] for fact in found["facts"]] == [program.name]
    assert len(program.asked) == 1


def test_questions_a_day(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """So many a day and no more; the rest waits, and a higher number goes on."""
    claude_session(home, git_repo, CENTS)
    run("config", "set", "requestsPerDay", "1")
    run("reconcile", "--engine", program.name, "--consent", "--mode", "manual")
    claude_session(home, git_repo, TYPES, session=SECOND, day=2)
    failed = run("reconcile", "--engine", program.name, "--consent", code=1)
    assert OUTCOMES["over-requests"].says in failed.err
    assert f"1 of 1 questions for `{program.name}` (1 × extraction)" in failed.err
    assert "`memsuggest config set requestsPerDay 50`" in failed.err
    assert len(program.asked) == 1
    assert len(known(run)) == 1
    run("config", "set", "requestsPerDay", "50")
    run("reconcile", "--engine", program.name, "--consent")
    assert len(known(run)) == 2


def test_what_came_to_nothing_is_not_counted(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """A program that ends at once costs neither tokens nor one of the day's questions, however often."""
    claude_session(home, git_repo, CENTS)
    run("config", "set", "requestsPerDay", "1")
    program.behave("silent")
    for _ in range(3):
        run("reconcile", "--engine", program.name, "--consent", code=1)
    (row,) = run("usage", "--format", "json").json["usage"]
    assert (row["requests"], row["failed"], row["inputTokens"] + row["outputTokens"]) == (3, 3, 0)
    program.behave("well")
    run("reconcile", "--engine", program.name, "--consent")
    assert len(known(run)) == 1


def test_a_missing_program(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """It says which, and how to get it."""
    claude_session(home, git_repo, CENTS)
    (program.folder / program.name).unlink()
    failed = run("reconcile", "--engine", program.name, "--consent", code=1)
    assert OUTCOMES["no-program"].says in failed.err
    assert f"`{program.name}`" in failed.err
    (row,) = run("transcripts", "--format", "json").json["transcripts"]
    assert (row["state"], OUTCOMES["no-program"].says in row["why"]) == ("postponed", True)


def test_a_program_that_is_too_old(run: Run, home: Path, git_repo: Path, program: StandIn) -> None:
    """One without a flag that keeps it harmless is not asked at all, and the flag is named."""
    claude_session(home, git_repo, CENTS)
    program.age("--model")
    failed = run("reconcile", "--engine", program.name, "--consent", code=1)
    assert OUTCOMES["unusable-program"].says in failed.err
    assert "--model" in failed.err
    assert not program.asked


def test_a_program_that_keeps_its_tools(run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn]) -> None:
    """A codex that gives its model tools whatever it is told is asked nothing, and `doctor` names them."""
    claude_session(home, git_repo, CENTS)
    programs["codex"].offer("exec", "wait")
    assert "exec, wait" in run("reconcile", "--engine", "codex", "--consent", code=1).err
    assert not programs["codex"].asked
    (codex,) = [one for one in run("doctor", "--format", "json").json["checks"] if one["name"] == "engine codex"]
    assert "not usable: 0.169.0 gives its model tools that cannot be turned off: exec, wait" in codex["text"]


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_nobody_is_signed_in(
    run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where that can be told, it is told without a run."""
    claude_session(home, git_repo, CENTS)
    monkeypatch.delenv(SIGNED_IN[name])
    failed = run("reconcile", "--engine", name, "--consent", code=1)
    assert OUTCOMES["not-signed-in"].says in failed.err
    assert not programs[name].asked


def test_auto_takes_the_first_that_may_be_asked(
    run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the person's order, only what was consented to; without any, our own rules, and a line on what would help."""
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    (home / ".claude.json").write_text('{"oauthAccount": {}, "x": 1}')
    claude_session(home, git_repo, CENTS)
    alone = run("reconcile")
    assert "offline engine" in alone.out
    assert (
        "`codex` (signed in) could judge these chats better: run `memsuggest reconcile --again --engine codex`"
        in alone.out
    )
    run("consent", "grant", "--engine", "copilot", "--yes")
    run("consent", "grant", "--engine", "codex", "--yes")
    claude_session(home, git_repo, TYPES, session=SECOND, day=2)
    assert "codex engine" in run("reconcile").out
    run("config", "set", "engineOrder", "copilot, codex")
    claude_session(home, git_repo, CENTS, session="33333333-aaaa-4bbb-8ccc-1", day=3)
    assert "copilot engine" in run("reconcile").out
    assert not programs["claude"].asked
    assert "offline engine" in run("reconcile", "--offline").out


def test_no_advice_where_none_was_asked_for(run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn]) -> None:
    """Who chose the offline engine is not told of others."""
    claude_session(home, git_repo, CENTS)
    assert "could judge" not in run("reconcile", "--offline").out


def test_doctor_shows_each(run: Run, home: Path, git_repo: Path, programs: dict[str, StandIn]) -> None:
    """Found, version, signed in, consent, last use; and what cannot be used, with the reason."""
    claude_session(home, git_repo, CENTS)
    programs["codex"].age("--ephemeral")
    (programs["copilot"].folder / "copilot").unlink()
    run("reconcile", "--engine", "claude", "--consent")
    run("consent", "grant", "--engine", "claude", "--yes")
    checks = {one["name"]: one for one in run("doctor", "--format", "json").json["checks"]}
    claude = checks["engine claude"]["text"]
    assert claude.startswith("2.1.197, ")
    assert "signed in, consent given, last asked on 20" in claude
    assert "does not support --ephemeral" in checks["engine codex"]["text"]
    assert "`copilot`" in checks["others"]["text"]
    assert checks["engine local"]["health"] == "off"
    assert "engine claude" not in {one["name"] for one in run("doctor", "--offline", "--format", "json").json["checks"]}
    assert len(programs["claude"].asked) == len([one for one in programs["claude"].asked if one["stdin"]])


def test_hooks_in_a_program_that_we_ask_do_nothing(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own entry in its hooks ends at once, without a word, a file or a background process."""
    before = sorted(home.rglob("*"))
    monkeypatch.setenv(VARIABLE, "1")
    done = run("hook", stdin=json.dumps({"hook_event_name": "Stop", "session_id": "1", "cwd": str(Path.cwd())}))
    assert (done.out, done.err) == ("", "")
    assert sorted(home.rglob("*")) == before


def test_nothing_is_asked_from_within(
    run: Run, home: Path, git_repo: Path, program: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run inside a program that we asked asks nobody, so that none asks itself for ever."""
    claude_session(home, git_repo, CENTS)
    monkeypatch.setenv(VARIABLE, "1")
    assert OUTCOMES["asked-from-within"].says in run("reconcile", "--engine", program.name, "--consent", code=1).err
    assert not program.asked


def test_a_session_of_our_own_is_no_transcript(run: Run, git_repo: Path) -> None:
    """A question of ours in an assistant's log teaches nothing, also when its file is named."""
    session = claude_session(Path.home(), git_repo, f"{MARK} Run nothing.\\n\\n{CENTS}", "Always use pnpm here.")
    shown = run("transcripts", "show", str(session), "--format", "json").json
    assert [turn["typed"] for turn in shown["turns"] if turn["role"] == "user"] == ["", "Always use pnpm here."]
    assert "a question asked by memsuggest" in json.dumps(shown["skipped"])
    run("reconcile", str(session))
    assert known(run) == ["Always use pnpm here."]
