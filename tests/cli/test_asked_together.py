"""Short chats share a question: one request, and of each chat what it would have come to by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token
from cli.conftest import Run
from judging_kit import verdicts_on
from model_server import Server, answers, fails, is_about_rules, told

from memsuggest.learning import reconcile as learning

SAID = (
    "We always keep prices in cents, never as floats.",
    "the worker queue is called harbor in this project",
    "All timestamps are stored in UTC, always.",
)
SESSION = "{:08d}-aaaa-4bbb-8ccc-222222222222"


def proposed(content: str, turn: int, quote: str, **fields: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "content": content,
        "reason": "",
        "kind": "convention",
        "scope": "workspace",
        "confidence": "high",
        "citations": [{"turn": turn, "file": "", "quote": quote}],
        "replaces": "",
    }
    return usual | fields


def reply(*facts: dict[str, Any]) -> str:
    return json.dumps({"facts": list(facts), "injections": []})


def well(body: dict[str, Any]) -> str:
    """Find in each chat what was said there."""
    if is_about_rules(body):
        return json.dumps(verdicts_on(body["messages"][0]["content"][-1]["text"]))
    said = told(body).items()
    return reply(*(proposed(text[:1].upper() + text[1:], turn, text) for turn, text in said if text in SAID))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server([answers(well)])
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", (0.0, 0.0))
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.close()


@pytest.fixture
def chats(home: Path, git_repo: Path) -> list[Path]:
    """Three short chats."""
    return [
        claude_session(home, git_repo, said, "go on", session=SESSION.format(number), day=number)
        for number, said in enumerate(SAID, 1)
    ]


def reconcile(run: Run, *words: str, code: int = 0) -> Any:
    return run("reconcile", "--engine", "haiku", "--consent", "--format", "json", *words, code=code)


def known(run: Run) -> dict[str, list[tuple[str, int, str]]]:
    """Facts by their contents, each with where it was said."""
    listed = run("memory", "list", "--facts", "--format", "json").json["facts"]
    return {
        fact["content"]: [(one["sessionId"], one["turn"], one["quote"]) for one in fact["citations"]] for fact in listed
    }


def chats_asked(server: Server) -> list[dict[int, str]]:
    return [told(body) for body in server.asked_of_chats]


def test_short_chats_share_a_request(run: Run, server: Server, chats: list[Path]) -> None:
    """One request; each fact cites the session and the turn in which it was said; then nothing waits."""
    report = reconcile(run).json
    assert (report["transcriptsRead"], report["newFacts"]) == (3, 3)
    assert [sorted(asked) for asked in chats_asked(server)] == [[1001, 1003, 2001, 2003, 3001, 3003]]
    assert known(run) == {
        said[:1].upper() + said[1:]: [(SESSION.format(number), 1, said)] for number, said in enumerate(SAID, 1)
    }
    assert reconcile(run).json["transcriptsRead"] == 0
    assert len(chats_asked(server)) == 1


def test_a_dry_run_shows_the_shared_question(run: Run, server: Server, chats: list[Path]) -> None:
    """What it prints is what is sent then."""
    (request,) = reconcile(run, "--dry-run").json["requests"]
    assert all(said in request["texts"][-1] for said in SAID)
    reconcile(run)
    assert server.asked[0]["messages"][0]["content"][-1]["text"] == request["texts"][-1]


def test_of_a_chat_that_grew_only_what_is_new_is_asked(
    run: Run, server: Server, chats: list[Path], home: Path, git_repo: Path
) -> None:
    """Beside others, it is told with what comes before, and taken from what is new alone."""
    reconcile(run)
    for number, said in enumerate(SAID[:2], 1):
        claude_session(home, git_repo, said, "go on", f"{said} as before", session=SESSION.format(number), day=number)
    reconcile(run)
    assert sorted(chats_asked(server)[-1]) == [1005, 2005]
    assert '"new":false' in server.asked_of_chats[-1]["messages"][0]["content"][-1]["text"]


CROSSED = [
    pytest.param(lambda said: proposed("Keep prices in cents.", 2001, SAID[0]), id="the quote of another chat"),
    pytest.param(lambda said: proposed("Keep prices in cents.", 9001, SAID[0]), id="a chat that is not there"),
    pytest.param(lambda said: proposed("Keep prices in cents.", 1, SAID[0]), id="a turn without its chat"),
    pytest.param(
        lambda said: proposed("Prices in cents are called harbor.", 1001, "go on"), id="words of another chat"
    ),
]


@pytest.mark.parametrize("crossing", CROSSED)
def test_what_is_said_of_one_chat_is_held_against_it_alone(
    run: Run, server: Server, chats: list[Path], crossing: Any
) -> None:
    """A quote counts in its own session only, whatever stands in the others of the request."""
    server.behave(answers(lambda body: reply(crossing(told(body)))), answers(well))
    reconcile(run)
    assert known(run) == {}


def test_a_fact_that_cites_two_chats_has_evidence_in_both(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Each session brings its own quote; the fact is one."""
    for number in (1, 2):
        claude_session(home, git_repo, SAID[0], session=SESSION.format(number), day=number)
    cited = [{"turn": 1000 * number + 1, "file": "", "quote": SAID[0]} for number in (1, 2)]
    server.behave(answers(reply(proposed(SAID[0], 0, "", citations=cited))), answers(well))
    reconcile(run)
    ((_, evidence),) = known(run).items()
    assert {session for session, _, _ in evidence} == {SESSION.format(1), SESSION.format(2)}


def test_an_answer_of_no_use_is_asked_for_chat_by_chat(run: Run, server: Server, chats: list[Path]) -> None:
    """All chats of the request stay pending with the reason; the next run asks about each by itself."""
    server.behave(answers("no", stop="refusal"), answers(well))
    failed = reconcile(run, code=1).json
    assert ["refused" in one["why"] for one in failed["postponed"]] == [True] * 3
    assert known(run) == {}
    assert reconcile(run).json["newFacts"] == 3
    assert [len(asked) for asked in chats_asked(server)] == [6, 2, 2, 2]


def test_a_service_that_fails_is_asked_the_same_again(run: Run, server: Server, chats: list[Path]) -> None:
    """Where the answer was not to blame, the next run asks about all of them at once."""
    server.behave(fails("529 Busy", "overloaded_error"))
    assert len(reconcile(run, code=1).json["postponed"]) == 3
    server.behave(answers(well))
    assert reconcile(run).json["newFacts"] == 3
    assert [len(asked) for asked in chats_asked(server)][-1] == 6


@pytest.mark.parametrize("learned", [0, 1, 2])
def test_interrupted_between_two_chats(
    run: Run, server: Server, chats: list[Path], monkeypatch: pytest.MonkeyPatch, learned: int
) -> None:
    """Ctrl-C after the answer came loses nothing of it, however many chats were learned from by then."""
    whole, done = learning.findings_in, []

    def interrupted(*given: Any, **more: Any) -> Any:
        if len(done) == learned:
            raise KeyboardInterrupt
        done.append(given)
        return whole(*given, **more)

    monkeypatch.setattr(learning, "findings_in", interrupted)
    reconcile(run, code=130)
    assert len(known(run)) == learned
    monkeypatch.setattr(learning, "findings_in", whole)
    assert reconcile(run).json["newFacts"] == 3 - learned
    assert len(known(run)) == 3
    assert len(chats_asked(server)) == 1


def test_copies_of_a_chat_are_asked_about_once(run: Run, server: Server, chats: list[Path]) -> None:
    """A session that lies in two files is told once, and learned from once."""
    chats[0].with_name(f"{SESSION.format(7)}.jsonl").write_bytes(chats[0].read_bytes())
    assert reconcile(run).json["newFacts"] == 3
    (asked,) = chats_asked(server)
    assert sorted(asked.values()) == sorted([*SAID, "go on", "go on", "go on"])
    assert len(known(run)[SAID[0]]) == 1


def test_what_a_shared_answer_proposed_in_vain_is_said(run: Run, server: Server, chats: list[Path]) -> None:
    """As of a question about one chat, what was dropped is told, with the reason."""
    server.behave(answers(reply(proposed("Use tabs.", 1001, "we indent with tabs"))), answers(well))
    assert any("Use tabs." in skip["what"] for skip in reconcile(run).json["skipped"])
