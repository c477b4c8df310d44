"""What leaves the machine, byte for byte: no secret from anywhere, and nothing at all without consent."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_lines, claude_session, fake_token
from cli.conftest import Run
from judging_kit import verdicts_on
from model_server import Server, answers

from memsuggest.facts.facts_file import PLACE

SAID = "We always keep prices in cents, never as floats."
NUMBERS = (
    "We lint before pushing.",
    "Keep functions short.",
    "Ship on Tuesdays.",
    "Tests live in tests/.",
    "Use pnpm.",
)


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


def well(body: dict[str, Any]) -> str:
    """Answer every question as a good model does."""
    task = body["system"][0]["text"].split("\n\n")[0]
    if "You tidy" in task:
        return '{"operations": []}'
    if "becomes of rules" in task:
        return json.dumps(verdicts_on(body["messages"][0]["content"][-1]["text"]))
    cited = [{"turn": 1, "file": "", "quote": SAID}]
    found = {"content": SAID, "reason": "", "kind": "convention", "scope": "workspace", "confidence": "high"}
    return json.dumps({"facts": [found | {"citations": cited, "replaces": ""}], "injections": []})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server([answers(well)])
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-that-only-the-header-has")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.close()


def plant(home: Path, repo: Path) -> dict[str, str]:
    """Put a secret into everything that a question may be made of."""
    planted = secrets()
    typed = f"no, wrong! the token is {planted['typed']} and mail {planted['mail']}, db postgres://ada:{planted['password']}@db.example.org/x"
    lines = claude_lines(repo, SAID, typed, "and now the report")
    said: Any = lines[1]["message"]["content"]
    said[0]["text"] = f"I set API_KEY={planted['assistant']} and wrote notes.md."
    call = {"file_path": str(repo / "notes.md"), "content": "x"}
    said.append({"type": "tool_use", "id": "t1", "name": "Write", "input": call})
    result = {"type": "tool_result", "tool_use_id": "t1", "content": f"exported {planted['tool']}"}
    lines.insert(2, lines[2] | {"uuid": "r", "message": {"role": "user", "content": [result]}})
    path = claude_session(home, repo, SAID)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (repo / "notes.md").write_text(f"# Notes\n\nThe prices service has the key {planted['document']}.\n", "utf-8")
    (repo / "AGENTS.md").write_text(f"# Prices {planted['heading']}\n\n- Prices in cents come from a ledger\n", "utf-8")
    instructions = repo / ".github/instructions/prices.instructions.md"
    instructions.parent.mkdir(parents=True)
    header = f'---\ndescription: "Prices in cents, key {planted["description"]}"\napplyTo: "**"\n---\n'
    instructions.write_text(f"{header}# Prices\n\n- never as floats\n", "utf-8")
    facts = repo / PLACE
    document = json.loads(facts.read_text("utf-8"))
    fact = {"id": "f" * 16, "content": f"The prices job logs in with {planted['fact']}.", "scope": "workspace"}
    facts.write_text(json.dumps(document | {"facts": [*document["facts"], fact]}), "utf-8")
    return planted


def test_no_secret_is_in_any_packet(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Wherever it stands, a secret is in no request, to whatever question."""
    for text in NUMBERS:
        run("remember", text)
    planted = plant(home, git_repo)
    run("reconcile", "--engine", "haiku", "--consent")
    asked = {row["purpose"] for row in run("usage", "--format", "json").json["usage"]}
    assert asked == {"extraction", "verdicts"}
    sent = b"\n".join(request.raw for request in server.requests).decode()
    assert SAID in sent
    assert [name for name, secret in planted.items() if secret in sent] == []
    assert "a-key-that-only-the-header-has" not in sent
    tails = {name: secret[-8:] for name, secret in planted.items() if name != "mail"}  # of which others share the end
    assert [name for name, tail in tails.items() if tail in sent] == []


COMMANDS = [
    ("reconcile",),
    ("reconcile", "--engine", "haiku"),
    ("reconcile", "--engine", "haiku", "--dry-run"),
    ("consolidate",),
    ("consolidate", "--yes"),
    ("watch", "--once"),
    ("extract", "."),
    ("usage",),
    ("consent", "show"),
    ("memory", "list", "--facts"),
    ("list",),
    ("status",),
]


@pytest.mark.parametrize("is_offline", [False, True], ids=["no consent", "consent, but --offline"])
def test_nothing_is_connected_without_consent(
    run: Run, server: Server, home: Path, git_repo: Path, is_offline: bool
) -> None:
    """No command tries as much as to look up a name, whatever it ends with."""
    for text in NUMBERS:
        run("remember", text)
    plant(home, git_repo)
    if is_offline:
        run("consent", "grant", "--yes")
    tried: list[tuple[str, object]] = []
    sys.addaudithook(lambda name, given: tried.append((name, given)) if name in _NETWORK else None)
    for words in COMMANDS:
        more = ("--offline",) if is_offline else ()
        try:
            run(*words, *more)
        except AssertionError as error:
            assert "exit 1" in str(error), words
        assert not tried, words
    assert not server.requests


_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
