"""The `haiku` engine from the command line, against a server of ours in the place of the model's service."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token
from cli.conftest import Outcome, Run, facts, invoke, json_of, known, session
from judging_kit import proposed, reply, verdicts_on
from model_server import Server, answers, fails, is_about_rules, told

CENTS = "We always keep prices in the database in cents, never as floats."
QUEUE = "the worker queue is called harbor in this project"
RULE = "Keep prices in cents, never as floats."
SAID = (CENTS, QUEUE, "All timestamps are stored in UTC, always.")


@pytest.fixture
def server(model: Server, run: Run) -> Server:
    assert run
    model.behave(answers(reply(proposed(RULE, CENTS))))
    return model


def haiku(*words: str, code: int = 0) -> Outcome:
    return invoke("reconcile", "--engine", "haiku", *words, "--format", "json", code=code)


def test_the_model_is_asked_with_consent(server: Server, home: Path, git_repo: Path) -> None:
    """With a key and consent, what the model finds and the person said is suggested, and the ledger knows the price."""
    claude_session(home, git_repo, CENTS)
    dry = haiku("--dry-run").json
    assert CENTS in invoke("reconcile", "--engine", "haiku", "--dry-run").out
    assert not server.requests
    assert json_of("consent", "grant", "--yes")["granted"]
    report = haiku().json
    assert (report["engine"], [one["content"] for one in report["suggestions"]]) == ("haiku", [RULE])
    assert [is_about_rules(body) for body in server.asked] == [False, True], "a rule alone is asked about, too"
    (request,) = dry["requests"]
    (asked,) = server.asked_of_chats
    sent = [asked["system"][0]["text"], *(part["text"] for part in asked["messages"][0]["content"])]
    assert sent == request["texts"] and request["tokens"] > 100 and request["dollars"] > 0
    usage = json_of("usage")["usage"]
    assert {row["purpose"]: row["requests"] for row in usage} == {"extraction": 1, "verdicts": 1}
    assert all(row["dollars"] > 0 for row in usage)
    assert "extraction" in invoke("usage").out
    assert not haiku().json["transcriptsRead"]
    assert len(server.asked) == 2


def test_consent_is_for_one_endpoint_and_not_for_ci(
    server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another endpoint asks again, nothing in the repo can name one, and in CI only `--consent` counts."""
    claude_session(home, git_repo, CENTS)
    invoke("consent", "grant", "--yes")
    with monkeypatch.context() as patch:
        patch.setenv("CI", "true")
        assert "--consent" in haiku(code=1).err
        assert not server.requests
    (git_repo / ".memsuggest.yml").write_text(f"endpoint: {server.url}/elsewhere\n", encoding="utf-8")
    haiku()
    assert {request.path for request in server.requests} == {"/v1/messages"}
    asked = len(server.requests)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server.url}/other")
    claude_session(home, git_repo, CENTS, QUEUE)
    haiku(code=1)
    assert len(server.requests) == asked


def test_what_was_paid_for_is_not_paid_again(server: Server, home: Path, git_repo: Path) -> None:
    """A run that stopped halfway goes on where it stopped, and a session that grew sends only what is new."""
    claude_session(home, git_repo, CENTS)
    invoke("consent", "grant", "--yes")
    haiku()
    server.behave(fails("401 No", "authentication_error"))
    claude_session(home, git_repo, QUEUE, session=session(2), day=2)
    haiku(code=1)
    server.behave(answers(reply()))
    haiku()
    assert len(server.asked) == 4
    claude_session(home, git_repo, CENTS, "one", "two", "three", QUEUE)
    haiku()
    assert len(server.asked) == 5
    sent = server.asked[-1]["messages"][0]["content"][-1]["text"]
    assert QUEUE in sent and (CENTS not in sent or '"new":false' in sent)


# Short chats share a question: one request, and of each chat what it would have come to by itself.


def well(body: dict[str, Any]) -> str:
    """Find in each chat what was said there."""
    if is_about_rules(body):
        return json.dumps(verdicts_on(body["messages"][0]["content"][-1]["text"]))
    said = told(body).items()
    return reply(*(proposed(text[:1].upper() + text[1:], text, turn=turn) for turn, text in said if text in SAID))


@pytest.fixture
def chats(server: Server, home: Path, git_repo: Path) -> list[Path]:
    """Three short chats, and a good model."""
    server.behave(answers(well))
    invoke("consent", "grant", "--yes")
    return [
        claude_session(home, git_repo, said, "go on", session=session(number), day=number)
        for number, said in enumerate(SAID, 1)
    ]


def where_said() -> dict[str, list[tuple[str, int, str]]]:
    """Facts by their contents, each with where it was said."""
    return {
        fact["content"]: [(one["sessionId"], one["turn"], one["quote"]) for one in fact["citations"]]
        for fact in facts()
    }


def turns_asked(server: Server) -> list[list[int]]:
    return [sorted(told(body)) for body in server.asked_of_chats]


def test_short_chats_share_a_request(server: Server, chats: list[Path], home: Path, git_repo: Path) -> None:
    """Each fact cites its session and turn, a copy is told once, and of a chat that grew only what is new is asked."""
    chats[0].with_name(f"{session(7)}.jsonl").write_bytes(chats[0].read_bytes())
    (request,) = haiku("--dry-run").json["requests"]
    assert all(said in request["texts"][-1] for said in SAID)
    assert haiku().json["newFacts"] == 3
    assert turns_asked(server) == [[1001, 1003, 2001, 2003, 3001, 3003]]
    assert server.asked[0]["messages"][0]["content"][-1]["text"] == request["texts"][-1]
    assert where_said() == {
        said[:1].upper() + said[1:]: [(session(number), 1, said)] for number, said in enumerate(SAID, 1)
    }
    assert haiku().json["transcriptsRead"] == 0
    assert len(turns_asked(server)) == 1
    for number in (2, 3):
        said = SAID[number - 1]
        claude_session(home, git_repo, said, "go on", f"{said} as before", session=session(number), day=number)
    haiku()
    assert turns_asked(server)[-1] == [1005, 2005]
    assert '"new":false' in server.asked_of_chats[-1]["messages"][0]["content"][-1]["text"]


@pytest.mark.parametrize(
    ("content", "turn", "quote"),
    [
        pytest.param("Keep prices in cents.", 2001, CENTS, id="the quote of another chat"),
        pytest.param("Keep prices in cents.", 9001, CENTS, id="a chat that is not there"),
        pytest.param("Keep prices in cents.", 1, CENTS, id="a turn without its chat"),
        pytest.param("Prices in cents are called harbor.", 1001, "go on", id="words of another chat"),
    ],
)
def test_a_quote_counts_in_its_own_session_only(
    server: Server, chats: list[Path], content: str, turn: int, quote: str
) -> None:
    """Whatever stands in the other chats of the request."""
    server.behave(answers(reply(proposed(content, quote, turn=turn))), answers(well))
    haiku()
    assert known() == []


def test_an_answer_of_no_use_is_asked_for_chat_by_chat(server: Server, chats: list[Path]) -> None:
    """All chats of the request stay pending; a service that fails is asked the same again."""
    server.behave(fails("529 Busy", "overloaded_error"))
    assert len(haiku(code=1).json["postponed"]) == 3
    server.behave(answers("no", stop="refusal"), answers(well))
    failed = haiku(code=1).json
    assert ["refused" in one["why"] for one in failed["postponed"]] == [True] * 3
    assert known() == []
    assert haiku().json["newFacts"] == 3
    assert [len(asked) for asked in turns_asked(server)][-4:] == [6, 2, 2, 2]


# What leaves the machine, byte for byte: no secret from anywhere, and nothing at all without consent.

NUMBERS = ("We lint before pushing.", "Ship on Tuesdays.", "Use pnpm.")
KEY = "a-key-that-only-the-header-has"


def secrets() -> dict[str, str]:
    """Invented ones of several makers, put together here so that none stands in the project."""
    letters = "Zq8Wv3Rt6Yp1Lk9Jh4Gf7Ds2"
    return {
        "typed": fake_token(),
        "tool": "AKIA" + "Q7" * 8,
        "assistant": "xoxb-" + "12345678901-" * 2 + letters,
        "document": "sk-ant-" + "api03-" + letters * 4,
        "heading": "glpat-" + letters[:20],
        "description": "npm_" + (letters * 2)[:36],
        "fact": "hf_" + (letters * 2)[:34],
        "password": letters[::-1][:14],
        "mail": "ada.lovelace@" + "engines.example.org",
    }


@pytest.fixture
def planted(server: Server, home: Path, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A secret in everything that a question may be made of."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    for text in NUMBERS:
        invoke("remember", text)
    found = secrets()
    typed = f"no, wrong! the token is {found['typed']} and mail {found['mail']}, db postgres://ada:{found['password']}@db.example.org/x"
    path = claude_session(home, git_repo, CENTS, typed, "and now the report")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    said = lines[1]["message"]["content"]
    said[0]["text"] = f"I set API_KEY={found['assistant']} and wrote notes.md."
    call = {"file_path": str(git_repo / "notes.md"), "content": "x"}
    said.append({"type": "tool_use", "id": "t1", "name": "Write", "input": call})
    result = {"type": "tool_result", "tool_use_id": "t1", "content": f"exported {found['tool']}"}
    lines.insert(2, lines[2] | {"uuid": "r", "message": {"role": "user", "content": [result]}})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    header = f'---\ndescription: "Prices in cents, key {found["description"]}"\napplyTo: "**"\n---\n'
    place = git_repo / ".github/memories/facts.json"
    document = json.loads(place.read_text("utf-8"))
    fact = {"id": "f" * 16, "content": f"The prices job logs in with {found['fact']}.", "scope": "workspace"}
    for name, text in {
        "notes.md": f"# Notes\n\nThe prices service has the key {found['document']}.\n",
        "AGENTS.md": f"# Prices {found['heading']}\n\n- Prices in cents come from a ledger\n",
        ".github/instructions/prices.instructions.md": f"{header}# Prices\n\n- never as floats\n",
        ".github/memories/facts.json": json.dumps(document | {"facts": [*document["facts"], fact]}),
    }.items():
        (git_repo / name).parent.mkdir(parents=True, exist_ok=True)
        (git_repo / name).write_text(text, encoding="utf-8")
    return found


def test_no_secret_is_in_any_packet(server: Server, planted: dict[str, str]) -> None:
    """Wherever it stands, a secret is in no request, to whatever question."""
    haiku("--consent")
    assert {row["purpose"] for row in json_of("usage")["usage"]} == {"extraction", "verdicts"}
    sent = b"\n".join(request.raw for request in server.requests).decode()
    assert CENTS in sent
    assert [name for name, secret in planted.items() if secret in sent] == []
    assert KEY not in sent
    tails = {name: secret[-8:] for name, secret in planted.items() if name != "mail"}  # of which others share the end
    assert [name for name, tail in tails.items() if tail in sent] == []


COMMANDS = (
    *(
        "reconcile",
        "reconcile --engine haiku",
        "reconcile --engine haiku --dry-run",
        "consolidate",
        "consolidate --yes",
    ),
    *("watch --once", "extract .", "usage", "consent show", "memory list --facts", "list", "status"),
)
NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")


@pytest.mark.parametrize("is_offline", [False, True], ids=["no consent", "consent, but --offline"])
def test_nothing_is_connected_without_consent(server: Server, planted: dict[str, str], is_offline: bool) -> None:
    """No command tries as much as to look up a name, whatever it ends with; nor once consent is taken back."""
    invoke("consent", "grant", "--yes")
    if not is_offline:
        invoke("consent", "revoke")
    tried: list[tuple[str, object]] = []
    sys.addaudithook(lambda name, given: tried.append((name, given)) if name in NETWORK else None)
    for words in COMMANDS:
        try:
            invoke(*words.split(), *(("--offline",) if is_offline else ()))
        except AssertionError as error:
            assert "exit 1" in str(error), words
        assert not tried, words
    if not is_offline:
        assert "consent grant" in haiku(code=1).err
    assert not server.requests and not tried
