"""`reconcile --batch` from the command line, against a server of ours that answers batches."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token
from cli.conftest import Run
from model_server import BatchService, Server, fails, is_about_rules, resets, told
from notes_kit import memory_folder, note

from memsuggest.files import lock

RULES = (
    "We always keep prices in the database in cents, never as floats.",
    "Every new endpoint needs a rate limit before it is merged.",
    "Name branches after the ticket, like shop-123.",
    "Dates in the export are always written as ISO 8601.",
)
NOTED = "Ship each migration alone."
HARBOR = "the worker queue is called harbor in this project"
"""What our own rules find nothing in."""


def answered(body: dict[str, Any]) -> str:
    """Every turn that a question is about, as a rule in its own words; of notes, each as a rule of the team."""
    lines = body["messages"][0]["content"][-1]["text"].split("\n")[1:-1]
    noted = [note for line in lines if "noted_by" in (note := json.loads(line))]
    if noted:
        rule = {"content": NOTED, "quote": NOTED}
        notes = [{"note": note["note"], "holds": "team-rule", "rules": [rule]} for note in noted]
        return json.dumps({"notes": notes})
    facts = [
        {
            "content": text,
            "reason": "",
            "kind": "convention",
            "scope": "workspace",
            "confidence": "high",
            "citations": [{"turn": turn, "file": "", "quote": text}],
            "replaces": "",
        }
        for turn, text in told(body).items()
    ]
    return json.dumps({"facts": facts, "injections": []})


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchService]:
    service = BatchService(answer=answered)
    server = Server([service])
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("memsuggest.judging.asking.retry.PAUSES", (0.0, 0.0))
    monkeypatch.setattr("memsuggest.learning.batch_run.PAUSES", (0.0,))
    monkeypatch.setattr("memsuggest.learning.batch_run.SETTLE", 0)
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield service
    server.close()


def session(home: Path, repo: Path, number: int, *said: str) -> Path:
    return claude_session(home, repo, *said, session=f"{number:08}-aaaa-4bbb-8ccc-222222222222", day=number)


@pytest.fixture
def chats(home: Path, git_repo: Path) -> list[Path]:
    """Three chats, one of which says two things."""
    return [
        session(home, git_repo, 1, RULES[0]),
        session(home, git_repo, 2, RULES[1], RULES[2]),
        session(home, git_repo, 3, RULES[3]),
    ]


def batch(run: Run, *words: str, code: int = 0) -> Any:
    return run("reconcile", "--batch", "--consent", *words, "--format", "json", code=code).json


def learned(run: Run) -> list[str]:
    return sorted(one["content"] for one in run("memory", "list", "--facts", "--format", "json").json["facts"])


def typed(service: BatchService) -> list[str]:
    """Every prompt that was asked about in a batch, as often as it was."""
    return sorted(text for _, body in service.sent for text in told(body).values())


def paid(run: Run) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = run("usage", "--format", "json").json["usage"]
    return rows


def test_a_backlog_in_one_batch(run: Run, service: BatchService, chats: list[Path]) -> None:
    """The very packets that would be asked one by one go out together, cost half, and teach the same."""
    service.looks = 3
    dry = run("reconcile", "--batch", "--dry-run", "--format", "json").json["requests"]
    alone = run("reconcile", "--engine", "haiku", "--dry-run", "--format", "json").json["requests"]
    report = batch(run)
    assert (report["transcriptsRead"], report["newFacts"], report["inBatch"]) == (3, 4, 0)
    assert learned(run) == sorted(RULES)
    assert service.live == []
    sent = [
        [body["system"][0]["text"], *(one["text"] for one in body["messages"][0]["content"])]
        for _, body in service.sent
    ]
    assert sent == [one["texts"] for one in alone] == [one["texts"] for one in dry]
    assert sum(one["dollars"] for one in dry) == pytest.approx(sum(one["dollars"] for one in alone) / 2, rel=0.01)
    receipt = report["batch"]
    assert (receipt["sent"], receipt["answered"], receipt["waiting"]) == (len(sent), len(sent), 0)
    (row,) = paid(run)
    assert row["requests"] == len(sent) and not row["failed"] and not row["estimated"]
    assert row["dollars"] == receipt["dollars"] > 0
    assert receipt["outputTokens"] == 20 * len(sent)
    assert batch(run)["batch"] is None
    assert len(service.batches) == 1


def test_notes_are_asked_about_in_the_batch(
    run: Run, service: BatchService, chats: list[Path], home: Path, git_repo: Path
) -> None:
    """With the chats, once, and taken in with what they teach."""
    note(memory_folder(home, git_repo), "ship", f"We had an outage.\n\n{NOTED}")
    report = batch(run)
    assert report["batch"]["answered"] == len(service.sent) > 1
    assert [one["content"] for one in run("list", "--format", "json").json["suggestions"]].count(NOTED) == 1
    (row,) = run("notes", "--format", "json").json["notes"]
    assert [rule["content"] for rule in row["rules"]] == [NOTED]
    assert batch(run)["batch"] is None
    assert service.live == []


def test_leave_and_come_back(run: Run, service: BatchService, chats: list[Path], home: Path, git_repo: Path) -> None:
    """With `--no-wait` a run ends at once; what it asked is asked by nobody else, and taken when it is there."""
    service.looks = 100
    report = batch(run, "--no-wait")
    assert (report["transcriptsRead"], report["inBatch"], report["batch"]["waiting"]) == (0, 3, len(service.sent))
    assert "reconcile --batch` to collect the answers" in run("reconcile", "--batch", "--no-wait", "--consent").out
    again = run("reconcile", "--engine", "haiku", "--consent", "--format", "json").json
    assert (again["inBatch"], service.live, len(service.batches)) == (3, [], 1)
    before = typed(service)
    session(home, git_repo, 4, "Use tabs in Makefiles only.")
    assert batch(run, "--no-wait")["inBatch"] == 4
    assert typed(service) == sorted([*before, "Use tabs in Makefiles only."])
    service.end()
    report = batch(run, "--no-wait")
    assert (report["transcriptsRead"], report["inBatch"], report["newFacts"]) == (4, 0, 5)
    assert len(service.batches) == 2 and service.live == []


def test_an_ordinary_run_takes_what_came(run: Run, service: BatchService, chats: list[Path]) -> None:
    """It need not be named again: a run that finds a batch which has ended learns from it."""
    service.looks = 100
    batch(run, "--no-wait")
    service.end()
    report = run("reconcile", "--engine", "haiku", "--consent", "--format", "json").json
    assert (report["newFacts"], report["batch"]["answered"]) == (4, len(service.sent))
    assert all(map(is_about_rules, service.live))


def test_own_rules_meanwhile(run: Run, service: BatchService, home: Path, git_repo: Path) -> None:
    """What our own rules read while a batch was asked is learned from once more, with the answers."""
    session(home, git_repo, 1, HARBOR)
    service.looks = 100
    batch(run, "--no-wait")
    run("reconcile", "--offline")
    assert learned(run) == []
    service.end()
    batch(run)
    assert [one.casefold() for one in learned(run)] == [HARBOR]


LOST = [
    pytest.param({"on_create": [resets]}, 1, id="reply lost"),
    pytest.param({"on_create": [fails("500 No")]}, 1, id="error although it arrived"),
    pytest.param({"refuse_create": [resets]}, 1, id="never arrived"),
    pytest.param({"on_create": [resets], "looks": 3}, 1, id="reply lost, slow"),
]


@pytest.mark.parametrize(("faults", "made"), LOST)
def test_a_lost_reply(run: Run, service: BatchService, chats: list[Path], faults: dict[str, Any], made: int) -> None:
    """A batch whose reply was lost is found among others; one that never arrived is sent again; both once."""
    others = [{"custom_id": f"theirs-{number}", "params": {}} for number in range(1)]
    for name, value in faults.items():
        setattr(service, name, value)
    for number in range(3):
        service.batches.append({"id": f"old{number}", "requests": others, "looks": 0, "canceled": False})
    report = batch(run)
    ours = [one for one in service.batches if not one["id"].startswith("old")]
    assert len(ours) == made
    assert report["newFacts"] == 4 and learned(run) == sorted(RULES)
    assert report["batch"]["sent"] == len(ours[0]["requests"])
    assert paid(run)[0]["requests"] == len(ours[0]["requests"])


def test_another_batch_of_the_same_size(run: Run, service: BatchService, chats: list[Path]) -> None:
    """Somebody else's batch that came at the same moment, with as many requests, is not taken for ours."""

    def crowded(exchange: Any) -> None:
        ours = service.batches[-1]
        theirs = [{"custom_id": f"theirs-{one['custom_id']}", "params": {}} for one in ours["requests"]]
        for name in ("x1", "x2"):
            service.batches.append({"id": name, "requests": theirs, "looks": 0, "canceled": False})
        resets(exchange)

    service.on_create = [crowded]
    assert batch(run)["newFacts"] == 4
    assert len(service.batches) == 3


def test_refused(run: Run, service: BatchService, chats: list[Path]) -> None:
    """A batch that the service refuses costs nothing, is told, and is asked anew by the next run."""
    service.refuse_create = [fails("401 No", "authentication_error")]
    outcome = run("reconcile", "--batch", "--consent", code=1)
    assert "key" in outcome.err
    assert paid(run) == []
    assert batch(run)["newFacts"] == 4
    assert len(service.batches) == 1


@pytest.mark.parametrize("fate", ["errored", "expired", "canceled"])
def test_what_failed_is_asked_again(run: Run, service: BatchService, chats: list[Path], fate: str) -> None:
    """A chat stays pending whose question failed; nothing was paid for it, and the next batch asks once more."""
    service.fate = lambda _name, body: fate if RULES[0] in str(body) else "succeeded"
    monday = batch(run, code=1)
    assert monday["postponed"]
    assert sum(monday["batch"]["failed"].values()) == 1
    assert sum(row["dollars"] for row in paid(run)) == monday["batch"]["dollars"]
    service.fate = lambda _name, _body: "succeeded"
    tuesday = batch(run)
    assert not tuesday["postponed"]
    assert learned(run) == sorted(RULES)
    assert RULES[0] in str(service.batches[1]["requests"])


@pytest.mark.parametrize(
    ("answer", "stop"),
    [
        pytest.param("so what", "end_turn", id="no JSON"),
        pytest.param("{}", "refusal", id="refusal"),
        pytest.param('{"facts": [', "max_tokens", id="truncated"),
    ],
)
def test_answers_of_no_use(run: Run, service: BatchService, chats: list[Path], answer: str, stop: str) -> None:
    """They are paid for, and not asked for ever."""
    service.answer, service.stop = lambda _body: answer, stop
    for _ in range(6):
        run("reconcile", "--batch", "--consent", code=1)
    made = len(service.batches)
    run("reconcile", "--batch", "--consent", code=1)
    assert len(service.batches) == made < 6
    assert sum(row["dollars"] for row in paid(run)) > 0
    assert learned(run) == []


def test_a_chat_that_grew_meanwhile(
    run: Run, service: BatchService, chats: list[Path], home: Path, git_repo: Path
) -> None:
    """What was said since is asked in the next batch, and the rest not again."""
    service.looks = 100
    batch(run, "--no-wait")
    before = typed(service)
    session(home, git_repo, 1, RULES[0], "Never log a customer's address.")
    service.end()
    batch(run)
    assert typed(service) == sorted([*before, "Never log a customer's address."])
    assert set(learned(run)) == {*RULES, "Never log a customer's address."}


def test_chats_that_are_gone_or_elsewhere(run: Run, service: BatchService, chats: list[Path], tmp_path: Path) -> None:
    """An answer about a chat that was deleted is let go of; one that a path named is found again without the path."""
    named = tmp_path / "exported.jsonl"
    named.write_bytes(chats[0].read_bytes())
    for chat in chats:
        chat.unlink()
    service.looks = 100
    batch(run, "--no-wait", str(named))
    service.end()
    report = batch(run)
    assert report["batch"]["answered"] == 1
    assert batch(run, str(named))["newFacts"] >= 0
    assert learned(run) == [RULES[0]]
    assert len(service.batches) == 1
    service.looks = 100
    session(tmp_path / "home", tmp_path / "repo", 9, "x")
    named.write_bytes(
        named.read_bytes().replace(RULES[0].encode(), RULES[1].encode()).replace(b"00000001-", b"00000007-")
    )
    batch(run, "--no-wait", str(named))
    named.unlink()
    service.end()
    assert batch(run)["inBatch"] == 0
    assert learned(run) == [RULES[0]]


@pytest.mark.parametrize("how", ["archived", "unknown", "too old, and elsewhere"])
def test_results_that_are_gone(run: Run, service: BatchService, chats: list[Path], home: Path, how: str) -> None:
    """After a month, or with another key, there is nothing to fetch: its chats are asked about again."""
    service.looks = 100
    batch(run, "--no-wait")
    (reserved,) = paid(run)
    service.end()
    if how == "archived":
        service.is_archived = True
    elif how == "unknown":
        service.batches[0]["id"] = "somebody_else_s"
    else:
        with closing(sqlite3.connect(next(home.rglob("answers.db")))) as connection, connection:
            connection.execute("UPDATE batches SET at = 0, endpoint = 'https://elsewhere.example'")
    report = batch(run, "--no-wait")
    assert (report["inBatch"], report["batch"]["failed"]) == (3, {"batch-gone": 1})
    assert len(service.batches) == 2
    assert paid(run)[0]["dollars"] > reserved["dollars"]
    service.is_archived = False
    assert batch(run)["newFacts"] == 4


def test_taken_back(run: Run, service: BatchService, chats: list[Path]) -> None:
    """`--cancel` takes it back: nothing is paid, nothing new is asked, and the chats are pending."""
    service.looks = 100
    batch(run, "--no-wait")
    report = batch(run, "--cancel", code=1)
    assert report["batch"]["failed"] == {"batch-canceled": len(service.sent)}
    assert sum(row["dollars"] for row in paid(run)) == 0
    assert len(service.batches) == 1
    assert batch(run)["newFacts"] == 4


def test_budgets(run: Run, service: BatchService, home: Path, git_repo: Path) -> None:
    """No batch is larger than the run's budget has room for; what is left is told, and stays pending."""
    for number in range(1, 5):
        session(home, git_repo, number, *(f"{RULES[number - 1]} {'Really. ' * 2_000}" for _ in range(1)))
    dry = run("reconcile", "--batch", "--dry-run", "--format", "json").json["requests"]
    assert len(dry) > 1
    run("config", "set", "--user", "budgetPerRun", str(round(dry[0]["dollars"] * 1.5, 6)))
    report = batch(run, code=1)
    assert (report["batch"]["sent"], report["batch"]["left"]) == (1, len(dry) - 1)
    assert len(report["postponed"]) >= 1


def test_reserved_while_it_is_asked(run: Run, service: BatchService, chats: list[Path]) -> None:
    """What a batch may come to counts as spent until its answers are there."""
    service.looks = 100
    batch(run, "--no-wait")
    (reserved,) = paid(run)
    assert reserved["estimated"] and not reserved["failed"]
    service.end()
    batch(run)
    (row,) = paid(run)
    assert 0 < row["dollars"] < reserved["dollars"]


def test_without_consent_nothing_is_connected(run: Run, service: BatchService, chats: list[Path]) -> None:
    """Consent, a key and the network are needed as ever; other engines have no batches."""
    assert "consent grant" in run("reconcile", "--batch", code=1).err
    assert "--offline" in run("--offline", "reconcile", "--batch", code=1).err
    assert "claude" in run("reconcile", "--batch", "--engine", "claude", code=1).err
    run("reconcile", "--no-wait", code=2)
    assert service.batches == []


def test_as_text(run: Run, service: BatchService, chats: list[Path]) -> None:
    """The estimate comes before it is sent, and the receipt after it came."""
    outcome = run("reconcile", "--batch", "--consent")
    assert re.search(
        r"a batch of \d questions? about 3 chats for \S+ at http://127.0.0.1:\d+: .* at most \$0\.\d+ \(half",
        outcome.err,
    )
    assert re.search(
        r"\d questions? answered in a batch: 4 new facts; [\d,]+ tokens sent, \d+ received, \$0\.", outcome.out
    )
    assert not service.live


AT_A_TERMINAL = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")


@AT_A_TERMINAL
def test_a_person_says_no(run: Run, service: BatchService, chats: list[Path]) -> None:
    """On a terminal the estimate comes with a question; after a no, nothing was sent."""
    from cli.terminal import Terminal

    run("consent", "grant", "--yes")
    terminal = Terminal("reconcile", "--batch")
    assert "at most $0." in terminal.expect("send this batch? [y/N]: ")
    terminal.answer("n\n")
    assert "batch not sent" in terminal.end(code=1)
    assert service.batches == []


@AT_A_TERMINAL
def test_a_person_leaves(run: Run, service: BatchService, chats: list[Path]) -> None:
    """While it waits, it says how far the batch is; Ctrl-C leaves, and another run takes what came."""
    from cli.terminal import Terminal

    service.looks = 10_000
    run("consent", "grant", "--yes")
    terminal = Terminal("reconcile", "--batch")
    terminal.expect("send this batch? [y/N]: ")
    terminal.answer("y\n")
    terminal.expect(f"batch: {len(service.sent) or 1} processing")
    terminal.answer("\x03")
    terminal.end(code=130)
    service.end()
    assert batch(run)["newFacts"] == 4
    assert len(service.batches) == 1


def test_two_runs_at_once(run: Run, service: BatchService, chats: list[Path], home: Path) -> None:
    """One run at a time works with batches; an ordinary one leaves them to it, and asks nothing of what they hold."""
    service.looks = 100
    batch(run, "--no-wait")
    place = next(home.rglob("answers.db")).with_name("batch.lock")
    with lock(place, wait_seconds=0):
        assert "another memsuggest process is running here" in run("reconcile", "--batch", "--consent", code=1).err
        report = run("reconcile", "--engine", "haiku", "--consent", "--format", "json").json
    assert (report["inBatch"], report["batch"], service.live) == (3, None, [])
